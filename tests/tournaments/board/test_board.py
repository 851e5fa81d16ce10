"""The wall screen: what it shows at each moment of a night, and how many queries it takes."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from clubs.models import Person
from rules import Side
from scoring.models import TableCard
from tests.builders import (
    FIFTY_MINUTES,
    build_event,
    build_played_night,
    build_running_night,
    compute_standings,
    mark,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.support.browser import Browser, Page
from tournaments.board.presenters.layout import LAYOUTS, BoardRow
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Entry, Event, Standings
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.presenters.rounds import TableSide, TableView
from tournaments.rounds.presenters.seats import SeatRow
from tournaments.rounds.services.clock import begin_round
from tournaments.rounds.services.rounds import draw_round, publish_round
from tournaments.rounds.services.tables import forfeit_table
from tournaments.standings.presenters.table import StandingsRow

pytestmark = pytest.mark.django_db


def open_board(event: Event, *, language: str = "en", **query: str) -> Page:
    return Page(Browser(language=language).client.get(f"/e/{event.short}/board", query))


def list_kinds(page: Page) -> list[str]:
    """Return the kinds of the board's pages, in order."""
    return [leaf.attrs["data-page"].rpartition("-")[0] for leaf in page.find_all("section")]


def list_titles(page: Page) -> list[str]:
    return list(dict.fromkeys(leaf.find_one("h2").text for leaf in page.find_all("section")))


def list_people(event: Event) -> list[Person]:
    return [person for entry in Entry.objects.filter(event=event) for person in entry.players]


class TestBoardBeforeTheDraw:
    def test_board_announces_the_first_draw(self) -> None:
        page = open_board(build_event())
        assert list_titles(page) == ["Soirée du mardi"]
        assert "The first draw appears here." in page.text

    def test_board_hides_a_draft_of_the_first_round(self) -> None:
        event = build_running_night()
        event.rounds.update(state="draft")
        for query in ({}, {"by": "name"}):
            page = open_board(event, **query)
            assert "The first draw appears here." in page.text
            assert [person for person in list_people(event) if person.get_public_name(event.club) in page.html] == []


class TestPublishedRoundBoard:
    @pytest.mark.long
    def test_board_shows_everyone_their_table(self) -> None:
        event = build_running_night(pairs=8)
        page = open_board(event)
        assert list_titles(page) == ["Round 1: take your seats"]
        tables = [tile.text for tile in page.find_all("span", class_="tile")]
        assert tables == [f"Table {number}" for number in (1, 2, 3, 4)]
        assert all(person.get_public_name(event.club) in page.html for person in list_people(event))

    @pytest.mark.long
    def test_board_names_the_bye(self) -> None:
        event = build_running_night(pairs=5)
        (bye,) = event.rounds.get().seatings.filter(table=None)
        sitting_out = [one.text for one in open_board(event).find_all("p") if one.text.startswith("Bye")]
        assert [one for one in sitting_out if bye.entry.player_1.get_public_name(event.club).split()[0] in one] != []
        (row,) = [one for one in open_board(event, by="name").find_all("em") if one.text == "bye"][:1]
        assert row.parent is not None
        assert row.parent.text.split()[0] in str(bye.entry)

    def test_board_respects_name_preferences(self) -> None:
        event = build_running_night()
        first, *others = list_people(event)
        Person.objects.filter(pk=first.pk).update(shows_full_name=True)
        for query in ({}, {"by": "name"}):
            html = open_board(event, **query).html
            assert first.name in html
            assert [one.name for one in others if one.name in html] == []

    def test_board_exposes_no_codes_or_desk_links(self) -> None:
        event = build_running_night()
        html = open_board(event).html
        assert [card.code for card in TableCard.objects.all() if card.code in html] == []
        assert "/desk" not in html
        assert "/t/" not in html

    @pytest.mark.long
    def test_board_hides_a_draft_of_the_next_round(self) -> None:
        event = build_played_night()
        compute_standings(event)
        before = open_board(event).find_one("main").text
        draw_round(event_id=event.pk)
        for query in ({}, {"by": "name"}, {"round": "2"}):
            page = open_board(event, **query)
            assert list_kinds(page) == ["standings-1"]
            assert page.find_one("h2").text == "Standings after round 1"
        assert len(open_board(event).find_one("main").text) == len(before)

    @pytest.mark.long
    def test_next_round_replaces_the_previous_round(self) -> None:
        event = build_played_night()
        compute_standings(event)
        start_next_round(event)
        page = open_board(event)
        assert list_kinds(page) == ["tables-2", "standings-2"]
        assert list_titles(page) == ["Round 2: take your seats", "Standings"]

    @pytest.mark.long
    def test_board_shows_no_standings_before_the_first_result(self) -> None:
        event = build_running_night()
        compute_standings(event)
        assert list_kinds(open_board(event)) == ["tables-1"]
        win(matches_of(event)[0])
        compute_standings(event)
        assert list_kinds(open_board(event)) == ["tables-1", "standings-1"]


