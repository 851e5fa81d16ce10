"""The board on the wall: what is on it at each time of an evening, and what it costs."""

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
    BY_THE_CLOCK,
    a_played_night,
    a_running_night,
    an_event,
    mark,
    matches_of,
    next_round,
    play_round,
    standings_after,
    win,
)
from tests.support.browser import Browser, Page
from tournaments.board.presenters import LAYOUTS, BoardRow
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Entry, Event, Standings
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.presenters.rounds import TableSide, TableView
from tournaments.rounds.presenters.seats import SeatRow
from tournaments.rounds.services.clock import begin_round
from tournaments.rounds.services.rounds import draw_round, publish_round
from tournaments.rounds.services.tables import forfeit_table
from tournaments.standings.presenters.short_list import RankRow

pytestmark = pytest.mark.django_db


def board(event: Event, *, language: str = "en", **query: str) -> Page:
    return Page(Browser(language=language).client.get(f"/e/{event.short}/board", query))


def kinds(page: Page) -> list[str]:
    """Return what its pages show, in their order."""
    return [leaf.attrs["data-leaf"].rpartition("-")[0] for leaf in page.every("section")]


def titles(page: Page) -> list[str]:
    return list(dict.fromkeys(leaf.one("h2").text for leaf in page.every("section")))


def people(event: Event) -> list[Person]:
    return [person for entry in Entry.objects.filter(event=event) for person in entry.players]


class TestBeforeTheFirstDraw:
    def test_it_says_what_comes(self) -> None:
        page = board(an_event())
        assert titles(page) == ["Soirée du mardi"]
        assert "The first draw appears here." in page.text

    def test_a_draft_does_not_leak(self) -> None:
        event = a_running_night()
        event.rounds.update(state="draft")
        for query in ({}, {"by": "name"}):
            page = board(event, **query)
            assert "The first draw appears here." in page.text
            assert [
                person for person in people(event) if person.name_in_public(event.club) in page.html
            ] == []


class TestOnceARoundIsPublished:
    def test_it_sends_everybody_to_their_table(self) -> None:
        event = a_running_night(pairs=8)
        page = board(event)
        assert titles(page) == ["Round 1: take your seats"]
        tables = [tile.text for tile in page.every("span", class_="tile")]
        assert tables == [f"Table {number}" for number in (1, 2, 3, 4)]
        assert all(person.name_in_public(event.club) in page.html for person in people(event))

    def test_it_names_who_sits_out(self) -> None:
        event = a_running_night(pairs=5)
        (bye,) = event.rounds.get().seatings.filter(table=None)
        sitting_out = [one.text for one in board(event).every("p") if one.text.startswith("Bye")]
        assert [
            one for one in sitting_out if bye.entry.player_1.name_in_public(event.club).split()[0] in one
        ] != []
        (row,) = [one for one in board(event, by="name").every("em") if one.text == "bye"][:1]
        assert row.parent is not None
        assert row.parent.text.split()[0] in str(bye.entry)

    def test_it_shows_each_name_as_the_person_allows(self) -> None:
        event = a_running_night()
        first, *others = people(event)
        Person.objects.filter(pk=first.pk).update(shows_full_name=True)
        for query in ({}, {"by": "name"}):
            html = board(event, **query).html
            assert first.name in html
            assert [one.name for one in others if one.name in html] == []

    def test_it_shows_no_code_and_no_way_to_the_desk(self) -> None:
        event = a_running_night()
        html = board(event).html
        assert [card.code for card in TableCard.objects.all() if card.code in html] == []
        assert "/desk" not in html
        assert "/t/" not in html

    @pytest.mark.slow
    def test_a_draft_of_the_next_round_does_not_leak(self) -> None:
        event = a_played_night()
        standings_after(event)
        before = board(event).one("main").text
        draw_round(event_id=event.pk)
        for query in ({}, {"by": "name"}, {"round": "2"}):
            page = board(event, **query)
            assert kinds(page) == ["standings-1"]
            assert page.one("h2").text == "Standings after round 1"
        assert len(board(event).one("main").text) == len(before)

    @pytest.mark.slow
    def test_the_next_round_takes_the_place_of_the_one_before(self) -> None:
        event = a_played_night()
        standings_after(event)
        next_round(event)
        page = board(event)
        assert kinds(page) == ["tables-2", "standings-2"]
        assert titles(page) == ["Round 2: take your seats", "Standings"]

    def test_it_ranks_nobody_by_the_lot_alone_before_the_first_result(self) -> None:
        event = a_running_night()
        standings_after(event)
        assert kinds(board(event)) == ["tables-1"]
        win(matches_of(event)[0])
        standings_after(event)
        assert kinds(board(event)) == ["tables-1", "standings-1"]


