"""Bodies of requests: small words for what they hold."""

import re
from collections.abc import Iterable
from enum import Enum
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s

MOST = 2**31 - 1
HOUR = re.compile(r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$")

Fields = dict[str, s.Field[Any, Any, Any, Any]]


def body(name: str, /, **fields: Any) -> type[s.Serializer[Any]]:
    """A body of that name in the schema, with a reason for the history, where somebody wants to say one."""
    reason = s.CharField(required=False, allow_blank=True, max_length=200, help_text="Kept in the history.")
    return type(name, (s.Serializer,), {**fields, "reason": reason})


def text(*, most: int = 200, **more: Any) -> s.CharField:
    return s.CharField(max_length=most, **_with_default(more))


def number(least: int = 0, most: int = MOST, **more: Any) -> s.IntegerField:
    return s.IntegerField(min_value=least, max_value=most, **more)


def maybe_number(least: int = 0, most: int = MOST) -> s.IntegerField:
    return s.IntegerField(min_value=least, max_value=most, required=False, allow_null=True, default=None)


def yes_no(**more: Any) -> s.BooleanField:
    return s.BooleanField(**more)


def numbers(**more: Any) -> s.ListField:
    return s.ListField(child=number(), max_length=2000, **more)


def one_of(choices: Iterable[Any], **more: Any) -> s.ChoiceField:
    values = [each.value if isinstance(each, Enum) else each for each in choices]
    return s.ChoiceField(choices=values, **more)


@extend_schema_field({"type": "string", "pattern": HOUR.pattern})
class Hour(s.TimeField):
    """An hour of the club's clock, `19:00` or `19:00:00`: what schemas call a time has a zone beside it."""

    def to_internal_value(self, value: Any) -> Any:
        if not (isinstance(value, str) and HOUR.fullmatch(value)):
            self.fail("invalid", format="hh:mm")
        return super().to_internal_value(value)


class PlainValues(s.JSONField):
    """An object of settings, as the rules of the house read it; never text that no database can hold."""

    def to_internal_value(self, data: Any) -> Any:
        value = super().to_internal_value(data)
        self._check(value)
        return value

    def _check(self, value: Any) -> None:
        if isinstance(value, str):
            s.CharField(allow_blank=True).run_validators(value)
        if isinstance(value, float):
            s.FloatField(min_value=-MOST, max_value=MOST).run_validators(value)
        if isinstance(value, int):
            s.IntegerField(min_value=-MOST, max_value=MOST).run_validators(value)
        for each in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
            self._check(each)
        for each in value if isinstance(value, dict) else ():
            self._check(each)


class PlainObject(PlainValues):
    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            self.fail("invalid")
        return super().to_internal_value(data)


def plain_list(**more: Any) -> s.ListField:
    return s.ListField(child=PlainObject(), max_length=50, **more)


def _with_default(more: dict[str, Any]) -> dict[str, Any]:
    return {"allow_blank": True, **more} if "default" in more else more
