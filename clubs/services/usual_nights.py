"""Night templates of a club."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import UsualNight
from errors import Refusal
from web import names

from .changes import ClubChange
from .validators import checked_name, row_or_refuse


@transaction.atomic
def keep_usual_night(
    *, club_id: int, name: str, settings: Mapping[str, Any], by: Actor = NOBODY
) -> UsualNight:
    """Save these settings as a night template, replacing one of that name. Safe to repeat.

    Refuses: name_required, name_too_long.
    """
    change = ClubChange(club_id, "keep_usual_night", by)
    name = checked_name(name, field="name")
    kept = _find_by_name(club_id, name)
    if kept is not None and change.is_repeat:
        return kept
    if kept is None:
        kept = UsualNight(
            club=change.club, name=name, folded_name=names.fold_name(name), settings=dict(settings)
        )
        change.add(kept)
    else:
        change.alter(kept, settings=dict(settings))
    if change.rows:
        change.record(name=kept.name)
    return kept


@transaction.atomic
def rename_usual_night(*, club_id: int, usual_id: int, name: str, by: Actor = NOBODY) -> UsualNight:
    """Rename a night template. Safe to repeat.

    Refuses: no_such_usual_night, name_required, name_too_long, usual_name_taken.
    """
    change = ClubChange(club_id, "rename_usual_night", by)
    renamed = row_or_refuse(
        UsualNight.objects.filter(club=club_id), usual_id, otherwise="no_such_usual_night"
    )
    name = checked_name(name, field="name")
    if change.is_repeat or name == renamed.name:
        return renamed
    other = _find_by_name(club_id, name)
    if other is not None and other != renamed:
        raise Refusal("usual_name_taken", field="name", name=other.name)
    before = renamed.name
    change.alter(renamed, name=name, folded_name=names.fold_name(name))
    change.record(name=name, before=before)
    return renamed


@transaction.atomic
def remove_usual_night(*, club_id: int, usual_id: int, by: Actor = NOBODY) -> None:
    """Delete a night template; nights made from it stay as they are. Safe to repeat.

    Refuses: usual_night_on_calendar.
    """
    change = ClubChange(club_id, "remove_usual_night", by)
    removed = UsualNight.objects.filter(club=club_id, pk=usual_id).first()
    if removed is None or change.is_repeat:
        return
    played = removed.recurring_nights.first()
    if played is not None:
        raise Refusal("usual_night_on_calendar", night=played.name)
    change.remove(removed)
    change.record(name=removed.name)


def _find_by_name(club_id: int, name: str) -> UsualNight | None:
    return UsualNight.objects.filter(club=club_id, folded_name=names.fold_name(name)).first()
