"""Disqualification: an action with a reason and an undo, and its effect on rank, prizes and season."""

from __future__ import annotations

from typing import Any

import pytest

from engine.ranking import DisqualificationRule, ranking_rules_from_json
from rules import Side
from tests.builders import (
    build_event,
    build_running_night,
    compute_standings,
    get_refusal,
    get_refusal_code,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.saved_states import saved_state
from tests.support.event_files import add_sums, export_event, list_differences
from tests.support.hall import Hall
from tests.tournaments.entries.test_entry_pages import confirm, get_entry_path, send_action
from tests.tournaments.exports.test_exports import fetch_json
from tournaments.entries.queries.entries import get_entries
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.entry_actions import disqualify_entry, return_entry, withdraw_entry
from tournaments.events.presenters.names import format_full_names
from tournaments.events.services.lifecycle import end_event
from tournaments.events.services.settings import change_ranking
from tournaments.history.services.undo import undo_action
from tournaments.models import Event, PrizeScope, Seating, Table
from tournaments.money.presenters.awards import get_current_awards
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import forfeit_table
from tournaments.seasons.queries import list_season_nights
from tournaments.seasons.services import open_season

pytestmark = pytest.mark.django_db

INSULTS = "Insulted the opponents"


def disqualify(event: Event, number: int, **given: Any) -> None:
    disqualify_entry(event_id=event.pk, number=number, disqualification=INSULTS, **given)


@saved_state
def play_first_round(pairs: int = 4, **ranking: Any) -> tuple[Event, list[int]]:
    """Play a round; return the event and the entry numbers in order of the standings."""
    event = build_running_night(pairs=pairs)
    if ranking:
        change_ranking(event_id=event.pk, rules=ranking_rules_from_json(ranking))
        event.refresh_from_db()
    play_round(event)
    return event, order_of(event)


def order_of(event: Event) -> list[int]:
    return [row["entry"] for row in compute_standings(event)]


def get_seating(event: Event, number: int) -> Seating:
    return Seating.objects.select_related("table").get(entry__event=event, entry__number=number)


class TestDisqualification:
    def test_disqualification_requires_a_reason_and_a_started_event(self) -> None:
        event = build_running_night()
        for reason, code in ((" ", "reason_required"), ("x" * 201, "reason_too_long")):
            given: dict[str, Any] = {"event_id": event.pk, "number": 1, "disqualification": reason}
            refusal = get_refusal(disqualify_entry, **given)
            assert (refusal.code, refusal.field) == (code, "disqualification")
        assert get_refusal_code(disqualify, build_event(), 1) == "event_not_running"

    @pytest.mark.slow
    def test_disqualification_is_one_history_step_and_undoes_completely(self) -> None:
        event = build_running_night()
        before = get_seating(event, 2)
        for _ in range(2):
            disqualify(event, 2)
        done = get_seating(event, 2)
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

    @pytest.mark.long
    def test_returning_entry_is_no_longer_disqualified(self) -> None:
        event, _ = play_first_round()
        disqualify(event, 2)
        entry = return_entry(event_id=event.pk, number=2)
        assert (entry.leaves_after, entry.disqualification) == (None, "")

    def test_disqualifying_both_sides_leaves_no_winner(self) -> None:
        event = build_running_night()
        seated = get_seating(event, 1)
        other = Seating.objects.get(table=seated.table, side=not seated.side).entry.number
        for number in (1, other):
            disqualify(event, number)
        table = get_seating(event, 1).table
        assert table is not None
        assert table.ruling == {"kind": "forfeit", "winner": None}

    def test_second_disqualification_at_a_table_removes_the_winner(self) -> None:
        event = build_running_night()
        seated = get_seating(event, 1)
        other = Seating.objects.get(table=seated.table, side=not seated.side).entry.number
        disqualify(event, 1, forfeits_table=False)
        disqualify(event, other)
        table = get_seating(event, 1).table
        assert table is not None
        assert table.ruling == {"kind": "forfeit", "winner": None}

    def test_disqualified_pair_cannot_sign_up_again(self) -> None:
        event = build_running_night()
        names = [person.name for person in event.entries.get(number=2).players]
        disqualify(event, 2)
        assert get_refusal_code(add_entry, event_id=event.pk, players=names) == "is_disqualified"
        assert get_refusal_code(add_entry, event_id=event.pk, players=[names[0], "Zoé Zed"]) == "entered_twice"

    @pytest.mark.long
    def test_disqualification_after_the_end_moves_others_up(self) -> None:
        event, (first, *others) = play_first_round()
        end_event(event_id=event.pk)
        disqualify(event, first)
        assert order_of(event) == [*others, first]


def test_two_forfeiting_withdrawals_leave_no_winner() -> None:
    event = build_running_night()
    seated = get_seating(event, 1)
    other = Seating.objects.get(table=seated.table, side=not seated.side).entry.number
    for number in (1, other):
        withdraw_entry(event_id=event.pk, number=number, forfeits_table=True)
    table = get_seating(event, 1).table
    assert table is not None
    assert table.ruling == {"kind": "forfeit", "winner": None}


class TestDisqualifiedRank:
    def test_disqualified_entry_ranks_last(self) -> None:
        event, (first, *others) = play_first_round()
        disqualify(event, first)
        rows = compute_standings(event)
        assert [row["entry"] for row in rows] == [*others, first]
        assert (rows[-1]["rank"], rows[-1]["decided_by"]) == (4, "disqualified")
        assert rows[-1]["match_wins"] == 1

    @pytest.mark.long
    def test_setting_lets_a_disqualified_entry_keep_its_rank(self) -> None:
        event, order = play_first_round(disqualified="kept")
        disqualify(event, order[0])
        assert order_of(event) == order

    @pytest.mark.long
    @pytest.mark.parametrize("numbers", [(1, 8), (8, 1)])
    def test_disqualified_entries_rank_last_in_a_bracket(self, numbers: tuple[int, int]) -> None:
        stages = [{"format": "knockout", "settings": {"places": "third"}}]
        event = build_running_night(8, stages=stages)
        for number in numbers:
            disqualify(event, number)
        for match in matches_of(event):
            if match.table.ruling is None:
                win(match)
        close_round(event_id=event.pk, number=1)
        for number in (2, 3):
            start_next_round(event)
            play_round(event, number)
        rows = compute_standings(event)
        assert {row["entry"] for row in rows[-2:]} == {1, 8}
        assert [row["match_wins"] for row in rows[-2:]] == [0, 0]

    @pytest.mark.slow
    def test_rank_page_explains_the_disqualification(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        first = order_of(hall.event)[0]
        disqualify(hall.event, first)
        compute_standings(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/standings/{first}")
        assert "disqualified" in page.text
        assert "Disqualified" in page.text
        assert INSULTS not in page.text


class TestDisqualifiedAwards:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("setting", "wins", "counts"),
        [("last", False, False), ("last_counted", False, True), ("kept", True, True)],
    )
    def test_prizes_and_season_follow_the_disqualification_setting(
        self, setting: str, wins: bool, counts: bool
    ) -> None:
        event, (first, *_) = play_first_round(disqualified=setting)
        details = CategoryDetails(name="Prizes", among=PrizeScope.EVERYBODY, places=4)
        add_prize_category(event_id=event.pk, details=details)
        season = open_season(
            club=event.club,
            name="Autumn",
            ladders=({"name": "General"},),
            starts=event.held_on,
            ends=event.held_on,
        )
        disqualify(event, first)
        compute_standings(event)
        (prizes,) = get_current_awards(event, get_entries(event), format_full_names)
        assert (first in {each.award.winner for each in prizes.winners}) is wins
        (night,) = list_season_nights(season)
        assert (first in {showing.entry for showing in night.results}) is counts


class TestDisqualificationDisplay:
    @pytest.mark.slow
    def test_desk_previews_then_shows_the_disqualification(self) -> None:
        hall = Hall(pairs=4)
        page = send_action(hall.desk, hall.event, "disqualify", disqualification="")
        assert page.get_field_error("disqualification") == "Enter a reason."
        page = send_action(hall.desk, hall.event, "disqualify", disqualification=INSULTS)
        assert not hall.event.actions.filter(kind="disqualify_entry").exists()
        shown = confirm(hall.desk, page)
        assert f"disqualified: {INSULTS}" in shown.text
        history = hall.desk.open(f"/e/{hall.event.short}/desk/history").text
        assert f"disqualified ({INSULTS}), table " in history
        assert f"disqualified: {INSULTS}" in hall.desk.open(f"/e/{hall.event.short}/desk/entries").text

    @pytest.mark.long
    def test_standings_pages_and_files_mark_the_disqualified_entry(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        disqualify(hall.event, 2)
        compute_standings(hall.event)
        assert "disqualified" in hall.desk.open(f"/e/{hall.event.short}/standings").text
        rows = fetch_json(hall, f"/e/{hall.event.short}/standings.json")
        assert [row["is_disqualified"] for row in rows] == [False, False, False, True]

    def test_event_file_proves_the_disqualification(self) -> None:
        event, (first, *_) = play_first_round()
        disqualify(event, first)
        compute_standings(event)
        content = export_event(event)
        reasons_by_number = {entry["number"]: entry.get("disqualification") for entry in content["entries"]}
        assert reasons_by_number[first] == INSULTS
        assert list_differences(content) == []
        del next(each for each in content["entries"] if each["number"] == first)["disqualification"]
        assert list_differences(add_sums(content)) != []

    def test_settings_store_the_disqualification_rule(self) -> None:
        event, _ = play_first_round(disqualified="last_counted")
        assert event.ranking_rules.disqualified is DisqualificationRule.LAST_COUNTED


def test_disqualified_entry_page_offers_reinstatement() -> None:
    hall = Hall(pairs=4)
    disqualify(hall.event, 1)
    page = hall.desk.open(get_entry_path(hall.event))
    assert list(page.find_all("button", name="act", value="return"))
    assert not list(page.find_all("input", name="act", value="disqualify"))


def test_forfeited_table_can_lose_its_winner_too() -> None:
    hall = Hall(pairs=4)
    seated = get_seating(hall.event, 1)
    assert seated.table is not None
    assert seated.side is not None
    forfeit_table(event_id=hall.event.pk, number=1, table=seated.table.number, winner=Side(seated.side))
    assert "(nobody wins)" in hall.desk.open(get_entry_path(hall.event)).text
