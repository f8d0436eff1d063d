"""The compiled loops of `zerosum.solver.fast`: over the tiles of a table of masks, from the highest down or back up.

Numba compiles them when they are first called. Nothing here knows of rules: a `Game` says where matches are over.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, NamedTuple, TypeVar, cast

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
"""The score of a player who won by their last move."""
_LEAST: Final = -128

_LAST = np.uint64(1 << 63)
_LACKING = np.array([sum(1 << p for p in range(64) if not p >> i & 1) for i in range(WORD)], np.uint64)
"""The positions of a word where each of its numbers is left."""
_LAYERS = np.array([sum(1 << p for p in range(64) if p.bit_count() == used) for used in range(WORD, -1, -1)], np.uint64)
"""The positions of a word by how many of its numbers are used, all of them first."""


def _inlined(function: Function) -> Function:
    """Make a function part of the compiled ones that call it.

    An array that is handed over has its references counted, which costs more than a word's work if done for each.
    """
    return cast("Function", numba.njit(function))


def _compiled(function: Function) -> Function:
    """Compile a function when it is first called, and keep the machine code where there is a folder for it.

    Numba looks for one: what NUMBA_CACHE_DIR says, the package's own, the user's cache. None may be there, or full.
    """
    plain = numba.njit(nogil=True)(function)
    try:
        kept = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:
        return cast("Function", plain)

    @wraps(function)
    def call(*arguments: object) -> object:
        try:
            return kept(*arguments)
        except OSError:
            return plain(*arguments)

    return cast("Function", call)


class Game(NamedTuple):
    """What the compiled functions know of a game."""

    numbers: Ints
    """All numbers, those of a word first, then those of a tile."""
    need: int
    """The target less the start."""
    sums: Ints
    """The different sums of a word's numbers, ascending."""
    wins: Bits
    """The positions of a word won by the move that led there, by the place of the needed total among the sums."""
    losses: Bits
    """The positions of a word lost by the move that led there, likewise."""
    tile: Ints
    """The sums of a tile's numbers by their set."""
    start: int
    """The mask of the start, which is never an end."""
    last_wins: bool
    last_loses: bool
    doubles: int
    """The numbers that are equal to the one before."""
    ahead: bool
    """Whether every position that is not finished can arise."""


@_inlined
def _ends_in_tile(game: Game, tile: int, wins: Bits, losses: Bits) -> None:
    """Find the positions of each word of a tile that are won, and lost, by the move that led there."""
    need = game.need
    for i in range(WORD + TILE, len(game.numbers)):
        if tile >> (i - WORD - TILE) & 1:
            need -= game.numbers[i]
    for word in range(1 << TILE):
        # The place of what is needed is 2i + 1 if it is sum i, 2i if it lies just before that.
        left = need - game.tile[word]
        low, high = 0, len(game.sums)
        while low < high:
            middle = (low + high) >> 1
            if game.sums[middle] < left:
                low = middle + 1
            else:
                high = middle
        place = 2 * low + (1 if low < len(game.sums) and game.sums[low] == left else 0)
        wins[word], losses[word] = game.wins[place], game.losses[place]
    if tile == game.start >> (WORD + TILE):
        word, start = game.start >> WORD & ((1 << TILE) - 1), np.uint64(1) << np.uint64(game.start & 63)
        wins[word] &= ~start
        losses[word] &= ~start
    if tile == (1 << (len(game.numbers) - WORD - TILE)) - 1:
        wins[-1] = (wins[-1] | _LAST) if game.last_wins else (wins[-1] & ~_LAST)
        losses[-1] = (losses[-1] | _LAST) if game.last_loses else (losses[-1] & ~_LAST)


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
def _by_layers(won: np.uint64, ends: np.uint64) -> np.uint64:
    """Return the positions of a word won by the player who moved there.

    `won` are those that larger words show to be won by the player to move, `ends` those where the match is already won.
    """
    found = np.uint64(0)
    for used in range(WORD + 1):
        for i in range(WORD):
            won |= found >> np.uint64(1 << i) & _LACKING[i]
        found |= (~won | ends) & _LAYERS[used]
    return found


