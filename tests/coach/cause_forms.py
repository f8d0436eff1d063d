"""The sentences that a cause may be told by, and which check each of them needs."""

from __future__ import annotations

M = r"((?:[+-]-?\d+)|swap)"
WHO = r"(you|they)"
DEED = (
    r"(makes? -?\d+|pass(?:es)? -?\d+|takes? the last number"
    r"(?:, closer to -?\d+|, farther from -?\d+|, and a tie goes to seat [12])?)"
)
T = r"(-?\d+)"
WHOM = r"(?:you|them)"
ON = "however both play on"
TIE = rf"the round is a tie and {WHO} begin the next"
AFTER_TWO = r"safe (number|move) after the second\."
FORMS: dict[str, list[tuple[str, str]]] = {
    "ends": [(rf"{M} {DEED}\.", "ends")],
    "leaves": [
        (rf"It leaves {T}, and {T} is still there\.", "leaves"),
        (rf"they are {T} from {T}, and {T} is still there\.", "from"),
        (rf"they answer {M} and {DEED}\.", "answers_and"),
    ],
    "stuck": [
        (rf"(The only|Every) number left takes (you|them) past {T}\.", "past"),
        (rf"Whatever {WHO} play, the match is a tie, which goes to seat ([12])\.", "lose_tie"),
        (rf"Whatever {WHO} play, {WHO} (.+)\.", "lose"),
    ],
    "settled": [
        (rf"{WHO} are {T} from {T} and the numbers left make only {T}; {WHO} end closer however both play on\.", "far"),
        (rf"Nobody can make {T} any more[,;] (.+)\.", "nobody"),
        (rf"However both play on, {WHO} (win|pass {T}|make {T})\.".replace(T, r"-?\d+"), "however"),
    ],
    "law": [
        (rf"{WHO} cannot make {T} now(?: \((.+)\))?\.", "cannot"),
        (r"(\d+) numbers? (?:is|are) left, an (odd|even) count, (.+)\.", "left"),
        (rf"If nobody makes {T}, {TIE}\.", "tie"),
        (rf"Without a {T} {TIE}(: get back|, after getting back) within {T} of {T}(?: first)?\.", "tie_far"),
        (rf"{WHO} are the (first|second) player, who wins by the law of this game\.", "seat"),
        (r"Out of reach again\.", "out_of_reach"),
        (r"Out of reach again, with (\d+) numbers? left\.", "out_of_reach"),
        (r"(\d+) numbers? left again, an (odd|even) count\.", "left_again"),
        (rf"{WHO} are still the (first|second) player\.", "seat"),
        (r"Whoever cannot make it loses\.", "whoever"),
        (r"In this game the player to move always loses\.", "whoever"),
    ],
    "no-safe-reply": [
        (rf"{WHO} have no safe (?:number|move): each (.+)\.", "each"),
        (rf"{WHO} have no safe (?:number|move): (.+)\.", "no_safe"),
    ],
    "guarding": [(rf"(From here|For {WHOM}) (.+): {WHO} run out of safe moves first\.", "guarding")],
    "forced": [(rf"(.+); then (the numbers are refilled and )?{WHO} play {M}, (.+)\.", "forced")],
    "next-no-safe-reply": [
        (rf"Whatever safe (number|move) {WHO} (?:take|make), {WHO} can then leave (you|them) (.+)\.", "next"),
        (
            rf"Whatever safe (number|move) {WHO} (?:take|make), {WHO} have an answer after which {WHO} win {ON}\.",
            "answered_settled",
        ),
        (rf"(.+): then {WHO} have (lost or have )?no safe (?:number|move)\.", "answers_then"),
    ],
    "answers": [(r"(.+)\.", "answers")],
    "replies": [(r"(.+)\.", "replies")],
    "next-forced": [
        (rf"Whatever two safe (number|move)s {WHO} (?:take|make), {WHO} can leave {WHOM} no {AFTER_TWO}", "in_two"),
        (rf"Whatever safe (?:number|move) {WHO} (?:take|make), {WHO} can then (.+)\.", "next_forced"),
        (rf"After every safe (?:number|move) but (.+?), {WHO} can then (.+)\.", "next_forced_but"),
    ],
    "none": [
        (r"There is no short reason: all (\d+) replies have been checked\.", "none"),
        (r"There is no short reason: the (only) reply has been checked\.", "none"),
        (rf"After {M} neither side can force an end\.", "draw"),
    ],
}
