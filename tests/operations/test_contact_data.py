"""Contact data at rest: sealed in the database if somebody asks for it, and the same everywhere else."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import override_settings

from clubs.models import Account, Club, MailedLink, Person
from clubs.services import (
    PersonDetails,
    add_person,
    change_person,
    forget_address,
    import_people,
    undo_club_action,
)
from config.models import Installation
from operations.backup import back_up, restore
from operations.data_dir import CONTACTS_SEALED, DATABASE, KEY_VARIABLE, check_key
from operations.doctor import examine
from operations.terminal import Stop
from tests.builders import a_club, an_account
from tests.clubs.test_mailed_links import ADDRESS, ask, give, is_in, opened, signed_in, with_address
from tests.operations.backup.test_backup import forget_everything, state
from tests.support.browser import Browser
from tests.support.hall import Hall
from tests.support.mailbox import SET_UP, arrived, link_in
from tests.support.push_service import PushedBrowser
from tournaments.alerts.services import ask_alerts
from tournaments.entries.services.merging import merge_people
from tournaments.privacy.services.erasure import anonymize_people
from web.sealing import MARK

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("columns are looked at as text, whatever they hold"),
    pytest.mark.slow,
]

BEFORE, SINCE, LISTED = "418 555-0101", "lise.roy@example.org", "819 555-0142"
PHONE = "https://fcm.googleapis.com/fcm/send/a-phone-of-somebody"


@pytest.fixture(autouse=True)
def _open_again() -> Iterator[None]:
    with override_settings(**SET_UP):
        yield
    note().unlink(missing_ok=True)


def note() -> Path:
    return Path(settings.CONTACTS_SEALED_AT)


def seal(*, is_open: bool = False) -> None:
    call_command("seal_contacts", *(["--open"] if is_open else []), verbosity=0)


def a_club_that_is_reached() -> tuple[Club, Person]:
    """It knows telephones and addresses in each of the ways in which it may know them."""
    hall = Hall(pairs=2)
    club = hall.event.club
    lise = add_person(club_id=club.pk, details=PersonDetails(name="Lise Roy", contact=BEFORE))
    change_person(club_id=club.pk, person_id=lise.pk, details=PersonDetails(name="Lise Roy", contact=SINCE))
    import_people(club_id=club.pk, text=f"Marcel Cyr, {LISTED}")
    ask_alerts(
        event=hall.event,
        person=hall.event.entries.all()[0].player_1,
        channel="webpush",
        address=PushedBrowser(PHONE).address,
        language="fr",
    )
    with_address()
    ask(Browser())
    return club, Person.objects.get(pk=lise.pk)


def in_the_files() -> list[str]:
    """The contact data that whoever copies the database finds in it."""
    bytes_of = b"".join(path.read_bytes() for path in Path(settings.DATA_DIR).glob(f"{DATABASE}*"))
    return [text for text in (BEFORE, SINCE, LISTED, ADDRESS, PHONE) if text.encode() in bytes_of]


def found() -> set[str]:
    return {finding.code for finding in examine()}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a file to look into")
class TestTheFileOfTheDatabase:
    def test_holds_contact_data_until_they_are_sealed_and_none_from_then_on(self) -> None:
        club, lise = a_club_that_is_reached()
        assert len(in_the_files()) == 5
        seal()
        assert in_the_files() == []
        add_person(club_id=club.pk, details=PersonDetails(name="Anne Roy", contact=LISTED))
        change_person(
            club_id=club.pk, person_id=lise.pk, details=PersonDetails(name="Lise Roy", contact=BEFORE)
        )
        import_people(club_id=club.pk, text=f"Luc Roy, {SINCE}")
        ask(Browser())
        assert in_the_files() == []

    def test_has_them_as_they_were_once_they_are_opened(self) -> None:
        a_club_that_is_reached()
        before = state()
        seal()
        sealed = raw(Person, "contact")
        assert [text for text in sealed if text and not text.startswith(MARK)] == []
        assert state() == before
        seal(is_open=True)
        assert state() == before
        assert len(in_the_files()) == 5


def raw(model: type[Person], column: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column} FROM {model._meta.db_table}")
        return [text for (text,) in cursor.fetchall()]


def is_in_after(browser: Browser) -> bool:
    opened(browser, link_in(arrived()[-1]))
    return is_in(browser)


class TestWhoeverSealsThem:
    def test_is_told_how_they_stand_from_now_on_and_how_much_that_changed(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        add_person(club_id=a_club().pk, details=PersonDetails(name="Anne Roy", contact=LISTED))
        said = []  # of the person, and of the line of the club's history
        for is_open in (False, True, True):
            seal(is_open=is_open)
            said.append(capsys.readouterr().out)
        assert said == [
            "Contact details are now encrypted. Rows updated: 2\n",
            "Contact details are no longer encrypted. Rows updated: 2\n",
            "Contact details are no longer encrypted. Rows updated: 0\n",
        ]


class TestWhoeverWorksWithThem:
    def test_reads_merges_undoes_and_forgets_as_before(self) -> None:
        club, lise = a_club_that_is_reached()
        seal()
        assert Person.objects.get(pk=lise.pk).contact == SINCE
        line = club.actions.get(kind="change_person")
        undo_club_action(club_id=club.pk, action_id=line.pk)
        assert Person.objects.get(pk=lise.pk).contact == BEFORE
        other = add_person(club_id=club.pk, details=PersonDetails(name="Élise Roy"))
        merge_people(club_id=club.pk, kept_id=other.pk, merged_id=lise.pk)
        assert Person.objects.get(pk=other.pk).contact == BEFORE
        child = add_person(
            club_id=club.pk, details=PersonDetails(name="Luc Caron", contact=f"Élise Roy, {BEFORE}")
        )
        anonymize_people(club_id=club.pk, person_ids=[other.pk])
        assert Person.objects.get(pk=other.pk).contact == ""
        assert "Élise" not in Person.objects.get(pk=child.pk).contact
        kept = json.dumps(list(club.actions.values_list("rows", flat=True)), ensure_ascii=False)
        assert "Élise" not in kept
        assert SINCE not in kept

    def test_signs_in_by_mail_whichever_way_the_address_stands(self) -> None:
        account = with_address()
        for turn in (False, True, False):
            seal(is_open=turn)
            browser = Browser()
            MailedLink.objects.all().delete()  # the next is asked for at once
            ask(browser)
            assert is_in_after(browser)
        forget_address(account_id=account.pk)

    def test_finds_an_address_while_some_rows_are_sealed_and_some_are_not(self) -> None:
        with_address()
        note().touch()
        browser = Browser()
        ask(browser)
        assert is_in_after(browser)

    def test_gives_an_address_to_one_account_only(self) -> None:
        with_address()
        seal()
        desk = signed_in(an_account("Rolande"))
        give(desk, ADDRESS)
        opened(desk, link_in(arrived()[-1]))
        assert Account.objects.filter(email=ADDRESS).count() == 1


class TestABackup:
    def test_has_them_open_and_is_restored_under_any_key(self, tmp_path: Path) -> None:
        a_club_that_is_reached()
        seal()
        before = state()
        back_up(tmp_path / "all.zip")
        with zipfile.ZipFile(tmp_path / "all.zip") as archive:
            text = b"".join(archive.read(name) for name in archive.namelist()).decode()
        assert SINCE in text
        assert MARK not in text
        forget_everything()
        with override_settings(SECRET_KEY="another key of more than fifty letters, as a start makes them"):
            restore(tmp_path / "all.zip")
            assert {**state(), "clubs.SecondFactor": []} == {**before, "clubs.SecondFactor": []}
            assert in_the_files() == [] or connection.vendor != "sqlite"


class TestTheDoctor:
    def test_says_whether_they_are_sealed(self) -> None:
        a_club_that_is_reached()
        assert "contacts_open" in found()
        seal()
        assert "contacts_sealed" in found()

    def test_finds_that_some_are_not_as_was_asked_for(self) -> None:
        a_club_that_is_reached()
        note().touch()
        assert "contacts_mixed" in found()
        seal()
        note().unlink()
        assert "contacts_mixed" in found()

    def test_finds_that_the_key_is_lost_with_which_they_were_sealed(self) -> None:
        _, lise = a_club_that_is_reached()
        seal()
        with override_settings(SECRET_KEY="another key of more than fifty letters, as a start makes them"):
            Installation.objects.all().delete()
            assert "contacts_locked" in found()
            seal()
            seal(is_open=True)
        assert Person.objects.get(pk=lise.pk).contact == SINCE


def test_the_start_without_the_key_says_what_else_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    monkeypatch.setenv("LANG", "en")
    (tmp_path / DATABASE).write_bytes(b"a database")
    with pytest.raises(Stop, match="is missing") as stopped:
        check_key(tmp_path)
    assert "sealed" not in str(stopped.value)
    (tmp_path / CONTACTS_SEALED).touch()
    with pytest.raises(Stop, match="addresses encrypted with it cannot be read"):
        check_key(tmp_path)
