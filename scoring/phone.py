"""Everything that a phone at a table needs without a network: the match, and the program that draws it.

See docs/decisions/0051-compute-and-draw-the-match-on-the-phone.md.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any

from django.utils.safestring import SafeString

from clubs.game_words import CONTRACTS, MODES, SUITS, UNPLAYED_HANDS
from errors import Refusal
from rules import RESERVE, TRICKS, PlayedHand, Side, match_format_to_json, ruleset_to_json
from web.html_json import escape_json_for_html
from web.portable_templates import FilterTables, compile_template

from .bundles import Kind, build_frames, derive_bundle_key
from .desk_messages import messages_to_json
from .models import Agreement, Dispute
from .moves import Move
from .presenters.sides import SideView
from .presenters.table import TableScreen
from .table_access import TableSession

SERVER_VARIABLES = frozenset({"card_qr_code", "session.account", "session.director", "known", "request", "typed"})
"""Template variables that only the desk or only the server has."""

SCREEN_TEMPLATES = ("scoring/table.html#screen", "scoring/phone_hands.html")

_CONTRACT_KEYS = [*CONTRACTS, *map(str, range(1, TRICKS + 1))]
PHONE_REFUSALS: Mapping[str, tuple[str, ...]] = {
    "director_only": (),
    "game_changed": (),
    "game_not_over": (),
    "match_closed": (),
    "match_over": (),
    "no_such_mark": (),
    "not_last_hand": ("last",),
    "number_skips": ("expected",),
}
"""Refusals that a phone makes itself, with the values in their sentences."""

SCREEN_TEXTS: FilterTables = {
    "contract_name": _CONTRACT_KEYS,
    "joined": {"two": ["{first}", "{last}"]},
    "mode_name": [*MODES, *(RESERVE + mode for mode in MODES)],
    "outcome": {
        f"{contract} {'made' if made else 'failed'}": PlayedHand(side=Side.A, contract=contract, made=made)
        for contract in _CONTRACT_KEYS
        for made in (True, False)
    },
    "record_name": list(UNPLAYED_HANDS),
    "sentence": {
        code: Refusal(code, **{name: f"{{{name}}}" for name in names}) for code, names in PHONE_REFUSALS.items()
    },
    "get_suit_icon": list(SUITS),
    "get_suit_name": list(SUITS),
}


PhoneMatch = Mapping[str, Any]
"""A match as a phone keeps it, in JSON; its type is in ``static/js/table/snapshot.js``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The screens of a table in one language, as JSON; ``digest`` identifies this exact text."""

    digest: str
    text: str


@lru_cache
def compile_table_program(language: str) -> Program:
    """Compile the screens of a table. Done once in each process."""
    screens = [
        compile_template(name, language=language, filter_values=SCREEN_TEXTS, absent_names=SERVER_VARIABLES)
        for name in SCREEN_TEMPLATES
    ]
    program_data = {
        "templates": {name: nodes for each in screens for name, nodes in each["templates"].items()},
        "words": {name: texts for each in screens for name, texts in each["words"].items()},
    }
    text = _dump_json(program_data)
    return Program(digest=sha256(text.encode()).hexdigest()[:16], text=text)


def render_json(value: Mapping[str, Any]) -> SafeString:
    """Convert to JSON that can be put into a page as it is."""
    return escape_json_for_html(_dump_json(value))


def _dump_json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def build_phone_match(
    session: TableSession,
    screen: TableScreen,
    *,
    call: Dispute | None,
    etag: str,
) -> PhoneMatch:
    """Return the match as a phone keeps it. ``call`` is its latest call to the desk, with the ruling."""
    match, device = session.match, session.device
    terms, card = match.terms, match.card
    return {
        "match": {
            "pk": match.pk,
            "round_number": match.round_number,
            "revision": match.revision,
            "identity": session.log.identity,
            "closed_at": None if match.closed_at is None else match.closed_at.isoformat(),
            "card": {
                "number": card.number,
                "public_page": card.public_page,
                "clock": card.clock_data,
                "messages": [*card.messages_data, *messages_to_json(call.answers if call else ())],
            },
        },
        "time_zone": card.club.time_zone,
        "ruleset": ruleset_to_json(match.ruleset),
        "match_format": match_format_to_json(match.match_format),
        "details": terms.details,
        "first_dealer": match.first_dealer_seat,
        "sides": [_serialize_side(side) for side in screen.sides],
        "marks": [
            {**line, "status": mark.status, "device": device if mark.device == device else ""}
            for mark, line in zip(match.written_marks, session.log.lines, strict=True)
        ],
        "digest": session.log.digests[-1],
        "agreements": [_serialize_agreement(agreement) for agreement in match.ordered_agreements],
        "dispute": _serialize_call(call) if call and call.is_open else None,
        "move": None if session.move is None else _serialize_move(session.move),
        "pencil": asdict(session.scorekeeper),
        "device": device,
        "since": session.since,
        "bundle_key": derive_bundle_key(card.code),
        "url": session.url,
        "own_page": session.own_page,
        "etag": etag,
    }


MATCH_FIELDS = (
    *("match", "ruleset", "match_format", "details", "first_dealer"),
    *("sides", "marks", "digest", "agreements", "dispute"),
)
"""Fields of ``PhoneMatch`` that differ between matches of a table."""


def build_round_codes(session: TableSession, screen: TableScreen, *, call: Dispute | None) -> list[str]:
    """Return the texts of QR codes that tell a phone without a network about its table's match."""
    phone_match = build_phone_match(replace(session, device=""), screen, call=call, etag="")
    value = {name: phone_match[name] for name in MATCH_FIELDS}
    return build_frames(Kind.ROUND, session.match.card.code, value, phone_match["bundle_key"])


def _serialize_side(side: SideView) -> Mapping[str, Any]:
    return {
        **_serialize(side, "letter", "colour", "short", "full"),
        "players": [_serialize(player, "name", "surname", "first_name", "seat") for player in side.players],
    }


def _serialize_move(move: Move) -> Mapping[str, Any]:
    seats = [_serialize(seat, "names", "table", "url") for seat in move.seats]
    return {**_serialize(move, "round", "is_own"), "seats": seats}


def _serialize_call(call: Dispute) -> Mapping[str, Any]:
    key = call.entry_key
    return {**_serialize(call, "note", "is_opened"), "entry_key": None if key is None else str(key)}


def _serialize_agreement(agreement: Agreement) -> Mapping[str, Any]:
    moment = agreement.created_at.isoformat()
    return {**_serialize(agreement, "game", "agreed_to"), "side": Side(agreement.side).name, "created_at": moment}


def _serialize(value: object, *names: str) -> Mapping[str, Any]:
    return {name: getattr(value, name) for name in names}
