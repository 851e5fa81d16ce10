"""A recorded night, uploaded: looked at first, then all of it; or what is wrong with it, line by line."""

import datetime
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.calendar import today_in
from clubs.models import Person
from jobs.models import Job
from jobs.services import run_job
from tests.builders import TUESDAY
from tests.support.browser import Page
from tests.support.office import Office
from tests.tournaments.seasons.test_seasons import a_season
from tournaments.imports.uploaded_events import FILES
from tournaments.models import Event
from tournaments.seasons.services import close_season, refresh_seasons
from web.names import fold_name

from .night_sheets import ENTRIES, HANDS, RIGHT, TABLES, with_line
from .test_long_writes import everything

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_night_of_another_test() -> None:
    """A night waits under the number of its club, which another test's club may have had."""
    for file in FILES.folder.glob("*"):
        file.unlink()


DATED = RIGHT["night.json"].replace(b"}", b', "held_on": "2026-11-03", "name": "All Souls"}')


def files(**changed: bytes) -> list[SimpleUploadedFile]:
    content = RIGHT | {name.replace("_", "."): value for name, value in changed.items()}
    return [SimpleUploadedFile(name, value) for name, value in content.items()]


def looked_at(office: Office, **changed: bytes) -> Page:
    return office.upload(*files(**changed), name="Last Tuesday", held_on="2026-11-17")


def refused_lines(page: Page) -> list[list[str]]:
    table = page.one("table", **{"class": "refused"})
    return [[cell.text for cell in row.every("td")] for row in list(table.every("tr"))[1:]]


def brought(office: Office, page: Page, **typed: Any) -> Event:
    office.browser.send(page, page.form(having="key"), **typed)
    return office.club.events.latest("pk")


def a_person(office: Office, name: str) -> Person:
    return Person.objects.create(club=office.club, name=name, folded_name=fold_name(name))


class TestTheDay:
    @pytest.mark.slow
    def test_is_typed(self) -> None:
        office = Office()
        assert brought(office, looked_at(office)).held_on == TUESDAY

    @pytest.mark.slow
    def test_is_that_of_the_file_where_none_is_typed(self) -> None:
        office = Office()
        page = office.upload(*files(night_json=DATED))
        assert "Tuesday, November 3, 2026" in page.text
        event = brought(office, page)
        assert (event.held_on, event.name) == (datetime.date(2026, 11, 3), "All Souls")

    @pytest.mark.slow
    def test_that_is_typed_comes_before_that_of_the_file(self) -> None:
        office = Office()
        assert brought(office, looked_at(office, night_json=DATED)).held_on == TUESDAY

    def test_is_asked_for_and_never_today_by_itself(self) -> None:
        office = Office()
        page = office.upload(*files(), name="Last Tuesday")
        assert page.status == 422
        assert page.said_at("held_on") == "Choose a day."
        assert page.field("name").value == "Last Tuesday"

    @pytest.mark.parametrize("typed", ["yesterday", "0026-11-17", "2026-02-30", "\ud800", "1\x00"])
    def test_that_is_none_is_refused_at_its_field(self, typed: str) -> None:
        page = Office().upload(*files(), held_on=typed.encode("utf-8", "replace").decode())
        assert page.status == 422
        assert page.said_at("held_on")

    def test_of_the_file_that_is_none_is_told_with_the_other_lines(self) -> None:
        wrong = DATED.replace(b"2026-11-03", b"last week")
        page = Office().upload(
            *files(night_json=wrong, hands_csv=with_line(HANDS, 2, "1,1,1,0,A,6,H,9,made"))
        )
        rows = refused_lines(page)
        assert [row[0] for row in rows] == ["night.json", "hands.csv"]
        assert rows[0][2:] == ["held_on", "“last week” is not a date. Enter one like 2026-11-17."]

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_that_is_still_to_come_is_pointed_at(self) -> None:
        office = Office()
        tomorrow = today_in(office.club) + datetime.timedelta(days=1)
        page = office.upload(*files(), held_on=tomorrow.isoformat())
        assert "This date is in the future." in page.text
        assert "This date is in the future." not in looked_at(office).text