class TestByName:
    def test_everybody_stands_there_once_with_their_table(self) -> None:
        event = a_running_night(pairs=8)
        rows = [one.text for one in board(event, by="name").one("main").every("li")]
        seated = {
            f"{player.person.name_in_public(player.person.club)} Table {match.card.number}".replace(
                "\u00a0", " "
            )
            for match in matches_of(event)
            for player in match.players.all()
        }
        assert len(rows) == len(seated)
        assert set(rows) == seated

    def test_two_of_one_name_are_told_apart_by_their_partners_and_by_no_more_of_the_name(self) -> None:
        event = an_event(0)
        pairs = [("Jean Roy", "Marcel Dubé"), ("Jean Robert", "Rita Caron"), ("Zoé Hudon", "Ève Roy")]
        add_entries(event_id=event.pk, entries=dict(enumerate(pairs, start=1)))
        start_event(event_id=event.pk)
        next_round(event)
        page = board(event, by="name").one("main")
        told = [" ".join(next(iter(one.every("span"))).text.split()) for one in page.every("li")]
        assert told == [
            "Rita C.",
            "Marcel D.",
            "Zoé H.",
            "Ève R.",
            "Jean R. / Marcel D.",
            "Jean R. / Rita C.",
        ]

    def test_they_go_by_surname_as_far_as_it_is_shown(self) -> None:
        event = a_running_night(pairs=8)
        names = [one.every("span") for one in board(event, by="name").one("main").every("li")]
        initials = [next(iter(spans)).text.split()[-1][0] for spans in names]
        assert initials == sorted(initials)

    @pytest.mark.slow
    def test_several_screens_share_all_names(self) -> None:
        event = a_running_night(pairs=40)
        whole, *parts = (
            [row.text for row in board(event, by="name", part=part).every("li")]
            for part in ("1/1", "1/2", "2/2")
        )
        assert parts[0] + parts[1] == whole
        assert min(map(len, parts)) > 0

    @pytest.mark.usefixtures("within_a_minute")
    @pytest.mark.parametrize("part", ["0/2", "3/2", "x", "1/100", "1/0", "1/2/3", "-1/2"])
    def test_a_share_that_is_none_shows_everybody(self, part: str) -> None:
        event = a_running_night(pairs=40)
        assert board(event, by="name", part=part).text == board(event, by="name").text


class TestTheClock:
    def clock(self, event: Event, **ago: int) -> str:
        begin_round(event_id=event.pk, number=1)
        event.rounds.update(started_at=timezone.now() - timedelta(**ago))
        page = board(event)
        assert titles(page) == ["Round 1"]
        clock = page.one("span", class_="clock")
        return " ".join(one.text for one in clock.every("span") if "hidden" not in one.attrs) or clock.text

    @pytest.mark.slow
    def test_says_how_many_minutes_are_left(self) -> None:
        assert self.clock(a_running_night(match_format=BY_THE_CLOCK), minutes=12, seconds=5) == "38 min left"

    def test_says_how_long_ago_the_time_was_up(self) -> None:
        assert self.clock(a_running_night(match_format=BY_THE_CLOCK), minutes=53, seconds=5) == "3 min over"

    def test_says_since_when_a_round_without_time_limit_is_played(self) -> None:
        event = a_running_night()
        begin_round(event_id=event.pk, number=1)
        event.rounds.update(started_at="2026-11-18T00:14:00Z")
        assert board(event).one("span", class_="clock").text == "since 7:14 PM"
        assert "19 h 14" in board(event, language="fr").one("span", class_="clock").text.replace(
            "\u00a0", " "
        )

    def test_gives_the_script_the_end_and_the_servers_time(self) -> None:
        event = a_running_night(match_format=BY_THE_CLOCK)
        begin_round(event_id=event.pk, number=1)
        clock = board(event).one("span", class_="clock").attrs
        assert abs(int(clock["data-ends"]) - int(clock["data-now"]) - 50 * 60) <= 2

    def test_is_that_of_the_day_before_the_round_begins_and_after_it(self) -> None:
        event = a_running_night(match_format=BY_THE_CLOCK)
        assert "data-ends" not in board(event).html
        begin_round(event_id=event.pk, number=1)
        event.rounds.update(state="closed")
        assert "data-ends" not in board(event).html


