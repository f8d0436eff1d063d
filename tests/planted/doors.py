"""Every door, asked about a planted game through what people use: commands, environments, the page, the tools.

A door yields what is wrong with its answer. It may refuse instead, if its message names the key.
"""

from __future__ import annotations

import asyncio
import io
import json
import re
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import numpy as np

from tests.planted import checks
from tests.planted.brute import Brute, Policy, even
from tests.planted.checks import Wrong, same
from tests.server.inside import Inside, inside
from zerosum.arena.strength.named_policies import policy_of
from zerosum.assistant import answers
from zerosum.cli import main
from zerosum.envs import aec, gym, openspiel
from zerosum.envs.batch import Batch
from zerosum.proof import certificate
from zerosum.rules.game_files import load_text, write_rules
from zerosum.rules.model import Rules, Seat, rules_from_dict
from zerosum.rules.position import Position
from zerosum.strategy.card import Card, Rule, survivors
from zerosum.strategy.lookahead import Sight

T = TypeVar("T")
SHOWN = 3
"""Positions of a game that a door is shown, spread over all."""
MATCHES = 20


class RefusedError(Exception):
    """A door has refused; the message is what it said."""


@dataclass(frozen=True)
class Planted:
    """A game, as a file and by brute force, and the key that it uses."""

    key: str
    path: Path
    text: str
    brute: Brute
    folder: Path

    @property
    def named(self) -> re.Pattern[str]:
        return re.compile(self.key.replace("-", "[-_ ]"))

    def shown(self) -> list[Position]:
        """Return some positions, the start first."""
        every = list(self.brute.positions.values())
        return every[:: max(1, len(every) // SHOWN)]

    def match(self) -> list[str]:
        """Return the moves of a random match."""
        dice, position, moves = Random("match"), self.brute.start, []
        while position.outcome is None:
            move = dice.choice(position.legal_moves())
            moves.append(position.text_of(move))
            position = position.play(move)
        return moves

    def record(self) -> str:
        """Return a record of that match, with the rules."""
        tags = "".join(f"[{name} {json.dumps(value)}]\n" for name, value in _tags(self.brute).items())
        return f"{tags}\n{' '.join(self.match())}\n"


def _tags(brute: Brute) -> dict[str, str]:
    from zerosum.match.setup import Setup, setup_tags  # noqa: PLC0415 - only a review needs it

    return setup_tags(Setup(rules=brute.rules))


def command(*words: str) -> str:
    """Return what a command prints; raise what it says if it refuses."""
    output, errors = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    before = sys.argv, sys.stdin, sys.stdout, sys.stderr
    sys.argv, sys.stdin, sys.stdout, sys.stderr = ["zerosum", *words], io.TextIOWrapper(io.BytesIO()), output, errors
    try:
        main()
    except SystemExit as ended:
        status = ended.code
    finally:
        sys.argv, sys.stdin, sys.stdout, sys.stderr = before
    said = [stream.buffer.getvalue().decode() for stream in (output, errors)]
    if status in {0, 3} and said[0]:
        return said[0]
    if status in {1, 2}:
        raise RefusedError(said[1])
    raise AssertionError(f"zerosum {words[0]}: exit {status}: {said[1][-500:]}")


def ask(*words: str) -> Any:
    """Return the document that a command prints."""
    return json.loads(command(*words, "--json"))


# Commands


def solve(game: Planted) -> Wrong:
    """Ask who wins."""
    yield from checks.solution(game.brute, ask("solve", str(game.path)))


def analyze(game: Planted) -> Wrong:
    """Ask about positions, reached by moves and written down."""
    moves = game.match()[:2]
    position = game.brute.start.play(moves[0]).play(moves[1])
    if position.outcome is None:
        said = ask("analyze", str(game.path), "--moves", " ".join(moves), "--why")
        yield from checks.analysis(game.brute, position, said)
    for one in game.shown():
        said = ask("analyze", str(game.path), "--position", str(one), "--why")
        yield from checks.analysis(game.brute, one, said)


def levels(game: Planted) -> Wrong:
    """Ask how strong the levels are."""
    yield from checks.ladder(game.brute, ask("levels", str(game.path), "--full"))


def metrics(game: Planted) -> Wrong:
    """Ask for exact figures, after those of the same game without the key were kept."""
    plain = game.folder / "plain.toml"
    plain.write_text(_without(game), encoding="utf-8")
    ask("metrics", str(plain))
    (said,) = ask("metrics", str(game.path))["games"]
    yield from checks.metrics(game.brute, said)


def audit(game: Planted) -> Wrong:
    """Ask what is wrong with it."""
    said = ask("audit", str(game.path))
    if not said["solved"] and not game.named.search(json.dumps(said)):
        yield "it is not solved, and no finding names the key"
    yield from checks.audit(game.brute, said)


def repair(game: Planted) -> Wrong:
    """Ask for changes: each is a game with the key, and its figures are true."""
    said = ask("repair", str(game.path), "--cost", "1", "--jobs", "1")
    reasons = {one["why"] for one in said["skipped"]}
    if not said["found"] and not said["nearest"]:
        raise RefusedError("; ".join(sorted(reasons)))
    yield from (f"skipped without the key's name: {why}" for why in reasons if not game.named.search(why))
    for one in (*said["found"], *said["nearest"]):
        if one["rules"]["swap"]:
            continue  # brute force knows no swap
        near = Brute(rules_from_dict(one["rules"]))
        words = ", ".join(f"{change['key']} = {change['to']}" for change in one["changes"])
        yield from (f"{words}: {wrong}" for wrong in checks.metrics(near, one["metrics"]))


def card(game: Planted) -> Wrong:
    """Ask for a strategy card, and go by it."""
    said = ask("card", str(game.path), "--seconds", "1")
    seat = None if said["seat"] is None else Seat(said["seat"])
    exceptions = tuple((one["position"], one["move"]) for one in said["exceptions"])
    found = Card(seat, tuple(Rule.read(one["rule"]) for one in said["rules"]), exceptions, said["for_other"])
    policy = _by_card(found, game.brute)
    yield from _literal(found, game.brute, policy)
    if said["proved"] and not _always_wins(game.brute, found.seat, policy):
        yield f"the card {[str(rule) for rule in found.rules]} is called proved, and can lose"
    yield from _scores(game.brute, policy, said["against"], close=1e-8)


def _by_card(card: Card, brute: Brute) -> Policy:
    sight = Sight(brute.rules)

    def policy(position: Position) -> list[float]:
        moves = position.legal_moves()
        return even(len(moves), [moves.index(move) for move in survivors(card, position, sight)])

    return policy


def _literal(card: Card, brute: Brute, policy: Policy) -> Wrong:
    """Check that *make* wins at once if the target can be made, and that *guard* leaves no win at once if it can."""
    names = [rule.name for rule in card.rules[:2]]
    if names != ["make", "guard"] or card.exceptions:
        return
    for position in brute.positions.values():
        left = [after for share, (_, after) in zip(policy(position), brute.steps[position.key], strict=True) if share]
        won = [after.outcome is not None and after.outcome.winner is position.seat for after in left]
        if brute.makes(position):
            if not all(won):
                yield f"{position}: the card does not make {brute.rules.target}, and could"
                return
            continue
        steps = [after for _, after in brute.steps[position.key]]
        safe = [_safe(brute, position, after) for after in steps]
        if any(safe) and not all(_safe(brute, position, after) for after in left):
            yield f"{position}: the card leaves a win at once, and need not"
            return


def _safe(brute: Brute, position: Position, after: Position) -> bool:
    if after.outcome is not None:
        return after.outcome.winner is position.seat
    return not brute.wins_at_once(after)


def _always_wins(brute: Brute, seat: Seat | None, policy: Policy) -> bool:
    seen, waiting = {brute.start.key}, [brute.start]
    for position in waiting:
        shares = policy(position) if position.seat is seat else None
        for at, (_, after) in enumerate(brute.steps[position.key]):
            if shares is not None and not shares[at]:
                continue
            if after.outcome is not None:
                if after.outcome.winner is not seat:
                    return False
            elif after.key not in seen:
                seen.add(after.key)
                waiting.append(after)
    return True


def _scores(brute: Brute, policy: Policy, said: list[dict[str, Any]], close: float = checks.CLOSE) -> Wrong:
    for one in said:
        if one["who"] in {"random", "level:3", "level:6", "perfect"} and checks.known(brute, one["who"]):
            other = brute.level(one["who"])
            first, second = brute.first_wins(policy, other), brute.first_wins(other, policy)
            if first is not None and second is not None:
                yield from same(f"first against {one['who']}", one["as_first"], first, close)
                yield from same(f"second against {one['who']}", one["as_second"], 1 - second, close)


def learn(game: Planted) -> Wrong:
    """Ask for a course."""
    yield from checks.lessons(game.brute, ask("learn", str(game.path)))


def puzzle(game: Planted) -> Wrong:
    """Ask for puzzles."""
    yield from checks.puzzles(game.brute, ask("puzzle", str(game.path), "--count", "4", "--seed", "1")["puzzles"])


def measure(game: Planted) -> Wrong:
    """Ask how strong a level and the card are."""
    for who in ("level:3", "card"):
        said = ask("measure", "policy", who, "--game", str(game.path))
        chances = policy_of(who, game.brute.rules).guest.chances
        policy = game.brute.level(who) if who != "card" else chances
        yield from _scores(game.brute, policy, said["against"])
        if said["best_response"] is not None and game.brute.order is not None:
            best = {f"as_{name}": game.brute.best_response(policy, seat) for name, seat in _SEATS.items()}
            yield from same(f"best response to {who}", said["best_response"], best)
        if said["own_play"] is not None and game.brute.order is not None:
            mean = game.brute.course(policy)["mean"]
            yield from same(f"decisions of {who}", said["own_play"]["decisions"], mean)


_SEATS = {"first": Seat.FIRST, "second": Seat.SECOND}


def exam(game: Planted) -> Wrong:
    """Draw items of the game, and score replies to items that somebody gave the key: no question can tell the rule."""
    plain, items, replies = (game.folder / name for name in ("without.toml", "items.jsonl", "replies.jsonl"))
    plain.write_text(_without(game), encoding="utf-8")
    sizes = ("--count", "1", "--fresh", "0", "--reskin", "0", "--seed", "1", "--output")
    tried: list[tuple[str, ...]] = [("make", "--games", str(game.path), *sizes, str(game.folder / "more.jsonl"))]
    with suppress(RefusedError):  # without the key it may have too few choices
        ask("exam", "make", "--games", str(plain), *sizes, str(items))
        text = items.read_text(encoding="utf-8")
        keyed = re.sub(rf'"{game.key}": ?false', f'"{game.key}": true', text)
        assert keyed != text
        items.write_text(keyed, encoding="utf-8")
        replies.write_text(json.dumps({"id": json.loads(text.splitlines()[1])["id"], "reply": "MOVE: +1"}) + "\n")
        tried.append(("score", str(items), str(replies)))
    for words in tried:
        try:
            ask("exam", *words)
        except RefusedError as error:
            if not game.named.search(str(error)):
                yield f"exam {words[0]}: {error}"
        else:
            yield f"exam {words[0]} asks about a rule without words"


def _without(game: Planted) -> str:
    """Return the rules file of the same game without the key."""
    return re.sub(rf"(?m)^{game.key} = true$", f"{game.key} = false", game.text)


def review(game: Planted) -> Wrong:
    """Ask for the review of a match."""
    record = game.folder / "match.txt"
    record.write_text(game.record(), encoding="utf-8")
    yield from checks.review(game.brute, game.match(), ask("review", str(record)))


def prove(game: Planted) -> Wrong:
    """Ask for a certificate, and compare every value in it."""
    listed, at, places = _certified(game), [game.brute.start], {game.brute.start.key}
    for position in at:
        new = [after for _, after in game.brute.steps[position.key] if after.outcome is None]
        for after in new:
            if after.key not in places:
                places.add(after.key)
                at.append(after)
    true = [0 if one.plies is None else 2 * one.plies + (one.verdict == "loss") for one in map(game.brute.value, at)]
    yield from same("values", listed, true)


def _certified(game: Planted) -> list[int]:
    path = game.folder / "game.proof"
    command("prove", str(game.path), "--output", str(path))
    return certificate.read(path.read_bytes()).codes


def verify(game: Planted) -> Wrong:
    """Ask whether that certificate is true, and who wins."""
    _certified(game)
    lines = command("verify", str(game.folder / "game.proof")).splitlines()
    value = game.brute.value(game.brute.start)
    winner = game.brute.start.seat if value.verdict == "win" else game.brute.start.seat.other
    plies = f"{value.plies} {'ply' if value.plies == 1 else 'plies'}"
    wins = f"The {'first' if winner is Seat.FIRST else 'second'} player wins, in {plies} at the latest."
    yield from same("who wins", lines[1], "Neither side can force an end: a draw." if value.plies is None else wins)
    yield from same("positions", re.findall(r"true\. ([\d,]+) positions", lines[0]), [f"{game.brute.size:,}"])


def play(game: Planted) -> Wrong:
    """Have perfect play meet a level, from either seat: moves are legal, and perfect play gives nothing away."""
    for n, players in enumerate((("perfect", "level:3"), ("level:3", "perfect"))):
        record = game.folder / f"played-{n}.txt"
        sides = ("--p1", players[0], "--p2", players[1])
        command("play", str(game.path), *sides, "--seed", "1", "--record", str(record), "--plain")
        yield from _played(game.brute, Seat(1 + players.index("perfect")), record.read_text(encoding="utf-8"))


def _played(brute: Brute, perfect: Seat | None, record: str) -> Wrong:
    """Check a record by playing it again."""
    position = brute.start
    moves = [word for word in record.rpartition("\n\n")[2].split() if not word.endswith(".")]
    for move in moves:
        if move not in brute.options(position):
            yield f"{position}: {move} is not legal"
            return
        best = brute.value(position).verdict
        if position.seat is perfect and brute.options(position)[move].verdict != best:
            yield f"{position}: perfect play makes {move}, and had a {best}"
        position = position.play(move)
    told = re.search(r'^\[Result "([12])"\]', record, re.MULTILINE)
    true = None if position.outcome is None else str(position.outcome.winner.value)
    yield from same("result", told and told[1], true)


def search(game: Planted) -> Wrong:
    """Search a few games that use the key: what is told of each is true of it."""
    base, space = game.folder / f"{game.brute.rules.id}.toml", game.folder / "space.toml"
    base.write_text(game.text, encoding="utf-8")
    target = game.brute.rules.target
    space.write_text(
        f'format = 1\nname = "Near"\nlike = "{game.brute.rules.id}"\n[vary]\ntarget = "{target}..{target + 3}"\n',
        encoding="utf-8",
    )
    said = ask("search", str(space), "--goal", "open", "--jobs", "1")
    for one in (*said["finds"], *said["nearest"]):
        near = Brute(rules_from_dict(one["rules"]))
        yield from (f"target {near.rules.target}: {wrong}" for wrong in checks.metrics(near, one["metrics"]))


def arena(game: Planted) -> Wrong:
    """Let two levels meet: the exact score, and matches that are played."""
    meeting = ("arena", "match", "level:5", "random", "--game", str(game.path), "--book", "start")
    said = ask(*meeting)
    first = game.brute.first_wins(game.brute.level("level:5"), game.brute.level("random"))
    second = game.brute.first_wins(game.brute.level("random"), game.brute.level("level:5"))
    if first is not None and second is not None:
        yield from same("score", said["pairings"][0]["exact"], (first + 1 - second) / 2)
    run = game.folder / "run"
    ask(*meeting, "--play", "--pairs", "5", "--output", str(run))
    for record in (run / "records").iterdir():
        yield from _played(game.brute, None, record.read_text(encoding="utf-8"))


# Environments


def pettingzoo(game: Planted) -> Wrong:
    """Play matches at PettingZoo's environment, in step with the rules, then with the regret of each move."""
    yield from _stepped(game, aec.env(game.brute.rules))
    yield from _stepped(game, aec.env(game.brute.rules, regret=True))


def _stepped(game: Planted, env: aec.DuelAECEnv) -> Wrong:
    for n in range(MATCHES):
        dice, position = Random(n), game.brute.start
        env.reset()
        while position.outcome is None:
            agent = env.agent_selection
            if agent != f"player_{position.seat.value}":
                yield f"{position}: {agent} is to move"
                return
            mask = env.observe(agent)["action_mask"].tolist()
            legal = [position.rules.index_of(move) for move in position.legal_moves()]
            if [at for at, one in enumerate(mask) if one] != sorted(legal):
                yield f"{position}: mask {mask}"
                return
            move = dice.choice(position.legal_moves())
            regret = _regret(game.brute, position, position.text_of(move))
            env.step(position.rules.index_of(move))
            said = env.infos[agent].get("regret", regret)
            yield from same(f"{position} {position.text_of(move)}: regret", said, regret)
            position = position.play(move)
            yield from same("position", str(env.position), str(position))
        winner = f"player_{position.outcome.winner.value}"
        yield from same("reward", env.rewards[winner], 1.0)


def _regret(brute: Brute, position: Position, move: str) -> float:
    points = {"win": 1.0, "draw": 0.5, "loss": 0.0}
    found = brute.options(position)
    return points[brute.value(position).verdict] - points[found[move].verdict]


def gymnasium(game: Planted) -> Wrong:
    """Play matches at Gymnasium's environment against random play: what is on the table must come from legal moves."""
    env = gym.DuelEnv(game.brute.rules, "random", seat=1)
    for n in range(MATCHES):
        dice = Random(n)
        env.reset(seed=n)
        over = False
        while not over:
            position = env.position
            if position.seat is not Seat.FIRST or game.brute.find(str(position)) is None:
                yield f"{position}: the agent sits in seat 1 and is to move"
                return
            move = dice.choice(position.legal_moves())
            _, reward, over, _, _ = env.step(position.rules.index_of(move))
            if over:
                outcome = env.position.outcome
                won = outcome is not None and outcome.winner is Seat.FIRST
                yield from same("reward", reward, 1.0 if won else -1.0)
    env.close()


def open_spiel(game: Planted) -> Wrong:
    """Play matches at OpenSpiel's game, in step with the rules."""
    import pyspiel  # noqa: PLC0415 - it takes a second to load

    loaded = pyspiel.load_game(openspiel.name_of(game.brute.rules))
    for n in range(MATCHES):
        dice, position, state = Random(n), game.brute.start, loaded.new_initial_state()
        while position.outcome is None:
            moves = position.legal_moves()
            yield from same(f"{position}: player", state.current_player(), position.seat.value - 1)
            yield from same(f"{position}: actions", state.legal_actions(), sorted(map(position.rules.index_of, moves)))
            move = dice.choice(moves)
            state.apply_action(position.rules.index_of(move))
            position = position.play(move)
        yield from same("players at the end", state.current_player(), pyspiel.PlayerId.TERMINAL)
        if state.is_terminal():
            yield from same("returns", state.returns()[position.outcome.winner.value - 1], 1.0)


def batch(game: Planted) -> Wrong:
    """Play matches by NumPy, in step with the rules, by a table and by arithmetic."""
    for arithmetic in (False, True):
        found = Batch(game.brute.rules, MATCHES, seed=1, arithmetic=arithmetic)
        if found.table is not None:
            yield from same("states of the table", found.table.size, game.brute.size)
        yield from _in_step(found, game.brute, labelled=False)
        found.reset()
        yield from _in_step(found, game.brute, labelled=True)


def _in_step(batch: Batch, brute: Brute, *, labelled: bool) -> Wrong:
    positions = [brute.start] * batch.n
    for _ in range(2 * len(brute.rules.pool)):
        labels, mask = batch.labels() if labelled else None, batch.mask().tolist()
        for at, position in enumerate(positions):
            legal = sorted(map(position.rules.index_of, position.legal_moves()))
            if [move for move, one in enumerate(mask[at]) if one] != legal:
                yield f"{position}: mask {mask[at]}"
                return
            if labels is None:
                continue
            value = {"win": 1, "draw": 0, "loss": -1}[brute.value(position).verdict]
            if int(labels.value[at]) != value or int(labels.plies[at]) != (brute.value(position).plies or 0):
                yield f"{position}: label {labels.value[at]} in {labels.plies[at]}, true {brute.value(position)}"
                return
        actions = batch.sample()
        outcomes = batch.step(np.array(actions)).tolist()
        for at, (position, action) in enumerate(zip(list(positions), actions.tolist(), strict=True)):
            after = position.play(position.rules.moves[action])
            true = 0 if after.outcome is None else 1 if after.outcome.winner is position.seat else 2
            positions[at] = brute.start if after.outcome is not None else after
            if outcomes[at] != true or (not true and str(batch.position(at)) != str(after)):
                text = position.text_of(position.rules.moves[action])
                yield f"{position} {text}: {batch.position(at)} outcome {outcomes[at]}, true {after} {true}"
                return


# The page


def page(game: Planted) -> Wrong:
    """Make the game on the page, measure it, open a table and ask for values and hints there."""

    async def talk(app: Any) -> list[str]:
        return await _at_the_page(game, Inside(app))

    yield from inside(game.folder, talk)


async def _at_the_page(game: Planted, browser: Inside) -> list[str]:
    fields = {"text": game.text, "was": "", "do": "measure"}
    reply = await browser.call("POST", "/own", fields, form=True)
    shown = unescape(reply.body.decode())
    wrong = [f"/own: status {reply.status}"] if reply.status != 200 else []
    wrong += [f"/own: {one}" for one in _measured_page(game, shown)]
    sent = ("was", "name", "pool", "target", "start", "ends")
    again = {field: unescape(value) for field, value in _FIELD.findall(reply.body.decode()) if field in sent}
    reply = await browser.call("POST", "/own", {**again, "text": game.text, "do": "play"}, form=True)
    if not _clauses_name(game, unescape(reply.body.decode())):
        wrong.append("/own: the game is offered without its key once its form is sent")
    token = (await browser.call("POST", "/api/v1/keys")).json["token"]

    async def fetch(method: str, path: str, body: Any = None) -> Any:
        return await browser.call(method, f"/api/v1{path}", body, token=token)

    opened = await fetch("POST", "/tables", {"variant": game.text, "opponent": "here"})
    if opened.status != 201:
        return [*wrong, *_refused(game, "a table", opened)]
    table = opened.json["state"]["table"]
    return [*wrong, *await _at_the_table(game, table, fetch)]


_FIELD = re.compile(r'<input[^>]* name="(\w+)"[^>]* value="([^"]*)"')


def _refused(game: Planted, what: str, reply: Any) -> list[str]:
    said = reply.body.decode()
    return [] if 400 <= reply.status < 500 and game.named.search(said) else [f"{what}: {reply.status} {said[:200]}"]


def _clauses_name(game: Planted, shown: str) -> bool:
    """Whether the rules in words on a page name the key."""
    clauses = re.search(r'<ol class="clauses">(.*?)</ol>', shown, re.DOTALL)
    return clauses is not None and game.named.search(clauses[1]) is not None


def _measured_page(game: Planted, shown: str) -> Wrong:
    if not _clauses_name(game, shown):
        yield "the rules in words do not name the key"
    value = game.brute.value(game.brute.start)
    winner = {"win": "first", "loss": "second"}.get(value.verdict)
    wins = re.search(r"The (first|second) player wins", shown)
    if wins:
        yield from same("who wins", wins[1], winner)
    elif winner is not None and not game.named.search(re.sub(r"<textarea.*?</textarea>", "", shown, flags=re.DOTALL)):
        yield "neither who wins nor a refusal that names the key"
    for who in re.findall(r"(Nobody|The first player|The second player) can n?ever make \S+\.", shown):
        makers = {"Nobody": set(Seat), "The first player": {Seat.FIRST}, "The second player": {Seat.SECOND}}[who]
        if makers & game.brute.makers:
            yield f"says that the target is out of reach: {who}"
    row = re.search(r'<th scope="row">Random</th><td>([\d.]+)</td><td>([\d.]+)</td><td>([\d.]+)</td>', shown)
    if row and game.brute.order is not None:
        random = game.brute.level("random")
        course = game.brute.course(random)
        first = game.brute.first_wins(random, random)
        true = [100 * (first or 0.0), course["mean"], 100 * float(course["density"])]  # type: ignore[arg-type]
        said = [float(number) for number in row.groups()]
        if any(abs(one - two) > 0.051 for one, two in zip(said, true, strict=True)):  # type: ignore[operator]
            yield f"random play: said {said}, true {true}"
    for words in re.findall(r"<li[^>]*>(.*?)</li>", shown, re.DOTALL):
        if re.search(r"player wins \d+%|Taking .* never", words):
            finding = {"words": re.sub(r"<.*?>", "", words).replace("−", "-"), "proof": None, "kind": "finding"}
            yield from checks.audited(game.brute, finding)


async def _at_the_table(game: Planted, table: str, fetch: Any) -> list[str]:
    """Play a few moves at a table; at each ask for values and hints."""
    position, dice = game.brute.start, Random("table")
    wrong: list[str] = []
    for ply in range(3):
        wrong += await _valued(game, position, table, fetch)
        state = (await fetch("GET", f"/tables/{table}")).json
        move = position.text_of(dice.choice(position.legal_moves()))
        sent = {"version": state["version"], "move": move, "move_id": f"m{ply}"}
        played = await fetch("POST", f"/tables/{table}/move", sent)
        position = position.play(move)
        if played.status != 200:
            return [*wrong, f"move {move}: {played.status} {played.body.decode()[:200]}"]
        if position.outcome is not None:
            break
    return wrong


async def _valued(game: Planted, position: Position, table: str, fetch: Any) -> list[str]:
    told = await fetch("GET", f"/tables/{table}/values")
    if told.status != 200:
        return _refused(game, f"values at {position}", told)
    wrong = [f"table {position}: {one}" for one in checks.options(game.brute, position, told.json["values"])]
    for step in (1, 2, 3):
        told = await fetch("GET", f"/tables/{table}/hint?step={step}")
        if told.status != 200:
            return [*wrong, *_refused(game, f"hint at {position}", told)]
        said = " ".join(told.json["sentences"])
        wrong += [f"hint {step} at {position}: {one}" for one in _hinted(game.brute, position, step, said)]
    return wrong


def _hinted(brute: Brute, position: Position, step: int, said: str) -> Wrong:
    """Check a step of a hint: the moves that it names as winning do win, and nothing is called lost that is not."""
    found = brute.options(position)
    value = brute.value(position)
    if step == 1 and value.verdict == "win" and re.search(r"[Ee]very move loses", said):
        yield said
    if step == 2:
        wins = re.match(r"(?:Play )?([+-]\S*?\d+)\S* wins", said)
        if wins and found[wins[1]].verdict != "win":
            yield said
    left = re.search(r"leaves (-?\d+), and (-?\d+) is still there", said)
    if left and step == 3:
        places = [after for _, after in brute.steps[position.key] if after.outcome is None]
        if not any(_still_there(brute, after, int(left[1]), int(left[2])) for after in places):
            yield said


def _still_there(brute: Brute, after: Position, total: int, number: int) -> bool:
    numbers = {move.number for move, _ in brute.steps[after.key] if after.text_of(move) in brute.wins_at_once(after)}
    return after.total(after.seat) == total and number in numbers


# The assistant


def assistant(game: Planted) -> Wrong:
    """Ask the tools of an assistant."""
    yield from asyncio.run(_assisted(game))


async def _assisted(game: Planted) -> list[str]:
    worker = answers.assistant_worker()
    brute, text = game.brute, game.text
    position = game.shown()[1]
    moves = game.match()
    wrong: list[str] = []

    async def tool(name: str, asked: Coroutine[Any, Any, T], check: Callable[[T], Wrong]) -> None:
        try:
            said = await asyncio.wait_for(asked, 20)
        except Exception as error:  # noqa: BLE001 - an error of any kind is what the tool says
            if not game.named.search(str(error)):
                wrong.append(f"{name}: {error}")
        else:
            wrong.extend(f"{name}: {one}" for one in check(said))

    def words(said: Any) -> Wrong:
        if not game.named.search(" ".join(said["words"])):
            yield "the rules in words do not name the key"

    def replied(said: Any) -> Wrong:
        after = position.play(said["move"])
        yield from same("after", said["after"], str(after))
        if brute.value(position).verdict == "win" and said["move"] not in brute.winning(position):
            yield f"perfect play loses at {position} by {said['move']}"

    try:
        await tool("rules", answers.rules(worker, text), words)
        await tool(
            "analyze",
            answers.analyze(worker, text, [], str(position), why=True),
            lambda said: checks.analysis(brute, position, said),
        )
        await tool(
            "hint",
            answers.hint(worker, text, [], str(position), 2),
            lambda said: _hinted(brute, position, 2, " ".join(said["sentences"])),
        )
        await tool("review", answers.review(worker, game.record()), lambda said: checks.review(brute, moves, said))
        await tool("reply", answers.reply(worker, text, [], str(position), who="perfect", seed=1), replied)
        await tool("puzzle", answers.puzzle(worker, text, 2, 1), lambda said: checks.puzzles(brute, said["puzzles"]))
        await tool("solve", answers.solve(worker, text), lambda said: checks.solution(brute, said))
        await tool("audit", answers.audit(worker, text), lambda said: checks.audit(brute, said))
    finally:
        await worker.close()
    return wrong


DOORS: dict[str, Callable[[Planted], Iterator[str]]] = {
    "solve": solve,
    "analyze": analyze,
    "levels": levels,
    "metrics": metrics,
    "audit": audit,
    "repair": repair,
    "card": card,
    "learn": learn,
    "puzzle": puzzle,
    "measure": measure,
    "exam": exam,
    "review": review,
    "prove": prove,
    "verify": verify,
    "play": play,
    "search": search,
    "arena": arena,
    "pettingzoo": pettingzoo,
    "gymnasium": gymnasium,
    "openspiel": open_spiel,
    "batch": batch,
    "page": page,
    "assistant": assistant,
}

FIRST_ALONE = ("assistant",)
LAST_ALONE = ("repair", "page")
"""Doors that start processes or look at many games: they are asked about one game of a key, a small one."""


def doors_for(n: int, games: int) -> list[str]:
    """Return the doors that are asked about the game of this place, from 1."""
    left_out = (*(FIRST_ALONE if n > 1 else ()), *(LAST_ALONE if n < games else ()))
    return [door for door in DOORS if door not in left_out]


def planted(key: str, table: dict[str, Any], folder: Path) -> Planted:
    """Return a game that uses a key, in a folder of its own."""
    rules = rules_from_dict(table)
    text = write_rules(rules)
    folder.mkdir(parents=True)
    path = folder / "game.toml"
    path.write_text(text, encoding="utf-8")
    assert load_text(text) == rules
    return Planted(key, path, text, _brute(rules), folder)


@cache
def _brute(rules: Rules) -> Brute:
    """Return what is true of a game, found once for all doors."""
    return Brute(rules)
