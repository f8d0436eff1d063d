"""The picture of a table's page says which page it shows."""

from pathlib import Path

from tools import make_table_picture
from tools.make_review_picture import SIGNATURE, mark_of
from zerosum import read_match

ROOT = Path(__file__).resolve().parents[2]
PAGE = (
    '<main id="main"><h1>Sum31</h1><b>{}</b><details class="table-facts"><input value="{}">{}</details></main>'
    "<footer>below</footer>"
)


def test_the_picture_is_a_png_that_names_its_page() -> None:
    picture = make_table_picture.PICTURE.read_bytes()
    assert picture.startswith(SIGNATURE)
    assert len(mark_of(picture)) == 64
    assert len(picture) <= 120_000


def test_a_page_with_other_words_has_another_hash_and_one_with_other_secrets_has_not() -> None:
    page = PAGE.format("Ann", "code-1", "code-1")
    assert make_table_picture.words_of(page) == "Sum31 Ann"
    digest = make_table_picture.digest_of(page)
    assert digest == make_table_picture.digest_of(PAGE.format("Ann", "code-2", "code-2"))
    assert digest == make_table_picture.digest_of(page.replace("<h1>", '<h1 class="finer">'))
    assert digest != make_table_picture.digest_of(PAGE.format("Eve", "code-1", "code-1"))


def test_somebody_is_to_move_in_it() -> None:
    match = read_match(make_table_picture.RECORD)
    assert match.outcome is None
    assert match.setup.name(match.to_move) == "Ann"


def test_it_is_shown() -> None:
    text = (ROOT / "docs" / "online.md").read_text(encoding="utf-8")
    assert "images/table.png)" in text
    assert "the total at 19" in text
