"""Papers of the desk: lists of a round, score sheets, the standings; every name in full."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules import RULESETS, MatchFormat
from scoring.models import TableCard
from tests.builders import an_event, next_round, play_round, standings_after
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.support.markup import Element
from tests.tournaments.events.test_the_cards import drawn, meant
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.models import Entry
from tournaments.papers.contents import document_of
from tournaments.papers.orders import Order, Paper
from tournaments.papers.presenters import surname_first
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db

PRINTED = ["", "/round", "/round?by=name", "/sheets", "/blank", "/standings"]


def printed(hall: Hall, what: str) -> Page:
    return hall.desk.open(f"/e/{hall.event.short}/desk/print{what}")


def sheets(page: Page) -> list[Element]:
    return page.every("section", class_="sheet")


def numbers(page: Page) -> list[int]:
    return [int(sheet.one("span", class_="tile").text) for sheet in sheets(page)]


@pytest.mark.parametrize("what", PRINTED)
class TestEveryPrintedPage:
    def test_is_at_rest_before_the_evening_starts(self, what: str) -> None:
        hall = Hall()
        event = an_event(club=hall.event.club)
        needs_a_round = what.startswith(("/round", "/sheets"))
        page = hall.desk.open(f"/e/{event.short}/desk/print{what}")
        assert page.status == (404 if needs_a_round else 200)

    @pytest.mark.slow
    def test_asks_no_more_of_a_large_evening_than_of_a_small_one(self, what: str) -> None:
        counts = []
        for pairs, rounds in ((4, 1), (20, 3)):
            hall = Hall(pairs=pairs)
            for number in range(1, rounds):
                play_round(hall.event, number)
                next_round(hall.event)
            standings_after(hall.event)
            printed(hall, what)
            with CaptureQueriesContext(connection) as made:
                assert printed(hall, what).status == 200
            counts.append(len(made))
        assert counts[0] == counts[1] <= 12


@pytest.mark.slow
class TestTheListOfARound:
    def test_by_table_has_every_name_in_full(self) -> None:
        hall = Hall(pairs=5)
        page = printed(hall, "/round")
        assert [tile.text for tile in page.every("span", class_="tile")] == ["1", "2"]
        names = [person.name for entry in Entry.objects.filter(event=hall.event) for person in entry.players]
        assert [name for name in names if name not in page.html] == []
        assert "Bye: " in page.text

    @pytest.mark.snapshot
    def test_by_name_goes_by_surname(self) -> None:
        hall = Hall(pairs=5)
        rows = [row.text for row in printed(hall, "/round?by=name").every("tr") if "Name" not in row.text]
        assert len(rows) == 10
        assert rows[0].startswith("Albert, ")
        assert len([row for row in rows if row.endswith(" bye")]) == 2

    def test_by_name_goes_on_on_as_many_pages_as_it_takes(self) -> None:
        hall = Hall(pairs=64)
        pages = printed(hall, "/round?by=name").every("section", class_="paper")
        assert ["page 1 of 2" in pages[0].text, "page 2 of 2" in pages[1].text] == [True, True]
        assert [len(list(page.every("table"))) for page in pages] == [2, 2]
        assert sum(len(list(page.every("tr"))) - 2 for page in pages) == 128

    def test_of_a_draft_says_that_it_is_one(self) -> None:
        hall = Hall()
        play_round(hall.event)
        draw_round(event_id=hall.event.pk)
        assert "draft, not published yet" in printed(hall, "/round").text
        earlier = printed(hall, "/round?round=1").text
        assert "Round 1" in earlier
        assert "draft" not in earlier
        assert [option.text for option in printed(hall, "").one("select", name="round").every("option")] == [
            "2 (draft)",
            "1",
        ]

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
    def test_by_name_puts_the_surname_first(self, name: str, listed: str) -> None:
        assert surname_first(name) == listed


class TestTheScoreSheets:
    @pytest.mark.slow
    def test_are_one_for_every_table_with_its_names_in_full(self) -> None:
        hall = Hall(pairs=6)
        page = printed(hall, "/sheets")
        assert numbers(page) == [1, 2, 3]
        for sheet, table in zip(sheets(page), hall.event.rounds.get().tables.all(), strict=True):
            assert table.match is not None
            for player in table.match.players.select_related("person"):
                assert player.person.name in sheet.text
            assert "round 1" in sheet.text
            assert "Canadian, to 32" in sheet.text

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("length", "words"),
        [
            (MatchFormat(games_to_win=2), "2 games won"),
            (MatchFormat(hands=5), "5 hands"),
            (MatchFormat(minutes=50), "50 minutes"),
            (MatchFormat(games_to_win=2, minutes=50), "2 games won or 50 minutes"),
        ],
    )
    def test_say_when_a_match_is_over(self, length: MatchFormat, words: str) -> None:
        hall = Hall(match_format=length)
        for name in ("/sheets", "/blank"):
            assert f"Canadian, to 32 · A match: {words}." in next(iter(sheets(printed(hall, name)))).text

    def test_have_twelve_lines_and_a_place_for_both_sides_to_sign(self) -> None:
        (sheet, *_) = sheets(printed(Hall(), "/sheets"))
        assert [row.text for row in sheet.one("tbody").every("th")] == [str(line) for line in range(1, 13)]
        assert [one.text for one in sheet.one("div", class_="signed").every("p")] == ["signature"] * 2

    def test_carry_the_square_of_the_tables_card(self) -> None:
        hall = Hall(pairs=6)
        cards = TableCard.objects.filter(topic=hall.event.topic).order_by("number")
        for sheet, card in zip(sheets(printed(hall, "/sheets")), cards, strict=True):
            assert drawn(sheet.one("svg", class_="qr")) == meant(
                f"http://testserver/t/{card.code}?card={card.secret}"
            )

    @pytest.mark.slow
    @pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
    def test_remind_of_what_these_rules_pay(self, ruleset: object) -> None:
        hall = Hall(ruleset=ruleset)
        brief = next(iter(sheets(printed(hall, "/sheets")))).one("p", class_="brief")
        told = [one.text for one in brief.every("span")]
        named = [contract for contract in hall.event.terms.ruleset.playable if contract.number is None]
        assert len(told) == len(named)
        for text, contract in zip(told, named, strict=True):
            assert text.endswith(
                " the game" if contract.ends_game else f" {contract.made} / {contract.failed}"
            )

    @pytest.mark.parametrize(
        ("asked", "expected"),
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
    def test_can_be_those_of_some_tables(self, asked: str, expected: list[int]) -> None:
        hall = Hall(pairs=10)
        page = Page(hall.desk.client.get(f"/e/{hall.event.short}/desk/print/sheets", {"tables": asked}))
        assert numbers(page) == expected

    @pytest.mark.parametrize("asked", ["x", "9", "4-2", "1-2-3", "-1", "٣", "1" * 20])
    def test_of_no_table_are_refused_in_words_and_what_was_typed_stays(self, asked: str) -> None:
        hall = Hall()
        page = Page(hall.desk.client.get(f"/e/{hall.event.short}/desk/print/sheets", {"tables": asked}))
        assert page.status == 422
        assert page.said_at("tables")
        assert page.field("tables").value == asked

    @pytest.mark.slow
    def test_of_a_draft_are_printed_before_it_is_published(self) -> None:
        hall = Hall()
        play_round(hall.event)
        draw_round(event_id=hall.event.pk)
        page = printed(hall, "/sheets")
        assert numbers(page) == [1, 2]
        assert "round 2" in page.text


def test_a_blank_sheet_has_no_names_and_no_table() -> None:
    hall = Hall()
    (sheet,) = sheets(printed(hall, "/blank"))
    assert not [one for entry in Entry.objects.all() for one in entry.players if one.name in sheet.text]
    assert sheet.one("span", class_="tile").text == ""
    assert not any(sheet.every("svg", class_="qr"))


@pytest.mark.slow
def test_the_standings_have_every_row_with_names_in_full() -> None:
    hall = Hall(pairs=12)
    play_round(hall.event)
    standings_after(hall.event)
    rows = list(printed(hall, "/standings").one("tbody").every("tr"))
    assert len(rows) == 12
    everybody = {str(entry).replace(" / ", " and ") for entry in Entry.objects.filter(event=hall.event)}
    assert {row.one("th").text for row in rows} == everybody


@pytest.mark.slow
def test_the_standings_say_who_has_left_as_the_page_of_them_does() -> None:
    hall = Hall(pairs=4)
    play_round(hall.event)
    withdraw_entry(event_id=hall.event.pk, number=1)
    withdraw_entry(event_id=hall.event.pk, number=2)
    standings_after(hall.event)
    left = [row for row in printed(hall, "/standings").one("tbody").every("tr") if "withdrew" in row.text]
    order = Order(paper=Paper.STANDINGS, of=hall.event.pk, language="en")
    names = [item["cells"][1] for item in document_of(order).items]
    page = hall.desk.open(f"/e/{hall.event.short}/standings")
    assert [row.text.count("withdrew after round 1") for row in left] == [1, 1]
    assert len([name for name in names if name.endswith(" · withdrew after round 1")]) == 2
    assert page.text.count("withdrew after round 1") == 2


def test_the_standings_before_a_result_say_that_there_is_none() -> None:
    assert "No result yet" in printed(Hall(), "/standings").text


@pytest.mark.slow
@pytest.mark.snapshot
def test_the_page_of_all_of_it_leads_to_the_board() -> None:
    page = printed(Hall(), "")
    ways = [one.attrs["href"] for one in page.every("a") if one.text.startswith("Board by")]
    assert [Browser().open(way).status for way in ways] == [200, 200, 200]
