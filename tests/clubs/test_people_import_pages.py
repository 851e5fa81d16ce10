"""Import pages for people: the preview classifies each line, and only a confirmation imports."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from clubs.services.people import find_or_add_people
from jobs.models import Job
from jobs.services import run_job
from tests.builders import import_people
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tests.support.workbooks import build_workbook, build_workbook_with_sheets, get_content

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("bulk inserts, and lookups by name"),
]


@pytest.fixture
def office() -> Office:
    return Office()


def send(office: Office, text: str = "", content: bytes | None = None, name: str = "list.xlsx") -> Page:
    page = office.browser.open(f"/club/{office.club.slug}/people/import")
    form = page.find_form("/import", control_name="file")
    if content is None:
        return office.browser.send(page, form, text=text)
    return office.browser.send(page, form, file=SimpleUploadedFile(name, content))


@pytest.mark.long
@pytest.mark.snapshot
def test_preview_classifies_each_line_without_importing(office: Office) -> None:
    find_or_add_people(club=office.club, full_names=["Jeannine Roy", "Martin Roy"])
    page = send(office, "Roy, Jeannine\nRoy Martin\nAnne Cyr\nANNE CYR\nLise Cyr")
    lines = page.find_one("section", **{"aria-labelledby": "alike"}).find_all("li")
    assert [line.find_one("span", class_="secondary").text for line in lines] == [
        "perhaps same as Martin Roy · line 2",
        "duplicate of line 3 · line 4",
        "already listed: Jeannine Roy · line 1",
    ]
    assert "2 new people" in page.text
    assert office.club.people.count() == 2
    form = page.find_form("/import", control_name="confirmed")
    page = office.browser.send(page, form, ("confirmed", "1"), also=["2"])
    assert "People imported from a list: 3" in page.text
    assert office.club.people.filter(name="Roy Martin").exists()
    page = office.browser.send(page, page.find_form("/undo"))
    assert office.club.people.count() == 2


def test_namesakes_are_distinguished_by_contact(office: Office) -> None:
    page = send(office, "Jean Roy, 418 555-0101\nJean Roy, 418 555-0999")
    (line,) = page.find_one("section", **{"aria-labelledby": "alike"}).find_all("li")
    assert "418 555-0999" in line.text


@pytest.mark.slow
class TestRepeatedImport:
    LIST = "name,phone\nLise Roy,418 555-0101\nPaul Roy,418 555-0202\nAnne Cyr,418 555-0303"

    def import_again(self, office: Office, text: str) -> Page:
        import_people(club_id=office.club.pk, text=self.LIST)
        return send(office, text)

    def confirm(self, office: Office, page: Page, **typed: Any) -> Page:
        return office.browser.send(
            page, page.find_form("/import", control_name="confirmed"), ("confirmed", "1"), **typed
        )

    def list_contacts(self, office: Office) -> list[str]:
        return [person.contact for person in office.club.people.order_by("pk")]

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_preview_lists_changed_contacts_ignoring_formatting(self, office: Office) -> None:
        page = self.import_again(office, "name,phone\nlise roy,418 555-9999\nPaul Roy,(418) 555.0202\nAnne Cyr,")
        (line,) = page.find_one("section", **{"aria-labelledby": "contacts"}).find_all("li")
        assert line.text == "Lise Roy418 555-0101 → 418 555-9999"

    @pytest.mark.long
    def test_confirmed_contact_changes_are_imported_as_one_change(self, office: Office) -> None:
        page = self.import_again(office, "name,phone\nLise Roy,lise@example.org\nZoé Zed,")
        page = self.confirm(office, page, contacts="1")
        assert "People imported from a list: 1; contact details changed: 1" in page.text
        assert self.list_contacts(office) == ["lise@example.org", "418 555-0202", "418 555-0303", ""]
        office.browser.send(page, page.find_form("/undo"))
        assert self.list_contacts(office) == ["418 555-0101", "418 555-0202", "418 555-0303"]

    def test_contact_changes_require_confirmation(self, office: Office) -> None:
        page = self.confirm(office, self.import_again(office, "name,phone\nLise Roy,418 555-9999"))
        assert page.status == 422
        assert self.list_contacts(office)[0] == "418 555-0101"
        self.confirm(office, page, contacts="1")
        assert self.list_contacts(office)[0] == "418 555-9999"

    def test_forced_new_person_leaves_the_known_contact(self, office: Office) -> None:
        page = self.import_again(office, "name,phone\nLise Roy,418 555-9999")
        self.confirm(office, page, contacts="1", also=["2"])
        assert self.list_contacts(office) == ["418 555-0101", "418 555-0202", "418 555-0303", "418 555-9999"]

    def test_worker_imports_many_contact_changes(self, office: Office) -> None:
        letters = "abcdefghijklmnopqr"
        names = [f"{one}{other} Roy" for one in letters for other in letters]
        import_people(club_id=office.club.pk, text="\n".join(names))
        page = send(office, "\n".join(["name,phone", *(f"{name},555-01" for name in names)]))
        assert "And 264 more." in page.text
        self.confirm(office, page, contacts="1")
        run_job(Job.objects.filter(kind="import_people").latest("pk").pk)
        assert set(self.list_contacts(office)) == {"555-01"}


@pytest.mark.slow
@pytest.mark.snapshot
def test_workbook_import_names_ignored_columns(office: Office) -> None:
    content = build_workbook(["Prénom", "Nom", "Ville"], ["Lise", "Roy", "Matane"])
    page = send(office, content=content)
    assert "Columns ignored: Ville." in page.text
    office.browser.send(page, page.find_form("/import", control_name="confirmed"), ("confirmed", "1"))
    assert office.club.people.get().name == "Lise Roy"


@pytest.mark.slow
@pytest.mark.snapshot
def test_unnamed_contacts_are_reported_and_skipped(office: Office) -> None:
    text = "BEGIN:VCARD\nORG:Garage Roy\nEND:VCARD\nBEGIN:VCARD\nFN:Lise Roy\nEND:VCARD"
    page = send(office, text)
    assert "1 contact without a person’s name is ignored: Garage Roy" in page.text
    office.browser.send(page, page.find_form("/import", control_name="confirmed"), ("confirmed", "1"))
    assert office.club.people.get().name == "Lise Roy"


def test_refused_lines_are_listed_and_text_is_kept(office: Office) -> None:
    page = send(office, "Anne A\nR2D2")
    assert page.status == 422
    refused = page.find_one("table", class_="refused").find_one("tbody")
    rows = [[cell.text for cell in row.find_all("td")] for row in refused.find_all("tr")]
    assert rows == [["2", "“R2D2” cannot contain “2”. Remove it."]]
    assert "R2D2" in page.find_field("text").value


@pytest.mark.long
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04", "list.xlsx cannot be read."),
        (b"\x81\x8d", "Not UTF-8."),
        (b"\n\n", "This list is empty."),
    ],
    ids=["no workbook", "no text", "empty"],
)
def test_unreadable_file_is_refused_at_its_field(
    office: Office, content: bytes | Callable[[], bytes], message: str
) -> None:
    page = send(office, content=get_content(content))
    assert page.status in (413, 422)
    assert page.get_field_error("file").startswith(message)


def test_empty_form_asks_for_a_file(office: Office) -> None:
    assert send(office).get_field_error("file") == "Choose a file first."


@pytest.mark.long
@pytest.mark.snapshot
def test_outdated_preview_is_shown_again(office: Office) -> None:
    page = send(office, "Anne Cyr")
    find_or_add_people(club=office.club, full_names=["Anne Cyr"])
    page = office.browser.send(page, page.find_form("/import", control_name="confirmed"), ("confirmed", "1"))
    assert page.status == 422
    assert page.alert.startswith("The club knows everyone here.")
    assert "already listed: Anne Cyr" in page.text


@pytest.mark.slow
def test_large_list_preview_is_truncated(office: Office) -> None:
    letters = "abcdefghij"
    names = [f"{a}{b} x{c}{d}" for a in letters for b in letters for c in letters for d in letters]
    page = send(office, "\n".join(names))
    assert "10000 new people" in page.text.replace("\u202f", "").replace(",", "")
    assert len(page.html) < 400_000


@pytest.mark.long
def test_worker_imports_a_long_list_with_progress(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clubs.services.people_import.LARGE", 2)
    page = send(office, "Anne Cyr\nLise Cyr")
    page = office.browser.send(page, page.find_form("/import", control_name="confirmed"), ("confirmed", "1"))
    assert page.path == f"/club/{office.club.slug}/bringing-in"
    assert "Importing the list of people" in page.text
    assert not office.club.people.exists()
    run_job(Job.objects.get(kind="import_people").pk)
    page = office.browser.open(page.path)
    assert "Done." in page.text
    assert office.club.people.count() == 2
    assert office.club.actions.get().details["count"] == 2


@pytest.mark.slow
def test_stopped_import_can_be_retried(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clubs.services.people_import.LARGE", 2)
    page = send(office, "Anne Cyr\nLise Cyr")
    page = office.browser.send(page, page.find_form("/import", control_name="confirmed"), ("confirmed", "1"))
    page = office.browser.send(page, page.find_form("/stop"))
    assert "Stopped early." in page.text
    page = office.browser.send(page, page.find_form("/again"))
    run_job(Job.objects.get(kind="import_people").pk)
    assert office.club.people.count() == 2


@pytest.mark.long
def test_waiting_import_warns_that_no_worker_runs(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clubs.services.people_import.LARGE", 2)
    page = send(office, "Anne Cyr\nLise Cyr")
    page = office.browser.send(page, page.find_form("/import", control_name="confirmed"), ("confirmed", "1"))
    assert "Ask the organizer to restart Charlemagne" not in page.text
    Job.objects.update(created_at=timezone.now() - timedelta(minutes=1))
    assert "Ask the organizer to restart Charlemagne" in office.browser.open(page.path).text


@pytest.mark.slow
@pytest.mark.snapshot
def test_workbook_with_several_tabs_asks_which_to_import(office: Office) -> None:
    content = build_workbook_with_sheets(Couverture=[["Club de Matane"]], Membres=[["Nom"], ["Lise Roy"]])
    page = send(office, content=content)
    assert page.status == 422
    assert "This file has several tabs: Couverture and Membres." in page.text
    section = page.find_one("section", **{"aria-labelledby": "which-sheet"})
    assert [each.text for each in section.find_all("span", class_="secondary")] == ["1 line", "2 lines"]
    assert office.club.people.count() == 0
    members = list(section.find_all("form"))[1]
    page = office.browser.send(page, members, ("sheet", "2"))
    assert "1 new person" in page.text
    office.browser.send(page, page.find_form("/import", control_name="confirmed"), ("confirmed", "1"))
    assert office.club.people.get().name == "Lise Roy"


@pytest.mark.slow
@pytest.mark.snapshot
def test_lines_above_the_headings_are_reported(office: Office) -> None:
    page = send(office, "Club de Matane;\nau 1er mai;\nNom;Tél\nLise Roy;5")
    assert "Ignored above the headings: Club de Matane · au 1er mai" in page.text
    assert "1 new person" in page.text


@pytest.mark.slow
@pytest.mark.parametrize("is_respelled", [True, False])
def test_uppercase_names_are_converted_only_on_request(office: Office, is_respelled: bool) -> None:
    page = send(office, "TREMBLAY, JEAN\nD'AMOURS, MARIE-ÈVE\nLise Roy\nJ. R.")
    assert "Convert 2 names from capitals: Jean Tremblay, Marie-Ève D'Amours" in (page.text)
    assert not page.find_field("respelled").is_checked
    typed: dict[str, Any] = {"respelled": "1"} if is_respelled else {}
    form = page.find_form("/import", control_name="confirmed")
    office.browser.send(page, form, ("confirmed", "1"), **typed)
    usual, capitals = {"Jean Tremblay", "Marie-Ève D'Amours"}, {"JEAN TREMBLAY", "MARIE-ÈVE D'AMOURS"}
    names = usual if is_respelled else capitals
    assert set(office.club.people.values_list("name", flat=True)) == names | {"Lise Roy", "J. R."}


def test_list_without_uppercase_names_offers_no_conversion(office: Office) -> None:
    assert "respelled" not in send(office, "Jean Tremblay\nJ. R.").html


@pytest.mark.long
@pytest.mark.snapshot
def test_error_names_the_column_as_the_file_does(
    office: Office,
) -> None:
    office.browser = Browser(account=office.owner, language="fr")
    for text, column in (("Nom;Groupes\nLise Roy;" + "x" * 41, "Groupes"), ("Tél\n555", "Nom")):
        page = send(office, content=text.encode("cp1252"), name="liste.csv")
        assert page.status == 422
        refused = page.find_one("table", class_="refused").find_one("tbody")
        assert [cell.text for cell in refused.find_all("td")][1] == column


def test_vcard_contacts_are_recognized(office: Office) -> None:
    card = "BEGIN:VCARD\nVERSION:3.0\nFN:Édith Roy\nTEL:555\nEND:VCARD\n"
    page = send(office, content=card.encode(), name="contacts.vcf")
    assert "1 new person" in page.text
    assert "(vCard)" in office.browser.open(f"/club/{office.club.slug}/people/import").text


@pytest.mark.long
@pytest.mark.parametrize(
    "content", [b"\x00", b"Nom\n\x00\n", "Nom\n\ud800".encode("utf-8", "surrogatepass"), build_workbook([])]
)
def test_file_without_any_name_is_refused(office: Office, content: bytes) -> None:
    page = send(office, content=content, name="list.csv")
    assert page.status == 422
    assert office.club.people.count() == 0
