"""RateLimitCounter to sign in: so many are free, then each one costs a longer wait."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clubs.models import RateLimitCounter
from clubs.services import begin_try, end_try, password_tries, tries_from
from clubs.services.login_throttle import AT_AN_ACCOUNT, FROM_A_PLACE, HERE, Limit
from clubs.services.rate_limit import ALLOWED, count_miss, has_missed_too_often
from errors import Refusal

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgresql("a row that is there already is left, and locked"),
]

LIMITS = (HERE, FROM_A_PLACE, AT_AN_ACCOUNT)


def fail(name: str = "Rita Plourde", address: str = "192.0.2.1") -> None:
    begin_try(password_tries(name=name, address=address))


def succeed(name: str = "Rita Plourde", address: str = "192.0.2.1") -> None:
    tries = password_tries(name=name, address=address)
    begin_try(tries)
    end_try(tries)


def minutes_to_wait(name: str = "Rita Plourde", address: str = "192.0.2.1") -> int:
    try:
        fail(name, address)
    except Refusal as refusal:
        return int(refusal.details["minutes"])
    return 0


def later(by: timedelta) -> None:
    """So much time goes by."""
    for row in RateLimitCounter.objects.all():
        RateLimitCounter.objects.filter(pk=row.pk).update(
            last_at=row.last_at - by, wait_until=row.wait_until - by
        )


class TestWhoeverFails:
    def test_five_times_waits_a_minute_and_then_longer_each_time(self) -> None:
        for _ in range(5):
            fail()
        waits = []
        for _ in range(6):
            waits.append(minutes_to_wait())
            later(timedelta(minutes=waits[-1]))
            fail()
        assert waits == [1, 2, 4, 8, 15, 15]

    def test_is_not_counted_while_waiting(self) -> None:
        for _ in range(5):
            fail()
        assert [minutes_to_wait() for _ in range(9)] == [1] * 9

    def test_does_not_keep_out_the_same_person_elsewhere_or_others_here(self) -> None:
        for _ in range(5):
            fail()
        succeed(address="192.0.2.2")
        succeed(name="Someone else")

    def test_and_knows_the_password_then_begins_anew(self) -> None:
        for _ in range(3):
            for _ in range(4):
                fail()
            succeed()

    def test_is_the_same_however_the_name_is_written(self) -> None:
        for name in ("Rita Plourde", "rita plourde", " RITA  PLOURDE ", "Ríta Plourde", "rita  plourde"):
            fail(name)
        assert minutes_to_wait() == 1

    def test_at_twenty_names_from_one_address_waits_whatever_the_name(self) -> None:
        for number in range(20):
            fail(f"Somebody {number}")
        assert minutes_to_wait("New person") == 1

    def test_is_not_forgiven_at_other_names_for_knowing_one(self) -> None:
        for number in range(10):
            fail(f"Somebody {number}")
            succeed("Mine")
            fail(f"Another {number}")
        assert minutes_to_wait("New person") == 1

    @pytest.mark.slow
    def test_from_everywhere_at_one_name_waits_never_longer_than_a_minute(self) -> None:
        for number in range(50):
            fail(address=f"192.0.2.{number}")
        for number in range(50, 60):
            assert minutes_to_wait(address=f"192.0.2.{number}") == 1
            later(timedelta(minutes=1))
            fail(address=f"192.0.2.{number}")

    def test_is_forgotten_after_an_hour(self) -> None:
        for _ in range(5):
            fail()
        later(timedelta(minutes=61))
        fail("Someone else", "192.0.2.9")
        assert RateLimitCounter.objects.count() == 3
        for _ in range(5):
            fail()

    def test_from_one_household_with_many_addresses_is_one(self) -> None:
        for number in range(5):
            fail(address=f"2001:db8:1:2::{number}")
        assert minutes_to_wait(address="2001:db8:1:2::ffff") == 1
        assert minutes_to_wait(address="2001:db8:1:3::1") == 0
        for address in ("::ffff:192.0.2.7", "192.0.2.7", "", "no address"):
            fail(address=address)


def test_nothing_that_is_kept_tells_who_it_was() -> None:
    fail()
    for row in RateLimitCounter.objects.values():
        assert "rita" not in str(row).lower()
        assert "192.0.2" not in str(row)


def test_a_passkey_counts_with_the_passwords_from_its_address() -> None:
    for _ in range(20):
        begin_try(tries_from(address="192.0.2.1"))
    assert minutes_to_wait() == 1


@pytest.mark.parametrize("limit", LIMITS)
@given(count=st.integers(min_value=0, max_value=10**9))
def test_a_wait_never_shrinks_and_never_passes_its_longest(limit: Limit, count: int) -> None:
    before, after = limit.wait_after(count), limit.wait_after(count + 1)
    assert timedelta() <= before <= after <= limit.longest
    assert (before == timedelta()) == (count < limit.free)


class TestAClockThatWasSetBack:
    def test_keeps_nobody_out_until_it_is_as_late_again(self) -> None:
        for _ in range(5):
            fail()
        assert minutes_to_wait() > 0
        later(-timedelta(hours=5))
        assert minutes_to_wait() == 0

    def test_by_as_little_as_two_computers_differ_forgives_nothing(self) -> None:
        for _ in range(5):
            fail()
        later(-timedelta(seconds=30))
        assert minutes_to_wait() > 0

    def test_forgives_wrong_codes_too(self) -> None:
        for _ in range(ALLOWED):
            count_miss("codes", "192.0.2.1")
        assert has_missed_too_often("codes", "192.0.2.1")
        later(-timedelta(hours=5))
        assert not has_missed_too_often("codes", "192.0.2.1")
        count_miss("codes", "192.0.2.1")
        assert RateLimitCounter.objects.get().count == 1
