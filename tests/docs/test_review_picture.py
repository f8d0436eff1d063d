"""The picture of a review's page says which page it shows."""

from pathlib import Path

from tools import make_review_picture

ROOT = Path(__file__).resolve().parents[2]


def test_the_picture_is_a_png_that_names_its_page() -> None:
    picture = make_review_picture.PICTURE.read_bytes()
    assert picture.startswith(make_review_picture.SIGNATURE)
    assert len(make_review_picture.mark_of(picture)) == 64
    assert len(picture) < 200_000


def test_a_mark_can_be_read_again_and_another_page_has_another(tmp_path: Path) -> None:
    picture = make_review_picture.PICTURE.read_bytes()
    assert make_review_picture.mark_of(make_review_picture.marked(picture, "0" * 64)) == "0" * 64
    page = tmp_path / "page.html"
    make_review_picture.write_page(page)
    text = page.read_text(encoding="utf-8")
    digest = make_review_picture.digest_of(text)
    assert digest != make_review_picture.digest_of(text.replace("Ann", "Eve"))
    assert digest == make_review_picture.digest_of(text.replace("<script>", "<script>// finer\n"))


def test_the_match_in_the_picture_is_the_one_on_the_page() -> None:
    page = (ROOT / "docs" / "learn.md").read_text(encoding="utf-8")
    match = make_review_picture.MATCH.relative_to(ROOT / "docs").as_posix()
    assert f"\n```made\nrun review {match}\n```\n" in page
    assert "(images/review.png)" in page
