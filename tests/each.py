"""Many cases as one test, which names every case that fails: a case of its own costs more than most of them do."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from _pytest._io.saferepr import saferepr
from _pytest.mark import ParameterSet


def each(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Call a test with every case, as `pytest.mark.parametrize` does; it must leave nothing behind for the next one."""
    wanted = [names] if isinstance(names, str) else list(names)
    all_cases = [_values(case, alone=isinstance(names, str)) for case in cases]
    assert all_cases, "without a case nothing is tested"

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def every(*own: Any, **fixtures: Any) -> None:
            wrong = []
            for case in all_cases:
                try:
                    test(*own, **fixtures, **dict(zip(wanted, case, strict=True)))
                except Exception as error:  # noqa: BLE001 - whatever goes wrong is told
                    wrong.append(f"{saferepr(case, 200)}: {type(error).__name__}: {error}")
            assert not wrong, "\n".join([f"{len(wrong)} of {len(all_cases)} cases", *wrong])

        given = inspect.signature(test)
        left = [one for one in given.parameters.values() if one.name not in wanted]
        every.__signature__ = given.replace(parameters=left)  # type: ignore[attr-defined]  # what pytest fills in
        return every

    return decorate


def _values(case: Any, *, alone: bool) -> tuple[Any, ...]:
    """Return the values of a case, which may be written as a `pytest.param`."""
    if isinstance(case, ParameterSet):
        assert not case.marks, "a mark is for a test, not for a case"
        return tuple(case.values)
    return (case,) if alone else tuple(case)
