"""JSON request bodies."""

from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from errors import Refusal


class JsonBody(JSONParser):
    """A parser of JSON bodies. Refuses: not_json, also if the nesting is too deep."""

    def parse(self, *arguments: Any, **named: Any) -> Any:
        try:
            return super().parse(*arguments, **named)
        except (ParseError, RecursionError):
            raise Refusal("not_json") from None
