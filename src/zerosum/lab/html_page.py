"""A report as one HTML page that needs nothing else: no script, no request.

Its policy names the hash of its style, so a browser takes nothing but that, whatever a name on it may hold.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from html import escape


def document(title: str, body: str) -> str:
    """Return the page; the title is text, the body is HTML."""
    with open(os.path.join(os.path.dirname(__file__), "report.css"), encoding="utf-8") as file:
        style = file.read()
    hashed = b64encode(sha256(style.encode()).digest()).decode()
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{hashed}'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>{style}</style>
</head>
<body>
<main>
<h1>{escape(title)}</h1>
{body}
</main>
</body>
</html>
"""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """Return a table that is scrolled where it is too wide; the first cell of a row is its head."""
    head = "".join(f'<th scope="col">{escape(one)}</th>' for one in heads)
    body = "\n".join(
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join(f"<td>{escape(one)}</td>" for one in row[1:])}</tr>'
        for row in rows
    )
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(caption)}"><table>'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )
