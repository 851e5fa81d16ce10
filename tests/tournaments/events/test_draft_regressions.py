"""Regression tests for bugs found while directing a tournament and a night, from the form to the final standings."""

from typing import Any

import pytest

from engine.draws.lineups import Lineup
from tests.builders import build_event, build_player_names, get_draw_input, matches_of, win
from tournaments.entries.presenters.entries import build_entry_view
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entries import add_entries, add_entry
from tournaments.entries.services.entry_actions import withdraw_entry
from tournaments.events.presenters.names import format_full_names
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event
from tournaments.rounds.presenters.drafts import build_draft_view
from tournaments.rounds.queries.rounds import lineup_of
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round

pytestmark = pytest.mark.django_db


def build_individual_event(count: int, draw_format: str = "swiss_individual") -> Event:
    """Build a started event of single players who get a new partner each round."""
    event = build_event(0, tables=count // 4, draw_format=draw_format)
    add_entries(event_id=event.pk, entries=build_player_names(count, size=1))
    return start_event(event_id=event.pk)


def draw_lineup(event: Event, *, seed: int) -> Lineup:
    return lineup_of(draw_round(event_id=event.pk, seed=seed))


@pytest.mark.parametrize("draw_format", ["swiss_individual", "by_rank"])
@pytest.mark.long
def test_unseeded_first_partners_are_drawn_by_lot(draw_format: str) -> None:
    event = build_individual_event(22, draw_format)
    lineups = [draw_lineup(event, seed=seed) for seed in range(4)]
    partners = {frozenset(frozenset(side) for each in one.tables for side in (each.a, each.b)) for one in lineups}
    assert len(partners) == len(lineups)
    assert len({frozenset(bye.entry for bye in one.byes) for one in lineups}) > 1
    assert draw_lineup(event, seed=3) == lineups[3]


@pytest.mark.long
def test_seeded_players_are_partnered_by_seed() -> None:
    event = build_individual_event(8)
    event.is_seeded = True
    event.save(update_fields=["is_seeded"])
    partners = {frozenset(side) for each in draw_lineup(event, seed=1).tables for side in (each.a, each.b)}
    numbers = dict(event.entries.values_list("pk", "number"))
    assert {frozenset(numbers[pk] for pk in pair) for pair in partners} == {
        frozenset(pair) for pair in ((1, 4), (2, 3), (5, 8), (6, 7))
    }


@pytest.mark.long
class TestSwissScores:
    def get_scores_after_round(self, **ranking: str) -> dict[int, int]:
        """Play a round of seven pairs and return the Swiss score of each pair."""
        event = build_event(7, draw_format="swiss")
        event.ranking |= ranking
        event.save(update_fields=["ranking"])
        start_event(event_id=event.pk)
        return self.get_scores(event)

    def get_scores(self, event: Event) -> dict[int, int]:
        draw_round(event_id=event.pk, seed=1)
        publish_round(event_id=event.pk, number=1)
        for match in matches_of(event):
            win(match)
        close_round(event_id=event.pk, number=1)
        return {entrant.number: entrant.score for entrant in get_draw_input(event).entrants}

    @pytest.mark.parametrize(("bye", "score"), [("win", 2), ("draw", 1), ("nothing", 0)])
    def test_swiss_score_counts_a_bye_like_the_standings(self, bye: str, score: int) -> None:
        found = self.get_scores_after_round(bye=bye)
        assert sorted(found.values()) == sorted([0, 0, 0, 2, 2, 2, score])

    def test_requested_bye_scores_nothing(self) -> None:
        event = start_event(event_id=build_event(7, draw_format="swiss").pk)
        change_attendance(event_id=event.pk, number=1, round_number=1, attendance="bye")
        assert self.get_scores(event)[1] == 0


@pytest.mark.slow
class TestDraftNotices:
    def build_draft(self, **settings: Any) -> Event:
        event = start_event(event_id=build_event(6, **settings).pk)
        draw_round(event_id=event.pk, seed=1)
        return event

    def get_notices(self, event: Event) -> tuple[tuple[str, ...], tuple[str, ...]]:
        view = build_draft_view(event, event.rounds.get())
        return view.away, view.left_out

    @pytest.mark.long
    def test_draft_lists_entries_that_left_or_arrived_since(self) -> None:
        event = self.build_draft()
        assert self.get_notices(event) == ((), ())
        leaving = event.entries.get(number=3)
        withdraw_entry(event_id=event.pk, number=3)
        add_entry(event_id=event.pk, players=("Zoé Zola", "Yan Zola"))
        assert self.get_notices(event) == ((format_full_names(leaving),), ("Zoé Zola and Yan Zola",))
        draw_round(event_id=event.pk, seed=1)
        assert self.get_notices(event) == ((), ())

    @pytest.mark.slow
    def test_draft_lists_an_entry_present_after_all(self) -> None:
        event = start_event(event_id=build_event(6).pk)
        change_attendance(event_id=event.pk, number=2, round_number=1, attendance="absent")
        draw_round(event_id=event.pk, seed=1)
        assert self.get_notices(event) == ((), ())
        change_attendance(event_id=event.pk, number=2, round_number=1, attendance="plays")
        assert self.get_notices(event) == ((), (format_full_names(event.entries.get(number=2)),))

    @pytest.mark.long
    @pytest.mark.parametrize("draw_format", ["open_tables", "interclub"])
    def test_format_without_byes_reports_no_left_out_entries(self, draw_format: str) -> None:
        event = build_event(7, draw_format=draw_format)
        event.entries.filter(number__lte=2).update(team="A")
        event.entries.filter(number__gt=2).update(team="B")
        start_event(event_id=event.pk)
        draft = draw_round(event_id=event.pk, seed=1)
        assert build_draft_view(event, draft).left_out == ()

    @pytest.mark.long
    def test_eliminated_entries_are_not_reported_as_left_out(self) -> None:
        event = self.build_draft(draw_format="knockout")
        publish_round(event_id=event.pk, number=1)
        for match in matches_of(event):
            win(match)
        close_round(event_id=event.pk, number=1)
        draft = draw_round(event_id=event.pk, seed=1)
        assert build_draft_view(event, draft).left_out == ()
        assert not any(build_entry_view(event, entry)["is_draft_old"] for entry in event.entries.all())
