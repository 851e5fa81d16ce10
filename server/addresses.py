"""Addresses of the program, each with its view."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from api.operations import OPERATIONS
from api.urls import ROOT
from clubs.policy import Access, get_access


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A pattern of addresses, and the view behind it."""

    pattern: str
    view: Callable[..., Any]

    @property
    def access(self) -> Access | None:
        return get_access(self.view)


def list_addresses() -> list[Address]:
    """Return all addresses, in the order in which they are matched, without those of the API.

    Those of the API open to keys and not to people; see ``api.operations``.
    """

    def iter_patterns(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[Address]:
        for pattern in patterns:
            if isinstance(pattern, URLResolver):
                yield from iter_patterns(pattern.url_patterns, prefix + str(pattern.pattern))
            elif not is_api_pattern(prefix + str(pattern.pattern)):
                yield Address(pattern=prefix + str(pattern.pattern), view=pattern.callback)

    return list(iter_patterns(get_resolver().url_patterns, "/"))


def is_api_pattern(pattern: str) -> bool:
    return pattern.removeprefix("/" + ROOT) in {operation.path for operation in OPERATIONS}
