"""A player's card of an event as text to share, without hidden data."""

import re

import pytest
from django.utils import timezone
from django.utils.translation import override

from clubs.models import Person
from engine.visibility import Names, Release, Results
from scoring.models import Mark
from tests.builders import (
    build_played_night,
    build_running_night,
    compute_standings,
    matches_of,
    play,
    play_round,
    start_next_round,
)
from tests.tournaments.public.test_own_pages import find_person_at_table, get_first_entry, get_short_name, open_own_page
from tournaments.models import Event
from tournaments.public.labels import format_player_card
from tournaments.public.presenters.player_page import build_player_page
from tournaments.publishing.services.publishing import change_release

pytestmark = pytest.mark.django_db

ADDRESS = "https://cards.example.org/e/tuesday"


def get_card_text(event: Event, person: Person, language: str = "en") -> str:
    event.refresh_from_db()
    with override(language):
        return re.sub(r"[\u00a0\u202f]", " ", format_player_card(build_player_page(event, person), event, ADDRESS))


class TestCardText:
    @pytest.mark.long
    def test_card_lists_every_hand_from_the_player_side(self) -> None:
        event = build_running_night()
        play(matches_of(event)[0], "A 6 7", "B mulot failed", "B gros_charlemagne made")
        Mark.objects.update(created_at=timezone.now().replace(year=2026, month=11, day=18, hour=2, minute=14))
        compute_standings(event)
        right, left = (one.person for one in matches_of(event)[0].players.filter(seat__in=(1, 3)).order_by("seat"))
        first, figures, played, there = get_card_text(event, right).split("\n\n")
        assert first.startswith(f"{get_short_name(right)} – {event.name}\n{event.club.name}, ")
        assert "Contracts made: 1 of 2" in figures
        assert "Gros Charlemagne, round 1, 9:14 PM" in figures
        assert f"with {get_short_name(left)}, against " in played
        assert "them: 6 made 0–6 · us: Mulot failed 0–13 · us: Gros Charlemagne made" in played
        assert there == f"All results: {ADDRESS}"

    def test_card_is_translated_to_french(self) -> None:
        event = build_running_night()
        play(matches_of(event)[0], "A 6 7", "B mulot failed")
        card = get_card_text(event, find_person_at_table(event), "fr")
        assert "nous : 6 réussi 6–0 · eux : Mulot manqué 13–0" in card
        assert "Contrats réussis : 1 sur 1" in card
        assert "Ronde 1, table 1" in card

    @pytest.mark.long
    def test_card_shows_rank_and_finished_matches(self) -> None:
        event = build_played_night()
        compute_standings(event)
        assert "Rank 1 of 4\nMatches won: 1 of 1 (32 for, 6 against)" in get_card_text(
            event, find_person_at_table(event)
        )

    @pytest.mark.slow
    def test_card_lists_rounds_and_byes_in_order(self) -> None:
        event = build_running_night(5)
        (bye,) = event.rounds.get(number=1).seatings.filter(table=None)
        play_round(event)
        start_next_round(event)
        card = get_card_text(event, bye.entry.player_1)
        assert card.index("Round 1, bye") < card.index("Round 2, table")

    @pytest.mark.long
    def test_page_offers_the_card_to_copy_once_play_begins(self) -> None:
        event = build_running_night()
        play(matches_of(event)[0], "A 6 7")
        page = open_own_page(event, find_person_at_table(event))
        (text,) = page.find_all("textarea", id="own-card")
        assert "us: 6 made 6–0" in text.text
        assert page.find_all("button", **{"data-copy": "own-card"})
        event.rounds.update(state="draft")
        assert not open_own_page(event, find_person_at_table(event)).find_all("textarea")


@pytest.mark.long
class TestHiddenCardContent:
    def build_played_event(self) -> Event:
        event = build_played_night()
        start_next_round(event)
        play(matches_of(event, 2)[0], "A mulot made", "B charlemagne made")
        compute_standings(event)
        return event

    def test_card_hides_results_of_a_silent_round(self) -> None:
        event = self.build_played_event()
        me = find_person_at_table(event, 2)
        assert "Mulot" in get_card_text(event, me)
        change_release(event_id=event.pk, release=Release(silent_from=2))
        card = get_card_text(event, me)
        assert "Round 2, table 1: hidden" in card
        assert not re.search("Mulot|us:|them:", card.split("Round 2")[1])
        assert "Contracts made: 1 of 1" in card, "of the first round alone"

    @pytest.mark.parametrize("results", [Results.TOTALS, Results.NOTHING])
    def test_card_omits_hands_when_they_are_hidden(self, results: Results) -> None:
        event = self.build_played_event()
        change_release(event_id=event.pk, release=Release(results=results))
        card = get_card_text(event, find_person_at_table(event, 2))
        assert not any(word in card for word in ("Mulot", "Charlemagne", "contract"))

    def test_card_omits_names_when_players_are_numbers(self) -> None:
        event = self.build_played_event()
        change_release(event_id=event.pk, release=Release(names=Names.NUMBERS))
        card = get_card_text(event, get_first_entry(event).player_1)
        assert not any(get_short_name(one) in card or one.name in card for one in Person.objects.all())
