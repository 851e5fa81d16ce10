"""Publicity of a club: texts to copy, a frame on the club's own site, and the picture."""

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.builders import compute_standings, play_round
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event

CLUB_SITE_HTML = """<!doctype html><html lang="fr"><meta charset="utf-8"><title>Le club</title>
<h1>Notre club</h1>{line}<p>Bienvenue.</p></html>"""
NATURAL_WIDTH = "image => image.decode().then(() => image.naturalWidth)"


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the folder and the address of another site."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield tmp_path, f"http://localhost:{server.server_port}"
    server.shutdown()
    server.server_close()


def build_ended_night(hall: Hall) -> Event:
    event = hall.build_night(8)
    play_round(event)
    compute_standings(event)
    return end_event(event_id=event.pk)


def test_text_is_copied_with_one_tap_and_its_picture_shown(hall: Hall, phones: Phones) -> None:
    event = build_ended_night(hall)
    phone = phones("teller", permissions=["clipboard-read", "clipboard-write"])
    phone.sign_in(hall.owner)
    phone.open(f"/e/{event.short}/desk")
    phone.tap(phone.link("Newspaper and Facebook texts"))
    text = phone.page.locator("#paper-fr").input_value()
    assert "ont pris part" in text
    button = phone.page.locator("[data-copy=paper-fr]")
    phone.tap(button)
    expect(button).to_have_text("Copied")
    assert phone.run_script("navigator.clipboard.readText()") == text
    phone.take_picture("texts")
    assert phone.page.get_by_role("img").evaluate(NATURAL_WIDTH) == 1200


def test_embedded_frame_fits_its_content_and_links_out_of_it(
    hall: Hall, phones: Phones, site: tuple[Path, str]
) -> None:
    event = build_ended_night(hall)
    folder, address = site
    desk = phones("desk")
    desk.sign_in(hall.owner)
    desk.open(f"/e/{event.short}/desk/embedding?in=fr")
    line = desk.page.locator("#line-1").input_value()
    (folder / "club.html").write_text(CLUB_SITE_HTML.format(line=line), encoding="utf-8")
    reader = phones("reader")
    reader.open(f"{address}/club.html")
    frame = reader.page.frame_locator("iframe")
    expect(frame.get_by_role("heading", name="Soirée du mardi")).to_be_visible()
    inside = frame.locator("body").evaluate("body => body.offsetHeight")
    expect(reader.page.locator("iframe")).to_have_css("height", f"{inside}px")
    assert inside != 480
    assert not reader.page.context.cookies()
    reader.take_picture("frame")
    with reader.page.expect_popup() as opened:
        frame.get_by_role("link", name="Classement complet").click()
    expect(opened.value.get_by_role("heading", name="Soirée du mardi")).to_be_visible()
    assert opened.value.url.endswith(f"/fr/e/{event.short}")
