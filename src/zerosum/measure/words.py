"""What a level fit says, in words."""

from __future__ import annotations

from typing import Final

from zerosum.measure.fit import LEAST, TOP, LevelFit

_ROUNDS_TO: Final = 0.05
_VAGUE: Final = 4.0
"""An interval wider than this says what somebody does not play like, and no more."""


def level_words(level: float) -> str:
    """Return a place on the axis of levels as people say it.

    >>> level_words(4.23), level_words(0.01), level_words(9.98)
    ('level 4.2', 'random play', 'perfect play')
    """
    if level < _ROUNDS_TO:
        return "random play"
    return "perfect play" if level > TOP - _ROUNDS_TO else f"level {level:.1f}"


def fit_words(fit: LevelFit) -> str:
    """Return which level somebody plays like, how sure that is, and whether any level fits; to follow "plays".

    >>> fit_words(LevelFit(4.23, 3.08, 5.41, 120, 100, 0.4))
    'like level 4.2 (95% interval: 3.1 to 5.4)'
    >>> fit_words(LevelFit(4.23, 0.2, 9.3, 12, 10, None))
    'like some level from 0.2 to 9.3; 10 telling decisions say no more'
    """
    if fit.level is None or fit.low is None or fit.high is None:
        return "like any level; no decision yet tells one from another"
    if fit.fits is False:
        return f"like no level (p = {fit.p_value:.1g}); the nearest is {level_words(fit.level)}"
    telling = f"{fit.telling} telling decision{'' if fit.telling == 1 else 's'}"
    span = f"{fit.low:.1f} to {fit.high:.1f}"
    if fit.high - fit.low > _VAGUE:
        return f"like some level from {span}; {telling} {'says' if fit.telling == 1 else 'say'} no more"
    few = f", by only {telling}" if fit.telling < LEAST else ""
    return f"like {level_words(fit.level)} (95% interval: {span}){few}"


def percent(share: float | None) -> str:
    """Return a share in per cent, a dash for none."""
    return "-" if share is None else f"{100 * share:.1f}"


def whole(number: float) -> str:
    """Return a number without its fraction, and never a zero with a sign.

    >>> whole(-0.3), whole(41.6)
    ('0', '42')
    """
    return str(round(number))
