"""A table without a network, as its desk sees it: silent, then back, then what came late."""

import datetime

from django.db.models import F
from playwright.sync_api import expect

from scoring.models import Match, TablePhone
from scoring.services import write_phones
from tests.journeys.axe import violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones


def minutes_pass(phone: Phone, minutes: int) -> None:
    """On the phone, and for all that the server knows."""
    phone.page.clock.fast_forward(minutes * 60_000)
    write_phones()
    by = datetime.timedelta(minutes=minutes)
    TablePhone.objects.update(heard_at=F("heard_at") - by)
    Match.objects.update(opened_at=F("opened_at") - by, last_marked_at=F("last_marked_at") - by)


def test_a_phone_that_was_in_flight_mode_is_missed_and_what_it_kept_is_seen_when_it_is_back(
    hall: Hall, phones: Phones
) -> None:
    event = hall.a_night()
    desk, phone = phones("desk"), phones("phone")
    desk.reads_text_of(24)
    desk.sign_in(hall.owner)
    phone.open(hall.table)
    phone.mark("A-6-7")
    phone.has_sent()
    phone.looks_for_news()
    desk.open(f"/e/{event.short}/desk")
    expect(desk.page.locator("#places")).to_contain_text("Every hand is also saved on a phone")
    desk.picture("in-two-places")

    phone.page.context.set_offline(True)
    for said in ("B-7-7", "A-7-7", "B-6-7"):
        phone.mark(said)
    phone.shows_totals(13, 13)
    minutes_pass(phone, 12)
    desk.looks_for_news()
    heard = desk.page.locator("#heard")
    expect(heard).to_contain_text("No phone contact for 12 minutes.")
    assert not violations(desk)
    desk.picture("silent")

    phone.page.context.set_offline(False)
    phone.looks_for_news()
    phone.has_sent()
    desk.looks_for_news()
    expect(heard).not_to_contain_text("No phone contact")
    expect(heard).to_contain_text("Table 1 sent something late.")
    desk.tap(desk.link("Received late"))
    expect(desk.page.get_by_text("12 minutes late")).to_have_count(3)
    expect(desk.page.locator("main .card")).to_contain_text(
        "Before: Roy and Dubé 6 (0), Cyr and Ouellet 0 (0)."
    )
    expect(desk.page.locator("main .card b").last).to_have_text(
        "After: Roy and Dubé 13 (0), Cyr and Ouellet 13 (0)."
    )
    assert not violations(desk)
    desk.picture("came-late")
