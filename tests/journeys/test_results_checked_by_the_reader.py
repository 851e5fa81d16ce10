"""A reader checks a tournament in their own browser: its file, its club's log and key."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest
from django.test import Client
from playwright.sync_api import expect

from clubs.services.accounts import make_owner
from engine.signed_logs import fingerprint, signed_log_to_json
from operations.verifier import release
from operations.verifier.views import edition
from tests import parts
from tests.journeys.engines import firefox
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.support.event_files import file_of
from tests.support.signed_events import a_signed_event, exchange_names, forged, the_log
from tournaments.event_files import serialize_event_file
from tournaments.models import Event

NOWHERE = "127.0.0.1:9"
"""A way to the network that leads to none."""
LOADING = 180_000
"""Milliseconds for Python to begin in a browser, beside other tests; a telephone takes some ten thousand."""
CONTROLLED = """navigator.serviceWorker.controller ? true : new Promise((done) => {
  navigator.serviceWorker.addEventListener("controllerchange", () => done(true));
})"""
"""Until the service worker answers for the page."""


@pytest.fixture
def installed() -> Iterator[None]:
    archive = parts.pyodide()
    if archive is None:
        pytest.skip("no Pyodide")
    release.install(archive)
    yield
    rmtree(release.release_folder().parent)


@pytest.fixture
def event(hall: Hall) -> Event:
    event = a_signed_event()
    make_owner(club=event.club, account=hall.owner)
    return event


def checks(phone: Phone, said: str) -> None:
    """Taps it, and reads this."""
    phone.page.locator("#verify button").click()
    expect(phone.page.locator("#verdict h2")).to_have_text(said, timeout=LOADING)


def picks(phone: Phone, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    phone.page.locator("input[name=file]").set_input_files(path)


def test_a_reader_checks_a_file_and_goes_on_without_a_network(
    installed: None, hall: Hall, event: Event, phones: Phones, tmp_path: Path
) -> None:
    key = fingerprint(the_log(event).entries[0].entry["key"])
    phone = phones()
    phone.open(f"/fr/c/{event.club.slug}/log")
    phone.tap(phone.link("Vérifier dans ce navigateur"))
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    expect(phone.page.locator("#verify")).to_contain_text("sont téléchargés")
    assert not [url for url in asked if "/verifier/" in url]
    picks(phone, tmp_path / "event.json", serialize_event_file(file_of(event)))
    phone.page.get_by_label("Empreinte de la clé du club").fill(key)
    checks(phone, "8 rangs, 8 matchs, 18 mains : vérifiés, signés par le club.")
    phone.picture("right")
    assert any(url.endswith(".wasm") for url in asked)
    phone.page.context.set_offline(True)
    picks(phone, tmp_path / "forged.json", serialize_event_file(forged(event, exchange_names)))
    checks(phone, "Erreur trouvée\u00a0: 1.")
    expect(phone.page.locator("#verdict li").first).to_have_text(
        "« people » diffère de ce que le club a signé."
    )
    phone.picture("wrong")


def test_a_phone_that_has_checked_once_opens_the_page_without_a_network(
    installed: None, event: Event, phones: Phones, tmp_path: Path
) -> None:
    phone = phones(service_workers="allow")
    page = f"/en/c/{event.club.slug}/verify"
    phone.open(page)
    phone.runs(CONTROLLED)
    file = serialize_event_file(file_of(event))
    picks(phone, tmp_path / "event.json", file)
    said = "8 ranks, 8 matches, 18 hands: verified, signed by a key you did not give."
    checks(phone, said)
    phone.page.context.set_offline(True)
    phone.open(page)
    phone.page.get_by_label("Verify the club’s results log too").uncheck()
    picks(phone, tmp_path / "event.json", file)
    checks(phone, said)


def test_a_check_kept_as_a_file_needs_no_site(
    installed: None, event: Event, phones: Phones, tmp_path: Path
) -> None:
    phone = phones()
    phone.open(f"/fr/c/{event.club.slug}/verify")
    link = phone.page.get_by_role("link", name="Télécharger ce vérificateur (")
    expect(link).to_contain_text("9,2 Mo")
    with phone.page.expect_download(timeout=LOADING) as downloading:
        phone.tap(link)
    kept = tmp_path / downloading.value.suggested_filename
    assert kept.name == "verifier-les-resultats.html"
    downloading.value.save_as(kept)
    phone.page.context.set_offline(True)
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url))
    phone.page.goto(kept.as_uri())
    picks(phone, tmp_path / "event.json", serialize_event_file(file_of(event)))
    log = tmp_path / "log.json"
    log.write_text(json.dumps(signed_log_to_json(the_log(event))), encoding="utf-8")
    phone.page.get_by_label("Fichier du registre du club").set_input_files(log)
    phone.page.get_by_label("Empreinte de la clé du club").fill(
        fingerprint(the_log(event).entries[0].entry["key"])
    )
    checks(phone, "8 rangs, 8 matchs, 18 mains : vérifiés, signés par le club.")
    phone.picture("kept")
    picks(phone, tmp_path / "forged.json", serialize_event_file(forged(event, exchange_names)))
    checks(phone, "Erreur trouvée\u00a0: 1.")
    assert [url for url in asked if not url.startswith(("file:", "blob:"))] == []


@pytest.mark.long("loads Python once more: the test before does in Chromium")
def test_a_check_kept_as_a_file_runs_in_firefox_too(installed: None, event: Event, tmp_path: Path) -> None:
    if parts.firefox() is None:
        pytest.skip("no Firefox")
    kept, file = tmp_path / "kept.html", tmp_path / "event.json"
    answer = Client().get(f"/verifier/{edition()}/en.html")
    kept.write_bytes(gzip.decompress(answer.content))
    file.write_bytes(serialize_event_file(file_of(event)))
    (tmp_path / "profile").mkdir()
    with firefox(tmp_path / "profile", NOWHERE) as tab:
        tab.open(kept.as_uri())
        tab.type("input[name=file]", str(file))
        tab.press("#verify button")
        tab.sees("#verdict h2", "8 ranks, 8 matches, 18 hands: verified, signed by a key you did not give.")


@pytest.mark.long("loads Python once more: the first test checks this file")
def test_a_director_checks_the_file_of_the_event_with_one_tap(
    installed: None, hall: Hall, event: Event, phones: Phones
) -> None:
    laptop = phones.laptop()
    laptop.sign_in(hall.owner)
    laptop.open(f"/e/{event.short}/desk/print")
    laptop.tap(laptop.link("Verify the results"))
    checks(laptop, "8 ranks, 8 matches, 18 hands: verified, signed by a key you did not give.")


def test_where_it_is_not_installed_the_page_names_the_command(event: Event, phones: Phones) -> None:
    phone = phones()
    phone.open(f"/en/c/{event.club.slug}/verify")
    expect(phone.page.get_by_role("main")).to_contain_text("charlemagne verify FILE --key")
    expect(phone.page.get_by_role("button", name="Check")).to_have_count(0)
