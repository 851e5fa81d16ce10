"""House players complete a table: they play and have no rank, prize, season points or fee."""

from __future__ import annotations

import pytest

from tests.builders import a_club, an_account, an_event, next_round, play_round, standings_after
from tests.support.browser import Browser
from tests.support.event_files import differences, file_of
from tournaments.entries.presenters.entries import entries_view
from tournaments.entries.services.check_in import mark_present
from tournaments.entries.services.entry_actions import describe_entry, withdraw_entry
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.fee_rates import Rates
from tournaments.models import Event, Seating
from tournaments.money.queries.door_prizes import people_in_the_hat
from tournaments.money.queries.fees import fee_lines
from tournaments.money.services.fees import change_rates
from tournaments.rounds.presenters.drafts import draft_view
from tournaments.rounds.queries.drafts import unfit_draft
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db

HOUSE = 6


def a_night(*, draw_format: str = "swiss") -> Event:
    """Five pairs, and one of the house."""
    event = an_event(HOUSE, draw_format=draw_format)
    describe_entry(event_id=event.pk, number=HOUSE, is_house=True)
    return start_event(event_id=event.pk)


def opponents_of_the_house(event: Event) -> set[int]:
    tables = Seating.objects.filter(round__event=event, entry__number=HOUSE).values("table")
    others = Seating.objects.filter(table__in=tables).exclude(entry__number=HOUSE)
    return set(others.values_list("entry__number", flat=True))


def test_a_house_player_plays_but_only_the_others_are_ranked() -> None:
    event = a_night()
    for number in (1, 2):
        next_round(event)
        play_round(event, number)
    rows = {row["entry"]: row for row in standings_after(event)}
    assert rows.keys() == {1, 2, 3, 4, 5}
    assert [row["rank"] for row in rows.values()] == [1, 2, 2, 2, 5]
    assert all(row["points_for"] + row["points_against"] == 2 * 38 for row in rows.values())
    assert len(opponents_of_the_house(event)) == 2


def test_in_an_even_field_a_house_player_is_not_missed() -> None:
    event = a_night()
    next_round(event)
    play_round(event)
    withdraw_entry(event_id=event.pk, number=1)
    drawn = draw_round(event_id=event.pk, seed=2)
    assert len(drawn.draft["tables"]) == 2
    assert drawn.draft["byes"] == []
    assert not unfit_draft(event).entries
    assert len(draft_view(event, drawn).idle_house) == 1


@pytest.mark.parametrize(("pairs", "sit_out"), [(HOUSE, 0), (HOUSE + 1, 0), (HOUSE - 1, 1)])
def test_the_list_of_entries_counts_byes_without_the_house(pairs: int, sit_out: int) -> None:
    event = an_event(pairs)
    if pairs >= HOUSE:
        describe_entry(event_id=event.pk, number=HOUSE, is_house=True)
    assert entries_view(event).left_over.sit_out == sit_out


def test_a_house_player_owes_no_fee_and_wins_no_door_prize() -> None:
    event = an_event(HOUSE)
    change_rates(event_id=event.pk, rates=Rates(member=500, guest=800))
    describe_entry(event_id=event.pk, number=HOUSE, is_house=True)
    for number in range(1, HOUSE + 1):
        mark_present(event_id=event.pk, number=number, is_present=True)
    event.refresh_from_db()
    assert {line.entry for line in fee_lines(event)} == {1, 2, 3, 4, 5}
    assert len(people_in_the_hat(event)) == 10


@pytest.mark.slow
@pytest.mark.parametrize("draw_format", ["swiss", "interclub_all", "round_robin", "knockout"])
def test_a_file_keeps_and_verifies_what_a_house_player_played(draw_format: str) -> None:
    event = a_night(draw_format=draw_format)
    for number in (1, 2):
        next_round(event)
        play_round(event, number)
    end_event(event_id=event.pk)
    content = file_of(event)
    assert [entry.get("is_house", False) for entry in content["entries"]] == [False] * 5 + [True]
    assert differences(content) == []


def test_the_page_of_an_entry_makes_it_a_house_player() -> None:
    owner = an_account()
    event = an_event(5, club=a_club(owner=owner))
    browser = Browser(account=owner)
    page = browser.open(f"/e/{event.short}/desk/entries/5")
    page = browser.send(page, page.form(having="is_house"), is_house="on")
    assert "house player" in page.text
    assert event.entries.get(number=5).is_house
