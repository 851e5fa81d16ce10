"""A copied passkey opens its account once if both copies sign in concurrently."""

import json
from functools import partial
from typing import Any

import pytest
from django.db import connection

from clubs import passkeys
from clubs.passkeys import Site
from clubs.services.passkeys import add_passkey, sign_in_with_passkey
from tests.builders import build_account
from tests.interleaving.database_state import SavedDatabase
from tests.interleaving.runners import open_runners, run_two
from tests.support.authenticator import Authenticator

pytestmark = [
    pytest.mark.django_db(transaction=True, reset_sequences=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one writer in after the other"),
    pytest.mark.postgresql("interleaved writers"),
]

SITE = passkeys.get_site("http", "localhost")


def test_copied_passkey_opens_the_account_only_once() -> None:
    assert SITE is not None
    device = create_passkey(SITE)
    calls = [answer_of(SITE, one) for one in (device.copy(), device.copy())]
    saved_database = SavedDatabase()
    endings = []
    with open_runners() as runners:
        for after in (None, *range(6)):
            saved_database.take_up()
            endings.append(sorted(run_two(runners, *calls, after=after)))
    saved_database.drop()
    assert endings == [["done", "passkey_copied"]] * 7


def create_passkey(site: Site) -> Authenticator:
    """Create an account with a passkey, and return its device."""
    device, handle = Authenticator(), passkeys.generate_handle()
    options, state = passkeys.build_creation_options(site, name="Noëlla", handle=handle, credential_ids=[])
    add_passkey(
        account_id=build_account().pk,
        site=site,
        state=state,
        handle=handle,
        name="My phone",
        response_text=device.create(serialize_options(options)),
    )
    return device


def answer_of(site: Site, device: Authenticator) -> partial[Any]:
    """Build the sign-in call with the response of the device."""
    options, state = passkeys.build_sign_in_options(site)
    return partial(sign_in_with_passkey, site=site, state=state, response_text=device.sign(serialize_options(options)))


def serialize_options(options: object) -> dict[str, Any]:
    """Return the options as the page's script receives them."""
    return dict(json.loads(json.dumps(options)))
