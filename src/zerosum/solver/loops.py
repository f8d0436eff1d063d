"""The compiled loops of `zerosum.solver.fast`: over the tiles of a table of masks, from the highest down or back up.

Numba compiles them when they are first called. Nothing here knows of rules: a `Game` says where matches are over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

import numba
import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.uint64]
Bytes = npt.NDArray[np.int8]
Ints = npt.NDArray[np.int64]
Function = TypeVar("Function", bound=Callable[..., Any])

WORD: Final = 6
"""The lowest numbers, whose sets make the 64 positions of a word."""
TILE: Final = 8
"""The numbers next to them, whose sets make the 256 words of a tile."""
OVER: Final = 126
"""The gladness of whoever won by their last move."""
_LEAST: Final = -128

_LAST = np.uint64(1 << 63)
_LACKING = np.array([sum(1 << p for p in range(64) if not p >> i & 1) for i in range(WORD)], np.uint64)
"""The positions of a word where each of its numbers is left."""
_LAYERS = np.array([sum(1 << p for p in range(64) if p.bit_count() == used) for used in range(WORD, -1, -1)], np.uint64)
"""The positions of a word by how many of its numbers are used, all of them first."""


def _inlined(function: Function) -> Function:
    compiled: Function = numba.njit(inline="always")(function)
    return compiled


def _compiled(function: Function) -> Function:
    """Compile a function when it is first called, and keep the machine code where there is a folder for it.

    Numba looks for one: what NUMBA_CACHE_DIR says, the package's own, the user's cache. None may be there, or full.
    """
    plain = numba.njit(nogil=True)(function)
    try:
        kept = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:
        return _as_typed(plain, function)

    def call(*arguments: object) -> object:
        try:
            return kept(*arguments)
        except OSError:
            return plain(*arguments)

    return _as_typed(call, function)


def _as_typed(compiled: Any, _function: Function) -> Function:  # noqa: ANN401 - Numba has no types
    typed: Function = compiled
    return typed


class Game(NamedTuple):
    """What the compiled functions know of a game."""

    numbers: Ints
    """All numbers, those of a word first, then those of a tile."""
    need: int
    """The target less the start."""
    sums: Ints
    """The different sums of a word's numbers, ascending."""
    glad: Bits
    """The positions of a word where whoever moved there has won, by where the total they need is among the sums."""
    sorry: Bits
    """Those where they have lost."""
    tile: Ints
    """The sums of a tile's numbers by their set."""
    start: int
    """The mask of the start, which is never an end."""
    last_glad: bool
    last_sorry: bool
    doubles: int
    """The numbers that are equal to the one before."""
    ahead: bool
    """Whether every position that is not finished can arise."""


@_inlined
def _place(sums: Ints, need: int) -> int:
    """Return where a sum is: 2i + 1 if it is sum i, 2i if it lies just before that."""
    low, high = 0, len(sums)
    while low < high:
        middle = (low + high) >> 1
        if sums[middle] < need:
            low = middle + 1
        else:
            high = middle
    return 2 * low + (1 if low < len(sums) and sums[low] == need else 0)


@_inlined
def _need(game: Game, tile: int) -> int:
    """Return how much a tile's upper numbers leave to the target."""
    need = game.need
    for i in range(WORD + TILE, len(game.numbers)):
        if tile >> (i - WORD - TILE) & 1:
            need -= game.numbers[i]
    return need


@_inlined
def _ends(game: Game, word: int, need: int) -> tuple[np.uint64, np.uint64]:
    """Return where in a word whoever moved there has won, and has lost."""
    place = _place(game.sums, need)
    glad, sorry = game.glad[place], game.sorry[place]
    if word == game.start >> WORD:
        start = np.uint64(1) << np.uint64(game.start & 63)
        glad, sorry = glad & ~start, sorry & ~start
    if word == (1 << (len(game.numbers) - WORD)) - 1:
        glad = (glad | _LAST) if game.last_glad else (glad & ~_LAST)
        sorry = (sorry | _LAST) if game.last_sorry else (sorry & ~_LAST)
    return glad, sorry


@_compiled
def fill_quarters(quarters: npt.NDArray[np.uint16]) -> None:
    """Find, for any 16 unfinished positions known to be won, which of all 16 are lost."""
    for outside in range(1 << 16):
        lost = 0
        for position in range(15, -1, -1):
            won = outside >> position & 1
            for i in range(4):
                if not position >> i & 1:
                    won |= lost >> (position | 1 << i) & 1
            lost |= (1 - won) << position
        quarters[outside] = lost


@_inlined
def _glad_in_word(won: np.uint64, glad: np.uint64, sorry: np.uint64, quarters: npt.NDArray[np.uint16]) -> np.uint64:
    """Return where in a word whoever moved there is glad, given what larger words say."""
    won |= sorry
    if glad:
        found = np.uint64(0)
        for layer in _LAYERS:
            for i in range(WORD):
                won |= found >> np.uint64(1 << i) & _LACKING[i]
            found |= (~won | glad) & layer
        return found
    quarter = np.uint64(0xFFFF)
    fourth = np.uint64(quarters[won >> np.uint64(48)])
    third = np.uint64(quarters[won >> np.uint64(32) & quarter | fourth])
    second = np.uint64(quarters[won >> np.uint64(16) & quarter | fourth])
    first = np.uint64(quarters[won & quarter | second | third])
    return fourth << np.uint64(48) | third << np.uint64(32) | second << np.uint64(16) | first


