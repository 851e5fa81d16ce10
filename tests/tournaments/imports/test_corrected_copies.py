"""A corrected copy of an event that is here: what it says otherwise, taken over, and undone."""

from itertools import permutations

import pytest
from django.utils.translation import override
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from clubs.audit.log import Actor
from clubs.models import Club, Person
from clubs.services import undo_club_action
from jobs.models import Job
from rules import Side
from scoring.models import TableCard
from tests.builders import a_club, a_played_night, code_of, next_round, refusal_of
from tests.long import often
from tests.support.directors import Director
from tests.support.event_files import a_tournament, but_for_the_place, file_of
from tests.tournaments.seasons.test_seasons import a_season
from tournaments.entries.services.entry_actions import adjust_entry
from tournaments.event_files import Content, differences_of, digests_of, moved_entries
from tournaments.event_files.form import EVENT, RELEASE, SETTINGS
from tournaments.imports.queries.events import file_there_already, people_in_file, those_there
from tournaments.imports.services.event_import import bring_in_event
from tournaments.models import Event, Fee, Prize, SharedNight
from tournaments.rounds.services.tables import forfeit_table
from tournaments.seasons.services import close_season, count_nights
from web.names import fold_name
from wording.labels.comparisons import COMPARED, describe_comparison

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def a_night_elsewhere() -> Event:
    return a_played_night(club=a_club("Club de Matane"))


def told(here: Content, there: Content) -> list[str]:
    return [describe_comparison(each) for each in differences_of(here, there)]


def taken_over(event: Event, content: Content) -> Event:
    known = those_there(people_in_file(event.club, content["people"], copy_of=event))
    return bring_in_event(club=event.club, content=content, known=known, instead_of=event)


def again(event: Event) -> Event:
    return Event.objects.select_related("club", "terms").get(pk=event.pk)


class TestWhatACopySays:
    def test_is_nothing_where_it_is_the_same(self) -> None:
        content = file_of(a_night_elsewhere())
        copy = bring_in_event(club=a_club(), content=content)
        assert differences_of(file_of(copy), content) == []
        assert moved_entries(file_of(copy), content) == []

    def test_is_told_in_words_settings_entries_rounds_and_results(self) -> None:
        event = a_night_elsewhere()
        here = file_of(event)
        Event.objects.filter(pk=event.pk).update(name="Soirée du mercredi", held_on="2026-11-18")
        someone = event.entries.get(number=2).player_1
        Person.objects.filter(pk=someone.pk).update(name="Zoé Zed", folded_name="zoe zed")
        event.entries.filter(number=3).update(team="Rimouski")
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        adjust_entry(event_id=event.pk, number=1, metric="points_for", amount=-5, by=Actor(reason="Late"))
        next_round(again(event))
        table = here["rounds"][0]["tables"][0]
        seats = f"{table['a'][0]} – {table['b'][0]}"
        partner = event.entries.get(number=2).player_2
        assert told(here, file_of(again(event))) == [
            "Day: November 17, 2026 here, November 18, 2026 in the file.",
            "Name: Soirée du mardi here, Soirée du mercredi in the file.",
            f"Entry 2: {someone.name} and {partner} here, Zoé Zed and {partner} in the file.",
            "Entry 3: Plays for: none here, Rimouski in the file.",
            "Entry 1: Points for −5 (Late): only in the file.",
            f"Round 1, table 1: {seats}: 1–0 (32–6) here, forfeit, won by side B in the file.",
            "Round 2: only in the file.",
        ]

    def test_names_an_entry_that_is_there_or_here_only(self) -> None:
        smaller, larger = file_of(a_tournament(4)), file_of(a_tournament(5))
        names = " and ".join(larger["people"][8:10])
        assert f"Entry 5: {names}: only in the file." in told(smaller, larger)
        assert f"Entry 5: {names}: only here." in told(larger, smaller)

    def test_moves_ranks(self) -> None:
        event = a_night_elsewhere()
        here = file_of(event)
        forfeit_table(event_id=event.pk, number=1, table=1, winner=Side.B)
        there = file_of(again(event))
        now = {row["entry"]: row["rank"] for row in there["standings"]["rows"]}
        moved = moved_entries(here, there)
        assert moved
        assert {each.after for each in moved} <= set(now.values())
        assert all(each.before != each.after and len(each.names) == 2 for each in moved)

    def test_has_a_word_for_every_field_that_it_may_say(self) -> None:
        several = {f"rates.{name}" for name in ("member", "guest")} | {
            f"release.{name}" for name in RELEASE.parts
        }
        fields = (EVENT.keys() | SETTINGS.keys()) - {"rates"} | several
        assert {name for name in fields if COMPARED["event"].get(name) is None} == set()
        entry = a_tournament(4).entries.all()[0]
        of_entries = file_of(entry.event)["entries"][0].keys() - {"number", "players"}
        assert {name for name in of_entries if COMPARED["entry"].get(name) is None} == set()


NOT_COMPARED = {"place", "standings", "people"}


@hypothesis_settings(max_examples=often(2, long=60), suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 2**32))
@pytest.mark.postgresql("many rows get values of their own at once")
def test_whatever_a_director_does_is_told_in_both_languages(seed: int) -> None:
    director = Director(a_tournament(5, stages=[{"format": "swiss"}]), seed)
    files = [file_of(director.event)]
    for _ in range(2):
        director.work(5)
        files.append(file_of(again(director.event)))
    for here, there in permutations(files, 2):
        is_same = parts_of(here) == parts_of(there)
        for language in ("en", "fr"):
            with override(language):
                assert is_same == (told(here, there) == [])


def parts_of(content: Content) -> dict[str, str]:
    return {name: each for name, each in digests_of(content).items() if name not in NOT_COMPARED}


