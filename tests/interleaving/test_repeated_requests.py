"""Repeated requests, such as after a lost response, are executed once and answered alike.

Each service of each scene is called twice with one idempotency key: the second call changes no stored row, and
returns or refuses what the first did.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from django.db.models import Model

from clubs.audit.log import NOBODY
from clubs.services.team import InvitationSecret
from errors import Refusal
from tests.interleaving.calls import Call, Scene
from tests.interleaving.scenes import SCENES
from tests.saved_states import list_stored_rows, rolled_back
from tournaments.interclub.services.invitations import InvitationLink

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CLIENTS_KEY = UUID(int=4711)
APPS = ("clubs", "scoring", "tournaments", "federations", "jobs")
"""Apps whose rows must not change; in the app ``live``, a higher revision only makes pages reload."""
NOT_IDEMPOTENT = {
    "works for the program or its operator, whom nobody answers": (
        *("fetch_now", "create_owner_password_links", "refresh_seasons", "refresh_standings"),
    ),
    "ends the matches of an action, which has the client's key": ("call_time",),
    "counts how often something is tried": ("begin_attempt", "record_miss", "end_attempt"),
    "has no key: a second time the name is taken, or the password of before is no longer so": (
        *("change_password", "create_account"),
    ),
    "makes a club for whoever comes by a first link, which opens once": ("create_club",),
}


def add_key(call: Call) -> Call:
    """Give the call's actor an idempotency key, as a form or an API request does."""
    if "by" not in inspect.signature(call.func).parameters:
        return call
    by = replace(call.keywords.get("by", NOBODY), key=CLIENTS_KEY)
    return partial(call.func, *call.args, **{**call.keywords, "by": by})


def answer(call: Call) -> Any:
    """Return the result of the call, with rows by primary key, or the code of its refusal."""
    try:
        return to_plain_value(call())
    except Refusal as refusal:
        return refusal.code


def to_plain_value(given: Any) -> Any:
    match given:
        case Model():
            return type(given).__name__, given.pk
        case InvitationSecret():  # a secret is given only the first time
            return to_plain_value(given.invitation)
        case InvitationLink():
            return to_plain_value(given.invitation)
        case list() | tuple():
            return [to_plain_value(each) for each in given]
        case _:
            return given


def list_differences(call: Call) -> list[str]:
    """Return everything that the second call changed or answered differently."""
    with rolled_back():
        first, then = answer(call), list_stored_rows(*APPS)
        second, now = answer(call), list_stored_rows(*APPS)
    found = [label for label, rows in then.items() if now[label] != rows]
    return found + ([] if first == second else [f"{first} and then {second}"])


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_repeated_request_is_executed_once(scene: Callable[[], Scene]) -> None:
    again = {name for names in NOT_IDEMPOTENT.values() for name in names}
    calls = [add_key(call) for call in scene() if call.func.__name__ not in again]
    found = [(call.func.__name__, found) for call in calls if (found := list_differences(call))]
    assert not found, "\n".join(map(str, found))
