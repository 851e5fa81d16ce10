"""A club."""

from collections.abc import Callable
from typing import TypeVar

from django.db import IntegrityError, transaction

from clubs.models import Club
from rules import Refusal, ruleset_named
from web import names
from web.slugs import slug_of

Made = TypeVar("Made")


@transaction.atomic
def create_club(*, name: str, language: str = "fr", ruleset: str = "canadian") -> Club:
    """Refuses: club_name_required, no_such_ruleset."""
    name = names.clean_text(name)
    if not name:
        raise Refusal("club_name_required", field="club_name")
    rules = ruleset_named(ruleset).key
    return create_with_slug(
        name,
        _has_club,
        lambda slug: Club.objects.create(name=name[:80], slug=slug, language=language, usual_ruleset=rules),
    )


def create_with_slug(name: str, is_taken: Callable[[str], bool], create: Callable[[str], Made]) -> Made:
    """What ``create`` makes of a short name that nobody has yet. On a server of many clubs another one may
    take it at the same moment: that one is waited for, and the next name is tried. Within a transaction.
    """
    while True:
        slug = unused_slug(name, is_taken)
        try:
            with transaction.atomic():
                return create(slug)
        except IntegrityError:
            if not is_taken(slug):
                raise


def unused_slug(name: str, is_taken: Callable[[str], bool]) -> str:
    """A short name for addresses that nobody has yet: ``les-joyeux-atouts``, ``les-joyeux-atouts-2``.

    It is looked for as in a dictionary: of a name that a thousand have, some twenty are asked after.
    """
    stem = slug_of(name)[:50].strip("-") or "club"

    def add_number(number: int) -> str:
        return stem if number == 1 else f"{stem}-{number}"

    last_taken, free = 0, 1
    while is_taken(add_number(free)):
        last_taken, free = free, 2 * free
    while free - last_taken > 1:
        middle = (last_taken + free) // 2
        if is_taken(add_number(middle)):
            last_taken = middle
        else:
            free = middle
    return add_number(free)


def _has_club(slug: str) -> bool:
    return Club.objects.filter(slug=slug).exists()