class TestBoardByName:
    def test_each_person_appears_once_with_their_table(self) -> None:
        event = build_running_night(pairs=8)
        rows = [one.text for one in open_board(event, by="name").find_one("main").find_all("li")]
        seated = {
            f"{player.person.get_public_name(player.person.club)} Table {match.card.number}".replace("\u00a0", " ")
            for match in matches_of(event)
            for player in match.players.all()
        }
        assert len(rows) == len(seated)
        assert set(rows) == seated

    @pytest.mark.long
    def test_partners_distinguish_people_with_equal_names(self) -> None:
        event = build_event(0)
        pairs = [("Jean Roy", "Marcel Dubé"), ("Jean Robert", "Rita Caron"), ("Zoé Hudon", "Ève Roy")]
        add_entries(event_id=event.pk, entries=dict(enumerate(pairs, start=1)))
        start_event(event_id=event.pk)
        start_next_round(event)
        page = open_board(event, by="name").find_one("main")
        item_texts = [" ".join(next(iter(one.find_all("span"))).text.split()) for one in page.find_all("li")]
        assert item_texts == [
            "Rita C.",
            "Marcel D.",
            "Zoé H.",
            "Ève R.",
            "Jean R. / Marcel D.",
            "Jean R. / Rita C.",
        ]

    def test_names_sort_by_visible_surname(self) -> None:
        event = build_running_night(pairs=8)
        names = [one.find_all("span") for one in open_board(event, by="name").find_one("main").find_all("li")]
        initials = [next(iter(spans)).text.split()[-1][0] for spans in names]
        assert initials == sorted(initials)

    @pytest.mark.slow
    def test_several_screens_split_the_names(self) -> None:
        event = build_running_night(pairs=40)
        whole, *parts = (
            [row.text for row in open_board(event, by="name", part=part).find_all("li")]
            for part in ("1/1", "1/2", "2/2")
        )
        assert parts[0] + parts[1] == whole
        assert min(map(len, parts)) > 0

    @pytest.mark.long
    @pytest.mark.usefixtures("within_a_minute")
    @pytest.mark.parametrize("part", ["0/2", "3/2", "x", "1/100", "1/0", "1/2/3", "-1/2"])
    def test_invalid_part_shows_all_names(self, part: str) -> None:
        event = build_running_night(pairs=40)
        assert open_board(event, by="name", part=part).text == open_board(event, by="name").text


