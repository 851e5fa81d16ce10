"""JSON request bodies."""

from typing import IO, Any

from rest_framework.parsers import JSONParser
from rest_framework.utils import json

from errors import Refusal

SHOWN_LENGTH = 80
"""Maximum number of characters of a name that a refusal repeats."""


class JsonBody(JSONParser):
    """A parser of JSON bodies in UTF-8. Refuses: not_json, also if the nesting is too deep; field_twice."""

    def parse(self, stream: IO[bytes], *_: Any, **__: Any) -> Any:
        try:
            return json.loads(stream.read().decode(), object_pairs_hook=_build_object)
        except (ValueError, RecursionError):
            raise Refusal("not_json") from None


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object from its pairs. Refuses: field_twice."""
    values: dict[str, Any] = {}
    for name, value in pairs:
        if name in values:
            shown_name = shorten_name(name)
            raise Refusal("field_twice", field=shown_name, name=shown_name)
        values[name] = value
    return values


def shorten_name(name: str) -> str:
    """Return a name of a body as a refusal can repeat it: short, and without lone surrogates."""
    return name[:SHOWN_LENGTH].encode(errors="replace").decode()
