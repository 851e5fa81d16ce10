"""Data of a hall for measuring: `python -m bench.hall.room ROLE [NUMBER …]`, which prints JSON or seconds.

The data folder and the database come from the environment, as everywhere. The roles:

- `make TABLES [HANDS]`: create a night; prints the event, and each table's code and match. Matches have HANDS
  hands, or never end.
- `public TABLES`: the same for a club with something on every public page
- `release N`: change what is public N times; prints the times
- `reads N`: open pages N times each; prints their queries and milliseconds
- `log`, `tables`: print the recorded marks, and the tables of round 1
- `desk`: sign in an owner; prints the path of the people import
- `rival`: create a second club with a federation and a signed-in owner
- `paper`: print the seconds until a PDF of the first club is rendered
- `keys`: print API keys
- `take_file`: save the event's file with its codes in the folder
- `bring_in`: create a hall from that file
- `bare N`, `service N`: print the seconds that N hands take as bare commits, and through the service
"""

from __future__ import annotations

import datetime
import json
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import django

from bench.hall.page_reads import print_page_reads
from operations.data_dir import data_folder

if TYPE_CHECKING:
    from clubs.models import Club
    from tournaments.models import Event

LETTERS = str.maketrans("0123456789", "olizeasgbp")
"""Translation of digits to letters, which turns a number into a surname, since names have no digits."""
EVENT_FILE = "event.json"
"""Event file in the data folder, which another laptop imports."""
ENDLESS = 10_000
"""Hands in a match that must not end while we measure."""


def make(tables: int, hands: int = ENDLESS) -> None:
    from clubs.services.clubs import create_club
    from operations.prepare_install import prepare_data_folder
    from tournaments.rounds.services.rounds import draw_round, publish_round

    prepare_data_folder()
    event = start_night(create_club(name="Bench"), tables, hands)
    publish_round(event_id=event.pk, number=draw_round(event_id=event.pk).number)
    print(json.dumps({"event": event.short, "tables": _list_tables(event, 1)}))


def make_public(tables: int) -> None:
    """Create a club with a finished night, a season, and a night in its third round."""
    from clubs.services.clubs import create_club
    from operations.prepare_install import prepare_data_folder
    from tournaments.events.services.lifecycle import end_event
    from tournaments.records.services import refresh_ratings
    from tournaments.rounds.services.rounds import draw_round, publish_round
    from tournaments.seasons.services import open_season, refresh_seasons
    from tournaments.standings.services import refresh_standings

    prepare_data_folder()
    club = create_club(name="Bench")
    finished_event = start_night(club, 4)
    _play_round(finished_event, 1)
    end_event(event_id=finished_event.pk)
    event = start_night(club, tables)
    for number in (1, 2):
        _play_round(event, number)
    publish_round(event_id=event.pk, number=draw_round(event_id=event.pk).number)
    refresh_standings(event_id=event.pk)
    season = open_season(club=club, name="Bench", starts=event.held_on, ends=event.held_on, ladders=[{"name": "Bench"}])
    refresh_seasons(club_id=club.pk)
    refresh_ratings(club_id=club.pk)
    night, front = f"/e/{event.short}", f"/c/{club.slug}"
    pages = [night, *(f"{night}/{rest}" for rest in ("rounds/3", "rounds/3/tables/1", "standings"))]
    pages += [f"{night}/standings/1", f"{night}/charts", f"{night}/rules", front, f"{front}/calendar"]
    pages += [f"{front}/records", f"{front}/seasons/{season.pk}", f"{front}/people/{club.people.all()[0].pk}"]
    print(json.dumps({"event": event.short, "tables": _list_tables(event, 3), "pages": pages}))


def toggle_release(times: int) -> None:
    """Hide and show the results in turn, twice a second; print the time after each commit."""
    from engine.visibility import Release, Results
    from tournaments.models import Event
    from tournaments.publishing.services.publishing import change_release

    event = Event.objects.latest("pk")
    committed = []
    for number in range(times):
        time.sleep(0.5)
        shown = Results.HANDS if number % 2 else Results.NOTHING
        change_release(event_id=event.pk, release=Release(results=shown))
        committed.append(time.time())
    print(json.dumps(committed))


