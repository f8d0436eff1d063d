"""Turns sentences with two names, or with `you` and `they` exchanged, into those that one reader reads."""

from __future__ import annotations

import re

VERBS = {
    "answers": "answer",
    "begins": "begin",
    "ends": "end",
    "has": "have",
    "is": "are",
    "loses": "lose",
    "makes": "make",
    "moves": "move",
    "needs": "need",
    "passes": "pass",
    "plays": "play",
    "runs": "run",
    "takes": "take",
    "wins": "win",
    **{verb: verb for verb in ("can", "cannot", "must", "and")},
}
"""What may follow a name that is a subject, and how it goes with `you` and `they`."""
OWN = {"you": "your", "they": "their"}
OBJECT = {"you": "you", "they": "them"}


def spoken(text: str, you: str, they: str) -> str:
    """Return a text in which `you` made the move and `they` answer it."""
    for name, who in ((you, "you"), (they, "they")):
        text = text.replace(f"{name}'s", OWN[who]).replace(f"{name} can answer", f"{name} answers")
        text = re.sub(
            rf"\b{name}(?: (\w+))?\b",
            lambda found, who=who: (  # type: ignore[misc]  # mypy cannot see the type of a match here
                f"{who} {VERBS[found[1]]}"
                if found[1] in VERBS
                else f"{OBJECT[who]} {found[1]}"
                if found[1]
                else OBJECT[who]
            ),
            text,
        )
    text = re.sub(r"\b(you|they) (have lost or) has\b", r"\1 \2 have", text)
    return re.sub(r"(^|\. )(you|they|your|their)\b", lambda found: found[1] + found[2].capitalize(), text)


def exchanged(text: str) -> str:
    """Return a text in which `you` and `they` have changed places."""
    verbs = {*VERBS.values(), "lost"}

    def other(found: re.Match[str]) -> str:
        before, word, after = found[1] or "", found[2].lower(), found[3]
        if word == "you":
            word = "they" if after in verbs and before not in ("let ", "lets ") else "them"
        else:
            word = {"they": "you", "them": "you", "your": "their", "their": "your"}[word]
        return before + (word.capitalize() if found[2][0].isupper() else word)

    return re.sub(r"\b(lets? )?(you|they|them|your|their)\b(?=(?: (\w+))?)", other, text, flags=re.IGNORECASE)
