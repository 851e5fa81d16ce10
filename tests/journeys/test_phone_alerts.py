"""Phone alerts, from "My page" to a message on a sleeping phone and a tap on it.

The browser of these tests reaches no push service of its maker. Its ``PushManager`` returns an address of the push
service on this computer, and the browser's developer tools deliver the messages to the service worker. Everything
else works as in a hall with HTTPS.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from jobs.models import Job, Status
from jobs.services import run_job
from tests.builders import play_round, start_next_round
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones
from tests.support.push_service import PushBrowser, PushService, run_push_service
from tournaments.alerts.services import CHECK_ALERTS, SEND_ALERT
from tournaments.models import AlertSubscription, Event
from web.web_push import get_application_key

SUBSCRIBE_SCRIPT = """
const plain = (text) => atob(text.replaceAll("-", "+").replaceAll("_", "/"));
const bytes = (text) => Uint8Array.from(plain(text), (letter) => letter.charCodeAt(0));
const { endpoint, p256dh, auth } = ADDRESS;
PushManager.prototype.subscribe = async function ({ applicationServerKey, userVisibleOnly }) {
  const key = btoa(String.fromCharCode(...applicationServerKey));
  sessionStorage.setItem("asked", `${userVisibleOnly} ${key}`);
  return { endpoint, getKey: (name) => bytes({ p256dh, auth }[name]).buffer };
};
"""
RECORD_NOTIFICATION_SCRIPT = """() => {
  self.shown = new Promise((done) => { registration.showNotification = async (...told) => done(told); });
}"""
"""Replaces notifications, which a browser without a screen does not allow."""
A_TAP = """async (data) => {
  const opened = [];
  clients.openWindow = async (address) => { opened.push(address); };
  const done = [];
  const notification = { data, close: () => opened.push("closed") };
  const waitUntil = (end) => done.push(end);
  dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil }));
  await Promise.all(done);
  return opened;
}"""


@pytest.fixture
def service(settings: Any) -> Iterator[PushService]:
    with run_push_service() as service:
        settings.PUSH_SERVICES = (*settings.PUSH_SERVICES, service.origin)
        settings.LOCAL_TARGETS = ["127.0.0.0/8"]
        yield service


def open_subscribing_phone(phones: Phones, browser: PushBrowser) -> Phone:
    phone = phones(service_workers="allow", locale="fr-CA")
    phone.page.add_init_script(SUBSCRIBE_SCRIPT.replace("ADDRESS", json.dumps(browser.address)))
    return phone


def open_own_page(phone: Phone, hall: Hall, event: Event) -> None:
    person = hall.match.players.get(seat=0).person
    phone.open(f"/e/{event.short}/mine?who={person.name.split()[0]}")
    phone.tap(phone.page.locator("button[name=person]").first)


def run_alert_jobs() -> None:
    """Run the queued tasks that check and send alerts."""
    for kind in (CHECK_ALERTS, SEND_ALERT):
        for queued in Job.objects.filter(kind=kind, status=Status.QUEUED):
            run_job(queued.pk)


def deliver_push_message(phone: Phone, message: str) -> None:
    """Deliver the message to the service worker, as the browser does for its push service."""
    tools = phone.page.context.new_cdp_session(phone.page)
    found: list[dict[str, Any]] = []
    tools.on("ServiceWorker.workerRegistrationUpdated", lambda update: found.extend(update["registrations"]))
    tools.send("ServiceWorker.enable")
    while not found:
        phone.page.wait_for_timeout(20)
    origin = phone.page.evaluate("location.origin")
    registration = found[0]["registrationId"]
    tools.send(
        "ServiceWorker.deliverPushMessage",
        {"origin": origin, "registrationId": registration, "data": message},
    )


def test_player_turns_table_alerts_on_and_off_with_one_tap(hall: Hall, phones: Phones, service: PushService) -> None:
    event = hall.build_night()
    browser = service.add_browser()
    phone = open_subscribing_phone(phones, browser)
    open_own_page(phone, hall, event)
    expect(phone.page.locator("[data-without-alerts]")).to_have_count(0)
    assert find_violations(phone) == []
    phone.take_picture("offered")
    phone.taps = 0
    phone.tap(phone.find_button("M’aviser sur ce téléphone"))
    expect(phone.find_button("Ne plus recevoir de messages")).to_be_visible()
    assert phone.taps == 1
    phone.take_picture("told")
    subscribe_options = phone.page.evaluate("sessionStorage.asked").replace("+", "-").replace("/", "_").rstrip("=")
    assert subscribe_options == f"true {get_application_key()}"

    play_round(event)
    start_next_round(event)
    run_alert_jobs()
    (message,) = service.messages
    shown = json.loads(browser.decrypt(message.body))
    assert shown["body"].startswith("Ronde 2, table ")
    worker = phone.page.context.service_workers[0]
    worker.evaluate(RECORD_NOTIFICATION_SCRIPT)
    deliver_push_message(phone, browser.decrypt(message.body))
    title, page = shown.pop("title"), shown.pop("page")
    assert worker.evaluate("shown") == [title, {**shown, "data": page}]
    phone.open("/rules")
    assert worker.evaluate(A_TAP, page) == ["closed", phone.page.evaluate("location.origin") + page]

    phone.open(page)
    phone.tap(phone.find_button("Ne plus recevoir de messages"))
    expect(phone.find_button("M’aviser sur ce téléphone")).to_be_visible()
    assert not AlertSubscription.objects.exists()


@pytest.mark.long
def test_denied_permission_explains_what_to_do(hall: Hall, phones: Phones) -> None:
    event = hall.build_night()
    phone = phones(service_workers="allow")
    phone.page.add_init_script(
        "PushManager.prototype.subscribe = async () => { throw new DOMException('', 'NotAllowedError'); };"
    )
    open_own_page(phone, hall, event)
    phone.tap(phone.find_button("Notify me on this phone"))
    expect(phone.page.get_by_role("status").filter(has_text="allow them in the phone’s settings")).to_be_visible()
    assert find_violations(phone) == []
    phone.take_picture("not-allowed")


@pytest.mark.long
def test_insecure_page_offers_no_alerts_and_explains_why(hall: Hall, phones: Phones) -> None:
    event = hall.build_night()
    phone = phones()
    phone.page.add_init_script("Object.defineProperty(window, 'isSecureContext', { value: false });")
    open_own_page(phone, hall, event)
    expect(phone.page.get_by_text("On an iPhone, first add the page to the home screen")).to_be_visible()
    expect(phone.find_button("Notify me on this phone")).to_have_count(0)
    assert find_violations(phone) == []
