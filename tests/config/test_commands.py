"""Commands for organizers: import a night, print standings, verify a log, try the demo."""

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

from clubs.calendar import get_club_today
from clubs.models import Account, Club
from clubs.services.people import find_or_add_people
from engine.signed_logs import get_fingerprint, signed_log_to_json
from operations.data_dir import PROJECT
from scoring.models import Match
from tests.builders import (
    TUESDAY,
    build_club,
    build_match,
    build_running_night,
    compute_standings,
    mark,
    play_round,
    reload_match,
)
from tests.tournaments.imports.night_sheets import HANDS, NIGHT, RIGHT, replace_line
from tests.tournaments.imports.test_long_writes import count_all_rows
from tests.tournaments.seasons.test_seasons import build_season
from tournaments.imports.recorded_nights.files import SAMPLES_FOLDER
from tournaments.models import Event
from tournaments.publishing.services.publishing import publish_final
from tournaments.signing.queries import find_signed_log

pytestmark = pytest.mark.django_db


def run_command(command: str, *arguments: str) -> list[str]:
    """Return the lines that the command prints."""
    printed = io.StringIO()
    call_command(command, *arguments, stdout=printed)
    return printed.getvalue().splitlines()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return the folder of a recorded night, as an organizer has it."""
    for name, content in RIGHT.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.mark.postgresql("bulk inserts")
class TestImportNight:
    @pytest.mark.long
    def test_import_prints_the_short_name_of_the_event(self, folder: Path) -> None:
        last = run_command("import_night", str(folder), "--on", "2026-11-17")[-1]
        assert last == f"event {Event.objects.get().short}"

    @pytest.mark.long
    def test_import_creates_a_club_in_a_new_installation(self, folder: Path) -> None:
        run_command("import_night", str(folder), "--on", "2026-11-17")
        assert Event.objects.get().club == Club.objects.get()

    @pytest.mark.long
    def test_import_uses_the_only_club(self, folder: Path) -> None:
        club = build_club()
        run_command("import_night", str(folder), "--name", "Tuesday", "--on", "2026-11-17")
        assert (Event.objects.get().club, Event.objects.get().name) == (club, "Tuesday")

    @pytest.mark.slow
    def test_import_asks_for_the_club_if_there_are_several(self, folder: Path) -> None:
        build_club("One")
        other = build_club("Other")
        with pytest.raises(CommandError, match="one, other"):
            run_command("import_night", str(folder))
        with pytest.raises(CommandError, match="one, other"):
            run_command("import_night", str(folder), "--club", "third")
        run_command("import_night", str(folder), "--club", other.slug, "--on", "2026-11-17")
        assert Event.objects.get().club == other

    def test_import_reports_every_mistake_and_imports_nothing(self, folder: Path) -> None:
        (folder / "hands.csv").write_bytes(replace_line(HANDS, 2, "1,1,1,9,A,6,H,9,made"))
        with pytest.raises(CommandError) as caught:
            run_command("import_night", str(folder))
        first, *lines = str(caught.value).splitlines()
        assert first == "Nothing was imported. Correct these lines and try again."
        assert [line.partition(": ")[0] for line in lines] == [
            "hands.csv, line 2, column dealer",
            "hands.csv, line 2, column tricks",
        ]
        assert not Event.objects.exists()

    @pytest.mark.slow
    def test_import_needs_a_date_from_the_option_or_file(self, folder: Path) -> None:
        club = build_club()
        with pytest.raises(CommandError, match="Add `--on 2026-11-17`"):
            run_command("import_night", str(folder))
        with pytest.raises(CommandError, match="“soon” is not a date"):
            run_command("import_night", str(folder), "--on", "soon")
        run_command("import_night", str(folder), "--on", "today")
        assert Event.objects.latest("pk").held_on == get_club_today(club)
        (folder / "night.json").write_bytes(NIGHT.replace(b"}", b', "held_on": "2025-11-04", "name": "Old"}'))
        run_command("import_night", str(folder))
        assert (Event.objects.latest("pk").held_on, Event.objects.latest("pk").name) == (
            datetime.date(2025, 11, 4),
            "Old",
        )
        run_command("import_night", str(folder), "--on", "2026-11-17")
        assert Event.objects.latest("pk").held_on == TUESDAY

    def test_import_preview_changes_nothing(self, folder: Path) -> None:
        command = ("import_night", str(folder), "--on", "2026-11-17", "--preview")
        assert run_command(*command)[:2] == ["Tuesday, November 17, 2026", "Entries: 4; rounds: 2; hands: 7."]
        assert not Club.objects.exists()
        club = build_club()
        build_season(club)
        find_or_add_people(club=club, full_names=["Jeannine Roy", "Dubé Marcel"])
        before = count_all_rows()
        preview_lines = run_command(*command)
        assert count_all_rows() == before
        assert preview_lines[2:6] == [
            "First: Jeannine Roy and Marcel Dubé, 2 matches won.",
            "New to the club: Ghislaine Cyr, Normand Ouellet, Lise Albert, Paul Albert, Rita Hudon and Yvon Hudon.",
            "Already in the club: Jeannine Roy.",
            "Possible duplicates, added anyway: Marcel Dubé.",
        ]
        assert preview_lines[6] == "Autumn, General:"
        assert preview_lines[7] == "  Jeannine Roy: rank – → 1, total 0 → 70"

    def test_import_reports_a_missing_folder(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="does not exist"):
            run_command("import_night", str(tmp_path / "nowhere"))


class TestStandingsCommand:
    @pytest.mark.long
    @pytest.mark.parametrize("name", [path.parent.name for path in sorted(SAMPLES_FOLDER.glob("*/expected.json"))])
    def test_standings_of_a_recorded_night_match_the_expected_ones(self, name: str) -> None:
        short = run_command("import_night", str(SAMPLES_FOLDER / name), "--on", "2026-11-17")[-1].removeprefix("event ")
        rows = json.loads("\n".join(run_command("standings", short, "--format", "json")))
        expected = json.loads((SAMPLES_FOLDER / name / "expected.json").read_text())["standings"]
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

    def test_standings_have_a_column_for_each_ranking_metric(self) -> None:
        event = build_running_night(pairs=2)
        event.ranking = {"order": ["match_wins", "head_to_head", "buchholz"]}
        event.save(update_fields=["ranking"])
        compute_standings(event)
        rows = json.loads("\n".join(run_command("standings", event.short, "--format", "json")))
        assert list(rows[0])[7:] == ["head_to_head", "buchholz"]
        assert (rows[0]["head_to_head"], rows[0]["buchholz"]) == (None, 0)
        assert "None" not in "".join(run_command("standings", event.short))

    @pytest.mark.long
    def test_standings_print_one_row_per_entry(self) -> None:
        event = build_running_night()
        compute_standings(event)
        assert len(run_command("standings", event.short)) == 5

    @pytest.mark.postgresql("LIKE")
    def test_standings_of_an_unknown_event_are_refused(self) -> None:
        with pytest.raises(CommandError, match="This event does not exist"):
            run_command("standings", "nothing")


@pytest.mark.postgresql("server-side cursors")
class TestRebuildMatches:
    def test_rebuild_confirms_correct_matches(self) -> None:
        mark(build_match(), "A 6 made")
        assert run_command("rebuild_matches") == ["Matches checked: 1, all correct."]

    def test_rebuild_names_and_repairs_a_wrong_match(self) -> None:
        match = build_match()
        mark(match, "A 6 made")
        right = reload_match(match).summary
        Match.objects.update(summary={})
        with pytest.raises(CommandError, match="1 of 1"):
            run_command("rebuild_matches")
        assert reload_match(match).summary == right
        assert run_command("rebuild_matches")


@pytest.mark.slow
def test_demo_creates_nights_and_prints_how_to_sign_in() -> None:
    *lines, last = run_command("demo")
    events = Event.objects.all()
    assert sorted(line.removeprefix("event ") for line in lines) == sorted(event.short for event in events)
    assert sorted(event.state for event in events) == ["ended", "ended", "ended", "running"]
    under_way = Match.objects.filter(table__round__event__state="running", closed_at=None)
    assert {match.is_over for match in under_way} == {True, False}
    account = Account.objects.get()
    assert account.name in last
    assert account.check_password(last.rsplit(maxsplit=1)[-1].rstrip("."))
    assert Club.objects.get().memberships.get().account == account


@pytest.mark.long
@pytest.mark.parametrize(
    ("locale", "language", "club", "last"),
    [
        ("en_CA.UTF-8", "en", "The Merry Trumps", "Sign in as Demo, password: "),
        ("fr_CA.UTF-8", "fr", "Les Joyeux Atouts", "Connectez-vous\u00a0: Démo, mot de passe\u00a0: "),
    ],
)
def test_demo_uses_the_language_of_the_terminal(
    monkeypatch: pytest.MonkeyPatch, locale: str, language: str, club: str, last: str
) -> None:
    monkeypatch.setenv("LC_ALL", locale)
    assert run_command("demo")[-1].startswith(last)
    made = Club.objects.get()
    assert (made.name, made.language, Account.objects.get().language) == (club, language, language)


class TestEventFile:
    def test_event_file_is_written_once_and_verified_without_the_database(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        event = build_running_night()
        path = tmp_path / "tuesday.json"
        (export_line,) = run_command("export_event", event.short, str(path))
        assert export_line.startswith(f"Written: {path}. Checksum: ")
        with pytest.raises(CommandError, match="already"):
            run_command("export_event", event.short, str(path))
        with CaptureQueriesContext(connection) as queries:
            proved, signed = run_command("verify", str(path))
        assert not queries.captured_queries
        assert proved.startswith("No errors. Draws repeated: 1 (proved best: 1); matches: 2 ")
        assert proved.endswith(export_line.rpartition(" ")[2])
        assert signed.startswith("Not signed: ")

    @pytest.mark.slow
    def test_verify_checks_the_signature_by_key_and_log(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        event = build_running_night()
        path, log, head = tmp_path / "tuesday.json", tmp_path / "log.json", tmp_path / "head.txt"
        play_round(event)
        publish_final(event_id=event.pk)
        run_command("export_event", event.short, str(path))
        signed_log = find_signed_log(event.club)
        assert signed_log is not None
        log.write_text(json.dumps(signed_log_to_json(signed_log)))
        head.write_text(signed_log.checkpoint)
        key = get_fingerprint(signed_log.entries[0].entry["key"])
        _, signed, whole = run_command("verify", str(path), "--key", key, "--log", str(log), "--older", str(head))
        assert signed.startswith(f"Signed by the club with key {key}: log entry 1, ")
        assert whole.startswith("Results log verified: 1 entry.")
        with pytest.raises(SystemExit):
            call_command("verify", str(path), "--key", "9f3a")
        assert capsys.readouterr().out.splitlines() == ["Signed, but not by the key you gave."]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ((), "Enter an event file, or a results log:"),
            (("--log", "nowhere.json"), "File not found"),
            (("--log", "{}"), "No club results log at"),
            (("--log", "http://127.0.0.1:9/log.json"), "No answer from http://127.0.0.1:9/log.json"),
        ],
    )
    def test_verify_refuses_a_log_that_is_none(self, arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
        empty = tmp_path / "empty.json"
        empty.write_text("{}")
        with pytest.raises(CommandError, match=message):
            run_command("verify", *(str(empty) if each == "{}" else each for each in arguments))

    @pytest.mark.slow
    def test_verify_does_not_load_django(self, tmp_path: Path) -> None:
        path = tmp_path / "tuesday.json"
        run_command("export_event", build_running_night().short, str(path))
        script = (
            "import sys; from operations.verifying import run_standalone_verify; "
            f"run_standalone_verify(['manage.py', 'verify', {str(path)!r}]); "
            "print([name for name in ('tournaments.models', 'celery', 'config.urls') if name in sys.modules])"
        )
        answer = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=PROJECT)
        assert answer.stdout.splitlines()[-1] == "[]"

    def test_verify_reports_changes_line_by_line(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        event = build_running_night()
        path = tmp_path / "tuesday.json"
        run_command("export_event", event.short, str(path))
        content = json.loads(path.read_text())
        content["rounds"][0]["tables"][1]["match"]["is_over"] = True
        path.write_text(json.dumps(content))
        for locale, lines in MESSAGES_BY_LOCALE.items():
            monkeypatch.setenv("LC_ALL", locale)
            with pytest.raises(SystemExit) as ended:
                call_command("verify", str(path))
            assert ended.value.code == 1
            assert capsys.readouterr().out.splitlines() == lines

    def test_unreadable_event_file_is_reported_on_one_line(self, tmp_path: Path) -> None:
        path = tmp_path / "none.json"
        with pytest.raises(CommandError, match="File not found"):
            run_command("verify", str(path))
        path.write_text("a letter")
        with pytest.raises(CommandError, match="Not a Charlemagne event file"):
            run_command("verify", str(path))


MESSAGES_BY_LOCALE = {
    "en_CA.UTF-8": [
        "“rounds.0” changed after its checksum was computed.",
        "Round 1, table 2: “is_over” is true; recomputed, false.",
    ],
    "fr_CA.UTF-8": [
        "« rounds.0 » a changé après le calcul de sa somme de contrôle.",
        "Ronde 1, table 2 : « is_over » vaut true; recalculé, false.",
    ],
}
