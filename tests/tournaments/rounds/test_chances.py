"""Chances of winning beside the totals: on the live page, a table, the board and a player's page."""

from typing import Any

import pytest
from django.utils.translation import override

from clubs.models import Club
from engine.visibility import Release, Results
from rules import CANADIAN, MAINE, Ruleset
from scoring.services.cache_check import complete_summaries
from tests.builders import build_running_night, matches_of, play
from tests.support.browser import Browser, Page
from tests.support.event_files import assert_round_trip, export_event
from tests.support.hall import Hall
from tests.tournaments.public.test_own_pages import find_person_at_table, open_own_page
from tournaments.models import Event, Tally
from tournaments.models.events import release_columns
from tournaments.public.presenters.match_picture import build_match_picture
from tournaments.public.presenters.tables import build_table_page
from tournaments.rounds.chances import get_own_counts
from tournaments.rounds.labels import percent
from tournaments.rounds.presenters.rounds import build_round_view
from tournaments.rounds.services.clock import begin_round

pytestmark = pytest.mark.django_db

NOTE = "Chances of winning, if both sides are equally strong."
SOURCE = "From simulated hands."


@pytest.fixture
def hall() -> Hall:
    hall = Hall()
    begin_round(event_id=hall.event.pk, number=1)
    play(hall.match, "A 7 made")
    return hall


def open_pages(hall: Hall) -> dict[str, Page]:
    address = f"/en/e/{hall.event.short}"
    return {
        "event": Browser().open(address),
        "round": Browser().open(f"{address}/rounds/1"),
        "table": Browser().open(f"{address}/rounds/1/tables/1"),
        "board": Browser().open(f"/e/{hall.event.short}/board"),
        "own": open_own_page(hall.event, find_person_at_table(hall.event)),
    }


def list_bars(page: Page) -> list[str]:
    return [each.text for name in ("li", "p") for each in page.find_all(name, class_="chances")]


@pytest.mark.long
def test_chances_are_shown_beside_totals_with_a_note(hall: Hall) -> None:
    for name, page in open_pages(hall).items():
        assert list_bars(page) == ["Chances of winning: blue side 61% orange side 39%"], name
        assert NOTE in page.text, name
        assert (SOURCE in page.text) is (name != "board"), name


def add_tally(hands: int, **event_columns: object) -> Club:
    """Return a club that has counted so many hands of its earlier night, all of 5 made."""
    earlier = build_running_night()
    Event.objects.filter(pk=earlier.pk).update(**event_columns)
    match = matches_of(earlier)[0]
    bids = [["A", None, "5", hands, hands, 0, 0]]
    Tally.objects.create(match=match, revision=match.revision, bids=bids)
    return earlier.club


@pytest.mark.slow
@pytest.mark.parametrize(
    ("club_hands", "ruleset", "counted"),
    [
        ({"hands": 500}, CANADIAN, {"5": [500, 0]}),
        ({"hands": 499}, CANADIAN, None),
        ({"hands": 500}, MAINE, None),
        ({"hands": 500, "is_public": False}, CANADIAN, None),
    ],
    ids=["enough hands", "too few", "another ruleset", "a private night"],
)
def test_an_event_counts_the_clubs_own_hands_when_it_starts(
    club_hands: dict[str, Any], ruleset: Ruleset, counted: dict[str, list[int]] | None
) -> None:
    event = build_running_night(club=add_tally(**club_hands), ruleset=ruleset)
    assert event.hand_counts == counted
    assert assert_round_trip(export_event(event)).hand_counts == counted


def test_chances_come_from_the_clubs_own_hands_and_say_so(hall: Hall) -> None:
    Event.objects.update(hand_counts={"5": [600, 640]})
    for name, page in open_pages(hall).items():
        assert list_bars(page) == ["Chances of winning: blue side 73% orange side 27%"], name
        assert ("From 1240 hands of this club." in page.text) is (name != "board"), name
    event = Event.objects.get()
    assert get_own_counts(event, MAINE) is None


@pytest.mark.slow
def test_chances_are_hidden_with_the_totals(hall: Hall) -> None:
    type(hall.event).objects.update(**release_columns(Release(silent_from=1)))
    for name, page in open_pages(hall).items():
        assert not list_bars(page), name
        assert NOTE not in page.text, name


@pytest.mark.long
def test_totals_without_hands_have_chances(hall: Hall) -> None:
    type(hall.event).objects.update(**release_columns(Release(results=Results.TOTALS)))
    assert all(len(list_bars(page)) == 1 for page in open_pages(hall).values())


@pytest.mark.long
def test_table_screen_shows_no_chances(hall: Hall) -> None:
    for page in (hall.add_phone().open(hall.table), hall.desk.open(hall.desk_match)):
        assert 'class="chances"' not in page.html
        assert "Chances" not in page.text


def test_finished_match_has_no_chances(hall: Hall) -> None:
    play(hall.match, "A gros_charlemagne made")
    assert not list_bars(Browser().open(f"/en/e/{hall.event.short}"))


def test_older_summaries_get_dealer_and_deals(hall: Hall) -> None:
    match = hall.match
    whole = dict(match.summary)
    match.summary = {name: value for name, value in whole.items() if name not in ("dealer", "deals")}
    match.save()
    drawn = hall.event.rounds.get()
    assert not build_round_view(drawn, is_public=True).has_chances
    complete_summaries()
    assert hall.match.summary == whole
    assert build_round_view(drawn, is_public=True).has_chances


def test_percentage_format_follows_the_language() -> None:
    with override("fr"):
        assert percent(62) == "62\N{NO-BREAK SPACE}%"
    with override("en"):
        assert percent(62) == "62%"


def get_picture_path(hall: Hall) -> str:
    return f"/en/e/{hall.event.short}/rounds/1/tables/1/picture.png"


@pytest.mark.long
def test_match_picture_shows_curve_and_turning_hand(hall: Hall) -> None:
    play(hall.match, "B gros_mulot made", "A gros_charlemagne made")
    page = Browser().open(f"/en/e/{hall.event.short}/rounds/1/tables/1")
    assert page.find_link("Save the match chart") == get_picture_path(hall)
    assert "Turning point: hand 3" in page.text
    answer = Browser().client.get(get_picture_path(hall))
    assert answer["Content-Type"] == "image/png"
    event = type(hall.event).objects.select_related("club", "terms").get()
    shown = build_table_page(event, event.rounds.get(), 1)
    assert shown is not None
    drawn = build_match_picture(event, shown)
    assert drawn is not None
    assert drawn.curve == (49, 61, 9, 100)
    assert [line.text for line in drawn.foot] == ["hand 3 · Gros Charlemagne made"]


@pytest.mark.slow
@pytest.mark.parametrize("release", [Release(silent_from=1), Release(results=Results.TOTALS)])
def test_match_curve_requires_released_hands(hall: Hall, release: Release) -> None:
    type(hall.event).objects.update(**release_columns(release))
    assert Browser().client.get(get_picture_path(hall)).status_code == 404
    assert "Save the curve" not in Browser().open(get_picture_path(hall).removesuffix("/picture.png")).text
