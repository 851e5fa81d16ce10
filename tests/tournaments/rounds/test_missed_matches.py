"""Matches of a schedule missed by absences: the desk offers them, and a round more plays them."""

from dataclasses import replace
from typing import Any

import pytest

from clubs.services.accounts import make_owner
from engine.ranking import Bye
from engine.standings import build_count_key
from tests.builders import (
    build_account,
    build_event,
    build_running_night,
    compute_standings,
    get_refusal_code,
    matches_of,
    play_round,
    start_next_round,
)
from tests.support.browser import Browser
from tests.support.event_files import export_event, list_differences
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entry_actions import describe_entry, withdraw_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import change_ranking, change_sections
from tournaments.models import Event, Seating
from tournaments.public.presenters.player_page import build_player_page
from tournaments.public.queries.next_round import UpcomingRound
from tournaments.publishing.presenters import build_publishing_view
from tournaments.rounds.services.rounds import discard_draft, draw_round, publish_round
from tournaments.sharing.presenters.live_reports import build_live_report
from tournaments.sharing.presenters.press import load_press_data

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

POOLS_AND_FINAL: list[dict[str, Any]] = [
    {"format": "pools", "settings": {"pools": 2}},
    {"format": "knockout", "takes": "pool_top", "count": 1},
]


def play_with_absence(pairs: int = 4, *, number: int = 2, **settings: Any) -> Event:
    """Play a round robin, or pools, in which a pair is absent from round 2."""
    event = start_event(event_id=build_event(pairs, **({"draw_format": "round_robin"} | settings)).pk)
    for played in (1, 2, 3):
        if played == 2:
            change_attendance(event_id=event.pk, number=number, round_number=2, attendance="absent")
        start_next_round(event)
        play_round(event, played)
    return event


def list_meetings(event: Event, number: int) -> list[set[int]]:
    seats = [Seating.objects.filter(table__match=match) for match in matches_of(event, number)]
    return [set(each.values_list("entry__number", flat=True)) for each in seats]


def get_figures(event: Event, number: int) -> dict[str, Any]:
    """Return half wins and games lost of an entry, and the kinds of its rounds without play."""
    (row,) = (each for each in compute_standings(event) if each["entry"] == number)
    event.standings.refresh_from_db()
    rounds = event.standings.counted[build_count_key(number)]["rounds"]
    figures = {name: row.get(name) for name in ("half_wins", "games_lost")}
    return {**figures, "kinds": [each["kind"] for each in rounds if "kind" in each]}


def draw_missed(event: Event, number: int = 4) -> None:
    draw_round(event_id=event.pk, seed=1, plays_missed=True)
    publish_round(event_id=event.pk, number=number)


@pytest.mark.long
def test_missed_match_is_played_in_a_round_more() -> None:
    event = play_with_absence()
    assert get_refusal_code(draw_round, event_id=event.pk) == "nothing_left_to_draw"
    draw_missed(event)
    assert list_meetings(event, 4) == [{1, 2}]
    play_round(event, 4)
    wins = [row["match_wins"] for row in compute_standings(event)]
    assert sum(wins) == 6
    assert not list_differences(export_event(event))
    for is_missed in (True, False):
        assert get_refusal_code(draw_round, event_id=event.pk, plays_missed=is_missed) == "nothing_left_to_draw"


@pytest.mark.long
def test_match_made_up_counts_once() -> None:
    event = play_with_absence()
    rules = replace(event.ranking_rules, order=("half_wins", "games_lost"), absent=Bye.DRAW)
    change_ranking(event_id=event.pk, rules=rules)
    before = get_figures(event, 2)
    assert before["kinds"] == ["absent"]
    draw_missed(event)
    play_round(event, 4)
    won = event.entries.get(number=2).seatings.filter(table__round__number=4, side=0).count()
    assert get_figures(event, 2) == {
        "half_wins": before["half_wins"] - 1 + 2 * won,
        "games_lost": before["games_lost"] + 1 - won,
        "kinds": ["made_up"],
    }
    assert not list_differences(export_event(event))


@pytest.mark.long
def test_absence_in_the_round_of_a_scheduled_bye_is_no_loss() -> None:
    event = start_event(event_id=build_event(3, draw_format="round_robin").pk)
    change_attendance(event_id=event.pk, number=1, round_number=1, attendance="absent")
    for number in (1, 2, 3):
        start_next_round(event)
        play_round(event, number)
    assert get_figures(event, 1)["kinds"] == ["made_up"]
    assert "a missed match that is played later counts once" in Browser().open(f"/e/{event.short}/standings").text


def test_desk_offers_missed_matches_once() -> None:
    event = play_with_absence()
    owner = build_account()
    make_owner(club=event.club, account=owner)
    browser, address = Browser(account=owner), f"/e/{event.short}/desk"
    page = browser.open(address)
    assert "Missed matches can still be played" in page.text
    assert "End the event" in page.text
    page = browser.send(page, page.find_form("/draw", control_name="plays_missed"), ("plays_missed", "1"))
    assert "Missed matches" not in page.text
    publish_round(event_id=event.pk, number=4)
    play_round(event, 4)
    assert "Missed matches" not in browser.open(address).text


