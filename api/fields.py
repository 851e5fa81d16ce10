"""Fields of request bodies."""

import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers as s
from rest_framework.fields import empty

from errors import Refusal
from web.json_body import SHOWN_LENGTH, shorten_name
from wording.sentences import SENTENCES, get_sentence

MAX_INTEGER = 2**31 - 1
HOUR = re.compile(r"^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$")

Fields = dict[str, s.Field[Any, Any, Any, Any]]


class Partial(s.Serializer[Any]):
    """A serializer whose fields are optional, but those of ``always``."""

    always: ClassVar[tuple[str, ...]] = ()

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        for name, field in fields.items():
            if name not in self.always:
                field.required, field.default = False, empty
        return fields


class Change(Partial):
    """Fields that are left out do not change."""


def request_body(name: str, /, **fields: Any) -> type[s.Serializer[Any]]:
    """Build a request body with this schema name and an optional reason for the history."""
    reason = s.CharField(
        required=False,
        allow_blank=True,
        max_length=200,
        help_text="Optional reason, recorded in the history. At most 200 characters.",
    )
    return type(name, (s.Serializer,), {**fields, "reason": reason})


def change_body(name: str, /, **fields: Any) -> type[s.Serializer[Any]]:
    """Build the body of an update, in which every field is optional."""
    return type(name, (Change, request_body(name, **fields)), {"__doc__": Change.__doc__})


def check_field_names(field: Any, value: Any, place: str = "") -> None:
    """Check that a body, or this part of one, has known fields only. Refuses: field_unknown."""
    if isinstance(field, s.ListSerializer) and isinstance(value, list):
        for index, item in enumerate(value):
            check_field_names(field.child, item, f"{place}{index}.")
    if isinstance(field, s.Serializer) and isinstance(value, Mapping):
        for name, inner_value in value.items():
            if name not in field.fields:
                shown_name = shorten_name(name)
                known = tuple(field.fields)
                raise Refusal("field_unknown", field=f"{place}{shown_name}", name=shown_name, known=known)
            check_field_names(field.fields[name], inner_value, f"{place}{name}.")


def text_field(*, max_length: int = 200, **options: Any) -> s.CharField:
    return s.CharField(max_length=max_length, **_allow_blank_default(options))


def integer_field(min_value: int = 0, max_value: int = MAX_INTEGER, **options: Any) -> s.IntegerField:
    return s.IntegerField(min_value=min_value, max_value=max_value, **options)


def optional_integer_field(min_value: int = 0, max_value: int = MAX_INTEGER) -> s.IntegerField:
    return s.IntegerField(min_value=min_value, max_value=max_value, required=False, allow_null=True, default=None)


def boolean_field(**options: Any) -> s.BooleanField:
    return s.BooleanField(**options)


def integer_list_field(**options: Any) -> s.ListField:
    return s.ListField(child=integer_field(), max_length=2000, **options)


class ListedChoiceField(s.ChoiceField):
    """A choice whose error lists the allowed values."""

    ERROR_CODE = "invalid_choice"

    def to_internal_value(self, data: Any) -> Any:
        try:
            return super().to_internal_value(data)
        except s.ValidationError:
            refusal = Refusal("no_such_choice", value=str(data)[:SHOWN_LENGTH], choices=tuple(self.choices))
            raise s.ValidationError(get_sentence(refusal), self.ERROR_CODE) from None


def choice_field(choices: Iterable[Any], **options: Any) -> ListedChoiceField:
    values = [choice.value if isinstance(choice, Enum) else choice for choice in choices]
    return ListedChoiceField(choices=values, **options)


@extend_schema_field({"type": "string", "pattern": HOUR.pattern})
class HourField(s.TimeField):
    """A time of day in the club's time zone, `19:00` or `19:00:00`. The `time` format needs an offset."""

    def to_internal_value(self, value: Any) -> Any:
        if not (isinstance(value, str) and HOUR.fullmatch(value)):
            self.fail("invalid", format="hh:mm")
        return super().to_internal_value(value)


class JSONValueField(s.JSONField):
    """A JSON value with text and numbers that the database can store."""

    def to_internal_value(self, data: Any) -> Any:
        value = super().to_internal_value(data)
        self._check(value)
        return value

    def _check(self, value: Any) -> None:
        if isinstance(value, str):
            s.CharField(allow_blank=True).run_validators(value)
        if isinstance(value, float):
            s.FloatField(min_value=-MAX_INTEGER, max_value=MAX_INTEGER).run_validators(value)
        if isinstance(value, int):
            s.IntegerField(min_value=-MAX_INTEGER, max_value=MAX_INTEGER).run_validators(value)
        for item in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
            self._check(item)
        for item in value if isinstance(value, dict) else ():
            self._check(item)


class JSONObjectField(JSONValueField):
    default_error_messages: ClassVar[dict[str, Any]] = {"invalid": SENTENCES["not_an_object"]}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, dict):
            self.fail("invalid")
        return super().to_internal_value(data)


def typed_object(shape: type[s.Serializer[Any]], **options: Any) -> JSONObjectField:
    """Return a field for an object that its service reads, which the schema describes by this shape."""
    kind = type(f"{shape.__name__}Field", (JSONObjectField,), {})
    field: JSONObjectField = extend_schema_field(shape)(kind)(**options)
    return field


def typed_list(shape: type[s.Serializer[Any]], **options: Any) -> s.ListField:
    return s.ListField(child=typed_object(shape), max_length=50, **options)


def _allow_blank_default(options: dict[str, Any]) -> dict[str, Any]:
    return {"allow_blank": True, **options} if "default" in options else options
