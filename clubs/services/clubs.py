"""A club."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.text import slugify

from clubs.models import Club
from rules import Refusal, ruleset_named
from web import names


@transaction.atomic
def create_club(*, name: str, language: str = "fr", ruleset: str = "canadian") -> Club:
    """Refuses: club_name_required, no_such_ruleset."""
    name = names.clean_text(name)
    if not name:
        raise Refusal("club_name_required", field="club_name")
    slug = unused_slug(name, Club.objects.values_list("slug", flat=True))
    return Club.objects.create(
        name=name[:80], slug=slug, language=language, usual_ruleset=ruleset_named(ruleset).key
    )


def unused_slug(name: str, taken: Iterable[str]) -> str:
    """A short name for addresses that nobody has yet: ``les-joyeux-atouts``, ``les-joyeux-atouts-2``."""
    stem = slugify(name)[:50] or "club"
    used = {slug for slug in taken if slug.startswith(stem)}
    slug, number = stem, 2
    while slug in used:
        slug, number = f"{stem}-{number}", number + 1
    return slug