class TestBoardClock:
    def get_clock_text(self, event: Event, **ago: int) -> str:
        begin_round(event_id=event.pk, number=1)
        event.rounds.update(started_at=timezone.now() - timedelta(**ago))
        page = open_board(event)
        assert list_titles(page) == ["Round 1"]
        clock = page.find_one("span", class_="clock")
        return " ".join(one.text for one in clock.find_all("span") if "hidden" not in one.attrs) or clock.text

    @pytest.mark.long
    def test_clock_shows_the_minutes_left(self) -> None:
        assert (
            self.get_clock_text(build_running_night(match_format=FIFTY_MINUTES), minutes=12, seconds=5) == "38 min left"
        )

    @pytest.mark.long
    def test_clock_shows_the_minutes_overtime(self) -> None:
        assert (
            self.get_clock_text(build_running_night(match_format=FIFTY_MINUTES), minutes=53, seconds=5) == "3 min over"
        )

    @pytest.mark.long
    def test_clock_without_time_limit_shows_the_start(self) -> None:
        event = build_running_night()
        begin_round(event_id=event.pk, number=1)
        event.rounds.update(started_at="2026-11-18T00:14:00Z")
        assert open_board(event).find_one("span", class_="clock").text == "since 7:14 PM"
        assert "19 h 14" in open_board(event, language="fr").find_one("span", class_="clock").text.replace(
            "\u00a0", " "
        )

    def test_clock_gives_the_script_end_and_server_time(self) -> None:
        event = build_running_night(match_format=FIFTY_MINUTES)
        begin_round(event_id=event.pk, number=1)
        clock = open_board(event).find_one("span", class_="clock").attrs
        assert abs(int(clock["data-ends"]) - int(clock["data-now"]) - 50 * 60) <= 2

    def test_clock_runs_only_while_a_round_is_played(self) -> None:
        event = build_running_night(match_format=FIFTY_MINUTES)
        assert "data-ends" not in open_board(event).html
        begin_round(event_id=event.pk, number=1)
        event.rounds.update(state="closed")
        assert "data-ends" not in open_board(event).html


class TestBoardStandings:
    @pytest.mark.long
    def test_closed_round_replaces_tables_with_standings(self) -> None:
        event = build_played_night(pairs=12)
        compute_standings(event)
        page = open_board(event)
        assert list_kinds(page) == ["standings-1"] * len(page.find_all("section"))
        ranks = [int(next(iter(row.find_all("td"))).text) for row in page.find_all("tr") if any(row.find_all("td"))]
        assert len(ranks) == 12
        assert ranks == sorted(ranks)

    @pytest.mark.slow
    def test_standings_are_provisional_until_published_as_final(self) -> None:
        event = build_played_night()
        compute_standings(event)
        end_event(event_id=event.pk)
        assert list_titles(open_board(event)) == ["Provisional standings"]
        publish_final(event_id=event.pk)
        assert list_titles(open_board(event)) == ["Final standings"]

    @pytest.mark.long
    def test_final_standings_show_a_later_correction(self) -> None:
        event = build_played_night()
        compute_standings(event)
        end_event(event_id=event.pk)
        publish_final(event_id=event.pk)
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        compute_standings(event)
        assert list_titles(open_board(event)) == ["Final standings · changed since"]
        assert list_titles(open_board(event, language="fr")) == ["Classement final · modifié depuis"]

    @pytest.mark.long
    def test_board_shows_the_last_standings_before_the_freeze(self) -> None:
        event = build_running_night()
        Event.objects.update(silent_from=2)
        play_round(event)
        compute_standings(event)
        start_next_round(event)
        play_round(event, 2)
        compute_standings(event)
        assert list_titles(open_board(event)) == ["Standings after round 1"]

    @pytest.mark.long
    def test_board_announces_standings_until_they_are_computed(self) -> None:
        event = build_played_night()
        assert "Standings and next draw appear here." in open_board(event).text

    def test_standings_show_the_time_of_the_last_update(self) -> None:
        event = build_played_night()
        compute_standings(event)
        Standings.objects.update(computed_at="2030-01-08T01:31:00Z")
        assert "updated 8:31 PM" in open_board(event).text

    @pytest.mark.long
    def test_large_field_shows_the_first_sixty_ranks(self) -> None:
        event = build_played_night(pairs=64)
        compute_standings(event)
        assert len([row for row in open_board(event).find_all("tr") if any(row.find_all("td"))]) == 60


texts = st.text(alphabet="abc -\u00a0.", max_size=80)


@pytest.mark.long
@given(names=st.lists(texts, max_size=60), kind=st.sampled_from(["names", "standings"]))
def test_board_rows_keep_their_order_and_fit_the_columns(names: list[str], kind: str) -> None:
    rows: list[BoardRow] = [
        SeatRow(name=name, table=1)
        if kind == "names"
        else StandingsRow(rank=1, entry=1, entry_id=1, names=name, figures=())
        for name in names
    ]
    layout = LAYOUTS[kind]
    pages = layout.fill_pages(rows)
    assert [row for page in pages for column in page for row in column] == rows
    for page in pages:
        assert 1 <= len(page) <= layout.columns
        for column in page:
            assert len(column) == 1 or sum(map(layout.height, column)) <= layout.column_height + 1e-9


