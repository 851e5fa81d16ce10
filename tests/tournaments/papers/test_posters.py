"""The poster of an event to come: what the event says of itself, on one page, with the square of its page."""

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
from tests.tournaments.agenda.test_announcing import SAID, a_poster
from tournaments.events.services.announcing import call_off_event
from tournaments.models import Event
from tournaments.papers.contents import document_of
from tournaments.papers.orders import Order, Paper
from tournaments.papers.paper_files import FILES
from tournaments.papers.typesetting import Document

from .papers import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LONGEST = "Club de l’âge d’or de Notre-Dame-du-Bon-Secours-de-la-Bruère-Montarville-et-environs"


def address_of(office: Office, ending: str = "pdf", language: str = "en") -> str:
    return f"/{language}/e/{office.event.short}/poster.{ending}"


def asked(office: Office, ending: str = "pdf", language: str = "en", **query: str) -> Any:
    response: Any = Browser().client.get(f"{address_of(office, ending, language)}?{urlencode(query)}")
    assert response.status_code == 200
    return response


def printed(office: Office, language: str = "en", **query: str) -> PdfReader:
    return PdfReader(io.BytesIO(asked(office, language=language, **query).content))


def said(office: Office, language: str = "en") -> str:
    return text_of(printed(office, language)).replace("\u00a0", " ")


def document(office: Office, origin: str = "https://cards.example.org/") -> Document:
    return document_of(Order(paper=Paper.POSTER, of=office.event.pk, language="en", origin=origin))


class TestThePoster:
    def test_says_all_that_the_event_says(self) -> None:
        office = a_poster()
        Event.objects.update(member_fee=800, guest_fee=1000)
        text = said(office)
        for each in (SAID["place"], SAID["address"], SAID["prizes"], SAID["bring"], SAID["contact"]):
            assert each in text
        assert "Souper à 17 h. Bienvenue aux débutants." in text
        assert office.club.name in text
        assert "6:30 PM to 12:30 AM" in text.replace("midnight", "12:30 AM")
        assert "members $8, guests $10" in text
        assert "Sign-up deadline" in text

    def test_of_what_is_called_off_says_so_and_invites_nobody(self) -> None:
        office = a_poster()
        assert "Event cancelled" not in said(office)
        call_off_event(event_id=office.event.pk, reason="Tempête")
        assert "Event cancelled (Tempête)" in said(office)
        assert "Événement annulé (Tempête)" in said(office, "fr")
        assert "Scan to sign up" not in said(office)

    def test_speaks_the_language_of_its_address_else_the_clubs(self) -> None:
        office = a_poster()
        assert "Balayez pour vous inscrire" in said(office, "fr")
        assert "Scan to sign up" in said(office)
        Club.objects.update(language="fr")
        content = Browser().client.get(f"/e/{office.event.short}/poster.pdf").content
        assert "Balayez" in text_of(PdfReader(io.BytesIO(content)))

    def test_leaves_out_what_nobody_has_said(self) -> None:
        office = Office(pairs=4)
        shown = document(office)
        assert [fact["name"] for fact in shown.shared["facts"]] == ["How it is played"]
        assert (shown.shared["hours"], shown.shared["about"]) == ("", "")
        assert shown.words["scan"] == "Scan for details"
        assert len(printed(office).pages) == 1

    def test_with_everything_at_its_longest_is_one_page_with_all_of_it(self) -> None:
        office = a_poster(
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
            pdf = printed(office, size=size)
            assert len(pdf.pages) == 1
            text = text_of(pdf)
            assert [text.count(word) for word in ("Bienvenue", "bourse", "chaise")] == [100, 42, 42]
            assert LONGEST.replace(" ", "") in text.replace(" ", "")

    def test_has_the_square_of_the_page_and_its_address_to_type(self) -> None:
        (item,) = document(a_poster()).items
        assert item["address"].startswith("https://cards.example.org/e/")
        assert f"https://{item['typed']}" == item["address"]

    def test_has_no_square_where_phones_do_not_reach_the_page(self) -> None:
        office = a_poster()
        assert list(document(office, "http://127.0.0.1:8000/").items) == [{}]
        Event.objects.update(is_public=False)
        assert list(document(office).items) == [{}]

    def test_is_on_the_paper_that_is_asked_for(self) -> None:
        office = a_poster()
        sizes = [printed(office, size=size).pages[0].mediabox for size in ("us-letter", "a4", "a3")]
        assert [round(one.height) for one in sizes] == [792, 842, 792]

    def test_is_of_an_event_that_everybody_may_see(self) -> None:
        office = a_poster()
        Event.objects.update(is_public=False)
        for ending in ("pdf", "png"):
            assert Browser().client.get(address_of(office, ending)).status_code == 404


class TestThePicture:
    def test_is_a_page_in_colour(self) -> None:
        response = asked(a_poster(), "png")
        assert response.headers["Content-Type"] == "image/png"
        assert struct.unpack(">II", response.content[16:24]) == (1020, 1320)

    def test_is_drawn_once_and_anew_once_it_says_something_else(self) -> None:
        office = a_poster()
        Event.objects.update(name=f"Tournoi {uuid4()}")  # another run may have drawn the one of that name
        before = self.files(office)
        first = asked(office, "png")
        (drawn,) = self.files(office) - before
        at = drawn.stat().st_mtime_ns
        assert asked(office, "png").content == first.content
        assert drawn.stat().st_mtime_ns == at
        etag = first.headers["ETag"]
        again = Browser().client.get(address_of(office, "png"), headers={"If-None-Match": etag})
        assert (again.status_code, again.content) == (304, b"")
        Event.objects.update(announcement_data={"bring": "Une chaise"})
        assert asked(office, "png").content != first.content

    def files(self, office: Office) -> set[Path]:
        return set(FILES.folder.glob(f"{office.club.pk}-*.png"))


class TestTheWayToIt:
    def test_is_on_the_events_page_until_it_begins(self) -> None:
        office = a_poster()
        page = Browser().open(f"/e/{office.event.short}")
        links = [one.attrs["href"] for one in page.every("a") if "/poster." in one.attrs.get("href", "")]
        short = f"/e/{office.event.short}/poster"
        assert links == [f"{short}.pdf", f"{short}.pdf?size=a4", f"{short}.png"]
        Event.objects.update(state="running")
        assert "poster.pdf" not in Browser().open(f"/e/{office.event.short}").response.content.decode()

    def test_is_on_the_desks_print_page_until_it_begins(self) -> None:
        office = a_poster()
        address = f"/e/{office.event.short}/desk/print"

        def offered() -> list[str]:
            return [str(one.value) for one in office.browser.open(address).every("button", name="paper")]

        assert "poster" in offered()
        Event.objects.update(state="running")
        assert "poster" not in offered()
