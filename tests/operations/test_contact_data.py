"""Encryption of contact data in the database, which can be switched on and changes nothing else."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import override_settings

from clubs.models import Account, Club, MailedLink, Person
from clubs.services.mailed_links import remove_address
from clubs.services.people import PersonDetails, add_person, change_person
from clubs.services.undo import undo_club_action
from config.models import Installation
from operations.backup import create_backup, restore
from operations.data_dir import DATABASE_FILE, ENCRYPTED_CONTACTS_FILE, KEY_VARIABLE, check_key
from operations.doctor import run_checks
from operations.terminal import Stop
from tests.builders import build_account, build_club, import_people
from tests.clubs.test_mailed_links import (
    ADDRESS,
    build_account_with_email,
    confirm_link,
    give,
    is_in,
    request_link,
    sign_in,
)
from tests.operations.backup.test_backup import forget_everything, state
from tests.support.browser import Browser
from tests.support.hall import Hall
from tests.support.mailbox import MAIL_SETTINGS, find_link, list_messages
from tests.support.push_service import PushBrowser
from tournaments.alerts.services import subscribe_to_alerts
from tournaments.entries.services.merging import merge_people
from tournaments.privacy.services.erasure import anonymize_people
from web.sealing import SEALED_PREFIX

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql("columns cast to text"),
    pytest.mark.slow,
]

BEFORE, SINCE, LISTED = "418 555-0101", "lise.roy@example.org", "819 555-0142"
PHONE = "https://fcm.googleapis.com/fcm/send/a-phone-of-somebody"
JOIN_FILES = "import sys; [sys.stdout.buffer.write(open(path, 'rb').read()) for path in sys.argv[1:]]"


@pytest.fixture(autouse=True)
def _open_again() -> Iterator[None]:
    with override_settings(**MAIL_SETTINGS):
        yield
    get_seal_note().unlink(missing_ok=True)


def get_seal_note() -> Path:
    return Path(settings.CONTACTS_SEALED_AT)


def run_seal_command(*, is_open: bool = False) -> None:
    call_command("seal_contacts", *(["--open"] if is_open else []), verbosity=0)


def build_club_with_contacts() -> tuple[Club, Person]:
    """Build a club whose database holds contacts in every place that may store them."""
    hall = Hall(pairs=2)
    club = hall.event.club
    lise = add_person(club_id=club.pk, details=PersonDetails(name="Lise Roy", contact=BEFORE))
    change_person(club_id=club.pk, person_id=lise.pk, details=PersonDetails(name="Lise Roy", contact=SINCE))
    import_people(club_id=club.pk, text=f"Marcel Cyr, {LISTED}")
    subscribe_to_alerts(
        event=hall.event,
        person=hall.event.entries.all()[0].player_1,
        channel="webpush",
        address=PushBrowser(PHONE).address,
        language="fr",
    )
    build_account_with_email()
    request_link(Browser())
    return club, Person.objects.get(pk=lise.pk)


def list_readable_contacts() -> list[str]:
    """Return the contacts that are readable in the database's files.

    Another process reads them: closing a file of an open database would end this process's locks on it, and the
    next process would then delete its journal.
    """
    files = Path(settings.DATA_DIR).glob(f"{DATABASE_FILE}*")
    command = [sys.executable, "-ISc", JOIN_FILES, *map(str, files)]
    bytes_of = subprocess.run(command, capture_output=True, check=True).stdout
    return [text for text in (BEFORE, SINCE, LISTED, ADDRESS, PHONE) if text.encode() in bytes_of]


def find_finding_codes() -> set[str]:
    return {finding.code for finding in run_checks()}


@pytest.mark.long
@pytest.mark.skipif(connection.vendor != "sqlite", reason="a file to look into")
class TestEncryptedContacts:
    def test_database_file_has_no_readable_contacts_after_encryption(self) -> None:
        club, lise = build_club_with_contacts()
        assert len(list_readable_contacts()) == 5
        run_seal_command()
        assert list_readable_contacts() == []
        add_person(club_id=club.pk, details=PersonDetails(name="Anne Roy", contact=LISTED))
        change_person(club_id=club.pk, person_id=lise.pk, details=PersonDetails(name="Lise Roy", contact=BEFORE))
        import_people(club_id=club.pk, text=f"Luc Roy, {SINCE}")
        request_link(Browser())
        assert list_readable_contacts() == []

    def test_contacts_survive_encryption_and_decryption(self) -> None:
        build_club_with_contacts()
        before = state()
        run_seal_command()
        sealed = read_raw_column(Person, "contact")
        assert [text for text in sealed if text and not text.startswith(SEALED_PREFIX)] == []
        assert state() == before
        run_seal_command(is_open=True)
        assert state() == before
        assert len(list_readable_contacts()) == 5


def read_raw_column(model: type[Person], column: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {column} FROM {model._meta.db_table}")
        return [text for (text,) in cursor.fetchall()]


def is_in_after(browser: Browser) -> bool:
    confirm_link(browser, find_link(list_messages()[-1]))
    return is_in(browser)


class TestSealCommand:
    def test_command_reports_the_new_state_and_changed_rows(self, capsys: pytest.CaptureFixture[str]) -> None:
        add_person(club_id=build_club().pk, details=PersonDetails(name="Anne Roy", contact=LISTED))
        outputs = []  # rows: the person, and its line in the club's history
        for is_open in (False, True, True):
            run_seal_command(is_open=is_open)
            outputs.append(capsys.readouterr().out)
        assert outputs == [
            "Contact details are now encrypted. Rows updated: 2\n",
            "Contact details are no longer encrypted. Rows updated: 2\n",
            "Contact details are no longer encrypted. Rows updated: 0\n",
        ]


@pytest.mark.long
class TestWorkWithEncryptedContacts:
    def test_encrypted_contacts_can_be_read_merged_and_erased(self) -> None:
        club, lise = build_club_with_contacts()
        run_seal_command()
        assert Person.objects.get(pk=lise.pk).contact == SINCE
        line = club.actions.get(kind="change_person")
        undo_club_action(club_id=club.pk, action_id=line.pk)
        assert Person.objects.get(pk=lise.pk).contact == BEFORE
        other = add_person(club_id=club.pk, details=PersonDetails(name="Élise Roy"))
        merge_people(club_id=club.pk, target_id=other.pk, source_id=lise.pk)
        assert Person.objects.get(pk=other.pk).contact == BEFORE
        child = add_person(club_id=club.pk, details=PersonDetails(name="Luc Caron", contact=f"Élise Roy, {BEFORE}"))
        anonymize_people(club_id=club.pk, person_ids=[other.pk])
        assert Person.objects.get(pk=other.pk).contact == ""
        assert "Élise" not in Person.objects.get(pk=child.pk).contact
        history_json = json.dumps(list(club.actions.values_list("rows", flat=True)), ensure_ascii=False)
        assert "Élise" not in history_json
        assert SINCE not in history_json

    def test_email_sign_in_works_with_and_without_encryption(self) -> None:
        account = build_account_with_email()
        for turn in (False, True, False):
            run_seal_command(is_open=turn)
            browser = Browser()
            MailedLink.objects.all().delete()  # so that the next link may be requested at once
            request_link(browser)
            assert is_in_after(browser)
        remove_address(account_id=account.pk)

    def test_email_lookup_works_with_partially_encrypted_rows(self) -> None:
        build_account_with_email()
        get_seal_note().touch()
        browser = Browser()
        request_link(browser)
        assert is_in_after(browser)

    def test_encrypted_email_stays_unique(self) -> None:
        build_account_with_email()
        run_seal_command()
        desk = sign_in(build_account("Rolande"))
        give(desk, ADDRESS)
        confirm_link(desk, find_link(list_messages()[-1]))
        assert Account.objects.filter(email=ADDRESS).count() == 1


class TestBackupOfContacts:
    @pytest.mark.long
    def test_backup_holds_plain_contacts_and_restores_under_any_key(self, tmp_path: Path) -> None:
        build_club_with_contacts()
        run_seal_command()
        before = state()
        create_backup(tmp_path / "all.zip")
        with zipfile.ZipFile(tmp_path / "all.zip") as archive:
            text = b"".join(archive.read(name) for name in archive.namelist()).decode()
        assert SINCE in text
        assert SEALED_PREFIX not in text
        forget_everything()
        with override_settings(SECRET_KEY="another key of more than fifty letters, as a start makes them"):
            restore(tmp_path / "all.zip")
            assert {**state(), "clubs.SecondFactor": []} == {**before, "clubs.SecondFactor": []}
            assert list_readable_contacts() == [] or connection.vendor != "sqlite"


class TestContactFindings:
    @pytest.mark.long
    def test_doctor_reports_whether_contacts_are_encrypted(self) -> None:
        build_club_with_contacts()
        assert "contacts_open" in find_finding_codes()
        run_seal_command()
        assert "contacts_sealed" in find_finding_codes()

    def test_doctor_reports_partially_encrypted_contacts(self) -> None:
        build_club_with_contacts()
        get_seal_note().touch()
        assert "contacts_mixed" in find_finding_codes()
        run_seal_command()
        get_seal_note().unlink()
        assert "contacts_mixed" in find_finding_codes()

    def test_doctor_reports_a_lost_encryption_key(self) -> None:
        _, lise = build_club_with_contacts()
        run_seal_command()
        with override_settings(SECRET_KEY="another key of more than fifty letters, as a start makes them"):
            Installation.objects.all().delete()
            assert "contacts_locked" in find_finding_codes()
            run_seal_command()
            run_seal_command(is_open=True)
        assert Person.objects.get(pk=lise.pk).contact == SINCE


def test_start_without_the_key_warns_about_encrypted_contacts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    monkeypatch.setenv("LANG", "en")
    (tmp_path / DATABASE_FILE).write_bytes(b"a database")
    with pytest.raises(Stop, match="is missing") as stopped:
        check_key(tmp_path)
    assert "sealed" not in str(stopped.value)
    (tmp_path / ENCRYPTED_CONTACTS_FILE).touch()
    with pytest.raises(Stop, match="addresses encrypted with it cannot be read"):
        check_key(tmp_path)
