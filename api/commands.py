"""API operations made from services: path and body become arguments, the result becomes the response."""

import inspect
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from django.db.models import Model
from django.http import Http404
from rest_framework.serializers import Serializer

from clubs.policy import Permission
from errors import Refusal
from tournaments.entries.queries.entries import entry_numbered
from tournaments.events.services.background_steps import DEFERRED_SERVICES, defer, is_large_event
from tournaments.history.services.optimistic import is_done
from tournaments.lifecycle import RoundState
from tournaments.models import Event
from web.not_found import get_or_404

from . import read_operations
from .operation import IF_MATCH, ApiCall, Operation, extract_description, to_camel_case
from .shapes.clubs import Done, PersonOut
from .shapes.events import EntryOut, EventWhole
from .shapes.federations import FederationOut
from .shapes.rounds import RoundOut
from .shapes.webhooks import DeliveryOut, WebhookOut

Values = Mapping[str, Any]
Service = Callable[..., Any]


def _get_event(call: ApiCall, _: Any) -> Event:
    return reload_event(call, call.event)


def reload_event(_: ApiCall, result: Any) -> Event:
    """Return a created or changed event as it is now."""
    return Event.objects.select_related("club", "terms").get(pk=result.pk)


def _get_round(call: ApiCall, result: Any) -> Any:
    """Return the round as the club sees it now, or as it was if the worker still works on it."""
    number = call.path.get("number") or result.number
    round_call = ApiCall(request=call.request, operation=call.operation, path={**call.path, "number": number})
    return read_operations.get_round(round_call)


def _get_entry(call: ApiCall, result: Any) -> Any:
    number = call.path.get("number") or (result[0] if isinstance(result, list) else result).number
    entry = get_or_404(entry_numbered(call.event, number))
    return read_operations.serialize_entries(call.event, [entry], is_staff=True)[0]


def _get_result_id(_: ApiCall, result: Any) -> dict[str, Any]:
    return {"id": result.pk if isinstance(result, Model) else None}


RESPONSE_BUILDERS: Mapping[type[Serializer[Any]], Callable[[ApiCall, Any], Any]] = {
    EventWhole: _get_event,
    RoundOut: _get_round,
    EntryOut: _get_entry,
    Done: _get_result_id,
    **dict.fromkeys((PersonOut, FederationOut, WebhookOut, DeliveryOut), lambda _, result: result),
}


def pack_fields(name: str, build: Callable[..., object], fields: Collection[str]) -> Callable[[ApiCall], Values]:
    """Return a ``read_body`` that passes these fields of the body as one value, such as ``details``."""
    return lambda call: {name: build(**{field: call.body[field] for field in fields})}


def read_fields(find: Callable[[ApiCall], object], fields: Collection[str]) -> Callable[[ApiCall], Values]:
    """Return a ``read_current`` that reads these fields of what is found."""

    def read_current(call: ApiCall) -> Values:
        found = find(call)
        return {field: getattr(found, field) for field in fields}

    return read_current


def command(
    path: str,
    service: Service,
    request_shape: type[Serializer[Any]] | None = None,
    *,
    access: Permission,
    response_shape: type[Serializer[Any]] = Done,
    read_body: Callable[[ApiCall], Values] | None = None,
    read_current: Callable[[ApiCall], Values] | None = None,
    build_response: Callable[[ApiCall, Any], Any] | None = None,
    **options: Any,
) -> Operation:
    """Build an operation that calls a service with the values of the path and the body, by name.

    ``read_body`` converts the body. ``read_current`` returns the current values, for fields that a change leaves out.
    ``options`` goes to the ``Operation``.
    """
    parameters = inspect.signature(service).parameters

    def run(call: ApiCall) -> Any:
        if read_current is not None:
            call.body = {**read_current(call), **call.body}
        values = dict(call.body) if read_body is None else dict(read_body(call))
        values |= {name: value for name, value in call.path.items() if name not in ("slug", "short")}
        if "reason" not in parameters:
            values.pop("reason", None)
        actor = call.actor
        if IF_MATCH in call.request.headers and "short" in call.path and not is_done(call.event, actor):
            call.check_unchanged()  # again under the lock; here before anything is computed
        step = _find_deferred_step(service)
        if step is not None and is_large_event(call.event):
            pending_result = _build_pending_result(call, response_shape)
            call.is_deferred = True
            numbers = {name: value for name, value in values.items() if value is not None}
            defer(event=call.event, step=step, by=actor, **numbers)
            return pending_result
        try:
            result = service(**_find_target(call, parameters), **values, by=actor)
        except Refusal as refusal:
            refusal.field = _find_body_field(refusal.field, request_shape)
            raise
        return (build_response or RESPONSE_BUILDERS[response_shape])(call, result)

    return Operation(
        path=path,
        description=extract_description(service),
        access=access,
        run=run,
        request_shape=request_shape,
        response_shape=response_shape,
        can_be_deferred=_find_deferred_step(service) is not None,
        **{
            "method": "post",
            "name": to_camel_case(service.__name__),
            "does": (service,),
        }
        | options,
    )


help_command = partial(command, access=Permission.HELP)
direct_command = partial(command, access=Permission.DIRECT)
own_command = partial(command, access=Permission.OWN)

BODY_FIELD_NAMES: Mapping[str, str] = {
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


def _find_body_field(field: str | None, request_shape: type[Serializer[Any]] | None) -> str | None:
    fields = {} if request_shape is None else request_shape().fields
    name = BODY_FIELD_NAMES.get(field or "", "")
    return name if field not in fields and name.partition(".")[0] in fields else field


def _find_target(call: ApiCall, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the club or the event that the service changes."""
    getters: dict[str, Callable[[], Any]] = {
        "club_id": lambda: call.club.pk,
        "club": lambda: call.club,
        "event_id": lambda: call.event.pk,
        "event": lambda: call.event,
    }
    if "season_id" in call.path and not call.club.seasons.filter(pk=call.path["season_id"]).exists():
        raise Http404
    return {name: find() for name, find in getters.items() if name in parameters}


def _find_deferred_step(service: Service) -> str | None:
    """Return the deferred step of this service, which the worker runs for a large event; None without one."""
    return next((step for step, deferred_service in DEFERRED_SERVICES.items() if deferred_service is service), None)


def _build_pending_result(call: ApiCall, response_shape: type[Serializer[Any]]) -> Any:
    """Return the response while the worker still has the step: the event, or the round as it is. A round that
    is not drawn yet is a draft without tables."""
    if response_shape is not RoundOut:
        return _get_event(call, None)
    last_round = call.event.rounds.order_by("number").last()
    if "number" in call.path or (last_round is not None and last_round.state == RoundState.DRAFT):
        return _get_round(call, last_round)
    number = 1 if last_round is None else last_round.number + 1
    lists: dict[str, Any] = {"tables": [], "byes": [], "postponement_requests": []}
    undrawn: dict[str, Any] = {"draw_format": "", "seed": None, "price": {}, "is_kept_back": False, "changes": None}
    return {"number": number, "state": RoundState.DRAFT, **undrawn, **lists}
