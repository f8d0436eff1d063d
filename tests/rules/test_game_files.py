"""Rules files: how `like` is followed, and that every error names the file."""

from __future__ import annotations

from pathlib import Path

import pytest

from zerosum.base import limits
from zerosum.base.errors import RulesError, UnknownGameError, ZerosumError
from zerosum.base.files import UnreadableFileError
from zerosum.rules.game_files import GAME_IDS, built_in, load_file, load_game
from zerosum.rules.model import Exhausted, Tie

FULL = 'format = 1\nid = "full"\nname = "Full"\npool = [1, 2]\ntarget = 3\n'


def write(folder: Path, name: str, text: str) -> str:
    """Write a file and return its path."""
    path = folder / name
    path.write_text(text)
    return str(path)


class TestLike:
    def test_built_in(self, tmp_path: Path) -> None:
        rules = load_file(write(tmp_path, "v.toml", 'like = "sum31"\nid = "sum21"\nname = "Sum 21"\ntarget = 21\n'))
        assert (rules.id, rules.target, rules.pool) == ("sum21", 21, built_in("sum31").pool)
        assert rules.overshoot is built_in("sum31").overshoot

    @pytest.mark.parametrize("like", ["base", "base.toml"])
    def test_file_beside(self, tmp_path: Path, like: str) -> None:
        write(tmp_path, "base.toml", FULL)
        assert load_file(write(tmp_path, "v.toml", f'like = "{like}"\ntarget = 9\n')).target == 9

    def test_a_built_in_id_wins_over_a_file_beside(self, tmp_path: Path) -> None:
        write(tmp_path, "sum31.toml", FULL)
        assert load_file(write(tmp_path, "v.toml", 'like = "sum31"\n')) == built_in("sum31")

    def test_chain(self, tmp_path: Path) -> None:
        write(tmp_path, "a.toml", 'like = "sum31"\ntarget = 20\n')
        write(tmp_path, "b.toml", 'like = "a"\nstart = 2\n')
        rules = load_file(write(tmp_path, "c.toml", 'like = "b"\npool = [1, 2]\n'))
        assert (rules.target, rules.start, rules.pool) == (20, (2,), (1, 2))

    def test_length_of_a_chain(self, tmp_path: Path) -> None:
        write(tmp_path, "v0.toml", FULL)
        for n in range(1, limits.LIKE_DEPTH + 2):
            write(tmp_path, f"v{n}.toml", f'like = "v{n - 1}"\n')
        assert load_file(str(tmp_path / f"v{limits.LIKE_DEPTH}.toml")).target == 3
        with pytest.raises(RulesError, match="like: a chain of more than 8 files"):
            load_file(str(tmp_path / f"v{limits.LIKE_DEPTH + 1}.toml"))

    @pytest.mark.parametrize("names", [["a"], ["a", "b"], ["a", "b", "c"]])
    def test_circle(self, tmp_path: Path, names: list[str]) -> None:
        for name, following in zip(names, [*names[1:], names[0]], strict=True):
            write(tmp_path, f"{name}.toml", f'like = "{following}"\n')
        with pytest.raises(RulesError, match="like: runs in a circle"):
            load_file(str(tmp_path / "a.toml"))

    def test_circle_through_a_link(self, tmp_path: Path) -> None:
        path = write(tmp_path, "a.toml", 'like = "b"\n')
        (tmp_path / "b.toml").symlink_to(path)
        with pytest.raises(RulesError, match="like: runs in a circle"):
            load_file(path)

    @pytest.mark.parametrize(
        "like", ["../base", "../base.toml", "folder/base", "/etc/passwd", "..", ".", "", "nope", r"a\u0000b"]
    )
    def test_only_a_file_beside(self, tmp_path: Path, like: str) -> None:
        write(tmp_path, "base.toml", FULL)
        folder = tmp_path / "folder"
        folder.mkdir()
        write(folder, "base.toml", FULL)
        (tmp_path / "inner").mkdir()
        for place in (tmp_path, tmp_path / "inner"):
            path = write(place, "v.toml", f'like = "{like}"\n')
            with pytest.raises(RulesError, match="is neither a built-in game nor a file beside this one") as caught:
                load_file(path)
            assert str(caught.value).startswith(f"{path}: like: ")

    @pytest.mark.parametrize("like", ["5", "true", '["sum31"]', "{}"])
    def test_not_text(self, tmp_path: Path, like: str) -> None:
        with pytest.raises(RulesError, match="like: must be the id of a game, in quotes"):
            load_file(write(tmp_path, "v.toml", f"like = {like}\n"))

    @pytest.mark.parametrize("game", ["sequence-zero", "zero-sum-game"])
    def test_an_inherited_tie_is_dropped(self, tmp_path: Path, game: str) -> None:
        rules = load_file(write(tmp_path, "v.toml", f'like = "{game}"\nexhausted = "last-mover"\n'))
        assert (rules.exhausted, rules.tie) == (Exhausted.LAST_MOVER, None)

    def test_a_tie_of_ones_own_is_not(self, tmp_path: Path) -> None:
        text = 'like = "zero-sum-game"\nexhausted = "last-mover"\ntie = "first-mover"\n'
        with pytest.raises(RulesError, match="tie: only goes with"):
            load_file(write(tmp_path, "v.toml", text))

    def test_an_inherited_tie_stays_with_closest(self, tmp_path: Path) -> None:
        rules = load_file(write(tmp_path, "v.toml", 'like = "zero-sum-game"\nexhausted = "closest"\n'))
        assert rules.tie is Tie.SUDDEN_DEATH

    def test_a_broken_base_is_named(self, tmp_path: Path) -> None:
        write(tmp_path, "base.toml", "pool = [\n")
        path = write(tmp_path, "v.toml", 'like = "base"\n')
        with pytest.raises(RulesError) as caught:
            load_file(path)
        assert str(caught.value).startswith(f"{path}: like: base.toml: not valid TOML")


