"""Each service that runs in one transaction is tested in a scene, or excluded with a reason."""

import pkgutil
from collections.abc import Iterator
from functools import partial
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

import clubs
import federations
import jobs
import scoring
import tournaments
from tests.interleaving.scenes import SCENES

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MEETS_NOBODY = {
    "makes something of its own, which nobody else has yet": (
        *("request_plan", "create_event", "issue_cards", "save_proposals", "lead_cards"),
        *("make_event", "create_planned_event", "make_token", "open_matches", "start_club", "start_club_file"),
    ),
    "stands inside a service that is here, and holds what that one holds": (
        *(
            "bring_in_matches",
            "change_own_terms",
            "defer",
            "move_matches",
            "order_paper",
            "replace_card",
            "reseat_match",
            "replace_event",
        ),
        *("turn_phone_away", "withdraw_matches", "save_new_account"),
    ),
    "works at a start or on a restored database, before anybody is let in": (
        *(
            "complete_chains",
            "complete_summaries",
            "refold_names",
            "refresh_older_standings",
            "request_all_counts",
        ),
        *("renew_restored_feeds", "switch_off_restored_webhooks", "delete_unfinished_imports"),
    ),
    "draws what no order makes alike: other digits for a card, another secret, a key": (
        *("add_webhook", "change_signing_key", "make_identity_code", "create_pairing_link"),
        *("renew_webhook_secret", "replace_table_card"),
    ),
    "is of two installations: the tests of mirrors have two": (
        *("accept_pairing", "restart_mirror", "end_pairing", "take_over_lead", "leave_site", "apply_snapshot"),
        *("hand_over", "claim_first_use", "record_offset", "import_snapshot_file"),
    ),
    "repairs what a disk has changed, with the match held": ("accept_log", "chains_renewed", "repair_log"),
    "adds to a line of the hour, or begins another one": ("log_refusal",),
    "takes digits of this half minute, which no order makes alike: they have a test of their own": ("accept_digits",),
    "needs a mailbox or an authenticator: the tests of its page have one": (
        *("add_passkey", "request_address_link", "request_sign_in_link", "sign_in_with_link", "sign_in_with_passkey"),
        *("answer_club_request", "request_club", "send_club_answer", "mail_departure"),
    ),
    "sets one date of a club, with the club held": ("leave_server", "stay_on_server"),
}


SHORT_TRANSACTION_SERVICES = {
    *("draw_round", "publish_final", "refresh_seasons", "refresh_standings", "seat_more", "swap_entries"),
    "undo_club_action",
    *("create_account", "change_password", "join_with_new_account", "choose_new_password"),
}
"""Services that compute outside the transaction, or in pieces, and write at the end; all others are one transaction."""

HELPER_TRANSACTION_SERVICES = {"call_last_hand", "pause_clock"}


def iter_services() -> Iterator[str]:
    """Yield the names of all services that are decorated as one transaction."""
    for module in _iter_modules():
        for name, value in vars(module).items():
            if (
                not name.startswith("_")
                and getattr(value, "__module__", "") == module.__name__
                and hasattr(value, "__wrapped__")
            ):
                yield name


def _iter_modules() -> Iterator[ModuleType]:
    for package in (scoring, tournaments, federations, clubs, jobs):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if "services" in found.name.split("."):
                yield import_module(found.name)


def test_every_service_is_tested_concurrently_or_excluded() -> None:
    calls: list[partial[Any]] = [call for scene in SCENES for call in scene()]
    meeting = {call.func.__name__ for call in calls}
    excused = {name for names in MEETS_NOBODY.values() for name in names}
    missing = sorted(set(iter_services()) - meeting - excused)
    assert not missing, " ".join(missing)
    assert excused & meeting == set()
    assert meeting - set(iter_services()) == SHORT_TRANSACTION_SERVICES | HELPER_TRANSACTION_SERVICES
