"""A disqualification: an action with a reason and an undo, and what becomes of rank, prizes and season."""

from __future__ import annotations

from typing import Any

import pytest

from engine.ranking import Disqualified, ranking_rules_from_json
from rules import Side
from tests.builders import (
    a_running_night,
    an_event,
    code_of,
    matches_of,
    next_round,
    play_round,
    refusal_of,
    standings_after,
    win,
)
from tests.saved_states import saved_state
from tests.support.event_files import differences, file_of, with_right_sums
from tests.support.hall import Hall
from tests.tournaments.entries.test_entry_pages import act, confirm, page_of
from tests.tournaments.exports.test_exports import json_at
from tournaments.entries.queries.entries import entries_of
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import disqualify_entry, return_entry, withdraw_entry
from tournaments.events.presenters.names import full_names
from tournaments.events.services.lifecycle import end_event
from tournaments.events.services.settings import change_ranking
from tournaments.history.services.undo import undo_action
from tournaments.models import Among, Event, Seating, Table
from tournaments.money.presenters.awards import awards_now
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import forfeit_table
from tournaments.seasons.queries import nights_of
from tournaments.seasons.services import open_season

pytestmark = pytest.mark.django_db

INSULTS = "Insulted the opponents"


def disqualify(event: Event, number: int, **given: Any) -> None:
    disqualify_entry(event_id=event.pk, number=number, disqualification=INSULTS, **given)


@saved_state
def after_a_round(pairs: int = 4, **ranking: Any) -> tuple[Event, list[int]]:
    """The event after a round, and the numbers in the order of the standings."""
    event = a_running_night(pairs=pairs)
    if ranking:
        change_ranking(event_id=event.pk, rules=ranking_rules_from_json(ranking))
        event.refresh_from_db()
    play_round(event)
    return event, order_of(event)


def order_of(event: Event) -> list[int]:
    return [row["entry"] for row in standings_after(event)]


def seating_of(event: Event, number: int) -> Seating:
    return Seating.objects.select_related("table").get(entry__event=event, entry__number=number)


class TestADisqualification:
    def test_needs_a_reason_and_an_event_that_has_begun(self) -> None:
        event = a_running_night()
        for reason, code in ((" ", "reason_required"), ("x" * 201, "reason_too_long")):
            given: dict[str, Any] = {"event_id": event.pk, "number": 1, "disqualification": reason}
            refusal = refusal_of(disqualify_entry, **given)
            assert (refusal.code, refusal.field) == (code, "disqualification")
        assert code_of(disqualify, an_event(), 1) == "event_not_running"

    def test_is_one_step_of_the_history_and_undone_whole(self) -> None:
        event = a_running_night()
        before = seating_of(event, 2)
        for _ in range(2):
            disqualify(event, 2)
        done = seating_of(event, 2)
        assert done.table is not None
        assert done.table.ruling == {"kind": "forfeit", "winner": "A" if before.side else "B"}
        action = event.actions.get(kind="disqualify_entry")
        assert action.details == {"entry": 2, "why": INSULTS, "table": done.table.number}
        entry = event.entries.get(number=2)
        assert (entry.leaves_after, entry.disqualification) == (1, INSULTS)
        undo_action(event_id=event.pk, action_id=action.pk)
        entry.refresh_from_db()
        assert (entry.leaves_after, entry.disqualification) == (None, "")
        assert not Table.objects.exclude(ruling=None).exists()

    @pytest.mark.long("cheaper tests reach each of its lines")
    def test_is_lifted_by_a_return(self) -> None:
        event, _ = after_a_round()
        disqualify(event, 2)
        entry = return_entry(event_id=event.pk, number=2)
        assert (entry.leaves_after, entry.disqualification) == (None, "")

    def test_of_both_sides_of_a_table_leaves_it_without_a_winner(self) -> None:
        event = a_running_night()
        seated = seating_of(event, 1)
        other = Seating.objects.get(table=seated.table, side=not seated.side).entry.number
        for number in (1, other):
            disqualify(event, number)
        table = seating_of(event, 1).table
        assert table is not None
        assert table.ruling == {"kind": "forfeit", "winner": None}

    def test_of_an_entry_that_sits_against_one_that_kept_its_table_leaves_no_winner_either(self) -> None:
        event = a_running_night()
        seated = seating_of(event, 1)
        other = Seating.objects.get(table=seated.table, side=not seated.side).entry.number
        disqualify(event, 1, forfeits_table=False)
        disqualify(event, other)
        table = seating_of(event, 1).table
        assert table is not None
        assert table.ruling == {"kind": "forfeit", "winner": None}

    def test_keeps_the_pair_from_signing_up_again(self) -> None:
        event = a_running_night()
        names = [person.name for person in event.entries.get(number=2).players]
        disqualify(event, 2)
        assert code_of(add_entry, event_id=event.pk, players=names) == "is_disqualified"
        assert code_of(add_entry, event_id=event.pk, players=[names[0], "Zoé Zed"]) == "entered_twice"

    def test_after_the_end_moves_the_others_up(self) -> None:
        event, (first, *others) = after_a_round()
        end_event(event_id=event.pk)
        disqualify(event, first)
        assert order_of(event) == [*others, first]


