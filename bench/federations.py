"""A federation: what a club's feed weighs, and how long it takes to check and add up several."""

from __future__ import annotations

import argparse
import datetime
import gzip
import json
import random
import time
from collections.abc import Sequence
from typing import Any

from engine.federations import federation_standings
from engine.ladders import Counts, Ladder
from engine.signed_logs import new_private_key, public_of
from federations.feed_files import (
    FIGURES,
    MARK,
    VERSION,
    feed_file,
    feed_in,
    read_feed_file,
    sign_feed,
)

FIRST = datetime.date(2026, 1, 6)


def main(arguments: Sequence[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="bench federations")
    parser.add_argument("--clubs", type=int, default=5)
    parser.add_argument("--nights", type=int, default=40)
    parser.add_argument("--tables", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=4)
    asked = parser.parse_args(arguments)
    chance = random.Random(1)
    files = [_file(chance, club, asked.nights, asked.tables, asked.rounds) for club in range(asked.clubs)]
    begun = time.process_time()
    signed = [read_feed_file(file) for file in files]
    assert all(each.is_signed for each in signed)
    feeds = [feed_in(each) for each in signed]
    checked = time.process_time()
    ladder = Ladder(name="points", counts=Counts.RANK_POINTS)
    found = federation_standings(feeds, ladder, FIRST, FIRST + datetime.timedelta(weeks=asked.nights))
    added_up = time.process_time()
    return {
        "kilobytes_of_a_file": len(files[0]) // 1024,
        "kilobytes_packed": len(gzip.compress(files[0].encode())) // 1024,
        "nights": len(found.nights),
        "matches": sum(len(night.matches) for _, night in found.nights),
        "lines": len(found.ladder),
        "seconds_to_check": round(checked - begun, 2),
        "seconds_to_add_up": round(added_up - checked, 2),
    }


def _file(chance: random.Random, club: int, nights: int, tables: int, rounds: int) -> str:
    """Of a club of half as many people again as come to a night."""
    people = [f"{chance.getrandbits(96):024x}" for _ in range(6 * tables)]
    private = new_private_key()
    feed = {
        MARK: VERSION,
        "id": f"{club:032x}",
        "number": 1,
        "at": "2026-11-23T20:00:00+00:00",
        "club": f"Club {club}",
        "key": public_of(private),
        "keys": [],
        "people": {
            each: {"name": f"Aline {each[:4]}", "is_rated": True, "identities": []} for each in people
        },
        "nights": [_night(chance, people, number, tables, rounds) for number in range(nights)],
        "dates": [],
    }
    return feed_file(json.dumps(feed, separators=(",", ":")), sign_feed(feed, private=private))


def _night(
    chance: random.Random, people: Sequence[str], number: int, tables: int, rounds: int
) -> dict[str, Any]:
    there = chance.sample(people, 4 * tables)
    pairs = [there[place : place + 2] for place in range(0, len(there), 2)]
    matches: list[Any] = []
    for _ in range(rounds):
        seated = chance.sample(pairs, len(pairs))
        matches += [[*seated[place : place + 2], chance.choice("AB")] for place in range(0, len(seated), 2)]
    return {
        "id": f"{number:024x}",
        "name": f"Night {number}",
        "held_on": (FIRST + datetime.timedelta(weeks=number)).isoformat(),
        "page": f"/e/night-{number}",
        "revision": 1,
        "line": number + 1,
        "places": [
            {"entry": place, "rank": place, "people": pair, **dict.fromkeys(FIGURES, 2)}
            for place, pair in enumerate(pairs, start=1)
        ],
        "matches": matches,
    }
