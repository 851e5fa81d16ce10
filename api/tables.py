"""Scoring at a table: by table code, as a phone does, or by round and table, as the desk does."""

from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.http import Http404
from rest_framework import serializers as s

from clubs.policy import Audience, Permission
from errors import get_or_refuse
from rules import Side
from scoring import queries
from scoring.converters import CODE
from scoring.models import DESK_PREFIX, Mark, Match
from scoring.parsing import HAND_FIELDS, parse_key, parse_mark
from scoring.services import agreement, marks, matches, scorekeeper
from scoring.services.match_changes import lock_match
from scoring.table_access import LETTERS_PARAM, authorize_match, get_api_visitor
from tournaments.models import Table
from wording.sentences import SENTENCES

from .fields import (
    JSONValueField,
    boolean_field,
    choice_field,
    integer_field,
    optional_integer_field,
    request_body,
    text_field,
)
from .operation import ApiCall, Operation
from .paths import TABLE
from .shapes.rounds import MarkDone, MatchOut

CARD = f"tables/<{CODE}:code>"


class HandIn(s.Serializer[Any]):
    """A hand. Only the fields of its kind, and those that the event records."""

    default_error_messages: ClassVar[dict[str, Any]] = {"invalid": SENTENCES["not_an_object"]}

    def get_fields(self) -> dict[str, Any]:
        return {name: JSONValueField(required=False, allow_null=True) for name in HAND_FIELDS}


class MarkIn(s.Serializer[Any]):
    """A hand, a correction of one, or an undo (`{"kind": "undone"}`)."""

    match = optional_integer_field()
    entry_key = s.UUIDField(required=False, help_text="UUID of the hand; the Idempotency-Key by default.")
    number = integer_field(1, 999, help_text="Number of the hand in the match, from 1.")
    hand = HandIn(help_text="The hand, as in docs/api/recorded-nights.md.")
    supersedes = s.CharField(required=False, allow_null=True, help_text="Id of the record that it replaces.")
    saw_only = boolean_field(default=False)
    device = text_field(max_length=80, default="", help_text="Id of the device.")
    reason = text_field(default="", help_text="Reason for a ruling from the desk.")


MATCH_FIELD = {"match": optional_integer_field()}
AgreeIn = request_body(
    "AgreeIn",
    **MATCH_FIELD,
    side=choice_field(Side.__members__),
    game=integer_field(1, 99),
    seen=text_field(default="", help_text="Score that the side saw: `24-18 A points`. A different score is refused."),
    device=text_field(max_length=80, default=""),
)
DisputeIn = request_body(
    "DisputeIn", **MATCH_FIELD, note=text_field(default=""), device=text_field(max_length=80, default="")
)
WithdrawCallIn = request_body("WithdrawCallIn", **MATCH_FIELD, call=s.UUIDField(required=False, allow_null=True))
DealerIn = request_body("DealerIn", **MATCH_FIELD, seat=integer_field(0, 3), seen=optional_integer_field(0, 3))
PencilIn = request_body(
    "PencilIn", **MATCH_FIELD, act=choice_field(("ask", "give", "keep")), device=text_field(max_length=80)
)
SettleIn = request_body("SettleIn", ruling=text_field(), call=s.UUIDField(required=False, allow_null=True))


Handler = Callable[[ApiCall, Match], Mark | None]
"""Does an operation at a table. Without a mark, its response is the match."""


def _find_match(call: ApiCall) -> Match:
    """Find the match in play at the table, or an earlier one given in the body. Refuses: no_such_match, and
    what ``authorize_match`` refuses."""
    match = authorize_match(call.path["code"], get_api_visitor(call.request))
    match_id = call.body.get("match")
    if match_id is None or match_id == match.pk:
        return match
    return get_or_refuse(queries.find_card_match(match.card, match_id), "no_such_match")


def _find_table_match(call: ApiCall) -> Match:
    tables = Table.objects.filter(round__event=call.event, round__number=call.path["number"])
    table = tables.filter(number=call.path["table"], match__isnull=False).select_related("match").first()
    if table is None or table.match is None:
        raise Http404
    return table.match


TABLE_OPERATIONS: list[Operation] = [
    Operation(
        method="get",
        path=CARD,
        name="getTable",
        access=Audience.TABLE,
        run=_find_match,
        response_shape=MatchOut,
        description="Get the match in play at a table, by the table code.",
        asks={LETTERS_PARAM: "The five letters on the table card, needed once the server asks for them."},
    ),
]


