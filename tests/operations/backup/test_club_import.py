"""Import of a club's file beside other clubs: its results stay the same, the others are untouched."""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection

from clubs.models import Account, Club, ClubAction, Membership, Person, Role
from engine.presets import PRESETS
from errors import Refusal
from jobs.models import Job, Status
from jobs.services import run_job
from operations.backup import create_backup
from operations.backup.club_import import import_club, preview_club_file
from operations.backup.tables import TABLE_OWNERSHIP, get_model, get_table_rows
from scoring.models import Mark, Match, TableCard
from scoring.services.log_repair import detect_damage
from tests.builders import (
    build_account,
    build_club,
    build_running_night,
    get_refusal_code,
    mark,
    matches_of,
    reload_match,
)
from tests.laws.random_club import RandomClub
from tests.support.directors import Director
from tests.support.event_files import build_preset_tournament, play_all_rounds
from tests.support.hall import Hall
from tests.support.rich_club import RichClub
from tests.tournaments.publishing.test_publishing import build_night
from tournaments.entries.services.bonds import keep_apart
from tournaments.event_files.queries import build_event_file
from tournaments.event_files.row_ids import renumber_row
from tournaments.event_files.verifying import verify_event_file
from tournaments.history.services.undo import undo_action
from tournaments.models import LogEntry, Season
from tournaments.publishing.services.publishing import publish_final
from tournaments.seasons.services import close_season, open_season
from tournaments.signing.queries import find_signed_log
from web.names import fold_name

from .test_backup import forget_everything, state

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("sequences, and deferred constraints"),
    pytest.mark.slow,
]
PLACES = ("place", "sum", "sums")


def a_long_life() -> Club:
    """Build a club with many formats, corrections, merged people, seasons, and three people of one name."""
    dice = Random("club55")
    found = RandomClub(dice)
    found.perform(90)
    for number, key in enumerate(PRESETS):
        event = build_preset_tournament(key, club=found.club)
        if number % 3:
            play_all_rounds(event)
        else:
            with suppress(Refusal):
                Director(event, number).perform(8)
    for name in ("Automne", "Hiver"):
        season = open_season(
            club=found.club,
            name=name,
            starts=event.held_on,
            ends=event.held_on,
            ladders=[{"name": "Général"}],
        )
    work_through()
    close_season(season_id=season.pk)
    Person.objects.filter(pk__in=found.club.people.values("pk")[:3]).update(
        name="Jean Roy", folded_name=fold_name("Jean Roy")
    )
    work_through()
    return found.club


def work_through() -> None:
    while job := Job.objects.filter(status=Status.QUEUED).order_by("pk").first():
        run_job(job.pk)


def results_of(club: Club) -> dict[str, Any]:
    """Return the club's exported events, seasons and records, without ids and times."""
    work_through()
    events = [dict(build_event_file(event)) for event in club.events.order_by("pk").select_related("club", "terms")]
    standings: list[dict[str, Any]] = [
        {key: value for key, value in row.items() if not re.search(r"id$|computed|closed", key)}
        for row in Season.objects.filter(club=club, is_shared=False).order_by("pk").values("name", "rows", "scores")
    ]
    names = {person.pk: person.name for person in club.people.all()}
    for season in standings:
        for row in (row for ladder in season["rows"] for row in ladder):
            row["players"] = [names.get(pk, "–") for pk in row["players"]]
        season["scores"] = [[[score[1:] for score in line] for line in ladder.values()] for ladder in season["scores"]]
    return {
        "differences": [verify_event_file(event).differences for event in events],
        "events": [{name: part for name, part in event.items() if name not in PLACES} for event in events],
        "seasons": standings,
        "records": sorted(club.records.values_list("person__name", "rating", "rank", "matches")),
    }


@pytest.mark.long
def test_imported_club_keeps_its_standings_and_leaves_others_untouched(tmp_path: Path) -> None:
    club = a_long_life()
    slug, before = club.slug, results_of(club)
    counts = {label: get_table_rows(label, club).count() for label in TABLE_OWNERSHIP}
    create_backup(tmp_path / "club.zip", club)
    forget_everything()
    other = RandomClub(Random("other"))
    other.perform(60)
    hall = Hall(pairs=4)
    work_through()
    there = state()
    imported = import_club(tmp_path / "club.zip")
    now = state()
    assert {label: [row for row in rows if row in now[label]] for label, rows in there.items()} == there
    assert imported.slug == f"{slug}-3"
    assert results_of(imported) == before
    found = {label: get_table_rows(label, imported).count() for label in TABLE_OWNERSHIP}
    assert found | {"clubs.ClubAction": found["clubs.ClubAction"] - 1} == counts
    assert detect_damage() == []
    assert hall.desk.open(f"/club/{imported.slug}").status == 404


