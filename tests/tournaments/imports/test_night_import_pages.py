"""Upload of a recorded night: a preview first, then the import; or its errors, line by line."""

import datetime
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.calendar import get_club_today
from clubs.models import Person
from jobs.models import Job
from jobs.services import run_job
from tests.builders import TUESDAY
from tests.support.browser import Page
from tests.support.office import Office
from tests.tournaments.seasons.test_seasons import build_season
from tournaments.imports.uploaded_events import UPLOAD_STORE
from tournaments.models import Event
from tournaments.seasons.services import close_season, refresh_seasons
from web.names import fold_name

from .night_sheets import ENTRIES, HANDS, RIGHT, TABLES, replace_line
from .test_long_writes import count_all_rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_night_of_another_test() -> None:
    """Delete uploads of earlier tests: they are stored under a club's number, which a later club may reuse."""
    for file in UPLOAD_STORE.folder.glob("*"):
        file.unlink()


DATED_SETTINGS = RIGHT["night.json"].replace(b"}", b', "held_on": "2026-11-03", "name": "All Souls"}')


def build_uploads(**changed: bytes) -> list[SimpleUploadedFile]:
    content = RIGHT | {name.replace("_", "."): value for name, value in changed.items()}
    return [SimpleUploadedFile(name, value) for name, value in content.items()]


def upload_night(office: Office, **changed: bytes) -> Page:
    return office.upload_night(*build_uploads(**changed), name="Last Tuesday", held_on="2026-11-17")


def list_refused_lines(page: Page) -> list[list[str]]:
    table = page.find_one("table", **{"class": "refused"})
    return [[cell.text for cell in row.find_all("td")] for row in list(table.find_all("tr"))[1:]]


def confirm_import(office: Office, page: Page, **typed: Any) -> Event:
    office.browser.send(page, page.find_form(control_name="key"), **typed)
    return office.club.events.latest("pk")


def create_person(office: Office, name: str) -> Person:
    return Person.objects.create(club=office.club, name=name, folded_name=fold_name(name))


class TestNightDate:
    @pytest.mark.long
    def test_typed_day_is_used_for_the_night(self) -> None:
        office = Office()
        assert confirm_import(office, upload_night(office)).held_on == TUESDAY

    @pytest.mark.long
    def test_day_of_the_file_is_used_by_default(self) -> None:
        office = Office()
        page = office.upload_night(*build_uploads(night_json=DATED_SETTINGS))
        assert "Tuesday, November 3, 2026" in page.text
        event = confirm_import(office, page)
        assert (event.held_on, event.name) == (datetime.date(2026, 11, 3), "All Souls")

    @pytest.mark.long
    def test_typed_day_takes_precedence_over_the_file(self) -> None:
        office = Office()
        assert confirm_import(office, upload_night(office, night_json=DATED_SETTINGS)).held_on == TUESDAY

    def test_missing_day_is_asked_for(self) -> None:
        office = Office()
        page = office.upload_night(*build_uploads(), name="Last Tuesday")
        assert page.status == 422
        assert page.get_field_error("held_on") == "Choose a day."
        assert page.find_field("name").value == "Last Tuesday"

    @pytest.mark.parametrize("typed", ["yesterday", "0026-11-17", "2026-02-30", "\ud800", "1\x00"])
    def test_invalid_day_is_refused_at_its_field(self, typed: str) -> None:
        page = Office().upload_night(*build_uploads(), held_on=typed.encode("utf-8", "replace").decode())
        assert page.status == 422
        assert page.get_field_error("held_on")

    def test_invalid_day_in_the_file_is_listed_with_other_errors(self) -> None:
        wrong = DATED_SETTINGS.replace(b"2026-11-03", b"last week")
        page = Office().upload_night(
            *build_uploads(night_json=wrong, hands_csv=replace_line(HANDS, 2, "1,1,1,0,A,6,H,9,made"))
        )
        rows = list_refused_lines(page)
        assert [row[0] for row in rows] == ["night.json", "hands.csv"]
        assert rows[0][2:] == ["held_on", "“last week” is not a date. Enter one like 2026-11-17."]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_preview_warns_of_a_future_day(self) -> None:
        office = Office()
        tomorrow = get_club_today(office.club) + datetime.timedelta(days=1)
        page = office.upload_night(*build_uploads(), held_on=tomorrow.isoformat())
        assert "This date is in the future." in page.text
        assert "This date is in the future." not in upload_night(office).text