class TestTheStandings:
    @pytest.mark.slow
    def test_stand_there_once_a_round_is_closed_and_its_tables_no_more(self) -> None:
        event = a_played_night(pairs=12)
        standings_after(event)
        page = board(event)
        assert kinds(page) == ["standings-1"] * len(page.every("section"))
        ranks = [int(next(iter(row.every("td"))).text) for row in page.every("tr") if any(row.every("td"))]
        assert len(ranks) == 12
        assert ranks == sorted(ranks)

    @pytest.mark.slow
    def test_are_provisional_once_the_evening_has_ended_and_final_once_they_are_published_so(self) -> None:
        event = a_played_night()
        standings_after(event)
        end_event(event_id=event.pk)
        assert titles(board(event)) == ["Provisional standings"]
        publish_final(event_id=event.pk)
        assert titles(board(event)) == ["Final standings"]

    @pytest.mark.slow
    def test_that_are_final_say_that_a_result_was_corrected_since(self) -> None:
        event = a_played_night()
        standings_after(event)
        end_event(event_id=event.pk)
        publish_final(event_id=event.pk)
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        standings_after(event)
        assert titles(board(event)) == ["Final standings · changed since"]
        assert titles(board(event, language="fr")) == ["Classement final · modifié depuis"]

    @pytest.mark.slow
    def test_are_those_before_the_silence_and_say_after_which_round(self) -> None:
        event = a_running_night()
        Event.objects.update(silent_from=2)
        play_round(event)
        standings_after(event)
        next_round(event)
        play_round(event, 2)
        standings_after(event)
        assert titles(board(event)) == ["Standings after round 1"]

    def test_are_announced_until_they_are_counted(self) -> None:
        event = a_played_night()
        assert "Standings and next draw appear here." in board(event).text

    def test_say_when_they_last_changed(self) -> None:
        event = a_played_night()
        standings_after(event)
        Standings.objects.update(computed_at="2030-01-08T01:31:00Z")
        assert "updated 8:31 PM" in board(event).text

    @pytest.mark.slow
    def test_of_a_large_field_are_those_of_the_first_sixty(self) -> None:
        event = a_played_night(pairs=64)
        standings_after(event)
        assert len([row for row in board(event).every("tr") if any(row.every("td"))]) == 60


texts = st.text(alphabet="abc -\u00a0.", max_size=80)


@given(names=st.lists(texts, max_size=60), kind=st.sampled_from(["names", "standings"]))
def test_rows_keep_their_order_and_no_column_is_higher_than_there_is_room(
    names: list[str], kind: str
) -> None:
    rows: list[BoardRow] = [
        SeatRow(name=name, table=1)
        if kind == "names"
        else RankRow(rank=1, entry=1, entry_id=1, names=name, figures=())
        for name in names
    ]
    layout = LAYOUTS[kind]
    pages = layout.fill_pages(rows)
    assert [row for page in pages for column in page for row in column] == rows
    for page in pages:
        assert 1 <= len(page) <= layout.columns
        for column in page:
            assert len(column) == 1 or sum(map(layout.height, column)) <= layout.room + 1e-9


def table_rows(count: int) -> list[BoardRow]:
    def side(name: str) -> TableSide:
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
            place=None,
            match=None,
            sides=(side("Anne Aubé"), side("Zoé Zed")),
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
def test_tables_fill_the_columns_and_the_pages_evenly(tables: int, columns: list[list[int]]) -> None:
    pages = LAYOUTS["tables"].fill_pages(table_rows(tables))
    assert [[len(column) for column in page] for page in pages] == columns


class TestWhatItCosts:
    @pytest.mark.slow
    @pytest.mark.parametrize("query", [{}, {"by": "name"}], ids=["by table", "by name"])
    def test_is_known_whatever_the_evening_has_grown_to(self, query: dict[str, str]) -> None:
        counts = []
        for pairs, rounds in ((4, 1), (20, 3)):
            event = a_running_night(pairs)
            for number in range(1, rounds):
                play_round(event, number)
                next_round(event)
            standings_after(event)
            with CaptureQueriesContext(connection) as made:
                assert board(event, **query).status == 200
            counts.append(len(made))
        assert counts[0] == counts[1] <= 16

    @pytest.mark.usefixtures("within_a_minute")
    def test_is_four_queries_while_nothing_changes(self) -> None:
        event, wall = a_running_night(), Browser()
        shown = wall.open(f"/e/{event.short}/board")
        with CaptureQueriesContext(connection) as made:
            assert wall.open(shown.path, **{"If-None-Match": shown.revision}).status == 304
        assert len(made) <= 4

    @pytest.mark.usefixtures("within_a_minute")
    def test_is_nothing_for_the_hands_and_results_of_a_round_that_is_played(self) -> None:
        event, wall = a_running_night(), Browser()
        shown = wall.open(f"/e/{event.short}/board")
        mark(matches_of(event)[0], "A 6 7")
        win(matches_of(event)[1])
        standings_after(event)
        assert wall.open(shown.path, **{"If-None-Match": shown.revision}).status == 304


@pytest.mark.slow
@pytest.mark.snapshot
@pytest.mark.usefixtures("within_a_minute")
def test_it_is_sent_anew_for_every_step_of_a_round() -> None:
    event, wall = a_running_night(), Browser()
    seen = {wall.open(f"/e/{event.short}/board").revision}
    for step in (
        lambda: begin_round(event_id=event.pk, number=1),
        lambda: play_round(event),
        lambda: standings_after(event),
        lambda: publish_round(event_id=event.pk, number=draw_round(event_id=event.pk).number),
    ):
        step()
        seen.add(wall.open(f"/e/{event.short}/board").revision)
    assert len(seen) == 5


def test_its_script_is_sent_only_what_changes() -> None:
    event, wall = a_running_night(), Browser()
    part = wall.open(f"/e/{event.short}/board", **{"HX-Request": "true"})
    assert "<html" not in part.html
    assert part.one("main").attrs["id"] == "main"


def test_of_an_evening_that_there_is_not_is_a_404() -> None:
    assert Browser().open("/e/nothing/board").status == 404