@_compiled
def find_verdicts(table: Bits, low: int, high: int, game: Game, quarters: npt.NDArray[np.uint16]) -> None:
    """Find, for the tiles from `low` to below `high`, the positions won by the player who moved there."""
    wins, losses = np.empty(1 << TILE, np.uint64), np.empty(1 << TILE, np.uint64)
    quarter = np.uint64(0xFFFF)
    for tile in range(high - 1, low - 1, -1):
        here = table[tile << TILE : (tile + 1) << TILE]
        _ends_in_tile(game, tile, wins, losses)
        for i in range(len(game.numbers) - WORD - TILE):
            if not tile >> i & 1:
                there = table[(tile | 1 << i) << TILE :]
                for k in range(1 << TILE):
                    here[k] |= there[k]
        for word in range((1 << TILE) - 1, -1, -1):
            won = here[word] | losses[word]
            for i in range(TILE):
                won |= here[word | 1 << i]
            if wins[word]:
                here[word] = _by_layers(won, wins[word])
            else:
                fourth = np.uint64(quarters[won >> np.uint64(48)])
                third = np.uint64(quarters[won >> np.uint64(32) & quarter | fourth])
                second = np.uint64(quarters[won >> np.uint64(16) & quarter | fourth])
                first = np.uint64(quarters[won & quarter | second | third])
                here[word] = fourth << np.uint64(48) | third << np.uint64(32) | second << np.uint64(16) | first


@_inlined
def _raise(table: Bytes, at: int, other: int, size: int) -> None:
    """Raise what is stored from `at` on to what is stored from `other` on, where that is more."""
    here, there = table[at : at + size], table[other : other + size]
    for k in range(size):
        here[k] = max(here[k], there[k])


@_inlined
def _value_word(table: Bytes, at: int, wins: np.uint64, losses: np.uint64) -> None:
    """Find the scores of the positions of a word, given the best of larger words."""
    word = table[at : at + 64]
    for eight in range(56, -1, -8):
        for i in range(3, 6):
            if not eight >> i & 1:
                for k in range(8):
                    word[eight + k] = max(word[eight + k], word[(eight | 1 << i) + k])
        for k in range(eight + 7, eight - 1, -1):
            best = word[k]
            for i in range(3):
                best = max(best, word[k | 1 << i])
            word[k] = 1 - best if best > 0 else -1 - best
            if (wins | losses) >> np.uint64(k) & np.uint64(1):
                word[k] = OVER if wins >> np.uint64(k) & np.uint64(1) else -OVER


@_compiled
def find_values(table: Bytes, low: int, high: int, game: Game) -> None:
    """Find the score of every position of the tiles from `low` to below `high`."""
    wins, losses = np.empty(1 << TILE, np.uint64), np.empty(1 << TILE, np.uint64)
    size = 1 << (TILE + WORD)
    for tile in range(high - 1, low - 1, -1):
        at = tile * size
        _ends_in_tile(game, tile, wins, losses)
        table[at : at + size] = _LEAST
        for i in range(len(game.numbers) - WORD - TILE):
            if not tile >> i & 1:
                _raise(table, at, (tile | 1 << i) * size, size)
        for word in range((1 << TILE) - 1, -1, -1):
            for i in range(TILE):
                if not word >> i & 1:
                    _raise(table, at + (word << WORD), at + ((word | 1 << i) << WORD), 1 << WORD)
            _value_word(table, at + (word << WORD), wins[word], losses[word])


@_inlined
def _unite(led: Bytes, to: int, table: Bytes, at: int, size: int) -> None:
    """Add what is led to from the positions from `at` on."""
    into, source = led[to : to + size], table[at : at + size]
    for k in range(size):
        into[k] |= source[k]


@_inlined
def _settle(led: Bytes, to: int, table: Bytes, at: int, ahead: bool) -> None:
    """Put a 0 wherever play cannot be among eight positions, given where all before them lead to."""
    for k in range(8):
        arises = led[to + k]
        if not ahead:
            for i in range(3):
                if k >> i & 1:
                    arises |= table[at + (k ^ 1 << i)]
        if arises == 0 or abs(table[at + k]) == OVER:
            table[at + k] = 0


@_inlined
def _count(table: Bytes, low: int, high: int, doubles: int) -> int:
    """Return how many positions there are, those that differ only in which copy of a number is used once."""
    count = 0
    for mask in range(low, high):
        count += table[mask] != 0 and mask & doubles & ~(mask << 1) == 0
    return count


@_compiled
def keep_arising(table: Bytes, low: int, high: int, game: Game) -> int:
    """Put a 0 wherever play cannot be, and return how many positions are left."""
    size = 1 << (TILE + WORD)
    count = 0
    led = np.empty(size, np.int8)
    for tile in range(low, high):
        at = tile * size
        led[:] = game.ahead
        if tile == game.start // size:
            led[game.start % size] = 1
        if not game.ahead:
            for i in range(len(game.numbers) - WORD - TILE):
                if tile >> i & 1:
                    _unite(led, 0, table, (tile ^ 1 << i) * size, size)
        for part in range(0, size, 8):
            if not game.ahead:
                for i in range(3, WORD + TILE):
                    if part >> i & 1:
                        _unite(led, part, table, at + (part ^ 1 << i), 8)
            _settle(led, part, table, at + part, game.ahead)
        count += _count(table, at, at + size, game.doubles)
    return count
