"""House players complete a table: they play and have no rank, prize, season points or fee."""

from __future__ import annotations

import pytest

from tests.builders import build_account, build_club, build_event, compute_standings, play_round, start_next_round
from tests.support.browser import Browser
from tests.support.event_files import export_event, list_differences
from tournaments.entries.presenters.entries import build_entries_view
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entry_actions import describe_entry, withdraw_entry
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.fee_rates import Rates
from tournaments.models import Event, Seating
from tournaments.money.queries.door_prizes import list_door_prize_candidates
from tournaments.money.queries.fees import list_fees
from tournaments.money.services.fees import change_rates
from tournaments.rounds.presenters.drafts import build_draft_view
from tournaments.rounds.queries.drafts import find_unfit_draft
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db

HOUSE_NUMBER = 6


def build_night(*, draw_format: str = "swiss") -> Event:
    """Build a started night of five pairs and one house pair."""
    event = build_event(HOUSE_NUMBER, draw_format=draw_format)
    describe_entry(event_id=event.pk, number=HOUSE_NUMBER, is_house=True)
    return start_event(event_id=event.pk)


def list_house_opponents(event: Event) -> set[int]:
    tables = Seating.objects.filter(round__event=event, entry__number=HOUSE_NUMBER).values("table")
    others = Seating.objects.filter(table__in=tables).exclude(entry__number=HOUSE_NUMBER)
    return set(others.values_list("entry__number", flat=True))


@pytest.mark.long
def test_house_player_plays_without_a_rank() -> None:
    event = build_night()
    for number in (1, 2):
        start_next_round(event)
        play_round(event, number)
    rows = {row["entry"]: row for row in compute_standings(event)}
    assert rows.keys() == {1, 2, 3, 4, 5}
    assert [row["rank"] for row in rows.values()] == [1, 2, 2, 2, 5]
    assert all(row["points_for"] + row["points_against"] == 2 * 38 for row in rows.values())
    assert len(list_house_opponents(event)) == 2


@pytest.mark.long
def test_even_field_leaves_house_players_out() -> None:
    event = build_night()
    start_next_round(event)
    play_round(event)
    withdraw_entry(event_id=event.pk, number=1)
    drawn = draw_round(event_id=event.pk, seed=2)
    assert len(drawn.draft["tables"]) == 2
    assert drawn.draft["byes"] == []
    assert not find_unfit_draft(event).entries
    assert len(build_draft_view(event, drawn).idle_house_players) == 1


@pytest.mark.parametrize(("pairs", "sit_out"), [(HOUSE_NUMBER, 0), (HOUSE_NUMBER + 1, 0), (HOUSE_NUMBER - 1, 1)])
def test_entries_page_counts_byes_without_house_players(pairs: int, sit_out: int) -> None:
    event = build_event(pairs)
    if pairs >= HOUSE_NUMBER:
        describe_entry(event_id=event.pk, number=HOUSE_NUMBER, is_house=True)
    assert build_entries_view(event).left_over.byes == sit_out


@pytest.mark.slow
def test_house_player_owes_no_fee_and_wins_no_door_prize() -> None:
    event = build_event(HOUSE_NUMBER)
    change_rates(event_id=event.pk, rates=Rates(member=500, guest=800))
    describe_entry(event_id=event.pk, number=HOUSE_NUMBER, is_house=True)
    for number in range(1, HOUSE_NUMBER + 1):
        mark_present(event_id=event.pk, number=number, is_present=True)
    event.refresh_from_db()
    assert {line.entry for line in list_fees(event)} == {1, 2, 3, 4, 5}
    assert len(list_door_prize_candidates(event)) == 10


@pytest.mark.parametrize("draw_format", ["swiss", "interclub_all", "round_robin", "knockout"])
@pytest.mark.long
def test_event_file_preserves_and_verifies_house_players(draw_format: str) -> None:
    event = build_night(draw_format=draw_format)
    for number in (1, 2):
        start_next_round(event)
        play_round(event, number)
    end_event(event_id=event.pk)
    content = export_event(event)
    assert [entry.get("is_house", False) for entry in content["entries"]] == [False] * 5 + [True]
    assert list_differences(content) == []


@pytest.mark.slow
def test_entry_page_marks_a_house_player() -> None:
    owner = build_account()
    event = build_event(5, club=build_club(owner=owner))
    browser = Browser(account=owner)
    page = browser.open(f"/e/{event.short}/desk/entries/5")
    page = browser.send(page, page.find_form(control_name="is_house"), is_house="on")
    assert "house player" in page.text
    assert event.entries.get(number=5).is_house
