"""Rate limits of anonymous senders: each process counts small amounts itself, the database the rest."""

import pytest
from django.core.cache import caches
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from clubs.models import RateLimitCounter
from clubs.services.rate_limit import PORTIONS, take_tokens

pytestmark = pytest.mark.django_db
ADDRESS, OTHER = "192.0.2.1", "198.51.100.7"
MOST = 100 * PORTIONS


def took(cost: int, address: str = ADDRESS) -> bool:
    return take_tokens("bodies", address, cost, capacity=MOST)


def test_small_requests_need_no_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(0):
        assert all(took(33) for _ in range(3))
    assert took(33)
    assert RateLimitCounter.objects.get().count == 132


def test_processes_share_the_rate_of_an_address() -> None:
    assert took(MOST - 100)
    caches["rates"].clear()  # as in another process
    assert [took(101), took(101, OTHER), took(100)] == [False, True, True]
    RateLimitCounter.objects.update(wait_until=timezone.now())
    assert took(MOST)
