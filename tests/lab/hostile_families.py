"""Family files that mean harm, and what each is refused with."""

from __future__ import annotations

from pathlib import Path

FAMILY = {
    "head": 'format = 1\nname = "x"\nlike = "sum31"\n',
    "n": 'n = "1..9"\n',
    "set": 'pool = "1..n"\ntarget = "n"\n',
    "columns": "",
}
HOSTILE_FAMILIES: dict[str, tuple[dict[str, str], str]] = {
    "range of 10^9": ({"n": 'n = "1..1000000000"'}, "n: a range of 1,000,000,000 numbers"),
    "range of 10^12": ({"n": 'n = "-999999999999..999999999999"'}, "n: a range of 1,999,999,999,999 numbers"),
    "range of ranges": ({"n": 'n = "1..5000"\nT = "1..5000"'}, "more than 5,000 games"),
    "many empty ranges": ({"n": 'n = "1..5000"\nT = "1..0"'}, "no game at all"),
    "pool of 10^9": ({"set": 'pool = "1..1000000000"\ntarget = 1'}, "pool: a range of 1,000,000,000 numbers"),
    "pool of 10^5": ({"set": 'pool = "1..100000"\ntarget = 1'}, "pool: must be a list of 1 to 64 numbers"),
    "pool of ranges": ({"set": "pool = [" + '"1..9",\n' * 7_000 + "]\ntarget = 1"}, "pool: must be a list of 1 to 64"),
    "nested arrays": ({"n": "n = " + "[" * 5_000 + "]" * 5_000}, "nested too deeply"),
    "nested pool": ({"set": "pool = " + "[" * 200 + "1" + "]" * 200 + "\ntarget = 1"}, "pool: number 1 of the list"),
    "nested start": ({"set": "start = " + "[" * 200 + "1" + "]" * 200 + "\ntarget = 1"}, "start: "),
    "deep parentheses": (
        {"set": f'pool = "1..n"\ntarget = "{"(" * 90}n{")" * 90}"'},
        "target: column 17: nested more than 16",
    ),
    "parentheses of 60 KB": ({"set": f'pool = "1..n"\ntarget = "{"(" * 60_000}"'}, "target: 60,000 characters"),
    "signs": ({"set": f'pool = "1..n"\ntarget = "{"-" * 199}n"'}, "target: column 17: nested more than 16"),
    "division by zero": ({"set": 'pool = "1..n"\ntarget = "7/(n-n)"'}, "target: column 2: division by zero"),
    "power": ({"set": 'pool = "1..n"\ntarget = "9**9**9"'}, "target: column 2: found '**'; powers are not allowed"),
    "product": ({"set": f'pool = "1..n"\ntarget = "{"*".join(["999999"] * 28)}"'}, "target: column 14: more than"),
    "giant integer": ({"set": 'pool = "1..n"\ntarget = ' + "9" * 60_000}, "too large"),
    "giant number in text": ({"n": f'n = "1..{"9" * 190}"'}, "n: column 4: '999"),
    "many parameters": (
        {"n": "".join(f'p{n} = "1..2"\n' for n in range(3_000))},
        "3000 of them; a family has one or 2",
    ),
    "long name of a parameter": ({"n": "a" * 60_000 + ' = "1"'}, "not a name"),
    "many keys": ({"set": "".join(f"k{n} = 1\n" for n in range(5_000))}, "[set] k0: unknown key"),
    "many sequences": ({"columns": "sequences = [" + '{ name = "x" },' * 4_000 + "]"}, "at most 16 tables"),
    "many columns": ({"columns": "tabulate = [" + '"x",' * 15_000 + "]"}, "tabulate: must be a list of winner"),
    "64 KiB of comments": ({"columns": "# " + "x" * 70_000}, "larger than 64 KiB"),
}
LATE = {
    "last of many": (
        {"n": 'n = "1..5000"', "set": 'pool = "1..9"\ntarget = "n+9+1/(n-5000)"'},
        "division by zero where n = 5000",
    ),
    "last of many large": (
        {"n": 'n = "1..5000"', "set": 'pool = ["1..32", "1..32"]\nstart = 9999\ntarget = "n+4999"'},
        'overshoot: "loses" needs a start that is not the target. This is so where n = 5000',
    ),
}


def write(path: Path, parts: dict[str, str]) -> None:
    """Write a family with some of its parts changed."""
    one = FAMILY | parts
    path.write_text(f"{one['head']}[parameters]\n{one['n']}\n[set]\n{one['set']}\n[columns]\n{one['columns']}\n")