@pytest.mark.long
@pytest.mark.skipif(connection.vendor != "sqlite", reason="ids are set in the table of SQLite's sequences")
def test_import_renumbers_every_id(tmp_path: Path) -> None:
    """Tables count from distinct ids that occur nowhere else, so that an old id shows wherever it is left."""
    set_last_ids(FAR, apart=True)
    clubs = [a_long_life(), RichClub().club]
    event = build_preset_tournament("swiss", club=clubs[0])
    keep_apart(event_id=event.pk, text="1, 2", always=False)
    for club in clubs:
        create_backup(tmp_path / f"{club.pk}.zip", club)
    forget_everything()
    set_last_ids(10_000, apart=False)
    for file in tmp_path.glob("*.zip"):
        import_club(file)
    left = {
        f"{label}.{name}: {found[0]}"
        for label in TABLE_OWNERSHIP
        for row in get_model(label)._default_manager.values()
        for name, value in row.items()
        for found in re.finditer(r"(?<![0-9a-f])[78]\d{9}(?![0-9a-f])", str(value))
        if int(found[0]) % 10_000_000 < 10_000
    }
    assert left == set()


FAR = 7_000_000_000


def set_last_ids(last: int, *, apart: bool) -> None:
    """Set the last id of each table, as if that many rows had been deleted."""
    with connection.cursor() as cursor:
        for place, model in enumerate(apps.get_models(include_auto_created=True)):
            values: list[Any] = [model._meta.db_table, last + place * 10_000_000 * apart]
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", values[:1])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", values)


@pytest.mark.long
def test_imported_club_can_undo_record_and_sign(tmp_path: Path) -> None:
    """Undo an earlier change, record a hand under the match's code, and sign final standings."""
    event = build_night()
    publish_final(event_id=event.pk)
    running = build_running_night(club=event.club)
    mark(matches_of(running)[0], "A 6 7", director=build_account("Ghislaine Guy"))
    create_backup(tmp_path / "club.zip", event.club)
    forget_everything()
    build_running_night(pairs=6)
    club = import_club(tmp_path / "club.zip")
    running, event = club.events.order_by("-pk")
    match = matches_of(running)[0]
    assert match.card.code != TableCard.objects.exclude(club=club).get(number=1).code
    mark(match, "A mulot made", number=1)
    assert len(reload_match(match).marks.all()) == 2
    undone = undo_action(event_id=event.pk, action_id=event.actions.filter(kind="publish_final").get().pk)
    undo_action(event_id=event.pk, action_id=undone.pk)
    log = find_signed_log(club)
    assert log is not None
    assert log.find_faults() == []
    assert [entry.event_id for entry in LogEntry.objects.filter(club=club)] == [event.pk] * 3
    assert len({entry.entry["event"] for entry in log.entries}) == 1


class TestImportedAccounts:
    @pytest.mark.long
    def test_import_matches_accounts_by_email_and_renames_duplicates(self, tmp_path: Path) -> None:
        owner, helper = build_account("Rita"), build_account("Guy")
        Account.objects.filter(pk=owner.pk).update(email="rita@example.org")
        club = build_club(owner=owner)
        Membership.objects.create(club=club, account=helper, role=Role.DESK)
        create_backup(tmp_path / "club.zip", club)
        forget_everything()
        rita, namesake = build_account("Rita Roy"), build_account("Guy")
        Account.objects.filter(pk=rita.pk).update(email="rita@example.org")
        other = build_club(owner=namesake)
        assert preview_club_file(tmp_path / "club.zip").linked == [rita]
        imported = import_club(tmp_path / "club.zip")
        roles = dict(imported.memberships.values_list("account__name", "role"))
        assert roles == {"Rita Roy": Role.OWNER, "Guy 2": Role.DESK}
        assert list(other.memberships.values_list("account", flat=True)) == [namesake.pk]
        assert not Account.objects.get(name="Guy 2").has_usable_password()
        assert rita.check_password("") is False


