"""The desk's page of texts: what they are made of, and that nothing is in them that nobody may see."""

import re
from datetime import time

import pytest

from clubs.models import Person
from scoring.models import AT_DESK, Mark, Match
from tests.builders import mark, matches_of, next_round, play, play_round, standings_after, win
from tests.every_page.test_every_page import a_night
from tests.saved_states import saved_state
from tests.support.browser import Browser
from tests.support.hall import Hall
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.rounds import close_round
from tournaments.sharing.presenters.press import press_report
from tournaments.sharing.press import PressReport

pytestmark = pytest.mark.django_db


def told(hall: Hall) -> PressReport:
    return press_report(Event.objects.select_related("club", "terms", "night").get(pk=hall.event.pk))


def texts(hall: Hall) -> list[str]:
    page = hall.desk.open(f"/e/{hall.event.short}/desk/telling")
    assert page.status == 200
    return [one.value for one in page.every("textarea")]


@saved_state
def a_night_with_a_charlemagne() -> Hall:
    """Of one round, at whose first table a Charlemagne was made."""
    hall = Hall()
    first, *others = matches_of(hall.event)
    mark(first, "A charlemagne made")
    for match in others:
        win(match)
    if not Match.objects.get(pk=first.pk).is_over:
        win(first)
    close_round(event_id=hall.event.pk, number=1)
    standings_after(hall.event)
    end_event(event_id=hall.event.pk)
    return hall


class TestWhatIsTold:
    def test_is_who_took_part_and_who_came_first(self) -> None:
        hall = a_night("ended")
        found = told(hall)
        assert (found.people, found.pairs, found.is_over) == (10, 5, True)
        (podium,) = found.podiums
        assert podium.metric == "match_wins"
        assert podium.placed[0].rank == 1
        assert podium.placed[0].figure == 2

    def test_is_each_section_by_itself(self) -> None:
        hall = a_night("ended")
        Event.objects.update(sections=[{"name": "A", "first_table": None, "last_table": None}])
        hall.event.entries.filter(number__lte=2).update(section="A")
        sections = [podium.section for podium in told(hall).podiums]
        assert sections == ["A"]

    def test_names_the_tiebreak_where_the_first_two_won_as_much(self) -> None:
        hall = Hall(pairs=4)
        first, second = matches_of(hall.event)
        win(first)
        play(second, "A gros_charlemagne made")
        close_round(event_id=hall.event.pk, number=1)
        rows = standings_after(hall.event)
        end_event(event_id=hall.event.pk)
        assert rows[0]["match_wins"] == rows[1]["match_wins"]
        assert told(hall).podiums[0].decided_by == rows[1]["decided_by"] != "match_wins"

    def test_is_the_highest_score_and_whose(self) -> None:
        hall = a_night_with_a_charlemagne()
        high = told(hall).high
        assert high is not None
        best = max(max(match.summary["points"]) for match in matches_of(hall.event))
        assert high.points == best

    def test_is_the_charlemagne_its_round_and_the_hour_by_the_clock_of_the_club(self) -> None:
        hall = a_night_with_a_charlemagne()
        made = told(hall).charlemagnes[0]
        assert (made.contract, made.round, len(made.who)) == ("charlemagne", 1, 2)
        assert isinstance(made.at, time)

    def test_is_no_hour_of_what_was_typed_from_a_sheet(self) -> None:
        hall = a_night_with_a_charlemagne()
        Mark.objects.update(device=f"{AT_DESK}Owner")
        assert {made.at for made in told(hall).charlemagnes} == {None}

    def test_is_the_next_night_of_the_calendar(self) -> None:
        hall = a_night("ended")
        assert told(hall).next is None
        assert hall.recurring_night
        found = told(hall).next
        assert found is not None
        assert found.day > hall.event.held_on

    def test_leads_while_it_goes_on_and_wins_once_it_has_ended(self) -> None:
        hall = Hall()
        play_round(hall.event)
        standings_after(hall.event)
        assert not told(hall).is_over
        end_event(event_id=hall.event.pk)
        assert told(hall).is_over

    def test_is_nobody_before_the_first_round_is_closed(self) -> None:
        assert told(Hall()).podiums == ()


