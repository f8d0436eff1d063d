"""Sets of small whole numbers as Python integers: bit n is set if n is in the set."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache


def ones(count: int) -> int:
    """Return the set of the numbers below `count`."""
    return (1 << count) - 1


def between(low: int, high: int, width: int) -> int:
    """Return the set of the numbers from `low` to below `high`, cut off to those from 0 to below `width`."""
    low, high = max(low, 0), min(high, width)
    return ones(high - low) << low if low < high else 0


def moved(bits: int, shift: int) -> int:
    """Return the set with `shift` added to each member; members below 0 are dropped."""
    return bits << shift if shift >= 0 else bits >> -shift


def members(bits: int) -> Iterator[int]:
    """Yield the members of a set, ascending."""
    data = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    for at, byte in enumerate(data):
        if byte:
            for place in range(8):
                if byte >> place & 1:
                    yield 8 * at + place


def repeat(pattern: int, width: int, times: int) -> int:
    """Return `pattern`, of `width` bits, `times` times in a row."""
    result, done, block, size = 0, 0, pattern, 1
    while times:
        if times & 1:
            result |= block << (done * width)
            done += size
        times >>= 1
        if times:
            block |= block << (size * width)
            size *= 2
    return result


def stack(rows: Sequence[int], width: int) -> int:
    """Return rows of `width` bits one after the other, the first lowest."""
    parts = list(rows)
    while len(parts) > 1:
        parts = [low | (high << width) for low, high in zip(parts[::2], [*parts[1::2], 0], strict=False)]
        width *= 2
    return parts[0]


def parity(copies: Sequence[int], cells: int) -> tuple[int, int]:
    """Return the rows in which an even count of numbers is used, and those with an odd one, `cells` bits each."""
    even, odd, width = ones(cells), 0, cells
    for most in copies:
        both = (even, odd)
        even = sum(both[count % 2] << (count * width) for count in range(most + 1))
        odd = sum(both[1 - count % 2] << (count * width) for count in range(most + 1))
        width *= most + 1
    return even, odd


RowsBetween = Callable[[int, int], int]
"""Returns the rows whose used numbers sum to at least the one number and at most the other."""


def rows_between(numbers: Sequence[int], copies: Sequence[int]) -> RowsBetween:
    """Return a function that finds the rows of a pool by the sums of their used numbers.

    It splits off the last number again and again; a part whose sums all lie inside or outside is known at once.
    """
    least = [0]
    most = [0]
    sizes = [1]
    for number, count in zip(numbers, copies, strict=True):
        least.append(least[-1] + min(0, number * count))
        most.append(most[-1] + max(0, number * count))
        sizes.append(sizes[-1] * (count + 1))

    @cache
    def part(upto: int, low: int, high: int) -> int:
        if high < least[upto] or low > most[upto]:
            return 0
        if low <= least[upto] and most[upto] <= high:
            return ones(sizes[upto])
        upto -= 1
        rows, place = 0, 0
        for _ in range(copies[upto] + 1):
            # What lies beyond the sums that can be made is cut off, so that more parts are the same.
            rows |= part(upto, max(low, least[upto]), min(high, most[upto])) << place
            low, high, place = low - numbers[upto], high - numbers[upto], place + sizes[upto]
        return rows

    return lambda low, high: part(len(numbers), low, high)
