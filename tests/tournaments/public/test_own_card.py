"""Somebody's card of an event as a text to send: what it says, and that nothing kept back is in it."""

import re

import pytest
from django.utils import timezone
from django.utils.translation import override

from clubs.models import Person
from engine.visibility import Names, Release, Results
from scoring.models import Mark
from tests.builders import (
    a_played_night,
    a_running_night,
    matches_of,
    next_round,
    play,
    play_round,
    standings_after,
)
from tests.tournaments.public.test_own_pages import at_table, first_entry, page_of, short
from tournaments.models import Event
from tournaments.public.presenters.own_page import own_page
from tournaments.publishing.services.publishing import change_release
from wording.labels.own_card import own_card

pytestmark = pytest.mark.django_db

ADDRESS = "https://cards.example.org/e/tuesday"


def card_of(event: Event, person: Person, language: str = "en") -> str:
    event.refresh_from_db()
    with override(language):
        return re.sub(r"[\u00a0\u202f]", " ", own_card(own_page(event, person), event, ADDRESS))


class TestWhatItSays:
    def test_every_hand_from_the_own_side_and_what_came_of_it(self) -> None:
        event = a_running_night()
        play(matches_of(event)[0], "A 6 7", "B mulot failed", "B gros_charlemagne made")
        Mark.objects.update(created_at=timezone.now().replace(year=2026, month=11, day=18, hour=2, minute=14))
        standings_after(event)
        right, left = (
            one.person for one in matches_of(event)[0].players.filter(seat__in=(1, 3)).order_by("seat")
        )
        first, figures, played, there = card_of(event, right).split("\n\n")
        assert first.startswith(f"{short(right)} – {event.name}\n{event.club.name}, ")
        assert "Contracts made: 1 of 2" in figures
        assert "Gros Charlemagne, round 1, 9:14 PM" in figures
        assert f"with {short(left)}, against " in played
        assert "them: 6 made 0–6 · us: Mulot failed 0–13 · us: Gros Charlemagne made" in played
        assert there == f"All results: {ADDRESS}"

    def test_in_french_it_is_french(self) -> None:
        event = a_running_night()
        play(matches_of(event)[0], "A 6 7", "B mulot failed")
        card = card_of(event, at_table(event), "fr")
        assert "nous : 6 réussi 6–0 · eux : Mulot manqué 13–0" in card
        assert "Contrats réussis : 1 sur 1" in card
        assert "Ronde 1, table 1" in card

    def test_the_rank_and_the_matches_that_are_over(self) -> None:
        event = a_played_night()
        standings_after(event)
        assert "Rank 1 of 4\nMatches won: 1 of 1 (32 for, 6 against)" in card_of(event, at_table(event))

    @pytest.mark.slow
    def test_rounds_are_told_in_their_order_and_a_bye_is_one(self) -> None:
        event = a_running_night(5)
        (bye,) = event.rounds.get(number=1).seatings.filter(table=None)
        play_round(event)
        next_round(event)
        card = card_of(event, bye.entry.player_1)
        assert card.index("Round 1, bye") < card.index("Round 2, table")

    @pytest.mark.slow
    def test_the_page_has_it_to_copy_and_before_the_first_round_has_none(self) -> None:
        event = a_running_night()
        play(matches_of(event)[0], "A 6 7")
        page = page_of(event, at_table(event))
        (text,) = page.every("textarea", id="own-card")
        assert "us: 6 made 6–0" in text.text
        assert page.every("button", **{"data-copy": "own-card"})
        event.rounds.update(state="draft")
        assert not page_of(event, at_table(event)).every("textarea")


@pytest.mark.slow
class TestWhatItNeverSays:
    def played(self) -> Event:
        event = a_played_night()
        next_round(event)
        play(matches_of(event, 2)[0], "A mulot made", "B charlemagne made")
        standings_after(event)
        return event

    def test_of_a_silent_round_where_one_plays_and_nothing_more(self) -> None:
        event = self.played()
        me = at_table(event, 2)
        assert "Mulot" in card_of(event, me)
        change_release(event_id=event.pk, release=Release(silent_from=2))
        card = card_of(event, me)
        assert "Round 2, table 1: hidden" in card
        assert not re.search("Mulot|us:|them:", card.split("Round 2")[1])
        assert "Contracts made: 1 of 1" in card, "of the first round alone"

    @pytest.mark.parametrize("results", [Results.TOTALS, Results.NOTHING])
    def test_no_hand_where_only_results_are_published_or_none(self, results: Results) -> None:
        event = self.played()
        change_release(event_id=event.pk, release=Release(results=results))
        card = card_of(event, at_table(event, 2))
        assert not any(word in card for word in ("Mulot", "Charlemagne", "contract"))

    def test_no_name_where_people_are_numbers(self) -> None:
        event = self.played()
        change_release(event_id=event.pk, release=Release(names=Names.NUMBERS))
        card = card_of(event, first_entry(event).player_1)
        assert not any(short(one) in card or one.name in card for one in Person.objects.all())
