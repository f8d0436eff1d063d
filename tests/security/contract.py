"""The API against its own description, by schemathesis: every operation, every check, with the keys of two people."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.request import Request, urlopen

from tests.patience import PATIENCE
from tests.reliability.report import some

ROOT: Final = Path(__file__).resolve().parents[2]
EXAMPLES, EXAMPLES_IN_FULL = 6, 300
_SECONDS: Final = 3600
_CONFIG: Final = """
hooks = "tests.security.contract_checks"
continue-on-failure = true
request-timeout = {patience}
[auth.wfc]
path = "{keys}"
peers = ["ann", "ben"]
[generation]
max-examples = {examples}
[checks]
# A request too large for the server is refused as such, whatever else is wrong with it.
negative_data_rejection.expected-statuses = {negative}
# A room may have been deleted meanwhile, and some things only the rules of a game can say: `contract_checks.py` holds
# 422 to those.
positive_data_acceptance.expected-statuses = {positive}
"""
_NEGATIVE: Final = ("400", "401", "403", "404", "405", "406", "409", "410", "413", "415", "422", "428", "429", "431")
_POSITIVE: Final = ("2xx", "3xx", "401", "403", "404", "409", "410", "422", "429")


@dataclass(frozen=True, slots=True)
class Report:
    """What schemathesis found. All `operations` were tested, with `cases` in all, of which `accepted` did something."""

    status: int
    operations: int
    cases: int
    accepted: int
    failures: tuple[str, ...]
    text: str

    @property
    def clean(self) -> bool:
        """Whether everything was tested and nothing found."""
        return self.status == 0 and not self.failures


def schemathesis_full(base_url: str) -> Report:
    """Hold a running server to its description, with many examples; where rates allow, in some minutes."""
    return check_contract(base_url, some(EXAMPLES_IN_FULL))


def check_contract(base_url: str, examples: int = EXAMPLES, *, seed: int | None = None, phases: str = "") -> Report:
    """Hold a running server to its description; the same seed gives the same examples, and all phases are usual."""
    assert base_url.startswith("http://127.0.0.1:")
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [sys.executable, "-m", "schemathesis.cli", "--config-file", _configured(folder, base_url, examples)]
        command += ["run", f"{base_url}/api/v1/openapi.json", "--checks", "all", "--no-color"]
        command += ["--report", "json", "--report-json-path", str(report)]
        command += [] if seed is None else ["--seed", str(seed)]
        command += ["--phases", phases] if phases else []
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=_SECONDS
        )
        return _read(done.returncode, report, done.stdout + done.stderr)


def _read(status: int, path: Path, text: str) -> Report:
    if not path.exists():
        return Report(status, 0, 0, 0, ("there is no report",), text)
    found = json.loads(path.read_text())
    rates = [phase for operation in found["valid_rates"].values() for phase in operation.values()]
    failures = tuple(json.dumps(one) for one in [*found["failures"], *found["errors"]])
    tested, cases = found["operations"]["tested"], found["test_cases"]["generated"]
    return Report(status, tested, cases, sum(one["accepted"] for one in rates), failures, text)


def _configured(folder: str, base_url: str, examples: int) -> str:
    """Write what schemathesis is to know, and return the path of its configuration."""
    tokens = [_call(base_url, "/keys")["token"] for _ in range(2)]
    users = [
        {"name": name, "fixedHeaders": [{"name": "Authorization", "value": f"Bearer {token}"}]}
        for name, token in zip(("ann", "ben"), tokens, strict=True)
    ]
    keys, config = Path(folder, "keys.json"), Path(folder, "schemathesis.toml")
    keys.write_text(json.dumps({"auth": users}))
    negative, positive = json.dumps(_NEGATIVE), json.dumps(_POSITIVE)
    text = _CONFIG.format(keys=keys, examples=examples, negative=negative, positive=positive, patience=PATIENCE)
    config.write_text(text + _dictionaries(base_url, *tokens))
    return str(config)


def _dictionaries(base_url: str, ann: str, ben: str) -> str:
    """Return words that lead somewhere: tables and rooms that there are, moves that can be made."""
    orders: list[dict[str, object]] = [{"opponent": "here"}, {"opponent": "random"}, {"opponent": "level:1"}, {}, {}]
    opened = [_call(base_url, "/tables", ann, {"game": "sum31", **order}) for order in orders]
    _call(base_url, "/join", ben, {"invitation": opened[-1]["invitation"]})
    rooms = [_call(base_url, "/rooms", ann, {"game": "sum31"})["code"] for _ in range(2)]
    for code in rooms:
        _call(base_url, f"/rooms/{code}/join", ben, {"name": "Ben"})
    words: dict[str, list[str | int]] = {
        "path.code": rooms,
        "path.table_id": [one["state"]["table"] for one in opened],
        "path.number": ["1"],
        "body.version": [1, 2],
        "body.move": ["+5", "+1", "-3", "swap", "5"],
        "body.invitation": [opened[3]["invitation"]],
        "body.code": [opened[0]["codes"]["1"], opened[3]["codes"]["1"]],
    }
    bound = [f'"{name}" = {{ dictionary = "{_plain(name)}", probability = 0.6 }}' for name in words]
    kept = [f"[dictionaries.{_plain(name)}]\nvalues = {json.dumps(values)}" for name, values in words.items()]
    return "\n".join(["[parameters]", *bound, *kept, ""])


def _plain(name: str) -> str:
    return name.replace(".", "-")


def _call(base_url: str, path: str, token: str = "", body: object = None) -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    data = json.dumps(body).encode()
    request = Request(f"{base_url}/api/v1{path}", data, headers, method="POST")  # noqa: S310 - it begins with http
    with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - likewise
        return json.loads(answer.read())
