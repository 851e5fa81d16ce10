"""Bodies of JSON that programs send."""

from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from rules import Refusal


class JsonBody(JSONParser):
    """A body of JSON. Refuses: not_json, also for what is nested too deep to be read."""

    def parse(self, *arguments: Any, **named: Any) -> Any:
        try:
            return super().parse(*arguments, **named)
        except (ParseError, RecursionError):
            raise Refusal("not_json") from None
