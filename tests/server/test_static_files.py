"""What travels: compressed once or not at all, revalidated by name, and never compressed together with a key."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from fastapi import FastAPI
from starlette.datastructures import Headers

from tests.each import each
from tests.server.inside import Inside, Reply, inside
from zerosum.rules.game_files import GAME_IDS
from zerosum.screens.static_files import STATIC, static_files, static_url
from zerosum.server.http.kept_documents import accepts_gzip

HEADERS = [("host", "127.0.0.1:8031"), ("origin", "http://127.0.0.1:8031"), ("accept", "text/html")]


@each(
    ("text", "reads"),
    [
        ("gzip, deflate, br", True),
        ("deflate, GZIP;q=0.5", True),
        ("*", True),
        ("", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
        ("notgzip2", False),
    ],
)
def test_who_reads_gzip(text: str, reads: bool) -> None:
    assert accepts_gzip(Headers({"accept-encoding": text})) is reads


def test_scripts_are_as_plain_as_squeezing_needs() -> None:
    for path in STATIC.glob("*.js"):
        lines = path.read_text(encoding="utf-8").splitlines()
        assert not [line for line in lines if line.count("`") % 2], path.name
        assert not [line for line in lines if "/*" in line or line.rstrip() != line], path.name
        imported = re.findall(r'from "\./(.+?)"', "\n".join(lines))
        assert not [one for one in imported if "import " in (STATIC / one).read_text(encoding="utf-8")], path.name
        assert "import" not in re.findall(r"^\w+", static_files()[path.name].body.decode(), re.MULTILINE)
    for path in STATIC.glob("*.css"):
        # A line that ends inside a value would lose the space at which it was broken.
        text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert not re.findall(r"[^{};,\s] *$", text, re.MULTILINE), path.name


async def ask(client: Inside, path: str, *more: tuple[str, str]) -> tuple[Reply, dict[str, str], str]:
    """Ask as a browser that reads gzip; return the answer, its headers and its text."""
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    reply = await client._exchange(
        "GET", path, [*HEADERS, ("accept-encoding", "gzip"), ("cookie", cookies), *more], b""
    )
    headers = {name.decode(): value.decode() for name, value in reply.headers}
    body = gzip.decompress(reply.body) if headers.get("content-encoding") == "gzip" else reply.body
    return reply, headers, body.decode(errors="replace")


def test_files_are_compressed_and_revalidated(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        client = Inside(app)
        for path in ("/static/table.js", static_url("style.css")):
            reply, headers, text = await ask(client, path)
            assert headers["content-encoding"] == "gzip"
            assert headers["vary"] == "Accept-Encoding"
            assert int(headers["content-length"]) == len(reply.body) < len(text) / 2
            assert ("immutable" in headers["cache-control"]) is ("?v=" in path)
            again, _, nothing = await ask(client, path, ("if-none-match", headers["etag"]))
            assert (again.status, nothing) == (304, "")
            plain = await client.call("GET", path)
            assert plain.body.decode() == text
            assert b"content-encoding" not in dict(plain.headers)
        for path in ("/static/", "/static/nothing.css", "/static/../app.py", "/static//etc/passwd"):
            assert (await ask(client, path))[0].status == 404

    inside(tmp_path, talk)


def test_no_page_that_holds_a_key_is_compressed(tmp_path: Path) -> None:
    """Every page that shows a personal code, an invitation or a key goes out as it is; pages of other kinds do not."""

    async def talk(app: FastAPI) -> None:
        ann, ben = Inside(app), Inside(app)
        made = await ann.call("POST", "/tables", {"game": "sum31", "opponent": "human", "name": "Ann"}, form=True)
        place = dict(made.headers)[b"location"].decode()
        page = (await ann.call("GET", place)).body.decode()
        link = re.search(r"(/join/[^\"]+)\"", page)
        code = re.search(r'id="code-1"[^>]* value="([^"]+)"', page)
        assert link
        assert code
        secrets = [link[1], code[1], *ann.cookies.values()]
        pages = ["/", "/new", "/return", "/games", "/games/sum31", "/puzzles", "/learn", place, f"{place}/board"]
        seen = {}
        for client in (ann, ben):
            for path in (*pages, link[1], f"{place}/projector", "/nowhere"):
                _, headers, text = await ask(client, path)
                seen[client, path] = packed = headers.get("content-encoding") == "gzip"
                assert not (packed and any(one in text for one in secrets)), path
        assert not any(packed for (_, path), packed in seen.items() if path in (place, f"{place}/board", link[1]))
        assert all(seen[ben, path] for path in ("/", "/games/sum31", "/puzzles", "/learn"))

    inside(tmp_path, talk)


def test_an_invitation_shows_who_invites_to_what_and_the_picture_of_the_game(tmp_path: Path) -> None:
    async def talk(app: FastAPI) -> None:
        ann, ben = Inside(app), Inside(app)
        made = await ann.call("POST", "/tables", {"game": "sum31", "opponent": "human", "name": "Ann"}, form=True)
        table = (await ann.call("GET", dict(made.headers)[b"location"].decode())).body.decode()
        link = re.search(r"(/join/[^\"]+)\"", table)
        assert link
        _, _, page = await ask(ben, link[1])
        assert "<h1>Ann invites you to Sum31</h1>" in page
        assert '<meta property="og:title" content="Ann invites you to Sum31">' in page
        picture = re.search(r'og:image" content="http://127\.0\.0\.1:8031(/static/link-sum31\.png\?v=[0-9a-f]+)"', page)
        assert picture
        shown = await ben.call("GET", picture[1])
        assert dict(shown.headers)[b"content-type"] == b"image/png"
        assert shown.body[16:24] == (1200).to_bytes(4, "big") + (630).to_bytes(4, "big")

    inside(tmp_path, talk)


def test_every_listed_game_has_a_picture_for_links() -> None:
    assert {f"link-{game}.png" for game in GAME_IDS} <= set(static_files())
