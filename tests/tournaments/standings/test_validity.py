"""Validity of what was made from results, with the reasons and the new values, wherever it is shown."""

from __future__ import annotations

import contextlib
import datetime
import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.changes import Changes
from engine.results import draw_by, draw_input_of, snapshot_to_json
from errors import Refusal
from tests.api.program import Program, a_secret
from tests.builders import (
    a_club,
    a_played_night,
    code_of,
    matches_of,
    next_round,
    play_round,
    standings_after,
    win,
)
from tests.long import often
from tests.saved_states import saved_state
from tests.support.directors import Director
from tests.support.event_files import file_of
from tests.support.hall import Hall
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entries import add_entry
from tournaments.event_files.verifying import verify
from tournaments.events.services.lifecycle import end_event
from tournaments.history.services.undo import undo_action
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Prize, PublishedStandings, Round, Season, Standings
from tournaments.money.services.prizes import PrizeDetails, give_prize
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.queries.event_snapshot import event_snapshot
from tournaments.rounds.queries.rounds import rounds_of
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round
from tournaments.rounds.services.tables import adjust_table
from tournaments.seasons.queries import changes_of_season
from tournaments.seasons.services import close_season, open_season, refresh_seasons
from tournaments.standings.presenters import latest_snapshot, rounds_counted
from tournaments.standings.queries.validity import changes_since, final_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

DETAILS = PrizeDetails(name="1st prize")


def correct(event: Event, number: int = 1, table: int = 1) -> None:
    """The result of a table was the other way round."""
    adjust_table(event_id=event.pk, number=number, table=table, games=(0, 1), points=(6, 32))
    standings_after(event)


@saved_state
def a_counted_night(pairs: int = 8, **more: Any) -> Event:
    event = a_played_night(pairs, **more)
    standings_after(event)
    return event


def leader(event: Event) -> list[int]:
    (first,) = [row["entry"] for row in standings_after(event)][:1]
    return [person.pk for person in event.entries.get(number=first).players]


def draft_of(event: Event) -> Round:
    return event.rounds.get(number=draw_round(event_id=event.pk, seed=7).number)


def changes_of_final(event: Event) -> Changes | None:
    final = final_of(Event.objects.get(pk=event.pk))
    assert final is not None
    return changes_since(final)


class TestADraft:
    def test_names_the_corrected_table_and_its_new_pairings_at_the_desk(self) -> None:
        hall = Hall(4, draw_format="knockout")
        play_round(hall.event)
        draw_round(event_id=hall.event.pk, seed=7)
        correct(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        said = page.one("div", id="outdated").text
        assert "Round 1, table 1: result changed" in said
        assert "A new draw by the same lot gives:" in said

    @pytest.mark.parametrize("draw_format", ["swiss", "progressive"])
    def test_is_refused_while_somebody_present_is_not_drawn(self, draw_format: str) -> None:
        event = a_counted_night(6, draw_format=draw_format)
        draft = draft_of(event)
        add_entry(event_id=event.pk, players=["Rita Roy", "Luc Roy"])
        changes = changes_since(draft)
        assert changes is not None
        assert changes.left_out == (event.entries.latest("pk").number,)
        assert code_of(publish_round, event_id=event.pk, number=2) == "draft_outdated"
        publish_round(event_id=event.pk, number=2, as_drawn=True)

    def test_knows_who_has_asked_for_a_bye_since(self) -> None:
        event = a_counted_night(6, draw_format="swiss")
        draft = draft_of(event)
        change_attendance(event_id=event.pk, number=3, round_number=2, attendance="bye")
        assert code_of(publish_round, event_id=event.pk, number=2) == "draft_outdated"
        draw_round(event_id=event.pk, seed=7)
        assert changes_since(Round.objects.get(pk=draft.pk)) is None

    def test_of_a_bracket_is_published_though_points_were_corrected(self) -> None:
        event = a_counted_night(8, draw_format="knockout")
        draft_of(event)
        adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(33, 32))
        publish_round(event_id=event.pk, number=2)

    def test_is_explained_to_programs(self) -> None:
        hall = Hall(4, draw_format="knockout")
        play_round(hall.event)
        draw_round(event_id=hall.event.pk, seed=7)
        program, address = (
            Program(a_secret(hall.event.club, hall.owner)),
            f"events/{hall.event.short}/rounds/2",
        )
        assert program.get(address)["changes"] is None
        correct(hall.event)
        changes = program.get(address)["changes"]
        assert changes["tables"] == [{"round": 1, "table": 1}]
        assert len(changes["pairings"]) == 1


