"""What tests of security look at, in full where a test takes a part, with figures for whoever reads."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import itemgetter

from tests.reliability.report import Harness, Report, Say
from tests.security import origins, seats, uploads
from tests.security.attacks import BYTES, GAMES, OTHERS, ROOMS, TABLES
from tests.security.calling import somebody
from tests.security.colliding import collide
from tests.security.contract import schemathesis_full
from tests.security.honest import going_on
from tests.security.listening import Listener
from tests.security.permitted import MOST_MIB, P50_MS, P99_MS, Felt, measure
from tests.security.planted import NO_RATES, changed
from tests.security.seating import NO_PATIENCE, SCENES, open_online
from tests.security.sharing import ask_much
from tests.security.uploads import watched
from tests.server.running import served

REFUSED_SECONDS = 1.0
HONEST_SECONDS = 2.0
ATTACK_SECONDS = 30


def _contract(say: Say) -> Iterator[Report]:
    """Hold the API to its description, with poison of all kinds."""
    say("some minutes")
    report = Report("9", "the API as it is described")
    with served(command=changed(NO_RATES)) as server:
        found = schemathesis_full(server.url)
        report.check(found.clean, found.text[-2_000:])
        report.check('"level": "error"' not in server.log, "there are errors in the log")
    report.broken += found.failures
    report.figures = {
        "operations": found.operations,
        "cases": found.cases,
        "of these accepted": found.accepted,
        "failures": len(found.failures),
    }
    yield report


def _origins(say: Say) -> Iterator[Report]:
    """Call with every kind of host and origin."""
    report = Report("17", "other sites and bent names")
    with served() as server:
        target, host = origins.target_at(server), f"127.0.0.1:{server.port}"
        hosts, pages = origins.hosts_of(server.port), origins.origins_of("http", host, server.port)
        say("hosts")
        report.broken += origins.check_hosts(target, *hosts)
        say("origins")
        report.broken += origins.check_origins(target, host, *pages)
    report.figures = {
        "hosts": len(hosts[0]) + len(hosts[1]),
        "origins": len(pages[0]) + len(pages[1]) + 1,
        "each with methods and keys": len(origins.METHODS) * len(origins.KEYS),
    }
    yield report


def _seats(say: Say) -> Iterator[Report]:
    """Let everybody try everything that is another's."""
    report = Report("18", "nobody for anybody else")
    report.broken += seats.unknown()
    with served(command=changed(NO_RATES + NO_PATIENCE)) as server:
        listener = Listener()
        elsewhere = open_online(server, listener)
        for door in seats.DOORS:
            for command in SCENES:
                say(f"{command} by {door}")
                report.broken += seats.check_command(server, listener, command, door, elsewhere)
        say("what is shown")
        report.broken += seats.check_reads(server, listener, elsewhere)
        report.broken += listener.leaks()
    report.figures = {
        "commands": len(SCENES),
        "doors": len(seats.DOORS),
        "routes": len(seats.routes()),
        "answers listened to": len(listener.told),
    }
    yield report


def _uploads(say: Say) -> Iterator[Report]:
    """Send every hostile file by every way, while honest people play."""
    report = Report("13", "hostile uploads")
    with served(command=changed(NO_RATES)) as server:
        ann = somebody(server, "Ann")
        ann.call("POST", "/api/v1/analyze", {"game": "sum31"})
        taken: list[float] = []
        with watched(server) as memory, going_on(server) as match:
            for name, call in uploads.uploads(ann):
                say(name)
                began = time.perf_counter()
                reply = call()
                taken.append(time.perf_counter() - began)
                report.check(400 <= reply.status < 500, f"{name}: {reply.status} {reply.text[:200]}")
    report.check_time(max(taken), REFUSED_SECONDS, "a refusal took")
    report.check_time(max(match.seconds), HONEST_SECONDS, "an honest move took")
    report.check(max(memory) < uploads.MEMORY, f"the server needed {max(memory) / 2**20:.0f} MiB")
    report.figures = {
        "uploads": len(taken),
        "slowest refusal": f"{max(taken):.2f} s",
        "slowest honest move": f"{max(match.seconds):.2f} s",
        "memory": f"{max(memory) / 2**20:.0f} MiB",
    }
    yield report


def _collisions(say: Say) -> Iterator[Report]:
    """Take the ids of a computer's events."""
    say("against computers")
    with served(command=changed(NO_RATES)) as server:
        yield collide(server)


def _sharing(say: Say) -> Iterator[Report]:
    """Ask so much from one address that others would wait."""
    say("questions")
    with served() as server:
        yield ask_much(server)


def _attacks(what: str, names: Sequence[str], say: Say) -> Iterator[Report]:
    """Attack in every way of a sort, each alone, while honest people play."""
    say(f"{len(names)} attacks")
    found = measure(names, ATTACK_SECONDS)
    bound = (
        f"honest p50 at most {P50_MS:g} ms, p99 {P99_MS:g} ms; memory {MOST_MIB:g} MiB more; desk and places answered"
    )
    report = Report("21", f"each attack alone, {what}", bound=bound)
    report.broken = [f"{name}: {one}" for name, felt in found.items() for one in felt.broken()]
    report.late = [f"{name}: {one}" for name, felt in found.items() for one in felt.slow()]
    report.figures = {"attacks": len(found), "seconds of each": ATTACK_SECONDS}
    figures: dict[str, Callable[[Felt], float]] = {
        "honest p50, ms": lambda felt: felt.ms(0.5),
        "honest p99, ms": lambda felt: felt.ms(0.99),
        "memory grew by, MiB": lambda felt: felt.growth,
        "kept, MiB": lambda felt: felt.kept,
        "slowest desk or place, ms": lambda felt: 1000 * max(felt.looks),
    }
    for figure, of in figures.items():
        name, worst = max(((name, of(felt)) for name, felt in found.items()), key=itemgetter(1))
        report.figures[figure] = f"{worst:.1f} at most ({name})"
    again = [name for name, felt in found.items() if felt.of > 1]
    report.figures["middle one of three attacks"] = ", ".join(again) or "none"
    yield report


HARNESSES: dict[str, Harness] = {
    "contract": _contract,
    "origins": _origins,
    "seats": _seats,
    "uploads": _uploads,
    "collisions": _collisions,
    "sharing": _sharing,
    # In parts, since each attack takes half a minute and a harness that breaks keeps nothing.
    "attacks by games": partial(_attacks, "games", list(GAMES)),
    "attacks by tables": partial(_attacks, "tables", list(TABLES)),
    "attacks by rooms": partial(_attacks, "rooms", list(ROOMS)),
    "attacks by others": partial(_attacks, "others", list(OTHERS)),
    "attacks by bytes": partial(_attacks, "bytes", list(BYTES)),
}
