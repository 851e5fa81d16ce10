"""The digits of an app, and a recovery code, open an account once, however two who type them fall between
each other."""

from collections.abc import Iterator
from functools import partial
from unittest.mock import patch

import pytest
from django.db import connection
from django.utils import timezone

from clubs.models import SecondFactor
from clubs.one_time_codes import digits_at
from clubs.services import check_second_factor, renew_recovery_codes
from clubs.services.second_factor import PURPOSE
from tests.builders import an_account
from tests.interleaving.two_at_once import run_two, two_runners
from tests.interleaving.whole_state import Kept
from web.sealing import seal

pytestmark = [
    pytest.mark.django_db(transaction=True, reset_sequences=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one writer in after the other"),
    pytest.mark.postgresql("writers between one another's statements"),
]

SECRET, NOW = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 57_000_000


@pytest.fixture(autouse=True)
def the_clock_stands() -> Iterator[None]:
    with patch("clubs.services.second_factor.step_at", lambda _: NOW):
        yield


@pytest.mark.parametrize(("kind", "refused"), [("digits", "code_used"), ("code", "recovery_code_wrong")])
def test_two_at_once_open_an_account_once(kind: str, refused: str) -> None:
    account = an_account()
    sealed = seal(SECRET, purpose=PURPOSE)
    SecondFactor.objects.create(account=account, sealed=sealed, last_step=0, made_at=timezone.now())
    codes = renew_recovery_codes(account_id=account.pk)
    typed = digits_at(SECRET, NOW) if kind == "digits" else codes[0]
    call = partial(check_second_factor, account_id=account.pk, code=typed)
    kept = Kept()
    endings = []
    with two_runners() as runners:
        for after in (None, *range(6)):
            kept.take_up()
            endings.append(sorted(run_two(runners, call, call, after=after)))
    kept.drop()
    assert endings == [sorted(["done", refused])] * 7
