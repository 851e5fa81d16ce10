"""Night templates of a club."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.models import UsualNight
from errors import Refusal
from web import names

from .changes import ClubChange, get_row, validate_name


@transaction.atomic
def save_night_template(*, club_id: int, name: str, settings: Mapping[str, Any], by: Actor = NOBODY) -> UsualNight:
    """Save these settings as a night template, replacing one of that name. Safe to repeat.

    Refuses: name_required, name_too_long.
    """
    change = ClubChange(club_id, "keep_usual_night", by)
    name = validate_name(name, field="name")
    template = _find_by_name(club_id, name)
    if template is not None and change.is_repeat:
        return template
    if template is None:
        template = UsualNight(club=change.club, name=name, folded_name=names.fold_name(name), settings=dict(settings))
        change.add(template)
    else:
        change.update(template, settings=dict(settings))
    if change.rows:
        change.record(name=template.name)
    return template


@transaction.atomic
def rename_night_template(*, club_id: int, usual_id: int, name: str, by: Actor = NOBODY) -> UsualNight:
    """Rename a night template. Safe to repeat.

    Refuses: no_such_usual_night, name_required, name_too_long, usual_name_taken.
    """
    change = ClubChange(club_id, "rename_usual_night", by)
    template = get_row(UsualNight.objects.filter(club=club_id), usual_id, refusal_code="no_such_usual_night")
    name = validate_name(name, field="name")
    if change.is_repeat or name == template.name:
        return template
    other = _find_by_name(club_id, name)
    if other is not None and other != template:
        raise Refusal("usual_name_taken", field="name", name=other.name)
    before = template.name
    change.update(template, name=name, folded_name=names.fold_name(name))
    change.record(name=name, before=before)
    return template


@transaction.atomic
def remove_night_template(*, club_id: int, usual_id: int, by: Actor = NOBODY) -> None:
    """Delete a night template; nights made from it stay as they are. Safe to repeat.

    Refuses: usual_night_on_calendar.
    """
    change = ClubChange(club_id, "remove_usual_night", by)
    template = UsualNight.objects.filter(club=club_id, pk=usual_id).first()
    if template is None or change.is_repeat:
        return
    recurring_night = template.recurring_nights.first()
    if recurring_night is not None:
        raise Refusal("usual_night_on_calendar", night=recurring_night.name)
    change.remove(template)
    change.record(name=template.name)


def _find_by_name(club_id: int, name: str) -> UsualNight | None:
    return UsualNight.objects.filter(club=club_id, folded_name=names.fold_name(name)).first()
