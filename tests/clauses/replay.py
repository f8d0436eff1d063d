"""Playing a game as a rulebook tells it."""

from __future__ import annotations

from random import Random

from zerosum.match.match import Entry, Match
from zerosum.match.referee import Referee, Refusal
from zerosum.match.setup import Setup
from zerosum.match.typed_moves import Chosen
from zerosum.rules.game_files import built_in
from zerosum.rules.model import Rules, rules_from_dict, rules_to_dict
from zerosum.rules.position import Position, start_position


def variant(game: str, **changes: object) -> Rules:
    """Return a built-in game with some keys changed (`invalid_move` is written so)."""
    table = rules_to_dict(built_in(game)) | {key.replace("_", "-"): value for key, value in changes.items()}
    return rules_from_dict({key: value for key, value in table.items() if value is not None})


def after(game: str | Rules, *moves: str) -> Position:
    """Return the position after these moves from the start."""
    position = start_position(game if isinstance(game, Rules) else built_in(game))
    for move in moves:
        position = position.play(move)
    return position


def ended(position: Position) -> tuple[int, str] | None:
    """Return who won and why, None while play goes on."""
    return None if position.outcome is None else (position.outcome.winner.value, position.outcome.reason.value)


def legal(position: Position) -> list[str]:
    """Return the texts of the legal moves."""
    return [position.text_of(move) for move in position.legal_moves()]


def shy_plays(game: str | Rules, count: int, plies: int = 100) -> list[list[Position]]:
    """Return random plays in which nobody ends the match who can avoid it."""
    plays = []
    for seed in range(count):
        random = Random(seed)
        line = [after(game)]
        while line[-1].outcome is None and len(line) <= plies:
            following = [line[-1].play(move) for move in line[-1].legal_moves()]
            line.append(random.choice([one for one in following if one.outcome is None] or following))
        plays.append(line)
    return plays


class Sitting:
    """A referee, with the journal it writes; answers are given as at the prompts."""

    def __init__(self, rules: str | Rules, *, lenient: bool = False, who: tuple[str, str] = ("human", "human")) -> None:
        self.journal: list[Entry] = []
        rules = rules if isinstance(rules, Rules) else built_in(rules)
        begun = Match.begin(Setup(rules=rules, lenient=lenient, who=who))
        self.referee = Referee(begun, self.journal.append)

    @property
    def position(self) -> Position:
        """The position now."""
        return self.referee.match.position

    @property
    def end(self) -> tuple[int, str] | None:
        """Who won and why, None while the match goes on."""
        outcome = self.referee.match.outcome
        return None if outcome is None else (outcome.winner.value, outcome.reason.value)

    def say(self, *answers: str) -> Refusal | None:
        """Give answers at the prompts one after another; return why the last was refused, if it was."""
        taken: object = None
        for answer in answers:
            if isinstance(taken, Chosen):
                chosen = taken
                taken = self.referee.take_operation(taken, answer)
                if isinstance(taken, Refusal) and answer is not answers[-1]:
                    taken = chosen
            else:
                taken = self.referee.take_number(answer)
        return taken if isinstance(taken, Refusal) else None