def test_damaged_log_is_still_damaged_after_import(tmp_path: Path) -> None:
    event = build_running_night()
    first = mark(matches_of(event)[0], "A 6 7")
    Mark.objects.filter(pk=first.pk).update(waited=7)
    create_backup(tmp_path / "club.zip", event.club)
    forget_everything()
    import_club(tmp_path / "club.zip")
    assert Match.objects.get(marks__waited=7).is_damaged
    assert len(detect_damage()) == 1


def test_import_replaces_an_idempotency_key_already_in_use(tmp_path: Path) -> None:
    """A duplicate key, as if both installations had imported one night."""
    event = build_running_night()
    key = mark(matches_of(event)[0], "A 6 7").entry_key
    create_backup(tmp_path / "club.zip", event.club)
    forget_everything()
    here = mark(matches_of(build_running_night())[0], "A 6 7")
    Mark.objects.filter(pk=here.pk).update(entry_key=key)
    club = import_club(tmp_path / "club.zip")
    assert Mark.objects.get(entry_key=key).pk == here.pk
    assert Mark.objects.filter(match__card__club=club).count() == 1


def test_import_command_gives_links_to_new_owners_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """New owners get a link to set a password; an account that is known here has one already."""
    here = build_account("Rita")
    Account.objects.filter(pk=here.pk).update(email="rita@example.org")
    club = build_club("Rimouski", owner=here)
    Membership.objects.create(club=club, account=build_account("Guy"), role=Role.OWNER)
    create_backup(tmp_path / "club.zip", club)
    forget_everything()
    here = build_account("Rita")
    Account.objects.filter(pk=here.pk).update(email="rita@example.org")
    build_club("Rimouski", owner=here)
    call_command("restore", tmp_path / "club.zip", beside=True)
    printed = capsys.readouterr().out
    assert "Imported: Rimouski (rimouski-2)." in printed
    assert re.findall(r"^  (\w+): http", printed, re.MULTILINE) == ["Guy"]
    with pytest.raises(CommandError, match="Rimouski is already in this installation"):
        call_command("restore", tmp_path / "club.zip", beside=True)


class TestImportRefusals:
    @pytest.mark.parametrize("club_id", [0, -3, True, 10**13, 1.5])
    def test_renumbering_rejects_an_id_out_of_range(self, club_id: Any) -> None:
        with pytest.raises(ValueError, match=r"clubs\.Club"):
            renumber_row(Membership, {"club_id": club_id}, lambda _, pk: pk)

    def test_renumbering_leaves_the_name_of_dues(self) -> None:
        row = {"details": {"version": 1, "person": 3, "period": "2026-2027"}}
        renumbered = renumber_row(ClubAction, row, lambda _, pk: pk + 5)
        assert renumbered["details"] == {"version": 1, "person": 8, "period": "2026-2027"}

    @pytest.mark.skipif(connection.vendor != "sqlite", reason="ids are set in the table of SQLite's sequences")
    def test_import_takes_few_ids_and_refuses_those_far_apart(self, tmp_path: Path) -> None:
        set_last_ids(FAR, apart=False)
        club = build_running_night().club
        create_backup(tmp_path / "far.zip", club)
        set_last_ids(2 * FAR, apart=False)
        build_running_night(club=club)
        create_backup(tmp_path / "apart.zip", club)
        forget_everything()
        set_last_ids(10, apart=False)
        build_club()
        assert get_refusal_code(import_club, tmp_path / "apart.zip") == "backup_damaged"
        assert import_club(tmp_path / "far.zip").pk < 20

    @pytest.mark.long
    def test_import_refuses_a_club_already_in_the_installation(self, tmp_path: Path) -> None:
        club = build_running_night().club
        create_backup(tmp_path / "club.zip", club)
        assert get_refusal_code(import_club, tmp_path / "club.zip") == "club_already_here"
        forget_everything()
        build_club()
        import_club(tmp_path / "club.zip")
        before = state()
        assert get_refusal_code(import_club, tmp_path / "club.zip") == "club_already_here"
        assert state() == before

    def test_import_refuses_a_full_backup(self, tmp_path: Path) -> None:
        build_club()
        create_backup(tmp_path / "all.zip")
        assert get_refusal_code(import_club, tmp_path / "all.zip") == "not_a_club_file"
