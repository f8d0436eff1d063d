"""What somebody probably meant by a word that is not known."""

from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return a sentence that names the known word nearest to `word`, or `otherwise` if none is near.

    >>> did_you_mean("sum13", ["sum31", "zero-sum-duel"])
    "Did you mean 'sum31'?"
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only mistakes need it

    near = get_close_matches(word, list(known), n=1)
    return f"Did you mean '{near[0]}'?" if near else otherwise
