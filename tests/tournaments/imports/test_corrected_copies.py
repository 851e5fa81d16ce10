"""Importing a corrected copy of an event that the club already has: differences, changes and undo."""

from itertools import permutations

import pytest
from django.utils.translation import override
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.services.undo import undo_club_action
from jobs.models import Job
from rules import Side
from scoring.models import TableCard
from tests.builders import build_club, build_played_night, get_refusal, get_refusal_code, start_next_round
from tests.long_runs import choose_count
from tests.support.directors import Director
from tests.support.event_files import build_tournament, export_event, serialize_without_place
from tests.tournaments.seasons.test_seasons import build_season
from tournaments.entries.services.entry_actions import adjust_entry
from tournaments.event_files.comparison import list_differences, list_moved_entries
from tournaments.event_files.schema import EVENT, RELEASE, SETTINGS, Content
from tournaments.event_files.writer import compute_part_digests
from tournaments.imports.queries.events import find_event_of_file, get_matched_ids, match_people
from tournaments.imports.services.event_import import bring_in_event
from tournaments.models import Event, Fee, Prize, SharedNight
from tournaments.rounds.services.tables import forfeit_table
from tournaments.seasons.services import close_season, count_nights
from web.names import fold_name
from wording.labels.comparisons import COMPARED_FIELDS, describe_comparison

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def build_other_club_night() -> Event:
    return build_played_night(club=build_club("Club de Matane"))


def describe_differences(here: Content, there: Content) -> list[str]:
    return [describe_comparison(each) for each in list_differences(here, there)]


def replace_with_copy(event: Event, content: Content) -> Event:
    matched_ids = get_matched_ids(match_people(event.club, content["people"], copy_of=event))
    return bring_in_event(club=event.club, content=content, matched_ids=matched_ids, event_to_replace=event)


def reload_event(event: Event) -> Event:
    return Event.objects.select_related("club", "terms").get(pk=event.pk)


@pytest.mark.long
class TestCopyDifferences:
    def test_identical_copy_has_no_differences(self) -> None:
        content = export_event(build_other_club_night())
        copy = bring_in_event(club=build_club(), content=content)
        assert list_differences(export_event(copy), content) == []
        assert list_moved_entries(export_event(copy), content) == []

    def test_differences_describe_settings_entries_rounds_and_results(self) -> None:
        event = build_other_club_night()
        here = export_event(event)
        Event.objects.filter(pk=event.pk).update(name="Soirée du mercredi", held_on="2026-11-18")
        someone = event.entries.get(number=2).player_1
        Person.objects.filter(pk=someone.pk).update(name="Zoé Zed", folded_name="zoe zed")
        event.entries.filter(number=3).update(team="Rimouski")
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        adjust_entry(event_id=event.pk, number=1, metric="points_for", amount=-5, by=Actor(reason="Late"))
        start_next_round(reload_event(event))
        table = here["rounds"][0]["tables"][0]
        seats = f"{table['a'][0]} – {table['b'][0]}"
        partner = event.entries.get(number=2).player_2
        assert describe_differences(here, export_event(reload_event(event))) == [
            "Day: November 17, 2026 here, November 18, 2026 in the file.",
            "Name: Soirée du mardi here, Soirée du mercredi in the file.",
            f"Entry 2: {someone.name} and {partner} here, Zoé Zed and {partner} in the file.",
            "Entry 3: Plays for: none here, Rimouski in the file.",
            "Entry 1: Points for −5 (Late): only in the file.",
            f"Round 1, table 1: {seats}: 1–0 (32–6) here, forfeit, won by side B in the file.",
            "Round 2: only in the file.",
        ]

    def test_entry_in_one_copy_only_is_named(self) -> None:
        smaller, larger = export_event(build_tournament(4)), export_event(build_tournament(5))
        names = " and ".join(larger["people"][8:10])
        assert f"Entry 5: {names}: only in the file." in describe_differences(smaller, larger)
        assert f"Entry 5: {names}: only here." in describe_differences(larger, smaller)

    def test_moved_entries_show_old_and_new_ranks(self) -> None:
        event = build_other_club_night()
        here = export_event(event)
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        there = export_event(reload_event(event))
        now = {row["entry"]: row["rank"] for row in there["standings"]["rows"]}
        moved = list_moved_entries(here, there)
        assert moved
        assert {each.after for each in moved} <= set(now.values())
        assert all(each.before != each.after and len(each.names) == 2 for each in moved)

    def test_every_exported_field_has_a_label(self) -> None:
        several = {f"rates.{name}" for name in ("member", "guest")} | {f"release.{name}" for name in RELEASE.parts}
        fields = (EVENT.keys() | SETTINGS.keys()) - {"rates"} | several
        assert {name for name in fields if COMPARED_FIELDS["event"].get(name) is None} == set()
        entry = build_tournament(4).entries.all()[0]
        of_entries = export_event(entry.event)["entries"][0].keys() - {"number", "players"}
        assert {name for name in of_entries if COMPARED_FIELDS["entry"].get(name) is None} == set()


