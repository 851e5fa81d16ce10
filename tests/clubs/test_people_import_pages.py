"""People from a list: the preview says of each line what will happen, and nothing happens before that."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from clubs.services import find_or_add_people, import_people
from jobs.models import Job
from jobs.services import run_job
from tests.support.browser import Browser, Page
from tests.support.office import Office
from tests.support.workbooks import a_workbook, a_workbook_of, made

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("many are written at once, and looked up by name"),
]


@pytest.fixture
def office() -> Office:
    return Office()


def send(office: Office, text: str = "", content: bytes | None = None, name: str = "list.xlsx") -> Page:
    page = office.browser.open(f"/club/{office.club.slug}/people/import")
    form = page.form("/import", having="file")
    if content is None:
        return office.browser.send(page, form, text=text)
    return office.browser.send(page, form, file=SimpleUploadedFile(name, content))


@pytest.mark.slow
@pytest.mark.snapshot
def test_a_preview_says_what_becomes_of_each_line_and_adds_nobody_yet(office: Office) -> None:
    find_or_add_people(club=office.club, full_names=["Jeannine Roy", "Martin Roy"])
    page = send(office, "Roy, Jeannine\nRoy Martin\nAnne Cyr\nANNE CYR\nLise Cyr")
    lines = page.one("section", **{"aria-labelledby": "alike"}).every("li")
    assert [line.one("span", class_="second").text for line in lines] == [
        "perhaps same as Martin Roy · line 2",
        "duplicate of line 3 · line 4",
        "already listed: Jeannine Roy · line 1",
    ]
    assert "2 new people" in page.text
    assert office.club.people.count() == 2
    form = page.form("/import", having="confirmed")
    page = office.browser.send(page, form, ("confirmed", "1"), also=["2"])
    assert "People imported from a list: 3" in page.text
    assert office.club.people.filter(name="Roy Martin").exists()
    page = office.browser.send(page, page.form("/undo"))
    assert office.club.people.count() == 2


def test_namesakes_are_told_apart_by_how_to_reach_them(office: Office) -> None:
    page = send(office, "Jean Roy, 418 555-0101\nJean Roy, 418 555-0999")
    (line,) = page.one("section", **{"aria-labelledby": "alike"}).every("li")
    assert "418 555-0999" in line.text


class TestAListThatIsBroughtInAgain:
    LIST = "name,phone\nLise Roy,418 555-0101\nPaul Roy,418 555-0202\nAnne Cyr,418 555-0303"

    def again(self, office: Office, text: str) -> Page:
        import_people(club_id=office.club.pk, text=self.LIST)
        return send(office, text)

    def confirm(self, office: Office, page: Page, **typed: Any) -> Page:
        return office.browser.send(
            page, page.form("/import", having="confirmed"), ("confirmed", "1"), **typed
        )

    def contacts(self, office: Office) -> list[str]:
        return [person.contact for person in office.club.people.order_by("pk")]

    @pytest.mark.snapshot
    def test_shows_who_is_reached_otherwise_now_whatever_groups_the_digits(self, office: Office) -> None:
        page = self.again(office, "name,phone\nlise roy,418 555-9999\nPaul Roy,(418) 555.0202\nAnne Cyr,")
        (line,) = page.one("section", **{"aria-labelledby": "contacts"}).every("li")
        assert line.text == "Lise Roy418 555-0101 → 418 555-9999"

    @pytest.mark.slow
    def test_takes_over_their_telephones_as_one_change_if_that_is_ticked(self, office: Office) -> None:
        page = self.again(office, "name,phone\nLise Roy,lise@example.org\nZoé Zed,")
        page = self.confirm(office, page, contacts="1")
        assert "People imported from a list: 1; contact details changed: 1" in page.text
        assert self.contacts(office) == ["lise@example.org", "418 555-0202", "418 555-0303", ""]
        office.browser.send(page, page.form("/undo"))
        assert self.contacts(office) == ["418 555-0101", "418 555-0202", "418 555-0303"]

    @pytest.mark.slow
    def test_takes_over_nothing_that_is_not_ticked_and_asks_again(self, office: Office) -> None:
        page = self.confirm(office, self.again(office, "name,phone\nLise Roy,418 555-9999"))
        assert page.status == 422
        assert self.contacts(office)[0] == "418 555-0101"
        self.confirm(office, page, contacts="1")
        assert self.contacts(office)[0] == "418 555-9999"

    def test_leaves_whom_the_club_knows_alone_where_the_line_is_somebody_new(self, office: Office) -> None:
        page = self.again(office, "name,phone\nLise Roy,418 555-9999")
        self.confirm(office, page, contacts="1", also=["2"])
        assert self.contacts(office) == ["418 555-0101", "418 555-0202", "418 555-0303", "418 555-9999"]

    @pytest.mark.slow
    def test_of_many_is_taken_over_by_the_worker(self, office: Office) -> None:
        letters = "abcdefghijklmnopqr"
        names = [f"{one}{other} Roy" for one in letters for other in letters]
        import_people(club_id=office.club.pk, text="\n".join(names))
        page = send(office, "\n".join(["name,phone", *(f"{name},555-01" for name in names)]))
        assert "And 264 more." in page.text
        self.confirm(office, page, contacts="1")
        run_job(Job.objects.filter(kind="import_people").latest("pk").pk)
        assert set(self.contacts(office)) == {"555-01"}


@pytest.mark.slow
@pytest.mark.snapshot
def test_a_workbook_is_read_and_names_the_columns_that_are_not(office: Office) -> None:
    content = a_workbook(["Prénom", "Nom", "Ville"], ["Lise", "Roy", "Matane"])
    page = send(office, content=content)
    assert "Columns ignored: Ville." in page.text
    office.browser.send(page, page.form("/import", having="confirmed"), ("confirmed", "1"))
    assert office.club.people.get().name == "Lise Roy"


@pytest.mark.snapshot
def test_contacts_of_nobody_are_told_and_hold_nobody_up(office: Office) -> None:
    text = "BEGIN:VCARD\nORG:Garage Roy\nEND:VCARD\nBEGIN:VCARD\nFN:Lise Roy\nEND:VCARD"
    page = send(office, text)
    assert "1 contact without a person’s name is ignored: Garage Roy" in page.text
    office.browser.send(page, page.form("/import", having="confirmed"), ("confirmed", "1"))
    assert office.club.people.get().name == "Lise Roy"


def test_bad_lines_are_named_and_what_was_pasted_is_kept(office: Office) -> None:
    page = send(office, "Anne A\nR2D2")
    assert page.status == 422
    refused = page.one("table", class_="refused").one("tbody")
    rows = [[cell.text for cell in row.every("td")] for row in refused.every("tr")]
    assert rows == [["2", "“R2D2” cannot contain “2”. Remove it."]]
    assert "R2D2" in page.field("text").value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04", "list.xlsx cannot be read."),
        (b"\x81\x8d", "Not UTF-8."),
        (b"\n\n", "This list is empty."),
    ],
    ids=["no workbook", "no text", "empty"],
)
def test_a_file_that_is_no_list_is_refused_at_the_field(
    office: Office, content: bytes | Callable[[], bytes], said: str
) -> None:
    page = send(office, content=made(content))
    assert page.status in (413, 422)
    assert page.said_at("file").startswith(said)


def test_nothing_at_all_is_asked_for(office: Office) -> None:
    assert send(office).said_at("file") == "Choose a file first."


@pytest.mark.snapshot
def test_a_list_whose_people_have_come_in_meanwhile_is_shown_anew(office: Office) -> None:
    page = send(office, "Anne Cyr")
    find_or_add_people(club=office.club, full_names=["Anne Cyr"])
    page = office.browser.send(page, page.form("/import", having="confirmed"), ("confirmed", "1"))
    assert page.status == 422
    assert page.alert.startswith("The club knows everyone here.")
    assert "already listed: Anne Cyr" in page.text


@pytest.mark.slow
def test_ten_thousand_lines_are_previewed_in_part(office: Office) -> None:
    letters = "abcdefghij"
    names = [f"{a}{b} x{c}{d}" for a in letters for b in letters for c in letters for d in letters]
    page = send(office, "\n".join(names))
    assert "10000 new people" in page.text.replace("\u202f", "").replace(",", "")
    assert len(page.html) < 400_000


def test_a_long_list_is_added_by_the_worker_and_the_page_says_how_far_it_is(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clubs.services.people_import.LARGE", 2)
    page = send(office, "Anne Cyr\nLise Cyr")
    page = office.browser.send(page, page.form("/import", having="confirmed"), ("confirmed", "1"))
    assert page.path == f"/club/{office.club.slug}/bringing-in"
    assert "Importing the list of people" in page.text
    assert not office.club.people.exists()
    run_job(Job.objects.get(kind="import_people").pk)
    page = office.browser.open(page.path)
    assert "Done." in page.text
    assert office.club.people.count() == 2
    assert office.club.actions.get().details["count"] == 2


def test_a_long_list_that_is_stopped_adds_nobody_and_can_be_tried_again(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("clubs.services.people_import.LARGE", 2)
    page = send(office, "Anne Cyr\nLise Cyr")
    page = office.browser.send(page, page.form("/import", having="confirmed"), ("confirmed", "1"))
    page = office.browser.send(page, page.form("/stop"))
    assert "Stopped early." in page.text
    page = office.browser.send(page, page.form("/again"))
    run_job(Job.objects.get(kind="import_people").pk)
    assert office.club.people.count() == 2


def test_a_list_that_nobody_takes_up_says_so(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("clubs.services.people_import.LARGE", 2)
    page = send(office, "Anne Cyr\nLise Cyr")
    page = office.browser.send(page, page.form("/import", having="confirmed"), ("confirmed", "1"))
    assert "The organizer must restart Charlemagne" not in page.text
    Job.objects.update(created_at=timezone.now() - timedelta(minutes=1))
    assert "The organizer must restart Charlemagne" in office.browser.open(page.path).text


@pytest.mark.slow
@pytest.mark.snapshot
def test_a_workbook_with_a_cover_sheet_asks_which_sheet_is_the_list(office: Office) -> None:
    content = a_workbook_of(Couverture=[["Club de Matane"]], Membres=[["Nom"], ["Lise Roy"]])
    page = send(office, content=content)
    assert page.status == 422
    assert "This file has several tabs: Couverture and Membres." in page.text
    section = page.one("section", **{"aria-labelledby": "which-sheet"})
    assert [each.text for each in section.every("span", class_="second")] == ["1 line", "2 lines"]
    assert office.club.people.count() == 0
    members = list(section.every("form"))[1]
    page = office.browser.send(page, members, ("sheet", "2"))
    assert "1 new person" in page.text
    office.browser.send(page, page.form("/import", having="confirmed"), ("confirmed", "1"))
    assert office.club.people.get().name == "Lise Roy"


@pytest.mark.snapshot
def test_lines_above_the_headings_are_told(office: Office) -> None:
    page = send(office, "Club de Matane;\nau 1er mai;\nNom;Tél\nLise Roy;5")
    assert "Ignored above the headings: Club de Matane · au 1er mai" in page.text
    assert "1 new person" in page.text


@pytest.mark.parametrize("is_respelled", [True, False])
def test_names_in_capitals_are_written_as_usual_only_if_that_is_asked(
    office: Office, is_respelled: bool
) -> None:
    page = send(office, "TREMBLAY, JEAN\nD'AMOURS, MARIE-ÈVE\nLise Roy\nJ. R.")
    assert "Convert 2 names from capitals: Jean Tremblay, Marie-Ève D'Amours" in (page.text)
    assert not page.field("respelled").is_checked
    typed: dict[str, Any] = {"respelled": "1"} if is_respelled else {}
    form = page.form("/import", having="confirmed")
    office.browser.send(page, form, ("confirmed", "1"), **typed)
    usual, capitals = {"Jean Tremblay", "Marie-Ève D'Amours"}, {"JEAN TREMBLAY", "MARIE-ÈVE D'AMOURS"}
    names = usual if is_respelled else capitals
    assert set(office.club.people.values_list("name", flat=True)) == names | {"Lise Roy", "J. R."}


def test_a_list_without_capitals_offers_nothing(office: Office) -> None:
    assert "respelled" not in send(office, "Jean Tremblay\nJ. R.").html


@pytest.mark.snapshot
def test_a_column_is_named_as_the_file_does_and_one_that_is_missing_in_the_readers_language(
    office: Office,
) -> None:
    office.browser = Browser(account=office.owner, language="fr")
    for text, column in (("Nom;Groupes\nLise Roy;" + "x" * 41, "Groupes"), ("Tél\n555", "Nom")):
        page = send(office, content=text.encode("cp1252"), name="liste.csv")
        assert page.status == 422
        refused = page.one("table", class_="refused").one("tbody")
        assert [cell.text for cell in refused.every("td")][1] == column


def test_contacts_of_a_telephone_are_read(office: Office) -> None:
    card = "BEGIN:VCARD\nVERSION:3.0\nFN:Édith Roy\nTEL:555\nEND:VCARD\n"
    page = send(office, content=card.encode(), name="contacts.vcf")
    assert "1 new person" in page.text
    assert "(vCard)" in office.browser.open(f"/club/{office.club.slug}/people/import").text


@pytest.mark.slow
@pytest.mark.parametrize(
    "content", [b"\x00", b"Nom\n\x00\n", "Nom\n\ud800".encode("utf-8", "surrogatepass"), a_workbook([])]
)
def test_a_file_of_nothing_that_is_a_name_is_refused(office: Office, content: bytes) -> None:
    page = send(office, content=content, name="list.csv")
    assert page.status == 422
    assert office.club.people.count() == 0
