"""Whole random tournaments of every format, each round held against rules that know nothing of the draw.

What breaks a rule, or ends in an exception, is told with the format and the seed that play it again:
`bench tournaments --format F --seed S --count 1`.
"""

from __future__ import annotations

import argparse
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from bench.simulated.by_price import nobody_sits_out_above_the_lowest
from bench.simulated.course import Course, courses
from bench.simulated.formats import OWN, PLAYED, Own
from bench.simulated.laws import LAWS, gist
from bench.simulated.truths import every_reason_is_true
from engine.draws import Format

BYE_LAW = nobody_sits_out_above_the_lowest.__name__
SEEDS = 10
"""So many are told of each kind of failure."""


class Failure(NamedTuple):
    """A law or the name of an exception, and what there is to say about it."""

    format: str
    seed: int
    round: int
    broken: str
    told: str
    is_exception: bool = False


def main(argv: list[str]) -> dict[str, Any]:
    """How many tournaments were played, what broke, and a digest of all draws, to compare two machines."""
    parser = argparse.ArgumentParser(prog="bench tournaments")
    parser.add_argument("--count", type=int, default=1000, help="tournaments in all, formats in turn")
    parser.add_argument("--seed", type=int, default=1, help="of the first tournament of each format")
    parser.add_argument("--format", choices=sorted(PLAYED), action="append", help="only this one; repeatable")
    options = parser.parse_args(argv)

    begun = perf_counter()
    keys = options.format or sorted(PLAYED)
    played: Counter[str] = Counter()
    failures: list[Failure] = []
    rounds, byes, digest = 0, 0, sha256()
    for key in islice(cycle(keys), options.count):
        seed = options.seed + played[key]
        played[key] += 1
        course, found = tournament(PLAYED[key], seed)
        failures += found
        rounds += len(course.rounds) if course else 0
        byes += sum(len(each.byes) for each in course.rounds) if course and key == "swiss" else 0
        digest.update(repr([gist(each.drawn, {}) for each in course.rounds] if course else None).encode())
    return {
        "tournaments": options.count,
        "formats": dict(played),
        "rounds": rounds,
        "rules_broken": sum(not failure.is_exception for failure in failures),
        "exceptions": sum(failure.is_exception for failure in failures),
        "swiss_byes": byes,
        "byes_above_the_lowest": sum(failure.broken == BYE_LAW for failure in failures),
        "seconds": round(perf_counter() - begun, 1),
        "digest": digest.hexdigest()[:16],
        "failures": _told(failures),
    }


def tournament(drawn_by: Format, seed: int) -> tuple[Course | None, list[Failure]]:
    """The tournament of this format and seed as far as it went, and what was wrong with it."""
    own = OWN.get(drawn_by.key, Own())
    course: Course | None = None
    found: list[Failure] = []
    try:
        for course in courses(drawn_by, own.habits, seed):
            number = course.rounds[-1].before.round
            found += (Failure(drawn_by.key, seed, number, *wrong) for wrong in _wrong(course, own))
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
        place = traceback.extract_tb(error.__traceback__)[-1]
        told = f"{error} ({place.name}, {Path(place.filename).name}:{place.lineno})"
        number = 1 + len(course.rounds if course else ())
        found.append(Failure(drawn_by.key, seed, number, type(error).__name__, told, is_exception=True))
    return course, found


def _wrong(course: Course, own: Own) -> Iterator[tuple[str, str]]:
    """Which laws the last round breaks, or, once it is over, the whole."""
    this = course.rounds[-1]
    for law in (*LAWS, every_reason_is_true, *own.laws):
        if law not in own.spared:
            yield from ((law.__name__, told) for told in law(course, this))
    if course.is_over:
        for end in own.ends:
            yield from ((end.__name__, told) for told in end(course))


def _told(failures: Sequence[Failure]) -> list[dict[str, Any]]:
    """Each kind of failure with the first that showed it, and the seeds of others."""
    kinds: dict[tuple[str, str], list[Failure]] = {}
    for failure in failures:
        kinds.setdefault((failure.format, failure.broken), []).append(failure)
    return [
        {
            "format": key,
            "broken": broken,
            "times": len(found),
            "seeds": list(dict.fromkeys(failure.seed for failure in found))[:SEEDS],
            "first": f"round {found[0].round}: {found[0].told}",
        }
        for (key, broken), found in kinds.items()
    ]
