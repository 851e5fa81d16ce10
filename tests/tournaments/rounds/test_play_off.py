"""A play-off decides a tie for first place, and nothing else."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.builders import build_played_night, compute_standings, get_refusal_code, matches_of, play_round
from tests.support.event_files import export_event, list_differences
from tests.support.hall import Hall
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.rounds.presenters.drafts import build_draft_view
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import discard_draft, draw_round, publish_round, reopen_round
from tournaments.rounds.services.tables import adjust_table
from tournaments.standings.queries.validity import find_changes

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

BY_WINS = {"order": ["match_wins"]}


def a_tie_for_first(pairs: int) -> Event:
    """Build a night with one round played, so that all its winners share first place."""
    event = build_played_night(pairs)
    event.ranking = BY_WINS
    event.save(update_fields=["ranking"])
    return event


def places(event: Event) -> list[tuple[Any, ...]]:
    names = ("rank", "match_wins", "decided_by")
    return [tuple(row[name] for name in names) for row in compute_standings(event)]


def draw_play_off(event: Event, number: int = 2) -> None:
    draw_round(event_id=event.pk, seed=1, is_play_off=True)
    publish_round(event_id=event.pk, number=number)


@pytest.mark.long
def test_play_off_match_decides_a_tie_for_first() -> None:
    event = a_tie_for_first(4)
    assert places(event) == [(1, 1, None), (1, 1, None), (3, 0, "match_wins"), (3, 0, None)]
    draw_play_off(event)
    assert [row["entry"] for row in compute_standings(event) if row["rank"] == 1] == [
        event.entries.get(pk=entry).number for entry in sorted(lineup_of(event.rounds.get(number=2)).entries)
    ]
    play_round(event, 2)
    assert places(event) == [(1, 1, None), (2, 1, "play_off"), (3, 0, "match_wins"), (3, 0, None)]
    assert not list_differences(export_event(event))
    assert get_refusal_code(draw_round, event_id=event.pk, is_play_off=True) == "nothing_left_to_draw"


def test_three_way_play_off_lets_one_entry_wait() -> None:
    event = a_tie_for_first(6)
    draft = draw_round(event_id=event.pk, seed=1, is_play_off=True)
    event.refresh_from_db()
    assert build_draft_view(event, draft).made_by == "waits_by_lot"
    publish_round(event_id=event.pk, number=2)
    assert len(matches_of(event, 2)) == 1
    play_round(event, 2)
    assert places(event)[:3] == [(1, 1, None), (1, 1, None), (3, 1, "play_off")]
    draw_round(event_id=event.pk, seed=1)
    publish_round(event_id=event.pk, number=3)
    play_round(event, 3)
    assert places(event)[:4] == [(1, 1, None), (2, 1, "play_off"), (3, 1, "play_off"), (4, 0, "match_wins")]
    assert not list_differences(export_event(event))


@pytest.mark.long
def test_play_off_draw_is_undone_as_one_change() -> None:
    event = a_tie_for_first(4)
    before = event.stages
    draw_round(event_id=event.pk, seed=1, is_play_off=True)
    event.refresh_from_db()
    assert event.plan[-1].is_play_off
    action = event.actions.order_by("-pk").first()
    assert action is not None
    undo_action(event_id=event.pk, action_id=action.pk)
    event.refresh_from_db()
    assert (event.stages, event.rounds.count()) == (before, 1)


def test_play_off_draft_follows_a_correction() -> None:
    event = a_tie_for_first(6)
    draft = draw_round(event_id=event.pk, seed=1, is_play_off=True)
    adjust_table(event_id=event.pk, number=1, table=1, games=[0, 0], points=[20, 20])
    tied = {row["entry"] for row in compute_standings(event) if row["rank"] == 1}
    draft.refresh_from_db()
    changes = find_changes(draft)
    assert changes is not None
    assert {number for pair in changes.pairings for side in pair for number in side} == tied
    again = draw_round(event_id=event.pk, seed=1)
    assert {event.entries.get(pk=entry).number for entry in lineup_of(again).entries} == tied
    adjust_table(event_id=event.pk, number=1, table=2, games=[0, 0], points=[20, 20])
    assert get_refusal_code(draw_round, event_id=event.pk, seed=1) == "nobody_tied_for_first"


@pytest.mark.parametrize("leave", [discard_draft, lambda event_id, number: reopen_round(event_id=event_id, number=1)])
def test_event_goes_on_after_a_play_off_that_was_only_drafted(leave: Callable[..., object]) -> None:
    event = a_tie_for_first(4)
    before = event.stages
    draw_round(event_id=event.pk, seed=1, is_play_off=True)
    leave(event_id=event.pk, number=2)
    event.refresh_from_db()
    assert event.stages == before
    undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
    event.refresh_from_db()
    assert event.plan[-1].is_play_off


@pytest.mark.long
def test_play_off_can_rank_before_other_metrics() -> None:
    event = build_played_night(4)
    adjust_table(event_id=event.pk, number=1, table=1, games=[1, 0], points=[40, 0])
    assert get_refusal_code(draw_round, event_id=event.pk, is_play_off=True) == "nobody_tied_for_first"
    event.ranking = {"order": ["match_wins", "play_off", "difference"]}
    event.save(update_fields=["ranking"])
    draw_play_off(event)
    play_round(event, 2)
    assert [row["decided_by"] for row in compute_standings(event)][:3] == [None, "play_off", "match_wins"]


@pytest.mark.long
def test_desk_offers_a_play_off_for_a_shared_first_place() -> None:
    hall = Hall(4)
    event, desk = hall.event, f"/e/{hall.event.short}/desk"
    play_round(event)
    page = hall.desk.open(desk)
    assert "First place is shared." in page.text
    page = hall.desk.send(page, page.find_form("/draw", control_name="is_play_off"), ("is_play_off", "1"))
    assert "Play-off" in page.text
    publish_round(event_id=event.pk, number=2)
    play_round(event, 2)
    assert "First place is shared." not in hall.desk.open(desk).text
    (second,) = (row["entry"] for row in compute_standings(event) if row["rank"] == 2)
    assert "the play-off decides" in hall.desk.open(f"{desk}/standings/{second}").text
