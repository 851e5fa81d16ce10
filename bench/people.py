"""Measure a large club: searches, pages, seasons and erasures.

The club has members with invented names and seasons of 30 nights with 50 pairs each, whose standings are stored
as the worker stores them. It is created in its own data folder (or on DATABASE_URL). Times are the best of five,
in milliseconds on the server.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import django

from bench.standings import measure_best

PROJECT = Path(__file__).resolve().parent.parent
SEARCHES = ("", "roy", "sai", "jean-b", "zzz")
PAIRS, NIGHTS = 50, 30
ACTIONS = 40
"""Named lines in the history of each night."""
ERASED_COUNTS = (1, 40)
"""Numbers of people erased at once."""


def main(argv: list[str]) -> dict[str, Any]:
    """Return milliseconds: ``search_ms`` and ``page_ms`` by name, and times of single operations.

    These are ``one_row_ms`` (a query for one row), ``working_out_ms`` (the season standings) and ``forgetting_ms`` (an
    erasure, by number of people).
    """
    parser = argparse.ArgumentParser(prog="bench people")
    parser.add_argument("--members", type=int, default=5_000)
    parser.add_argument("--seasons", type=int, default=10)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="charlemagne-bench-") as folder:
        result = subprocess.run(
            [sys.executable, "-m", "bench.people", str(options.members), str(options.seasons)],
            cwd=PROJECT,
            env={
                **os.environ,
                "CHARLEMAGNE_DATA": folder,
                "CHARLEMAGNE_HOSTS": "testserver",
                "DJANGO_SETTINGS_MODULE": "config.settings",
            },
            check=True,
            capture_output=True,
            text=True,
        )
    figures: dict[str, Any] = json.loads(result.stdout.splitlines()[-1])
    return figures


def measure(members: int, seasons: int) -> dict[str, Any]:
    from django.test import Client

    from clubs.models import Person
    from clubs.people import get_people_page
    from clubs.services.accounts import create_account, make_owner
    from clubs.services.clubs import create_club
    from operations.prepare_install import prepare_data_folder
    from tournaments.fee_rates import Rates
    from tournaments.models import Season
    from tournaments.money.services.fees import change_rates
    from tournaments.seasons.services import refresh_seasons

    prepare_data_folder()
    owner = create_account(name="Owner", password="trente-deux points", language="fr")
    club = create_club(name="Bench")
    make_owner(club=club, account=owner)
    people = _create_members(club, members)
    for year in range(seasons):
        _create_season(club, people, 2016 + year)
    last = Season.objects.filter(club=club).latest("pk")
    Season.objects.exclude(pk=last.pk).update(closed_at=datetime.datetime.now(tz=datetime.UTC))
    browser = Client()
    browser.force_login(owner)
    night = club.events.latest("held_on")
    change_rates(event_id=night.pk, rates=Rates(member=500, guest=700))
    club.forget_after = 3
    club.save()
    key = Season.objects.get(pk=last.pk).rows[0][0]["players"][0]
    pages = {
        "people": f"/club/{club.slug}/people?search=roy",
        "person": f"/club/{club.slug}/people/{people[0]}",
        "club": f"/club/{club.slug}",
        "seasons": f"/club/{club.slug}/seasons",
        "ladder": f"/c/{club.slug}/seasons/{last.pk}",
        "line": f"/c/{club.slug}/seasons/{last.pk}/0/{key}",
        "front": f"/c/{club.slug}",
        "attendance": f"/club/{club.slug}/attendance",
        "attendance by night": f"/club/{club.slug}/attendance/nights",
        "history": f"/club/{club.slug}/history",
        "history of a name": f"/club/{club.slug}/history?search=roy",
        "dues": f"/club/{club.slug}/dues",
        "people to forget": f"/club/{club.slug}/privacy/people",
        "check-in": f"/e/{night.short}/desk/entries/check-in?search=roy",
        "fees": f"/e/{night.short}/desk/fees",
        "history of a night": f"/e/{night.short}/desk/history?search=roy",
    }
    return {
        "members": members,
        "seasons": seasons,
        "one_row_ms": _measure_ms(lambda: Person.objects.get(pk=people[0])),
        "search_ms": {
            search or "all": _measure_ms(partial(get_people_page, club, search=search)) for search in SEARCHES
        },
        "page_ms": {name: _measure_ms(partial(_open_page, browser, path)) for name, path in pages.items()},
        "working_out_ms": _measure_ms(lambda: refresh_seasons(club_id=club.pk)),
        "forgetting_ms": {count: _measure_erasure(club, people, count) for count in ERASED_COUNTS},
    }


def _measure_erasure(club: Any, people: list[int], count: int) -> float:
    """Time the erasure of other people each time, from the club's whole history."""
    from tournaments.privacy.services.erasure import anonymize_people

    waiting = [people[start : start + count] for start in range(count * 5, count * 10, count)]
    return _measure_ms(lambda: anonymize_people(club_id=club.pk, person_ids=waiting.pop()))