class TestThePreview:
    def test_writes_nothing(self) -> None:
        office = Office()
        a_season(office.club)
        before = everything(), Job.objects.count()
        page = looked_at(office)
        assert page.status == 200
        assert office.browser.open(page.path).status == 200
        assert (everything(), Job.objects.count()) == before

    def test_says_what_was_played_and_who_won(self) -> None:
        page = looked_at(Office())
        for said in ("Tuesday, November 17, 2026", "Jeannine Roy and Marcel Dubé, 2 matches won"):
            assert said in page.text
        assert "Some matches are unfinished: the night continues at the desk." in page.text

    @pytest.mark.slow
    def test_says_who_is_new_and_who_is_whom_the_club_knows(self) -> None:
        office = Office()
        known = a_person(office, "jeannine  ROY")
        page = looked_at(office)
        assert "1 person already known" in page.text
        assert "7 new people" in page.text
        event = brought(office, page)
        assert event.entries.get(number=1).player_1 == known
        assert office.club.people.count() == 8

    @pytest.mark.slow
    def test_takes_who_has_the_name_of_a_member_for_somebody_else_if_that_is_marked(self) -> None:
        office = Office()
        known = a_person(office, "Jeannine Roy")
        event = brought(office, looked_at(office), other=["1"])
        assert event.entries.get(number=1).player_1 != known
        assert office.club.people.filter(name="Jeannine Roy").count() == 2

    @pytest.mark.slow
    def test_asks_which_of_two_of_one_name_it_is(self) -> None:
        office = Office()
        _, second = (a_person(office, "Jeannine Roy") for _ in range(2))
        page = looked_at(office)
        refused = office.browser.send(page, page.form(having="key"))
        assert refused.status == 422
        assert refused.said_at("person.1") == "Choose whether Jeannine Roy is already in the club."
        event = brought(office, refused, **{"person.1": str(second.pk)})
        assert event.entries.get(number=1).player_1 == second

    @pytest.mark.slow
    def test_says_which_lines_of_a_season_change_just_as_they_do_then(self) -> None:
        office = Office()
        season = a_season(office.club, {"name": "General"}, {"name": "Wins", "counts": "match_wins"})
        a_person(office, "Jeannine Roy")
        page = looked_at(office)
        told = [
            [[cell.text for cell in row.every("th", "td")] for row in list(table.every("tr"))[1:]]
            for table in page.every("table")[:2]
        ]
        brought(office, page)
        refresh_seasons(club_id=office.club.pk)
        season.refresh_from_db()
        names = dict(office.club.people.values_list("pk", "name"))
        for lines, rows in zip(told, season.rows, strict=True):
            then = {(names[row["players"][0]], str(row["rank"]), str(row["total"])) for row in rows}
            assert {(name, rank, total) for name, _, rank, _, total in lines} == then

    @pytest.mark.snapshot
    def test_leaves_a_closed_season_as_it_is_and_says_so(self) -> None:
        office = Office()
        close_season(season_id=a_season(office.club).pk)
        assert "“Autumn” is closed: its standings do not change." in looked_at(office).text

    def test_says_that_no_season_counts_the_day(self) -> None:
        assert "No season includes that day." in looked_at(Office()).text

    @pytest.mark.slow
    def test_names_another_event_of_that_day(self) -> None:
        office = Office()
        brought(office, looked_at(office))
        page = looked_at(office)
        assert "Another event that day:" in page.text
        assert page.link("Last Tuesday").endswith("/desk")

    def test_is_of_one_club_and_no_file_of_an_event(self) -> None:
        office, other = Office(), Office()
        token = looked_at(office).path.rpartition("/")[2]
        for page in (
            f"/club/{other.club.slug}/import-night/{token}",
            f"/club/{other.club.slug}/import/{token}",
        ):
            assert other.browser.open(page).status == 404
        assert office.browser.open(f"/club/{office.club.slug}/import/{token}").status == 404