def test_withdrawals_of_both_sides_that_forfeit_leave_the_table_without_a_winner() -> None:
    event = a_running_night()
    seated = seating_of(event, 1)
    other = Seating.objects.get(table=seated.table, side=not seated.side).entry.number
    for number in (1, other):
        withdraw_entry(event_id=event.pk, number=number, forfeits_table=True)
    table = seating_of(event, 1).table
    assert table is not None
    assert table.ruling == {"kind": "forfeit", "winner": None}


class TestItsRank:
    def test_comes_after_all_others_who_move_up(self) -> None:
        event, (first, *others) = after_a_round()
        disqualify(event, first)
        rows = standings_after(event)
        assert [row["entry"] for row in rows] == [*others, first]
        assert (rows[-1]["rank"], rows[-1]["decided_by"]) == (4, "disqualified")
        assert rows[-1]["match_wins"] == 1

    def test_stays_as_played_where_the_event_says_so(self) -> None:
        event, order = after_a_round(disqualified="kept")
        disqualify(event, order[0])
        assert order_of(event) == order

    @pytest.mark.long("cheaper tests reach each of its lines")
    @pytest.mark.parametrize("numbers", [(1, 8), (8, 1)])
    def test_in_a_bracket_is_behind_everybody_who_played(self, numbers: tuple[int, int]) -> None:
        stages = [{"format": "knockout", "settings": {"places": "third"}}]
        event = a_running_night(8, stages=stages)
        for number in numbers:
            disqualify(event, number)
        for match in matches_of(event):
            if match.table.ruling is None:
                win(match)
        close_round(event_id=event.pk, number=1)
        for number in (2, 3):
            next_round(event)
            play_round(event, number)
        rows = standings_after(event)
        assert {row["entry"] for row in rows[-2:]} == {1, 8}
        assert [row["match_wins"] for row in rows[-2:]] == [0, 0]

    def test_is_explained_on_its_page(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        first = order_of(hall.event)[0]
        disqualify(hall.event, first)
        standings_after(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/standings/{first}")
        assert "disqualified" in page.text
        assert "Disqualified" in page.text
        assert INSULTS not in page.text


class TestPrizesAndSeasons:
    @pytest.mark.parametrize(
        ("setting", "wins", "counts"),
        [("last", False, False), ("last_counted", False, True), ("kept", True, True)],
    )
    def test_follow_the_setting(self, setting: str, wins: bool, counts: bool) -> None:
        event, (first, *_) = after_a_round(disqualified=setting)
        details = CategoryDetails(name="Prizes", among=Among.EVERYBODY, places=4)
        add_prize_category(event_id=event.pk, details=details)
        season = open_season(
            club=event.club,
            name="Autumn",
            ladders=({"name": "General"},),
            starts=event.held_on,
            ends=event.held_on,
        )
        disqualify(event, first)
        standings_after(event)
        (prizes,) = awards_now(event, entries_of(event), full_names)
        assert (first in {each.award.winner for each in prizes.winners}) is wins
        (night,) = nights_of(season)
        assert (first in {showing.entry for showing in night.showings}) is counts


class TestItIsShown:
    def test_at_the_desk_after_what_it_changes_was_shown(self) -> None:
        hall = Hall(pairs=4)
        page = act(hall.desk, hall.event, "disqualify", disqualification="")
        assert page.said_at("disqualification") == "Enter a reason."
        page = act(hall.desk, hall.event, "disqualify", disqualification=INSULTS)
        assert not hall.event.actions.filter(kind="disqualify_entry").exists()
        shown = confirm(hall.desk, page)
        assert f"disqualified: {INSULTS}" in shown.text
        history = hall.desk.open(f"/e/{hall.event.short}/desk/history").text
        assert f"disqualified ({INSULTS}), table " in history
        assert f"disqualified: {INSULTS}" in hall.desk.open(f"/e/{hall.event.short}/desk/entries").text

    def test_in_the_standings_and_their_files(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        disqualify(hall.event, 2)
        standings_after(hall.event)
        assert "disqualified" in hall.desk.open(f"/e/{hall.event.short}/standings").text
        rows = json_at(hall, f"/e/{hall.event.short}/standings.json")
        assert [row["is_disqualified"] for row in rows] == [False, False, False, True]

    def test_in_the_event_file_by_which_the_standings_are_verified(self) -> None:
        event, (first, *_) = after_a_round()
        disqualify(event, first)
        standings_after(event)
        content = file_of(event)
        told = {entry["number"]: entry.get("disqualification") for entry in content["entries"]}
        assert told[first] == INSULTS
        assert differences(content) == []
        del next(each for each in content["entries"] if each["number"] == first)["disqualification"]
        assert differences(with_right_sums(content)) != []

    def test_on_the_page_of_settings(self) -> None:
        event, _ = after_a_round(disqualified="last_counted")
        assert event.ranking_rules.disqualified is Disqualified.LAST_COUNTED


def test_a_page_of_the_entry_offers_to_reinstate_it() -> None:
    hall = Hall(pairs=4)
    disqualify(hall.event, 1)
    page = hall.desk.open(page_of(hall.event))
    assert list(page.every("button", name="act", value="return"))
    assert not list(page.every("input", name="act", value="disqualify"))


def test_a_table_that_the_opponents_forfeited_can_be_forfeited_too() -> None:
    hall = Hall(pairs=4)
    seated = seating_of(hall.event, 1)
    assert seated.table is not None
    assert seated.side is not None
    forfeit_table(event_id=hall.event.pk, number=1, table=seated.table.number, winner=Side(seated.side))
    assert "(nobody wins)" in hall.desk.open(page_of(hall.event)).text
