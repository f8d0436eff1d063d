"""A "model" that reads the rules but not the position: it names the largest number, gone or not.

After six moves it loses the thread and names none. So its replies are often illegal or cannot be read:
zerosum exam run public --command "python docs/models/hasty.py" --out run
"""

import re
import sys


def reply(prompt):
    """Return a reply to a prompt of an exam."""
    if prompt.count(" played ") > 6:
        return "There are many ways to go on from here. Let me think about each of them in turn."
    pool = re.search(r"^- The \w+: ([-\d, ]+)", prompt, re.MULTILINE)[1]
    return f"The largest number must be the best.\nMOVE: +{max(map(int, pool.split(', ')))}"


if __name__ == "__main__":
    print(reply(sys.stdin.read()))
