"""Public pages of a night show no draft, no full name and no table code."""

import re
from gzip import compress

import pytest
from django.template.loader import render_to_string

from clubs.models import Person
from engine.phases import PhaseSettings
from engine.visibility import Release
from rules import BAS_SAINT_LAURENT, MAINE
from scoring.models import TableCard
from tests.builders import (
    TWO_GAMES,
    build_event,
    build_played_night,
    build_running_night,
    compute_standings,
    matches_of,
    play,
    play_round,
    start_next_round,
    win,
)
from tests.saved_states import saved_state
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tournaments.events.services.settings import change_phase
from tournaments.models import Entry, Event
from tournaments.publishing.services.publishing import change_release
from tournaments.rounds.services.rounds import draw_round

pytestmark = pytest.mark.django_db


def open_public_page(event: Event, **query: str) -> Page:
    return Page(Browser().client.get(f"/e/{event.short}", query, follow=True))


def list_full_names(event: Event) -> list[str]:
    return [person.name for entry in Entry.objects.filter(event=event) for person in entry.players]


def test_table_page_explains_hidden_results() -> None:
    running = build_running_night()
    change_release(event_id=running.pk, release=Release(silent_from=1))
    page = Browser().open(f"/e/{running.short}/rounds/1/tables/1")
    assert "Results of this round are hidden until the final standings." in page.text


@pytest.mark.slow
def test_pages_say_that_a_charlemagne_decided_a_match_whose_points_do_not_tell_the_winner() -> None:
    hall = Hall(ruleset=MAINE)
    play(hall.match, "B 6 made", "A charlemagne made")
    event_page = f"/e/{hall.event.short}"
    for path in (event_page, f"{event_page}/rounds/1/tables/1", f"{event_page}/embed", f"{event_page}/desk/rounds/1"):
        assert "Decided by a Charlemagne" in hall.desk.open(path).text, path
    assert "Charlemagne" in [one.text for one in hall.desk.open(f"{event_page}/desk").find_all("small")]
    for path in (event_page, f"{event_page}/desk/rounds/1"):
        first, second = hall.desk.client.get(f"{path}.json").json()["rows"]
        assert (first["decided_by"], second["decided_by"]) == ("charlemagne", None), path
        assert "Charlemagne" in hall.desk.client.get(f"{path}.csv").content.decode(), path


@pytest.fixture
@saved_state
def event() -> Event:
    """A night with two rounds played and the third drawn but not published."""
    event = build_played_night(pairs=5)
    start_next_round(event)
    play_round(event, 2)
    compute_standings(event)
    draw_round(event_id=event.pk)
    return event


@pytest.mark.long
def test_event_page_never_shows_a_draft(event: Event) -> None:
    for query in ({}, {"round": "3"}):
        page = open_public_page(event, **query)
        assert "Round 3" not in page.text
        assert [one.text for one in page.find_all("h2", id="tables-title")] == ["Tables of round 2"]
        assert "rounds/3" not in page.html


def test_event_page_hides_a_draft_of_round_one() -> None:
    event = build_running_night()
    event.rounds.update(state="draft")
    assert "The first draw appears here." in open_public_page(event).text


@pytest.mark.long
def test_full_names_are_shown_only_with_consent(event: Event) -> None:
    entry = Entry.objects.filter(event=event)[0]
    Person.objects.filter(pk=entry.player_1.pk).update(shows_full_name=True)
    for query in ({}, {"round": "1"}):
        html = open_public_page(event, **query).html
        assert entry.player_1.name in html
        assert [name for name in list_full_names(event) if name in html] == [entry.player_1.name]
        assert entry.player_2 is not None
        assert f"{entry.player_2.name.partition(' ')[0]}\u00a0" in html


@pytest.mark.long
def test_event_page_reveals_no_code_or_desk_link(event: Event) -> None:
    html = open_public_page(event).html
    assert [card.code for card in TableCard.objects.all() if card.code in html] == []
    assert "/t/" not in html
    assert "/desk" not in html
    assert "/match/" not in html


@pytest.mark.long
def test_standings_are_listed_in_rank_order(event: Event) -> None:
    rows = [
        row.text.split() for row in open_public_page(event).find_all("summary") if "line" in row.attrs.get("id", "")
    ]
    assert len(rows) == 5
    assert [int(row[0]) for row in rows] == sorted(int(row[0]) for row in rows)


@pytest.mark.slow
def test_entry_links_to_the_explanation_of_its_rank(event: Event) -> None:
    page = open_public_page(event)
    (first, *_) = page.find_one("div", class_="standings").find_one("ol").find_all("details")
    assert "Why rank" in Browser().open(first.find_one("a").attrs["href"]).text


@pytest.mark.long
def test_event_page_links_to_full_standings(event: Event) -> None:
    page = Browser().open(open_public_page(event).find_link("Full standings"))
    assert len(list(page.find_one("div", class_="standings").find_one("ol").find_all("details"))) == 5


