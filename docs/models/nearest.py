"""A "model" that looks no move ahead: it takes what brings its total nearest to the target.

It reads the prompt on standard input and replies on standard output, as any model does:
zerosum exam run public --command "python docs/models/nearest.py" --out run
"""

import re
import sys


def reply(prompt):
    """Return a reply to a prompt of an exam."""
    left, after = re.search(r"^\w+ left: (.*)\.\n.*?: (-?\d+)", prompt, re.MULTILINE).groups()
    target = int(re.search(r"exactly (-?\d+)", prompt)[1])
    gap = target - int(after)
    if "sign of the operation" in prompt:
        moves = {f"{sign}{n}": int(f"{sign}1") * n for n in map(int, left.split(", ")) for sign in "+-"}
    else:
        moves = {f"{n:+}": n for n in map(int, left.split(", "))}
    move = min(moves, key=lambda move: abs(gap - moves[move]))
    return f"I need {gap} to get to {target}. The nearest to that is {moves[move]}.\nMOVE: {move}"


if __name__ == "__main__":
    print(reply(sys.stdin.read()))
