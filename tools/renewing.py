"""Files that a script makes: rewritten, or with `--check` only compared with fresh ones."""

from __future__ import annotations

from pathlib import Path


def renew(path: Path, text: str, *, check: bool) -> bool:
    """Rewrite a file, or with `check` only compare it; return whether it was out of date."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    if not check:
        path.write_text(text, encoding="utf-8")
    print(f"{path.name} {'is out of date' if check else 'is rewritten'}")
    return True
