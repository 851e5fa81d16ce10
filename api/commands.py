"""API operations made from services: path and body become arguments, the result becomes the response."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.db.models import Model
from django.http import Http404
from rest_framework.serializers import Serializer

from clubs.policy import Permission
from errors import Refusal
from tournaments.entries.queries.entries import entry_numbered
from tournaments.events.services.background_steps import DEFERRED, defer, is_large
from tournaments.history.services.optimistic import is_done
from tournaments.lifecycle import RoundState
from tournaments.models import Event

from . import reading
from .operation import Operation, ProgramCall
from .paths import EVENT, ROUND, TABLE
from .shapes.clubs import Done, PersonOut
from .shapes.events import EntryOut, EventWhole
from .shapes.federations import FederationOut
from .shapes.rounds import RoundOut, TableWhole
from .shapes.webhooks import DeliveryOut, WebhookOut

Values = Mapping[str, Any]
Service = Callable[..., Any]


def _event(call: ProgramCall, _: Any) -> Event:
    return event_made(call, call.event)


def event_made(_: ProgramCall, made: Any) -> Event:
    """Return a created or changed event as it is now."""
    return Event.objects.select_related("club", "terms").get(pk=made.pk)


def _round(call: ProgramCall, result: Any) -> Any:
    """Return the round as the club sees it now, or as it was if the worker still works on it."""
    number = call.path.get("number") or result.number
    again = ProgramCall(request=call.request, operation=call.operation, path={**call.path, "number": number})
    return reading.get_round(again)


def _entry(call: ProgramCall, result: Any) -> Any:
    number = call.path.get("number") or (result[0] if isinstance(result, list) else result).number
    found = entry_numbered(call.event, number)
    if found is None:
        raise Http404
    return reading.entry_lines(call.event, [found], is_staff=True)[0]


def _id_of_result(_: ProgramCall, result: Any) -> dict[str, Any]:
    return {"id": result.pk if isinstance(result, Model) else None}


ANSWERS: Mapping[type[Serializer[Any]], Callable[[ProgramCall, Any], Any]] = {
    EventWhole: _event,
    RoundOut: _round,
    EntryOut: _entry,
    Done: _id_of_result,
    **dict.fromkeys((PersonOut, FederationOut, WebhookOut, DeliveryOut), lambda _, result: result),
}


def command(
    path: str,
    service: Service,
    needs: Permission,
    *,
    takes: type[Serializer[Any]] | None = None,
    gives: type[Serializer[Any]] = Done,
    reads: Callable[[ProgramCall], Values] | None = None,
    keeps: Callable[[ProgramCall], Values] | None = None,
    answers: Callable[[ProgramCall, Any], Any] | None = None,
    **more: Any,
) -> Operation:
    """Build an operation that calls a service with the values of the path and the body, by name.

    ``reads`` converts the body. ``keeps`` returns the current values, for fields that a change leaves out.
    ``more`` goes to the ``Operation``.
    """
    known = inspect.signature(service).parameters

    def run(call: ProgramCall) -> Any:
        if keeps is not None:
            call.body = {**keeps(call), **call.body}
        said = dict(call.body) if reads is None else dict(reads(call))
        said |= {name: value for name, value in call.path.items() if name not in ("slug", "short")}
        if "reason" not in known:
            said.pop("reason", None)
        by = call.by
        if by.precondition is not None and "short" in call.path and not is_done(call.event, by):
            by.precondition()  # again under the lock; here before anything is computed or deferred
        step = _step_of(service)
        if step is not None and is_large(call.event):
            so_far = _so_far(call, gives)
            call.is_deferred = True
            numbers = {name: value for name, value in said.items() if value is not None}
            defer(event=call.event, step=step, by=by, **numbers)
            return so_far
        try:
            result = service(**_target(call, known), **said, by=by)
        except Refusal as refusal:
            refusal.field = _field_of_body(refusal.field, takes)
            raise
        return (answers or ANSWERS[gives])(call, result)

    return Operation(
        path=path,
        says=_first_sentence(service),
        needs=needs,
        run=run,
        takes=takes,
        gives=gives,
        resource=_resource_of(path),
        may_be_deferred=_step_of(service) is not None,
        **{"method": "post", "name": _camel(service.__name__), "does": (service,)} | more,
    )


def _resource_of(path: str) -> Callable[[ProgramCall], Any] | None:
    """Return the function that reads the round or table that the operations of this path change."""
    if path.startswith(TABLE):
        return partial(_read, TableWhole, reading.get_table)
    if path.startswith(ROUND):
        return partial(_read, RoundOut, reading.get_round)
    return _draft if path == f"{EVENT}/rounds" else None


def _read(gives: type[Serializer[Any]], run: Callable[[ProgramCall], Any], call: ProgramCall) -> Any:
    try:
        return gives(run(call), context={"call": call}).data
    except Http404:
        return None


def _draft(call: ProgramCall) -> Any:
    """Return the draft that a new draw replaces."""
    number = call.event.rounds.filter(state=RoundState.DRAFT).values_list("number", flat=True).first()
    if number is None:
        return None
    again = ProgramCall(request=call.request, operation=call.operation, path={**call.path, "number": number})
    return _read(RoundOut, reading.get_round, again)


OF_FORMS: Mapping[str, str] = {
    "player_1": "players.0",
    "player_2": "players.1",
    "pair": "numbers",
    "label": "labels",
    "spelling": "name",
    "in_round": "round_number",
    "prize": "name",
    "winner": "winners",
}
"""Field names in bodies, by the names that services use for form fields."""


def _field_of_body(field: str | None, takes: type[Serializer[Any]] | None) -> str | None:
    known = {} if takes is None else takes().fields
    said = OF_FORMS.get(field or "", "")
    return said if field not in known and said.partition(".")[0] in known else field


def _target(call: ProgramCall, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return the club or the event that the service changes."""
    wanted: dict[str, Callable[[], Any]] = {
        "club_id": lambda: call.club.pk,
        "club": lambda: call.club,
        "event_id": lambda: call.event.pk,
        "event": lambda: call.event,
    }
    if "season_id" in call.path and not call.club.seasons.filter(pk=call.path["season_id"]).exists():
        raise Http404
    return {name: find() for name, find in wanted.items() if name in known}


def _step_of(service: Service) -> str | None:
    """Return the deferred step of this service, which the worker runs for a large event; None without one."""
    return next((step for step, does in DEFERRED.items() if does is service), None)


def _so_far(call: ProgramCall, gives: type[Serializer[Any]]) -> Any:
    """Return the response while the worker still has the step: the event, or the round as it is. A round that
    is not drawn yet is a draft without tables."""
    if gives is not RoundOut:
        return _event(call, None)
    last = call.event.rounds.order_by("number").last()
    if "number" in call.path or (last is not None and last.state == RoundState.DRAFT):
        return _round(call, last)
    number = 1 if last is None else last.number + 1
    nothing: dict[str, Any] = {"is_kept_back": False, "changes": None, "tables": [], "byes": []}
    return {"number": number, "state": RoundState.DRAFT, **nothing}


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _first_sentence(service: Service) -> str:
    """Return the first paragraph of the service's docstring without its refusals, which each response
    lists."""
    said = " ".join((service.__doc__ or "").partition("\n\n")[0].split())
    return said.partition(" Refuses")[0].replace("``", "`")
