"""`zerosum.measure`: anything that can name a move, measured exactly in one call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from zerosum.arena.entrants.bot import BOT, bot_player, bot_policy
from zerosum.arena.strength.asked_players import AskedPlayer, by_position, measure_asked, named_player, player_object
from zerosum.arena.strength.named_policies import asked, remembered
from zerosum.arena.strength.policy_report import Measured
from zerosum.base.progress import Progress, silent
from zerosum.rules.game_files import Game, rules_of
from zerosum.rules.model import Rules

_BOT = f"{BOT}:"


def measure(
    player: object, game: Game, *, greedy: bool = False, name: str = "", progress: Progress = silent
) -> Measured:
    """Measure any player in a game exactly: scores, exploitability, the line that beats it, regret by position.

    `game` is an id, the path of a rules file, `Rules`, or their table. `player` is one of these:

    - a name: `level:5`, `perfect`, `card`, one that was registered, `policy:FILE`, `bot:COMMAND` (a bot that answers
      `policy`; it is started and ended here)
    - a function of a position that returns a move, several, or the chance of each; a move may be text
    - an array of NumPy in the order of `game_table(game)`: an action for each position, or a row of chances for each
    - a module of PyTorch that maps observations to a score for each action; its chances are their softmax
    - a model of Stable-Baselines3 or sb3-contrib that was trained on our environments
    - a policy of OpenSpiel for one of our games

    Illegal actions of a module or a model are left out, as a mask does. With `greedy` the player always makes one move:
    the best by the scores of a module, a model or an array of any values; of a bot, its first answer in each position.
    A wrong answer raises a `BadAnswerError` that names the position. `progress` is called with words now and then.

    With sudden death a match may go on for ever. Names, functions and bots are measured there if they play alike
    wherever the target is out of reach for two rounds; others are refused with two positions in which they do not.

    >>> found = measure(lambda position: position.legal_moves()[-1], "sum31")
    >>> found.exploitability, found.against("level:5").as_first
    (1.0, 0.148224)
    >>> print(found.line)
    +1 +9 +6 +8? +7
    """
    rules = _rules(game)
    with _opened(player, game, rules, greedy=greedy) as opened:
        return measure_asked(opened, rules, progress, name)


def _rules(game: Any) -> Rules:
    """Return the rules of a game; OpenSpiel's own object for one of our games has them too."""
    rules = None if isinstance(game, Rules) else getattr(game, "rules", None)
    return rules if isinstance(rules, Rules) else rules_of(game)


@contextmanager
def _opened(player: object, game: object, rules: Rules, *, greedy: bool) -> Iterator[AskedPlayer]:
    """Give a player that can be asked; a bot is ended afterwards."""
    if isinstance(player, str) and player.startswith(_BOT) and greedy:
        with bot_player(player.removeprefix(_BOT), rules) as (name, moves):
            yield by_position(name, remembered(asked(moves)))
    elif isinstance(player, str) and player.startswith(_BOT):
        with bot_policy(player.removeprefix(_BOT), rules) as bot:
            yield by_position(bot.name, bot.guest)
    elif isinstance(player, str):
        yield named_player(player, rules)
    else:
        yield player_object(player, game, rules, greedy=greedy)
