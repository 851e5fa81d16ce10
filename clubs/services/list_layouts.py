"""Remembered layouts of a club's lists, by kind of list and headings."""

from collections.abc import Sequence

from django.db import transaction

from clubs.models import Club

MOST_LAYOUTS = 60


@transaction.atomic
def remember_layout(*, club_id: int, kind: str, headings: str, fields: Sequence[str]) -> None:
    """Remember how to read lists of that kind with these headings. Without ``fields``, forget it. Only the
    latest layouts are kept. Safe to repeat."""
    club = Club.objects.select_for_update().get(pk=club_id)
    before = list(club.list_layouts)
    kept = [each for each in before if (each["kind"], each["headings"]) != (kind, headings)]
    if fields:
        kept.append({"kind": kind, "headings": headings, "fields": list(fields)})
    if kept != before:
        club.list_layouts = kept[-MOST_LAYOUTS:]
        club.save(update_fields=["list_layouts"])