class TestNightPreview:
    @pytest.mark.slow
    def test_night_preview_writes_nothing(self) -> None:
        office = Office()
        build_season(office.club)
        before = count_all_rows(), Job.objects.count()
        page = upload_night(office)
        assert page.status == 200
        assert office.browser.open(page.path).status == 200
        assert (count_all_rows(), Job.objects.count()) == before

    @pytest.mark.long
    def test_preview_shows_the_winners_and_unfinished_matches(self) -> None:
        page = upload_night(Office())
        for expected_text in ("Tuesday, November 17, 2026", "Jeannine Roy and Marcel Dubé, 2 matches won"):
            assert expected_text in page.text
        assert "Some matches are unfinished: the night continues at the desk." in page.text

    @pytest.mark.long
    def test_preview_lists_new_and_known_people(self) -> None:
        office = Office()
        person = create_person(office, "jeannine  ROY")
        page = upload_night(office)
        assert "1 person already known" in page.text
        assert "7 new people" in page.text
        event = confirm_import(office, page)
        assert event.entries.get(number=1).player_1 == person
        assert office.club.people.count() == 8

    @pytest.mark.long
    def test_marked_namesake_becomes_a_new_person(self) -> None:
        office = Office()
        person = create_person(office, "Jeannine Roy")
        event = confirm_import(office, upload_night(office), other=["1"])
        assert event.entries.get(number=1).player_1 != person
        assert office.club.people.filter(name="Jeannine Roy").count() == 2

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_preview_asks_whether_a_couple_shares_a_surname(self) -> None:
        office = Office()
        person = create_person(office, "Luc Roy")
        couples = ENTRIES.replace(b"Jeannine Roy,Marcel Dub\xc3\xa9", b"Luc et Anne Roy,")
        couples = couples.replace(b"Lise Albert,Paul Albert", b'"ALBERT, Lise et Paul",')
        page = upload_night(office, entries_csv=couples)
        assert "“Luc and Anne Roy”: one surname for both? Luc Roy and Anne Roy" in page.text
        assert "1 person already known" in page.text
        answers: dict[str, Any] = {"couple 4": "typed"}
        page = office.browser.send(page, page.find_form(control_name="key"), **answers)
        assert page.list_checked_values("couple 4") == ["typed"]
        event = confirm_import(office, page)
        assert str(event.entries.get(number=3)) == "Lise Albert / Paul"
        assert [player.name for player in event.entries.get(number=1).players] == ["Luc Roy", "Anne Roy"]
        assert event.entries.get(number=1).player_1 == person

    @pytest.mark.long
    def test_preview_asks_which_namesake_is_meant(self) -> None:
        office = Office()
        _, second = (create_person(office, "Jeannine Roy") for _ in range(2))
        page = upload_night(office)
        refused = office.browser.send(page, page.find_form(control_name="key"))
        assert refused.status == 422
        assert refused.get_field_error("person.1") == "Choose whether Jeannine Roy is already in the club."
        event = confirm_import(office, refused, **{"person.1": str(second.pk)})
        assert event.entries.get(number=1).player_1 == second

    @pytest.mark.long
    def test_previewed_season_changes_match_the_import(self) -> None:
        office = Office()
        season = build_season(office.club, {"name": "General"}, {"name": "Wins", "counts": "match_wins"})
        create_person(office, "Jeannine Roy")
        page = upload_night(office)
        tables = [
            [[cell.text for cell in row.find_all("th", "td")] for row in list(table.find_all("tr"))[1:]]
            for table in page.find_all("table")[:2]
        ]
        confirm_import(office, page)
        refresh_seasons(club_id=office.club.pk)
        season.refresh_from_db()
        names = dict(office.club.people.values_list("pk", "name"))
        for lines, rows in zip(tables, season.rows, strict=True):
            then = {(names[row["players"][0]], str(row["rank"]), str(row["total"])) for row in rows}
            assert {(name, rank, total) for name, _, rank, _, total in lines} == then

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_preview_says_a_closed_season_is_unaffected(self) -> None:
        office = Office()
        close_season(season_id=build_season(office.club).pk)
        assert "“Autumn” is closed: its standings do not change." in upload_night(office).text

    def test_preview_says_that_no_season_includes_the_day(self) -> None:
        assert "No season includes that day." in upload_night(Office()).text

    @pytest.mark.long
    def test_preview_names_another_event_of_the_day(self) -> None:
        office = Office()
        confirm_import(office, upload_night(office))
        page = upload_night(office)
        assert "Another event that day:" in page.text
        assert page.find_link("Last Tuesday").endswith("/desk")

    @pytest.mark.slow
    def test_night_upload_belongs_to_one_club_and_one_importer(self) -> None:
        office, other = Office(), Office()
        token = upload_night(office).path.rpartition("/")[2]
        for page in (
            f"/club/{other.club.slug}/import-night/{token}",
            f"/club/{other.club.slug}/import/{token}",
        ):
            assert other.browser.open(page).status == 404
        assert office.browser.open(f"/club/{office.club.slug}/import/{token}").status == 404