@pytest.mark.long
def test_pools_play_missed_matches_before_the_final() -> None:
    event = play_with_absence(8, stages=POOLS_AND_FINAL)
    draw_missed(event)
    (meeting,) = list_meetings(event, 4)
    assert 2 in meeting
    play_round(event, 4)
    final = start_next_round(event)
    assert [slot.partition(":")[0] for slot in final.tables.values_list("slot", flat=True)] == ["2"]
    assert not list_differences(export_event(event))


def test_pages_count_the_round_of_missed_matches_among_the_rounds() -> None:
    event = play_with_absence(8, stages=POOLS_AND_FINAL)
    draw_missed(event)
    assert read_progress(event) == (4, 5)
    play_round(event, 4)
    awaited = list_next_rounds(event)
    assert build_publishing_view(event)["next_round"] == 5
    start_next_round(event)
    assert read_progress(event) == (5, 5)
    (finalists,) = list_meetings(event, 5)
    assert awaited == [UpcomingRound(number=5, seats_entries=number in finalists) for number in range(1, 9)]
    play_round(event, 5)
    assert list_next_rounds(event) == [None] * 8


def list_next_rounds(event: Event) -> list[UpcomingRound | None]:
    event.refresh_from_db()
    entries = event.entries.select_related("player_1").order_by("number")
    return [build_player_page(event, entry.player_1).next_round for entry in entries]


def read_progress(event: Event) -> tuple[int, int | None]:
    progress = build_live_report(load_press_data(Event.objects.get(pk=event.pk))).progress
    assert progress is not None
    return progress.round, progress.rounds


@pytest.mark.long
def test_pools_without_absences_offer_no_missed_match_before_the_final() -> None:
    event = start_event(event_id=build_event(8, stages=POOLS_AND_FINAL).pk)
    for played in (1, 2, 3):
        start_next_round(event)
        play_round(event, played)
    owner = build_account()
    make_owner(club=event.club, account=owner)
    desk = Browser(account=owner)
    assert desk.open(f"/e/{event.short}/desk").find_all(id="missed-matches") == []
    assert get_refusal_code(draw_round, event_id=event.pk, plays_missed=True) == "nothing_left_to_draw"


@pytest.mark.long
def test_pair_still_absent_or_withdrawn_has_nothing_to_catch_up() -> None:
    event = play_with_absence()
    change_attendance(event_id=event.pk, number=2, round_number=4, attendance="absent")
    assert get_refusal_code(draw_round, event_id=event.pk, plays_missed=True) == "nothing_left_to_draw"
    change_attendance(event_id=event.pk, number=2, round_number=4, attendance="plays")
    withdraw_entry(event_id=event.pk, number=2)
    assert get_refusal_code(draw_round, event_id=event.pk, plays_missed=True) == "nothing_left_to_draw"


@pytest.mark.long
def test_discarded_round_of_missed_matches_leaves_the_stages_unchanged() -> None:
    event = play_with_absence()
    stages = list(event.stages)
    for _ in range(2):  # drawing again keeps the stages of the first draw
        draw_round(event_id=event.pk, plays_missed=True)
        draw_round(event_id=event.pk, seed=7)
        discard_draft(event_id=event.pk, number=4)
        event.refresh_from_db()
        assert event.stages == stages


def test_no_match_is_missed_in_the_middle_or_in_a_shorter_plan() -> None:
    event = build_running_night(4, draw_format="round_robin")
    play_round(event)
    assert get_refusal_code(draw_round, event_id=event.pk, plays_missed=True) == "nothing_left_to_draw"
    event = play_with_absence(6, stages=[{"format": "round_robin", "rounds": 3}])
    assert get_refusal_code(draw_round, event_id=event.pk, plays_missed=True) == "nothing_left_to_draw"


@pytest.mark.long
def test_section_makes_up_a_missed_match_while_a_larger_one_plays_on() -> None:
    event = build_event(8, draw_format="round_robin")
    line = {"first_table": None, "last_table": None}
    change_sections(event_id=event.pk, sections=[{"name": "Or", **line}, {"name": "Argent", **line}])
    for number in range(1, 9):
        describe_entry(event_id=event.pk, number=number, section="Or" if number <= 3 else "Argent")
    start_event(event_id=event.pk)
    change_attendance(event_id=event.pk, number=2, round_number=1, attendance="absent")
    for number in range(1, 6):
        drawn = start_next_round(event)
        assert drawn.tables.count() == (2 if number in {1, 5} else 3)
        play_round(event, number)
    assert [{2, 3} in list_meetings(event, number) for number in range(1, 6)] == [False, False, False, True, False]
    assert not list_differences(export_event(event))
    assert get_refusal_code(draw_round, event_id=event.pk) == "nothing_left_to_draw"
