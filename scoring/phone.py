"""Everything that a phone at a table needs without a network: the match, and the program that draws it.

See docs/decisions/0051-compute-and-draw-the-match-on-the-phone.md.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from hashlib import sha256
from typing import Any, TypedDict

from django.utils.safestring import SafeString

from clubs.game_words import CONTRACTS, MODES, OTHER_RECORDS, SUITS
from errors import Refusal
from rules import RESERVE, TRICKS, PlayedHand, Side, match_format_to_json, ruleset_to_json
from web.json_in_pages import json_in_page
from web.portable_templates import Words, compile_template

from .bundles import Kind, bundle_key, frames_of
from .desk_messages import messages_to_json
from .log_digests import MatchIdentity, SaidMark
from .models import Agreement, Dispute
from .moves import Move
from .presenters import TableScreen
from .presenters.sides import SideView
from .table_access import TableSession

ABSENT = frozenset({"card_square", "session.account", "session.director", "known", "request", "typed"})
"""Template variables that only the desk or only the server has."""

TEMPLATES = ("scoring/table.html#screen", "scoring/hands_on_phone.html")

_CONTRACT_KEYS = [*CONTRACTS, *map(str, range(1, TRICKS + 1))]
REFUSALS: Mapping[str, tuple[str, ...]] = {
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

WORDS: Words = {
    "contract_name": _CONTRACT_KEYS,
    "joined": {"two": ["{first}", "{last}"]},
    "mode_name": [*MODES, *(RESERVE + mode for mode in MODES)],
    "outcome": {
        f"{contract} {'made' if made else 'failed'}": PlayedHand(side=Side.A, contract=contract, made=made)
        for contract in _CONTRACT_KEYS
        for made in (True, False)
    },
    "record_name": list(OTHER_RECORDS),
    "sentence": {
        code: Refusal(code, **{name: f"{{{name}}}" for name in names}) for code, names in REFUSALS.items()
    },
    "suit_icon": list(SUITS),
    "suit_name": list(SUITS),
}


class PhonePlayer(TypedDict):
    name: str
    surname: str
    first_name: str
    seat: int


class PhoneSide(TypedDict):
    letter: str
    colour: str
    short: str
    full: str
    players: list[PhonePlayer]


class PhoneMark(SaidMark):
    """A mark with its current status. A phone learns only the name of its own device."""

    status: str
    device: str


class PhoneAgreement(TypedDict):
    game: int
    side: str
    agreed_to: str
    created_at: str


class PhoneDispute(TypedDict):
    note: str
    entry_key: str | None
    is_opened: bool


class PhoneCard(TypedDict):
    number: int
    public_page: str
    clock: Any
    messages: Any


class PhoneSeat(TypedDict):
    names: Sequence[str]
    table: int | None
    url: str


class PhoneMove(TypedDict):
    """New seats of the phone's people, if not here: ``moves.Move``."""

    round: int
    is_own: bool
    seats: list[PhoneSeat]


class PhoneTerms(TypedDict):
    """The match and its card."""

    pk: int
    round_number: int
    revision: int
    identity: MatchIdentity
    closed_at: str | None
    card: PhoneCard


class PhoneMatch(TypedDict):
    """The match as a phone keeps it, in JSON.

    It has the terms, the players, the log by entry keys with its running digest, the agreements, and
    ``since`` when this server asks for all logs.
    """

    match: PhoneTerms
    time_zone: str
    ruleset: Mapping[str, Any]
    match_format: Mapping[str, Any]
    details: str
    first_dealer: int
    sides: list[PhoneSide]
    marks: list[PhoneMark]
    digest: str
    agreements: list[PhoneAgreement]
    dispute: PhoneDispute | None
    move: PhoneMove | None
    pencil: Mapping[str, Any]
    device: str
    since: str
    bundle_key: str
    url: str
    own_page: str
    etag: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """The screens of a table in one language, as JSON; ``digest`` identifies this exact text."""

    digest: str
    text: str


@lru_cache
def table_program(language: str) -> Program:
    """Compile the screens of a table. Done once in each process."""
    screens = [compile_template(name, language=language, words=WORDS, absent=ABSENT) for name in TEMPLATES]
    whole = {
        "templates": {name: nodes for each in screens for name, nodes in each["templates"].items()},
        "words": {name: words for each in screens for name, words in each["words"].items()},
    }
    text = _compact(whole)
    return Program(digest=sha256(text.encode()).hexdigest()[:16], text=text)


def as_json(value: Mapping[str, Any]) -> SafeString:
    """Convert to JSON that can be put into a page as it is."""
    return json_in_page(_compact(value))


def _compact(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def match_for_phone(
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
        "first_dealer": match.dealer_at_start,
        "sides": [_side(side) for side in screen.sides],
        "marks": [
            {**line, "status": mark.status, "device": device if mark.device == device else ""}
            for mark, line in zip(match.written_marks, session.log.lines, strict=True)
        ],
        "digest": session.log.digests[-1],
        "agreements": [_agreement(agreement) for agreement in match.agreed],
        "dispute": _call(call) if call and call.is_open else None,
        "move": None if session.move is None else _move(session.move),
        "pencil": asdict(session.pencil),
        "device": device,
        "since": session.since,
        "bundle_key": bundle_key(card.code),
        "url": session.url,
        "own_page": session.own_page,
        "etag": etag,
    }


OF_A_ROUND = (
    *("match", "ruleset", "match_format", "details", "first_dealer"),
    *("sides", "marks", "digest", "agreements", "dispute"),
)
"""Fields of ``PhoneMatch`` that differ between matches of a table."""


def codes_of_round(session: TableSession, screen: TableScreen, *, call: Dispute | None) -> list[str]:
    """Return the texts of QR codes that tell a phone without a network about its table's match."""
    known: Mapping[str, Any] = match_for_phone(replace(session, device=""), screen, call=call, etag="")
    value = {name: known[name] for name in OF_A_ROUND}
    return frames_of(Kind.ROUND, session.match.card.code, value, known["bundle_key"])


def _side(side: SideView) -> PhoneSide:
    return {
        "letter": side.letter,
        "colour": side.colour,
        "short": side.short,
        "full": side.full,
        "players": [
            {
                "name": player.name,
                "surname": player.surname,
                "first_name": player.first_name,
                "seat": player.seat,
            }
            for player in side.players
        ],
    }


def _move(move: Move) -> PhoneMove:
    seats: list[PhoneSeat] = [
        {"names": seat.names, "table": seat.table, "url": seat.url} for seat in move.seats
    ]
    return {"round": move.round, "is_own": move.is_own, "seats": seats}


def _call(call: Dispute) -> PhoneDispute:
    key = call.entry_key
    return {
        "note": call.note,
        "entry_key": None if key is None else str(key),
        "is_opened": call.is_opened,
    }


def _agreement(agreement: Agreement) -> PhoneAgreement:
    return {
        "game": agreement.game,
        "side": Side(agreement.side).name,
        "agreed_to": agreement.agreed_to,
        "created_at": agreement.created_at.isoformat(),
    }
