"""``docs/roles.md``: who may do what, as the policy and the addresses say it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from api.operations import OPERATIONS
from api.urls import ROOT
from clubs.models import Role, Scope
from clubs.policy import MAY, MEANINGS, Audience, Opening, Permission, opening_of

from .data_dir import PROJECT

FILE = PROJECT / "docs" / "roles.md"

_HEAD = """\
# Roles: who may open what

Made from `clubs/policy.py` and from what each view declares; `python manage.py roles` writes it anew.
`tests/every_page/test_permissions.py` walks every address as every kind of reader and holds it to this.

Somebody whose role is not enough is told so (403). For somebody of another club a page does not exist (404).
Who is not signed in is asked to sign in.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A pattern of addresses, and the view behind it."""

    pattern: str
    view: Callable[..., Any]

    @property
    def opens_to(self) -> Opening | None:
        return opening_of(self.view)

    @property
    def meaning(self) -> str:
        """The first sentence of what the view says of itself."""
        said = getattr(self.view, "view_class", self.view).__doc__ or ""
        return " ".join(said.partition("\n\n")[0].split()).partition(". ")[0].removesuffix(".")


def addresses() -> list[Address]:
    """All there are, in the order in which they are looked through, but for those of the API, which open to
    keys and not to people: ``api.operations`` has them."""

    def of(patterns: list[URLPattern | URLResolver], before: str) -> Iterator[Address]:
        for one in patterns:
            if isinstance(one, URLResolver):
                yield from of(one.url_patterns, before + str(one.pattern))
            elif not is_of_the_api(before + str(one.pattern)):
                yield Address(pattern=before + str(one.pattern), view=one.callback)

    return list(of(get_resolver().url_patterns, "/"))


def is_of_the_api(pattern: str) -> bool:
    return pattern.removeprefix("/" + ROOT) in {one.path for one in OPERATIONS}


def roles_page() -> str:
    """The text of the file."""
    return "\n".join([_HEAD, *_deeds(), *_pages(), *_for_programs(), ""])


def _deeds() -> Iterator[str]:
    yield "| may | " + " | ".join(str(role.value) for role in Role) + " | what |"
    yield "|---|" + "---|" * (len(Role) + 1)
    for deed in Permission:
        marks = " | ".join("yes" if deed in MAY[role] else "no" for role in Role)
        yield f"| **{deed}** | {marks} | {MEANINGS[deed]} |"


def _pages() -> Iterator[str]:
    known = addresses()
    for opening in (*Audience, *Permission):
        yield f"\n## {opening}: {MEANINGS[opening]}\n"
        yield "| address | what |"
        yield "|---|---|"
        for address in sorted(known, key=lambda one: one.pattern):
            if address.opens_to == opening:
                yield f"| `{address.pattern}` | {address.meaning} |"


def _for_programs() -> Iterator[str]:
    yield "\n## keys: programs of a club, by the least scope that opens it\n"
    yield "| scope | what a program does |"
    yield "|---|---|"
    for scope in (None, *Scope):
        for one in OPERATIONS:
            if one.least_scope == scope:
                yield f"| {scope or 'none'} | `{one.method.upper()} /{ROOT}{one.path}` |"
