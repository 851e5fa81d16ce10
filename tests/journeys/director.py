"""A director with a phone, who creates a tournament and runs it from round to round."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from playwright.sync_api import Locator, Page, expect

from rules import Side
from tests.builders import build_club, compute_standings, matches_of, win
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone
from tournaments.models import Event
from tournaments.rounds.queries.rounds import lineup_of

Table = tuple[tuple[int, ...], tuple[int, ...]]
"""Entry numbers on side A and on side B."""

COUPLES = (
    *("Jeannine Roy et Marcel Dubé", "Ghislaine Cyr et Normand Ouellet", "Thérèse Lavoie et Réal Michaud"),
    *("Huguette Morin et Aurèle Thibault", "Colette Pelletier et Gaston Levesque"),
    *("Rita Plourde et Yvon Beaulieu", "Lise Roy et Paul Roy"),
    "Marie-Paule Saint-Pierre-Desrosiers et Jean-Baptiste de la Bruère-Montarville",
    *("Agathe Bérubé et Donat Caron", "Cécile Dumont et Fernand Émond", "Édith Fortin et Hervé Gagnon"),
    *("Isabelle Hudon et Jean Albert", "Nicole Côté et Luc Gauthier", "Diane Bouchard et Guy Tremblay"),
    *("Monique Paradis et Clément Rioux", "Pierrette Bélanger et Léo Ross"),
)
"""Sixteen pairs as a club writes them; the eighth has very long names."""


class Director:
    def __init__(self, hall: Hall, phone: Phone) -> None:
        self.phone = phone
        self.club = build_club(owner=hall.owner)
        phone.sign_in(hall.owner)

    @property
    def page(self) -> Page:
        return self.phone.page

    @property
    def event(self) -> Event:
        """Return the only event of the club."""
        return Event.objects.select_related("terms").get(club=self.club)

    def open_desk_page(self, rest: str = "") -> None:
        self.phone.open(f"/e/{self.event.short}/desk{rest}")

    def choose_preset(self, kind: str) -> None:
        """Choose a kind of tournament from the list, which opens its prefilled form."""
        self.phone.open(f"/club/{self.club.slug}/tournament")
        self.phone.tap(self.phone.link(kind))
        expect(self.page.locator("#summary")).to_be_visible()
        self.page.wait_for_load_state()  # scripts that hear of changed fields have run by then

    def create_tournament(self, name: str, *, expected: int, rounds: int | None = None) -> None:
        """Create the tournament from the open form, with matches of one game."""
        self.page.get_by_label("Tournament name").fill(name)
        self.page.get_by_label("Expected entries").fill(str(expected))
        self.page.get_by_label("Tables", exact=True).fill(str(expected // 2))
        if rounds is not None:
            self.page.locator("[name='stages.0.rounds']").fill(str(rounds))
        self.page.get_by_label("Games to win").fill("1")
        self.phone.take_picture("form")
        self.phone.tap(self.phone.find_button("Enter participants").last)
        expect(self.page.get_by_text("0 entries").first).to_be_visible()

    def paste_entries(self, lines: Iterable[str]) -> None:
        listed = list(lines)
        self.page.get_by_label(re.compile("^Add (pairs|players)$")).fill("\n".join(listed))
        self.phone.tap(self.phone.find_button("^Add$"))
        expect(self.page.get_by_text(f"{len(listed)} entries").first).to_be_visible()

    def start_event(self) -> None:
        self.phone.tap(self.phone.find_button("Start: draw round 1"))
        expect(self.find_button("Publish round 1")).to_be_visible()

    def find_button(self, step: str) -> Locator:
        return self.phone.find_button(f"^{step}$")

    def publish_round(self, number: int) -> None:
        self.phone.tap(self.find_button(f"Publish round {number}"))
        expect(self.page.get_by_role("heading", name=re.compile(f"Round {number}: 0 of"))).to_be_visible()

    def close_round(self, number: int) -> None:
        """Compute the standings, then close the round at the desk."""
        compute_standings(self.event)
        self.open_desk_page()
        self.phone.tap(self.find_button(f"Close round {number}"))
        expect(self.page.get_by_text(f"Round {number} is closed.")).to_be_visible()

    def draw_round(self, number: int) -> None:
        """Press the button that draws the next round, whatever it calls the matches."""
        self.phone.tap(self.phone.find_button("^Draw "))
        expect(self.find_button(f"Publish round {number}")).to_be_visible()

    def list_tables(self, number: int) -> dict[int, Table]:
        """Return the entry numbers at each table of a round."""
        numbers = dict(self.event.entries.values_list("pk", "number"))
        return {
            table.number: (
                tuple(numbers[entry] for entry in table.a),
                tuple(numbers[entry] for entry in table.b),
            )
            for table in lineup_of(self.event.rounds.get(number=number)).tables
        }

    def play_open_tables(self, number: int, wins: Callable[[Table], Side]) -> None:
        """Finish every match without a result, won by the side that ``wins`` picks."""
        tables = self.list_tables(number)
        for match in matches_of(self.event, number):
            if not match.is_over and match.table.ruling is None:
                win(match, wins(tables[match.table.number]).name)


def pick_first_number(table: Table) -> Side:
    """Return the side with the lowest entry number, the first in the starting list."""
    return Side.A if min(table[0]) < min(table[1]) else Side.B


def build_winner_rule(numbers: Iterable[int]) -> Callable[[Table], Side]:
    """Build a rule by which these entries beat all others; otherwise the lowest entry number wins."""
    strong = set(numbers)

    def pick_winner(table: Table) -> Side:
        for side in Side:
            if strong & {*table[side]} and not strong & {*table[side.other]}:
                return side
        return pick_first_number(table)

    return pick_winner
