"""Whatever the schema allows, and whatever it does not, is answered as the schema says: `manage.py bench
attack` asks a running server ten thousand times."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from schemathesis import Case

from clubs.models import Scope
from tests.api.attack import Attack
from tests.api.program import a_secret
from tests.api.walk import path_values
from tests.every_page.test_permissions import a_hall
from tests.long import IS_LONG

pytestmark = pytest.mark.django_db


@pytest.fixture
def connection_that_stays() -> Iterator[None]:
    """Each case is asked in the transaction of the test."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@contextmanager
def taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.usefixtures("connection_that_stays")
@pytest.mark.parametrize("scope", ["", Scope.READ, Scope.MANAGE])
def test_every_operation_answers_as_the_schema_says(scope: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for most in ("ANYBODY", "A_TOKEN"):
        monkeypatch.setattr(f"api.throttles.{most}", 10**6)
    hall = a_hall()
    headers = {"Accept-Encoding": "identity"}
    if scope:
        headers["Authorization"] = f"Bearer {a_secret(hall.event.club, hall.owner, scope)}"

    def send(case: Case[Any]) -> Any:
        return case.call(base_url="http://testserver", headers=headers)

    attack = Attack(send=send, within=taken_back, application=get_wsgi_application())
    attack.run(partial(path_values, hall), cases=100 if IS_LONG else 2, number=1)
    assert attack.found == {}
