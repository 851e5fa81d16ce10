"""Walkovers in a bracket: the entry advances at once, and no round is without a match."""

import pytest

from tests.builders import compute_standings, get_refusal_code, play_round, start_next_round
from tests.support.browser import Browser
from tests.support.hall import Hall
from tests.tournaments.public.test_own_pages import get_short_name, open_own_page
from tournaments.alerts.queries import get_current_seats
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.models import Event
from tournaments.papers.presenters import put_surname_first
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def list_winners(event: Event) -> list[int]:
    """Return the entries on side A of the first round, in bracket order; side A won every match."""
    numbers = dict(event.entries.values_list("pk", "number"))
    tables = sorted(lineup_of(event.rounds.get(number=1)).tables, key=lambda table: table.slot)
    return [numbers[table.a[0]] for table in tables]


@pytest.mark.long
@pytest.mark.snapshot
def test_final_is_drawn_when_both_semifinals_are_walkovers() -> None:
    hall = Hall(pairs=8, draw_format="knockout")
    play_round(hall.event)
    one, gone, other, gone_too = list_winners(hall.event)
    for number in (gone, gone_too):
        withdraw_entry(event_id=hall.event.pk, number=number)
    page = hall.desk.open(f"/e/{hall.event.short}/desk")
    assert "Draw the final" in page.text
    page = hall.desk.send(page, page.find_form("/desk/draw"))
    page = hall.desk.send(page, page.find_form("/rounds/2/publish"))
    play_round(hall.event, 2)
    assert {row["entry"] for row in compute_standings(hall.event)[:2]} == {one, other}
    assert get_refusal_code(draw_round, event_id=hall.event.pk) == "nothing_left_to_draw"


def test_walkover_is_not_called_a_bye() -> None:
    hall = Hall(pairs=8, draw_format="knockout")
    play_round(hall.event)
    one, gone, *_ = list_winners(hall.event)
    withdraw_entry(event_id=hall.event.pk, number=gone)
    there = hall.event.entries.get(number=one).player_1
    walkover_text = f"Advances by walkover: {there.name.split()[0]}"
    draw_round(event_id=hall.event.pk)
    assert walkover_text in hall.desk.open(f"/e/{hall.event.short}/desk").text
    start_next_round(hall.event)
    paper = f"/e/{hall.event.short}/desk/print/round?round=2"
    texts_by_page = {
        hall.desk.open(f"/e/{hall.event.short}/desk/rounds/2"): walkover_text,
        hall.desk.open(paper): walkover_text,
        hall.desk.open(f"{paper}&by=name"): f"{put_surname_first(there.name)} advances",
        Browser().open(f"/e/{hall.event.short}/rounds/2"): walkover_text,
        Browser().open(f"/e/{hall.event.short}/board"): f"Advances by walkover{get_short_name(there)}",
        Browser().open(f"/e/{hall.event.short}?who={there.name}"): "advances by walkover, round 2",
        open_own_page(hall.event, there): "Round 2: you advance by walkover.",
    }
    for page, words in texts_by_page.items():
        assert words in page.text
        assert "bye" not in page.text.lower()
    assert get_current_seats(hall.event, [there.pk])[there.pk][2].code == "walkover"


@pytest.mark.long
def test_waiting_in_a_bracket_is_not_called_a_bye() -> None:
    hall = Hall(pairs=3, draw_format="knockout")
    there = hall.event.rounds.get().seatings.get(table=None).entry.player_1
    paper = f"/e/{hall.event.short}/desk/print/round?round=1"
    texts_by_page = {
        hall.desk.open(f"{paper}&by=name"): f"{put_surname_first(there.name)} waiting",
        Browser().open(f"/e/{hall.event.short}/board"): f"Waits for the next match{get_short_name(there)}",
    }
    for page, words in texts_by_page.items():
        assert words in page.text
        assert "bye" not in page.text.lower()


def test_withdrawn_finalist_leaves_first_place_to_the_other() -> None:
    hall = Hall(pairs=4, draw_format="knockout")
    play_round(hall.event)
    gone, other = list_winners(hall.event)
    withdraw_entry(event_id=hall.event.pk, number=gone)
    ranks = {row["entry"]: row["rank"] for row in compute_standings(hall.event)}
    assert (ranks[other], ranks[gone]) == (1, 2)
    assert get_refusal_code(draw_round, event_id=hall.event.pk) == "nothing_left_to_draw"


@pytest.mark.long
def test_final_without_entries_is_not_drawn() -> None:
    hall = Hall(pairs=4, draw_format="knockout")
    play_round(hall.event)
    for number in list_winners(hall.event):
        withdraw_entry(event_id=hall.event.pk, number=number)
    assert get_refusal_code(draw_round, event_id=hall.event.pk) == "nothing_left_to_draw"
    text = hall.desk.open(f"/e/{hall.event.short}/desk").text
    assert "Draw " not in text.replace("Draw a play-off", ""), "only the two left can play for first place"


@pytest.mark.parametrize("draw_format", ["swiss", "pools"])
@pytest.mark.long
def test_round_passes_when_every_entry_requests_a_bye(draw_format: str) -> None:
    hall = Hall(pairs=4, draw_format=draw_format)
    play_round(hall.event)
    for entry in hall.event.entries.all():
        entry.byes_asked = [2]
        entry.save()
    assert "Draw round 2" in hall.desk.open(f"/e/{hall.event.short}/desk").text
    draw_round(event_id=hall.event.pk)
    publish_round(event_id=hall.event.pk, number=2)
    close_round(event_id=hall.event.pk, number=2)
    start_next_round(hall.event)
    assert len(lineup_of(hall.event.rounds.get(number=3)).tables) == 2