class TestNightUpload:
    @pytest.mark.long
    def test_confirmed_night_opens_at_its_desk(self) -> None:
        office = Office()
        page = office.import_night(*build_uploads(), name="Last Tuesday", held_on="2026-11-17")
        assert page.status == 200
        assert page.path == "/e/last-tuesday/desk"

    @pytest.mark.long
    def test_resent_confirmation_imports_one_night(self) -> None:
        office = Office()
        page = upload_night(office)
        for _ in range(2):
            office.browser.send(page, page.find_form(control_name="key"))
        assert Event.objects.filter(name="Last Tuesday").count() == 1

    @pytest.mark.slow
    def test_worker_imports_a_large_night(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tournaments.imports.services.night_import.LARGE", 1)
        office = Office()
        _, second = (create_person(office, "Jeannine Roy") for _ in range(2))
        page = upload_night(office)
        typed: dict[str, Any] = {"person.1": str(second.pk)}
        page = office.browser.send(page, page.find_form(control_name="key"), **typed)
        assert page.path == f"/club/{office.club.slug}/bringing-in"
        assert "Importing the recorded night" in page.text
        run_job(Job.objects.get(kind="bring_in_night").pk)
        page = office.browser.open(page.path)
        night = Event.objects.get(name="Last Tuesday")
        assert page.find_link("See the result Importing the recorded night") == f"/e/{night.short}/desk"
        assert night.entries.get(number=1).player_1 == second

    def test_bad_lines_are_listed_and_nothing_is_imported(self) -> None:
        office = Office()
        hands = replace_line(HANDS, 4, "1,1,3,2,A,9,H,12,made")
        page = office.upload_night(*build_uploads(hands_csv=hands, night_json=b"{"), name="Bad", held_on="2026-11-17")
        assert page.status == 422
        assert (page.find_field("name").value, page.find_field("held_on").value) == ("Bad", "2026-11-17")
        rows = list_refused_lines(page)
        assert rows[0][0] == "night.json"
        assert rows[0][3] == "This is not JSON."
        assert Event.objects.get() == office.event

    @pytest.mark.parametrize("content", [b"", b"null", b"[]", b"[" * 100_000, b'{"ruleset": 1e999}', b"\xff\xfe"])
    def test_invalid_json_upload_is_refused(self, content: bytes) -> None:
        office = Office()
        page = office.upload_night(*build_uploads(night_json=content))
        assert page.status == 422
        assert "night.json" in page.find_one("table").text
        assert Event.objects.get() == office.event

    def test_upload_without_files_is_refused_at_the_field(self) -> None:
        page = Office().upload_night()
        assert page.status == 422
        assert page.get_field_error("files").startswith("Choose night.json, entries.csv, tables.csv and hands.csv")

    @pytest.mark.slow
    def test_oversized_upload_is_refused_at_the_field(self) -> None:
        office = Office()
        page = office.upload_night(SimpleUploadedFile("hands.csv", b"x" * 20_000_000), name="Large")
        assert page.status == 413
        assert page.get_field_error("files").startswith("Files too large: 10 MB at most.")
        assert page.find_field("name").value == "Large"

    def test_invalid_zip_upload_is_refused_at_the_field(self) -> None:
        page = Office().upload_night(SimpleUploadedFile("night.zip", b"PK not really"))
        assert page.status == 422
        assert page.get_field_error("files").startswith("Unreadable zip.")

    @pytest.mark.long
    def test_long_and_accented_names_are_imported(self) -> None:
        office = Office()
        name = "Marie-Ève " + "L" * 69 + "é"
        page = upload_night(office, entries_csv=replace_line(ENTRIES, 2, f"1,{name},D'Amours (père)"))
        assert confirm_import(office, page).entries.get(number=1).player_1.name == name


class TestColumnAssignment:
    """Assigning columns of files whose headings are missing or misleading."""

    SEATS = TABLES.replace(b"round,table,side_a,side_b", b"Tour;T.;Nord-Sud;Est-Ouest").replace(b",", b";")
    COLUMNS = ("round", "table", "side_a", "side_b")

    def assign(self, office: Office, page: Page, *fields: str, **typed: Any) -> Page:
        form = page.find_form(control_name="columns")
        typed |= {"tables-column": [*fields], "tables-has_headings": "1"}
        return office.browser.send(page, form, ("columns", "1"), **typed)

    @pytest.mark.snapshot
    @pytest.mark.long
    def test_assigned_columns_are_applied_and_remembered(self) -> None:
        office = Office()
        page = upload_night(office, tables_csv=self.SEATS)
        assert page.status == 422
        page = self.assign(office, page, *self.COLUMNS)
        assert "Jeannine Roy and Marcel Dubé, 2 matches won" in page.text
        assert confirm_import(office, page).name == "Last Tuesday"
        again = upload_night(office, tables_csv=self.SEATS)
        assert "Jeannine Roy and Marcel Dubé, 2 matches won" in again.text

    @pytest.mark.slow
    def test_columns_can_be_reassigned_until_accepted(self) -> None:
        office = Office()
        page = office.upload_night(*build_uploads(tables_csv=self.SEATS))
        page = self.assign(office, page, "round", "table", "side_a", "")
        assert (page.status, list_refused_lines(page)[0][2]) == (422, "side_b")
        page = self.assign(office, page, *self.COLUMNS)
        assert page.get_field_error("held_on") == "Choose a day."
        page = office.browser.send(page, page.find_form(control_name="columns"), ("columns", "1"), held_on="2026-11-17")
        assert confirm_import(office, page).name == "2026-11-17"

    @pytest.mark.long
    def test_changed_columns_are_previewed_before_importing(self) -> None:
        office = Office()
        page = upload_night(office)
        typed: dict[str, Any] = {"tables-column": ["round", "table", "side_b", "side_a"]}
        page = office.browser.send(page, page.find_form(control_name="key"), **typed)
        assert Event.objects.get() == office.event
        event = confirm_import(office, page)
        first = event.rounds.get(number=1).tables.get(number=1)
        assert first.seatings.get(side=0).entry.number == 2

    @pytest.mark.long
    def test_assigned_columns_reach_the_background_import(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tournaments.imports.services.night_import.LARGE", 1)
        office = Office()
        page = self.assign(office, upload_night(office, tables_csv=self.SEATS), *self.COLUMNS)
        office.browser.send(page, page.find_form(control_name="key"))
        run_job(Job.objects.get(kind="bring_in_night").pk)
        assert Event.objects.filter(name="Last Tuesday").count() == 1
