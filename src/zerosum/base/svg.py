"""The elements of SVG, with which the pictures of pages, reports and notebooks are written."""

from __future__ import annotations

from html import escape


def element(tag: str, *inside: str, **attributes: object) -> str:
    """Return an element. In the name of an attribute `_` is a hyphen, and `class_` is `class`.

    The values of attributes are escaped; what is inside is markup already.

    >>> element("text", escape("a < b"), class_="n", text_anchor="middle")
    '<text class="n" text-anchor="middle">a &lt; b</text>'
    """
    written = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for name, value in attributes.items()
    )
    return f"<{tag}{written}>{''.join(inside)}</{tag}>" if inside else f"<{tag}{written}/>"


def title(text: str) -> str:
    """Return what a browser shows when a mouse points at an element, and what a screen reader reads."""
    return element("title", escape(text))
