"""The API reference: Swagger UI from this server, on a phone, with an API key."""

from playwright.sync_api import expect

from tests.api.program import create_secret
from tests.builders import build_club
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones


def test_api_reference_runs_an_operation_with_a_key(hall: Hall, phones: Phones) -> None:
    secret = create_secret(build_club(owner=hall.owner), hall.owner)
    phone = phones(color_scheme="dark")
    phone.open("/api/")
    expect(phone.page.locator("html")).to_have_class("js dark-mode")
    phone.tap(phone.page.locator("button.authorize"))
    phone.page.get_by_label("auth-bearer-value").fill(secret)
    phone.tap(phone.page.get_by_label("Apply credentials"))
    phone.tap(phone.page.locator(".btn-done"))
    phone.tap(phone.page.locator('.opblock-tag[data-tag="me"]'))
    phone.tap(phone.page.locator(".opblock-summary-control"))
    phone.take_picture("operation")
    phone.tap(phone.find_button("Try it out"))
    phone.tap(phone.find_button("Execute"))
    expect(phone.page.locator(".live-responses-table tbody .response-col_status")).to_contain_text("200")
    expect(phone.page.locator(".curl-command")).to_contain_text(f"Authorization: Bearer {secret}")
    phone.take_picture("answer")
    assert phone.run_script("document.documentElement.scrollWidth") == 390
