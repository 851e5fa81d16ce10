"""Features of the phone: the screen stays awake, and the table page can be installed on the home screen."""

from __future__ import annotations

import pytest

from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones

COUNT_LOCKS_SCRIPT = """
  window.asked = 0;
  navigator.wakeLock.request = async () => { window.asked += 1; };
"""
REFUSE_LOCK_SCRIPT = "navigator.wakeLock.request = async () => { throw new DOMException('', 'NotAllowedError'); };"
REMOVE_LOCK_SCRIPT = "delete Navigator.prototype.wakeLock;"


def hide_and_show_page(phone: Phone) -> None:
    for is_hidden in ("true", "false"):
        phone.run_script(f"Object.defineProperty(document, 'hidden', {{value: {is_hidden}, configurable: true}})")
        phone.run_script("document.dispatchEvent(new Event('visibilitychange'))")


@pytest.mark.long
def test_page_requests_the_wake_lock_again_when_visible(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones()
    phone.page.add_init_script(COUNT_LOCKS_SCRIPT)
    phone.open(hall.table)
    phone.page.wait_for_function("() => window.asked > 0")
    request_count = int(str(phone.run_script("window.asked")))
    hide_and_show_page(phone)
    assert int(str(phone.run_script("window.asked"))) > request_count


def test_browser_without_a_wake_lock_still_records_hands(hall: Hall, phones: Phones) -> None:
    for script in (REFUSE_LOCK_SCRIPT, REMOVE_LOCK_SCRIPT):
        hall.build_night()
        phone = phones()
        phone.page.add_init_script(script)
        phone.open(hall.table)
        hide_and_show_page(phone)
        phone.mark("A-6-7")
        phone.expect_sent_totals(6, 0)
    assert not phones.broken


def test_table_page_can_be_installed_on_the_home_screen(hall: Hall, phones: Phones) -> None:
    hall.build_night()
    phone = phones(locale="fr-CA")
    phone.open(hall.table)
    cdp_session = phone.page.context.new_cdp_session(phone.page)
    found = cdp_session.send("Page.getAppManifest")
    assert found["url"].endswith("/fr/manifest.webmanifest")
    assert found["errors"] == []
    assert '"lang": "fr-CA"' in found["data"]
    refused = cdp_session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {error["errorId"] for error in refused} <= {"in-incognito"}  # pages of tests are incognito
