"""What MkDocs does not do by itself for `make site`: the same Markdown works here and on a code host.

What a program can print is made and put in: see `make_docs.py`. Pages that stand beside `docs/` come in below
`project/`, links to them are rewritten, and the navigation follows the lists of `docs/index.md`, each page where it is
named first. With `ZEROSUM_QUICK_SITE=1` what takes long is left out.
"""

from __future__ import annotations

import os
import posixpath
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # MkDocs loads this file alone.

from tools import make_docs  # noqa: E402 - after the path is set

QUICK: Final = "ZEROSUM_QUICK_SITE"
HOME: Final = "index.md"
BESIDE: Final = {
    "README.md": "project/readme.md",
    "ARCHITECTURE.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "LICENSE": "project/license.txt",
}
"""Files of the checkout, and where they are on the site."""
_SOURCES: Final = {there: here for here, there in BESIDE.items()}
_FENCED: Final = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
_LINK: Final = re.compile(r"\[((?:[^][]|\[[^]]*\])*)\]\(([^)\s#:]+)(#[^)\s]*)?\)")
_NAMED: Final = re.compile(r"\[([^]]+)\]\(([^)\s#:]+\.md)\)")

_MENDED: Final = (
    # Blocks of code that are wider than a phone scroll, and so must be reached by the keyboard.
    (re.compile(r"<pre>(<span></span><code>)"), r'<pre tabindex="0">\1'),
    (re.compile(r"<th( style=\"[^\"]*\")?></th>"), r"<td\1></td>"),
    (re.compile(r'(<div class="md-search" data-md-component="search" role="dialog")>'), r'\1 aria-label="Search">'),
)
"""What the theme and the Markdown leave wrong for a screen reader or a keyboard."""

Nav = list[dict[str, Any]]
"""Names, each with a page or with the names below it, as MkDocs takes it."""


def nav_of(index: str) -> Nav:
    """Return the navigation: the home page, then each section of it with the pages and the sections that it names."""
    seen = {HOME}
    return [{"Home": HOME}, *_sections(index, "## ", seen)]


def _sections(text: str, mark: str, seen: set[str]) -> Nav:
    """Return the sections of a text, each with its pages that were not seen before."""
    nav = []
    for section in re.split(rf"^{mark}", text, flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        below = _sections(body, f"#{mark}", seen)
        pages: Nav = []
        for name, link in _NAMED.findall(re.split(rf"^#{mark}", body, flags=re.MULTILINE)[0]):
            there = _on_site(posixpath.join("docs", link))
            if there not in seen:
                seen.add(there)
                pages.append({name: there})
        if pages or below:
            nav.append({_short(title): [*pages, *below]})
    return nav


def _short(title: str) -> str:
    words = title.removeprefix("For ")
    return words[:1].upper() + words[1:]


def _on_site(path: str) -> str:
    """Return where a file of the checkout is on the site; what is not there keeps its path, and MkDocs complains."""
    path = posixpath.normpath(path)
    return BESIDE.get(path, path.removeprefix("docs/"))


def relinked(markdown: str, name: str) -> str:
    """Return the text of a page with its links as the site needs them; code is left alone."""
    source = _SOURCES.get(name, f"docs/{name}")

    def link(found: re.Match[str]) -> str:
        words, path, anchor = found.groups(default="")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        target = _on_site(path)
        if (ROOT / path).is_dir() or (target == path and (ROOT / path).exists()):
            return words  # a folder, or a file of the checkout: the site has neither
        return f"[{_LINK.sub(link, words)}]({posixpath.relpath(target, posixpath.dirname(name) or '.')}{anchor})"

    return "".join(part if part.startswith("```") else _LINK.sub(link, part) for part in _FENCED.split(markdown))


def _beside(config: MkDocsConfig) -> Iterator[File]:
    for here, there in BESIDE.items():
        yield File.generated(config, there, content=(ROOT / here).read_text(encoding="utf-8"))


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Set the navigation."""
    config.nav = nav_of(make_docs.page(HOME))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that stand beside the documentation, and the pictures that are made."""
    for file in _beside(config):
        files.append(file)
    for name in make_docs.PICTURES:
        files.append(File.generated(config, f"images/{name}", content=make_docs.drawn(name)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make what a page does not hold itself, and rewrite its links."""
    del config, files
    return relinked(make_docs.filled(markdown, quick=os.environ.get(QUICK) == "1"), page.file.src_uri)


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Mend what keeps somebody from reading a page."""
    del page, config
    for wrong, right in _MENDED:
        output = wrong.sub(right, output)
    return output
