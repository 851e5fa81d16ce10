"""Why a job failed, as its row keeps it: a code, for which there is a sentence elsewhere, and the details."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Protocol, TypedDict, runtime_checkable

_BEFORE_AT = re.compile(r"[^\s<>'\"(:,]+@")


@runtime_checkable
class JobRefused(Protocol):
    """An exception that is an answer: the same work would be refused again. It may have a ``field``, too."""

    @property
    def code(self) -> str: ...

    @property
    def details(self) -> Mapping[str, Any]: ...


class PlainFailure(TypedDict):
    """A failure as a row keeps it; ``details`` by their names."""

    code: str
    field: Any
    details: Any


def failure_to_json(
    *, code: str, field: str | None = None, details: Mapping[str, Any] | None = None
) -> PlainFailure:
    """As the row keeps it."""
    return {"code": storable_text(code), "field": _plain(field), "details": _plain(details or {})}


def job_refusal_to_json(refused: JobRefused) -> PlainFailure:
    """The same of an exception, with those that it holds."""
    return failure_to_json(code=refused.code, field=getattr(refused, "field", None), details=refused.details)


def storable_text(value: object) -> str:
    """The text of it, without what a database cannot keep: NUL, and half characters."""
    return str(value).encode(errors="replace").decode().replace("\0", "\ufffd")


def without_addresses(text: str) -> str:
    """The text with the first half of each mail address taken out: mail servers name whom they refuse."""
    return _BEFORE_AT.sub("…@", text)


def _plain(value: Any) -> Any:
    """What JSON can hold; the rest as text, which is what a sentence makes of it."""
    if isinstance(value, JobRefused):
        return job_refusal_to_json(value)
    if isinstance(value, Mapping):
        return {storable_text(name): _plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, bool | int | float) else storable_text(value)