def _measure_ms(call: Any) -> float:
    return round(measure_best(call) * 1_000, 1)


def _open_page(browser: Any, path: str) -> None:
    assert browser.get(path).status_code == 200, path


def _create_members(club: Any, count: int) -> list[int]:
    from django.db import transaction

    from clubs.models import Person
    from clubs.services.changes import ClubChange
    from web import names

    chance = Random(1)
    first = ("Jeannine", "Marcel", "Ghislaine", "Normand", "Thérèse", "Réal", "Jean-Baptiste", "Marie-Paule")
    last = ("Roy", "Dubé", "Cyr", "Ouellet", "Lavoie", "Michaud", "Saint-Pierre", "St-Onge", "Thibault")
    people = [
        Person(club=club, name=name, folded_name=names.fold_name(name))
        for name in (
            f"{chance.choice(first)} {chance.choice(last)}-{chance.choice(last)} {number}" for number in range(count)
        )
    ]
    with transaction.atomic():
        change = ClubChange(club.pk, "import_people")
        change.add_all(people)
        change.record(count=count, file="bench.csv")
    return [person.pk for person in people]


def _create_season(club: Any, people: list[int], year: int) -> None:
    """Create thirty nights with only the data that a season reads: entries, standings, counted rounds."""
    from django.utils import timezone

    from engine.standings import build_count_key
    from rules import CANADIAN, MatchFormat
    from tournaments.events.services.creation import create_event
    from tournaments.models import Action, Entry, Standings
    from tournaments.seasons.services import open_season, refresh_seasons

    chance = Random(year)
    names = dict(club.people.values_list("pk", "name"))
    starts = datetime.date(year, 9, 1)
    for week in range(NIGHTS):
        event = create_event(
            club=club,
            name=f"{year}, {week}",
            held_on=starts + datetime.timedelta(weeks=week),
            ruleset=CANADIAN,
            match_format=MatchFormat(games_to_win=1),
            table_count=PAIRS // 2,
        )
        players = chance.sample(people, 2 * PAIRS)
        Action.objects.bulk_create(
            Action(event=event, kind="sign_off", details={"names": names[player]}, reason="Jour de tempête")
            for player in players[:ACTIONS]
        )
        Entry.objects.bulk_create(
            Entry(event=event, number=n, player_1_id=players[2 * n - 2], player_2_id=players[2 * n - 1])
            for n in range(1, PAIRS + 1)
        )
        points = sorted(((chance.randint(20, 128), n) for n in range(1, PAIRS + 1)), reverse=True)
        Standings.objects.create(
            event=event,
            rows=[
                {"rank": rank, "entry": n, "match_wins": scored // 32, "games_won": scored // 32,
                 "points_for": scored, "points_against": 64, "difference": scored - 64}
                for rank, (scored, n) in enumerate(points, start=1)
            ],
            counted={build_count_key(n): {"rounds": [{"round": 1, "outcome": "won"}]} for n in range(1, PAIRS + 1)},
            computed_at=timezone.now(),
        )  # fmt: skip
    ladders: list[dict[str, Any]] = [
        {"name": "General", "best": 20, "presence": 2},
        {"name": "Pairs", "unit": "pair"},
    ]
    ends = starts + datetime.timedelta(weeks=NIGHTS)
    open_season(club=club, name=str(year), starts=starts, ends=ends, ladders=ladders)
    refresh_seasons(club_id=club.pk)


if __name__ == "__main__":
    django.setup()
    print(json.dumps(measure(*map(int, sys.argv[1:]))))
