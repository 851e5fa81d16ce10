"""The own page after an event: results, the card to share, and the next events."""

from datetime import time, timedelta

import pytest

from clubs.calendar import get_club_today
from clubs.services.calendar import NightDetails, add_recurring_night
from engine.visibility import USUAL, RanksRelease, Release, Results
from tests.builders import build_played_night, compute_standings
from tests.saved_states import saved_state
from tests.support.browser import Browser, Page
from tests.tournaments.public.test_own_pages import (
    find_person_at_table,
    get_own_path,
    get_sections,
    get_short_name,
    open_own_page,
)
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event
from tournaments.publishing.services.publishing import change_release, publish_final

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@saved_state
def build_ended_night(release: Release = USUAL) -> Event:
    event = build_played_night()
    compute_standings(event)
    change_release(event_id=event.pk, release=release)
    end_event(event_id=event.pk)
    return event


def end_of(page: Page) -> str:
    return page.find_one("section", class_="event-end").text


class TestKnownPlayer:
    @pytest.mark.long
    def test_known_player_sees_rank_figures_and_picture(self) -> None:
        event = build_ended_night()
        page = open_own_page(event, find_person_at_table(event))
        end_text = end_of(page)
        assert end_text.startswith("It is over. Thank you for playing. Rank 1 of 4")
        assert "Matches won 1 of 1" in end_text
        assert "Points 32–6" in end_text
        assert "Hands played 2" in end_text
        assert "Best contract Gros Charlemagne" in end_text
        assert "Rank 1" not in get_sections(page)["standing"]
        assert page.find_link("Send my result picture") == f"{get_own_path(event)}/picture.png"

    def test_known_player_sees_no_hidden_rank_or_figure(self) -> None:
        event = build_ended_night(Release(ranked=RanksRelease.FINAL, results=Results.NOTHING))
        end_text = end_of(open_own_page(event, find_person_at_table(event)))
        assert "Thank you for playing." in end_text
        assert "Rank" not in end_text
        assert "32" not in end_text

    def test_end_page_announces_the_next_night(self) -> None:
        event = build_ended_night()
        day = get_club_today(event.club) + timedelta(days=7)
        details = NightDetails(name="Tuesday night", pattern="weekly", first_on=day, starts_at=time(19))
        add_recurring_night(club_id=event.club.pk, details=details)
        assert "Next time: Tuesday night" in end_of(open_own_page(event, find_person_at_table(event)))


class TestUnknownVisitor:
    def test_unknown_visitor_sees_top_ranks_and_search(self) -> None:
        event = build_ended_night()
        page = Browser().open(get_own_path(event))
        end_text = end_of(page)
        assert get_short_name(find_person_at_table(event)) in end_text
        assert "Most points in a match 32" in end_text
        assert page.find_all("form", role="search")

    @pytest.mark.long
    def test_unknown_visitor_sees_ranks_only_once_final(self) -> None:
        event = build_ended_night(Release(ranked=RanksRelease.FINAL))
        end_text = end_of(Browser().open(get_own_path(event)))
        assert "Standings will be published when final." in end_text
        assert get_short_name(find_person_at_table(event)) not in end_text
        publish_final(event_id=event.pk)
        assert get_short_name(find_person_at_table(event)) in end_of(Browser().open(get_own_path(event)))

    @pytest.mark.parametrize("is_known", [False, True])
    def test_hidden_rounds_leave_no_ranks_that_look_final(self, is_known: bool) -> None:
        event = build_ended_night(Release(silent_from=1))
        page = open_own_page(event, find_person_at_table(event)) if is_known else Browser().open(get_own_path(event))
        assert "Results from round 1 on are hidden until the final standings." in page.text
        end_text = end_of(page)
        assert "Rank" not in end_text
        assert "Most points" not in end_text
        assert "Points" not in end_text
        assert "picture" not in end_text
