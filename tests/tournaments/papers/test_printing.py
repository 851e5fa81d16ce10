"""Papers of the desk with full names: lists of a round, score sheets, the standings."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules import RULESETS, MatchFormat
from scoring.models import TableCard
from tests.builders import build_event, compute_standings, play_round, start_next_round
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.support.markup import Element
from tests.tournaments.events.test_table_cards import list_expected_modules, parse_qr_modules
from tournaments.entries.services.entry_actions import disqualify_entry, withdraw_entry
from tournaments.models import Entry
from tournaments.papers.contents import document_of
from tournaments.papers.orders import Order, Paper
from tournaments.papers.presenters import put_surname_first
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db

PRINTED_PAGES = ["", "/round", "/round?by=name", "/sheets", "/blank", "/standings"]


def open_printed_page(hall: Hall, what: str) -> Page:
    return hall.desk.open(f"/e/{hall.event.short}/desk/print{what}")


def list_sheets(page: Page) -> list[Element]:
    return page.find_all("section", class_="sheet")


def list_numbers(page: Page) -> list[int]:
    return [int(sheet.find_one("span", class_="tile").text) for sheet in list_sheets(page)]


@pytest.mark.parametrize("what", PRINTED_PAGES)
class TestPrintedPages:
    def test_printed_pages_work_before_the_start(self, what: str) -> None:
        hall = Hall()
        event = build_event(club=hall.event.club)
        needs_a_round = what.startswith(("/round", "/sheets"))
        page = hall.desk.open(f"/e/{event.short}/desk/print{what}")
        assert page.status == (404 if needs_a_round else 200)

    @pytest.mark.long
    def test_printed_pages_have_constant_query_counts(self, what: str) -> None:
        counts = []
        for pairs, rounds in ((4, 1), (20, 3)):
            hall = Hall(pairs=pairs)
            for number in range(1, rounds):
                play_round(hall.event, number)
                start_next_round(hall.event)
            compute_standings(hall.event)
            open_printed_page(hall, what)
            with CaptureQueriesContext(connection) as made:
                assert open_printed_page(hall, what).status == 200
            counts.append(len(made))
        assert counts[0] == counts[1] <= 12


@pytest.mark.slow
class TestPrintedRound:
    def test_round_by_table_lists_every_full_name(self) -> None:
        hall = Hall(pairs=5)
        page = open_printed_page(hall, "/round")
        assert [tile.text for tile in page.find_all("span", class_="tile")] == ["1", "2"]
        names = [person.name for entry in Entry.objects.filter(event=hall.event) for person in entry.players]
        assert [name for name in names if name not in page.html] == []
        assert "Bye: " in page.text

    @pytest.mark.snapshot
    def test_round_by_name_sorts_by_surname(self) -> None:
        hall = Hall(pairs=5)
        rows = [row.text for row in open_printed_page(hall, "/round?by=name").find_all("tr") if "Name" not in row.text]
        assert len(rows) == 10
        assert rows[0].startswith("Albert, ")
        assert len([row for row in rows if row.endswith(" bye")]) == 2

    @pytest.mark.long
    def test_round_by_name_continues_on_further_pages(self) -> None:
        hall = Hall(pairs=64)
        pages = open_printed_page(hall, "/round?by=name").find_all("section", class_="paper")
        assert ["page 1 of 2" in pages[0].text, "page 2 of 2" in pages[1].text] == [True, True]
        assert [len(list(page.find_all("table"))) for page in pages] == [2, 2]
        assert sum(len(list(page.find_all("tr"))) - 2 for page in pages) == 128

    @pytest.mark.long
    def test_printed_draft_is_marked_as_draft(self) -> None:
        hall = Hall()
        play_round(hall.event)
        draw_round(event_id=hall.event.pk)
        assert "draft, not published yet" in open_printed_page(hall, "/round").text
        earlier = open_printed_page(hall, "/round?round=1").text
        assert "Round 1" in earlier
        assert "draft" not in earlier
        assert [
            option.text for option in open_printed_page(hall, "").find_one("select", name="round").find_all("option")
        ] == [
            "2 (draft)",
            "1",
        ]

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("name", "listed"),
        [
            ("Jeannine Roy", "Roy, Jeannine"),
            ("Jean Roy (père)", "Roy, Jean (père)"),
            ("Marie de la Bruère", "Bruère, Marie de la"),
            ("Roy Roy", "Roy, Roy"),
            ("Madonna", "Madonna"),
        ],
    )
    def test_surname_is_moved_to_the_front(self, name: str, listed: str) -> None:
        assert put_surname_first(name) == listed


class TestPrintedScoreSheets:
    @pytest.mark.long
    def test_score_sheets_cover_every_table_with_full_names(self) -> None:
        hall = Hall(pairs=6)
        page = open_printed_page(hall, "/sheets")
        assert list_numbers(page) == [1, 2, 3]
        for sheet, table in zip(list_sheets(page), hall.event.rounds.get().tables.all(), strict=True):
            assert table.match is not None
            for player in table.match.players.select_related("person"):
                assert player.person.name in sheet.text
            assert "round 1" in sheet.text
            assert "Canadian, to 32" in sheet.text

    @pytest.mark.long
    @pytest.mark.parametrize(
        ("length", "words"),
        [
            (MatchFormat(games_to_win=2), "2 games won"),
            (MatchFormat(hands=5), "5 hands"),
            (MatchFormat(minutes=50), "50 minutes"),
            (MatchFormat(games_to_win=2, minutes=50), "2 games won or 50 minutes"),
        ],
    )
    def test_score_sheet_states_the_match_length(self, length: MatchFormat, words: str) -> None:
        hall = Hall(match_format=length)
        for name in ("/sheets", "/blank"):
            assert f"Canadian, to 32 · A match: {words}." in next(iter(list_sheets(open_printed_page(hall, name)))).text

    def test_score_sheet_has_twelve_lines_and_two_signatures(self) -> None:
        (sheet, *_) = list_sheets(open_printed_page(Hall(), "/sheets"))
        assert [row.text for row in sheet.find_one("tbody").find_all("th")] == [str(line) for line in range(1, 13)]
        assert [one.text for one in sheet.find_one("div", class_="signed").find_all("p")] == ["signature"] * 2

    @pytest.mark.long
    def test_score_sheet_has_the_qr_code_of_the_table(self) -> None:
        hall = Hall(pairs=6)
        cards = TableCard.objects.filter(topic=hall.event.topic).order_by("number")
        for sheet, card in zip(list_sheets(open_printed_page(hall, "/sheets")), cards, strict=True):
            assert parse_qr_modules(sheet.find_one("svg", class_="qr")) == list_expected_modules(
                f"http://testserver/t/{card.code}?card={card.secret}"
            )

    @pytest.mark.long
    @pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
    def test_score_sheet_summarizes_the_contract_values(self, ruleset: object) -> None:
        hall = Hall(ruleset=ruleset)
        brief = next(iter(list_sheets(open_printed_page(hall, "/sheets")))).find_one("p", class_="brief")
        span_texts = [one.text for one in brief.find_all("span")]
        named = [contract for contract in hall.event.terms.ruleset.playable if contract.number is None]
        assert len(span_texts) == len(named)
        for text, contract in zip(span_texts, named, strict=True):
            assert text.endswith(" the game" if contract.ends_game else f" {contract.made} / {contract.failed}")

    @pytest.mark.parametrize(
        ("table_choice", "expected"),
        [
            ("1", [1]),
            ("1,3", [1, 3]),
            ("2-4", [2, 3, 4]),
            ("1,", [1]),
            (" 4 ; 1 – 2 ", [1, 2, 4]),
            ("3-99", [3, 4, 5]),
            ("  ", [1, 2, 3, 4, 5]),
        ],
    )
    def test_score_sheets_are_limited_to_chosen_tables(self, table_choice: str, expected: list[int]) -> None:
        hall = Hall(pairs=10)
        page = Page(hall.desk.client.get(f"/e/{hall.event.short}/desk/print/sheets", {"tables": table_choice}))
        assert list_numbers(page) == expected

    @pytest.mark.parametrize("table_choice", ["x", "9", "4-2", "1-2-3", "-1", "٣", "1" * 20])
    def test_invalid_table_choice_is_refused_and_kept(self, table_choice: str) -> None:
        hall = Hall()
        page = Page(hall.desk.client.get(f"/e/{hall.event.short}/desk/print/sheets", {"tables": table_choice}))
        assert page.status == 422
        assert page.get_field_error("tables")
        assert page.find_field("tables").value == table_choice

    @pytest.mark.long
    def test_score_sheets_of_a_draft_can_be_printed(self) -> None:
        hall = Hall()
        play_round(hall.event)
        draw_round(event_id=hall.event.pk)
        page = open_printed_page(hall, "/sheets")
        assert list_numbers(page) == [1, 2]
        assert "round 2" in page.text


def test_blank_score_sheet_has_no_names_or_table() -> None:
    hall = Hall()
    (sheet,) = list_sheets(open_printed_page(hall, "/blank"))
    assert not [one for entry in Entry.objects.all() for one in entry.players if one.name in sheet.text]
    assert sheet.find_one("span", class_="tile").text == ""
    assert not any(sheet.find_all("svg", class_="qr"))


@pytest.mark.long
def test_printed_standings_list_every_full_name() -> None:
    hall = Hall(pairs=12)
    play_round(hall.event)
    compute_standings(hall.event)
    rows = list(open_printed_page(hall, "/standings").find_one("tbody").find_all("tr"))
    assert len(rows) == 12
    everybody = {str(entry).replace(" / ", " and ") for entry in Entry.objects.filter(event=hall.event)}
    assert {row.find_one("th").text for row in rows} == everybody


@pytest.mark.slow
def test_printed_standings_mark_withdrawn_entries() -> None:
    hall = Hall(pairs=4)
    play_round(hall.event)
    withdraw_entry(event_id=hall.event.pk, number=1)
    withdraw_entry(event_id=hall.event.pk, number=2)
    compute_standings(hall.event)
    left = [
        row for row in open_printed_page(hall, "/standings").find_one("tbody").find_all("tr") if "withdrew" in row.text
    ]
    order = Order(paper=Paper.STANDINGS, of=hall.event.pk, language="en")
    names = [item["cells"][1] for item in document_of(order).items]
    page = hall.desk.open(f"/e/{hall.event.short}/standings")
    assert [row.text.count("withdrew after round 1") for row in left] == [1, 1]
    assert len([name for name in names if name.endswith(" · withdrew after round 1")]) == 2
    assert page.text.count("withdrew after round 1") == 2


@pytest.mark.parametrize("paper", [Paper.PODIUM, Paper.EVERYBODY])
def test_winners_get_a_certificate_if_they_went_home_but_not_if_disqualified(paper: Paper) -> None:
    hall = Hall(pairs=4)
    play_round(hall.event)
    first, second, *_ = [row["entry"] for row in compute_standings(hall.event)]
    withdraw_entry(event_id=hall.event.pk, number=first)
    disqualify_entry(event_id=hall.event.pk, number=second, disqualification="Signals")
    compute_standings(hall.event)
    items = document_of(Order(paper=paper, of=hall.event.pk, language="en")).items
    names = {item["names"] for item in items}
    winners, disqualified = (hall.event.entries.get(number=number).players for number in (first, second))
    assert {item["names"] for item in items if item["for_what"] == "First place"} == {one.name for one in winners}
    assert names.isdisjoint(one.name for one in disqualified)


def test_printed_standings_without_results_explain_themselves() -> None:
    assert "No result yet" in open_printed_page(Hall(), "/standings").text


@pytest.mark.long
@pytest.mark.snapshot
def test_print_page_links_to_the_wall_screens() -> None:
    page = open_printed_page(Hall(), "")
    ways = [one.attrs["href"] for one in page.find_all("a") if one.text.startswith("Wall screen by")]
    assert [Browser().open(way).status for way in ways] == [200, 200, 200]
