"""Run long writes beside a night for `bench imports`, each kind in its own process.

`python -m bench.hall.writing prepare FOLDER` creates another club with people and a night, `… prepare_file
FOLDER` an event whose file it writes to the folder, `… prepare_tournament FOLDER` a tournament of a thousand
tables; `… KIND FOLDER` runs one of `KINDS`. Each prints its seconds. The data folder and the database come from the
environment, as everywhere.
"""

from __future__ import annotations

import csv
import datetime
import io
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

import django

from server.warm_up import load_process

DAY = datetime.date(2026, 11, 17)
CLUB = "elsewhere"
ERASED_PEOPLE, PEOPLE = 40, 5_000
TABLES, ROUNDS = 25, 6
ENTRIES, FILE_ROUNDS = 1_000, 2
TOURNAMENT_ENTRIES = 2_000
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def make_word(number: int) -> str:
    """Return a different word for each number; names have no digits."""
    return "".join(LETTERS[number // 26**place % 26] for place in (2, 1, 0)).capitalize()


def build_night_files() -> dict[str, bytes]:
    """Return the files of a night of 25 tables and six rounds, with the hands of a recorded night."""
    from tournaments.imports.recorded_nights.files import recorded_nights

    files = recorded_nights()["canadian-6-tables"]
    rows = list(csv.DictReader(io.StringIO(files["hands.csv"].decode())))
    played: dict[tuple[str, str], list[dict[str, str]]] = {}
    for row in rows:
        played.setdefault((row["round"], row["table"]), []).append(row)
    matches, chance = list(played.values()), Random(1)
    entries = [
        [number, f"Jeanne {make_word(number)}", f"Luc {make_word(number)}"] for number in range(1, 2 * TABLES + 1)
    ]
    tables, hands = [], []
    for round_ in range(1, ROUNDS + 1):
        order = chance.sample(range(1, 2 * TABLES + 1), 2 * TABLES)
        for table in range(1, TABLES + 1):
            tables.append([round_, table, order[2 * table - 2], order[2 * table - 1]])
            chosen = matches[(round_ * TABLES + table) % len(matches)]
            hands += [list((row | {"round": round_, "table": table}).values()) for row in chosen]
    return {
        "night.json": files["night.json"],
        "entries.csv": _render_csv(["entry", "player_1", "player_2"], entries),
        "tables.csv": _render_csv(["round", "table", "side_a", "side_b"], tables),
        "hands.csv": _render_csv(list(rows[0]), hands),
    }


def _render_csv(header: list[str], rows: list[list[Any]]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer).writerows([header, *rows])
    return buffer.getvalue().encode()


def prepare(folder: Path) -> None:
    from clubs.services.clubs import create_club
    from clubs.services.people import find_or_add_people
    from tournaments.imports.services.night_import import import_night

    club = create_club(name=CLUB)
    find_or_add_people(club=club, full_names=[f"Odile {make_word(number)}" for number in range(PEOPLE)])
    import_night(club=club, name="Bench", held_on=DAY, files=build_night_files())


def prepare_file(folder: Path) -> None:
    from tournaments.event_files.queries import build_event_file
    from tournaments.models import Event

    event = Event.objects.select_related("club", "terms").get(pk=_play_tournament("Origin", ENTRIES, FILE_ROUNDS))
    (folder / "event.json").write_text(json.dumps(build_event_file(event)))


def prepare_tournament(folder: Path) -> None:
    _play_tournament("Tournament", TOURNAMENT_ENTRIES, 1)


def _play_tournament(club: str, entries: int, rounds: int) -> int:
    """Play a Swiss tournament of a new club, with ``rounds`` rounds closed, and return its id."""
    from clubs.services.clubs import create_club
    from rules import CANADIAN, MatchFormat
    from tournaments.entries.services.entries import add_entries
    from tournaments.events.services.creation import create_event
    from tournaments.events.services.lifecycle import start_event
    from tournaments.rounds.services.rounds import close_round, draw_round, publish_round

    event = create_event(
        club=create_club(name=club),
        name="Large",
        held_on=DAY,
        ruleset=CANADIAN,
        match_format=MatchFormat(games_to_win=1),
        table_count=entries // 2,
        stages=[{"format": "swiss"}],
    )
    pairs = {number: (f"Rose {make_word(number)}", f"Paul {make_word(number)}") for number in range(1, entries + 1)}
    add_entries(event_id=event.pk, entries=pairs)
    start_event(event_id=event.pk)
    for number in range(1, rounds + 1):
        draw_round(event_id=event.pk, seed=number)
        publish_round(event_id=event.pk, number=number)
        _copy_marks(event.pk, number)
        close_round(event_id=event.pk, number=number)
    return event.pk


def _copy_marks(event_id: int, number: int) -> None:
    """Mark the first table of a round as a phone does, and copy its marks to the others.

    A transaction for each of a thousand tables would wait for the disk a thousand times.
    """
    from scoring.models import Mark, Match
    from scoring.services.marks import record_hand

    matches = Match.objects.filter(table__round__event=event_id, table__round__number=number)
    first, *others = matches.values_list("pk", flat=True)
    totals = {"kind": "totals", "points_a": "32", "points_b": "12"}
    mark = record_hand(match_id=first, entry_key=uuid4(), number=1, hand=totals)
    played = Match.objects.get(pk=first)
    Mark.objects.bulk_create(
        Mark(match_id=match, entry_key=uuid4(), number=1, record_data=mark.record_data, status=mark.status)
        for match in others
    )
    Match.objects.filter(pk__in=others).update(
        summary=played.summary, is_over=played.is_over, last_marked_at=played.last_marked_at, revision=1
    )


def night(folder: Path) -> None:
    from tournaments.imports.services.night_import import import_night

    import_night(club=_get_club(), name="Night", held_on=DAY, files=build_night_files())


def event_file(folder: Path) -> None:
    from tournaments.imports.services.event_import import bring_in_event

    bring_in_event(club=_get_club(), content=json.loads((folder / "event.json").read_text()))


def people(folder: Path) -> None:
    from tests.builders import import_people

    lines = (f"Aline {make_word(number)};Famille {make_word(number % 900)}" for number in range(PEOPLE))
    import_people(club_id=_get_club().pk, text="\n".join(["Nom;Famille", *lines]))


def people_undone(folder: Path) -> None:
    from clubs.services.undo import undo_club_action

    club = _get_club()
    undo_club_action(club_id=club.pk, action_id=club.actions.filter(kind="import_people").latest("pk").pk)


def entries(folder: Path) -> None:
    from rules import CANADIAN, MatchFormat
    from tournaments.entries.services.entry_import import add_entry_list
    from tournaments.events.services.creation import create_event

    event = create_event(
        club=_get_club(),
        name="Listed",
        held_on=DAY,
        ruleset=CANADIAN,
        match_format=MatchFormat(games_to_win=1),
        table_count=ENTRIES // 2,
    )
    lines = (f"Nora {make_word(number)} / Guy {make_word(number)}" for number in range(ENTRIES))
    add_entry_list(event_id=event.pk, text="\n".join(lines))


def forgetting(folder: Path) -> None:
    from tournaments.privacy.services.erasure import anonymize_people

    chosen = _get_club().people.filter(name__startswith="Odile").order_by("pk")[:ERASED_PEOPLE]
    anonymize_people(club_id=_get_club().pk, person_ids=[person.pk for person in chosen])


def merging(folder: Path) -> None:
    from tournaments.entries.services.merging import merge_people

    club = _get_club()
    for number in range(1, 11):
        kept_person = club.people.get(name=f"Odile {make_word(1_000 + number)}")
        merged = club.people.filter(name=f"Jeanne {make_word(number)}").order_by("pk")[0]
        merge_people(club_id=club.pk, target_id=kept_person.pk, source_id=merged.pk)


def ratings(folder: Path) -> None:
    from tournaments.records.services import refresh_ratings

    refresh_ratings(club_id=_get_club().pk)


def standings(folder: Path) -> None:
    from tournaments.models import Event
    from tournaments.standings.services import refresh_standings

    refresh_standings(event_id=Event.objects.get(name="Large", club__name="Origin").pk)


def draw(folder: Path) -> None:
    from tournaments.rounds.services.rounds import draw_round

    draw_round(event_id=_get_tournament_id(), seed=2)


def publishing(folder: Path) -> None:
    from tournaments.rounds.services.rounds import publish_round

    publish_round(event_id=_get_tournament_id(), number=2)


def preview(folder: Path) -> None:
    from tournaments.history.services.effects import compute_effects
    from tournaments.rounds.services.tables import adjust_table

    event = _get_tournament_id()
    compute_effects(event, lambda: adjust_table(event_id=event, number=1, table=1, games=(0, 1), points=(12, 32)))


def unpublishing(folder: Path) -> None:
    from tournaments.rounds.services.rounds import unpublish_round

    unpublish_round(event_id=_get_tournament_id(), number=2)


def final(folder: Path) -> None:
    from tournaments.publishing.services.publishing import publish_final

    publish_final(event_id=_get_tournament_id())


def _get_tournament_id() -> int:
    from tournaments.models import Event

    return Event.objects.get(club__name="Tournament").pk


def _get_club() -> Any:
    from clubs.models import Club

    return Club.objects.get(name=CLUB)


KINDS: dict[str, Callable[[Path], None]] = {
    done.__name__: done
    for done in (
        night,
        event_file,
        people,
        people_undone,
        entries,
        forgetting,
        merging,
        ratings,
        standings,
        draw,
        publishing,
        preview,
        unpublishing,
        final,
    )
}
"""Kinds of long writes, in an order in which each finds its data."""
PREREQUISITES: dict[str, tuple[str, ...]] = {
    "people_undone": ("people",),
    "publishing": ("draw",),
    "unpublishing": ("draw", "publishing"),
}
"""Kinds that must run before others; unmeasured, unless they were chosen too."""


PREPARATIONS: dict[str, Callable[[Path], None]] = {
    done.__name__: done for done in (prepare, prepare_file, prepare_tournament)
}
KINDS_BY_PREPARATION: dict[str, frozenset[str]] = {
    "prepare_file": frozenset({"event_file", "standings"}),
    "prepare_tournament": frozenset({"draw", "publishing", "preview", "unpublishing", "final"}),
}
"""Preparations that only some kinds need."""


def main(name: str, folder: Path) -> None:
    load_process()  # as in a worker
    started = time.perf_counter()
    (PREPARATIONS | KINDS)[name](folder)
    print(time.perf_counter() - started)


if __name__ == "__main__":
    django.setup()
    main(sys.argv[1], Path(sys.argv[2]))
