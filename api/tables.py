"""Scoring at a table: by table code, as a phone does, or by round and table, as the desk does."""

from typing import Any
from uuid import UUID

from django.http import Http404
from rest_framework import serializers as s

from clubs.policy import Audience, Permission
from errors import Refusal
from rules import Side
from scoring import queries, services
from scoring.converters import CODE
from scoring.models import AT_DESK, Mark, Match
from scoring.parsing import posted_key, posted_mark
from scoring.table_access import LETTERS, match_behind, visitor_of_program
from tournaments.models import Table

from .fields import PlainObject, body, maybe_number, number, one_of, text, yes_no
from .operation import Operation, ProgramCall
from .paths import TABLE
from .shapes.rounds import MarkDone, MatchOut

CARD = f"tables/<{CODE}:code>"


class MarkIn(s.Serializer[Any]):
    """A hand, a correction of one, or an undo (`{"kind": "undone"}`)."""

    match = maybe_number()
    entry_key = s.UUIDField(required=False, help_text="UUID of the hand; the Idempotency-Key by default.")
    number = number(1, 999, help_text="Number of the hand in the match, from 1.")
    hand = PlainObject(help_text="The hand, as in docs/api/recorded-nights.md.")
    supersedes = s.CharField(required=False, allow_null=True, help_text="Id of the record that it replaces.")
    saw_only = yes_no(default=False)
    device = text(most=80, default="", help_text="Id of the device.")
    reason = text(default="", help_text="Reason for a ruling from the desk.")


MatchIn = {"match": maybe_number()}
AgreeIn = body(
    "AgreeIn",
    **MatchIn,
    side=one_of(Side.__members__),
    game=number(1, 99),
    seen=text(
        default="", help_text="Score that the side saw: `24-18 A points`. A different score is refused."
    ),
    device=text(most=80, default=""),
)
DisputeIn = body("DisputeIn", **MatchIn, note=text(default=""), device=text(most=80, default=""))
WithdrawCallIn = body("WithdrawCallIn", **MatchIn, call=s.UUIDField(required=False, allow_null=True))
DealerIn = body("DealerIn", **MatchIn, seat=number(0, 3), seen=maybe_number(0, 3))
PencilIn = body("PencilIn", **MatchIn, act=one_of(("ask", "give", "keep")), device=text(most=80))
SettleIn = body("SettleIn", ruling=text(), call=s.UUIDField(required=False, allow_null=True))


def _device(call: ProgramCall) -> str:
    return str(call.body.get("device", "")).replace(AT_DESK, "")


def _match(call: ProgramCall) -> Match:
    """Find the match in play at the table, or an earlier one given in the body. Refuses: no_such_match, and
    what ``match_behind`` does."""
    match = match_behind(call.path["code"], visitor_of_program(call.request))
    said = call.body.get("match")
    if said is None or said == match.pk:
        return match
    found = queries.match_of_card(match.card, said)
    if found is None:
        raise Refusal("no_such_match")
    return found


def _again(match: Match) -> Match:
    found = queries.match_with_hands(match.pk)
    assert found is not None
    return found


def _mark(call: ProgramCall, match: Match, **who: Any) -> Mark:
    said = call.body
    key = said.get("entry_key") or call.key
    posted = posted_mark({**said["hand"], **said, "match": match.pk, "entry_key": key})
    return services.record_hand(match_id=match.pk, **posted.record, **who)


def mark(call: ProgramCall) -> Mark:
    """Record, correct or undo a hand. Safe to repeat with the same idempotency key."""
    return _mark(call, _match(call), device=_device(call))


def agree(call: ProgramCall) -> Match:
    """Confirm a game's result for one side."""
    match = _match(call)
    said = call.body
    services.agree(
        match_id=match.pk,
        side=Side[said["side"]],
        game=said["game"],
        seen=said["seen"] or None,
        device=_device(call),
    )
    return _again(match)


def dispute(call: ProgramCall) -> Match:
    """Call the desk to the table."""
    match = _match(call)
    services.dispute(match_id=match.pk, note=call.body["note"], device=_device(call), entry_key=call.key)
    return _again(match)


def withdraw_dispute(call: ProgramCall) -> Match:
    """Withdraw the table's call."""
    match = _match(call)
    services.withdraw_dispute(match_id=match.pk, call=_call_meant(call, match))
    return _again(match)


