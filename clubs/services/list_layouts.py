"""How a club's lists are read: a choice for each kind of list and its headings."""

from collections.abc import Sequence

from django.db import transaction

from clubs.models import Club

MOST_LAYOUTS = 60


@transaction.atomic
def remember_layout(*, club_id: int, kind: str, headings: str, fields: Sequence[str]) -> None:
    """Lists of that kind with these headings are read so from now on; without ``fields``, by their headings
    again. Of many, the last are kept. Safe to repeat."""
    club = Club.objects.select_for_update().get(pk=club_id)
    before = list(club.list_layouts)
    kept = [each for each in before if (each["kind"], each["headings"]) != (kind, headings)]
    if fields:
        kept.append({"kind": kind, "headings": headings, "fields": list(fields)})
    if kept != before:
        club.list_layouts = kept[-MOST_LAYOUTS:]
        club.save(update_fields=["list_layouts"])
