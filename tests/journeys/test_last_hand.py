"""A timed round: a phone that knows the time closes its keypad after the last hand, even offline."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from scoring.clock import Clock, clock_to_json
from scoring.models import TableCard
from tests.journeys.axe import find_violations
from tests.journeys.hall import Hall
from tests.journeys.phone import Phones

pytestmark = pytest.mark.slow


def test_offline_phone_records_one_hand_after_time_is_up(hall: Hall, phones: Phones) -> None:
    hall.build_night(4)
    now = timezone.now()
    over = Clock(started_at=now - timedelta(hours=1), ends_at=now - timedelta(seconds=1))
    TableCard.objects.update(clock_data=clock_to_json(over))
    phone = phones()
    phone.open(hall.table)
    expect(phone.page.get_by_text("Time’s up: finish this hand.")).to_be_visible()
    phone.page.context.set_offline(True)
    phone.mark("A-6-7")
    expect(phone.page.get_by_role("heading", name="Last hand played")).to_be_visible()
    expect(phone.page.locator("#lanes")).to_have_count(0)
    assert not find_violations(phone)
    phone.take_picture("last-hand")
    phone.tap(phone.find_button("Undo"))
    expect(phone.page.locator("#lanes")).to_be_visible()
    phone.page.context.set_offline(False)