def print_log() -> None:
    """Print all marks, summaries and entry numbers by match, and the standings.

    A mark is its match, number, key and status.
    """
    from scoring.models import Mark, Match
    from tournaments.models import Standings, Table
    from tournaments.rounds.queries.rounds import list_side_numbers

    marks = Mark.objects.order_by("pk").values_list("match", "number", "entry_key", "status")
    recorded = {
        "marks": [[match, number, str(key), status] for match, number, key, status in marks],
        "summaries": dict(Match.objects.values_list("pk", "summary")),
        "sides": {table.match_id: list_side_numbers(table) for table in Table.objects.all()},
        "standings": Standings.objects.values_list("rows", flat=True).first(),
    }
    print(json.dumps(recorded))


def print_tables() -> None:
    from tournaments.models import Event

    print(json.dumps(_list_tables(Event.objects.get(), 1)))


def sign_in_owner() -> None:
    """Sign in an owner of the club; print the path of the people import, and the session."""
    from django.conf import settings
    from django.test import Client
    from django.urls import reverse

    from clubs.models import Club
    from clubs.services.accounts import create_account, make_owner

    club, owner = Club.objects.get(), create_account(name="Bench", password=str(uuid4()), language="en")
    make_owner(club=club, account=owner)
    browser = Client()
    browser.force_login(owner)
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    print(json.dumps({"path": reverse("import-people", args=[club.slug]), "session": session}))


def make_api_keys() -> None:
    """Print an API key that reads, and one of a director."""
    from clubs.audit.log import Actor
    from clubs.models import Club, Scope
    from clubs.services.accounts import create_account, make_owner
    from clubs.services.tokens import make_token

    club, owner = Club.objects.get(), create_account(name="Bench keys", password=str(uuid4()), language="en")
    make_owner(club=club, account=owner)
    secrets = {
        scope.value: make_token(club_id=club.pk, name=scope.value, scope=scope, days=30, by=Actor(account=owner)).secret
        for scope in (Scope.READ, Scope.DIRECT)
    }
    print(json.dumps(secrets))


def export_event_file() -> None:
    from tournaments.event_files.queries import build_event_file
    from tournaments.event_files.writer import serialize_event_file
    from tournaments.models import Event

    event = Event.objects.select_related("club", "terms").get()
    (data_folder() / EVENT_FILE).write_bytes(
        serialize_event_file(build_event_file(event, with_phone_keys=True, with_desk=True))
    )
    print(event.short)


def import_event_file() -> None:
    from clubs.services.clubs import create_club
    from operations.prepare_install import prepare_data_folder
    from tournaments.event_files.parsing import read_event_path
    from tournaments.imports.services.event_import import bring_in_event

    prepare_data_folder()
    club = create_club(name="Bench")
    print(bring_in_event(club=club, content=read_event_path(data_folder() / EVENT_FILE)).short)


def _play_round(event: Event, number: int) -> None:
    """Draw a round, record a hand at each table, have the director score it, and close the round."""
    from rules import Side
    from scoring.services.marks import record_hand
    from tournaments.rounds.services.rounds import close_round, draw_round, publish_round
    from tournaments.rounds.services.tables import adjust_table

    publish_round(event_id=event.pk, number=draw_round(event_id=event.pk, seed=number).number)
    for table in _list_tables(event, number):
        hand = {"side": Side.A.name, "contract": "6", "tricks": "7"}
        record_hand(match_id=table["match"], entry_key=uuid4(), number=1, hand=hand, device="bench")
        points = (32, table["number"] % 32)
        adjust_table(event_id=event.pk, number=number, table=table["number"], games=(1, 0), points=points)
    close_round(event_id=event.pk, number=number)


def start_night(club: Club, tables: int, hands: int = ENDLESS) -> Event:
    """Start a night with two pairs a table and matches of ``hands`` hands."""
    from rules import CANADIAN, MatchFormat
    from tournaments.entries.services.entries import add_entries
    from tournaments.events.services.creation import create_event
    from tournaments.events.services.lifecycle import start_event

    event = create_event(
        club=club,
        name="Bench",
        held_on=datetime.date(2026, 11, 17),
        ruleset=CANADIAN,
        match_format=MatchFormat(hands=hands),
        table_count=tables,
    )
    surnames = {number: str(number).translate(LETTERS).title() for number in range(1, 2 * tables + 1)}
    pairs = {number: (f"Anne {surname}", f"Paul {surname}") for number, surname in surnames.items()}
    add_entries(event_id=event.pk, entries=pairs)
    return start_event(event_id=event.pk)


