"""Files that a script makes: written anew, or with `--check` only compared with what they would be now."""

from __future__ import annotations

from pathlib import Path


def renew(path: Path, text: str, *, check: bool) -> bool:
    """Write a file anew, or with `check` only look at it; whether it was not what it should be."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    if not check:
        path.write_text(text, encoding="utf-8")
    print(f"{path.name} {'is not what it would be now: make it anew' if check else 'is written anew'}")
    return True
