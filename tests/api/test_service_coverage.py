"""Every service that changes data has an API operation, or a stated reason to have none."""

import ast
import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from api.operations import OPERATIONS
from operations.data_dir import PROJECT

pytestmark = pytest.mark.slow

LATER = "not yet: it has forms of its own"
FILES = "it takes a file, which a page previews"
SIGN_IN_REASON = "it grants or revokes access of people"
PRIVATE = "it concerns personal data, and needs a person who reads first"
STEP = "a step of another service, which has an address"
ON_PAPER_REASON = "a person brings the code on paper"
OTHERS = "owners of two clubs agree on it"
SEVERAL = "several at once: programs call once for each"

SERVICES_WITHOUT_ADDRESS: dict[str, str] = {
    **dict.fromkeys(
        ("invite", "create_password_link", "renew_invitation", "revoke_invitation", "accept_invitation"), SIGN_IN_REASON
    ),
    **dict.fromkeys(("join_with_new_account", "choose_new_password"), SIGN_IN_REASON),
    **dict.fromkeys(("change_role", "remove_member", "leave_club", "make_token", "revoke_token"), SIGN_IN_REASON),
    "reset_second_factor": SIGN_IN_REASON,
    "seat_given_lineups": "a part of drawing a round",
    "apply_plan": STEP,
    **dict.fromkeys(("replace_table_card", "turn_table_phone_away"), SIGN_IN_REASON),
    **dict.fromkeys(("change_privacy", "defer_erasure", "add_incident", "change_incident"), PRIVATE),
    **dict.fromkeys(("close_incident", "anonymize_people", "merge_people", "start_club_file"), PRIVATE),
    **dict.fromkeys(("leave_server", "stay_on_server"), PRIVATE),
    **dict.fromkeys(("start_people_import", "bring_in_event", "start_night_import"), FILES),
    **dict.fromkeys(("set_club_picture", "request_club_picture", "remove_club_picture"), FILES),
    **dict.fromkeys(("add_entry_list", "import_entries"), FILES),
    **dict.fromkeys(("replace_event", "start_file_import", "add_entry_sheet", "record_hand_sheet"), FILES),
    **dict.fromkeys(("invite_club", "create_invitation_link", "withdraw_invitation", "accept_for_club"), OTHERS),
    **dict.fromkeys(("decline_for_club", "accept_by_link", "assign_to_series", "enter_for_club"), OTHERS),
    **dict.fromkeys(("remove_for_club", "replace_for_club"), OTHERS),
    **dict.fromkeys(("make_identity_code", "enter_identity_code", "take_back_identity"), ON_PAPER_REASON),
    **dict.fromkeys(("mark_family_present", "pay_family", "add_known_people", "add_entries", "move_teams"), SEVERAL),
    **dict.fromkeys(
        ("is_done", "check_unchanged", "defer", "recognize_players", "undo_club_action", "correct_name"), STEP
    ),
    **dict.fromkeys(("undo_payment", "record_dues"), "an undo of the history does it"),
    **dict.fromkeys(("save_night_template", "rename_night_template", "remove_night_template"), LATER),
    **dict.fromkeys(("place_entries", "enter_draw", "let_meet"), LATER),
    **dict.fromkeys(
        ("create_pairing_link", "end_pairing", "enqueue_pairing", "pair_with_site", "leave_site"), SIGN_IN_REASON
    ),
    **dict.fromkeys(
        ("take_over_lead", "restart_mirror", "hand_over", "enqueue_follow", "follow_site"),
        "an owner decides after reading the effects",
    ),
    "import_snapshot_file": "it replaces the network, by hand",
    "bring_back_event": "an archived event has no address until then",
    **dict.fromkeys(("say_attendance", "sign_off_entry"), "players do it with their own links"),
    **dict.fromkeys(("add_club", "change_club"), "an owner does it, rarely"),
    "change_signing_key": "an owner gives its digits to people in person",
    "sign_up": "anybody signs up on the public page, which slows down who tries too often",
}
"""The reason why a service has no API operation, by the name of the service."""


def list_services() -> Iterator[Callable[..., Any]]:
    """Yield each service that changes data and records its author."""
    for app in ("clubs", "tournaments", "federations"):
        for path in sorted((PROJECT / app).rglob("*.py")):
            if "services" in path.parts or path.name == "services.py":
                yield from _list_services_in(path)


def _list_services_in(path: Path) -> Iterator[Callable[..., Any]]:
    module = import_module(".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__"))
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            function = getattr(module, node.name)
            if "by" in inspect.signature(function).parameters:
                yield function


def test_every_service_has_an_operation_or_a_reason() -> None:
    offered = {service.__name__ for one in OPERATIONS for service in one.does}
    service_names = {service.__name__ for service in list_services()}
    assert service_names - offered - SERVICES_WITHOUT_ADDRESS.keys() == set(), (
        "give it an address in api/writing/, or say why"
    )
    assert offered & SERVICES_WITHOUT_ADDRESS.keys() == set()
    assert SERVICES_WITHOUT_ADDRESS.keys() - service_names == set()


@pytest.mark.long
def test_most_services_have_an_operation() -> None:
    service_names = [service.__name__ for service in list_services()]
    assert len(SERVICES_WITHOUT_ADDRESS) < len(service_names) / 2