def _list_tables(event: Event, number: int) -> list[dict[str, Any]]:
    """Return the tables of a round, each with what a phone needs to mark there."""
    from scoring.models import Match

    matches = Match.objects.filter(card__topic=event.topic, round_number=number).select_related("card")
    return [
        {
            "number": match.card.number,
            "match": match.pk,
            "code": match.card.code,
            "secret": match.card.secret,
            "letters": match.card.letters,
        }
        for match in matches.order_by("card__number")
    ]


def make_rival_club() -> None:
    """Create another club, and print what its owner's forms need."""
    from django.test import Client

    from clubs.services.accounts import create_account, make_owner
    from clubs.services.clubs import create_club
    from engine.ladders import LadderFigure
    from federations.services.federation_settings import open_federation

    club = create_club(name="Rival")
    owner = create_account(name="Rival", password=str(uuid4()), language="en")
    make_owner(club=club, account=owner)
    first, last = datetime.date(2026, 1, 1), datetime.date(2026, 12, 31)
    federation = open_federation(
        club_id=club.pk, name="Rival", starts=first, ends=last, ladder={"counts": LadderFigure.MATCH_WINS}
    )
    client = Client()
    client.force_login(owner)
    session = client.cookies["sessionid"].value
    print(json.dumps({"club": f"/club/{club.slug}", "federation": federation.pk, "session": session}))


def time_paper() -> None:
    """Order blank score sheets of the first club's event, and print the seconds until they are done."""
    from jobs.models import ACTIVE_STATUSES
    from tournaments.models import Event
    from tournaments.papers.orders import Order, Paper
    from tournaments.papers.paper_files import get_topic
    from tournaments.papers.services import order_paper

    event, started = Event.objects.earliest("pk"), time.monotonic()
    order = Order(paper=Paper.BLANK, of=event.pk, copies=1)
    job = order_paper(order=order, topic=get_topic(event), club_id=event.club_id)
    while job.status in ACTIVE_STATUSES:
        time.sleep(0.2)
        job.refresh_from_db()
    print(json.dumps({"status": job.status, "seconds": round(time.monotonic() - started, 1)}))


def _print_time(count: int, write: Callable[[int], None]) -> None:
    started = time.perf_counter()
    for number in range(1, count + 1):
        write(number)
    print(time.perf_counter() - started)


def time_bare_commits(count: int) -> None:
    """Time only the statements that record a hand: one insert, two updates, one commit."""
    from django.db import connection, transaction
    from django.utils import timezone

    from scoring.models import Match

    match = Match.objects.select_related("card").latest("pk")
    insert = """INSERT INTO scoring_mark
        (match_id, number, entry_key, record_data, status, reason, device, created_at)
        VALUES (%s, %s, %s, %s, 'current', '', 'bench', %s)"""
    record = '{"kind": "hand", "side": "A", "contract": "6", "outcome": "made", "tricks": 7}'
    key = (lambda: uuid4().hex) if connection.vendor == "sqlite" else uuid4

    def write(number: int) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(insert, [match.pk, 5_000 + number, key(), record, timezone.now()])
            cursor.execute("UPDATE scoring_match SET revision = revision + 1 WHERE id = %s", [match.pk])
            cursor.execute("UPDATE live_revision SET number = number + 1 WHERE topic = %s", [match.card.topic])

    _print_time(count, write)


def time_service(count: int) -> None:
    """Time ``record_hand``, spread over all tables but the last."""
    from scoring.models import Match
    from scoring.services.marks import record_hand

    matches = list(Match.objects.order_by("pk").values_list("pk", flat=True))[:-1]
    hand = {"side": "A", "contract": "6", "tricks": "7"}
    started = {pk: Match.objects.get(pk=pk).summary["next"] for pk in matches}

    def write(number: int) -> None:
        match = matches[number % len(matches)]
        record_hand(match_id=match, entry_key=uuid4(), number=started[match], hand=hand, device="bench")
        started[match] += 1

    _print_time(count, write)


if __name__ == "__main__":
    django.setup()
    role, *numbers = sys.argv[1:]
    roles: dict[str, Callable[..., None]] = {
        "make": make,
        "public": make_public,
        "release": toggle_release,
        "reads": print_page_reads,
        "log": print_log,
        "tables": print_tables,
        "desk": sign_in_owner,
        "rival": make_rival_club,
        "paper": time_paper,
        "keys": make_api_keys,
        "take_file": export_event_file,
        "bring_in": import_event_file,
        "bare": time_bare_commits,
        "service": time_service,
    }
    roles[role](*map(int, numbers))
