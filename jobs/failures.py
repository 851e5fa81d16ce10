"""Failures of jobs as they are stored: a code, whose sentence is elsewhere, and details."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol, TypedDict, runtime_checkable

_BEFORE_AT = re.compile(r"[^\s<>'\"(:,]+@")


@runtime_checkable
class JobRefused(Protocol):
    """An expected error: the same work would be refused again. It may have a ``field``, too."""

    @property
    def code(self) -> str: ...

    @property
    def details(self) -> Mapping[str, Any]: ...


class PlainFailure(TypedDict):
    """A failure as stored; ``details`` by name."""

    code: str
    field: Any
    details: Any


def failure_to_json(
    *, code: str, field: str | None = None, details: Mapping[str, Any] | None = None
) -> PlainFailure:
    """Return a failure in its stored form."""
    return {"code": storable_text(code), "field": _plain(field), "details": _plain(details or {})}


def job_refusal_to_json(refused: JobRefused) -> PlainFailure:
    """Return an expected error in its stored form, with nested ones."""
    return failure_to_json(code=refused.code, field=getattr(refused, "field", None), details=refused.details)


def storable_text(value: object) -> str:
    """Return the text without what a database cannot store: NUL and lone surrogates."""
    return str(value).encode(errors="replace").decode().replace("\0", "\ufffd")


def without_addresses(text: str) -> str:
    """Remove the first half of each e-mail address: mail servers name the addresses that they refuse."""
    return _BEFORE_AT.sub("…@", text)


def _plain(value: Any) -> Any:
    """Return the value as JSON can hold it; anything unknown becomes text, as in a sentence."""
    if isinstance(value, JobRefused):
        return job_refusal_to_json(value)
    if isinstance(value, Mapping):
        return {storable_text(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, bool | int | float) else storable_text(value)