@_compiled
def find_verdicts(table: Bits, low: int, high: int, game: Game, quarters: npt.NDArray[np.uint16]) -> None:
    """Find, for the tiles from `low` to below `high`, where whoever moved there is glad."""
    for tile in range(high - 1, low - 1, -1):
        here = table[tile << TILE : (tile + 1) << TILE]
        need = _need(game, tile)
        for i in range(len(game.numbers) - WORD - TILE):
            if not tile >> i & 1:
                there = table[(tile | 1 << i) << TILE :]
                for k in range(1 << TILE):
                    here[k] |= there[k]
        for word in range((1 << TILE) - 1, -1, -1):
            won = here[word]
            for i in range(TILE):
                won |= here[word | 1 << i]
            glad, sorry = _ends(game, tile << TILE | word, need - game.tile[word])
            here[word] = _glad_in_word(won, glad, sorry, quarters)


@_inlined
def _raise(here: Bytes, there: Bytes) -> None:
    for k in range(len(here)):
        here[k] = max(here[k], there[k])


@_inlined
def _turn(best: int) -> np.int8:
    """Return the gladness of a position from the best that a move leads to."""
    return np.int8(1 - best if best > 0 else -1 - best)


@_inlined
def _value_word(here: Bytes, glad: np.uint64, sorry: np.uint64) -> None:
    """Find the gladness of the positions of a word, given the best of larger words."""
    for eight in range(7, -1, -1):
        part = here[eight << 3 : (eight + 1) << 3]
        for i in range(3):
            if not eight >> i & 1:
                _raise(part, here[(eight | 1 << i) << 3 :])
        for k in range(7, -1, -1):
            best = part[k]
            for i in range(3):
                best = max(best, part[k | 1 << i])
            part[k] = _turn(best)
            if glad | sorry:
                bit = np.uint64(1) << np.uint64(eight << 3 | k)
                if glad & bit:
                    part[k] = OVER
                elif sorry & bit:
                    part[k] = -OVER


@_compiled
def find_values(table: Bytes, low: int, high: int, game: Game) -> None:
    """Find the gladness of every position of the tiles from `low` to below `high`."""
    size = 1 << (TILE + WORD)
    for tile in range(high - 1, low - 1, -1):
        here = table[tile * size : (tile + 1) * size]
        need = _need(game, tile)
        here[:] = _LEAST
        for i in range(len(game.numbers) - WORD - TILE):
            if not tile >> i & 1:
                _raise(here, table[(tile | 1 << i) * size :])
        for word in range((1 << TILE) - 1, -1, -1):
            part = here[word << WORD : (word + 1) << WORD]
            for i in range(TILE):
                if not word >> i & 1:
                    _raise(part, here[(word | 1 << i) << WORD :])
            glad, sorry = _ends(game, tile << TILE | word, need - game.tile[word])
            _value_word(part, glad, sorry)


@_inlined
def _unite(here: Bytes, there: Bytes) -> None:
    for k in range(len(here)):
        here[k] |= there[k]


@_inlined
def _arising_in_word(here: Bytes, led: Bytes, ahead: bool) -> None:
    """Put a 0 wherever in a word play cannot be, given where smaller words lead to."""
    for eight in range(8):
        part, reached = here[eight << 3 : (eight + 1) << 3], led[eight << 3 : (eight + 1) << 3]
        if not ahead:
            for i in range(3):
                if eight >> i & 1:
                    _unite(reached, here[(eight ^ 1 << i) << 3 :])
        for k in range(8):
            into = reached[k]
            if not ahead:
                for i in range(3):
                    if k >> i & 1:
                        into |= part[k ^ 1 << i]
            if into == 0 or abs(part[k]) == OVER:
                part[k] = 0


@_compiled
def keep_arising(table: Bytes, low: int, high: int, game: Game) -> int:
    """Put a 0 wherever play cannot be, and return how many positions are left."""
    size = 1 << (TILE + WORD)
    count = 0
    led = np.empty(size, np.int8)
    for tile in range(low, high):
        here = table[tile * size : (tile + 1) * size]
        led[:] = game.ahead
        if tile == game.start // size:
            led[game.start % size] = 1
        if not game.ahead:
            for i in range(len(game.numbers) - WORD - TILE):
                if tile >> i & 1:
                    _unite(led, table[(tile ^ 1 << i) * size :])
        for word in range(1 << TILE):
            into = led[word << WORD : (word + 1) << WORD]
            if not game.ahead:
                for i in range(TILE):
                    if word >> i & 1:
                        _unite(into, here[(word ^ 1 << i) << WORD :])
            _arising_in_word(here[word << WORD : (word + 1) << WORD], into, game.ahead)
        for k in range(size):
            mask = tile * size | k
            count += here[k] != 0 and mask & game.doubles & ~(mask << 1) == 0
    return count
