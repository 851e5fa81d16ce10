"""Validity of draws, prizes and final standings after a correction: the reasons and new values, wherever shown."""

from __future__ import annotations

import contextlib
import datetime
import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clubs.models import Family, Person
from clubs.services.people import find_or_add_people
from engine.changes import Changes
from engine.results import build_draw_input, draw_next_round, snapshot_to_json
from errors import Refusal
from tests.api.program import Program, create_secret
from tests.builders import (
    build_club,
    build_played_night,
    compute_standings,
    get_refusal_code,
    matches_of,
    play_round,
    start_next_round,
    win,
)
from tests.long_runs import choose_count
from tests.saved_states import saved_state
from tests.support.directors import Director
from tests.support.event_files import export_event
from tests.support.hall import Hall
from tournaments.entries.services.check_in import change_attendance
from tournaments.entries.services.entries import add_entry
from tournaments.entries.services.merging import merge_people
from tournaments.event_files.verifying import verify_event_file
from tournaments.events.services.lifecycle import end_event
from tournaments.history.services.undo import undo_action
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Prize, PublishedStandings, Round, Season, Standings
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category
from tournaments.money.services.prizes import PrizeDetails, give_prize
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.rounds.queries.rounds import get_published_rounds, lineup_of
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round
from tournaments.rounds.services.tables import adjust_table
from tournaments.seasons.queries import find_season_changes
from tournaments.seasons.services import close_season, open_season, refresh_seasons
from tournaments.standings.presenters import get_counted_rounds, get_latest_snapshot
from tournaments.standings.queries.validity import find_changes, get_final_standings

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

DETAILS = PrizeDetails(name="1st prize")


def correct(event: Event, number: int = 1, table: int = 1) -> None:
    """Reverse the result of a table."""
    adjust_table(event_id=event.pk, number=number, table=table, games=(0, 1), points=(6, 32))
    compute_standings(event)


@saved_state
def build_counted_night(pairs: int = 8, **more: Any) -> Event:
    event = build_played_night(pairs, **more)
    compute_standings(event)
    return event


def get_leader(event: Event) -> list[int]:
    (first,) = [row["entry"] for row in compute_standings(event)][:1]
    return [person.pk for person in event.entries.get(number=first).players]


def draw_next(event: Event) -> Round:
    return event.rounds.get(number=draw_round(event_id=event.pk, seed=7).number)


def get_final_changes(event: Event) -> Changes | None:
    final = get_final_standings(Event.objects.get(pk=event.pk))
    assert final is not None
    return find_changes(final)


