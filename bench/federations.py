"""Measure the size of a club's federation feed, and the time to check and add up several feeds."""

from __future__ import annotations

import argparse
import datetime
import gzip
import json
import random
import time
from collections.abc import Sequence
from typing import Any

from engine.federations import compute_federation_standings
from engine.ladders import Ladder, LadderFigure
from engine.signed_logs import generate_private_key, get_public_key
from federations.feed_files import FIGURES, MARK, VERSION, build_feed_file, parse_feed, read_feed_file, sign_feed

FIRST_NIGHT = datetime.date(2026, 1, 6)


def main(arguments: Sequence[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="bench federations")
    parser.add_argument("--clubs", type=int, default=5)
    parser.add_argument("--nights", type=int, default=40)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=4)
    options = parser.parse_args(arguments)
    chance = random.Random(1)
    files = [
        _build_feed_file(chance, club, options.nights, options.tables, options.rounds) for club in range(options.clubs)
    ]
    started = time.process_time()
    signed = [read_feed_file(file) for file in files]
    assert all(each.is_signed for each in signed)
    feeds = [parse_feed(each) for each in signed]
    checked_at = time.process_time()
    ladder = Ladder(name="points", counts=LadderFigure.RANK_POINTS)
    found = compute_federation_standings(
        feeds, ladder, FIRST_NIGHT, FIRST_NIGHT + datetime.timedelta(weeks=options.nights)
    )
    added_at = time.process_time()
    return {
        "kilobytes_of_a_file": len(files[0]) // 1024,
        "kilobytes_packed": len(gzip.compress(files[0].encode())) // 1024,
        "nights": len(found.nights),
        "matches": sum(len(night.matches) for _, night in found.nights),
        "lines": len(found.ladder),
        "seconds_to_check": round(checked_at - started, 2),
        "seconds_to_add_up": round(added_at - checked_at, 2),
    }


def _build_feed_file(chance: random.Random, club: int, nights: int, tables: int, rounds: int) -> str:
    """Build a signed feed of a club whose people are one and a half times those present at a night."""
    people = [f"{chance.getrandbits(96):024x}" for _ in range(6 * tables)]
    private = generate_private_key()
    feed = {
        MARK: VERSION,
        "id": f"{club:032x}",
        "number": 1,
        "at": "2026-11-23T20:00:00+00:00",
        "club": f"Club {club}",
        "key": get_public_key(private),
        "keys": [],
        "people": {each: {"name": f"Aline {each[:4]}", "is_rated": True, "identities": []} for each in people},
        "nights": [_build_night(chance, people, number, tables, rounds) for number in range(nights)],
        "dates": [],
    }
    return build_feed_file(json.dumps(feed, separators=(",", ":")), sign_feed(feed, private=private))


def _build_night(chance: random.Random, people: Sequence[str], number: int, tables: int, rounds: int) -> dict[str, Any]:
    present = chance.sample(people, 4 * tables)
    pairs = [present[place : place + 2] for place in range(0, len(present), 2)]
    matches: list[Any] = []
    for _ in range(rounds):
        seated = chance.sample(pairs, len(pairs))
        matches += [[*seated[place : place + 2], chance.choice("AB")] for place in range(0, len(seated), 2)]
    return {
        "id": f"{number:024x}",
        "name": f"Night {number}",
        "held_on": (FIRST_NIGHT + datetime.timedelta(weeks=number)).isoformat(),
        "page": f"/e/night-{number}",
        "revision": 1,
        "line": number + 1,
        "places": [
            {"entry": place, "rank": place, "people": pair, **dict.fromkeys(FIGURES, 2)}
            for place, pair in enumerate(pairs, start=1)
        ],
        "matches": matches,
    }
