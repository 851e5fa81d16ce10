"""Public pages of a night: no draft, no name in full, no code."""

import re
from gzip import compress

import pytest
from django.template.loader import render_to_string

from clubs.models import Person
from engine.visibility import Release
from rules import BAS_SAINT_LAURENT
from scoring.models import TableCard
from tests.builders import (
    TWO_GAMES,
    a_played_night,
    a_running_night,
    an_event,
    matches_of,
    next_round,
    play,
    play_round,
    standings_after,
    win,
)
from tests.saved_states import saved_state
from tests.support.browser import Browser, Page
from tournaments.models import Entry, Event
from tournaments.publishing.services.publishing import change_release
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db


def public(event: Event, **query: str) -> Page:
    return Page(Browser().client.get(f"/e/{event.short}", query, follow=True))


def whole_names(event: Event) -> list[str]:
    return [person.name for entry in Entry.objects.filter(event=event) for person in entry.players]


def test_the_page_of_a_table_says_why_its_result_is_not_there() -> None:
    running = a_running_night()
    change_release(event_id=running.pk, release=Release(silent_from=1))
    page = Browser().open(f"/e/{running.short}/rounds/1/tables/1")
    assert "Results of this round are hidden until the final standings." in page.text


@pytest.fixture
@saved_state
def event() -> Event:
    """Two rounds played, the third drawn and not published."""
    event = a_played_night(pairs=5)
    next_round(event)
    play_round(event, 2)
    standings_after(event)
    draw_round(event_id=event.pk)
    return event


@pytest.mark.slow
def test_never_shows_a_draft(event: Event) -> None:
    for query in ({}, {"round": "3"}):
        page = public(event, **query)
        assert "Round 3" not in page.text
        assert [one.text for one in page.every("h2", id="tables-title")] == ["Tables of round 2"]
        assert "rounds/3" not in page.html


def test_shows_no_draft_of_a_first_round_either() -> None:
    event = a_running_night()
    event.rounds.update(state="draft")
    assert "The first draw appears here." in public(event).text


@pytest.mark.slow
def test_shows_nobody_in_full_who_did_not_agree(event: Event) -> None:
    entry = Entry.objects.filter(event=event)[0]
    Person.objects.filter(pk=entry.player_1.pk).update(shows_full_name=True)
    for query in ({}, {"round": "1"}):
        html = public(event, **query).html
        assert entry.player_1.name in html
        assert [name for name in whole_names(event) if name in html] == [entry.player_1.name]
        assert entry.player_2 is not None
        assert f"{entry.player_2.name.partition(' ')[0]}\u00a0" in html


@pytest.mark.slow
def test_shows_no_code_and_no_way_to_the_desk(event: Event) -> None:
    html = public(event).html
    assert [card.code for card in TableCard.objects.all() if card.code in html] == []
    assert "/t/" not in html
    assert "/desk" not in html
    assert "/match/" not in html


@pytest.mark.slow
def test_shows_the_standings_in_their_order_with_equal_ranks(event: Event) -> None:
    rows = [row.text.split() for row in public(event).every("summary") if "line" in row.attrs.get("id", "")]
    assert len(rows) == 5
    assert [int(row[0]) for row in rows] == sorted(int(row[0]) for row in rows)


@pytest.mark.slow
def test_leads_to_why_a_pair_has_its_rank(event: Event) -> None:
    page = public(event)
    (first, *_) = page.one("div", class_="standings").one("ol").every("details")
    assert "Why rank" in Browser().open(first.one("a").attrs["href"]).text


@pytest.mark.slow
def test_leads_to_the_standings_by_themselves(event: Event) -> None:
    page = Browser().open(public(event).link("Full standings"))
    assert len(list(page.one("div", class_="standings").one("ol").every("details"))) == 5


