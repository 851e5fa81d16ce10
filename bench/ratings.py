"""Measure ratings and records of a large club: two full recomputations, and the pages.

Members attend nights in random order, and every hand is marked. The club is in its own process and data folder
(or on DATABASE_URL). The time of a page is the median of twenty.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import Any
from uuid import UUID

import django

PROJECT = Path(__file__).resolve().parent.parent
PATTERNS, HANDS = 60, 8
TIMES = 20
FIRST_NIGHT = datetime.date(2017, 9, 5)


def main(argv: list[str]) -> dict[str, Any]:
    """Return the options, ``matches``, seconds of both recomputations, ``peak_mb``, and milliseconds by page."""
    parser = argparse.ArgumentParser(prog="bench ratings")
    parser.add_argument("--members", type=int, default=5000)
    parser.add_argument("--seasons", type=int, default=10)
    parser.add_argument("--nights", type=int, default=30, help="a season")
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = vars(parser.parse_args(argv))
    with tempfile.TemporaryDirectory(prefix="charlemagne-bench-") as folder:
        result = subprocess.run(
            [sys.executable, "-m", "bench.ratings", json.dumps(options)],
            cwd=PROJECT,
            env={**os.environ, "CHARLEMAGNE_DATA": folder, "DJANGO_SETTINGS_MODULE": "config.settings"},
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    return options | dict(json.loads(result.stdout.splitlines()[-1]))


def measure(options: dict[str, int]) -> dict[str, Any]:
    import resource

    from operations.prepare_install import prepare_data_folder
    from tournaments.records.queries import list_meetings
    from tournaments.records.services import refresh_ratings

    prepare_data_folder()
    club = create_bench_club(options)
    figures: dict[str, Any] = {"matches": len(list_meetings(club.pk))}
    for name in ("first_seconds", "next_seconds"):
        started = perf_counter()
        refresh_ratings(club_id=club.pk)
        figures[name] = round(perf_counter() - started, 1)
    figures["peak_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return figures | {name: _measure_page(path) for name, path in _list_pages(club).items()}


def create_bench_club(options: dict[str, int]) -> Any:
    """Create a club whose nights have all ended, with every mark of every table."""
    from clubs.models import Person
    from clubs.services.clubs import create_club

    club = create_club(name="Bench")
    people = Person.objects.bulk_create(
        Person(club=club, name=f"Anne {number}", folded_name=f"anne {number}") for number in range(options["members"])
    )
    chance = Random(options["seed"])
    patterns = list(_build_patterns(chance))
    for number in range(options["seasons"] * options["nights"]):
        season, night = divmod(number, options["nights"])
        held_on = FIRST_NIGHT.replace(year=FIRST_NIGHT.year + season) + datetime.timedelta(weeks=night)
        present = chance.sample(people, min(len(people), 4 * options["tables"]))
        _play_night(club, held_on, number, present, options["rounds"], patterns, chance)
    return club


def _build_patterns(chance: Random) -> Iterator[tuple[list[dict[str, Any]], Mapping[str, Any]]]:
    """Yield matches of ``HANDS`` hands as they are marked, with their summaries."""
    from rules import CANADIAN, MatchFormat, PlayedHand, Side, fold, record_to_json
    from scoring.fold import build_summary

    for _ in range(PATTERNS):
        hands = []
        for _ in range(HANDS):
            tricks = chance.randint(4, 8)
            bid = chance.choice([5, 6, 6, 7])
            side = chance.choice(list(Side))
            hands.append(PlayedHand(side=side, contract=str(bid), made=tricks >= bid, tricks=tricks))
        state = fold(CANADIAN, MatchFormat(hands=HANDS), enumerate(hands, start=1))
        yield [dict(record_to_json(hand)) for hand in hands], build_summary(state, next_number=HANDS + 1)


def _play_night(
    club: Any,
    held_on: datetime.date,
    number: int,
    present: list[Any],
    rounds: int,
    patterns: list[Any],
    chance: Random,
) -> None:
    """Play one night, with partners and tables by lot in every round."""
    from rules import CANADIAN, MatchFormat
    from scoring.services.cards import issue_cards
    from tournaments.events.services.creation import create_event
    from tournaments.models import Event, Round

    tables = len(present) // 4
    event = create_event(
        club=club,
        name=f"Bench {number}",
        held_on=held_on,
        ruleset=CANADIAN,
        match_format=MatchFormat(hands=HANDS),
        table_count=tables,
    )
    cards = issue_cards(club=club, topic=event.topic, count=tables)
    for round_number in range(1, rounds + 1):
        chance.shuffle(present)
        round_row = Round.objects.create(event=event, number=round_number, state="closed", draw_format="random", seed=1)
        _seat_players(round_row, cards, present, [chance.choice(patterns) for _ in cards], chance)
    Event.objects.filter(pk=event.pk).update(state="ended")


def _seat_players(round_row: Any, cards: list[Any], present: list[Any], patterns: list[Any], chance: Random) -> None:
    from django.utils import timezone

    from scoring.models import Mark, Match, Player
    from tournaments.models import Table

    matches = Match.objects.bulk_create(
        Match(
            card=card,
            terms=round_row.event.terms,
            round_number=round_row.number,
            opened_at=timezone.now(),
            is_over=True,
            summary=summary,
        )
        for card, (_, summary) in zip(cards, patterns, strict=True)
    )
    Table.objects.bulk_create(
        Table(round=round_row, number=place, match=match) for place, match in enumerate(matches, start=1)
    )
    Player.objects.bulk_create(
        Player(match=match, seat=seat, person=present[4 * place + seat])
        for place, match in enumerate(matches)
        for seat in range(4)
    )
    Mark.objects.bulk_create(
        Mark(
            match=match,
            number=number,
            entry_key=UUID(int=chance.getrandbits(128)),
            record_data=record,
            status="current",
        )
        for match, (records, _) in zip(matches, patterns, strict=True)
        for number, record in enumerate(records, start=1)
    )


def _list_pages(club: Any) -> dict[str, str]:
    from tournaments.models import PersonRecord

    person = PersonRecord.objects.filter(club=club).order_by("-matches")[0].person_id
    stem = f"/c/{club.slug}"
    return {
        "ratings_ms": f"{stem}/ratings",
        "last_ratings_ms": f"{stem}/ratings?page=999",
        "records_ms": f"{stem}/records",
        "person_ms": f"{stem}/people/{person}",
    }


def _measure_page(path: str) -> float:
    from django.test import Client

    client, times = Client(headers={"host": "localhost"}), []
    for _ in range(TIMES):
        started = perf_counter()
        assert client.get(path).status_code == 200, path
        times.append(perf_counter() - started)
    return round(1000 * median(times), 1)


if __name__ == "__main__":
    django.setup()
    print(json.dumps(measure(json.loads(sys.argv[1]))))
