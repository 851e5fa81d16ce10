"""Fuzzing with the schema: valid and invalid requests get the answers that it describes.

`manage.py bench schema` sends such cases to a running server.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections

from clubs.models import Scope
from tests.api.operation_paths import build_hall_with_values
from tests.api.program import create_secret
from tests.long_runs import choose_count
from tests.saved_states import rolled_back

if TYPE_CHECKING:
    from schemathesis import Case

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture
def connection_that_stays() -> Iterator[None]:
    """Keep the database connection open after each request, so that all cases share the test's transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.usefixtures("connection_that_stays")
def test_every_operation_answers_as_the_schema_says(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.api.attack import Attack  # takes a second, which the collection of tests should not cost

    for most in ("ANYBODY", "A_TOKEN"):
        monkeypatch.setattr(f"api.views.{most}", 10**6)
    hall, words = build_hall_with_values()
    secrets = {"nobody": ""}
    secrets |= {str(one): create_secret(hall.event.club, hall.owner, one) for one in (Scope.READ, Scope.MANAGE)}

    def send(case: Case[Any], secret: str) -> Any:
        key = {"Authorization": f"Bearer {secret}"} if secret else {}
        return case.call(base_url="http://testserver", headers={"Accept-Encoding": "identity"} | key)

    by_whom = {who: partial(send, secret=secret) for who, secret in secrets.items()}
    attack = Attack(send=by_whom, context=rolled_back, application=get_wsgi_application())
    attack.run(lambda operation: words[operation.name], cases=choose_count(1, long=100), number=1)
    assert attack.failures == {}
