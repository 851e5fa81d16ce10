"""Throttle of failed sign-ins: five are free, then each one costs a longer wait."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.models import RateLimitCounter
from clubs.services.login_throttle import (
    ACCOUNT_AND_NETWORK,
    PER_ACCOUNT,
    PER_NETWORK,
    Limit,
    begin_attempt,
    build_address_counters,
    build_password_counters,
    end_attempt,
)
from clubs.services.rate_limit import MAX_MISSES, exceeds_miss_limit, record_miss
from errors import Refusal

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("ON CONFLICT DO NOTHING, and row locks"),
]

LIMITS = (ACCOUNT_AND_NETWORK, PER_NETWORK, PER_ACCOUNT)


def fail(name: str = "Rita Plourde", address: str = "192.0.2.1") -> None:
    begin_attempt(build_password_counters(name=name, address=address))


def record_success(name: str = "Rita Plourde", address: str = "192.0.2.1") -> None:
    tries = build_password_counters(name=name, address=address)
    begin_attempt(tries)
    end_attempt(tries)


def get_wait_minutes(name: str = "Rita Plourde", address: str = "192.0.2.1") -> int:
    try:
        fail(name, address)
    except Refusal as refusal:
        return int(refusal.details["minutes"])
    return 0


def advance_time(by: timedelta) -> None:
    """Move every counter into the past, as if this time had passed."""
    for row in RateLimitCounter.objects.all():
        RateLimitCounter.objects.filter(pk=row.pk).update(last_at=row.last_at - by, wait_until=row.wait_until - by)


class TestSignInThrottle:
    def test_wait_grows_after_five_failures(self) -> None:
        for _ in range(5):
            fail()
        waits = []
        for _ in range(6):
            waits.append(get_wait_minutes())
            advance_time(timedelta(minutes=waits[-1]))
            fail()
        assert waits == [1, 2, 4, 8, 15, 15]

    def test_attempts_while_waiting_are_not_counted(self) -> None:
        for _ in range(5):
            fail()
        assert [get_wait_minutes() for _ in range(9)] == [1] * 9

    def test_throttle_spares_other_addresses_and_names(self) -> None:
        for _ in range(5):
            fail()
        record_success(address="192.0.2.2")
        record_success(name="Someone else")

    def test_successful_sign_in_resets_the_throttle(self) -> None:
        for _ in range(3):
            for _ in range(4):
                fail()
            record_success()

    def test_throttle_ignores_the_spelling_of_the_name(self) -> None:
        for name in ("Rita Plourde", "rita plourde", " RITA  PLOURDE ", "Ríta Plourde", "rita  plourde"):
            fail(name)
        assert get_wait_minutes() == 1

    def test_twenty_names_from_one_address_are_throttled(self) -> None:
        for number in range(20):
            fail(f"Somebody {number}")
        assert get_wait_minutes("New person") == 1

    @pytest.mark.slow
    def test_success_under_one_name_keeps_other_failures(self) -> None:
        for number in range(10):
            fail(f"Somebody {number}")
            record_success("Mine")
            fail(f"Another {number}")
        assert get_wait_minutes("New person") == 1

    @pytest.mark.long
    def test_distributed_guesses_wait_at_most_a_minute(self) -> None:
        for number in range(50):
            fail(address=f"192.0.2.{number}")
        for number in range(50, 60):
            assert get_wait_minutes(address=f"192.0.2.{number}") == 1
            advance_time(timedelta(minutes=1))
            fail(address=f"192.0.2.{number}")

    def test_failures_expire_after_an_hour(self) -> None:
        for _ in range(5):
            fail()
        advance_time(timedelta(minutes=61))
        fail("Someone else", "192.0.2.9")
        assert RateLimitCounter.objects.count() == 3
        for _ in range(5):
            fail()

    def test_ipv6_addresses_of_one_network_count_together(self) -> None:
        for number in range(5):
            fail(address=f"2001:db8:1:2::{number}")
        assert get_wait_minutes(address="2001:db8:1:2::ffff") == 1
        assert get_wait_minutes(address="2001:db8:1:3::1") == 0
        for address in ("::ffff:192.0.2.7", "192.0.2.7", "", "no address"):
            fail(address=address)


def test_stored_counters_reveal_no_name_or_address() -> None:
    fail()
    for row in RateLimitCounter.objects.values():
        assert "rita" not in str(row).lower()
        assert "192.0.2" not in str(row)


def test_passkey_failures_count_toward_the_address() -> None:
    for _ in range(20):
        begin_attempt(build_address_counters(address="192.0.2.1"))
    assert get_wait_minutes() == 1


@pytest.mark.parametrize("limit", LIMITS)
@given(count=st.integers(min_value=0, max_value=10**9))
def test_wait_grows_monotonically_up_to_its_limit(limit: Limit, count: int) -> None:
    before, after = limit.compute_wait(count), limit.compute_wait(count + 1)
    assert timedelta() <= before <= after <= limit.max_wait
    assert (before == timedelta()) == (count < limit.free_attempts)


class TestClockSetBack:
    def test_large_clock_change_ends_the_wait(self) -> None:
        for _ in range(5):
            fail()
        assert get_wait_minutes() > 0
        advance_time(-timedelta(hours=5))
        assert get_wait_minutes() == 0

    def test_small_clock_drift_keeps_the_wait(self) -> None:
        for _ in range(5):
            fail()
        advance_time(-timedelta(seconds=30))
        assert get_wait_minutes() > 0

    def test_large_clock_change_forgives_wrong_codes(self) -> None:
        for _ in range(MAX_MISSES):
            record_miss("codes", "192.0.2.1")
        assert exceeds_miss_limit("codes", "192.0.2.1")
        advance_time(-timedelta(hours=5))
        assert not exceeds_miss_limit("codes", "192.0.2.1")
        record_miss("codes", "192.0.2.1")
        assert RateLimitCounter.objects.get().count == 1