@pytest.mark.long
def test_standings_title_states_the_round(event: Event) -> None:
    def get_standings_title() -> str:
        return open_public_page(event).find_one("h2", id="standings-title").text

    assert get_standings_title() == "Standings after round 2"
    start_next_round(event)
    assert get_standings_title() == "Standings during round 3"
    play_round(event, 3)
    assert get_standings_title() == "Standings during round 3", "closed, and not counted yet"
    compute_standings(event)
    assert get_standings_title() == "Standings after round 3"


@pytest.mark.slow
@pytest.mark.snapshot
def test_large_event_shows_forty_entries_and_a_link() -> None:
    event = build_running_night(pairs=44)
    win(matches_of(event)[0])
    compute_standings(event)
    page = open_public_page(event)
    assert len(list(page.find_one("div", class_="standings").find_one("ol").find_all("details"))) == 40
    every = Browser().open(page.find_link("See all 44 entries"))
    assert len(list(every.find_one("div", class_="standings").find_one("ol").find_all("details"))) == 44


@pytest.mark.long
@pytest.mark.snapshot
def test_knockout_event_page_shows_its_bracket() -> None:
    event = build_played_night(pairs=4, draw_format="knockout")
    compute_standings(event)
    page = open_public_page(event)
    assert len(page.find_all("section", class_="bracket")) == 1
    assert len(page.find_all("p", class_="winner")) == 2


def test_bracket_rounds_settled_at_once_have_ids_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.charts.brackets._ChartBuilder._find_round", lambda self, slot: 1)
    event = build_played_night(pairs=4, draw_format="knockout")
    compute_standings(event)
    ids = open_public_page(event).ids
    assert len(ids) == len(set(ids))


@pytest.mark.long
@pytest.mark.snapshot
def test_swiss_event_page_links_to_the_cross_table() -> None:
    event = build_running_night(pairs=4, draw_format="swiss")
    compute_standings(event)
    page = open_public_page(event)
    assert page.find_all("table", class_="cross") == []
    assert len(Browser().open(page.find_link("Matchups")).find_all("table", class_="cross")) == 1


@pytest.mark.long("forty pairs; tests/tournaments/sharing/test_shared_links.py measures twenty")
def test_page_of_forty_pairs_stays_small() -> None:
    event = build_played_night(pairs=40, draw_format="round_robin")
    compute_standings(event)
    # compressed, with the style sheet and links to forty scores
    assert len(compress(open_public_page(event).html.encode())) < 22_000


@pytest.mark.slow
def test_round_page_links_every_published_round(event: Event) -> None:
    page = open_public_page(event, round="1")
    assert page.path == f"/e/{event.short}/rounds/1"
    assert page.find_one("h1").text == "Round 1"
    assert [one.text for one in page.find_one("nav").find_all("a")] == ["Round 1", "Round 2"]
    assert page.find_one("a", **{"aria-current": "page"}).text == "Round 1"
    assert "Bye: " in page.text


@pytest.mark.slow
def test_pairings_show_games_and_running_points() -> None:
    event = build_running_night(ruleset=BAS_SAINT_LAURENT, match_format=TWO_GAMES)
    play(matches_of(event)[0], "A charlemagne made", "B 6 made")
    rows = [one.text for one in open_public_page(event).find_all("ol", class_="pairings")]
    assert "0 (1)" in rows[0]
    assert "6 (0)" in rows[0]


def test_event_in_preparation_shows_no_results() -> None:
    page = open_public_page(build_event())
    assert page.status == 200
    assert "No result yet" in page.text
    assert "The first draw appears here." in page.text


def test_unknown_event_shows_a_friendly_404_page() -> None:
    page = Browser().open("/e/nothing")
    assert page.status == 404
    assert "Page not found" in page.text
    assert page.find_link("Go to home page") == "/"


@pytest.mark.slow
def test_event_page_links_to_its_rules(event: Event) -> None:
    page = Browser().open(open_public_page(event).find_link("Canadian rules, games to 32"))
    assert page.status == 200
    assert "Gros Charlemagne" in page.find_one("table").text


@pytest.mark.parametrize("page", ["rules", "ruling"])
def test_rules_say_which_stages_play_by_others(page: str) -> None:
    event = build_event(
        0, stages=[{"format": "swiss", "rounds": 2}, {"format": "knockout", "takes": "top", "count": 2, "name": "Or"}]
    )
    change_phase(event_id=event.pk, settings=PhaseSettings(ruleset=BAS_SAINT_LAURENT), stage=1)
    change_phase(event_id=event.pk, settings=PhaseSettings(order=("match_wins",)), stage=0)
    text = Browser().open(f"/e/{event.short}/{page}").text
    assert "Or: Rules: Bas-Saint-Laurent." in text
    assert "Swiss" not in text, "its ranking is no rule of the game"


def test_byes_are_grouped_by_kind() -> None:
    kinds = {"A and B": "waits", "C and D": "waits", "Ann and Bob": "walkover", "Rita and Léo": "bye"}
    byes = [{"names": names, "kind": kind} for names, kind in kinds.items()]
    html = render_to_string("tournaments/public/byes.html", {"round": {"byes": byes}})
    assert [" ".join(line.split()) for line in re.findall(r"<p>(.*?)</p>", html, re.DOTALL)] == [
        "Waiting for the next match: A and B · C and D",
        "Advances by walkover: Ann and Bob",
        "Bye: Rita and Léo",
    ]