@pytest.mark.slow
def test_says_after_or_during_which_round_the_standings_are(event: Event) -> None:
    def title() -> str:
        return public(event).one("h2", id="standings-title").text

    assert title() == "Standings after round 2"
    next_round(event)
    assert title() == "Standings during round 3"
    play_round(event, 3)
    assert title() == "Standings during round 3", "closed, and not counted yet"
    standings_after(event)
    assert title() == "Standings after round 3"


@pytest.mark.slow
@pytest.mark.snapshot
def test_of_a_large_evening_shows_the_first_places_and_leads_to_all() -> None:
    event = a_running_night(pairs=44)
    win(matches_of(event)[0])
    standings_after(event)
    page = public(event)
    assert len(list(page.one("div", class_="standings").one("ol").every("details"))) == 40
    every = Browser().open(page.link("See all 44 entries"))
    assert len(list(every.one("div", class_="standings").one("ol").every("details"))) == 44


@pytest.mark.slow
@pytest.mark.snapshot
def test_shows_the_bracket_of_an_evening_that_has_one() -> None:
    event = a_played_night(pairs=4, draw_format="knockout")
    standings_after(event)
    page = public(event)
    assert len(page.every("section", class_="bracket")) == 1
    assert len(page.every("p", class_="winner")) == 2


@pytest.mark.slow
@pytest.mark.snapshot
def test_leads_to_who_met_whom_where_that_is_all_there_is_to_draw() -> None:
    event = a_running_night(pairs=4, draw_format="swiss")
    standings_after(event)
    page = public(event)
    assert page.every("table", class_="cross") == []
    assert len(Browser().open(page.link("Matchups")).every("table", class_="cross")) == 1


@pytest.mark.long("forty pairs; tests/tournaments/sharing/test_shared_links.py weighs twenty")
def test_of_forty_pairs_is_light() -> None:
    event = a_played_night(pairs=40, draw_format="round_robin")
    standings_after(event)
    # with its style, and a link for each of forty scores
    assert len(compress(public(event).html.encode())) < 22_000


@pytest.mark.slow
def test_shows_every_round_that_was_published(event: Event) -> None:
    page = public(event, round="1")
    assert page.path == f"/e/{event.short}/rounds/1"
    assert page.one("h1").text == "Round 1"
    assert [one.text for one in page.one("nav").every("a")] == ["Round 1", "Round 2"]
    assert page.one("a", **{"aria-current": "page"}).text == "Round 1"
    assert "Bye: " in page.text


@pytest.mark.slow
def test_shows_games_and_running_points_where_a_match_has_several_games() -> None:
    event = a_running_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES)
    play(matches_of(event)[0], "A charlemagne made", "B 6 made")
    rows = [one.text for one in public(event).every("ol", class_="pairings")]
    assert "0 (1)" in rows[0]
    assert "6 (0)" in rows[0]


def test_of_an_evening_in_preparation_says_that_nothing_is_there_yet() -> None:
    page = public(an_event())
    assert page.status == 200
    assert "No result yet" in page.text
    assert "The first draw appears here." in page.text


def test_of_an_evening_that_there_is_not_is_a_friendly_404() -> None:
    page = Browser().open("/e/nothing")
    assert page.status == 404
    assert "Page not found" in page.text
    assert page.link("Go to home page") == "/"


@pytest.mark.slow
def test_leads_to_the_rules_of_the_evening(event: Event) -> None:
    page = Browser().open(public(event).link("Canadian rules, games to 32"))
    assert page.status == 200
    assert "Gros Charlemagne" in page.one("table").text


def test_says_once_how_several_sit_out() -> None:
    kinds = {"A and B": "waits", "C and D": "waits", "Ann and Bob": "walkover", "Rita and Léo": "bye"}
    byes = [{"names": names, "kind": kind} for names, kind in kinds.items()]
    said = render_to_string("tournaments/public/byes.html", {"round": {"byes": byes}})
    assert [" ".join(line.split()) for line in re.findall(r"<p>(.*?)</p>", said, re.DOTALL)] == [
        "Waiting for the next match: A and B · C and D",
        "Advances by walkover: Ann and Bob",
        "Bye: Rita and Léo",
    ]
