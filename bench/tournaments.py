"""Simulate random tournaments of every format, and check each round by rules independent of the draw.

Failures and exceptions are reported with the format and the seed that reproduce them:
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

from bench.simulated.checks import ROUND_CHECKS, summarize_draw
from bench.simulated.course import Course, simulate_courses
from bench.simulated.formats import FORMAT_CHECKS, SIMULATED_FORMATS, FormatChecks
from bench.simulated.price_checks import check_lowest_bye_score
from bench.simulated.reason_checks import check_reasons
from engine.draws import Format

BYE_CHECK = check_lowest_bye_score.__name__
MAX_SEEDS = 10
"""Number of seeds that are reported for each kind of failure."""


class Failure(NamedTuple):
    """Broken rule, or exception, with its message."""

    format: str
    seed: int
    round: int
    check: str
    message: str
    is_exception: bool = False


def main(argv: list[str]) -> dict[str, Any]:
    """Return the numbers of tournaments, rounds, byes and failures, and a ``digest`` of all draws.

    The digest compares two machines. ``failures`` lists each kind with its seeds and first message.
    """
    parser = argparse.ArgumentParser(prog="bench tournaments")
    parser.add_argument("--count", type=int, default=1000, help="tournaments in all, formats in turn")
    parser.add_argument("--seed", type=int, default=1, help="of the first tournament of each format")
    parser.add_argument(
        "--format", choices=sorted(SIMULATED_FORMATS), action="append", help="only this one; repeatable"
    )
    options = parser.parse_args(argv)

    started = perf_counter()
    keys = options.format or sorted(SIMULATED_FORMATS)
    played: Counter[str] = Counter()
    failures: list[Failure] = []
    rounds, byes, digest = 0, 0, sha256()
    for key in islice(cycle(keys), options.count):
        seed = options.seed + played[key]
        played[key] += 1
        course, found = run_tournament(SIMULATED_FORMATS[key], seed)
        failures += found
        rounds += len(course.rounds) if course else 0
        byes += sum(len(each.byes) for each in course.rounds) if course and key == "swiss" else 0
        digest.update(repr([summarize_draw(each.draw, {}) for each in course.rounds] if course else None).encode())
    return {
        "tournaments": options.count,
        "formats": dict(played),
        "rounds": rounds,
        "rules_broken": sum(not failure.is_exception for failure in failures),
        "exceptions": sum(failure.is_exception for failure in failures),
        "swiss_byes": byes,
        "byes_above_the_lowest": sum(failure.check == BYE_CHECK for failure in failures),
        "seconds": round(perf_counter() - started, 1),
        "digest": digest.hexdigest()[:16],
        "failures": _summarize(failures),
    }


def run_tournament(draw_format: Format, seed: int) -> tuple[Course | None, list[Failure]]:
    """Play the tournament as far as it goes, and return it with its failures."""
    format_checks = FORMAT_CHECKS.get(draw_format.key, FormatChecks())
    course: Course | None = None
    failures: list[Failure] = []
    try:
        for course in simulate_courses(draw_format, format_checks.habits, seed):
            number = course.rounds[-1].draw_input.round
            failures += (
                Failure(draw_format.key, seed, number, *wrong) for wrong in _list_failures(course, format_checks)
            )
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what we look for
        place = traceback.extract_tb(error.__traceback__)[-1]
        message = f"{error} ({place.name}, {Path(place.filename).name}:{place.lineno})"
        number = 1 + len(course.rounds if course else ())
        failures.append(Failure(draw_format.key, seed, number, type(error).__name__, message, is_exception=True))
    return course, failures


def _list_failures(course: Course, format_checks: FormatChecks) -> Iterator[tuple[str, str]]:
    """Yield the rules that the last round breaks and, after the end, those that the whole breaks."""
    round_ = course.rounds[-1]
    for check in (*ROUND_CHECKS, check_reasons, *format_checks.laws):
        if check not in format_checks.spared:
            yield from ((check.__name__, message) for message in check(course, round_))
    if course.is_over:
        for course_check in format_checks.ends:
            yield from ((course_check.__name__, message) for message in course_check(course))


def _summarize(failures: Sequence[Failure]) -> list[dict[str, Any]]:
    """Group failures by kind, each with the first message and several seeds."""
    kinds: dict[tuple[str, str], list[Failure]] = {}
    for failure in failures:
        kinds.setdefault((failure.format, failure.check), []).append(failure)
    return [
        {
            "format": key,
            "broken": broken,
            "times": len(found),
            "seeds": list(dict.fromkeys(failure.seed for failure in found))[:MAX_SEEDS],
            "first": f"round {found[0].round}: {found[0].message}",
        }
        for (key, broken), found in kinds.items()
    ]
