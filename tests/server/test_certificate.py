"""The hall's certificate for phones, the service worker and offline page, and the addresses in QR codes."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from cryptography import x509
from django.test import Client
from pytest_django.fixtures import Settings

from operations.data_dir import AUTHORITY_FILE
from operations.up.authority import format_fingerprint, open_authority
from server.answers import installation_id
from tests.support.browser import Browser
from tests.support.hall import Hall

pytestmark = pytest.mark.django_db

FILE = "/certificate/charlemagne.crt"


@pytest.fixture
def root(settings: Settings) -> Iterator[x509.Certificate]:
    """Yield the root certificate of a hall that serves HTTPS."""
    settings.HTTP_PORT, settings.HTTPS_PORT = 8000, 8443
    settings.PHONE_URL = "tests.support.hall.find_network_address"
    yield open_authority(Path(settings.DATA_DIR), datetime.now(UTC)).certificate
    (Path(settings.DATA_DIR) / AUTHORITY_FILE).unlink()


@pytest.mark.parametrize("path", ["/certificate", FILE])
def test_certificate_page_requires_https(root: x509.Certificate, settings: Settings, path: str) -> None:
    settings.HTTPS_PORT = 0
    assert Browser().open(path).response.status_code == 404


@pytest.mark.parametrize(("language", "expected_text"), [("en", "iPhone, iPad"), ("fr", "Réglages de confiance")])
def test_certificate_page_shows_the_fingerprint_in_both_languages(
    root: x509.Certificate, language: str, expected_text: str
) -> None:
    page = Browser().open(f"/{language}/certificate")
    assert page.response.status_code == 200
    text = page.response.content.decode()
    assert expected_text in text
    assert format_fingerprint(root) in text
    assert page.find_all("a", href=f"/{language}{FILE}")
    assert page.find_all("a", href="https://testserver:8443/")


def test_certificate_file_is_the_root_without_its_key(root: x509.Certificate) -> None:
    answer = Client().get(FILE)
    assert answer.headers["Content-Type"] == "application/x-x509-ca-cert"
    assert "Content-Disposition" not in answer.headers
    assert x509.load_der_x509_certificate(answer.content) == root
    assert b"PRIVATE" not in answer.content


def test_desk_links_to_the_certificate_while_it_is_served(root: x509.Certificate, settings: Settings) -> None:
    hall = Hall()
    cards = f"/e/{hall.event.short}/desk/cards"
    assert hall.desk.open(cards).find_all("a", href="/certificate")
    settings.HTTPS_PORT = 0
    assert not hall.desk.open(cards).find_all("a", href="/certificate")


@pytest.mark.parametrize(("by_https", "host"), [(False, "192.0.2.40:8000"), (True, "192.0.2.40:8443")])
def test_qr_codes_use_http_until_phones_trust_the_certificate(
    root: x509.Certificate, settings: Settings, by_https: bool, host: str
) -> None:
    settings.CARDS_BY_HTTPS = by_https
    hall = Hall()
    client = hall.desk.client
    for server in ("localhost:8000", "localhost:8443"):
        page = client.get(f"/e/{hall.event.short}/desk/cards", HTTP_HOST=server, secure=server.endswith("8443"))
        assert host in page.content.decode()


def test_service_worker_names_its_installation_and_modules() -> None:
    answer = Browser().open("/service-worker.js").response
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert "no-cache" in answer.headers["Cache-Control"]
    text = answer.content.decode()
    assert text.startswith(f'const KEPT = {{"installation": "{installation_id()}", "version": "')
    assert 'from "/static/js/offline_policy.js"' in text
    assert 'from "./' not in text


@pytest.mark.parametrize(
    ("path", "expected_text"),
    [("/offline", "No network"), ("/en/offline", "No network"), ("/fr/offline", "Pas de réseau")],
)
def test_offline_page_needs_no_other_file(path: str, expected_text: str) -> None:
    page = Browser().open(path)
    assert expected_text in page.response.content.decode()
    assert not page.find_all("script", type="module")
    assert not page.find_all("link", rel="stylesheet")
    assert page.find_all("a", href="")
