"""A passkey that was copied opens its account once, however its two answers fall between each other."""

import json
from functools import partial
from typing import Any

import pytest
from django.db import connection

from clubs import passkeys
from clubs.passkeys import Site
from clubs.services import add_passkey, open_with_passkey
from tests.builders import an_account
from tests.interleaving.two_at_once import run_two, two_runners
from tests.interleaving.whole_state import Kept
from tests.support.authenticator import Authenticator

pytestmark = [
    pytest.mark.django_db(transaction=True, reset_sequences=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets one writer in after the other"),
    pytest.mark.postgresql("writers between one another's statements"),
]

SITE = passkeys.site_at("http", "localhost")


def test_two_answers_with_the_same_count_open_an_account_once() -> None:
    assert SITE is not None
    device = a_passkey(SITE)
    calls = [answer_of(SITE, one) for one in (device.copy(), device.copy())]
    kept = Kept()
    endings = []
    with two_runners() as runners:
        for after in (None, *range(6)):
            kept.take_up()
            endings.append(sorted(run_two(runners, *calls, after=after)))
    kept.drop()
    assert endings == [["done", "passkey_copied"]] * 7


def a_passkey(site: Site) -> Authenticator:
    """A device that opens an account."""
    device, handle = Authenticator(), passkeys.new_handle()
    options, state = passkeys.ask_to_create(site, name="Noëlla", handle=handle, known=[])
    add_passkey(
        account_id=an_account().pk,
        site=site,
        state=state,
        handle=handle,
        name="My phone",
        said=device.create(as_sent(options)),
    )
    return device


def answer_of(site: Site, device: Authenticator) -> partial[Any]:
    """Return what a browser sends to sign in."""
    options, state = passkeys.ask_to_sign_in(site)
    return partial(open_with_passkey, site=site, state=state, said=device.sign(as_sent(options)))


def as_sent(options: object) -> dict[str, Any]:
    """The question as the page's script gets it."""
    return dict(json.loads(json.dumps(options)))
