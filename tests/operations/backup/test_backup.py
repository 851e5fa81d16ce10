"""Backup: one file with everything, from which an empty installation shows the same pages."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth import authenticate
from django.core.management import CommandError, call_command
from django.db import connections
from django.db.models import TextField, Value
from pytest_django.fixtures import Settings

from clubs.models import Account, Club, Membership, Person, Role
from clubs.people import search_people
from live.conditional_pages import read_snapshot
from operations.backup import create_backup, open_backup, restore
from operations.backup.tables import TABLE_OWNERSHIP, get_model
from scoring.models import Mark, Match
from tests.builders import (
    PASSWORD,
    build_account,
    build_club,
    build_event,
    compute_standings,
    get_refusal_code,
    mark,
    matches_of,
    play_round,
    reload_match,
    start_next_round,
)
from tests.support.browser import Browser
from tests.support.hall import Hall
from tests.tournaments.publishing.test_publishing import build_night
from tournaments.models import Event, Season
from tournaments.publishing.services.publishing import publish_final
from tournaments.signing.queries import find_signed_log

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("whole tables, and sequences"),
    pytest.mark.slow,
]


def build_used_hall() -> Hall:
    """Build a night in round 2 with a corrected hand, another in preparation, a season and house rules."""
    hall = Hall(pairs=5)
    first = mark(hall.match, "A 6 7")
    mark(hall.match, "A 7 7", replaced=first, director=hall.owner)
    play_round(hall.event)
    start_next_round(hall.event)
    mark(matches_of(hall.event, 2)[0], "B mulot failed")
    compute_standings(hall.event)
    build_event(3, club=hall.event.club)
    assert hall.season
    assert hall.house_rules
    assert hall.played_person
    assert hall.shared_event
    assert hall.series
    return hall


def list_pages(hall: Hall) -> list[str]:
    club, event = hall.event.club.slug, hall.event.short
    return [
        f"/club/{club}",
        f"/club/{club}/house-rules",
        f"/club/{club}/seasons",
        f"/c/{club}/{hall.season}",
        hall.season_line,
        hall.records,
        f"/c/{club}/ratings",
        hall.played_person.replace("/club/", "/c/"),
        f"/e/{event}",
        f"/e/{event}/rounds/1",
        f"/e/{event}/standings",
        f"/e/{event}/standings/1",
        f"/e/{event}/desk",
        f"/e/{event}/desk/entries",
        f"/e/{event}/desk/history",
        f"/e/{event}/desk/settings",
        f"/match/{hall.match.pk}/hands",
        hall.table,
        f"{hall.table}/hands",
    ]


def read_pages(hall: Hall, paths: list[str]) -> dict[str, str]:
    """Return the HTML of the pages without values that differ on each request, such as form ids and seals."""
    owner = Browser(account=Account.objects.get(pk=hall.owner.pk))
    ids = re.compile(
        r'(name="(csrfmiddlewaretoken|key|entry_key)" value="|data-(live|revision)="|\?at='
        r'|If-None-Match[^}]*|X-CSRFToken[^}]*)[^"]*'
        r'|"(device|etag|own_page)":"(\\.|[^"])*"'
    )
    return {path: ids.sub("", owner.open(path).html) for path in paths}


def forget_everything() -> None:
    """Empty the database, as in a new installation."""
    call_command("flush", interactive=False, verbosity=0)
    assert not Club.objects.exists()


def state() -> dict[str, list[dict[str, Any]]]:
    return {label: list(get_model(label)._default_manager.order_by("pk").values()) for label in TABLE_OWNERSHIP}


EXCLUDED_TABLES = frozenset(
    {
        "auth.Group",
        "auth.Permission",
        "clubs.ApiToken",
        "clubs.IdempotencyKey",
        "clubs.Invitation",
        "clubs.DeviceSession",
        "clubs.MailedLink",
        "clubs.SecurityEvent",
        "clubs.PublishedFacts",
        "clubs.RateLimitCounter",
        "clubs.WebhookDelivery",
        "config.Installation",
        "contenttypes.ContentType",
        "jobs.LongWrite",
        "jobs.Job",
        "live.Revision",
        "scoring.TablePhone",
        "sessions.Session",
        "tournaments.AlertSubscription",
        "tournaments.PublicSite",
    }
)
"""Tables that an installation rebuilds.

