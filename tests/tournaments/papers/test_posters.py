"""The poster of an upcoming event: its details on one page, with a QR code of its public page."""

import io
import struct
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.utils.http import urlencode
from pypdf import PdfReader

from clubs.models import Club
from tests.support.browser import Browser
from tests.support.office import Office
from tests.tournaments.agenda.test_event_details import DETAILS, build_office_with_poster
from tournaments.events.services.announcements import call_off_event
from tournaments.models import Event
from tournaments.papers.contents import build_file_name, document_of
from tournaments.papers.orders import Order, Paper
from tournaments.papers.paper_files import PAPER_STORE
from tournaments.papers.typesetting.documents import Document

from .documents import extract_text

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LONGEST = "Club de l’âge d’or de Notre-Dame-du-Bon-Secours-de-la-Bruère-Montarville-et-env."


def get_poster_path(office: Office, ending: str = "pdf", language: str = "en") -> str:
    return f"/{language}/e/{office.event.short}/poster.{ending}"


def fetch_poster(office: Office, ending: str = "pdf", language: str = "en", **query: str) -> Any:
    response: Any = Browser().client.get(f"{get_poster_path(office, ending, language)}?{urlencode(query)}")
    assert response.status_code == 200
    return response


def read_poster(office: Office, language: str = "en", **query: str) -> PdfReader:
    return PdfReader(io.BytesIO(fetch_poster(office, language=language, **query).content))


def get_poster_text(office: Office, language: str = "en") -> str:
    return extract_text(read_poster(office, language)).replace("\u00a0", " ")


def build_document(office: Office, origin: str = "https://cards.example.org/") -> Document:
    return document_of(Order(paper=Paper.POSTER, of=office.event.pk, language="en", origin=origin))


class TestPoster:
    def test_poster_includes_all_event_details(self) -> None:
        office = build_office_with_poster()
        Event.objects.update(member_fee=800, guest_fee=1000)
        text = get_poster_text(office)
        for each in (DETAILS["place"], DETAILS["address"], DETAILS["prizes"], DETAILS["bring"], DETAILS["contact"]):
            assert each in text
        assert "Souper à 17 h. Bienvenue aux débutants." in text
        assert office.club.name in text
        assert "6:30 PM to 12:30 AM" in text.replace("midnight", "12:30 AM")
        assert "members $8, guests $10" in text
        assert "Sign-up deadline" in text

    @pytest.mark.long
    def test_poster_of_a_cancelled_event_invites_no_one(self) -> None:
        office = build_office_with_poster()
        assert "Event cancelled" not in get_poster_text(office)
        call_off_event(event_id=office.event.pk, reason="Tempête")
        assert "Event cancelled (Tempête)" in get_poster_text(office)
        assert "Événement annulé (Tempête)" in get_poster_text(office, "fr")
        assert "Scan to sign up" not in get_poster_text(office)

    @pytest.mark.long
    def test_poster_uses_the_requested_or_club_language(self) -> None:
        office = build_office_with_poster()
        assert "Balayez pour vous inscrire" in get_poster_text(office, "fr")
        assert "Scan to sign up" in get_poster_text(office)
        Club.objects.update(language="fr")
        content = Browser().client.get(f"/e/{office.event.short}/poster.pdf").content
        assert "Balayez" in extract_text(PdfReader(io.BytesIO(content)))

    def test_poster_leaves_lines_for_missing_details(self) -> None:
        office = Office(pairs=4)
        assert all(line in get_poster_text(office) for line in ("Time", "Place"))
        shown = build_document(office)
        assert [fact["name"] for fact in shown.common["facts"]] == ["How it is played"]
        assert (shown.common["hours"], shown.common["about"]) == ("", "")
        assert shown.labels["scan"] == "Scan for details"
        assert len(read_poster(office).pages) == 1

    @pytest.mark.long
    def test_poster_with_the_longest_texts_fits_one_page(self) -> None:
        office = build_office_with_poster(
            place="Salle " * 20,
            address="12 rue " * 28,
            about="Bienvenue " * 100,
            prizes="bourse " * 42,
            bring="chaise " * 42,
            contact="Roy " * 30,
        )
        Club.objects.update(name=LONGEST)
        Event.objects.update(name="Grand tournoi provincial de la Fédération des clubs du Bas-Saint-Laurent")
        for size in ("us-letter", "a4"):
            pdf = read_poster(office, size=size)
            assert len(pdf.pages) == 1
            text = extract_text(pdf)
            assert [text.count(word) for word in ("Bienvenue", "bourse", "chaise")] == [100, 42, 42]
            assert LONGEST.replace(" ", "") in text.replace(" ", "")

    @pytest.mark.long
    def test_poster_has_a_qr_code_and_a_typable_address(self) -> None:
        (item,) = build_document(build_office_with_poster()).items
        assert item["address"].startswith("https://cards.example.org/e/")
        assert f"https://{item['typed']}" == item["address"]

    def test_poster_omits_an_unreachable_qr_code(self) -> None:
        office = build_office_with_poster()
        assert list(build_document(office, "http://127.0.0.1:8000/").items) == [{}]
        Event.objects.update(is_public=False)
        assert list(build_document(office).items) == [{}]

    @pytest.mark.long
    def test_poster_uses_the_requested_page_size(self) -> None:
        office = build_office_with_poster()
        sizes = [read_poster(office, size=size).pages[0].mediabox for size in ("us-letter", "a4", "a3")]
        assert [round(one.height) for one in sizes] == [792, 842, 792]

    @pytest.mark.long
    def test_poster_of_a_hidden_event_is_404(self) -> None:
        office = build_office_with_poster()
        Event.objects.update(is_public=False)
        for ending in ("pdf", "png"):
            assert Browser().client.get(get_poster_path(office, ending)).status_code == 404


