"""Every change that the pages make has an address for programs, or is named here with the reason."""

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
FILES = "it takes a file, which the pages look at first"
WAYS_IN = "it lets people in or out, and a key is for programs"
PRIVATE = "it is about personal information, and wants a person who reads first"
STEP = "a step of another service, which has an address"
IN_HAND = "somebody brings it on paper, and stands there"
OTHERS = "clubs invite each other, person to person"
SEVERAL = "several at once: programs call once for each"

WITHOUT_ADDRESS: dict[str, str] = {
    **dict.fromkeys(
        ("invite", "hand_new_password", "renew_invitation", "revoke_invitation", "accept_invitation"), WAYS_IN
    ),
    **dict.fromkeys(("join_with_new_account", "choose_new_password"), WAYS_IN),
    **dict.fromkeys(("change_role", "remove_member", "leave_club", "make_token", "revoke_token"), WAYS_IN),
    "remove_members_second_factor": WAYS_IN,
    **dict.fromkeys(("replace_table_card", "turn_table_phone_away"), WAYS_IN),
    **dict.fromkeys(("change_privacy", "keep_person", "add_incident", "change_incident"), PRIVATE),
    **dict.fromkeys(("close_incident", "anonymize_people", "merge_people", "take_club_file"), PRIVATE),
    **dict.fromkeys(("import_people", "bring_in_people", "bring_in_event", "bring_in_night"), FILES),
    **dict.fromkeys(("set_club_picture", "ask_club_picture", "remove_club_picture"), FILES),
    "add_entry_list": FILES,
    **dict.fromkeys(("take_over_event", "bring_in_file", "add_entry_sheet", "record_hand_sheet"), FILES),
    **dict.fromkeys(("invite_club", "invite_by_link", "withdraw_club", "accept_for_club"), OTHERS),
    **dict.fromkeys(("decline_for_club", "accept_by_link", "put_in_series", "enter_for_club"), OTHERS),
    **dict.fromkeys(("take_out_for_club", "replace_for_club"), OTHERS),
    **dict.fromkeys(("make_identity_code", "enter_identity_code", "take_back_identity"), IN_HAND),
    **dict.fromkeys(("mark_family_present", "pay_family", "add_known_people", "add_entries"), SEVERAL),
    **dict.fromkeys(
        ("is_done", "check_unchanged", "defer", "recognize_players", "undo_club_action", "correct_name"), STEP
    ),
    **dict.fromkeys(("undo_payment", "record_fee", "record_dues"), "an undo of the history does it"),
    **dict.fromkeys(("keep_usual_night", "rename_usual_night", "remove_usual_night"), LATER),
    **dict.fromkeys(("place_entries", "enter_draw", "let_meet"), LATER),
    **dict.fromkeys(
        ("make_pairing_link", "end_pairing", "ask_pairing", "pair_with_site", "leave_site"), WAYS_IN
    ),
    **dict.fromkeys(
        ("lead_here", "begin_mirror_anew", "hand_over", "ask_to_follow", "follow_site"),
        "an owner chooses, who has read what it costs",
    ),
    "take_snapshot_file": "by hand: the network does it by itself",
    "bring_back_event": "an archived event has no address until then",
    **dict.fromkeys(("say_attendance", "sign_off_entry"), "the player's own link says it"),
    **dict.fromkeys(("add_club", "change_club"), "an owner says it of the club itself, once in years"),
    "change_signing_key": "people are told its digits, person to person",
    "sign_up": "anybody signs up on the public page, which slows down who tries too often",
}
"""By the service: why no program asks for it."""


def services() -> Iterator[Callable[..., Any]]:
    """Every function that changes something and says who does it."""
    for app in ("clubs", "tournaments", "federations"):
        for path in sorted((PROJECT / app).rglob("*.py")):
            if "services" in path.parts or path.name == "services.py":
                yield from _changes_in(path)


def _changes_in(path: Path) -> Iterator[Callable[..., Any]]:
    module = import_module(
        ".".join(path.relative_to(PROJECT).with_suffix("").parts).removesuffix(".__init__")
    )
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            function = getattr(module, node.name)
            if "by" in inspect.signature(function).parameters:
                yield function


def test_every_change_has_an_address_or_a_reason() -> None:
    offered = {service.__name__ for one in OPERATIONS for service in one.does}
    known = {service.__name__ for service in services()}
    assert known - offered - WITHOUT_ADDRESS.keys() == set(), "give it an address in api/writing/, or say why"
    assert offered & WITHOUT_ADDRESS.keys() == set()
    assert WITHOUT_ADDRESS.keys() - known == set()


def test_most_changes_have_an_address() -> None:
    known = [service.__name__ for service in services()]
    assert len(WITHOUT_ADDRESS) < len(known) / 2