class TestErrorsNameTheFile:
    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("pool = [0]", "pool: 0 is not allowed"),
            ("pool = []", "pool: must be a list of 1 to 64 numbers"),
            ("target = 1000001", "target: must be a whole number from -1000000 to 1000000"),
            ("target = 1.0", "target: must be a whole number"),
            ("target = true", "target: must be a whole number"),
            ('tie = "first-mover"', "tie: only goes with"),
            ("pole = 1", "pole: unknown key. Did you mean 'pool'"),
            ("[pool]", "pool: must be a list"),
            ("target = 0x" + "f" * 9000, "target: must be a whole number"),
            ("target = " + "9" * 9000, "a number is too large; values go from -1000000 to 1000000"),
            ("format = 0x" + "f" * 9000, "format: must be 1"),
            ("target = ", "not valid TOML"),
            ("pool = [1]\npool = [2]", "not valid TOML"),
        ],
    )
    def test_file_key_and_limit(self, tmp_path: Path, line: str, message: str) -> None:
        path = write(tmp_path, "bad.toml", f'like = "sum31"\n{line}\n')
        with pytest.raises(RulesError) as caught:
            load_file(path)
        text = str(caught.value)
        assert text.startswith(f"{path}: ")
        assert message in text
        assert len(text) < len(path) + 400
        assert text.isprintable()

    def test_missing_file(self, tmp_path: Path) -> None:
        with pytest.raises(UnreadableFileError, match=r"none\.toml: cannot be read"):
            load_game(str(tmp_path / "none.toml"))

    @pytest.mark.parametrize("path", ["a\0.toml", "/\ud800", "x" * 5000 + ".toml", "/\x1b[31m"])
    def test_odd_paths(self, path: str) -> None:
        with pytest.raises(ZerosumError) as caught:
            load_game(path)
        assert str(caught.value).isprintable()


class TestGames:
    @pytest.mark.parametrize("game", GAME_IDS)
    def test_a_built_in_id_wins(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
        monkeypatch.chdir(tmp_path)
        write(tmp_path, game, FULL)
        assert load_game(game) is built_in(game)

    def test_a_file_by_name(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(tmp_path)
        write(tmp_path, "mine", FULL)
        assert load_game("mine").id == "full"

    @pytest.mark.parametrize(("game", "hint"), [("sum-31", "sum31"), ("Sum31", "sum31"), ("sumtozero", "sum-to-zero")])
    def test_unknown(self, game: str, hint: str) -> None:
        with pytest.raises(UnknownGameError, match=f"There is no game '{game}'. Did you mean '{hint}'") as caught:
            load_game(game)
        assert caught.value.exit_code == 2

    @pytest.mark.parametrize("game", ["chess", "", "\0", "\x1b[2J"])
    def test_unknown_without_a_hint(self, game: str) -> None:
        with pytest.raises(UnknownGameError, match="The games are sum-to-zero, ") as caught:
            load_game(game)
        assert str(caught.value).isprintable()
