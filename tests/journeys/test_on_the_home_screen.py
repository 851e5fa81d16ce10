"""Help of the phone itself: it stays awake, and keeps the page on its home screen."""

from __future__ import annotations

from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones

COUNTED = """
  window.asked = 0;
  navigator.wakeLock.request = async () => { window.asked += 1; };
"""
REFUSED = "navigator.wakeLock.request = async () => { throw new DOMException('', 'NotAllowedError'); };"
NONE_OFFERED = "delete Navigator.prototype.wakeLock;"


def looks_elsewhere_and_back(phone: Phone) -> None:
    for is_hidden in ("true", "false"):
        phone.runs(f"Object.defineProperty(document, 'hidden', {{value: {is_hidden}, configurable: true}})")
        phone.runs("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_browser_is_asked_to_keep_the_screen_awake_and_again_when_the_page_is_back_in_sight(
    hall: Hall, phones: Phones
) -> None:
    hall.a_night()
    phone = phones()
    phone.page.add_init_script(COUNTED)
    phone.open(hall.table)
    phone.page.wait_for_function("() => window.asked > 0")
    asked = int(str(phone.runs("window.asked")))
    looks_elsewhere_and_back(phone)
    assert int(str(phone.runs("window.asked"))) > asked


def test_a_browser_that_does_not_keep_the_screen_awake_marks_all_the_same(hall: Hall, phones: Phones) -> None:
    for script in (REFUSED, NONE_OFFERED):
        hall.a_night()
        phone = phones()
        phone.page.add_init_script(script)
        phone.open(hall.table)
        looks_elsewhere_and_back(phone)
        phone.mark("A-6-7")
        phone.sees_totals(6, 0)
    assert not phones.broken


def test_a_browser_takes_the_page_of_a_table_to_the_home_screen(hall: Hall, phones: Phones) -> None:
    hall.a_night()
    phone = phones(locale="fr-CA")
    phone.open(hall.table)
    asked = phone.page.context.new_cdp_session(phone.page)
    found = asked.send("Page.getAppManifest")
    assert found["url"].endswith("/fr/manifest.webmanifest")
    assert found["errors"] == []
    assert '"lang": "fr-CA"' in found["data"]
    refused = asked.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {error["errorId"] for error in refused} <= {"in-incognito"}  # as the pages of tests are
