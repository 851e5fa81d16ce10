"""Bugs found while directing a tournament and an evening from the form to the final standings."""

from typing import Any

import pytest

from engine.draws.lineups import Lineup
from tests.builders import an_event, draw_input, matches_of, player_names, win
from tournaments.entries.presenters.entries import entry_view
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entries import add_entries, add_entry
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.events.presenters.names import full_names
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event
from tournaments.rounds.presenters.drafts import draft_view
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round

pytestmark = pytest.mark.django_db


def people(count: int, draw_format: str = "swiss_individual") -> Event:
    """An evening of people with a partner for each round, as they were typed."""
    event = an_event(0, tables=count // 4, draw_format=draw_format)
    add_entries(event_id=event.pk, entries=player_names(count, size=1))
    return start_event(event_id=event.pk)


def drawn(event: Event, *, seed: int) -> Lineup:
    return lineup_of(draw_round(event_id=event.pk, seed=seed))


@pytest.mark.slow
@pytest.mark.parametrize("draw_format", ["swiss_individual", "by_rank"])
def test_the_first_partners_are_by_lot_and_not_as_people_were_typed(draw_format: str) -> None:
    event = people(22, draw_format)
    lineups = [drawn(event, seed=seed) for seed in range(4)]
    partners = {
        frozenset(frozenset(side) for each in one.tables for side in (each.a, each.b)) for one in lineups
    }
    assert len(partners) == len(lineups)
    assert len({frozenset(bye.entry for bye in one.byes) for one in lineups}) > 1
    assert drawn(event, seed=3) == lineups[3]


def test_seeded_people_sit_by_their_seeds() -> None:
    event = people(8)
    event.is_seeded = True
    event.save(update_fields=["is_seeded"])
    partners = {frozenset(side) for each in drawn(event, seed=1).tables for side in (each.a, each.b)}
    numbers = dict(event.entries.values_list("pk", "number"))
    assert {frozenset(numbers[pk] for pk in pair) for pair in partners} == {
        frozenset(pair) for pair in ((1, 4), (2, 3), (5, 8), (6, 7))
    }


class TestTheScoreByWhichTheSwissDrawGroups:
    def after_a_round(self, **ranking: str) -> dict[int, int]:
        """Seven pairs; the first asks to sit out, and for the others it is even."""
        event = an_event(7, draw_format="swiss")
        event.ranking |= ranking
        event.save(update_fields=["ranking"])
        start_event(event_id=event.pk)
        return self.scores(event)

    def scores(self, event: Event) -> dict[int, int]:
        draw_round(event_id=event.pk, seed=1)
        publish_round(event_id=event.pk, number=1)
        for match in matches_of(event):
            win(match)
        close_round(event_id=event.pk, number=1)
        return {entrant.number: entrant.score for entrant in draw_input(event).entrants}

    @pytest.mark.parametrize(("bye", "score"), [("win", 2), ("draw", 1), ("nothing", 0)])
    def test_counts_a_bye_as_the_standings_do(self, bye: str, score: int) -> None:
        found = self.after_a_round(bye=bye)
        assert sorted(found.values()) == sorted([0, 0, 0, 2, 2, 2, score])

    @pytest.mark.slow
    def test_counts_nothing_for_who_asked_to_sit_out(self) -> None:
        event = start_event(event_id=an_event(7, draw_format="swiss").pk)
        change_attendance(event_id=event.pk, number=1, round_number=1, attendance="bye")
        assert self.scores(event)[1] == 0


class TestADraft:
    def a_draft(self, **settings: Any) -> Event:
        event = start_event(event_id=an_event(6, **settings).pk)
        draw_round(event_id=event.pk, seed=1)
        return event

    def said(self, event: Event) -> tuple[tuple[str, ...], tuple[str, ...]]:
        view = draft_view(event, event.rounds.get())
        return view.away, view.left_out

    @pytest.mark.slow
    def test_says_who_left_and_who_came_since_it_was_drawn(self) -> None:
        event = self.a_draft()
        assert self.said(event) == ((), ())
        leaving = event.entries.get(number=3)
        withdraw_entry(event_id=event.pk, number=3)
        add_entry(event_id=event.pk, players=("Zoé Zola", "Yan Zola"))
        assert self.said(event) == ((full_names(leaving),), ("Zoé Zola and Yan Zola",))
        draw_round(event_id=event.pk, seed=1)
        assert self.said(event) == ((), ())

    def test_says_who_is_there_after_all(self) -> None:
        event = start_event(event_id=an_event(6).pk)
        change_attendance(event_id=event.pk, number=2, round_number=1, attendance="absent")
        draw_round(event_id=event.pk, seed=1)
        assert self.said(event) == ((), ())
        change_attendance(event_id=event.pk, number=2, round_number=1, attendance="plays")
        assert self.said(event) == ((), (full_names(event.entries.get(number=2)),))

    @pytest.mark.parametrize("draw_format", ["open_tables", "interclub"])
    def test_says_nothing_of_who_is_left_over_where_there_are_no_byes(self, draw_format: str) -> None:
        event = an_event(7, draw_format=draw_format)
        event.entries.filter(number__lte=2).update(team="A")
        event.entries.filter(number__gt=2).update(team="B")
        start_event(event_id=event.pk)
        draft = draw_round(event_id=event.pk, seed=1)
        assert draft_view(event, draft).left_out == ()

    @pytest.mark.slow
    def test_says_nothing_of_who_is_out_of_the_bracket(self) -> None:
        event = self.a_draft(draw_format="knockout")
        publish_round(event_id=event.pk, number=1)
        for match in matches_of(event):
            win(match)
        close_round(event_id=event.pk, number=1)
        draft = draw_round(event_id=event.pk, seed=1)
        assert draft_view(event, draft).left_out == ()
        assert not any(entry_view(event, entry).is_draft_old for entry in event.entries.all())
