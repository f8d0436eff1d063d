"""What players score in the public exam: computed by `python tools/results.py`, kept in a file, shown in the docs.

Every player replies once to every item, as a model does, and the replies are graded as a model's are. Chance comes from
the name of the player and the id of the item, so a reply is always the same. Of a player whose chances are known, the
share that it keeps on average is computed too, which no sampling can change.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from math import fsum
from pathlib import Path
from types import ModuleType
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.tables import table  # noqa: E402 - after the path is set
from zerosum.arena.strength.decisions import place_of  # noqa: E402 - see above
from zerosum.arena.strength.named_policies import policy_of  # noqa: E402 - see above
from zerosum.base.statistics import Interval  # noqa: E402 - see above
from zerosum.exam.draw_items import PUBLIC_GAMES, public_set  # noqa: E402 - see above
from zerosum.exam.items import Item  # noqa: E402 - see above
from zerosum.exam.scoring import GradeKind, facts_of, grade, keeping_moves  # noqa: E402 - see above
from zerosum.exam.summary import ExamScore, summarize  # noqa: E402 - see above
from zerosum.players.levels import STRENGTHS  # noqa: E402 - see above
from zerosum.players.registry import pick  # noqa: E402 - see above
from zerosum.rules.game_files import load_game  # noqa: E402 - see above
from zerosum.rules.model import Rules  # noqa: E402 - see above
from zerosum.rules.moves import Move  # noqa: E402 - see above
from zerosum.rules.position import PositionKey  # noqa: E402 - see above

FILE: Final = Path(__file__).with_name("results.json")
POLICIES: Final = (*STRENGTHS, "card")
LEARNER: Final = "Q-learner"
MODELS: Final = ("nearest", "hasty")
STEPS: Final = 1_000
"""How long the Q-learner learns each game."""
PLACES: Final = 6
"""Of the figures that are kept. The page rounds them once, as a report does."""
Reply = Callable[[Item], str]


def script(path: str) -> ModuleType:
    """Return a script of the documentation as a module."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / "docs" / path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"docs/{path} cannot be loaded.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


_policy: Final = lru_cache(maxsize=64)(policy_of)


def chances(who: str, item: Item) -> dict[Move, float]:
    """Return the chance of each move that a policy makes in an item."""
    position = item.position
    return dict(zip(position.legal_moves(), _policy(who, item.origin).guest.chances(position), strict=True))


def by_policy(who: str, item: Item) -> str:
    """Return the reply of a policy, drawn by its chances."""
    return _said(item, pick(chances(who, item), f"{who}/{item.id}"))


def _said(item: Item, move: Move) -> str:
    return f"MOVE: {item.text_of(move)}"


@lru_cache(maxsize=64)
def learned(rules: Rules) -> dict[PositionKey, Move]:
    """Return what the Q-learner of the documentation has learned of a game; nothing if there is no table."""
    from zerosum.solver.game_table import table_of  # noqa: PLC0415 - NumPy is needed only here

    if table_of(rules) is None:
        return {}
    batch, q = script("envs/batch_q_learning.py").learn(STEPS, rules)
    best = q.argmax(axis=1).tolist()
    return {batch.table.position(state).key: batch.moves[action] for state, action in enumerate(best)}


def by_learning(item: Item) -> str:
    """Return the reply of the Q-learner; where it has learned nothing, that of random play."""
    move = learned(item.origin).get(item.position.key)
    return by_policy("random", item) if move is None else _said(item, move)


def by_script(name: str) -> Reply:
    """Return how a scripted model replies."""
    reply: Callable[[str], str] = script(f"models/{name}.py").reply
    return lambda item: reply(item.prompt())


def players() -> dict[str, Reply]:
    """Return everybody in the table, in its order."""
    policies = {who: partial(by_policy, who) for who in POLICIES}
    return {**policies, LEARNER: by_learning, **{name: by_script(name) for name in MODELS}}


def result(reply: Reply, items: Sequence[Item]) -> dict[str, Any]:
    """Return what a player scores."""
    found = summarize(items, (grade(item, reply(item)) for item in items))
    return {
        **_kept(found.score),
        "skill": _round(found.score.skill),
        "illegal": found.score.kinds[GradeKind.ILLEGAL],
        "unreadable": found.score.kinds[GradeKind.UNREADABLE],
        "games": {one.game: _kept(one.score) for one in found.games},
    }


def _kept(found: ExamScore) -> dict[str, float | None]:
    low, high = found.interval
    return {"kept": _round(found.kept.rate), "kept_low": _round(low), "kept_high": _round(high)}


def _round(figure: float | None) -> float | None:
    return None if figure is None else round(figure, PLACES)


def expected(who: str, items: Sequence[Item]) -> float:
    """Return the share of real choices that a policy keeps on average, exactly."""
    shares = []
    for item in items:
        right = set(keeping_moves(item))
        if len(right) < len(item.position.legal_moves()):
            shares.append(fsum(share for move, share in chances(who, item).items() if item.text_of(move) in right))
    return round(fsum(shares) / len(shares), PLACES)


def document() -> dict[str, Any]:
    """Compute everything."""
    found = public_set()
    rows = {}
    for who, reply in players().items():
        exactly = expected(who, found.items) if who in POLICIES else None
        rows[who] = {"exactly": exactly, **result(reply, found.items)}
        print(who, rows[who]["kept"], file=sys.stderr, flush=True)
    choices = sum(facts_of(item).real for item in found.items)
    return {"sha256": found.sha256, "items": len(found.items), "choices": choices, "players": rows}


def kept_results() -> dict[str, Any]:
    """Return what is in the file."""
    read: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return read


def level_of(one: dict[str, Any]) -> tuple[float, float, float]:
    """Return the level that keeps as much of the same choices, and its interval."""
    players = kept_results()["players"]
    by_strength = [players[who]["exactly"] for who in STRENGTHS]
    level, low, high = place_of(by_strength, one["kept"], Interval(one["kept_low"], one["kept_high"]))
    return level or 0.0, low or 0.0, high or 0.0


def results() -> str:
    """Return what the set is, and the table of everybody."""
    kept = kept_results()
    head = ("player", "kept", "95 % interval", "on average", "skill", "keeps as much as level", "illegal", "unreadable")
    what = f"{kept['items']} items, {kept['choices']} of them real choices. SHA-256 of the set: `{kept['sha256']}`."
    return f"{what}\n\n{table(head, [_row(who, one) for who, one in kept['players'].items()])}"


def _row(who: str, one: dict[str, Any]) -> tuple[str, ...]:
    exactly = "" if one["exactly"] is None else f"{one['exactly']:.1%}"
    level, low, high = level_of(one)
    strength = (f"{100 * one['skill']:.1f}", f"{level:.1f} ({low:.1f} to {high:.1f})")
    kept = (f"{one['kept']:.1%}", f"{one['kept_low']:.1%} to {one['kept_high']:.1%}", exactly)
    return f"`{who}`", *kept, *strength, str(one["illegal"]), str(one["unreadable"])


def results_by_game() -> str:
    """Return the table of everybody in each game."""
    head = ("player", *(load_game(game).name for game in PUBLIC_GAMES))
    rows = [(who, one["games"]) for who, one in kept_results()["players"].items()]
    return table(head, [(f"`{who}`", *(f"{of[game]['kept']:.0%}" for game in PUBLIC_GAMES)) for who, of in rows])


def main() -> int:
    """Compute the results and keep them."""
    FILE.write_text(json.dumps(document(), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