class TestDraft:
    def test_desk_names_the_corrected_table_and_new_pairings(self) -> None:
        hall = Hall(4, draw_format="knockout")
        play_round(hall.event)
        draw_round(event_id=hall.event.pk, seed=7)
        correct(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        notice = page.find_one("div", id="outdated").text
        assert "Round 1, table 1: result changed" in notice
        assert "A new draw with the same number gives:" in notice

    @pytest.mark.long
    @pytest.mark.parametrize("draw_format", ["swiss", "progressive"])
    def test_draft_is_refused_while_a_present_entry_is_undrawn(self, draw_format: str) -> None:
        event = build_counted_night(6, draw_format=draw_format)
        draft = draw_next(event)
        add_entry(event_id=event.pk, players=["Rita Roy", "Luc Roy"])
        changes = find_changes(draft)
        assert changes is not None
        assert changes.left_out == (event.entries.latest("pk").number,)
        assert get_refusal_code(publish_round, event_id=event.pk, number=2) == "draft_outdated"
        publish_round(event_id=event.pk, number=2, as_drawn=True)

    def test_draft_is_outdated_once_merged_people_are_of_one_family(self) -> None:
        event = build_counted_night(6, draw_format="swiss")
        family = Family.objects.create(club=event.club, name="Roy")
        first, second = (event.entries.get(number=number).player_1 for number in (1, 2))
        (double,) = find_or_add_people(club=event.club, full_names=["Luce Roy"])
        Person.objects.filter(pk__in=(second.pk, double.pk)).update(family=family)
        draft = draw_next(event)
        assert find_changes(draft) is None
        merge_people(club_id=event.club_id, target_id=first.pk, source_id=double.pk)
        assert find_changes(draft) is not None

    @pytest.mark.long
    def test_draft_is_outdated_by_a_requested_bye(self) -> None:
        event = build_counted_night(6, draw_format="swiss")
        draft = draw_next(event)
        change_attendance(event_id=event.pk, number=3, round_number=2, attendance="bye")
        assert get_refusal_code(publish_round, event_id=event.pk, number=2) == "draft_outdated"
        draw_round(event_id=event.pk, seed=7)
        assert find_changes(Round.objects.get(pk=draft.pk)) is None

    def test_bracket_draft_ignores_corrected_points(self) -> None:
        event = build_counted_night(8, draw_format="knockout")
        draw_next(event)
        adjust_table(event_id=event.pk, number=1, table=1, games=(1, 0), points=(33, 32))
        publish_round(event_id=event.pk, number=2)

    @pytest.mark.long
    def test_api_explains_an_outdated_draft(self) -> None:
        hall = Hall(4, draw_format="knockout")
        play_round(hall.event)
        draw_round(event_id=hall.event.pk, seed=7)
        program, address = (
            Program(create_secret(hall.event.club, hall.owner)),
            f"events/{hall.event.short}/rounds/2",
        )
        assert program.get(address)["changes"] is None
        correct(hall.event)
        changes = program.get(address)["changes"]
        assert changes["tables"] == [{"round": 1, "table": 1}]
        assert len(changes["pairings"]) == 1


class TestQualifiers:
    def build_event_with_final(self) -> Hall:
        """Build a Swiss round, then a published final of the two best of four."""
        stages = [
            {"format": "swiss", "rounds": 1},
            {"format": "knockout", "takes": "top", "count": 2},
        ]
        hall = Hall(4, stages=stages)
        play_round(hall.event)
        start_next_round(hall.event)
        return hall

    @pytest.mark.long
    def test_qualifiers_follow_from_the_results(self) -> None:
        hall = self.build_event_with_final()
        compute_standings(hall.event)
        assert hall.event.standings.contradictions == []

    def test_desk_reports_qualifiers_changed_by_a_correction(self) -> None:
        hall = self.build_event_with_final()
        before = {e for t in lineup_of(hall.event.rounds.get(number=2)).tables for e in (*t.a, *t.b)}
        correct(hall.event)
        page = hall.desk.open(f"/e/{hall.event.short}/desk")
        assert "Qualified for round 2" in page.text
        (found,) = Standings.objects.get(event=hall.event).contradictions
        numbers = dict(hall.event.entries.values_list("number", "pk"))
        assert {numbers[number] for number in found["seated"]} < before
        play_round(hall.event, 2)
        compute_standings(hall.event)
        assert "Qualified for round 2" in hall.desk.open(f"/e/{hall.event.short}/desk/publishing").text

    @pytest.mark.long
    def test_verification_notes_changed_qualifiers(self) -> None:
        hall = self.build_event_with_final()
        correct(hall.event)
        report = verify_event_file(export_event(hall.event))
        assert report.differences == []
        assert "qualified_otherwise" in {note.code for note in report.notes}

    @pytest.mark.long
    def test_missing_contradictions_of_an_older_file_are_no_error(self) -> None:
        hall = self.build_event_with_final()
        correct(hall.event)
        content = export_event(hall.event)
        content["standings"]["contradictions"] = []
        found = verify_event_file(content).differences
        assert [each for each in found if "contradictions" in str(each.details)] == []


class TestFinalStandings:
    @pytest.mark.long
    def test_outdated_standings_name_tables_and_new_ranks(self) -> None:
        event = build_counted_night(4)
        publish_final(event_id=event.pk)
        assert get_final_changes(event) is None
        correct(event)
        changes = get_final_changes(event)
        assert changes is not None
        assert changes.tables == ((1, 1),)
        ranks = {row["entry"]: row["rank"] for row in compute_standings(event)}
        assert changes.ranks
        assert all(move.after == ranks[move.entry] for move in changes.ranks)

    @pytest.mark.long
    def test_undone_correction_makes_final_standings_valid(self) -> None:
        event = build_counted_night(4)
        publish_final(event_id=event.pk)
        correct(event)
        undo_action(event_id=event.pk, action_id=event.actions.latest("pk").pk)
        compute_standings(event)
        assert get_final_changes(event) is None

    def test_desk_marks_outdated_final_standings(self) -> None:
        hall = Hall(4)
        play_round(hall.event)
        compute_standings(hall.event)
        publish_final(event_id=hall.event.pk)
        warning = "Results changed since the final standings were published."
        assert warning not in hall.desk.open(f"/e/{hall.event.short}/desk").text
        correct(hall.event)
        for page in ("desk", "desk/prizes"):
            assert warning in hall.desk.open(f"/e/{hall.event.short}/{page}").text

    def test_api_marks_outdated_final_standings(self) -> None:
        hall = Hall(4)
        play_round(hall.event)
        compute_standings(hall.event)
        publish_final(event_id=hall.event.pk)
        program, address = Program(), f"events/{hall.event.short}/standings"
        assert not program.get(address)["is_outdated"]
        correct(hall.event)
        assert program.get(address)["is_outdated"]


class TestPrize:
    def test_prize_for_a_rank_is_refused_after_a_rank_change(self) -> None:
        event = build_counted_night(4)
        winners = get_leader(event)
        correct(event)
        correct(event, table=2)
        call = {"event_id": event.pk, "details": DETAILS}
        assert get_refusal_code(give_prize, **call, winners=winners, rank=1) == "rank_changed"
        assert give_prize(**call, winners=get_leader(event), rank=1) is not None  # type: ignore[arg-type]

    def test_prize_page_shows_the_changed_rank_of_winners(self) -> None:
        hall = Hall(4)
        play_round(hall.event)
        address = f"/e/{hall.event.short}/desk/prizes"
        compute_standings(hall.event)
        page = hall.desk.open(address)
        page = hall.desk.send(page, next(form for form in page.find_all("form") if form.find_all("input", name="rank")))
        prize = Prize.objects.get()
        assert prize.rank == 1
        assert find_changes(prize) is None
        assert "Results changed" not in page.text
        (table,) = [
            match.table
            for match in matches_of(hall.event)
            if prize.winner_1_id in match.players.values_list("person", flat=True)
        ]
        side_a_won = has_side_a_won(hall.event, table.number)
        assert side_a_won
        correct(hall.event, table=table.number)
        notice = hall.desk.open(address).find_one("div", id="outdated").text
        assert "given for rank 1, now rank" in notice
        assert f"Round 1, table {table.number}: result changed" in notice

    def test_treasurer_sees_prizes_that_no_longer_follow_from_the_results(self) -> None:
        hall = Hall(4)
        play_round(hall.event)
        compute_standings(hall.event)
        details = CategoryDetails(name="Main prize", amounts=(3000,))
        add_prize_category(event_id=hall.event.pk, details=details)
        publish_final(event_id=hall.event.pk)
        winners = get_leader(hall.event)
        give_prize(event_id=hall.event.pk, details=replace(DETAILS, amount=2000), winners=winners, rank=1)
        address = f"/e/{hall.event.short}/desk/fees/treasurer"
        assert "Results changed" not in hall.desk.open(address).text
        for table in (1, 2):
            correct(hall.event, table=table)
        page = hall.desk.open(address)
        assert "given for rank 1, now rank" in page.find_one("div", id="outdated").text
        assert "Prizes by category still follow the published standings." in page.text

    @pytest.mark.long
    def test_people_who_entered_again_win_by_the_entry_that_plays(self) -> None:
        event = build_counted_night(4)
        winners = get_leader(event)
        withdrawn = event.entries.get(number=1)
        assert withdrawn.player_1_id not in winners
        withdrawn.leaves_after, withdrawn.player_1_id, withdrawn.player_2_id = 1, *winners
        withdrawn.save()
        assert give_prize(event_id=event.pk, details=DETAILS, winners=winners, rank=1) is not None

    @pytest.mark.long
    def test_prize_without_a_rank_stays_valid(self) -> None:
        event = build_counted_night(4)
        ham = give_prize(event_id=event.pk, winners=get_leader(event), details=PrizeDetails(name="Ham"))
        assert ham is not None
        assert ham.rank is None
        correct(event)
        correct(event, table=2)
        assert find_changes(ham) is None

    def test_prize_after_the_event_keeps_its_rank(self) -> None:
        event = build_counted_night(4)
        end_event(event_id=event.pk)
        prize = give_prize(event_id=event.pk, winners=get_leader(event), details=DETAILS)
        assert prize is not None
        assert prize.rank == 1


def has_side_a_won(event: Event, table: int) -> bool:
    match = matches_of(event)[table - 1]
    return bool(match.summary["winner"] == "A")


class TestClosedSeason:
    def build_closed_season(self) -> tuple[Season, Event]:
        club = build_club()
        season = open_season(
            club=club,
            name="Autumn",
            starts=datetime.date(2026, 9, 1),
            ends=datetime.date(2026, 12, 31),
            ladders=[{"name": "General"}],
        )
        event = build_counted_night(4, club=club)
        refresh_seasons(club_id=club.pk)
        return close_season(season_id=season.pk), event

    @pytest.mark.long
    def test_closed_season_names_the_corrected_night(self) -> None:
        season, event = self.build_closed_season()
        assert find_season_changes(season) is None
        correct(event)
        changes = find_season_changes(season)
        assert changes is not None
        assert changes.nights == (event.pk,)


class TestCountedRound:
    def get_counted_rounds(self, event: Event) -> tuple[int, int | None]:
        return get_counted_rounds(event, get_latest_snapshot(event), list(get_published_rounds(event)))

    @pytest.mark.long
    def test_counted_round_was_closed_at_computation(self) -> None:
        event = build_counted_night(4)
        start_next_round(event)
        assert self.get_counted_rounds(event) == (1, 2)
        for match in matches_of(event, 2):
            win(match)
        compute_standings(event)
        close_round(event_id=event.pk, number=2)
        assert self.get_counted_rounds(event) == (1, 2)
        compute_standings(event)
        assert self.get_counted_rounds(event) == (2, None)

    @pytest.mark.long
    def test_counted_round_does_not_depend_on_transaction_order(self) -> None:
        """The round's closing transaction began before the standings were computed, and committed after."""
        event = build_counted_night(4)
        start_next_round(event)
        for match in matches_of(event, 2):
            win(match)
        compute_standings(event)
        close_round(event_id=event.pk, number=2)
        earlier = Standings.objects.get(event=event).computed_at - timedelta(seconds=1)
        event.rounds.filter(number=2).update(closed_at=earlier)
        assert self.get_counted_rounds(event) == (1, 2)

    def test_counted_round_of_old_standings_follows_the_clock(self) -> None:
        event = build_counted_night(4)
        Standings.objects.update(rounds=None)
        assert self.get_counted_rounds(event) == (1, None)


DIRECTOR_ACTIONS = (
    "correct",
    "withdraw",
    "change_attendance_of_entry",
    "draw",
    "publish",
    "award",
    "final",
    "undo",
    "advance_round",
    "adjust",
)


class Careful(Director):
    """A director who also gives prizes and publishes final standings, and publishes only valid drafts."""

    def draw(self) -> None:
        draw_round(event_id=self.event.pk, seed=self.chance.randrange(10_000))

    def publish(self) -> None:
        publish_round(event_id=self.event.pk, number=self.last_round.number)

    def award(self) -> None:
        give_prize(event_id=self.event.pk, winners=get_leader(self.event), details=DETAILS, rank=1)

    def final(self) -> None:
        publish_final(event_id=self.event.pk)


@pytest.mark.long
@settings(max_examples=choose_count(4, long=200), suppress_health_check=list(HealthCheck), deadline=None)
@given(
    changes=st.lists(st.sampled_from(DIRECTOR_ACTIONS), min_size=4, max_size=14),
    seed=st.integers(0, 9_999),
    draw_format=st.sampled_from(["swiss", "knockout", "round_robin"]),
)
def test_valid_results_never_change_on_recomputation(changes: list[str], seed: int, draw_format: str) -> None:
    event = build_played_night(5, draw_format=draw_format)
    director = Careful(event, seed)
    for change in changes:
        with contextlib.suppress(Refusal):
            getattr(director, change)()
        check_validity(Event.objects.get(pk=event.pk))


def check_validity(event: Event) -> None:
    rows = compute_standings(event)
    for drawn in event.rounds.filter(state__in=(RoundState.DRAFT, RoundState.PUBLISHED)):
        if find_changes(drawn) is None:
            snapshot = read_event_snapshot(event).truncate(drawn.number - 1)
            order = build_draw_input(snapshot, seed=drawn.seed).entrants
            source = json.loads(json.dumps(snapshot_to_json(snapshot, [each.id for each in order])))
            if event.plan[0].format != "round_robin":  # a schedule does not depend on results
                assert source["earlier"] == (drawn.drawn_from or {})["earlier"]
            again = draw_next_round(snapshot, build_draw_input(snapshot, seed=drawn.seed))
            assert list_seats(again) == list_seats(lineup_of(drawn))
    final = get_final_standings(event)
    if final is not None and find_changes(final) is None:
        assert PublishedStandings.objects.get(pk=final.pk).rows == rows
    ranks = {row["entry"]: row["rank"] for row in rows}
    for prize in event.prizes.all():
        entry = event.entries.get(player_1=prize.winner_1)
        assert (find_changes(prize) is None) == (ranks.get(entry.number) == prize.rank)


def list_seats(drawn: Any) -> set[frozenset[int]]:
    return {frozenset((*table.a, *table.b)) for table in drawn.tables} | {frozenset((bye.entry,)) for bye in drawn.byes}
