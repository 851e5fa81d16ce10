"""The end of an event, as its players leave it: how they did, what to send, and what is next."""

from datetime import time, timedelta

import pytest

from clubs.calendar import today_in
from clubs.services import NightDetails, add_recurring_night
from engine.visibility import USUAL, RanksRelease, Release, Results
from tests.builders import a_played_night, standings_after
from tests.saved_states import saved_state
from tests.support.browser import Browser, Page
from tests.tournaments.public.test_own_pages import at_table, own_address, page_of, sections, short
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release, publish_final

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@saved_state
def a_night_that_ended(release: Release = USUAL) -> Event:
    event = a_played_night()
    standings_after(event)
    change_release(event_id=event.pk, release=release)
    end_event(event_id=event.pk)
    return event


def end_of(page: Page) -> str:
    return page.one("section", class_="ended").text


class TestWhoIsKnown:
    def test_reads_rank_figures_and_thanks_and_can_send_the_picture(self) -> None:
        event = a_night_that_ended()
        page = page_of(event, at_table(event))
        said = end_of(page)
        assert said.startswith("It is over. Thank you for playing. Rank 1 of 4")
        assert "Matches won 1 of 1" in said
        assert "Points 32–6" in said
        assert "Hands played 2" in said
        assert "Best contract Gros Charlemagne" in said
        assert "Rank 1" not in sections(page)["standing"]
        assert page.link("Send my result picture") == f"{own_address(event)}/picture.png"

    def test_reads_no_rank_and_no_figure_that_is_kept_back(self) -> None:
        event = a_night_that_ended(Release(ranked=RanksRelease.FINAL, results=Results.NOTHING))
        said = end_of(page_of(event, at_table(event)))
        assert "Thank you for playing." in said
        assert "Rank" not in said
        assert "32" not in said

    def test_reads_what_is_next_on_the_clubs_agenda(self) -> None:
        event = a_night_that_ended()
        day = today_in(event.club) + timedelta(days=7)
        details = NightDetails(name="Tuesday night", pattern="weekly", first_on=day, starts_at=time(19))
        add_recurring_night(club_id=event.club.pk, details=details)
        assert "Next time: Tuesday night" in end_of(page_of(event, at_table(event)))


class TestWhoIsNotKnown:
    def test_reads_the_first_ranks_and_may_say_who_they_are(self) -> None:
        event = a_night_that_ended()
        page = Browser().open(own_address(event))
        said = end_of(page)
        assert short(at_table(event)) in said
        assert "Most points in a match 32" in said
        assert page.every("form", role="search")

    def test_reads_no_rank_before_the_final_standings_are_published_and_then_all(self) -> None:
        event = a_night_that_ended(Release(ranked=RanksRelease.FINAL))
        said = end_of(Browser().open(own_address(event)))
        assert "Standings will be published when final." in said
        assert short(at_table(event)) not in said
        publish_final(event_id=event.pk)
        assert short(at_table(event)) in end_of(Browser().open(own_address(event)))
