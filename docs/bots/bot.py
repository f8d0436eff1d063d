"""A bot in plain Python: it takes a win if it sees one, and any legal move otherwise."""

import json
import random
import sys


def reset(game, fen=None):
    """Return a position as a dict, from the start of the game or from POOL TOTALS SEAT [PREV]."""
    start = game["start"] if isinstance(game["start"], list) else [game["start"]]
    totals = start * 2 if game["totals"] == "own" and len(start) == 1 else start
    if not fen:
        return {"pool": list(game["pool"]), "totals": list(totals), "seat": 0, "before": None}
    before = fen[3].split(",")[0] if len(fen) > 3 and fen[3] != "-" else None
    return {
        "pool": [int(n) for n in fen[0].split(",")] if fen[0] != "-" else [],
        "totals": [int(n) for n in fen[1].split("/")],
        "seat": int(fen[2]) - 1,
        "before": amount(game, before) if before else None,
    }


def number(game, move):
    """Return the number that a move takes: where a game only adds, the sign is the number's own."""
    return int(move) if len(game["operations"]) == 1 else int(move[1:])


def amount(game, move):
    """Return what a move adds to a total."""
    return -number(game, move) if move[0] == "-" and len(game["operations"]) == 2 else number(game, move)


def play(game, at, move):
    """Play a move; after `swap` it is the same seat's turn, with the other player in it."""
    if move == "swap":
        return
    at["pool"].remove(number(game, move))
    at["pool"] = at["pool"] or list(game["pool"])  # sudden death: an empty pool is filled again
    at["totals"][at["seat"] % len(at["totals"])] += amount(game, move)
    at["before"] = amount(game, move)
    at["seat"] = 1 - at["seat"]


def choose(game, at):
    """Return a move that reaches the target where that wins, else any legal one."""
    signs = ["+", "-"][: len(game["operations"])]
    every = [f"{s}{n}" if len(signs) == 2 else f"{n:+d}" for n in sorted(set(at["pool"])) for s in signs]
    if game["ban"] == "mirror" and at["before"] is not None:
        every = [m for m in every if amount(game, m) != -at["before"]] or every
    total = at["totals"][at["seat"] % len(at["totals"])]
    wins = [m for m in every if total + amount(game, m) == game["target"]] if game["reaching"] == "wins" else []
    return random.choice(wins or every)


def main():
    """Read lines and answer them."""
    game, at = {}, {}
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "ugi":
            print("id name Python example\nid author zerosum\nugiok", flush=True)
        elif word == "isready":
            print("readyok", flush=True)
        elif word == "rules":  # the values of TOML that come are also JSON
            lines = (sys.stdin.readline().partition("=") for _ in range(int(rest[0])))
            game = {key.strip(): json.loads(value) for key, _, value in lines}
        elif word == "position":
            cut = rest.index("moves") if "moves" in rest else len(rest)
            at = reset(game, rest[1:cut])
            for move in rest[cut + 1 :]:
                play(game, at, move)
        elif word == "go":
            print("bestmove", choose(game, at), flush=True)
        elif word == "quit":
            return


if __name__ == "__main__":
    main()
