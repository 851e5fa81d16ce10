"""Exports: every page with a list offers them, and they contain nothing that the page does not show."""

import csv
import io
import json
from typing import Any

import pytest
from django.db import connection
from openpyxl import load_workbook

from clubs.models import Person
from clubs.people_import import parse_people
from federations.services.publishing import switch_feed_on, write_feed
from rules import Side
from server.addresses import list_addresses
from tests.builders import build_running_night, compute_standings, mark, matches_of, play, play_round, win
from tests.every_page.test_every_page import build_full_night, build_night, open_all_pages
from tests.every_page.test_permissions import build_path
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.events.presenters.names import format_full_names
from tournaments.exports.presenters.rounds import build_round_table
from tournaments.models import Entry, Event
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category
from tournaments.money.services.prizes import PrizeDetails, give_prize
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.presenters.rounds import build_round_view
from tournaments.rounds.services.rounds import draw_round
from tournaments.rounds.services.tables import forfeit_table
from web.sheets.decoding import read_sheet_text

pytestmark = pytest.mark.django_db

ENDING = ".<ending:ending>"
ENDINGS = ("csv", "xlsx", "txt", "json")
PAGES_WITHOUT_FILE = {
    "/e/<slug:short>/standings/<int:entry>": "why one rank is not another",
    "/e/<slug:short>/desk/standings/<int:entry>": "why one rank is not another",
    "/e/<slug:short>/board": "seen from afar",
    "/e/<slug:short>/board/<int:number>": "seen from afar",
    "/e/<slug:short>/mine": "the hands of each table have their file there",
    "/e/<slug:short>/desk/rounds/<int:number>/tables/<int:table_number>": "a form",
    "/e/<slug:short>/desk/rounds/<int:number>/swap": "what an action would do",
    "/e/<slug:short>/desk/rounds/<int:number>/meeting": "an answer to one question",
    "/e/<slug:short>/desk/rounds/<int:number>/comparison": "a draft that is not published yet",
    "/e/<slug:short>/desk/print/round": "on paper",
    "/e/<slug:short>/desk/print/sheets": "on paper",
    "/e/<slug:short>/desk/print/blank": "on paper",
    "/e/<slug:short>/desk/print/standings": "on paper; the page before it has the files",
    "/rules/<slug:key>": "the rules of the game",
    "/e/<slug:short>/rules": "the rules of the game",
    "/t/<code:code>/rules": "the rules of the game",
    "/match/<int:match_id>/rules": "the rules of the game",
    "/e/<slug:short>/desk/entries/file": "how a file is to look that one brings",
    "/club/<slug:slug>/people/import": "how a file is to look that one brings",
    "/club/<slug:slug>/import": "how a file is to look that one brings",
    "/club/<slug:slug>/import-night/<slug:token>": "what a night would bring in",
    "/e/<slug:short>/desk/fees/treasurer": "on paper; the page of fees has the file",
    "/components": "for whoever builds pages",
    "/club/<slug:slug>/plan/<int:pk>": "plans to choose from",
}
"""Pages with a table that need no export, and what their table is for."""


def fetch_file(hall: Hall, path: str, *, browser: Browser | None = None) -> Any:
    return (browser or hall.desk).client.get(path)


def fetch_json(hall: Hall, path: str, *, browser: Browser | None = None) -> list[dict[str, Any]]:
    response = fetch_file(hall, path, browser=browser)
    assert response.status_code == 200, path
    rows: list[dict[str, Any]] = json.loads(response.content)["rows"]
    return rows


def list_file_links(page: Page) -> set[str]:
    """Return the addresses of the CSV files that a page links to."""
    return {one.attrs["href"] for one in page.find_all("a") if ".csv" in one.attrs.get("href", "")}