IGNORED_PARTS = {"place", "standings", "people"}


@hypothesis_settings(max_examples=choose_count(2, long=60), suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
@pytest.mark.postgresql("bulk updates with CASE")
def test_every_director_action_is_described_in_both_languages(seed: int) -> None:
    director = Director(build_tournament(5, stages=[{"format": "swiss"}]), seed)
    files = [export_event(director.event)]
    for _ in range(2):
        director.perform(5)
        files.append(export_event(reload_event(director.event)))
    for here, there in permutations(files, 2):
        is_same = get_part_digests(here) == get_part_digests(there)
        for language in ("en", "fr"):
            with override(language):
                assert is_same == (describe_differences(here, there) == [])


def get_part_digests(content: Content) -> dict[str, str]:
    return {name: each for name, each in compute_part_digests(content).items() if name not in IGNORED_PARTS}


@pytest.mark.postgresql("savepoints")
class TestReplacedEvent:
    def build_corrected_copy(self) -> tuple[Event, Content]:
        """Build an event imported from another club, and that club's file after a correction."""
        original = build_other_club_night()
        event = bring_in_event(club=build_club(), content=export_event(original))
        forfeit_table(event_id=original.pk, number=1, table=1, winner=Side.B)
        return event, export_event(reload_event(original))

    @pytest.mark.long
    def test_copy_is_matched_to_its_event(self) -> None:
        event, content = self.build_corrected_copy()
        assert find_event_of_file(event.club, content) == event
        Event.objects.filter(pk=event.pk).update(name="Other", held_on="2026-01-01")
        assert find_event_of_file(event.club, content) == event
        assert find_event_of_file(build_club(), content) is None
        assert find_event_of_file(event.club, export_event(build_other_club_night())) is None

    @pytest.mark.long
    def test_replacement_matches_the_file_at_the_same_address(self) -> None:
        event, content = self.build_corrected_copy()
        people = event.club.people.count()
        copy = replace_with_copy(event, content)
        assert serialize_without_place(export_event(copy)) == serialize_without_place(content)
        assert reload_event(copy).short == event.short
        assert reload_event(event).is_put_away
        assert not reload_event(copy).is_put_away
        assert event.club.people.count() == people
        assert set(TableCard.objects.filter(topic=copy.topic).values_list("public_page", flat=True)) == {
            f"/e/{event.short}"
        }

    @pytest.mark.long
    def test_replacement_keeps_the_original_players_despite_namesakes(self) -> None:
        event, content = self.build_corrected_copy()
        player = event.entries.get(number=1).player_1
        Person.objects.create(club=event.club, name=player.name, folded_name=fold_name(player.name))
        copy = replace_with_copy(event, content)
        assert copy.entries.get(number=1).player_1 == player

    def test_replacement_takes_over_seasons_fees_and_prizes(self) -> None:
        event, content = self.build_corrected_copy()
        season = build_season(event.club, is_shared=True)
        left_out = build_season(event.club)
        count_nights(season_id=left_out.pk, left_out=[event.pk])
        shared = SharedNight.objects.create(season=season, event=event)
        player = event.entries.get(number=1).player_1
        fee = Fee.objects.create(event=event, person=player, paid=500)
        prize = Prize.objects.create(event=event, name="First", winner_1=player)
        copy = replace_with_copy(event, content)
        for row in (shared, fee, prize):
            row.refresh_from_db()
            assert row.event_id == copy.pk
        left_out.refresh_from_db()
        assert left_out.left_out == [event.pk, copy.pk]

    @pytest.mark.long
    def test_replacement_recalculates_seasons_and_ratings(self) -> None:
        event, content = self.build_corrected_copy()
        Job.objects.all().delete()
        replace_with_copy(event, content)
        kinds = set(Job.objects.values_list("kind", flat=True))
        assert {"refresh_seasons", "refresh_ratings", "refresh_standings"} <= kinds

    @pytest.mark.long
    def test_replacement_is_undone_and_redone_in_the_club_history(self) -> None:
        event, content = self.build_corrected_copy()
        aside = "soiree-du-mardi-3"
        copy = replace_with_copy(event, content)
        action = event.club.actions.get(kind="take_over_event")
        undone = undo_club_action(club_id=event.club_id, action_id=action.pk)
        assert self.list_places(event, copy) == [(event.short, False), (aside, True)]
        undo_club_action(club_id=event.club_id, action_id=undone.pk)
        assert self.list_places(copy, event) == [(event.short, False), (f"{event.short}-1", True)]

    def list_places(self, *events: Event) -> list[tuple[str, bool]]:
        return [(reload_event(event).short, reload_event(event).is_put_away) for event in events]

    def test_replacement_resent_after_an_undo_is_not_duplicated(self) -> None:
        event, content = self.build_corrected_copy()
        copy = replace_with_copy(event, content)
        undo_club_action(club_id=event.club_id, action_id=event.club.actions.latest("pk").pk)
        events = Event.objects.count()
        assert replace_with_copy(event, content) == copy
        assert Event.objects.count() == events
        assert (reload_event(copy).short, reload_event(event).is_put_away) == (event.short, True)

    @pytest.mark.long
    def test_replacement_during_a_round_is_refused(self) -> None:
        event, content = self.build_corrected_copy()
        start_next_round(event)
        events = Event.objects.count()
        refusal = get_refusal(replace_with_copy, event, content)
        assert (refusal.code, refusal.details) == ("round_not_closed", {"round": 2})
        assert Event.objects.count() == events

    def test_event_of_a_closed_season_cannot_be_replaced(self) -> None:
        event, content = self.build_corrected_copy()
        close_season(season_id=build_season(event.club).pk)
        assert get_refusal_code(replace_with_copy, event, content) == "counts_in_closed_season"

    @pytest.mark.long
    def test_last_moment_refusal_rolls_back_the_replacement(self) -> None:
        event, content = self.build_corrected_copy()
        before = Event.objects.count(), Person.objects.count()

        def close_a_season_beside(done: int, of: int) -> None:
            if done == of - 1:
                close_season(season_id=build_season(event.club).pk)

        refusal = get_refusal(
            bring_in_event,
            club=event.club,
            content=content,
            event_to_replace=event,
            progress=close_a_season_beside,
        )
        assert refusal.code == "counts_in_closed_season"
        assert (Event.objects.count(), Person.objects.count()) == before
        assert not reload_event(event).is_put_away


@pytest.mark.long
def test_own_event_corrected_elsewhere_is_replaced() -> None:
    event = build_other_club_night()
    club: Club = event.club
    elsewhere = bring_in_event(club=build_club(), content=export_event(event))
    forfeit_table(event_id=elsewhere.pk, number=1, table=1, winner=Side.B)
    content = export_event(reload_event(elsewhere))
    there = find_event_of_file(club, content)
    assert there == event
    copy = replace_with_copy(event, content)
    assert reload_event(copy).short == event.short
    assert set(copy.entries.values_list("player_1", flat=True)) == set(event.entries.values_list("player_1", flat=True))