def _table_operation(
    path: str, request_shape: Any, response_shape: Any = MatchOut, **options: Any
) -> Callable[[Handler], Handler]:
    """Return a decorator that adds an operation at a table, done under the lock of the match.

    At a ``TABLE`` of a round it is for the desk, at a ``CARD`` for the phones. ``options`` goes to the ``Operation``.
    """
    is_for_desk = path.startswith(TABLE)

    def add_operation(handle: Handler) -> Handler:
        def run(call: ApiCall) -> Mark | Match | None:
            match = _find_table_match(call) if is_for_desk else _find_match(call)
            with transaction.atomic():
                lock_match(match.pk)
                call.check_before_change()
                return handle(call, match) or queries.find_match(match.pk)

        operation = Operation(
            method="post",
            path=path,
            access=Permission.HELP if is_for_desk else Audience.TABLE,
            run=run,
            request_shape=request_shape,
            response_shape=response_shape,
            description=" ".join((handle.__doc__ or "").split()),
            **options,
        )
        TABLE_OPERATIONS.append(operation)
        return handle

    return add_operation


def _get_device(call: ApiCall) -> str:
    return str(call.body.get("device", "")).replace(DESK_PREFIX, "")


def _record_mark(call: ApiCall, match: Match, **columns: Any) -> Mark:
    body = call.body
    key = body.get("entry_key") or call.idempotency_key
    parsed_mark = parse_mark({**body["hand"], **body, "match": match.pk, "entry_key": key})
    return marks.record_hand(match_id=match.pk, **parsed_mark.record, **columns)


def _find_call_key(call: ApiCall, match: Match) -> UUID | None:
    """Find the call given in the body, or the open one."""
    key = parse_key(call.body, "call")
    open_call = None if key else queries.find_open_call(match)
    return open_call.entry_key if open_call is not None else key


@_table_operation(f"{CARD}/hands", MarkIn, MarkDone, name="markHand", status=201, does=(marks.record_hand,))
def mark(call: ApiCall, match: Match) -> Mark:
    """Record, correct or undo a hand. Safe to repeat with the same idempotency key."""
    return _record_mark(call, match, device=_get_device(call))


@_table_operation(f"{CARD}/agree", AgreeIn, name="agree", does=(agreement.record_agreement,))
def confirm_result(call: ApiCall, match: Match) -> None:
    """Confirm a game's result for one side."""
    body = call.body
    agreement.record_agreement(
        match_id=match.pk,
        side=Side[body["side"]],
        game=body["game"],
        expected=body["seen"] or None,
        device=_get_device(call),
    )


@_table_operation(f"{CARD}/dispute", DisputeIn, name="dispute", does=(agreement.call_desk,))
def call_desk(call: ApiCall, match: Match) -> None:
    """Call the desk to the table."""
    agreement.call_desk(
        match_id=match.pk, note=call.body["note"], device=_get_device(call), entry_key=call.idempotency_key
    )


@_table_operation(f"{CARD}/withdraw", WithdrawCallIn, name="withdrawDispute", does=(agreement.withdraw_call,))
def withdraw_call(call: ApiCall, match: Match) -> None:
    """Withdraw the table's call."""
    agreement.withdraw_call(match_id=match.pk, call=_find_call_key(call, match))


@_table_operation(f"{CARD}/dealer", DealerIn, name="nameFirstDealer", does=(matches.name_first_dealer,))
def name_first_dealer(call: ApiCall, match: Match) -> None:
    """Set who dealt first, by seat."""
    matches.name_first_dealer(match_id=match.pk, seat=call.body["seat"], expected=call.body["seen"])


@_table_operation(
    f"{CARD}/pencil",
    PencilIn,
    name="passPencil",
    does=(scorekeeper.request_scorekeeper_role, scorekeeper.answer_scorekeeper_request),
)
def pass_scorekeeping(call: ApiCall, match: Match) -> None:
    """Ask to keep score on this device, or answer such a request."""
    action = call.body["act"]
    if action == "ask":
        scorekeeper.request_scorekeeper_role(match_id=match.pk, device=_get_device(call))
    else:
        scorekeeper.answer_scorekeeper_request(match_id=match.pk, device=_get_device(call), gives=action == "give")


@_table_operation(f"{TABLE}/hands", MarkIn, MarkDone, name="markHandAtDesk", status=201, does=(marks.record_hand,))
def mark_at_desk(call: ApiCall, match: Match) -> Mark:
    """Record a hand from the desk. With a director's API key it is a ruling; give its ``reason``."""
    if Permission.DIRECT in call.permissions:
        return _record_mark(call, match, account=call.actor.account, reason=call.body["reason"])
    return _record_mark(call, match, device=f"{DESK_PREFIX}{call.token}")


@_table_operation(f"{TABLE}/settle", SettleIn, name="settleDispute", does=(agreement.settle_call,))
def settle_call(call: ApiCall, match: Match) -> None:
    """Answer a table's call."""
    assert call.actor.account is not None
    agreement.settle_call(
        match_id=match.pk,
        account=call.actor.account,
        ruling=call.body["ruling"],
        call=_find_call_key(call, match),
    )
