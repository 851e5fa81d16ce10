"""Failures of jobs as they are stored: a code, whose sentence is elsewhere, and details."""

import re
from collections.abc import Mapping
from typing import Any, TypedDict

from errors import Refusal

_EMAIL_LOCAL_PART = re.compile(r"[^\s<>'\"(:,]+@")


class FailureJson(TypedDict):
    """A failure as stored; ``details`` by name."""

    code: str
    field: Any
    details: Any


def serialize_failure(*, code: str, field: str | None = None, details: Mapping[str, Any] | None = None) -> FailureJson:
    """Return a failure in its stored form."""
    return {
        "code": clean_storable_text(code),
        "field": _serialize_value(field),
        "details": _serialize_value(details or {}),
    }


def serialize_refusal(refusal: Refusal) -> FailureJson:
    """Return an expected error in its stored form, with nested ones."""
    return serialize_failure(code=refusal.code, field=refusal.field, details=refusal.details)


def clean_storable_text(value: object) -> str:
    """Return the text without what a database cannot store: NUL and lone surrogates."""
    return str(value).encode(errors="replace").decode().replace("\0", "\ufffd")


def mask_email_addresses(text: str) -> str:
    """Remove the first half of each e-mail address: mail servers name the addresses that they refuse."""
    return _EMAIL_LOCAL_PART.sub("…@", text)


def _serialize_value(value: Any) -> Any:
    """Return the value as JSON can hold it; anything unknown becomes text, as in a sentence."""
    if isinstance(value, Refusal):
        return serialize_refusal(value)
    if isinstance(value, Mapping):
        return {clean_storable_text(name): _serialize_value(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_serialize_value(one) for one in value]
    return value if value is None or isinstance(value, bool | int | float) else clean_storable_text(value)
