"""A form that shows stored values is refused once another director has changed these values, with what they changed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from clubs.services.accounts import make_owner
from tests.builders import build_account, build_event, build_running_night
from tests.support.browser import Browser, Page
from tests.support.markup import list_form_fields
from tournaments.board.boards import Board
from tournaments.board.services import add_board
from tournaments.entries.services.entries import add_entry
from tournaments.events.services.settings import change_sections
from tournaments.models import Event
from tournaments.money.services.prize_categories import CategoryDetails, add_prize_category
from tournaments.money.services.prizes import PrizeDetails, give_prize

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@dataclass(frozen=True, kw_only=True)
class SettingsForm:
    """A form, by its page and a field, and two values of that field; ``read`` returns the stored one."""

    path: str
    field: str
    values: tuple[str, str]
    read: Callable[[Event], object]
    prepare: Callable[[Event], object] = lambda event: None
    chosen: tuple[tuple[str, Any], ...] = ()


def read_phase_hands(event: Event) -> str:
    return str(event.phase_data[0]["match_format"]["hands"])


def give_first_prize(event: Event) -> None:
    entry = event.entries.get(number=1)
    give_prize(event_id=event.pk, winners=[entry.player_1_id], details=PrizeDetails(name="Ham"))


FORMS = {
    "name": SettingsForm(path="settings", field="name", values=("Mardi", "Jeudi"), read=lambda e: e.name),
    "announcement": SettingsForm(
        path="settings", field="place", values=("Salle A", "Salle B"), read=lambda e: e.announcement.place
    ),
    "tables": SettingsForm(path="settings", field="table_count", values=("7", "8"), read=lambda e: str(e.table_count)),
    "rules": SettingsForm(
        path="settings", field="ruleset", values=("maine", "bas-saint-laurent"), read=lambda e: e.terms.ruleset.key
    ),
    "length": SettingsForm(
        path="settings",
        field="games_to_win",
        values=("2", "3"),
        read=lambda e: str(e.terms.match_format.games_to_win),
    ),
    "stages": SettingsForm(
        path="settings", field="stages.0.rounds", values=("3", "4"), read=lambda e: str(e.stages[0]["rounds"])
    ),
    "ranking": SettingsForm(path="settings", field="bye", values=("draw", "nothing"), read=lambda e: e.ranking["bye"]),
    "sections": SettingsForm(
        path="settings",
        field="sections.0.name",
        values=("Or", "Argent"),
        read=lambda e: e.sections[0]["name"],
        prepare=lambda e: change_sections(
            event_id=e.pk, sections=[{"name": "Rouge", "first_table": None, "last_table": None}]
        ),
    ),
    "hall": SettingsForm(path="settings", field="hall_row", values=("3", "4"), read=lambda e: str(e.hall_row)),
    "phase": SettingsForm(path="phases/0/0", field="hands", values=("8", "9"), read=read_phase_hands),
    "release": SettingsForm(
        path="publishing", field="silent_from", values=("2", "3"), read=lambda e: str(e.silent_from)
    ),
    "board": SettingsForm(
        path="boards/1",
        field="name",
        values=("Bar", "Salle"),
        read=lambda e: e.boards[0]["name"],
        prepare=lambda e: add_board(event_id=e.pk, details=Board(name="Écran")),
    ),
    "rates": SettingsForm(
        path="fees/rates", field="member_fee", values=("5", "6"), read=lambda e: str(e.member_fee // 100)
    ),
    "fund": SettingsForm(
        path="fees/rates", field="prize_share", values=("50", "60"), read=lambda e: str(e.prize_share)
    ),
    "prize": SettingsForm(
        path="prizes/{prize}",
        field="prize",
        values=("Jambon", "Trophée"),
        read=lambda e: e.prizes.get().name,
        prepare=give_first_prize,
    ),
    "category": SettingsForm(
        path="prizes/categories/{category}",
        field="name",
        values=("Femmes", "Dames"),
        read=lambda e: e.prize_categories.get().name,
        prepare=lambda e: add_prize_category(event_id=e.pk, details=CategoryDetails(name="Filles", prize="Ham")),
    ),
    "sign-up": SettingsForm(
        path="entries", field="most_entries", values=("20", "30"), read=lambda e: str(e.most_entries)
    ),
    "entries tables": SettingsForm(
        path="entries", field="table_count", values=("7", "8"), read=lambda e: str(e.table_count)
    ),
    "team": SettingsForm(
        path="entries/teams",
        field="team",
        values=("Matane", "Amqui"),
        read=lambda e: e.entries.get(number=1).team,
        chosen=(("entry", ["1"]),),
    ),
    "label": SettingsForm(
        path="prizes/categories/{category}",
        field="entry",
        values=("1", "2"),
        read=lambda e: next(str(entry.number) for entry in e.entries.order_by("number") if entry.labels),
        prepare=lambda e: add_prize_category(
            event_id=e.pk, details=CategoryDetails(name="Aînés", prize="Ham", among="label", group="Aînés")
        ),
        chosen=(("label", "1"),),
    ),
    "entry": SettingsForm(
        path="entries/1", field="team", values=("Matane", "Amqui"), read=lambda e: e.entries.get(number=1).team
    ),
}


class TwoDirectors:
    """Two directors who have opened the same form of an event."""

    def __init__(self, event: Event, form: SettingsForm) -> None:
        self.event, self.form = event, form
        form.prepare(event)
        self.accounts = [build_account() for _ in range(2)]
        for account in self.accounts:
            make_owner(club=event.club, account=account)
        self.browsers = [Browser(account=account) for account in self.accounts]
        self.pages = [browser.open(self.path) for browser in self.browsers]

    @property
    def path(self) -> str:
        prize, category = self.event.prizes.first(), self.event.prize_categories.first()
        path = self.form.path.format(prize=prize and prize.pk, category=category and category.pk)
        return f"/e/{self.event.short}/desk/{path}"

    def send(self, which: int, page: Page | None = None) -> Page:
        """Save the form as one of the directors has it open, with their value."""
        page = page or self.pages[which]
        typed: dict[str, Any] = {self.form.field: self.form.values[which], **dict(self.form.chosen)}
        if self.form.field == "hands":
            typed["length"] = "hands"
        page = self.browsers[which].send(page, page.find_form(control_name=self.form.field), **typed)
        if page.find_all("button", name="confirmed"):
            page = self.browsers[which].send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))
        return page

    def read(self) -> object:
        return self.form.read(Event.objects.get(pk=self.event.pk))


@pytest.mark.parametrize("name", FORMS)
def test_form_with_outdated_values_is_refused_once(name: str) -> None:
    form = FORMS[name]
    event = build_event(4, stages=[{"format": "swiss", "rounds": 2}])
    directors = TwoDirectors(event, form)
    assert directors.send(0).status == 200
    assert directors.read() == form.values[0]
    page = directors.send(1)
    assert page.status == 409
    assert "What you typed is still here" in page.text
    assert f"Changed by {directors.accounts[0].name}" in page.text
    assert directors.read() == form.values[0]
    typed = page.find_form(control_name=form.field)
    assert form.values[1] in {value for field, value in list_form_fields(page.document, typed) if field == form.field}
    assert directors.send(1, page).status == 200
    assert directors.read() == form.values[1]


def test_own_second_save_and_changes_elsewhere_are_no_conflict() -> None:
    event = build_running_night(4)
    name, hall = (TwoDirectors(event, FORMS[each]) for each in ("name", "hall"))
    assert name.send(0).status == hall.send(1).status == 200
    assert name.send(0).status == 200, "the same form sent twice is saved once"


def test_starting_numbers_of_another_list_move_nobody() -> None:
    event = build_event(4)
    order = TwoDirectors(
        event, SettingsForm(path="entries/order", field="place-4", values=("1", "2"), read=lambda e: "")
    )
    assert order.send(0).status == 200
    list_names = [str(entry) for entry in event.entries.order_by("number")]
    page = order.send(1)
    assert (page.status, f"Changed by {order.accounts[0].name}" in page.text) == (409, True)
    assert [str(entry) for entry in event.entries.order_by("number")] == list_names
    assert order.browsers[1].send(page, page.find_form(control_name="way"), ("way", "typed")).status == 200
    page = order.browsers[0].open(order.path)
    add_entry(event_id=event.pk, players=["Luc Roy", "Anne Roy"])
    typed: dict[str, Any] = {"place-4": "1"}
    page = order.browsers[0].send(page, page.find_form(control_name="place-4"), **typed)
    assert page.status == 200, "an entry was added below"
