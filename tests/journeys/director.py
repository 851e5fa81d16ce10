"""A director with a phone: makes a tournament, and takes it from round to round."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from playwright.sync_api import Locator, Page, expect

from rules import Side
from tests.builders import a_club, matches_of, standings_after, win
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone
from tournaments.models import Event
from tournaments.rounds.queries.seatings import lineup_of

Table = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of the entries on side A, and on side B."""

COUPLES = (
    *("Jeannine Roy et Marcel Dubé", "Ghislaine Cyr et Normand Ouellet", "Thérèse Lavoie et Réal Michaud"),
    *("Huguette Morin et Aurèle Thibault", "Colette Pelletier et Gaston Levesque"),
    *("Rita Plourde et Yvon Beaulieu", "Lise Roy et Paul Roy"),
    "Marie-Paule Saint-Pierre-Desrosiers et Jean-Baptiste de la Bruère-Montarville",
    *("Agathe Bérubé et Donat Caron", "Cécile Dumont et Fernand Émond", "Édith Fortin et Hervé Gagnon"),
    *("Isabelle Hudon et Jean Albert", "Nicole Côté et Luc Gauthier", "Diane Bouchard et Guy Tremblay"),
    *("Monique Paradis et Clément Rioux", "Pierrette Bélanger et Léo Ross"),
)
"""Sixteen pairs as a club writes them, the eighth with names as long as they come."""


class Director:
    def __init__(self, hall: Hall, phone: Phone) -> None:
        self.phone = phone
        self.club = a_club(owner=hall.owner)
        phone.sign_in(hall.owner)

    @property
    def page(self) -> Page:
        return self.phone.page

    @property
    def event(self) -> Event:
        """The one of this club."""
        return Event.objects.select_related("terms").get(club=self.club)

    def looks_at(self, rest: str = "") -> None:
        self.phone.open(f"/e/{self.event.short}/desk{rest}")

    def chooses(self, kind: str) -> None:
        """A kind of tournament from the list: its form is there, filled in."""
        self.phone.open(f"/club/{self.club.slug}/tournament")
        self.phone.tap(self.phone.link(kind))
        expect(self.page.locator("#summary")).to_be_visible()

    def makes(self, name: str, *, expected: int, rounds: int | None = None) -> None:
        """The tournament of the form, its matches of one game."""
        self.page.get_by_label("Tournament name").fill(name)
        self.page.get_by_label("Expected entries").fill(str(expected))
        self.page.get_by_label("Tables", exact=True).fill(str(expected // 2))
        if rounds is not None:
            self.page.locator("[name='stages.0.rounds']").fill(str(rounds))
        self.page.get_by_label("Games to win").fill("1")
        self.phone.picture("form")
        self.phone.tap(self.phone.button("Enter participants").last)
        expect(self.page.get_by_text("0 entries").first).to_be_visible()

    def pastes(self, lines: Iterable[str]) -> None:
        listed = list(lines)
        self.page.get_by_label(re.compile("^Add (pairs|players)$")).fill("\n".join(listed))
        self.phone.tap(self.phone.button("^Add$"))
        expect(self.page.get_by_text(f"{len(listed)} entries").first).to_be_visible()

    def starts(self) -> None:
        self.phone.tap(self.phone.button("Start: draw round 1"))
        expect(self.button_to("Publish round 1")).to_be_visible()

    def button_to(self, step: str) -> Locator:
        return self.phone.button(f"^{step}$")

    def publishes(self, number: int) -> None:
        self.phone.tap(self.button_to(f"Publish round {number}"))
        expect(self.page.get_by_role("heading", name=re.compile(f"Round {number}: 0 of"))).to_be_visible()

    def closes(self, number: int) -> None:
        """The last round; the worker has been through its results."""
        standings_after(self.event)
        self.looks_at()
        self.phone.tap(self.button_to(f"Close round {number}"))
        expect(self.page.get_by_text(f"Round {number} is closed.")).to_be_visible()

    def draws(self, number: int) -> None:
        """Presses what draws the next round, whatever its matches are called."""
        self.phone.tap(self.phone.button("^Draw "))
        expect(self.button_to(f"Publish round {number}")).to_be_visible()

    def tables(self, number: int) -> dict[int, Table]:
        """Return who sits at each table of a round."""
        numbers = dict(self.event.entries.values_list("pk", "number"))
        return {
            table.number: (
                tuple(numbers[entry] for entry in table.a),
                tuple(numbers[entry] for entry in table.b),
            )
            for table in lineup_of(self.event.rounds.get(number=number)).tables
        }

    def sees_played(self, number: int, wins: Callable[[Table], Side]) -> None:
        """Every table that has no result yet is played on its phones, won by the side that is said."""
        tables = self.tables(number)
        for match in matches_of(self.event, number):
            if not match.is_over and match.table.ruling is None:
                win(match, wins(tables[match.table.number]).name)


def first_number(table: Table) -> Side:
    """Return whoever stands higher in the starting list wins."""
    return Side.A if min(table[0]) < min(table[1]) else Side.B


def except_where(numbers: Iterable[int]) -> Callable[[Table], Side]:
    """Return the same, but these win against anybody."""
    strong = set(numbers)

    def wins(table: Table) -> Side:
        for side in Side:
            if strong & {*table[side]} and not strong & {*table[side.other]}:
                return side
        return first_number(table)

    return wins
