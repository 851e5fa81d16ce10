"""A table without a network, as seen at the desk: silent, then back, with its late entries."""

import datetime

from django.db.models import F
from playwright.sync_api import expect

from scoring.models import Match, TablePhone
from scoring.services.phones import write_phone_reports
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones


def advance_minutes(phone: Phone, minutes: int) -> None:
    """Move the time forward, on the phone and in the server's records."""
    phone.page.clock.fast_forward(minutes * 60_000)
    write_phone_reports()
    by = datetime.timedelta(minutes=minutes)
    TablePhone.objects.update(heard_at=F("heard_at") - by)
    Match.objects.update(opened_at=F("opened_at") - by, last_marked_at=F("last_marked_at") - by)


def test_desk_misses_an_offline_phone_and_shows_its_late_hands(hall: Hall, phones: Phones) -> None:
    event = hall.build_night()
    desk, phone = phones("desk"), phones("phone")
    desk.set_text_size(24)
    desk.sign_in(hall.owner)
    phone.open(hall.table)
    phone.mark("A-6-7")
    phone.has_sent()
    phone.poll_for_updates()
    desk.open(f"/e/{event.short}/desk")
    expect(desk.page.locator("#places")).to_contain_text("Every hand is also saved on a phone")
    desk.take_picture("in-two-places")

    phone.page.context.set_offline(True)
    for hand in ("B-7-7", "A-7-7", "B-6-7"):
        phone.mark(hand)
    phone.expect_totals(13, 13)
    advance_minutes(phone, 12)
    desk.poll_for_updates()
    heard = desk.page.locator("#heard")
    expect(heard).to_contain_text("No phone contact for 12 minutes.")
    assert not find_violations(desk)
    desk.take_picture("silent")

    phone.page.context.set_offline(False)
    phone.poll_for_updates()
    phone.has_sent()
    desk.poll_for_updates()
    expect(heard).not_to_contain_text("No phone contact")
    expect(heard).to_contain_text("Table 1: hand or confirmation received late.")
    desk.tap(desk.link("Received late"))
    expect(desk.page.get_by_text("12 minutes late")).to_have_count(3)
    expect(desk.page.locator("main .card")).to_contain_text("Before: Roy and Dubé 6 (0), Cyr and Ouellet 0 (0).")
    expect(desk.page.locator("main .card b").last).to_have_text("After: Roy and Dubé 13 (0), Cyr and Ouellet 13 (0).")
    assert not find_violations(desk)
    desk.take_picture("came-late")
