"""Names at a table: one normal form, and twins are the same name."""

from __future__ import annotations

import pytest

from zerosum.server.domain.new_table import TableRequest, check_person_name, open_request
from zerosum.server.domain.problems import Problem


def test_a_name_is_kept_in_its_normal_form() -> None:
    assert check_person_name("Zoe\u0308") == "Zo\u00eb"
    tags = open_request(TableRequest(game="sum31", opponent="here", name="Zoe\u0308", opponent_name="Bob")).data["tags"]
    assert isinstance(tags, dict)
    assert tags["Player1"] == "Zo\u00eb"


@pytest.mark.parametrize(("name", "other"), [("Zoe\u0308", "Zo\u00eb"), ("\uff21nn", "ANN"), ("\u0301", "Ann")])
def test_twins_and_bare_marks_are_refused(name: str, other: str) -> None:
    with pytest.raises(Problem, match=r"need different names|begins with a combining mark"):
        check_person_name(name, other)
