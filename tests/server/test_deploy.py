"""The Dockerfile, the compose file and the proxy's fit the command and each other. No engine runs them here."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from tests.full import FULL
from tests.server.running import served
from tools.pythons import pythons
from zerosum.cli.root_command import app
from zerosum.server.settings import DEFAULT_PORT, check_database, check_public_url

ROOT = Path(__file__).resolve().parents[2]
INSTRUCTIONS = {"FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = [name for name, service in SERVICES.items() if "build" in service]
CADDY = (ROOT / "deploy" / "Caddyfile").read_text(encoding="utf-8")
DIRECTIVES = {
    "{$ZEROSUM_SITE:localhost}",
    "respond",
    "reverse_proxy",
    "lb_policy",
    "lb_try_duration",
    "health_uri",
    "health_interval",
    "health_timeout",
    "health_headers",
    "Host",
    "}",
}


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile with their arguments."""
    text = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1]) for line in lines]


def final(name: str) -> list[str]:
    """Return the arguments of an instruction in the image that is kept."""
    found = instructions()
    start = max(n for n, (one, _) in enumerate(found) if one == "FROM")
    return [rest for one, rest in found[start:] if one == name]


def filled(text: str) -> str:
    """Return a text with its variables at their defaults, as compose fills them in."""
    return re.sub(r"\$\{\w+:-([^}]*)\}", r"\1", text)


def options(words: list[str]) -> dict[str, Any]:
    """Return what the command makes of its words; words that it does not know are an error."""
    serve = app.get_command(click.Context(app), "serve")
    assert serve is not None
    return serve.make_context("serve", list(words)).params


def entry() -> list[str]:
    words: list[str] = json.loads(final("ENTRYPOINT")[0])
    assert words[:2] == ["zerosum", "serve"]
    return words[2:]


def test_the_dockerfile_is_read_whole() -> None:
    assert {name for name, _ in instructions()} <= INSTRUCTIONS
    bases = {rest.partition(" AS ")[0] for name, rest in instructions() if name == "FROM"}
    assert len(bases) == 1
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-\w+@sha256:[0-9a-f]{64}", bases.pop())


def test_images_of_others_are_pinned_by_digest() -> None:
    others = [service["image"] for name, service in SERVICES.items() if name not in OURS]
    assert len(others) == 2
    assert all(re.fullmatch(r"\w+:[\d.]+@sha256:[0-9a-f]{64}", image) for image in others)


def test_hadolint_finds_nothing_in_the_dockerfile_and_something_in_a_worse_one(tmp_path: Path) -> None:
    """`make lint` runs it."""
    hadolint = str(Path(sys.executable).with_name("hadolint"))
    subprocess.run([hadolint, str(ROOT / "Dockerfile")], check=True)
    worse = tmp_path / "Dockerfile"
    worse.write_text("FROM python\nRUN pip install zerosum\n")
    assert subprocess.run([hadolint, str(worse)], check=False, stdout=subprocess.DEVNULL).returncode == 1


def test_what_the_dockerfile_copies_is_there_and_not_ignored() -> None:
    kept = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = {
        word for name, rest in instructions() if name == "COPY" and "--from" not in rest for word in rest.split()[:-1]
    }
    assert copied == kept
    assert all((ROOT / path).exists() for path in copied)


def test_the_image_runs_as_nobody_in_particular_and_keeps_its_data_in_a_volume() -> None:
    assert final("USER")[-1].isdigit()
    assert final("USER")[-1] != "0"
    assert f"--uid {final('USER')[-1]} " in final("RUN")[0]
    (volume,) = final("VOLUME")
    assert f"ZEROSUM_HOME={volume}" in final("ENV")[0]
    assert final("RUN")[0].endswith(f" {volume}")


def test_the_image_serves_on_the_port_it_names() -> None:
    found = options([*entry(), *json.loads(final("CMD")[0])])
    assert (found["host"], found["port"]) == ("0.0.0.0", DEFAULT_PORT)  # noqa: S104 - within a container
    assert final("EXPOSE") == [str(DEFAULT_PORT)]
    assert list(map(check_public_url, found["public_urls"])) == [f"http://localhost:{DEFAULT_PORT}"]


def test_the_image_asks_itself_for_its_health() -> None:
    words = json.loads(final("HEALTHCHECK")[0].partition("CMD ")[2])
    assert words[:2] == ["python", "-c"]
    compile(words[2], "HEALTHCHECK", "exec")
    assert f"'127.0.0.1', {DEFAULT_PORT}, " in words[2]
    assert "'/healthz'" in words[2]


@pytest.mark.parametrize("name", OURS)
def test_compose_uses_options_that_exist(name: str) -> None:
    service = SERVICES[name]
    found = options([*entry(), *map(filled, service["command"])])
    assert all(map(check_public_url, found["public_urls"]))
    assert found["behind_proxy"] == (service["profiles"] == ["replicas"])
    assert found["database"] is None  # a password is not for the list of processes


