import json
import random
import sys

for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":
        print("id name My bot")
        print("ugiok", flush=True)
    elif word == "isready":
        print("readyok", flush=True)
    elif word == "rules":
        lines = [sys.stdin.readline().split(" = ") for _ in range(int(rest[0]))]
        rules = {key: json.loads(value) for key, value in lines}
        adds_only = rules["operations"] == ["add"]
    elif word == "position":
        pool = list(rules["pool"])
        if rest[0] == "fen":
            pool = [int(number) for number in rest[1].split(",")]
        moves = rest[rest.index("moves") + 1 :] if "moves" in rest else []
        for move in moves:
            pool.remove(int(move if adds_only else move[1:]))
    elif word == "go":
        number = random.choice(pool)
        print("bestmove", f"{number:+d}" if adds_only else f"{random.choice('+-')}{number}", flush=True)
    elif word == "quit":
        break
