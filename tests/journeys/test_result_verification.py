"""A reader verifies a tournament in the browser: its file against the club's results log and signing key."""

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest
from django.test import Client
from playwright.sync_api import expect

from clubs.services.accounts import make_owner
from engine.signed_logs import get_fingerprint, signed_log_to_json
from operations.verifier import release
from operations.verifier.views import compute_edition
from tests import external_tools
from tests.journeys.engines import run_firefox
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.support.event_files import export_event
from tests.support.signed_events import build_signed_event, exchange_names, forge, get_log
from tournaments.event_files.writer import serialize_event_file
from tournaments.models import Event

NOWHERE = "127.0.0.1:9"
"""A proxy address where nothing listens."""
LOADING_TIMEOUT_MS = 180_000
"""Milliseconds for Python to start in a browser, beside other tests; a phone takes some ten thousand."""
CONTROLLED_SCRIPT = """navigator.serviceWorker.controller ? true : new Promise((done) => {
  navigator.serviceWorker.addEventListener("controllerchange", () => done(true));
})"""
"""Waits until a service worker controls the page."""


@pytest.fixture
def installed() -> Iterator[None]:
    archive = external_tools.find_pyodide()
    if archive is None:
        pytest.skip("no Pyodide")
    release.install_release(archive)
    yield
    rmtree(release.get_release_folder().parent)


@pytest.fixture
def event(hall: Hall) -> Event:
    event = build_signed_event()
    make_owner(club=event.club, account=hall.owner)
    return event


def check_results(phone: Phone, verdict: str) -> None:
    """Press the button, and wait for the verdict."""
    phone.page.locator("#verify button").click()
    expect(phone.page.locator("#verdict h2")).to_have_text(verdict, timeout=LOADING_TIMEOUT_MS)


def choose_file(phone: Phone, path: Path, content: bytes) -> None:
    path.write_bytes(content)
    phone.page.locator("input[name=file]").set_input_files(path)


def test_reader_verifies_a_file_in_the_browser_and_offline(
    installed: None, hall: Hall, event: Event, phones: Phones, tmp_path: Path
) -> None:
    key = get_fingerprint(get_log(event).entries[0].entry["key"])
    phone = phones()
    phone.open(f"/fr/c/{event.club.slug}/log")
    phone.tap(phone.link("Vérifier dans ce navigateur"))
    urls: list[str] = []
    phone.page.on("request", lambda request: urls.append(request.url))
    expect(phone.page.locator("#verify")).to_contain_text("sont téléchargés")
    assert not [url for url in urls if "/verifier/" in url]
    choose_file(phone, tmp_path / "event.json", serialize_event_file(export_event(event)))
    phone.page.get_by_label("Empreinte de la clé du club").fill(key)
    check_results(phone, "8 rangs, 8 matchs, 18 mains : vérifiés, signés par le club.")
    phone.take_picture("right")
    assert any(url.endswith(".wasm") for url in urls)
    phone.page.context.set_offline(True)
    choose_file(phone, tmp_path / "forged.json", serialize_event_file(forge(event, exchange_names)))
    check_results(phone, "Erreur trouvée\u00a0: 1.")
    expect(phone.page.locator("#verdict li").first).to_have_text("« people » diffère de ce que le club a signé.")
    phone.take_picture("wrong")


@pytest.mark.long("loads Python again; the first test verifies without a network, too")
def test_verified_page_opens_again_offline(installed: None, event: Event, phones: Phones, tmp_path: Path) -> None:
    phone = phones(service_workers="allow")
    page = f"/en/c/{event.club.slug}/verify"
    phone.open(page)
    phone.run_script(CONTROLLED_SCRIPT)
    file = serialize_event_file(export_event(event))
    choose_file(phone, tmp_path / "event.json", file)
    expected_text = "8 ranks, 8 matches, 18 hands: verified, signed by a key you did not give."
    check_results(phone, expected_text)
    phone.page.context.set_offline(True)
    phone.open(page)
    phone.page.get_by_label("Verify the club’s results log too").uncheck()
    choose_file(phone, tmp_path / "event.json", file)
    check_results(phone, expected_text)


@pytest.mark.long
def test_downloaded_verifier_needs_no_site(installed: None, event: Event, phones: Phones, tmp_path: Path) -> None:
    phone = phones()
    phone.open(f"/fr/c/{event.club.slug}/verify")
    link = phone.page.get_by_role("link", name="Télécharger ce vérificateur (")
    expect(link).to_contain_text(re.compile(r"\(\d,\d\sMo\)"))
    with phone.page.expect_download(timeout=LOADING_TIMEOUT_MS) as downloading:
        phone.tap(link)
    verifier_file = tmp_path / downloading.value.suggested_filename
    assert verifier_file.name == "verifier-les-resultats.html"
    downloading.value.save_as(verifier_file)
    phone.page.context.set_offline(True)
    urls: list[str] = []
    phone.page.on("request", lambda request: urls.append(request.url))
    phone.page.goto(verifier_file.as_uri())
    choose_file(phone, tmp_path / "event.json", serialize_event_file(export_event(event)))
    log = tmp_path / "log.json"
    log.write_text(json.dumps(signed_log_to_json(get_log(event))), encoding="utf-8")
    phone.page.get_by_label("Fichier du registre du club").set_input_files(log)
    phone.page.get_by_label("Empreinte de la clé du club").fill(get_fingerprint(get_log(event).entries[0].entry["key"]))
    check_results(phone, "8 rangs, 8 matchs, 18 mains : vérifiés, signés par le club.")
    phone.take_picture("kept")
    choose_file(phone, tmp_path / "forged.json", serialize_event_file(forge(event, exchange_names)))
    check_results(phone, "Erreur trouvée\u00a0: 1.")
    assert [url for url in urls if not url.startswith(("file:", "blob:"))] == []


@pytest.mark.long("loads Python again; the test before does in Chromium")
def test_downloaded_verifier_runs_in_firefox(installed: None, event: Event, tmp_path: Path) -> None:
    if external_tools.find_firefox() is None:
        pytest.skip("no Firefox")
    verifier_file, file = tmp_path / "kept.html", tmp_path / "event.json"
    answer = Client().get(f"/verifier/{compute_edition()}/en.html")
    verifier_file.write_bytes(gzip.decompress(answer.content))
    file.write_bytes(serialize_event_file(export_event(event)))
    (tmp_path / "profile").mkdir()
    with run_firefox(tmp_path / "profile", NOWHERE) as tab:
        tab.open(verifier_file.as_uri())
        tab.type("input[name=file]", str(file))
        tab.press("#verify button")
        tab.wait_for_text("#verdict h2", "8 ranks, 8 matches, 18 hands: verified, signed by a key you did not give.")


@pytest.mark.long("loads Python again; the first test checks this file")
def test_director_verifies_the_results_with_one_tap(installed: None, hall: Hall, event: Event, phones: Phones) -> None:
    laptop = phones.open_laptop()
    laptop.sign_in(hall.owner)
    laptop.open(f"/e/{event.short}/desk/print")
    laptop.tap(laptop.link("Verify the results"))
    check_results(laptop, "8 ranks, 8 matches, 18 hands: verified, signed by a key you did not give.")


def test_page_names_the_command_if_the_verifier_is_not_installed(event: Event, phones: Phones) -> None:
    phone = phones()
    phone.open(f"/en/c/{event.club.slug}/verify")
    expect(phone.page.get_by_role("main")).to_contain_text("charlemagne verify FILE --key")
    expect(phone.page.get_by_role("button", name="Check")).to_have_count(0)
