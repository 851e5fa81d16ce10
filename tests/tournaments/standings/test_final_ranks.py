"""Stages reached and places in a bracket take precedence over the chosen metrics."""

from typing import Any

import pytest

from errors import Refusal
from rules import CANADIAN, MatchFormat, Side
from tests.builders import TUESDAY, build_club, build_player_names, compute_standings, get_refusal_code, play_round
from tournaments.entries.services.entries import add_entries
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.events.services.creation import create_event
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round
from tournaments.rounds.services.tables import forfeit_table
from tournaments.sharing.presenters.press import get_press_report

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def build_event_with_stages(pairs: int, *stages: dict[str, Any]) -> Event:
    event = create_event(
        club=build_club(),
        name="Final",
        held_on=TUESDAY,
        ruleset=CANADIAN,
        match_format=MatchFormat(games_to_win=1),
        table_count=max(1, pairs // 2),
        stages=stages,
    )
    add_entries(event_id=event.pk, entries=build_player_names(pairs))
    return start_event(event_id=event.pk)


def play(event: Event, *, upset: bool = False) -> None:
    """Play a round in which the lower number wins at every table, or the higher one in an upset."""
    numbers = dict(event.entries.values_list("pk", "number"))
    drawn = draw_round(event_id=event.pk, seed=1)
    publish_round(event_id=event.pk, number=drawn.number)
    drawn.refresh_from_db()
    for table in lineup_of(drawn).tables:
        (a,), (b,) = table.a, table.b
        winner = Side.A if (numbers[a] < numbers[b]) is not upset else Side.B
        forfeit_table(event_id=event.pk, number=drawn.number, table=table.number, winner=winner)
    close_round(event_id=event.pk, number=drawn.number)


def get_draw_refusal(event: Event) -> str | None:
    """Return the refusal's code for another draw, or None if a round was drawn."""
    try:
        draw_round(event_id=event.pk)
    except Refusal as refusal:
        return refusal.code
    return None


def list_players(event: Event, number: int, *, stage: str = "") -> set[int]:
    """Return the numbers of the entries that played a round, or one stage of it."""
    numbers = dict(event.entries.values_list("pk", "number"))
    tables = lineup_of(event.rounds.get(number=number)).tables
    return {numbers[entry] for t in tables if t.slot.startswith(stage) for entry in (*t.a, *t.b)}


def get_ranks(event: Event) -> dict[int, int]:
    return {row["entry"]: row["rank"] for row in compute_standings(event)}


@pytest.mark.long
def test_knockout_winner_ranks_before_the_finalist() -> None:
    event = build_event_with_stages(4, {"format": "knockout"})
    play(event)
    play(event, upset=True)
    assert get_ranks(event)[2] == 1
    assert get_ranks(event)[1] == 2
    rows = compute_standings(event)
    assert [row["decided_by"] for row in rows[:3]] == [None, "bracket", "bracket"]


@pytest.mark.long
def test_remaining_bracket_entries_rank_first() -> None:
    event = build_event_with_stages(4, {"format": "knockout"})
    play(event)
    assert {number for number, rank in get_ranks(event).items() if rank <= 2} == {1, 2}


@pytest.mark.parametrize(
    ("stage", "first_two"),
    [
        ({"format": "knockout", "settings": {"places": "third"}}, {1, 2}),
        ({"format": "consolation"}, {1, 2}),
        ({"format": "double_elimination"}, {1, 4}),
    ],
)
@pytest.mark.long
def test_third_place_contenders_rank_behind_finalists(stage: dict[str, Any], first_two: set[int]) -> None:
    event = build_event_with_stages(4, stage)
    play(event)
    for number in (1, 4):
        entry = event.entries.get(number=number)
        event.adjustments.create(entry=entry, metric="match_wins", amount=2, reason="Called to the desk.")
    assert {row["entry"] for row in compute_standings(event)[:2]} == first_two


@pytest.mark.long
def test_second_final_decides_a_double_elimination() -> None:
    event = build_event_with_stages(4, {"format": "double_elimination"})
    while get_draw_refusal(event) is None:
        play(event)
    assert get_ranks(event) == {1: 1, 2: 2, 3: 3, 4: 4}


def build_event_before_final(count: int) -> Event:
    """Play three rounds of a round robin, before a final of the best two entries."""
    event = build_event_with_stages(
        count,
        {"format": "round_robin", "rounds": 3},
        {"format": "knockout", "takes": "top", "count": 2},
    )
    for _ in range(3):
        play(event)
    return event


@pytest.mark.long
def test_finalists_rank_before_all_other_entries() -> None:
    event = build_event_before_final(6)
    play(event, upset=True)
    finalists = list_players(event, 4)
    after = compute_standings(event)
    assert [row["entry"] for row in after[:2]] == [max(finalists), min(finalists)]
    assert after[2]["decided_by"] == "stage"
    assert get_refusal_code(draw_round, event_id=event.pk) == "nothing_left_to_draw"


@pytest.mark.long
def test_withdrawal_before_the_final_costs_no_round() -> None:
    event = build_event_before_final(4)
    withdraw_entry(event_id=event.pk, number=3)
    play(event)
    event.ranking = {"order": ["match_wins", "buchholz"]}
    event.save(update_fields=["ranking"])
    home = next(row for row in compute_standings(event) if row["entry"] == 3)
    assert (home["match_wins"], home["buchholz"]) == (1, 3 * 2)


@pytest.mark.parametrize(("carried", "won"), [("all", (3, 3)), ("none", (0, 1)), ("among", (1, 1))])
@pytest.mark.long
def test_later_stage_counts_what_it_carries_over(carried: str, won: tuple[int, int]) -> None:
    event = build_event_with_stages(
        4,
        {"format": "round_robin", "rounds": 3},
        {"format": "swiss", "rounds": 1, "takes": "top", "count": 2, "carried": carried},
    )
    for _ in range(3):
        play(event)
    play(event, upset=True)
    wins = {row["entry"]: row["match_wins"] for row in compute_standings(event)}
    assert (wins[1], wins[2]) == won


@pytest.mark.long
def test_first_group_ranks_before_the_second() -> None:
    event = build_event_with_stages(
        8,
        {"format": "round_robin", "rounds": 2},
        {"format": "round_robin", "takes": "ranked", "first": 1, "last": 4, "carried": "none"},
        {"format": "round_robin", "takes": "ranked", "first": 5, "carried": "none", "beside": True},
    )
    play(event)
    play(event)
    play(event, upset=True)
    assert {row["entry"] for row in compute_standings(event)[:4]} == list_players(event, 3, stage="2:")


@pytest.mark.parametrize("draw_format", ["knockout", "consolation"])
@pytest.mark.long
def test_press_report_gives_the_final_and_its_score(draw_format: str) -> None:
    event = build_event_with_stages(4, {"format": draw_format})
    for number in (1, 2):
        drawn = draw_round(event_id=event.pk, seed=1)
        publish_round(event_id=event.pk, number=drawn.number)
        play_round(event, number)
    compute_standings(event)
    event.refresh_from_db()
    report = get_press_report(event)
    assert report.final is not None
    assert report.final.winner == report.podiums[0].ranks[0].who[0]
    assert report.final.loser == report.podiums[0].ranks[1].who[0]
    assert report.final.score[0] > report.final.score[1] > 0