def name_dealer(call: ProgramCall) -> Match:
    """Set who dealt first, by seat."""
    match = _match(call)
    services.name_first_dealer(match_id=match.pk, seat=call.body["seat"], seen=call.body["seen"])
    return _again(match)


def pass_pencil(call: ProgramCall) -> Match:
    """Ask to keep score on this device, or answer such a request."""
    match, act = _match(call), call.body["act"]
    if act == "ask":
        services.request_scorekeeping(match_id=match.pk, device=_device(call))
    else:
        services.answer_scorekeeping_request(match_id=match.pk, device=_device(call), gives=act == "give")
    return _again(match)


def _call_meant(call: ProgramCall, match: Match) -> UUID | None:
    """Find the call given in the body, or the open one."""
    said = posted_key(call.body, "call")
    found = None if said else queries.open_dispute(match)
    return found.entry_key if found is not None else said


def _at_desk(call: ProgramCall) -> Match:
    tables = Table.objects.filter(round__event=call.event, round__number=call.path["number"])
    found = tables.filter(number=call.path["table"], match__isnull=False).select_related("match").first()
    if found is None or found.match is None:
        raise Http404
    return found.match


def mark_at_desk(call: ProgramCall) -> Mark:
    """Record a hand from the desk. With a director's API key it is a ruling; give its ``reason``."""
    match = _at_desk(call)
    if Permission.DIRECT in call.permissions:
        return _mark(call, match, account=call.by.account, reason=call.body["reason"])
    return _mark(call, match, device=f"{AT_DESK}{call.token}")


def settle_dispute(call: ProgramCall) -> Match:
    """Answer a table's call."""
    match = _at_desk(call)
    assert call.by.account is not None
    services.settle_call(
        match_id=match.pk,
        account=call.by.account,
        ruling=call.body["ruling"],
        call=_call_meant(call, match),
    )
    return _again(match)


def _at(
    path: str, needs: Any, run: Any, takes: Any, gives: Any = MatchOut, *does: Any, **more: Any
) -> Operation:
    says = " ".join((run.__doc__ or "").partition("\n\n")[0].split())
    return Operation(
        method="post", path=path, needs=needs, run=run, takes=takes, gives=gives, says=says, does=does, **more
    )


TABLE_DOOR = Audience.TABLE
AT_TABLES: list[Operation] = [
    Operation(
        method="get",
        path=CARD,
        name="getTable",
        needs=TABLE_DOOR,
        run=_match,
        gives=MatchOut,
        says="Get the match in play at a table, by the table code.",
        asks={LETTERS: "The five letters on the table card, needed once the server asks for them."},
    ),
    _at(
        f"{CARD}/hands", TABLE_DOOR, mark, MarkIn, MarkDone, services.record_hand, name="markHand", status=201
    ),
    _at(f"{CARD}/agree", TABLE_DOOR, agree, AgreeIn, MatchOut, services.agree, name="agree"),
    _at(f"{CARD}/dispute", TABLE_DOOR, dispute, DisputeIn, MatchOut, services.dispute, name="dispute"),
    _at(
        f"{CARD}/withdraw",
        TABLE_DOOR,
        withdraw_dispute,
        WithdrawCallIn,
        MatchOut,
        services.withdraw_dispute,
        name="withdrawDispute",
    ),
    _at(
        f"{CARD}/dealer",
        TABLE_DOOR,
        name_dealer,
        DealerIn,
        MatchOut,
        services.name_first_dealer,
        name="nameFirstDealer",
    ),
    _at(
        f"{CARD}/pencil",
        TABLE_DOOR,
        pass_pencil,
        PencilIn,
        MatchOut,
        services.request_scorekeeping,
        services.answer_scorekeeping_request,
        name="passPencil",
    ),
    _at(
        f"{TABLE}/hands",
        Permission.HELP,
        mark_at_desk,
        MarkIn,
        MarkDone,
        services.record_hand,
        name="markHandAtDesk",
        status=201,
    ),
    _at(
        f"{TABLE}/settle",
        Permission.HELP,
        settle_dispute,
        SettleIn,
        MatchOut,
        services.settle_call,
        name="settleDispute",
    ),
]
