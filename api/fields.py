"""Bodies of requests: small words for what they hold."""

import re
from collections.abc import Iterable
from enum import Enum
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s
from rest_framework.fields import empty

from rules import Refusal
from wording.refusals.tables import TABLE_SENTENCES
from wording.sentences import sentence

MOST = 2**31 - 1
LONGEST_SHOWN = 80
"""So many letters of what was sent are shown to whoever sent it."""
HOUR = re.compile(r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$")

Fields = dict[str, s.Field[Any, Any, Any, Any]]


class Change(s.Serializer[Any]):
    """What it leaves out stays as it is."""

    def get_fields(self) -> dict[str, Any]:
        found = super().get_fields()
        for one in found.values():
            one.required, one.default = False, empty
        return found


def body(name: str, /, **fields: Any) -> type[s.Serializer[Any]]:
    """A body of that name in the schema, with a reason for the history, where somebody wants to say one."""
    reason = s.CharField(required=False, allow_blank=True, max_length=200, help_text="Kept in the history.")
    return type(name, (s.Serializer,), {**fields, "reason": reason})


def change(name: str, /, **fields: Any) -> type[s.Serializer[Any]]:
    """The same of a body that changes what is there."""
    return type(name, (Change, body(name, **fields)), {"__doc__": Change.__doc__})


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


class OneOf(s.ChoiceField):
    """One of some values; what is none of them is told which they are."""

    OF_THE_FRAMEWORK = "invalid_choice"

    def to_internal_value(self, data: Any) -> Any:
        try:
            return super().to_internal_value(data)
        except s.ValidationError:
            refusal = Refusal("no_such_choice", value=str(data)[:LONGEST_SHOWN], choices=tuple(self.choices))
            raise s.ValidationError(sentence(refusal), self.OF_THE_FRAMEWORK) from None


def one_of(choices: Iterable[Any], **more: Any) -> OneOf:
    values = [each.value if isinstance(each, Enum) else each for each in choices]
    return OneOf(choices=values, **more)


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
    default_error_messages: ClassVar[dict[str, Any]] = {"invalid": TABLE_SENTENCES["not_an_object"]}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            self.fail("invalid")
        return super().to_internal_value(data)


def plain_list(**more: Any) -> s.ListField:
    return s.ListField(child=PlainObject(), max_length=50, **more)


def _with_default(more: dict[str, Any]) -> dict[str, Any]:
    return {"allow_blank": True, **more} if "default" in more else more
