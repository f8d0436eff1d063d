"""Space and goal files that mean harm, and what each is refused with."""

from __future__ import annotations

SPACE = 'format = 1\nlike = "sum31"\n[vary]\n'
GOAL = "format = 1\n[goal]\n"
HOSTILE_SPACES: dict[str, tuple[str, str]] = {
    "range of 10^9": (SPACE + 'target = "1..1000000000"', "target: a range of 1,000,000,000 numbers"),
    "many long ranges": (SPACE + 'n = "1..100000"\ntarget = "n..n+99999"', "more than 10,000 values together"),
    "ranges of ranges": (SPACE + 'a = "1..99"\nb = "a..a+99"\nc = "b..b+99"\ntarget = "c..c"', "more than 10,000"),
    "range that is empty at last": (SPACE + 'n = "1..10000"\ntarget = "1..0*n"', "no game in this space"),
    "pool of 10^9": (SPACE + 'pool = "1..1000000000"', "pool: a range of 1,000,000,000 numbers"),
    "free pool of 10^9": (
        SPACE + 'pool = { free = { numbers = "1..1000000000", size = 3 } }',
        "a range of 1,000,000,000 numbers",
    ),
    "free pool of 10^5": (SPACE + 'pool = { free = { numbers = "1..100000", size = 3 } }', "must be 1 to 200 numbers"),
    "repeats": (SPACE + 'pool = { free = { numbers = "1..9", size = 3, repeats = 1000000000 } }', "repeats: must be"),
    "nested arrays": (SPACE + "target = " + "[" * 5_000 + "]" * 5_000, "nested too deeply"),
    "nested pools": (SPACE + "pool = " + "[" * 200 + "1" + "]" * 200, "pool: value 1 number 1 of the list"),
    "many values": (SPACE + "target = [" + "1," * 30_000 + "]", "of at most 20,000 values"),
    "many pools": (SPACE + "pool = [" + "[1]," * 12_000 + "[0]]", "0 is not allowed in a pool"),
    "many keys": (SPACE + "".join(f'k{n} = "1"\n' for n in range(5_000)), "a table of 1 to 32 keys"),
    "deep parentheses": (SPACE + f'target = "1..{"(" * 90}1{")" * 90}"', "nested more than 16 deep"),
    "power": (SPACE + 'target = "1..9**9**9"', "powers are not allowed"),
    "division by zero": (SPACE + 'n = "0..3"\ntarget = "1..9/n"', "division by zero"),
    "giant integer": (SPACE + "target = [" + "9" * 60_000 + "]", "too large"),
    "long expression": (SPACE + f'target = "1..{"1+" * 30_000}1"', "characters; at most 200"),
    "64 KiB of comments": (SPACE + "# " + "x" * 70_000, "larger than 64 KiB"),
}
HOSTILE_GOALS: dict[str, tuple[str, str]] = {
    "long path": (GOAL + f'"{"a" * 60_000}" = {{ min = 1 }}', "is not the path of a metric"),
    "path of dots": (GOAL + f'"first{".level:2" * 100}" = {{ min = 1 }}', "is not the path of a metric"),
    "many lines": (
        GOAL + "".join(f'"length.random.chances.{n}" = {{ min = 1 }}\n' for n in range(1_200)),
        "at most 100",
    ),
    "nested arrays": (GOAL + '"value.plies" = { in = ' + "[" * 5_000 + "]" * 5_000 + " }", "nested too deeply"),
    "nested in": (GOAL + '"value.plies" = { in = ' + "[" * 100 + "]" * 100 + " }", "`in` must be a list"),
    "giant integer": (GOAL + f'"value.plies" = {{ min = {"9" * 60_000} }}', "too large"),
    "large integer": (GOAL + f'"value.plies" = {{ min = {"9" * 4_000} }}', "min: must be a number"),
    "64 KiB of comments": (GOAL + "# " + "x" * 70_000, "larger than 64 KiB"),
}
