"""Computes the figures of the cards that come with the games, and writes them into their files.

Run it after a change of a card or of a level; name games to do these alone. For a game that has no file, a card is
searched. With `--check` nothing is written, and the exit status is 1 if a figure has drifted. All take ten minutes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from zerosum.rules.game_files import built_in
from zerosum.solver import solution_of
from zerosum.strategy.card import CARDS_FOLDER
from zerosum.strategy.card_proof import needed_rules
from zerosum.strategy.card_report import CardReport, report_of

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # Of a script, only its own folder is on the path.

from tools.renewing import renew  # noqa: E402 - after the path is set

_FIGURES = "\n# Computed by tools/make_cards.py.\n[figures]\n"


def figures(report: CardReport) -> str:
    """Return the figures of a card as its file writes them."""
    if report.kept is None or not report.proof.proved:
        raise SystemExit(f"The card of {report.rules.name} is not proved: {report.proof.failure}.")
    scores = "".join(f'"{one.who}" = [{round(one.as_first, 9)}, {round(one.as_second, 9)}]\n' for one in report.against)
    needed = ", ".join(f'"{rule}"' for rule in needed_rules(report.card, report.rules))
    counts = f"needed = [{needed}]\nkept = [{report.kept.good}, {report.kept.choices}]"
    return f"{_FIGURES}{counts}\n\n[figures.against]\n{scores}"


def card_found(report: CardReport) -> str:
    """Return a card that was searched as its file writes it."""
    rules = ", ".join(f'"{rule}"' for rule in report.card.rules)
    return f"# The strategy card of {report.rules.name}.\nseat = {report.card.seat}\nrules = [{rules}]\n"


def main() -> int:
    """Write or check the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a figure has drifted")
    options = parser.parse_args()
    drifted = []
    for game in options.games or sorted(one.stem for one in Path(CARDS_FOLDER).glob("*.toml")):
        path = Path(CARDS_FOLDER) / f"{game}.toml"
        report = report_of(solution_of(built_in(game)), recompute=True)
        card = path.read_text(encoding="utf-8").partition(_FIGURES)[0] if path.exists() else card_found(report)
        drifted.append(renew(path, card + figures(report), check=options.check))
    return 1 if options.check and any(drifted) else 0


if __name__ == "__main__":
    sys.exit(main())