class TestWhatIsNotTold:
    @pytest.mark.snapshot
    def test_is_anything_of_an_event_that_is_not_public(self) -> None:
        hall = a_night("ended")
        Event.objects.update(is_public=False)
        assert texts(hall) == []
        assert told(hall) == PressReport(
            club=hall.event.club.name, event=hall.event.name, days=hall.event.days
        )

    @pytest.mark.parametrize(
        "release",
        [{"shows_standings": "never"}, {"shows_standings": "final"}],
        ids=["never", "only once final"],
    )
    def test_is_who_won_where_the_standings_are_not_released(self, release: dict[str, str]) -> None:
        hall = a_night_with_a_charlemagne()
        Event.objects.update(**release)
        assert told(hall).podiums == ()

    @pytest.mark.slow
    def test_is_who_won_in_the_rounds_that_are_silent(self) -> None:
        hall = Hall()
        Event.objects.update(silent_from=2)
        play_round(hall.event)
        standings_after(hall.event)
        before = told(hall)
        next_round(hall.event)
        mark(matches_of(hall.event, 2)[0], "B charlemagne made")
        for match in matches_of(hall.event, 2):
            win(match, "B")
        close_round(event_id=hall.event.pk, number=2)
        standings_after(hall.event)
        end_event(event_id=hall.event.pk)
        silent = told(hall)
        assert (silent.podiums, silent.high, silent.charlemagnes) == (
            before.podiums,
            before.high,
            before.charlemagnes,
        )
        assert not silent.is_over
        publish_final(event_id=hall.event.pk)
        final = told(hall)
        assert final.is_over
        assert {made.round for made in final.charlemagnes} == {1, 2}

    @pytest.mark.slow
    def test_is_a_score_where_results_are_kept_back(self) -> None:
        hall = a_night_with_a_charlemagne()
        Event.objects.update(shows_results="nothing")
        assert (told(hall).high, told(hall).charlemagnes) == (None, ())
        Event.objects.update(shows_results="totals")
        assert told(hall).high is not None
        assert told(hall).charlemagnes == ()

    @pytest.mark.slow
    def test_is_a_full_name_that_its_bearer_did_not_agree_to(self) -> None:
        hall = a_night_with_a_charlemagne()
        for text in texts(hall):
            assert not [name for name in Person.objects.values_list("name", flat=True) if name in text]

    @pytest.mark.slow
    def test_is_any_name_where_the_event_releases_numbers_only(self) -> None:
        hall = a_night_with_a_charlemagne()
        Event.objects.update(shows_names="numbers")
        for text in texts(hall):
            firsts = {name.split()[0] for name in Person.objects.values_list("name", flat=True)}
            assert not [name for name in firsts if name in text]
            assert re.search(r"(Player|Joueur\w*) [0-9]", text)

    @pytest.mark.slow
    def test_is_a_feat_of_who_wants_to_be_in_no_records(self) -> None:
        hall = a_night_with_a_charlemagne()
        Person.objects.update(is_rated=False)
        assert (told(hall).high, told(hall).charlemagnes) == (None, ())
        assert told(hall).podiums


class TestThePage:
    def test_has_both_texts_in_both_languages_with_the_link_in_each(self) -> None:
        hall = a_night("ended")
        english, short_english, french, short_french = texts(hall)
        assert "took part in" in english
        assert "pris part" in french
        assert short_english.endswith(f"http://testserver/en/e/{hall.event.short}")
        assert short_french.endswith(f"http://testserver/fr/e/{hall.event.short}")

    def test_can_be_reached_from_the_desk_once_it_has_ended_and_from_publishing(self) -> None:
        hall = a_night("ended")
        for page in ("desk", "desk/publishing"):
            links = [
                one.attrs.get("href") for one in hall.desk.open(f"/e/{hall.event.short}/{page}").every("a")
            ]
            assert f"/e/{hall.event.short}/desk/telling" in links

    @pytest.mark.snapshot
    def test_says_that_it_is_not_over_or_that_something_is_kept_back(self) -> None:
        playing = Hall()
        page = playing.desk.open(f"/e/{playing.event.short}/desk/telling")
        assert "the texts give the current standings" in page.text
        Event.objects.update(shows_standings="final")
        page = playing.desk.open(f"/e/{playing.event.short}/desk/telling")
        assert "the texts leave out unpublished results" in page.text

    def test_is_for_nobody_but_who_directs(self) -> None:
        hall = a_night("ended")
        assert Browser().open(f"/e/{hall.event.short}/desk/telling").path.startswith("/sign-in")
