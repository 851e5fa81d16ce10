"""Fields of request bodies."""

import re
from collections.abc import Iterable
from enum import Enum
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s
from rest_framework.fields import empty

from errors import Refusal
from wording.sentences import SENTENCES, sentence

MOST = 2**31 - 1
LONGEST_SHOWN = 80
"""Maximum number of characters of a wrong value that the error repeats."""
HOUR = re.compile(r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$")

Fields = dict[str, s.Field[Any, Any, Any, Any]]


class Change(s.Serializer[Any]):
    """Fields that are left out do not change."""

    def get_fields(self) -> dict[str, Any]:
        found = super().get_fields()
        for one in found.values():
            one.required, one.default = False, empty
        return found


def body(name: str, /, **fields: Any) -> type[s.Serializer[Any]]:
    """Build a request body with this schema name and an optional reason for the history."""
    reason = s.CharField(
        required=False,
        allow_blank=True,
        max_length=200,
        help_text="Optional reason, recorded in the history. At most 200 characters.",
    )
    return type(name, (s.Serializer,), {**fields, "reason": reason})


def change(name: str, /, **fields: Any) -> type[s.Serializer[Any]]:
    """Build the body of an update, in which every field is optional."""
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
    """A choice whose error lists the allowed values."""

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
    """A time of day in the club's time zone, `19:00` or `19:00:00`. The `time` format needs an offset."""

    def to_internal_value(self, value: Any) -> Any:
        if not (isinstance(value, str) and HOUR.fullmatch(value)):
            self.fail("invalid", format="hh:mm")
        return super().to_internal_value(value)


class PlainValues(s.JSONField):
    """A JSON value with text and numbers that the database can store."""

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
    default_error_messages: ClassVar[dict[str, Any]] = {"invalid": SENTENCES["not_an_object"]}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            self.fail("invalid")
        return super().to_internal_value(data)


def plain_list(**more: Any) -> s.ListField:
    return s.ListField(child=PlainObject(), max_length=50, **more)


def _with_default(more: dict[str, Any]) -> dict[str, Any]:
    return {"allow_blank": True, **more} if "default" in more else more
