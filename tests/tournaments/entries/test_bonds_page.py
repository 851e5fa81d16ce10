"""The page of “do not pair” rules: the list, its errors, and how each format applies it."""

from typing import Any

import pytest

from tests.support.browser import Page
from tests.support.office import Office
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.models import Event

pytestmark = pytest.mark.django_db


class ApartDesk(Office):
    @property
    def path(self) -> str:
        return f"{self.entries}/apart"

    def send(self, **typed: Any) -> Page:
        page = self.browser.open(self.path)
        return self.browser.send(page, page.find_form("/apart", control_name="apart"), **typed)

    @property
    def saved_groups(self) -> list[tuple[int, bool, int | None]]:
        groups = Event.objects.get(pk=self.event.pk).kept_apart
        return [(len(each["entries"]), each["always"], each["rounds"]) for each in groups]


@pytest.mark.slow
@pytest.mark.snapshot
def test_director_keeps_entries_apart_and_lets_them_meet() -> None:
    office = ApartDesk(pairs=6)
    page = office.send(apart="1, 2, 3\n4, 5", how="if_possible", rounds="2")
    assert office.saved_groups == [(3, False, 2), (2, False, 2)]
    assert "in the first 2 rounds" in page.text
    first = "-".join(map(str, Event.objects.get(pk=office.event.pk).kept_apart[0]["entries"]))
    office.browser.send(page, page.find_form("/apart", control_name="meet"), meet=first)
    assert office.saved_groups == [(2, False, 2)]


@pytest.mark.long
@pytest.mark.snapshot
def test_bad_line_is_named_and_the_input_kept() -> None:
    office = ApartDesk(pairs=4)
    page = office.send(apart="1, 2\nNobody, 3", how="if_possible", rounds="4")
    assert "Line 2: “Nobody” is not listed." in page.get_field_error("apart")
    assert page.find_field("apart").value == "1, 2\nNobody, 3"
    assert page.find_field("rounds").value == "4"
    assert office.saved_groups == []


@pytest.mark.parametrize(
    ("draw_format", "expected_text"),
    [
        ("swiss", "“By results (Swiss)” keeps these entries apart in every round."),
        ("knockout", "keeps these entries apart as long as the bracket allows."),
        ("pools", "within a group, everyone meets."),
        ("round_robin", "“Round robin” cannot keep these entries apart:"),
    ],
)
def test_page_explains_how_the_format_applies_bonds(draw_format: str, expected_text: str) -> None:
    office = ApartDesk(pairs=4, draw_format=draw_format)
    assert expected_text in office.browser.open(office.path).text


@pytest.mark.slow
@pytest.mark.snapshot
def test_page_lists_only_traits_shared_by_several_entries() -> None:
    office = ApartDesk(pairs=4)
    for number, car in ((1, "Matane 2"), (2, "matane 2"), (3, "Amqui")):
        describe_entry(event_id=office.event.pk, number=number, car=car)
    text = office.browser.open(office.path).text
    assert "Car: Matane 2" in text
    assert "Amqui" not in text