class TestPosterImage:
    def test_poster_image_is_a_full_page_png(self) -> None:
        response = fetch_poster(build_office_with_poster(), "png")
        assert response.headers["Content-Type"] == "image/png"
        assert struct.unpack(">II", response.content[16:24]) == (1020, 1320)

    @pytest.mark.long
    def test_poster_image_is_cached_until_the_details_change(self) -> None:
        office = build_office_with_poster()
        Event.objects.update(name=f"Tournoi {uuid4()}")  # an earlier run may have cached an event of a fixed name
        before = self.list_files(office)
        first = fetch_poster(office, "png")
        (drawn,) = self.list_files(office) - before
        at = drawn.stat().st_mtime_ns
        assert fetch_poster(office, "png").content == first.content
        assert drawn.stat().st_mtime_ns == at
        etag = first.headers["ETag"]
        again = Browser().client.get(get_poster_path(office, "png"), headers={"If-None-Match": etag})
        assert (again.status_code, again.content) == (304, b"")
        Event.objects.update(announcement_data={"bring": "Une chaise"})
        assert fetch_poster(office, "png").content != first.content

    def list_files(self, office: Office) -> set[Path]:
        return set(PAPER_STORE.folder.glob(f"{office.club.pk}-*.png"))


@pytest.mark.long
class TestPosterLinks:
    def test_event_page_links_to_the_poster_until_the_start(self) -> None:
        office = build_office_with_poster()
        page = Browser().open(f"/e/{office.event.short}")
        links = [one.attrs["href"] for one in page.find_all("a") if "/poster." in one.attrs.get("href", "")]
        short = f"/e/{office.event.short}/poster"
        assert links == [f"{short}.pdf", f"{short}.pdf?size=a4", f"{short}.png"]
        Event.objects.update(state="running")
        assert "poster.pdf" not in Browser().open(f"/e/{office.event.short}").response.content.decode()

    def test_print_page_offers_the_poster_until_the_start(self) -> None:
        office = build_office_with_poster()
        address = f"/e/{office.event.short}/desk/print"

        def list_offered() -> list[str]:
            return [str(one.value) for one in office.browser.open(address).find_all("button", name="paper")]

        assert "poster" in list_offered()
        Event.objects.update(state="running")
        assert "poster" not in list_offered()


@pytest.mark.long
@pytest.mark.parametrize(
    ("language", "name"), [("en", "score-sheets-tonight.pdf"), ("fr", "feuilles-de-pointage-tonight.pdf")]
)
def test_paper_is_a_file_named_in_its_language(language: str, name: str) -> None:
    assert build_file_name(Order(paper=Paper.SHEETS, of=1, language=language), "tonight") == name