@pytest.mark.long
@pytest.mark.skipif(connection.vendor != "sqlite", reason="links of pages opened earlier hold other ids")
def test_every_page_with_a_table_offers_working_files() -> None:
    without, led_to = set(), set()
    pages = open_all_pages("playing", "en")
    hall, _ = build_full_night("playing")
    for pattern, page in pages.items():
        files = list_file_links(page)
        led_to |= files
        if page.find_all("table") and not files:
            without.add(pattern)
    assert without <= PAGES_WITHOUT_FILE.keys()
    assert len(led_to) > 25
    for file in led_to:
        assert fetch_file(hall, file).status_code == 200, file


def test_export_requires_the_same_access_as_its_page() -> None:
    pages = {one.pattern: one for one in list_addresses()}
    wrong = {}
    for one in list_addresses():
        page = pages.get(one.pattern.removesuffix(ENDING))
        if one.pattern.endswith(ENDING) and page is not None and page.access != one.access:
            wrong[one.pattern] = one.access, page.access
    assert wrong == {}


@pytest.mark.slow
@pytest.mark.parametrize(("language", "endings"), [("fr", ("csv", "xlsx")), ("en", ("txt", "json"))])
def test_every_export_opens_in_both_languages(language: str, endings: tuple[str, ...]) -> None:
    hall, _ = build_full_night("playing")
    browser = Browser(language=language, account=hall.owner)
    for one in list_addresses():
        if one.pattern.endswith(ENDING):
            for ending in endings:
                path = build_path(hall, one.pattern).replace(ENDING, "").removesuffix(".csv") + f".{ending}"
                response = browser.client.get(path)
                assert response.status_code == 200, path
                assert b"None" not in response.content or ending == "xlsx", path


@pytest.mark.long
def test_final_standings_file_marks_a_later_correction() -> None:
    hall = build_night("ended")
    publish_final(event_id=hall.event.pk)
    path = f"/e/{hall.event.short}/standings.json"
    assert json.loads(fetch_file(hall, path).content)["name"].endswith(" · final")
    forfeit_table(event_id=hall.event.pk, number=2, table=1, winner=Side.B)
    compute_standings(hall.event)
    assert json.loads(fetch_file(hall, path).content)["name"].endswith(" · final · changed since")


class TestExportHeaders:
    @pytest.mark.parametrize(
        ("ending", "kind", "disposition"),
        [
            ("csv", "text/csv; charset=utf-8", "attachment"),
            (
                "xlsx",
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                "attachment",
            ),
            ("txt", "text/plain; charset=utf-8", "inline"),
            ("json", "application/json", "inline"),
        ],
    )
    def test_export_has_a_descriptive_file_name(self, ending: str, kind: str, disposition: str) -> None:
        hall = build_night("playing")
        headers = fetch_file(hall, f"/e/{hall.event.short}/standings.{ending}").headers
        assert headers["Content-Type"] == kind
        named = f'{disposition}; filename="standings-soiree-du-mardi-2026-11-17.{ending}"'
        assert headers["Content-Disposition"] == named
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "no-cache" in headers["Cache-Control"]
        assert "private" in headers["Cache-Control"]

    def test_unchanged_export_answers_304(self) -> None:
        hall = build_night("playing")
        path = f"/e/{hall.event.short}/standings.csv"
        tag = fetch_file(hall, path).headers["ETag"]
        again = hall.desk.client.get(path, headers={"If-None-Match": tag})
        assert (again.status_code, again.content) == (304, b"")
        assert fetch_file(hall, path.replace("csv", "json")).headers["ETag"] != tag
        mark(hall.match, "A 5 made", number=2)
        assert hall.desk.client.get(path, headers={"If-None-Match": tag}).status_code == 200

    def test_public_export_is_identical_for_all_and_allows_cors(self) -> None:
        hall = build_night("playing")
        path = f"/e/{hall.event.short}/standings.json"
        first, other = Browser().open(path), hall.desk.open(path)
        assert (first.html, first.revision) == (other.html, other.revision)
        assert first.response.headers["Access-Control-Allow-Origin"] == "*"
        assert first.response.headers["Content-Disposition"] == other.response.headers["Content-Disposition"]
        assert not first.response.cookies
        at_desk = fetch_file(hall, f"/e/{hall.event.short}/desk/standings.json")
        assert "Access-Control-Allow-Origin" not in at_desk.headers

    @pytest.mark.long
    def test_club_exports_are_cacheable_and_allow_cors(self) -> None:
        hall = build_night("playing")
        log, club = hall.log, hall.event.club
        switch_feed_on(club_id=club.pk)
        write_feed(club.pk)
        files = ["/c.json", f"/c/{club.slug}/seasons.json", f"/c/{club.slug}/feed.json"]
        files += [f"{log}.json", f"{log}.txt", f"{log}/inclusion/1/1.json", f"{log}/consistency/1/1.json"]
        for path in files:
            answer = Browser().open(path).response
            again = Browser().client.get(path, headers={"If-None-Match": answer.headers["ETag"]})
            assert (answer.status_code, again.status_code, again.content) == (200, 304, b""), path
            for one in (answer, again):
                assert one.headers["Access-Control-Allow-Origin"] == "*", path

    def test_unknown_export_extension_is_404(self) -> None:
        hall = build_night("playing")
        assert fetch_file(hall, f"/e/{hall.event.short}/standings.pdf").status_code == 404