def test_compose_has_two_profiles() -> None:
    profiles = {name: service["profiles"] for name, service in SERVICES.items()}
    assert [name for name, one in profiles.items() if one == ["one"]] == ["zerosum"]
    assert sorted(name for name, one in profiles.items() if one == ["replicas"]) == sorted({*SERVICES} - {"zerosum"})
    assert len(OURS) == 3


def test_one_machine_keeps_its_tables_and_is_seen_by_itself_alone() -> None:
    one = SERVICES["zerosum"]
    assert one["ports"] == [f"127.0.0.1:{DEFAULT_PORT}:{DEFAULT_PORT}"]
    assert one["volumes"] == [f"tables:{final('VOLUME')[0]}"]


@pytest.mark.parametrize("name", [name for name in OURS if name != "zerosum"])
def test_replicas_share_the_database_and_are_reached_through_the_proxy_alone(name: str) -> None:
    replica = SERVICES[name]
    assert "ports" not in replica
    url = check_database(replica["environment"]["ZEROSUM_DATABASE"].replace("${POSTGRES_PASSWORD:-}", "secret"))
    postgres = SERVICES["postgres"]["environment"]
    assert url == f"postgresql://{postgres['POSTGRES_USER']}:secret@postgres:5432/{postgres['POSTGRES_DB']}"
    assert replica["depends_on"]["postgres"]["condition"] == "service_healthy"
    assert "healthcheck" in SERVICES["postgres"]


def test_what_compose_names_is_there() -> None:
    for name, service in SERVICES.items():
        assert set(service.get("depends_on", ())) <= set(SERVICES), name
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert (ROOT / source).is_file() if source.startswith("./") else source in COMPOSE["volumes"], volume
        for port in service.get("ports", ()):
            assert isinstance(port, str)  # YAML takes some unquoted ports for numbers to the base of 60


def test_the_proxy_passes_to_all_replicas() -> None:
    found = re.search(r"^\treverse_proxy (.*) \{$", CADDY, re.MULTILINE)
    assert found is not None
    assert found[1].split() == [f"{name}:{DEFAULT_PORT}" for name in OURS if name != "zerosum"]
    assert "health_uri /readyz" in CADDY
    assert "ZEROSUM_SITE" in SERVICES["proxy"]["environment"]


def test_the_proxy_file_is_well_formed() -> None:
    lines = [line.strip() for line in CADDY.splitlines() if line.strip() and not line.strip().startswith("#")]
    assert {line.split()[0] for line in lines} == DIRECTIVES
    assert sum(line.endswith(" {") for line in lines) == lines.count("}")


def test_the_image_installs_pins_with_hashes_and_nothing_else() -> None:
    """Everything that is downloaded is checked against its hash; our own code is built without an index."""
    installs = [rest for name, rest in instructions() if name == "RUN" and "pip install" in rest]
    pins, own = installs
    assert "--no-deps --require-hashes --requirement requirements/serve.txt" in pins
    assert own.endswith("--no-deps --no-index --no-build-isolation .")
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = [
        word for name, rest in instructions() if name == "COPY" and "--from" not in rest for word in rest.split()[:-1]
    ]
    assert {f"!{word}" for word in copied} <= set(ignored)


def test_servers_have_a_limit_of_memory() -> None:
    assert OURS
    assert all(SERVICES[name]["mem_limit"] == "1g" for name in OURS)


@pytest.mark.slow
def test_the_steps_of_the_image_run_in_a_fresh_environment(tmp_path: Path) -> None:
    """As the Dockerfile writes them, by the image's Python where it is here, in folders of the test.

    `make test` installs the pins of playing in place of the server's, which `make full` installs and serves with.
    """
    wanted = re.findall(r"^FROM python:(\d+\.\d+)", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)[0]
    python = pythons().get(wanted, sys.executable)
    source, image = tmp_path / "source", str(tmp_path / "opt")
    for name, rest in instructions():
        if name == "COPY" and "--from" not in rest:
            *words, folder = rest.split()
            for word in words:
                to = source / folder if folder == word else source / folder / Path(word).name
                to.parent.mkdir(parents=True, exist_ok=True)
                (shutil.copytree if (ROOT / word).is_dir() else shutil.copy)(ROOT / word, to)
            if not FULL:
                shutil.copy(ROOT / "requirements" / "play.txt", source / "requirements" / "serve.txt")
        elif name == "RUN" and "pip install" in rest:
            step = rest.replace("/opt/zerosum", image).replace("python -m venv", f"{python} -m venv")
            subprocess.run(step, shell=True, check=True, cwd=source, stdout=subprocess.DEVNULL)  # noqa: S602 - our own file
    if not FULL:
        subprocess.run([f"{image}/bin/zerosum", "--version"], check=True)
        return
    with served(command=[f"{image}/bin/zerosum", "serve"]) as server:
        assert urllib.request.urlopen(f"{server.url}/healthz").status == 200  # noqa: S310 - our own address
