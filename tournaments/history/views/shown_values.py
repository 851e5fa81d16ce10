"""Forms that show stored values: one is refused once somebody has changed these values, with what they changed."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from django.db.models import Model
from django.http import HttpRequest

from clubs.audit.diff import AuditDiff, build_audit_diff
from clubs.audit.log import Actor, RecordedRow, serialize_value
from clubs.pages import get_actor, get_refusal
from engine.checksums import compute_digest
from errors import Refusal
from tournaments.history.services.changes import Change
from tournaments.history.services.optimistic import get_last_action_id
from tournaments.models import Event
from web.forms import parse_digits

from .confirmation import ActorCallback

SEEN_FIELD = "seen"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownValues:
    """The values that a form shows: ``columns`` of a ``row`` of the event, or what it ``reads`` of that row."""

    event: Event
    row: Model
    columns: tuple[str, ...]
    reads: Callable[[Any], object] | None = None

    @property
    def digest(self) -> str:
        if self.reads is not None:
            return compute_digest(self.reads(self.row))
        fields = map(self.row._meta.get_field, self.columns)
        return compute_digest([serialize_value(each, self.row) for each in fields])

    def check_unchanged(self, line: int, digest: str) -> None:
        """Check that the values have this digest. Refuses: form_outdated."""
        stored = type(self.row)._default_manager.filter(pk=self.row.pk).first() if digest else None
        if stored is None or replace(self, row=stored).digest == digest:
            return
        self.row.refresh_from_db(fields=self.columns)
        raise Refusal("form_outdated", later=_find_later_changes(self.event, [self.row], self.columns, line))


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRows:
    """Values of many ``rows`` that a form shows, of which it changes some. ``code`` is that of the refusal."""

    event: Event
    rows: Sequence[Model]
    columns: tuple[str, ...]
    code: str = "form_outdated"
    digest: str = field(default="rows", init=False)

    def check_unchanged(self, line: int, _digest: str) -> None:
        """Check that the history has changed none of the values since this line. Refuses: the ``code``."""
        later = _find_later_changes(self.event, self.rows, self.columns, line)
        if later.diff.rows:
            raise Refusal(self.code, later=later)


Shown = ShownValues | ShownRows


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterChanges:
    """Changes since a form was opened, with the names of those who made them."""

    names: tuple[str, ...]
    diff: AuditDiff


def build_form_version(request: HttpRequest, shown: Shown) -> str:
    """Return the value of a form's field ``seen``, as ``build_form_versions`` does. One query."""
    return build_form_versions(request, {"": shown}, posted="")[""]


def build_form_versions(request: HttpRequest, shown_by_form: Mapping[str, Shown], *, posted: str) -> dict[str, str]:
    """Return the field ``seen`` of each form: the last line of the history, and a digest of what the form shows. The
    ``posted`` form keeps its own, unless it was refused as outdated. A query for each event."""
    lines = {event: get_last_action_id(event) for event in {shown.event for shown in shown_by_form.values()}}
    seen = {form: f"{lines[shown.event]}.{shown.digest}" for form, shown in shown_by_form.items()}
    refusal = get_refusal(request)
    if posted in seen and SEEN_FIELD in request.POST and (refusal is None or "later" not in refusal.details):
        seen[posted] = request.POST[SEEN_FIELD]
    return seen


def get_form_actor(request: HttpRequest, shown: Shown) -> Actor:
    """Return the actor of a form that overwrites these values. Refuses: reason_too_long."""
    return _guard_actor(request, shown, get_actor(request))


def guard_action(request: HttpRequest, shown: Shown, action: ActorCallback) -> ActorCallback:
    """Return the action of a form that overwrites these values."""
    return lambda by: action(_guard_actor(request, shown, by))


def _guard_actor(request: HttpRequest, shown: Shown, by: Actor) -> Actor:
    line_text, _, digest = request.POST.get(SEEN_FIELD, "").partition(".")
    line = parse_digits(line_text, max_digits=18)
    return by if line is None else replace(by, precondition=partial(shown.check_unchanged, line, digest))


def _find_later_changes(event: Event, shown_rows: Sequence[Model], columns: Sequence[str], line: int) -> LaterChanges:
    """Return what the lines of the history after this one have written of the values. Two queries."""
    kinds = {model: kind for kind, model in Change.KINDS.items()}
    shown_keys = {(kinds[type(row)], row.pk) for row in shown_rows}
    names: dict[str, None] = {}
    rows: list[RecordedRow] = []
    for action in event.actions.filter(pk__gt=line).select_related("account").order_by("pk"):
        if written := list(_iterate_shown_rows(shown_keys, columns, action.changes.get("rows", ()))):
            rows += written
            names |= {} if action.account is None else {action.account.name: None}
    return LaterChanges(names=tuple(names), diff=build_audit_diff(rows, Change.KINDS))


def _iterate_shown_rows(
    shown_keys: Container[tuple[str, int]], columns: Sequence[str], rows: Iterable[RecordedRow]
) -> Iterator[RecordedRow]:
    def keep_shown(values: Mapping[str, Any]) -> dict[str, Any]:
        return {column: values[column] for column in columns if column in values}

    for kind, key, before, after in rows:
        if (kind, key) in shown_keys and before and after and keep_shown(after):
            yield [kind, key, keep_shown(before), keep_shown(after)]