class TestExportContents:
    @pytest.mark.long
    def test_standings_export_matches_the_page(self) -> None:
        hall = build_night("ended")
        path = f"/e/{hall.event.short}/standings"
        rows = fetch_json(hall, f"{path}.json")
        page = hall.desk.open(path)
        assert len(rows) == 5
        shown = page.text.replace("\u00a0", " ")
        assert [row["names"] for row in rows if row["names"] not in shown] == []
        assert [row["rank"] for row in rows] == sorted(row["rank"] for row in rows)

    def test_desk_export_has_full_names_but_the_public_one_does_not(self) -> None:
        hall = build_night("ended")
        full = {format_full_names(entry) for entry in hall.event.entries.all()}
        desk = fetch_json(hall, f"/e/{hall.event.short}/desk/standings.json")
        public = fetch_json(hall, f"/e/{hall.event.short}/standings.json")
        assert {row["names"] for row in desk} == full
        assert full.isdisjoint(row["names"] for row in public)

    def test_section_export_has_section_and_overall_ranks(self) -> None:
        hall = build_night("ended")
        Entry.objects.filter(event=hall.event, number__in=[2, 4]).update(section="Mixed")
        rows = fetch_json(hall, f"/e/{hall.event.short}/standings.json?section=Mixed")
        assert {row["entry"] for row in rows} == {2, 4}
        assert rows[0]["rank"] == 1
        assert rows[0]["overall"] >= 1

    def test_round_export_lists_tables_results_and_byes(self) -> None:
        hall = build_night("ended")
        first, second, out = fetch_json(hall, f"/e/{hall.event.short}.json?round=1")
        assert (first["table"], first["points_a"], first["points_b"], first["winner"]) == (1, 32, 6, "A")
        assert second["table"] == 2
        assert (out["table"], out["side_b"]) == (None, None)
        assert fetch_file(hall, f"/e/{hall.event.short}.json?round=9").status_code == 404

    @pytest.mark.slow
    @pytest.mark.parametrize("draw_format", ["round_robin", "knockout"])
    def test_cross_table_export_has_scores_of_played_matches_only(self, draw_format: str) -> None:
        hall = Hall(draw_format=draw_format)
        play_round(hall.event)
        compute_standings(hall.event)
        rows = fetch_json(hall, f"/e/{hall.event.short}/charts.json")
        match_results = {(row["result"], row["score_one"], row["score_other"]) for row in rows}
        to_come = ("to_play", None, None)
        assert to_come in match_results
        assert match_results - {to_come}
        assert match_results - {to_come} <= {("won", 32, 6), ("lost", 6, 32)}

    @pytest.mark.slow
    def test_cross_table_export_marks_a_double_forfeit(self) -> None:
        hall = Hall(draw_format="round_robin")
        forfeit_table(event_id=hall.event.pk, number=1, table=1, winner=None)
        win(matches_of(hall.event)[1])
        compute_standings(hall.event)
        rows = fetch_json(hall, f"/e/{hall.event.short}/charts.json")
        results = {row["table"]: row["result"] for row in rows if row["round"] == 1}
        assert results == {1: "lost_by_both", 2: "won"}

    def test_hands_export_uses_the_import_headings(self) -> None:
        hall = Hall()
        play(hall.match, "A 6 7", "B mulot failed", "misdeal")
        path = f"/e/{hall.event.short}/hands"
        text = fetch_file(hall, f"{path}.csv?round=1&table=1").content.decode("utf-8-sig")
        assert list(csv.reader(io.StringIO(text))) == [
            ["Round", "Table", "Game", "Hand", "Side", "Contract", "Tricks", "Counted"],
            ["1", "1", "1", "1", "A", "6", "7", "6"],
            ["1", "1", "1", "2", "B", "Mulot", "failed", "7"],
            ["1", "1", "1", "3", "", "Misdeal", "", "0"],
        ]
        assert fetch_json(hall, f"{path}.json")[1]["contract"] == "mulot"
        assert fetch_json(hall, f"{path}.json?table=2") == []

    @pytest.mark.slow
    def test_fees_export_contains_numeric_amounts(self) -> None:
        hall, _ = build_full_night("playing")
        book = load_workbook(io.BytesIO(fetch_file(hall, f"/e/{hall.event.short}/desk/fees.xlsx").content))
        owed: Any = book.worksheets[0]["H2"]
        assert (owed.value, owed.data_type, owed.number_format) == (5, "n", "0.00")

    def test_seasons_export_includes_the_api_id(self) -> None:
        hall, _ = build_full_night("playing")
        club = hall.event.club
        listed = fetch_json(hall, f"/c/{club.slug}/seasons.json")
        assert [(row["season_id"], row["club"]) for row in listed] == [
            (season.pk, club.name) for season in club.seasons.all()
        ]
        assert listed

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_prizes_export_lists_category_prizes_last(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        compute_standings(hall.event)
        prizes = f"/e/{hall.event.short}/desk/prizes"
        assert not hall.desk.open(prizes).find_all("a", href=f"{prizes}.csv")
        details = CategoryDetails(name="Main", prize="A ham", amounts=(2001,))
        add_prize_category(event_id=hall.event.pk, details=details)
        assert hall.desk.open(prizes).find_all("a", href=f"{prizes}.csv")
        given = hall.event.entries.get(number=1).player_1
        give_prize(event_id=hall.event.pk, winners=[given.pk], details=PrizeDetails(name="Best hand"))
        first, *shared = fetch_json(hall, f"{prizes}.json")
        assert (first["prize"], first["winners"], first["places"]) == ("Best hand", given.name, None)
        assert [(row["prize"], row["amount"], row["places"]) for row in shared] == [
            ("Main · A ham", 10.01, "1"),
            ("Main · A ham", 10, "1"),
        ]

    @pytest.mark.long
    def test_people_export_can_be_imported_unchanged(self) -> None:
        hall = Hall()
        club = hall.event.club
        number = "+1 418 555-0101"
        Person.objects.create(club=club, name="Lise Roy", folded_name="lise roy", contact=number, labels=["Women"])
        for ending in ("csv", "xlsx"):
            content = fetch_file(hall, f"/club/{club.slug}/people.{ending}").content
            listed = parse_people(read_sheet_text(content, file="people"), file="people")
            assert listed.refusals == ()
            (found,) = [one for one in listed.people if one.name == "Lise Roy"]
            assert (found.contact, found.is_guest, found.labels) == (number, False, ("Women",))
            assert len(listed.people) == club.people.count()


class TestExportVisibility:
    """Exports show no more than the public pages."""

    FILES = ("standings", "clubs", "entries", "hands", "charts")

    def get_statuses(self, hall: Hall) -> dict[str, int]:
        browser, short = Browser(), hall.event.short
        found = {name: browser.client.get(f"/e/{short}/{name}.csv").status_code for name in self.FILES}
        return found | {"": browser.client.get(f"/e/{short}.csv").status_code}

    def build_released_hall(self, **fields: Any) -> Hall:
        hall = build_night("playing")
        Event.objects.filter(pk=hall.event.pk).update(**fields)
        return hall

    def test_hidden_event_has_no_exports(self) -> None:
        assert set(self.get_statuses(self.build_released_hall(is_public=False)).values()) == {404}

    def test_hidden_draw_removes_tables_and_hands(self) -> None:
        found = self.get_statuses(self.build_released_hall(shows_draw=False))
        assert (found[""], found["hands"], found["charts"]) == (404, 404, 404)

    @pytest.mark.slow
    def test_entries_export_exists_while_a_page_shows_the_entries(self) -> None:
        assert self.get_statuses(self.build_released_hall(shows_entries=False))["entries"] == 404
        assert self.get_statuses(self.build_released_hall(shows_draw=False))["entries"] == 200
        hidden = self.build_released_hall(shows_draw=False, shows_standings="never")
        assert self.get_statuses(hidden)["entries"] == 404

    @pytest.mark.long
    def test_totals_only_results_remove_the_hands_export(self) -> None:
        hall = self.build_released_hall(shows_results="totals")
        assert self.get_statuses(hall)["hands"] == 404
        assert fetch_json(hall, f"/e/{hall.event.short}.json", browser=Browser())[0]["points_a"] is not None

    @pytest.mark.long
    def test_hidden_results_are_in_no_public_export(self) -> None:
        hall = self.build_released_hall(silent_from=1)
        rows = fetch_json(hall, f"/e/{hall.event.short}.json", browser=Browser())
        assert {row["points_a"] for row in rows} == {None}
        assert self.get_statuses(hall)["hands"] == 404
        assert fetch_file(hall, f"/e/{hall.event.short}/desk/history/hands.csv").status_code == 200

    def test_hidden_standings_remove_their_exports(self) -> None:
        found = self.get_statuses(self.build_released_hall(shows_standings="never"))
        assert (found["standings"], found["clubs"], found["charts"]) == (404, 404, 404)

    @pytest.mark.parametrize("names", ["short", "numbers"])
    def test_exports_follow_the_name_visibility(self, names: str) -> None:
        hall = self.build_released_hall(shows_names=names)
        Person.objects.filter(club=hall.event.club).update(shows_full_name=True)
        full = Person.objects.filter(club=hall.event.club)[0].name
        browser = Browser()
        for name in ("standings", "entries"):
            text = browser.client.get(f"/e/{hall.event.short}/{name}.txt").content.decode()
            assert full not in text
        assert full not in browser.client.get(f"/e/{hall.event.short}.txt").content.decode()


@pytest.mark.long
@pytest.mark.parametrize("draw_format", ["swiss", "swiss_individual"])
def test_bye_row_has_a_cell_for_every_column(draw_format: str) -> None:
    event = build_running_night(5, draw_format=draw_format)
    view = build_round_view(event.rounds.get(), is_public=False)
    sheet = build_round_table(event, view)
    assert view.byes
    assert {len(row) for row in sheet.rows} == {len(sheet.columns)}


@pytest.mark.long
def test_draft_round_has_no_export() -> None:
    hall = Hall()
    play_round(hall.event)
    draw_round(event_id=hall.event.pk, seed=1)
    address = f"/e/{hall.event.short}/desk/rounds/{{}}.csv"
    assert [hall.desk.open(address.format(number)).status for number in (1, 2, 3)] == [200, 404, 404]
