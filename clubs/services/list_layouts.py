"""Remembered layouts of a club's lists, by kind of list and headings."""

from collections.abc import Sequence

from django.db import transaction

from clubs.models import Club

MAX_LAYOUTS = 60


@transaction.atomic
def save_layout(*, club_id: int, kind: str, headings: str, fields: Sequence[str]) -> None:
    """Remember how to read lists of that kind with these headings. Without ``fields``, forget it. Only the
    latest layouts are kept. Safe to repeat."""
    club = Club.objects.select_for_update().get(pk=club_id)
    before = list(club.list_layouts)
    layouts = [each for each in before if (each["kind"], each["headings"]) != (kind, headings)]
    if fields:
        layouts.append({"kind": kind, "headings": headings, "fields": list(fields)})
    if layouts != before:
        club.list_layouts = layouts[-MAX_LAYOUTS:]
        club.save(update_fields=["list_layouts"])
