"""Preview of an imported list: columns can be assigned, and the club remembers the assignment."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.models import Club
from clubs.services.list_layouts import MAX_LAYOUTS, save_layout
from tests.builders import build_club, build_event
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.support.office import Office

pytestmark = pytest.mark.django_db

UNKNOWN = "Membre;Ville;Partenaire de jeu\nROY, Luc;Matane;Anne Dubé\nGuy Roy;;Ève Cyr\n"
ASSIGNED_COLUMNS = ["player_1", "team", "player_2"]


class Lists:
    """An event in preparation, and the import page of its entries."""

    def __init__(self, club: Club | None = None) -> None:
        hall = Hall()
        self.event = build_event(pairs=0, club=club or hall.event.club)
        self.browser = Browser(account=hall.owner)
        self.path = f"/e/{self.event.short}/desk/entries/file"

    def upload(self, text: str) -> Page:
        page = self.browser.open(self.path)
        file = SimpleUploadedFile("list.csv", text.encode())
        return self.browser.send(page, page.find_form(control_name="file"), file=file)

    def assign(self, page: Page, *fields: str, button: str = "columns", **typed: Any) -> Page:
        form = page.find_form(control_name="columns")
        return self.browser.send(page, form, (button, "1"), column=[*fields], **typed)

    def confirm(self, page: Page) -> Page:
        return self.browser.send(page, page.find_form(control_name="confirmed"), ("confirmed", "1"))

    @property
    def entries(self) -> list[tuple[str, str]]:
        return [(str(entry), entry.team) for entry in self.event.entries.all()]


def list_assigned_columns(page: Page) -> list[str]:
    """Return the field chosen for each column on the page."""
    return [
        next((option.attrs["value"] for option in one.find_all("option") if "selected" in option.attrs), "")
        for one in page.find_all("select", name="column")
    ]


@pytest.mark.long
@pytest.mark.snapshot
def test_unknown_headings_show_columns_and_first_rows() -> None:
    page = Lists().upload(UNKNOWN)
    assert page.status == 422
    table = page.find_form(control_name="columns").find_one("table")
    assert [label.text for label in table.find_all("label")] == ["Membre", "Ville", "Partenaire de jeu"]
    assert [cell.text for cell in table.find_all("td")][:3] == ["ROY, Luc", "Matane", "Anne Dubé"]
    assert list_assigned_columns(page) == ["", "", ""]
    assert "checked" in page.find_form(control_name="columns").find_one("input", name="has_headings").attrs


@pytest.mark.long
def test_assigned_columns_are_imported_and_remembered() -> None:
    lists = Lists()
    page = lists.assign(lists.upload(UNKNOWN), *ASSIGNED_COLUMNS, has_headings="1")
    assert "2 entries to add" in page.text
    assert lists.entries == []
    lists.confirm(page)
    assert lists.entries == [("Luc Roy / Anne Dubé", "Matane"), ("Guy Roy / Ève Cyr", "")]
    again = Lists(club=lists.event.club)
    again.browser = lists.browser
    page = again.upload("MEMBRE,Ville :,Partenaire de jeu\nJean B,Amqui,Zoé B\n")
    assert list_assigned_columns(page) == ASSIGNED_COLUMNS
    again.confirm(page)
    assert again.entries == [("Jean B / Zoé B", "Amqui")]


@pytest.mark.long
def test_changed_columns_must_be_previewed_before_import() -> None:
    lists = Lists()
    page = lists.upload("Joueur 1;Joueur 2\nLuc Roy;Anne Dubé\n")
    page = lists.assign(page, "player_2", "player_1", button="confirmed", has_headings="1")
    assert lists.entries == []
    lists.confirm(page)
    assert lists.entries == [("Anne Dubé / Luc Roy", "")]


@pytest.mark.slow
def test_list_without_headings_imports_its_first_line() -> None:
    lists = Lists()
    page = lists.upload("ROY;Luc;DUBÉ;Anne\nCYR;Guy;CYR;Ève\n")
    page = lists.assign(page, "last_1", "first_1", "last_2", "first_2", has_headings=[])
    lists.confirm(page)
    assert lists.entries == [("Luc Roy / Anne Dubé", ""), ("Guy Cyr / Ève Cyr", "")]
    assert Club.objects.get(pk=lists.event.club_id).list_layouts == []


@pytest.mark.long
def test_corrected_lines_keep_the_assigned_columns() -> None:
    lists = Lists()
    page = lists.upload("Un;Deux\nLuc Roy;Anne Dubé\nGuy;Ève 2\n")
    page = lists.confirm(lists.assign(page, "player_1", "player_2", has_headings="1"))
    assert len(lists.entries) == 1
    form = page.find_form(control_name="text")
    page = lists.browser.send(page, form, text="Un;Deux\nGuy Roy;Ève Roy\n")
    lists.confirm(page)
    assert lists.entries == [("Luc Roy / Anne Dubé", ""), ("Guy Roy / Ève Roy", "")]


@pytest.mark.long
def test_people_list_columns_can_be_assigned() -> None:
    office = Office()
    page = office.browser.open(f"/club/{office.club.slug}/people/import")
    text = "Membre;Joindre\nROY, Luc;418 555-0101\n"
    page = office.browser.send(page, page.find_form("/import", control_name="file"), text=text)
    form = page.find_form(control_name="columns")
    page = office.browser.send(page, form, ("columns", "1"), column=["name", "phone"], has_headings="1")
    office.browser.send(page, page.find_form("/import", control_name="confirmed"), ("confirmed", "1"))
    (person,) = office.club.people.all()
    assert (person.name, person.contact) == ("Luc Roy", "418 555-0101")
    assert [each["kind"] for each in Club.objects.get(pk=office.club.pk).list_layouts] == ["people"]


@pytest.mark.slow
def test_club_keeps_only_its_latest_layouts() -> None:
    club, other = build_club(), build_club()
    for number in range(MAX_LAYOUTS + 2):
        save_layout(club_id=club.pk, kind="people", headings=str(number), fields=("name",))
    save_layout(club_id=club.pk, kind="people", headings="2", fields=("", "name"))
    save_layout(club_id=club.pk, kind="people", headings="3", fields=())
    club.refresh_from_db()
    headings = [each["headings"] for each in club.list_layouts]
    assert headings == [*(str(number) for number in range(4, MAX_LAYOUTS + 2)), "2"]
    assert Club.objects.get(pk=other.pk).list_layouts == []