@pytest.mark.postgresql("what was written is taken back to a savepoint")
class TestTakenOver:
    def corrected(self) -> tuple[Event, Content]:
        """An event of a club that came from another one, where it was corrected since."""
        original = a_night_elsewhere()
        event = bring_in_event(club=a_club(), content=file_of(original))
        forfeit_table(event_id=original.pk, number=1, table=1, winner=Side.B)
        return event, file_of(again(original))

    def test_the_copy_is_known_as_one_of_the_event(self) -> None:
        event, content = self.corrected()
        assert file_there_already(event.club, content) == event
        Event.objects.filter(pk=event.pk).update(name="Other", held_on="2026-01-01")
        assert file_there_already(event.club, content) == event
        assert file_there_already(a_club(), content) is None
        assert file_there_already(event.club, file_of(a_night_elsewhere())) is None

    def test_it_says_what_the_file_says_at_the_same_address(self) -> None:
        event, content = self.corrected()
        people = event.club.people.count()
        copy = taken_over(event, content)
        assert but_for_the_place(file_of(copy)) == but_for_the_place(content)
        assert again(copy).short == event.short
        assert again(event).is_put_away
        assert not again(copy).is_put_away
        assert event.club.people.count() == people
        assert set(TableCard.objects.filter(topic=copy.topic).values_list("public_page", flat=True)) == {
            f"/e/{event.short}"
        }

    def test_namesakes_of_the_club_are_those_who_played(self) -> None:
        event, content = self.corrected()
        player = event.entries.get(number=1).player_1
        Person.objects.create(club=event.club, name=player.name, folded_name=fold_name(player.name))
        copy = taken_over(event, content)
        assert copy.entries.get(number=1).player_1 == player

    def test_what_is_in_no_file_goes_with_it(self) -> None:
        event, content = self.corrected()
        season = a_season(event.club, is_shared=True)
        left_out = a_season(event.club)
        count_nights(season_id=left_out.pk, left_out=[event.pk])
        shared = SharedNight.objects.create(season=season, event=event)
        player = event.entries.get(number=1).player_1
        fee = Fee.objects.create(event=event, person=player, paid=500)
        prize = Prize.objects.create(event=event, name="First", winner_1=player)
        copy = taken_over(event, content)
        for row in (shared, fee, prize):
            row.refresh_from_db()
            assert row.event_id == copy.pk
        left_out.refresh_from_db()
        assert left_out.left_out == [event.pk, copy.pk]

    def test_the_seasons_and_the_ratings_are_added_up_again(self) -> None:
        event, content = self.corrected()
        Job.objects.all().delete()
        taken_over(event, content)
        kinds = set(Job.objects.values_list("kind", flat=True))
        assert {"refresh_seasons", "refresh_ratings", "refresh_standings"} <= kinds

    def test_it_is_undone_and_put_back_in_the_history_of_the_club(self) -> None:
        event, content = self.corrected()
        aside = "soiree-du-mardi-3"
        copy = taken_over(event, content)
        action = event.club.actions.get(kind="take_over_event")
        undone = undo_club_action(club_id=event.club_id, action_id=action.pk)
        assert self.places(event, copy) == [(event.short, False), (aside, True)]
        undo_club_action(club_id=event.club_id, action_id=undone.pk)
        assert self.places(copy, event) == [(event.short, False), (f"{event.short}-1", True)]

    def places(self, *events: Event) -> list[tuple[str, bool]]:
        return [(again(event).short, again(event).is_put_away) for event in events]

    def test_sent_again_after_an_undo_it_is_there_again_and_not_twice(self) -> None:
        event, content = self.corrected()
        copy = taken_over(event, content)
        undo_club_action(club_id=event.club_id, action_id=event.club.actions.latest("pk").pk)
        events = Event.objects.count()
        assert taken_over(event, content) == copy
        assert Event.objects.count() == events
        assert (again(copy).short, again(event).is_put_away) == (event.short, True)

    def test_while_tables_play_it_is_refused_and_nothing_is_written(self) -> None:
        event, content = self.corrected()
        next_round(event)
        events = Event.objects.count()
        refusal = refusal_of(taken_over, event, content)
        assert (refusal.code, refusal.details) == ("round_not_closed", {"round": 2})
        assert Event.objects.count() == events

    def test_of_an_event_in_a_closed_season_it_is_refused(self) -> None:
        event, content = self.corrected()
        close_season(season_id=a_season(event.club).pk)
        assert code_of(taken_over, event, content) == "counts_in_closed_season"

    def test_what_is_refused_in_the_last_moment_is_taken_back(self) -> None:
        event, content = self.corrected()
        before = Event.objects.count(), Person.objects.count()

        def close_a_season_beside(done: int, of: int) -> None:
            if done == of - 1:
                close_season(season_id=a_season(event.club).pk)

        refusal = refusal_of(
            bring_in_event,
            club=event.club,
            content=content,
            instead_of=event,
            progress=close_a_season_beside,
        )
        assert refusal.code == "counts_in_closed_season"
        assert (Event.objects.count(), Person.objects.count()) == before
        assert not again(event).is_put_away


def test_an_event_of_this_club_corrected_elsewhere_is_taken_over_too() -> None:
    event = a_night_elsewhere()
    club: Club = event.club
    elsewhere = bring_in_event(club=a_club(), content=file_of(event))
    forfeit_table(event_id=elsewhere.pk, number=1, table=1, winner=Side.B)
    content = file_of(again(elsewhere))
    there = file_there_already(club, content)
    assert there == event
    copy = taken_over(event, content)
    assert again(copy).short == event.short
    assert set(copy.entries.values_list("player_1", flat=True)) == set(
        event.entries.values_list("player_1", flat=True)
    )
