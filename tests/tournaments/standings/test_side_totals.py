"""Each number is shown beside the names of its own side, on every page that shows a match.

Names of people here share no word, so that a page may show any part of them. Totals of the sides are computed here,
hand by hand, independently of the program.
"""

import csv
import io
import re
from collections.abc import Iterable
from functools import cached_property
from random import Random

import pytest

from scoring.models import Match
from tests.builders import build_account, build_club, build_event, mark, matches_of, start_next_round
from tests.saved_states import saved_state
from tests.support.browser import Browser, Page
from tests.support.markup import Element
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event

pytestmark = pytest.mark.django_db

PAIRS = {
    1: ("Anne Aubé", "Bruno Bossé"),
    2: ("Carmen Caron", "Donat Dubé"),
    3: ("Ella Émond", "Fernand Fortin"),
    4: ("Gilberte Gagnon", "Hervé Hudon"),
    5: ("Irma Isabelle", "Jacques Jean"),
    6: ("Katia Kirouac", "Louis Labrie"),
}
NAMES_BY_WORD = {word: name for names in PAIRS.values() for name in names for word in name.split()}
COLOURS = {"blue": "A", "orange": "B"}
NUMBER_CLASSES = {"A": "na", "B": "nb"}
"""Class of a side's number in a row that holds both sides."""


class Night:
    """A round in which each table has recorded some random hands."""

    def __init__(self, lot: Random) -> None:
        self.owner = build_account()
        self.event: Event = build_event(0, club=build_club(owner=self.owner), tables=3)
        add_entries(event_id=self.event.pk, entries=PAIRS)
        start_event(event_id=self.event.pk)
        start_next_round(self.event, seed=lot.randrange(1000))
        self.totals = {match.pk: self._play_match(match, lot) for match in self.matches}

    @cached_property
    def matches(self) -> list[Match]:
        return matches_of(self.event)

    def _play_match(self, match: Match, lot: Random) -> dict[str, int]:
        """Record some bids of five and six, made or failed, and return each side's points."""
        totals = {"A": 0, "B": 0}
        for _ in range(lot.randrange(1, 4)):
            side, points, is_made = lot.choice("AB"), lot.choice((5, 6)), lot.random() < 0.7
            mark(match, f"{side} {points} {'made' if is_made else 'failed'}")
            totals[side if is_made else "AB".replace(side, "")] += points
        return totals

    def get_people(self, match: Match) -> dict[str, set[str]]:
        """Return the names on each side: seats go around the table, so partners are two seats apart."""
        sides: dict[str, set[str]] = {"A": set(), "B": set()}
        for player in match.players.all():
            sides["AB"[player.seat % 2]].add(player.person.name)
        return sides


@saved_state
def build_night(lot: int) -> Night:
    return Night(Random(lot))


@pytest.fixture(params=range(3))
def night(request: pytest.FixtureRequest) -> Night:
    return build_night(request.param)


def find_people(text: str) -> set[str]:
    """Return the people whom a text names, by a first name or a surname."""
    return {NAMES_BY_WORD[word] for word in re.findall(r"\w+", text) if word in NAMES_BY_WORD}


def iter_parts(page: Page) -> Iterable[tuple[str, Element]]:
    """Yield each side with an element in its colour, or beside its shape, that names somebody."""
    for one in page.document.find_all():
        for colour in COLOURS.keys() & set(one.attrs.get("class", "").split()):
            part = one.parent if one.tag == "i" else one
            if part is not None and find_people(part.text):
                yield COLOURS[colour], part


def check(night: Night, page: Page, *, tables: int) -> None:
    """Check that each element names players of its side beside their number, for both sides of so many tables."""
    assert page.status == 200
    seen = set()
    people = {match: night.get_people(match) for match in night.matches}
    for side, part in iter_parts(page):
        named = find_people(part.text)
        (match,) = [one for one in night.matches if named <= set().union(*people[one].values())]
        assert named <= people[match][side], f"{page.path}: {part.text}"
        shown = [int(one.text) for one in _find_numbers(part, side) if one.text.isdigit()]
        assert shown in ([], [night.totals[match.pk][side]]), f"{page.path}: {part.text}"
        if shown:
            seen.add((match.pk, side))
    assert len(seen) == 2 * tables, page.path


def _find_numbers(part: Element, side: str) -> list[Element]:
    """Return the number of a side: inside its element, or beside it in the row of both sides."""
    inside = [one for name in ("total", "num") for one in part.find_all("b", class_=name)]
    inside += [one for score in part.find_all("p", class_="score") for one in score.find_all("b")]
    is_panel = part.attrs.get("class", "").startswith("panel")
    inside += list(part.find_all("b"))[:1] if is_panel and not inside else []  # the next ones are games and target
    beside = [] if part.parent is None else list(part.parent.find_all("span", class_=NUMBER_CLASSES[side]))
    return inside or beside


@pytest.mark.long
def test_table_pages_show_each_side_its_own_total(night: Night) -> None:
    at_home, at_the_desk = Browser(), Browser(account=night.owner)
    for number, match in enumerate(night.matches, start=1):
        check(night, at_home.open(f"/t/{match.card.code}"), tables=1)
        check(night, at_the_desk.open(f"/match/{match.pk}"), tables=1)
        check(night, at_home.open(f"/e/{night.event.short}/rounds/1/tables/{number}"), tables=1)


@pytest.mark.long
def test_round_pages_show_each_side_its_own_total(night: Night) -> None:
    for path in ("/e/{}", "/e/{}/rounds/1", "/e/{}/desk"):
        check(night, Browser(account=night.owner).open(path.format(night.event.short)), tables=3)


@pytest.mark.slow
def test_api_reports_seats_and_totals_of_each_side(night: Night) -> None:
    for match in night.matches:
        table_data = Browser().client.get(f"/api/tables/{match.card.code}").json()
        for side, people in night.get_people(match).items():
            assert {name for seat, name in enumerate(table_data["players"]) if "AB"[seat % 2] == side} == people
        assert table_data["summary"]["running"] == list(night.totals[match.pk].values())


def test_round_file_reports_the_total_of_each_side(night: Night) -> None:
    csv_text = Browser().client.get(f"/e/{night.event.short}.csv?round=1").content.decode("utf-8-sig")
    by_people = {frozenset(night.get_people(match)["A"]): match for match in night.matches}
    rows = list(csv.DictReader(io.StringIO(csv_text)))
    assert len(rows) == 3
    for row in rows:
        match = by_people.pop(frozenset(find_people(row["Blue side"])))
        assert find_people(row["Orange side"]) == night.get_people(match)["B"]
        counted = [int(row["Points, blue side"]), int(row["Points, orange side"])]
        assert counted == list(night.totals[match.pk].values())
