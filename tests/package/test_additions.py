"""What a newcomer would add works where ARCHITECTURE.md says that it goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.try_additions import ADDITIONS, Addition, AdditionError, Check, Edit, changes, make, try_addition

ARCHITECTURE = Path(__file__).resolve().parents[2] / "ARCHITECTURE.md"
TRIED = {name: one for name, one in ADDITIONS.items() if isinstance(one, Addition)}


def test_the_table_is_that_of_the_script() -> None:
    assert ARCHITECTURE.read_text(encoding="utf-8").endswith(f"\n\n{changes()}")


def test_few_files_are_edited() -> None:
    assert {name: int(one.files) for name, one in TRIED.items() if int(one.files) > 4} == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", TRIED)
def test_it_works(name: str) -> None:
    assert len(list(try_addition(TRIED[name]))) == len(TRIED[name].checks)


def test_an_edit_that_has_no_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "there.py").write_text("one\none\n", encoding="utf-8")
    for edit in (Edit("there.py", "two\n"), Edit("there.py", "two\n", "one\n"), Edit("there.py", "two\n", "none\n")):
        with pytest.raises(AdditionError, match=r"there\.py"):
            make(edit, tmp_path)


def test_an_addition_that_does_not_show_is_an_error() -> None:
    addition = Addition("nothing", (), (Check(("-c", "print(1)"), "2"),), "nowhere")
    with pytest.raises(AdditionError, match="does not say '2'"):
        list(try_addition(addition))
