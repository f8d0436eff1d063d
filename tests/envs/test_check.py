"""`python -m zerosum.envs.check`: what it says, its exit status, and what it says where a library is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.each import each
from tests.patience import PATIENCE
from zerosum.base.extras import MissingExtraError, missing
from zerosum.envs import aec, check
from zerosum.envs.check import CHECKS
from zerosum.rules.game_files import GAME_IDS

VARIANT = str(Path(__file__).parents[2] / "docs" / "variants" / "sum21.toml")
LIBRARIES = ("PettingZoo (api_test, seed_test, render_test)", "Gymnasium (check_env)", "OpenSpiel (random_sim_test)")
WITHOUT = """
import sys
for name in {names}:
    sys.modules[name] = None
{then}
"""


def _without(names: list[str], then: str) -> subprocess.CompletedProcess[str]:
    """Run a program where packages cannot be imported, as if they were not installed."""
    return _run("-c", WITHOUT.format(names=names, then=then))


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_every_library_on_given_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert check.main(["sum31", VARIANT]) == 0
    lines = capsys.readouterr().out.splitlines()
    for game in ("sum31", "sum21"):
        for library in LIBRARIES:
            assert f"ok    {game}, {library}" in lines
    assert all(line.startswith("ok    ") for line in lines)


def test_it_runs_as_a_module() -> None:
    done = _run("-m", "zerosum.envs.check", "sum31")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("ok    sum31, PettingZoo")


def test_without_rules_it_takes_all_games(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(check, "CHECKS", {"Gymnasium": "zerosum.envs.gym"})
    assert check.main([]) == 0
    assert capsys.readouterr().out.splitlines() == [f"ok    {game}, Gymnasium" for game in GAME_IDS]


@pytest.mark.parametrize("arguments", [["sum32"], ["sum31", "nowhere.toml"]])
def test_what_is_no_game(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status = check.main(arguments)
    told = capsys.readouterr()
    assert status == (2 if arguments == ["sum32"] else 1)
    assert told.out == ""
    assert len(told.err.splitlines()) == 1


def test_an_environment_that_breaks_the_rules_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def never_over(self: aec.DuelAECEnv, winner: int | None, reason: object) -> None:
        del winner, reason
        self.rewards = dict.fromkeys(aec.AGENTS, 2.0)

    monkeypatch.setattr(aec.DuelAECEnv, "_end", never_over)
    assert check.main(["sum31"]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out[0].startswith("FAIL  sum31, PettingZoo (api_test, seed_test, render_test): ")
    assert out[1] == "ok    sum31, Gymnasium (check_env)"


def test_a_wrong_result_is_noticed_by_openspiel(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def both_win(winner: int | None) -> tuple[float, float]:
        return (0.0, 0.0) if winner is None else (1.0, 1.0)

    monkeypatch.setattr("zerosum.envs.openspiel.rewards_of", both_win)
    assert check.main(["sum31"]) == 1
    assert "FAIL  sum31, OpenSpiel (random_sim_test): SpielError" in capsys.readouterr().out


ABSENT = {
    "aec": (["pettingzoo"], "rl", ["PettingZoo"]),
    "gym": (["gymnasium"], "rl", ["PettingZoo", "Gymnasium"]),
    "vector": (["gymnasium"], "rl", ["PettingZoo", "Gymnasium"]),
    "batch": (
        ["numpy", "gymnasium", "pettingzoo", "pyspiel"],
        "rl",
        ["PettingZoo", "Gymnasium", "OpenSpiel", "batch environment"],
    ),
    "openspiel": (["pyspiel"], "openspiel", ["OpenSpiel"]),
    "stable_baselines": (["stable_baselines3"], "sb3", []),
}


@each("module", ABSENT)
def test_a_missing_extra_is_one_sentence(module: str) -> None:
    """As an ImportError for programs, and as a line of the check, which runs the tests of what is there."""
    names, extra, libraries = ABSENT[module]
    done = _without(
        names,
        f"try:\n    import zerosum.envs.{module}\nexcept ImportError as error:\n    print(error)\n"
        "from zerosum.envs.check import main\nsys.exit(main(['docs/policies/four.toml']))",
    )
    assert done.returncode == (2 if module == "batch" else 0), done.stderr
    said, *lines = done.stdout.splitlines()
    assert said == f'zerosum.envs.{module} needs the extra "{extra}": pip install "zerosum[{extra}]"'
    absent = done.stderr.splitlines()
    assert [line.split(": ")[1].split(" (")[0].split(". ")[0] for line in absent] == libraries
    assert all('needs the extra "' in line for line in absent)
    assert len(lines) == (0 if module == "batch" else len(CHECKS) - len(libraries))
    assert all(line.startswith("ok    ") for line in lines)


def test_without_any_extra_the_room_can_be_imported() -> None:
    done = _without(["gymnasium", "pettingzoo", "pyspiel", "numpy"], "import zerosum.envs; print('there')")
    assert (done.stdout, done.stderr) == ("there\n", "")


def test_what_cannot_be_loaded_for_another_reason_says_so() -> None:
    assert str(missing("zerosum.envs.aec", ImportError("libc is too old"))) == (
        "zerosum.envs.aec cannot be loaded: libc is too old"
    )
    assert issubclass(MissingExtraError, ImportError)


@pytest.mark.parametrize(
    ("missing", "modules"), [(["pyspiel", "open_spiel"], ["aec", "gym"]), (["gymnasium", "pettingzoo"], ["openspiel"])]
)
def test_each_extra_is_enough_for_its_own_environments(missing: list[str], modules: list[str]) -> None:
    lines = [f"import zerosum.envs.{module}; zerosum.envs.{module}.check('sum31')" for module in modules]
    done = _without(missing, "\n".join([*lines, "print('all well')"]))
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("all well\n")
