"""A code of an authenticator app, or a recovery code, is accepted once if two requests use it concurrently."""

from collections.abc import Iterator
from functools import partial
from unittest.mock import patch

import pytest
from django.db import connection
from django.utils import timezone

from clubs.models import SecondFactor
from clubs.services.second_factor import PURPOSE, check_second_factor, renew_recovery_codes
from clubs.totp import compute_digits
from tests.builders import build_account
from tests.interleaving.database_state import SavedDatabase
from tests.interleaving.runners import open_runners, run_two
from web.sealing import encrypt_text

pytestmark = [
    pytest.mark.django_db(transaction=True, reset_sequences=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one writer in after the other"),
    pytest.mark.postgresql("interleaved writers"),
]

SECRET, NOW = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 57_000_000


@pytest.fixture(autouse=True)
def the_clock_stands() -> Iterator[None]:
    with patch("clubs.services.second_factor.step_at", lambda _: NOW):
        yield


@pytest.mark.parametrize(("kind", "refused"), [("digits", "code_used"), ("code", "recovery_code_wrong")])
def test_concurrent_codes_open_the_account_only_once(kind: str, refused: str) -> None:
    account = build_account()
    sealed = encrypt_text(SECRET, purpose=PURPOSE)
    SecondFactor.objects.create(account=account, sealed=sealed, last_step=0, made_at=timezone.now())
    codes = renew_recovery_codes(account_id=account.pk)
    typed = compute_digits(SECRET, NOW) if kind == "digits" else codes[0]
    call = partial(check_second_factor, account_id=account.pk, code=typed)
    saved_database = SavedDatabase()
    endings = []
    with open_runners() as runners:
        for after in (None, *range(6)):
            saved_database.take_up()
            endings.append(sorted(run_two(runners, call, call, after=after)))
    saved_database.drop()
    assert endings == [sorted(["done", refused])] * 7
