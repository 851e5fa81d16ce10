"""Commands of an organizer: import a night, print standings, prove the log, look around."""

import datetime
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clubs.calendar import today_in
from clubs.models import Account, Club
from clubs.services import find_or_add_people
from engine.signed_logs import fingerprint, signed_log_to_json
from operations.data_dir import PROJECT
from scoring.models import Match
from tests.builders import TUESDAY, a_club, a_match, a_running_night, fresh, mark, play_round, standings_after
from tests.tournaments.imports.night_sheets import HANDS, NIGHT, RIGHT, with_line
from tests.tournaments.imports.test_long_writes import everything
from tests.tournaments.seasons.test_seasons import a_season
from tournaments.imports.recorded_nights import RECORDED
from tournaments.models import Event
from tournaments.publishing.services.publishing import publish_final
from tournaments.signing.queries import signed_log_of

pytestmark = pytest.mark.django_db


def said(command: str, *arguments: str) -> list[str]:
    """The lines that the command prints."""
    printed = io.StringIO()
    call_command(command, *arguments, stdout=printed)
    return printed.getvalue().splitlines()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A recorded night as an organizer has it."""
    for name, content in RIGHT.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.mark.postgresql("a night is written at once")
class TestImportNight:
    @pytest.mark.slow
    def test_ends_with_the_short_name_of_the_event(self, folder: Path) -> None:
        last = said("import_night", str(folder), "--on", "2026-11-17")[-1]
        assert last == f"event {Event.objects.get().short}"

    @pytest.mark.slow
    def test_on_a_new_installation_makes_a_club(self, folder: Path) -> None:
        said("import_night", str(folder), "--on", "2026-11-17")
        assert Event.objects.get().club == Club.objects.get()

    @pytest.mark.slow
    def test_takes_the_only_club_there_is(self, folder: Path) -> None:
        club = a_club()
        said("import_night", str(folder), "--name", "Tuesday", "--on", "2026-11-17")
        assert (Event.objects.get().club, Event.objects.get().name) == (club, "Tuesday")

    @pytest.mark.slow
    def test_asks_which_club_where_there_are_several(self, folder: Path) -> None:
        a_club("One")
        other = a_club("Other")
        with pytest.raises(CommandError, match="one, other"):
            said("import_night", str(folder))
        with pytest.raises(CommandError, match="one, other"):
            said("import_night", str(folder), "--club", "third")
        said("import_night", str(folder), "--club", other.slug, "--on", "2026-11-17")
        assert Event.objects.get().club == other

    def test_says_everything_that_is_wrong_and_imports_nothing(self, folder: Path) -> None:
        (folder / "hands.csv").write_bytes(with_line(HANDS, 2, "1,1,1,9,A,6,H,9,made"))
        with pytest.raises(CommandError) as caught:
            said("import_night", str(folder))
        first, *lines = str(caught.value).splitlines()
        assert first == "Nothing was imported. Correct these lines and try again."
        assert [line.partition(": ")[0] for line in lines] == [
            "hands.csv, line 2, column dealer",
            "hands.csv, line 2, column tricks",
        ]
        assert not Event.objects.exists()

    @pytest.mark.slow
    def test_has_the_day_that_is_said_or_that_of_its_file_and_never_today_by_itself(
        self, folder: Path
    ) -> None:
        club = a_club()
        with pytest.raises(CommandError, match="Add `--on 2026-11-17`"):
            said("import_night", str(folder))
        with pytest.raises(CommandError, match="“soon” is not a date"):
            said("import_night", str(folder), "--on", "soon")
        said("import_night", str(folder), "--on", "today")
        assert Event.objects.latest("pk").held_on == today_in(club)
        (folder / "night.json").write_bytes(NIGHT.replace(b"}", b', "held_on": "2025-11-04", "name": "Old"}'))
        said("import_night", str(folder))
        assert (Event.objects.latest("pk").held_on, Event.objects.latest("pk").name) == (
            datetime.date(2025, 11, 4),
            "Old",
        )
        said("import_night", str(folder), "--on", "2026-11-17")
        assert Event.objects.latest("pk").held_on == TUESDAY

    def test_says_what_it_would_do_and_does_nothing(self, folder: Path) -> None:
        asked = ("import_night", str(folder), "--on", "2026-11-17", "--preview")
        assert said(*asked)[:2] == ["Tuesday, November 17, 2026", "Entries: 4; rounds: 2; hands: 7."]
        assert not Club.objects.exists()
        club = a_club()
        a_season(club)
        find_or_add_people(club=club, full_names=["Jeannine Roy", "Dubé Marcel"])
        before = everything()
        told = said(*asked)
        assert everything() == before
        assert told[2:6] == [
            "First: Jeannine Roy and Marcel Dubé, 2 matches won.",
            "New to the club: Ghislaine Cyr, Normand Ouellet, Lise Albert, Paul Albert, Rita Hudon and Yvon "
            "Hudon.",
            "Already in the club: Jeannine Roy.",
            "Possible duplicates, added anyway: Marcel Dubé.",
        ]
        assert told[6] == "Autumn, General:"
        assert told[7] == "  Jeannine Roy: rank – → 1, total 0 → 70"

    def test_of_a_folder_that_is_not_there_says_so(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="does not exist"):
            said("import_night", str(tmp_path / "nowhere"))


class TestStandings:
    @pytest.mark.slow
    @pytest.mark.parametrize("name", [path.parent.name for path in sorted(RECORDED.glob("*/expected.json"))])
    def test_of_a_recorded_night_are_as_expected(self, name: str) -> None:
        short = said("import_night", str(RECORDED / name), "--on", "2026-11-17")[-1].removeprefix("event ")
        rows = json.loads("\n".join(said("standings", short, "--format", "json")))
        expected = json.loads((RECORDED / name / "expected.json").read_text())["standings"]
        assert rows == expected
        assert list(rows[0]) == [
            "rank",
            "entry",
            "match_wins",
            "games_won",
            "points_for",
            "points_against",
            "difference",
        ]

    def test_have_a_column_for_whatever_else_ranks(self) -> None:
        event = a_running_night(pairs=2)
        event.ranking = {"order": ["match_wins", "head_to_head", "buchholz"]}
        event.save(update_fields=["ranking"])
        standings_after(event)
        rows = json.loads("\n".join(said("standings", event.short, "--format", "json")))
        assert list(rows[0])[7:] == ["head_to_head", "buchholz"]
        assert (rows[0]["head_to_head"], rows[0]["buchholz"]) == (None, 0)
        assert "None" not in "".join(said("standings", event.short))

    @pytest.mark.slow
    def test_are_a_table_to_read(self) -> None:
        event = a_running_night()
        standings_after(event)
        assert len(said("standings", event.short)) == 5

    @pytest.mark.postgresql("names are found by a part")
    def test_of_no_event_are_refused(self) -> None:
        with pytest.raises(CommandError, match="This event does not exist"):
            said("standings", "nothing")


@pytest.mark.postgresql("every match is read in turn")
class TestRebuildMatches:
    def test_proves_that_all_is_as_the_logs_say(self) -> None:
        mark(a_match(), "A 6 made")
        assert said("rebuild_matches") == ["Matches checked: 1, all correct."]

    def test_names_and_puts_right_what_is_not(self) -> None:
        match = a_match()
        mark(match, "A 6 made")
        right = fresh(match).summary
        Match.objects.update(summary={})
        with pytest.raises(CommandError, match="1 of 1"):
            said("rebuild_matches")
        assert fresh(match).summary == right
        assert said("rebuild_matches")


@pytest.mark.slow
def test_demo_fills_a_club_with_the_recorded_nights_and_one_under_way_and_says_how_to_sign_in() -> None:
    *lines, last = said("demo")
    events = Event.objects.all()
    assert sorted(line.removeprefix("event ") for line in lines) == sorted(event.short for event in events)
    assert sorted(event.state for event in events) == ["ended", "ended", "ended", "running"]
    under_way = Match.objects.filter(table__round__event__state="running", closed_at=None)
    assert {match.is_over for match in under_way} == {True, False}
    account = Account.objects.get()
    assert account.name in last
    assert account.check_password(last.rsplit(maxsplit=1)[-1].rstrip("."))
    assert Club.objects.get().memberships.get().account == account


@pytest.mark.slow
@pytest.mark.parametrize(
    ("locale", "language", "club", "last"),
    [
        ("en_CA.UTF-8", "en", "The Merry Trumps", "Sign in as Demo, password: "),
        ("fr_CA.UTF-8", "fr", "Les Joyeux Atouts", "Connectez-vous\u00a0: Démo, mot de passe\u00a0: "),
    ],
)
def test_demo_speaks_the_language_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, locale: str, language: str, club: str, last: str
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    assert said("demo")[-1].startswith(last)
    made = Club.objects.get()
    assert (made.name, made.language, Account.objects.get().language) == (club, language, language)


class TestAnEventAsOneFile:
    def test_is_written_once_and_proved_without_the_database(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        event = a_running_night()
        path = tmp_path / "tuesday.json"
        (told,) = said("export_event", event.short, str(path))
        assert told.startswith(f"Written: {path}. Checksum: ")
        with pytest.raises(CommandError, match="already"):
            said("export_event", event.short, str(path))
        with CaptureQueriesContext(connection) as queries:
            proved, signed = said("verify", str(path))
        assert not queries.captured_queries
        assert proved.startswith("No errors. Draws repeated: 1 (proved best: 1); matches: 2 ")
        assert proved.endswith(told.rpartition(" ")[2])
        assert signed.startswith("Not signed: ")

    @pytest.mark.slow
    def test_says_who_signed_it_by_the_key_and_the_log_that_somebody_has(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        event = a_running_night()
        path, log, head = tmp_path / "tuesday.json", tmp_path / "log.json", tmp_path / "head.txt"
        play_round(event)
        publish_final(event_id=event.pk)
        said("export_event", event.short, str(path))
        kept = signed_log_of(event.club)
        assert kept is not None
        log.write_text(json.dumps(signed_log_to_json(kept)))
        head.write_text(kept.checkpoint)
        key = fingerprint(kept.entries[0].entry["key"])
        _, signed, whole = said("verify", str(path), "--key", key, "--log", str(log), "--older", str(head))
        assert signed.startswith(f"Signed by the club with key {key}: log entry 1, ")
        assert whole.startswith("Results log verified: 1 entry.")
        with pytest.raises(SystemExit):
            call_command("verify", str(path), "--key", "9f3a")
        assert capsys.readouterr().out.splitlines() == ["Signed, but not by the key you gave."]

    @pytest.mark.parametrize(
        ("asked", "told"),
        [
            ((), "Enter an event file, or a results log:"),
            (("--log", "nowhere.json"), "File not found"),
            (("--log", "{}"), "No club results log at"),
            (("--log", "http://127.0.0.1:9/log.json"), "No answer from http://127.0.0.1:9/log.json"),
        ],
    )
    def test_is_compared_with_no_log_that_is_none(
        self, asked: tuple[str, ...], told: str, tmp_path: Path
    ) -> None:
        empty = tmp_path / "empty.json"
        empty.write_text("{}")
        with pytest.raises(CommandError, match=told):
            said("verify", *(str(empty) if each == "{}" else each for each in asked))

    @pytest.mark.slow
    def test_is_proved_with_no_more_of_the_program_than_that_takes(self, tmp_path: Path) -> None:
        path = tmp_path / "tuesday.json"
        said("export_event", a_running_night().short, str(path))
        told = (
            "import sys; from operations.verifying import verify_alone; "
            f"verify_alone(['manage.py', 'verify', {str(path)!r}]); "
            "print([name for name in ('tournaments.models', 'celery', 'config.urls') if name in sys.modules])"
        )
        answer = subprocess.run(
            [sys.executable, "-c", told], capture_output=True, text=True, check=True, cwd=PROJECT
        )
        assert answer.stdout.splitlines()[-1] == "[]"

    def test_that_was_changed_is_told_line_by_line(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        event = a_running_night()
        path = tmp_path / "tuesday.json"
        said("export_event", event.short, str(path))
        content = json.loads(path.read_text())
        content["rounds"][0]["tables"][1]["match"]["is_over"] = True
        path.write_text(json.dumps(content))
        for locale, lines in TOLD.items():
            monkeypatch.setenv("LC_ALL", locale)
            with pytest.raises(SystemExit) as ended:
                call_command("verify", str(path))
            assert ended.value.code == 1
            assert capsys.readouterr().out.splitlines() == lines

    def test_that_cannot_be_read_is_told_in_one_line(self, tmp_path: Path) -> None:
        path = tmp_path / "none.json"
        with pytest.raises(CommandError, match="File not found"):
            said("verify", str(path))
        path.write_text("a letter")
        with pytest.raises(CommandError, match="Not a Charlemagne event file"):
            said("verify", str(path))


TOLD = {
    "en_CA.UTF-8": [
        "“rounds.0” changed after its checksum was computed.",
        "Round 1, table 2: “is_over” is true; recomputed, false.",
    ],
    "fr_CA.UTF-8": [
        "« rounds.0 » a changé après le calcul de sa somme de contrôle.",
        "Ronde 1, table 2 : « is_over » vaut true; recalculé, false.",
    ],
}