After restoring, nobody is signed in or throttled, no invitation or mailed link is open, no job is running, no
phone was heard, and there are no push subscriptions (push services know the old secret). Pages saved by
browsers are out of date, whatever their revision, since the secret of the data folder is another one.
"""


@pytest.mark.long
def test_backup_covers_every_table_or_excludes_it_on_purpose() -> None:
    assert {model._meta.label for model in apps.get_models()} == {*TABLE_OWNERSHIP, *EXCLUDED_TABLES}


@pytest.mark.long
def test_restored_installation_shows_the_same_pages(tmp_path: Path) -> None:
    hall = build_used_hall()
    paths = list_pages(hall)
    before, rows = read_pages(hall, paths), state()
    create_backup(tmp_path / "all.zip")
    forget_everything()
    restore(tmp_path / "all.zip")
    assert state() == rows
    assert read_pages(hall, paths) == before


@pytest.mark.long
@pytest.mark.usefixtures("wrong_clock")
def test_backup_is_made_despite_a_wrong_clock(tmp_path: Path) -> None:
    build_club()
    assert create_backup(tmp_path / "saved.zip")["clubs.Club"] == 1
    open_backup(tmp_path / "saved.zip").check()


@pytest.mark.long
def test_restored_event_can_be_continued(tmp_path: Path) -> None:
    hall = build_used_hall()
    create_backup(tmp_path / "all.zip")
    forget_everything()
    restore(tmp_path / "all.zip")
    for match in matches_of(hall.event, 2):
        mark(match, "A gros_charlemagne made")
    assert build_event(4, club=Club.objects.get(pk=hall.event.club_id)).pk > hall.event.pk
    assert Mark.objects.count() == len({*Mark.objects.values_list("pk", flat=True)})


@pytest.mark.long
@pytest.mark.parametrize("is_whole", [True, False])
def test_restored_club_keeps_signing_with_its_key(tmp_path: Path, settings: Settings, *, is_whole: bool) -> None:
    event = build_night()
    publish_final(event_id=event.pk)
    create_backup(tmp_path / "all.zip", None if is_whole else event.club)
    forget_everything()
    settings.SECRET_KEY = "that of another data folder"
    restore(tmp_path / "all.zip")
    club = Club.objects.get()
    publish_final(event_id=build_night(club).pk)
    log = find_signed_log(club)
    assert log is not None
    assert len(log.entries) == 2
    assert log.find_faults() == []


@pytest.mark.long
def test_club_file_holds_no_other_club_and_no_password(tmp_path: Path) -> None:
    hall, other = build_used_hall(), Hall(pairs=4)
    create_backup(tmp_path / "club.zip", hall.event.club)
    with zipfile.ZipFile(tmp_path / "club.zip") as archive:
        text = b"".join(archive.read(name) for name in archive.namelist()).decode()
    assert other.owner.name not in text
    assert other.event.club.slug not in re.findall(r'"slug": "([^"]*)"', text)
    assert hall.owner.password not in text
    public = [path for path in list_pages(hall) if path.startswith(("/e/", "/c/")) and "/desk" not in path]
    before = [Browser().open(path).text for path in public]
    forget_everything()
    restore(tmp_path / "club.zip")
    assert [Browser().open(path).text for path in public] == before
    assert not Account.objects.get().has_usable_password()


def test_club_file_keeps_former_team_members_as_authors(
    tmp_path: Path,
) -> None:
    hall, gone = Hall(pairs=4), build_account("Ghislaine Guy")
    Account.objects.filter(pk=gone.pk).update(email="ghislaine@example.org")
    membership = Membership.objects.create(club=hall.event.club, account=gone, role=Role.DIRECTOR)
    mark(hall.match, "A 6 made awarded", director=gone)
    membership.delete()
    create_backup(tmp_path / "club.zip", hall.event.club)
    forget_everything()
    restore(tmp_path / "club.zip")
    assert Mark.objects.get().account == gone
    assert Account.objects.get(pk=gone.pk).email == ""


@pytest.mark.long
def test_club_file_holds_its_own_data_without_interclub_links(tmp_path: Path) -> None:
    """Files of a club that holds a shared event, and of a club that plays in it."""
    build_used_hall()
    for club in Club.objects.order_by("pk"):
        create_backup(tmp_path / f"{club.slug}.zip", club)
    whole = {label: len(rows) for label, rows in state().items()}
    assert min(whole[f"tournaments.{name}"] for name in ("InvitedClub", "Visitor", "SharedNight")) > 0
    for path in sorted(tmp_path.glob("*.zip")):
        forget_everything()
        rows = restore(path)
        assert rows["tournaments.InvitedClub"] == rows["tournaments.Visitor"] == 0
        assert not Season.objects.filter(is_shared=True).exists()
        assert Club.objects.count() == 1


@pytest.mark.long
def test_backup_is_a_snapshot_that_does_not_block_writers(tmp_path: Path) -> None:
    hall = Hall(pairs=4)
    with read_snapshot():
        before = Mark.objects.count()
        _run_in_thread(lambda: mark(hall.match, "A 6 7"))
        assert Mark.objects.count() == before
    assert Mark.objects.count() == before + 1


def _run_in_thread(work: Callable[[], object]) -> None:
    """Run the work in another thread, and fail if it fails."""
    failed: list[BaseException] = []

    def run_work() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 -- reported by the test
            failed.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run_work)
    thread.start()
    thread.join(timeout=15)
    assert not thread.is_alive()
    assert failed == []


class TestBackupRefusals:
    @pytest.fixture
    def made(self, tmp_path: Path) -> Iterator[Path]:
        Hall(pairs=4)
        create_backup(tmp_path / "made.zip")
        forget_everything()
        yield tmp_path / "made.zip"
        assert not Club.objects.exists()

    @pytest.mark.long
    def test_backup_refuses_to_overwrite_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "there").write_text("mine")
        assert get_refusal_code(create_backup, tmp_path / "there") == "file_exists"
        assert (tmp_path / "there").read_text() == "mine"
        assert list(tmp_path.iterdir()) == [tmp_path / "there"]

    @pytest.mark.long
    def test_restore_refuses_an_installation_with_a_club(self, tmp_path: Path) -> None:
        build_club()
        create_backup(tmp_path / "all.zip")
        assert get_refusal_code(restore, tmp_path / "all.zip") == "not_empty"

    def test_restore_refuses_a_file_that_is_no_backup(self, tmp_path: Path) -> None:
        (tmp_path / "text").write_text("no zip")
        with zipfile.ZipFile(tmp_path / "zip", "w") as archive:
            archive.writestr("other.json", "{}")
        assert get_refusal_code(restore, tmp_path / "none") == "no_such_file"
        assert get_refusal_code(restore, tmp_path / "text") == "not_a_backup"
        assert get_refusal_code(restore, tmp_path / "zip") == "not_a_backup"

    @pytest.mark.parametrize(
        ("was", "now", "code"),
        [
            ('"charlemagne_backup": 1', '"charlemagne_backup": 2', "backup_too_new"),
            ('"clubs.Person"', '"clubs.Robot"', "backup_too_new"),
            ('"rows": 8', '"rows": 9', "backup_damaged"),
        ],
    )
    def test_restore_refuses_a_backup_with_an_altered_header(self, made: Path, was: str, now: str, code: str) -> None:
        _rewrite_member(made, "backup.json", lambda text: text.replace(was, now, 1))
        assert get_refusal_code(restore, made) == code

    def test_restore_refuses_a_changed_row(self, made: Path) -> None:
        _rewrite_member(made, "clubs.Person.jsonl", lambda text: text.replace("Agathe", "Agnès", 1))
        assert get_refusal_code(restore, made) == "backup_damaged"

    @pytest.mark.long
    def test_restore_refuses_a_truncated_file(self, made: Path) -> None:
        made.write_bytes(made.read_bytes()[:-400])
        assert get_refusal_code(restore, made) in {"not_a_backup", "backup_damaged"}


def _rewrite_member(path: Path, name: str, change: Callable[[str], str]) -> None:
    """Replace one member of the zip file."""
    other = path.with_suffix(".other")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w") as new:
        for member in old.namelist():
            text = old.read(member)
            new.writestr(member, change(text.decode()).encode() if member == name else text)
    shutil.move(other, path)


@pytest.mark.long
def test_field_missing_in_an_older_backup_takes_its_default(tmp_path: Path) -> None:
    Hall(pairs=4)
    path = tmp_path / "old.zip"
    create_backup(path)
    forget_everything()
    old = open_backup(path)
    lines = [{k: v for k, v in row.items() if k != "labels"} for row in old.iter_rows("clubs.Person")]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    digest = hashlib.sha256(text.encode()).hexdigest()
    _rewrite_member(path, "clubs.Person.jsonl", lambda _: text)
    _rewrite_member(
        path,
        "backup.json",
        lambda about: about.replace(old.tables["clubs.Person"]["sha256"], digest),
    )
    restore(path)
    assert {tuple(person.labels) for person in Club.objects.get().people.all()} == {()}


@pytest.mark.long
def test_restore_numbers_names_that_are_now_equal(tmp_path: Path) -> None:
    """Accounts *Coeur* and *Cœur*, once distinct, now have one name; a person is found without the ligature."""
    hall = Hall()
    Person.objects.create(club=hall.event.club, name="Cœur")
    first, second = build_account("Coeur"), build_account("Other")
    Account.objects.filter(pk=second.pk).update(name="Cœur")
    for rows in (Account.objects.filter(pk=second.pk), Person.objects.filter(name="Cœur")):
        rows.update(folded_name=Value("cœur", output_field=TextField()))
    create_backup(tmp_path / "all.zip")
    forget_everything()
    restore(tmp_path / "all.zip")
    names = dict(Account.objects.values_list("pk", "name"))
    assert (names[first.pk], names[second.pk]) == ("Coeur", "Cœur 2")
    assert authenticate(username="coeur 2", password=PASSWORD) == second
    assert search_people(Person.objects.all(), "coeur").count() == 1


@pytest.mark.long
def test_restore_recomputes_missing_summary_counts(tmp_path: Path) -> None:
    hall = Hall()
    mark(hall.match, "A 6 7")
    counted = reload_match(hall.match).summary
    Match.objects.update(summary={name: value for name, value in counted.items() if name != "made"})
    create_backup(tmp_path / "all.zip")
    forget_everything()
    restore(tmp_path / "all.zip")
    assert reload_match(hall.match).summary == counted


def test_backup_is_written_to_a_drive_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse_link(*_: object) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse_link)
    create_backup(tmp_path / "all.zip")
    open_backup(tmp_path / "all.zip").check()
    assert list(tmp_path.iterdir()) == [tmp_path / "all.zip"]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (FileNotFoundError(errno.ENOENT, "No such file"), "Cannot write "),
        (OSError(errno.ENOSPC, "No space left"), "Disk full: no new backup in"),
    ],
)
def test_backup_command_explains_a_write_error(
    error: OSError, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(tempfile, "mkstemp", fail)
    with pytest.raises(CommandError, match=message):
        call_command("backup", tmp_path / "all.zip")


def test_backup_and_restore_commands_confirm_their_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hall = Hall(pairs=4)
    call_command("backup", tmp_path / "all.zip")
    assert "Backup written and verified:" in capsys.readouterr().out
    with pytest.raises(CommandError, match="This folder already has a club"):
        call_command("restore", tmp_path / "all.zip")
    with pytest.raises(CommandError, match=hall.event.club.slug):
        call_command("backup", tmp_path / "club.zip", club="nobody")
    forget_everything()
    call_command("restore", tmp_path / "all.zip")
    assert "Restored:" in capsys.readouterr().out
    assert Event.objects.get() == hall.event
