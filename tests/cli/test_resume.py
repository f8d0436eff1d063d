"""Input that ends, matches that are kept, and going on with them."""

from __future__ import annotations

import pytest

from tests.cli.command import GAMES, GOLDEN, Zerosum, id_of

SIGNED = ("sequence-zero", "zero-sum-duel")


@pytest.mark.parametrize("game", GAMES)
def test_cut_off_and_gone_on_with(zerosum: Zerosum, game: str) -> None:
    """The open line is closed, the match is kept, the last notice says how to go on; nothing is played twice."""
    lines = (GOLDEN / f"{game}.in").read_text().splitlines(keepends=True)
    whole = (GOLDEN / f"{game}.txt").read_text()
    for cut in {*range(0, len(lines), 3), len(lines) - 1}:
        ran = zerosum("play", game, stdin="".join(lines[:cut]))
        assert ran.status == 1
        assert ran.out.endswith(": \n") or ran.out.endswith("? \n")
        assert whole.startswith(ran.out.removesuffix("\n"))
        match_id = id_of(ran)
        assert ran.last_notice == f"The match is kept. To go on: zerosum resume {match_id}"
        # A number without its operation was not a move yet.
        kept = cut - cut % 2 if game in SIGNED else cut
        assert len(zerosum.unfinished()[0]["moves"]) == (kept // 2 if game in SIGNED else kept)
        rest = zerosum("resume", match_id, stdin="".join(lines[kept:]))
        assert rest.status == 0
        assert rest.out.splitlines()[-1] == whole.splitlines()[-1]
        assert zerosum.unfinished() == []


def test_a_resumed_match_says_how_it_stands(zerosum: Zerosum) -> None:
    zerosum.play("zero-sum-game", answers="-4 4")
    ran = zerosum("resume", stdin="quit\n").ok()
    assert ran.out == (
        "\nMoves so far: -4 +4\nAvailable Numbers: -5 -3 -2 -1 1 2 3 5\nPlayer 1 Running Total: -4\n"
        "Player 2 Running Total: 4\n\nPlayer 1, select a number from the available numbers:\nSelection: quit\n"
    )


def test_names_lenience_first_mover_and_players_are_kept(zerosum: Zerosum) -> None:
    options = ("--names", "Ann", "Bob", "--lenient", "--first", "2", "--vs", "random", "--seed", "7")
    zerosum.play("zero-sum-duel", *options, answers="quit").ok()
    kept = zerosum.unfinished()[0]
    assert (kept["names"], kept["who"], kept["first"], len(kept["moves"])) == (
        ["Ann", "Bob"],
        ["human", "random"],
        2,
        1,
    )
    ran = zerosum("resume", stdin="12\nquit\n").ok()
    assert "Ann, enter the number you want to use: 12\n12 is not one of the numbers of this game.\n" in ran.out


def test_none(zerosum: Zerosum) -> None:
    ran = zerosum("resume")
    assert (ran.out, ran.err, ran.status) == (
        "",
        "zerosum: There is no unfinished match. To begin one: zerosum play GAME\n",
        1,
    )
    assert zerosum("resume", "--list").ok().out == "There is no unfinished match.\n"
    assert zerosum("resume", "--list", "--json").ok().json() == {"schema": 1, "matches": []}


def test_several_are_listed(zerosum: Zerosum) -> None:
    ids = {id_of(zerosum.play(game, answers="+5")) for game in ("sum31", "zero-sum-duel", "sum-to-zero")}
    ran = zerosum("resume")
    assert ran.status == 1
    assert ran.err == "zerosum: There are several unfinished matches; say which: zerosum resume ID\n"
    assert {line.split()[0] for line in ran.out.splitlines()} == ids
    assert all("1 move" in line and "1 moves" not in line for line in ran.out.splitlines())
    listed = zerosum("resume", "--list", "--json").ok().json()
    assert {one["id"] for one in listed["matches"]} == ids
    assert {"id", "game", "date", "names", "who", "first", "moves", "position", "to_move"} <= set(listed["matches"][0])
    for match_id in ids:
        assert zerosum("resume", match_id, stdin="resign\n").status == 0
    assert zerosum.unfinished() == []


@pytest.mark.parametrize(
    "wrong", ["abcdef", "", "../x", "/etc/passwd", ".", "a/b", "x" * 5000, "\x1b[31m", "ABCDEF", "-"]
)
def test_unknown_ids(zerosum: Zerosum, wrong: str) -> None:
    for args in (("resume", "--", wrong), ("resume", f"--forget={wrong}")):
        ran = zerosum(*args)
        assert (ran.status, ran.out) == (1, "")
        assert "\x1b" not in ran.err
        assert len(ran.err) < 200


def test_did_you_mean_a_match(zerosum: Zerosum) -> None:
    match_id = id_of(zerosum.play("sum31"))
    typo = match_id[1] + match_id[0] + match_id[2:]
    if typo == match_id:
        typo = match_id[:-1]
    assert f"Did you mean '{match_id}'?" in zerosum("resume", typo).err


def test_forget(zerosum: Zerosum) -> None:
    match_id, other = (id_of(zerosum.play("sum31", answers="5")) for _ in range(2))
    assert zerosum("resume", "--forget", match_id).ok().out == f"Match {match_id} is forgotten.\n"
    assert [one["id"] for one in zerosum.unfinished()] == [other]
    assert zerosum("resume", "--forget", match_id).status == 1


def test_forget_several(zerosum: Zerosum) -> None:
    """All are looked up before the first is deleted; an id may be given twice."""
    one, two, three = (id_of(zerosum.play("sum31", answers="5")) for _ in range(3))
    assert zerosum("resume", "--forget", one, "nothere", two).status == 1
    assert len(zerosum.unfinished()) == 3
    ran = zerosum("resume", "--forget", one, two, "--forget", one).ok()
    assert ran.out == f"Match {one} is forgotten.\nMatch {two} is forgotten.\n"
    assert [kept["id"] for kept in zerosum.unfinished()] == [three]
    assert zerosum("resume", one, two).status == 2


def test_a_match_without_a_move_is_forgotten_on_quit_alone(zerosum: Zerosum) -> None:
    """When input ends the match is kept, and so is one with a move, one of the computer's too."""
    ran = zerosum.play("sum31", answers="quit").ok()
    assert (ran.last_notice, zerosum.unfinished()) == ("No move was made, so nothing is kept.", [])
    zerosum.play("sum31", answers="5 undo q").ok()
    assert zerosum.unfinished() == []
    kept = [
        zerosum.play("sum31"),
        zerosum.play("sum31", "--vs", "random", "--first", "2", answers="quit"),
        zerosum.play("sum31", "--best-of", "3", answers="resign quit"),
    ]
    assert {one["id"] for one in zerosum.unfinished()} == set(map(id_of, kept))


def test_a_finished_match_is_over_not_unknown(zerosum: Zerosum) -> None:
    match_id = id_of(zerosum.play("sum31"))
    zerosum("resume", match_id, stdin="resign\n").ok()
    ran = zerosum("resume", match_id)
    assert (ran.status, ran.err) == (1, f"zerosum: Match {match_id} is over. To see it: zerosum replay {match_id}\n")


def test_json_goes_with_list(zerosum: Zerosum) -> None:
    assert zerosum("resume", "--json").status == 2


def test_undo_across_a_resume(zerosum: Zerosum) -> None:
    zerosum.play("sum31", answers="5 6")
    zerosum("resume", stdin="undo\nundo\nundo\n7\nquit\n").ok()
    assert zerosum.unfinished()[0]["moves"] == ["+7"]