def build_table_rows(count: int) -> list[BoardRow]:
    def build_side(name: str) -> TableSide:
        return TableSide(
            colour="blue",
            entries=(1,),
            entry_ids=(1,),
            club="",
            people=(),
            names=name,
            points=None,
            games_won=None,
            has_won=False,
        )

    return [
        TableView(
            number=number,
            stage=1,
            place=None,
            match=None,
            sides=(build_side("Anne Aubé"), build_side("Zoé Zed")),
            is_over=False,
            is_contested=False,
            is_held=False,
            ruling_kind=None,
            reasons=(),
        )
        for number in range(1, count + 1)
    ]


@pytest.mark.parametrize(
    ("tables", "columns"),
    [
        (1, [[1]]),
        (4, [[2, 2]]),
        (5, [[3, 2]]),
        (10, [[5, 5]]),
        (11, [[3, 3], [3, 2]]),
        (13, [[3, 3], [4, 3]]),
        (21, [[4, 3], [4, 3], [4, 3]]),
    ],
)
def test_tables_fill_columns_and_pages_evenly(tables: int, columns: list[list[int]]) -> None:
    pages = LAYOUTS["tables"].fill_pages(build_table_rows(tables))
    assert [[len(column) for column in page] for page in pages] == columns


class TestBoardCosts:
    @pytest.mark.parametrize("query", [{}, {"by": "name"}], ids=["by table", "by name"])
    @pytest.mark.long
    def test_board_query_count_is_independent_of_event_size(self, query: dict[str, str]) -> None:
        counts = []
        for pairs, rounds in ((4, 1), (20, 3)):
            event = build_running_night(pairs)
            for number in range(1, rounds):
                play_round(event, number)
                start_next_round(event)
            compute_standings(event)
            with CaptureQueriesContext(connection) as made:
                assert open_board(event, **query).status == 200
            counts.append(len(made))
        assert counts[0] == counts[1] <= 16

    @pytest.mark.usefixtures("within_a_minute")
    def test_unchanged_board_costs_four_queries(self) -> None:
        event, wall = build_running_night(), Browser()
        shown = wall.open(f"/e/{event.short}/board")
        with CaptureQueriesContext(connection) as made:
            assert wall.open(shown.path, **{"If-None-Match": shown.revision}).status == 304
        assert len(made) <= 4

    @pytest.mark.long
    @pytest.mark.usefixtures("within_a_minute")
    def test_hands_and_results_during_a_round_do_not_refresh_the_board(self) -> None:
        event, wall = build_running_night(), Browser()
        shown = wall.open(f"/e/{event.short}/board")
        mark(matches_of(event)[0], "A 6 7")
        win(matches_of(event)[1])
        compute_standings(event)
        assert wall.open(shown.path, **{"If-None-Match": shown.revision}).status == 304


@pytest.mark.long
@pytest.mark.snapshot
@pytest.mark.usefixtures("within_a_minute")
def test_every_step_of_a_round_refreshes_the_board() -> None:
    event, wall = build_running_night(), Browser()
    seen = {wall.open(f"/e/{event.short}/board").revision}
    for step in (
        lambda: begin_round(event_id=event.pk, number=1),
        lambda: play_round(event),
        lambda: compute_standings(event),
        lambda: publish_round(event_id=event.pk, number=draw_round(event_id=event.pk).number),
    ):
        step()
        seen.add(wall.open(f"/e/{event.short}/board").revision)
    assert len(seen) == 5


def test_script_request_gets_only_the_changed_part() -> None:
    event, wall = build_running_night(), Browser()
    part = wall.open(f"/e/{event.short}/board", **{"HX-Request": "true"})
    assert "<html" not in part.html
    assert part.find_one("main").attrs["id"] == "main"


def test_board_of_an_unknown_event_is_404() -> None:
    assert Browser().open("/e/nothing/board").status == 404