class TestAnImportedNight:
    @pytest.mark.slow
    def test_is_brought_in_with_one_button(self) -> None:
        office = Office()
        page = office.bring_in_night(*files(), name="Last Tuesday", held_on="2026-11-17")
        assert page.status == 200
        assert page.path == "/e/last-tuesday/desk"

    @pytest.mark.slow
    def test_sent_twice_is_one_night(self) -> None:
        office = Office()
        page = looked_at(office)
        for _ in range(2):
            office.browser.send(page, page.form(having="key"))
        assert Event.objects.filter(name="Last Tuesday").count() == 1

    @pytest.mark.slow
    def test_that_is_large_is_brought_in_by_the_worker_and_seen_once_all_of_it_is_there(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("tournaments.imports.services.night_import.LARGE", 1)
        office = Office()
        _, second = (a_person(office, "Jeannine Roy") for _ in range(2))
        page = looked_at(office)
        typed: dict[str, Any] = {"person.1": str(second.pk)}
        page = office.browser.send(page, page.form(having="key"), **typed)
        assert page.path == f"/club/{office.club.slug}/bringing-in"
        assert "Importing the recorded night" in page.text
        run_job(Job.objects.get(kind="bring_in_night").pk)
        page = office.browser.open(page.path)
        night = Event.objects.get(name="Last Tuesday")
        assert page.link("See the result Importing the recorded night") == f"/e/{night.short}/desk"
        assert night.entries.get(number=1).player_1 == second

    def test_with_bad_lines_says_each_with_file_line_and_column_and_imports_nothing(self) -> None:
        office = Office()
        hands = with_line(HANDS, 4, "1,1,3,2,A,9,H,12,made")
        page = office.upload(*files(hands_csv=hands, night_json=b"{"), name="Bad", held_on="2026-11-17")
        assert page.status == 422
        assert (page.field("name").value, page.field("held_on").value) == ("Bad", "2026-11-17")
        rows = refused_lines(page)
        assert rows[0][0] == "night.json"
        assert rows[0][3] == "This is not JSON."
        assert Event.objects.get() == office.event

    @pytest.mark.parametrize(
        "content", [b"", b"null", b"[]", b"[" * 100_000, b'{"ruleset": 1e999}', b"\xff\xfe"]
    )
    def test_whose_json_is_none_is_refused(self, content: bytes) -> None:
        office = Office()
        page = office.upload(*files(night_json=content))
        assert page.status == 422
        assert "night.json" in page.one("table").text
        assert Event.objects.get() == office.event

    def test_without_files_is_refused_at_the_field(self) -> None:
        page = Office().upload()
        assert page.status == 422
        assert page.said_at("files").startswith("Choose night.json, entries.csv, tables.csv and hands.csv")

    @pytest.mark.slow
    def test_of_twenty_megabytes_is_refused_at_the_field(self) -> None:
        office = Office()
        page = office.upload(SimpleUploadedFile("hands.csv", b"x" * 20_000_000), name="Large")
        assert page.status == 413
        assert page.said_at("files").startswith("Files too large: 10 MB at most.")
        assert page.field("name").value == "Large"

    def test_as_a_zip_that_is_none_is_refused_at_the_field(self) -> None:
        page = Office().upload(SimpleUploadedFile("night.zip", b"PK not really"))
        assert page.status == 422
        assert page.said_at("files").startswith("Unreadable zip.")

    @pytest.mark.slow
    def test_of_names_that_are_long_or_have_marks_is_brought_in(self) -> None:
        office = Office()
        name = "Marie-Ève " + "L" * 69 + "é"
        page = looked_at(office, entries_csv=with_line(ENTRIES, 2, f"1,{name},D'Amours (père)"))
        assert brought(office, page).entries.get(number=1).player_1.name == name


class TestColumns:
    """Of lists whose headings say nothing, or something else."""

    SEATS = TABLES.replace(b"round,table,side_a,side_b", b"Tour;T.;Nord-Sud;Est-Ouest").replace(b",", b";")
    COLUMNS = ("round", "table", "side_a", "side_b")

    def assign(self, office: Office, page: Page, *fields: str, **typed: Any) -> Page:
        form = page.form(having="columns")
        typed |= {"tables-column": [*fields], "tables-has_headings": "1"}
        return office.browser.send(page, form, ("columns", "1"), **typed)

    @pytest.mark.snapshot
    @pytest.mark.slow
    def test_are_assigned_where_a_file_was_refused_and_remembered(self) -> None:
        office = Office()
        page = looked_at(office, tables_csv=self.SEATS)
        assert page.status == 422
        page = self.assign(office, page, *self.COLUMNS)
        assert "Jeannine Roy and Marcel Dubé, 2 matches won" in page.text
        assert brought(office, page).name == "Last Tuesday"
        again = looked_at(office, tables_csv=self.SEATS)
        assert "Jeannine Roy and Marcel Dubé, 2 matches won" in again.text

    @pytest.mark.slow
    def test_may_be_assigned_twice_until_no_line_is_refused(self) -> None:
        office = Office()
        page = office.upload(*files(tables_csv=self.SEATS))
        page = self.assign(office, page, "round", "table", "side_a", "")
        assert (page.status, refused_lines(page)[0][2]) == (422, "side_b")
        page = self.assign(office, page, *self.COLUMNS)
        assert page.said_at("held_on") == "Choose a day."
        page = office.browser.send(page, page.form(having="columns"), ("columns", "1"), held_on="2026-11-17")
        assert brought(office, page).name == "2026-11-17"

    @pytest.mark.slow
    def test_changed_in_the_preview_are_previewed_before_they_count(self) -> None:
        office = Office()
        page = looked_at(office)
        typed: dict[str, Any] = {"tables-column": ["round", "table", "side_b", "side_a"]}
        page = office.browser.send(page, page.form(having="key"), **typed)
        assert Event.objects.get() == office.event
        event = brought(office, page)
        first = event.rounds.get(number=1).tables.get(number=1)
        assert first.seatings.get(side=0).entry.number == 2

    @pytest.mark.slow
    def test_reach_the_task_of_a_large_night(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("tournaments.imports.services.night_import.LARGE", 1)
        office = Office()
        page = self.assign(office, looked_at(office, tables_csv=self.SEATS), *self.COLUMNS)
        office.browser.send(page, page.form(having="key"))
        run_job(Job.objects.get(kind="bring_in_night").pk)
        assert Event.objects.filter(name="Last Tuesday").count() == 1
