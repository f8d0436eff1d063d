"""Computes the figures of the cards that come with the games, and writes them into their files.

Run it after a change of a card or of a level; name games to do these alone. With `--check` nothing is written, and the
exit status is 1 if a figure has drifted. All five take about ten minutes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from zerosum.rules.game_files import GAME_IDS, built_in
from zerosum.solver import solution_of
from zerosum.strategy.card_figures import against
from zerosum.strategy.card_files import CARDS_FOLDER
from zerosum.strategy.card_report import CardReport, report_of
from zerosum.strategy.lookahead import Sight
from zerosum.strategy.prover import needed_rules

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
    return f"{_FIGURES}{counts}\n{_prefixes(report)}\n[figures.against]\n{scores}"


def _prefixes(report: CardReport) -> str:
    """Return the scores of somebody who knows none of the rules, the first alone, and so on, but not all."""
    sight = Sight(report.rules)
    rows = [against(report.card.prefix(count), sight) for count in range(len(report.card.rules))]
    lines = [", ".join(f"[{round(one.as_first, 9)}, {round(one.as_second, 9)}]" for one in row) for row in rows]
    return "prefixes = [\n" + "".join(f"  [{line}],\n" for line in lines) + "]\n"


def main() -> int:
    """Write or check the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAME_IDS)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a figure has drifted")
    options = parser.parse_args()
    drifted = []
    for game in options.games:
        path = Path(CARDS_FOLDER) / f"{game}.toml"
        rules = path.read_text(encoding="utf-8").partition(_FIGURES)[0]
        new = rules + figures(report_of(solution_of(built_in(game)), recompute=True))
        drifted.append(renew(path, new, check=options.check))
    return 1 if options.check and any(drifted) else 0


if __name__ == "__main__":
    sys.exit(main())