class TestQualifiers:
    def an_event(self) -> Hall:
        """A swiss round, then a final of four of eight that is played by the two best."""
        stages = [
            {"format": "swiss", "rounds": 1},
            {"format": "knockout", "takes": "top", "count": 2},
        ]
        hall = Hall(4, stages=stages)
        play_round(hall.event)
        next_round(hall.event)
        return hall

    def test_follow_from_the_results(self) -> None:
        hall = self.an_event()
        standings_after(hall.event)
        assert hall.event.standings.contradictions == []

    def test_are_told_at_the_desk_where_a_correction_brings_others(self) -> None:
        hall = self.an_event()
        before = {e for t in lineup_of(hall.event.rounds.get(number=2)).tables for e in (*t.a, *t.b)}
        correct(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "Qualified for round 2" in page.text
        (found,) = Standings.objects.get(event=hall.event).contradictions
        numbers = dict(hall.event.entries.values_list("number", "pk"))
        assert {numbers[number] for number in found["seated"]} < before
        play_round(hall.event, 2)
        standings_after(hall.event)
        assert "Qualified for round 2" in hall.desk.open(f"/e/{hall.event.short}/desk/publishing").text

    def test_are_noted_by_a_verification(self) -> None:
        hall = self.an_event()
        correct(hall.event)
        report = verify(file_of(hall.event))
        assert report.differences == []
        assert "qualified_otherwise" in {note.code for note in report.notes}

    def test_that_no_older_program_has_looked_for_are_no_error(self) -> None:
        hall = self.an_event()
        correct(hall.event)
        content = file_of(hall.event)
        content["standings"]["contradictions"] = []
        found = verify(content).differences
        assert [each for each in found if "contradictions" in str(each.details)] == []


class TestFinalStandings:
    def test_name_the_corrected_table_and_the_ranks_of_now(self) -> None:
        event = a_counted_night(4)
        publish_final(event_id=event.pk)
        assert changes_of_final(event) is None
        correct(event)
        changes = changes_of_final(event)
        assert changes is not None
        assert changes.tables == ((1, 1),)
        ranks = {row["entry"]: row["rank"] for row in standings_after(event)}
        assert changes.ranks
        assert all(move.after == ranks[move.entry] for move in changes.ranks)

    def test_are_valid_again_once_the_correction_is_undone(self) -> None:
        event = a_counted_night(4)
        publish_final(event_id=event.pk)
        correct(event)
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        standings_after(event)
        assert changes_of_final(event) is None

    def test_are_called_outdated_at_the_desk(self) -> None:
        hall = Hall(4)
        play_round(hall.event)
        standings_after(hall.event)
        publish_final(event_id=hall.event.pk)
        told = "Results changed since the final standings were published."
        assert told not in hall.desk.open(f"/e/{hall.event.short}/desk").text
        correct(hall.event)
        for page in ("desk", "desk/prizes"):
            assert told in hall.desk.open(f"/e/{hall.event.short}/{page}").text

    def test_tell_programs_that_they_are_outdated(self) -> None:
        hall = Hall(4)
        play_round(hall.event)
        standings_after(hall.event)
        publish_final(event_id=hall.event.pk)
        program, address = Program(), f"events/{hall.event.short}/standings"
        assert not program.get(address)["is_outdated"]
        correct(hall.event)
        assert program.get(address)["is_outdated"]


class TestAPrize:
    def test_of_the_leader_is_refused_once_another_one_leads(self) -> None:
        event = a_counted_night(4)
        winners = leader(event)
        correct(event)
        correct(event, table=2)
        call = {"event_id": event.pk, "details": DETAILS}
        assert code_of(give_prize, **call, winners=winners, rank=1) == "rank_changed"
        assert give_prize(**call, winners=leader(event), rank=1) is not None  # type: ignore[arg-type]

    def test_says_on_its_page_that_its_winners_have_another_rank(self) -> None:
        hall = Hall(4)
        play_round(hall.event)
        address = f"/e/{hall.event.short}/desk/prizes"
        standings_after(hall.event)
        page = hall.desk.open(address)
        page = hall.desk.send(
            page, next(form for form in page.every("form") if form.every("input", name="rank"))
        )
        prize = Prize.objects.get()
        assert prize.rank == 1
        assert changes_since(prize) is None
        assert "Results changed" not in page.text
        (table,) = [
            match.table
            for match in matches_of(hall.event)
            if prize.winner_1_id in match.players.values_list("person", flat=True)
        ]
        side_a_won = event_winner(hall.event, table.number)
        assert side_a_won
        correct(hall.event, table=table.number)
        said = hall.desk.open(address).one("div", id="outdated").text
        assert "given for rank 1, now rank" in said
        assert f"Round 1, table {table.number}: result changed" in said

    def test_for_something_else_is_valid_whatever_changes(self) -> None:
        event = a_counted_night(4)
        ham = give_prize(event_id=event.pk, winners=leader(event), details=PrizeDetails(name="Ham"))
        assert ham is not None
        assert ham.rank is None
        correct(event)
        correct(event, table=2)
        assert changes_since(ham) is None

    def test_keeps_the_rank_once_the_event_has_ended(self) -> None:
        event = a_counted_night(4)
        end_event(event_id=event.pk)
        prize = give_prize(event_id=event.pk, winners=leader(event), details=DETAILS)
        assert prize is not None
        assert prize.rank == 1


def event_winner(event: Event, table: int) -> bool:
    """Whether side A won there."""
    match = matches_of(event)[table - 1]
    return bool(match.summary["winner"] == "A")


class TestAClosedSeason:
    def a_season(self) -> tuple[Season, Event]:
        club = a_club()
        season = open_season(
            club=club,
            name="Autumn",
            starts=datetime.date(2026, 9, 1),
            ends=datetime.date(2026, 12, 31),
            ladders=[{"name": "General"}],
        )
        event = a_counted_night(4, club=club)
        refresh_seasons(club_id=club.pk)
        return close_season(season_id=season.pk), event

    def test_names_the_night_that_was_corrected_after(self) -> None:
        season, event = self.a_season()
        assert changes_of_season(season) is None
        correct(event)
        changes = changes_of_season(season)
        assert changes is not None
        assert changes.nights == (event.pk,)


class TestTheRoundThatStandingsAreAfter:
    def counted(self, event: Event) -> tuple[int, int | None]:
        return rounds_counted(event, latest_snapshot(event), list(rounds_of(event)))

    def test_is_one_that_was_closed_when_they_were_counted(self) -> None:
        event = a_counted_night(4)
        next_round(event)
        assert self.counted(event) == (1, 2)
        for match in matches_of(event, 2):
            win(match)
        standings_after(event)
        close_round(event_id=event.pk, number=2)
        assert self.counted(event) == (1, 2)
        standings_after(event)
        assert self.counted(event) == (2, None)

    def test_does_not_depend_on_whose_clock_was_first(self) -> None:
        """The round was closed in a transaction that began before they were counted, and ended after."""
        event = a_counted_night(4)
        next_round(event)
        for match in matches_of(event, 2):
            win(match)
        standings_after(event)
        close_round(event_id=event.pk, number=2)
        earlier = Standings.objects.get(event=event).computed_at - timedelta(seconds=1)
        event.rounds.filter(number=2).update(closed_at=earlier)
        assert self.counted(event) == (1, 2)

    def test_is_told_by_the_clock_of_standings_that_an_older_program_counted(self) -> None:
        event = a_counted_night(4)
        Standings.objects.update(rounds=None)
        assert self.counted(event) == (1, None)


DEEDS = (
    "correct",
    "withdraw",
    "be_away",
    "draw",
    "publish",
    "award",
    "final",
    "undo",
    "end_of_round",
    "adjust",
)


class Careful(Director):
    """One who also gives prizes and publishes final standings, and publishes a draft only if it is valid."""

    def draw(self) -> None:
        draw_round(event_id=self.event.pk, seed=self.chance.randrange(10_000))

    def publish(self) -> None:
        publish_round(event_id=self.event.pk, number=self.last.number)

    def award(self) -> None:
        give_prize(event_id=self.event.pk, winners=leader(self.event), details=DETAILS, rank=1)

    def final(self) -> None:
        publish_final(event_id=self.event.pk)


@settings(max_examples=often(4, long=200), suppress_health_check=list(HealthCheck), deadline=None)
@given(
    deeds=st.lists(st.sampled_from(DEEDS), min_size=4, max_size=14),
    seed=st.integers(0, 9_999),
    draw_format=st.sampled_from(["swiss", "knockout", "round_robin"]),
)
def test_nothing_is_called_valid_that_a_recomputation_would_change(
    deeds: list[str], seed: int, draw_format: str
) -> None:
    event = a_played_night(5, draw_format=draw_format)
    director = Careful(event, seed)
    for deed in deeds:
        with contextlib.suppress(Refusal):
            getattr(director, deed)()
        check_what_is_valid(Event.objects.get(pk=event.pk))


def check_what_is_valid(event: Event) -> None:
    rows = standings_after(event)
    for drawn in event.rounds.filter(state__in=(RoundState.DRAFT, RoundState.PUBLISHED)):
        if changes_since(drawn) is None:
            known = event_snapshot(event).until(drawn.number - 1)
            order = draw_input_of(known, seed=drawn.seed).entrants
            source = json.loads(json.dumps(snapshot_to_json(known, [each.id for each in order])))
            assert source["earlier"] == (drawn.drawn_from or {})["earlier"]
            again = draw_by(known, draw_input_of(known, seed=drawn.seed))
            assert seats(again) == seats(lineup_of(drawn))
    final = final_of(event)
    if final is not None and changes_since(final) is None:
        assert PublishedStandings.objects.get(pk=final.pk).rows == rows
    ranks = {row["entry"]: row["rank"] for row in rows}
    for prize in event.prizes.all():
        entry = event.entries.get(player_1=prize.winner_1)
        assert (changes_since(prize) is None) == (ranks.get(entry.number) == prize.rank)


def seats(drawn: Any) -> set[frozenset[int]]:
    return {frozenset((*table.a, *table.b)) for table in drawn.tables} | {
        frozenset((bye.entry,)) for bye in drawn.byes
    }
