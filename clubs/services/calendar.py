"""Changes to a club's calendar: recurring nights, and dates that are cancelled or postponed."""

from dataclasses import asdict, dataclass
from datetime import date, time
from typing import Any

from django.db import transaction

from clubs.audit.log import NOBODY, Actor
from clubs.calendar import list_pattern_dates
from clubs.models import PLACE_LENGTH, ChangedDate, Pattern, RecurringNight, UsualNight
from errors import Refusal, check_choice, get_or_refuse
from web.names import clean_text

from .changes import ClubChange, get_row, validate_length, validate_name

FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2199, 12, 31)


@dataclass(frozen=True, slots=True, kw_only=True)
class NightDetails:
    """The details of a recurring night; ``usual`` is the id of a night template."""

    name: str
    pattern: str
    first_on: date
    starts_at: time
    last_on: date | None = None
    ends_at: time | None = None
    place: str = ""
    usual: int | None = None


@transaction.atomic
def add_recurring_night(*, club_id: int, details: NightDetails, by: Actor = NOBODY) -> RecurringNight | None:
    """Add a recurring night to the calendar. A repeat gives no id if the night was removed meanwhile. Safe to
    repeat.

    Refuses: what ``_check_details`` does.
    """
    change = ClubChange(club_id, "add_recurring_night", by)
    if change.is_repeat:
        made = change.club.actions.get(key=by.key).details.get("night")
        return RecurringNight.objects.filter(club=club_id, pk=made).first()
    added = RecurringNight(club=change.club, **_check_details(club_id, details))
    change.add(added)
    change.record(name=added.name, night=added.pk)
    return added


@transaction.atomic
def change_recurring_night(*, club_id: int, night_id: int, details: NightDetails, by: Actor = NOBODY) -> RecurringNight:
    """Update the days, hours, place or name of a recurring night. Changed dates stay where the night still
    falls on them.

    Safe to repeat. Refuses: no_such_recurring_night, what ``_check_details`` does.
    """
    change = ClubChange(club_id, "change_recurring_night", by)
    changed = _find_night(club_id, night_id)
    if change.is_repeat:
        return changed
    change.update(changed, **_check_details(club_id, details))
    if change.rows:
        change.record(name=changed.name)
    return changed


@transaction.atomic
def remove_recurring_night(*, club_id: int, night_id: int, by: Actor = NOBODY) -> None:
    """Remove a recurring night from the calendar, with its changed dates. Safe to repeat."""
    change = ClubChange(club_id, "remove_recurring_night", by)
    removed = RecurringNight.objects.filter(club=club_id, pk=night_id).first()
    if removed is None or change.is_repeat:
        return
    for changed in removed.changed_dates.all():
        change.remove(changed)
    change.remove(removed)
    change.record(name=removed.name)


@transaction.atomic
def cancel_date(*, club_id: int, night_id: int, on: date, reason: str = "", by: Actor = NOBODY) -> None:
    """Cancel one date of a recurring night. Safe to repeat.

    Refuses: no_such_recurring_night, no_such_date, text_too_long.
    """
    _change_date(ClubChange(club_id, "cancel_date", by), night_id, on, None, reason)


@transaction.atomic
def move_date(*, club_id: int, night_id: int, on: date, moved_to: date, reason: str = "", by: Actor = NOBODY) -> None:
    """Move one date of a recurring night to another day. Safe to repeat.

    Refuses: no_such_recurring_night, no_such_date, text_too_long, day_out_of_range, night_on_that_day.
    """
    change = ClubChange(club_id, "move_date", by)
    _check_day(moved_to, field="moved_to")
    night = _find_night(club_id, night_id)
    others = night.changed_dates.exclude(on=on)
    if list_pattern_dates(night, moved_to, moved_to) and not others.filter(on=moved_to).exists():
        raise Refusal("night_on_that_day", field="moved_to")
    if others.filter(moved_to=moved_to).exists():
        raise Refusal("night_on_that_day", field="moved_to")
    _change_date(change, night_id, on, moved_to, reason)


@transaction.atomic
def restore_date(*, club_id: int, night_id: int, on: date, by: Actor = NOBODY) -> None:
    """Restore a cancelled or moved date of a recurring night. Safe to repeat.

    Refuses: no_such_recurring_night.
    """
    change = ClubChange(club_id, "restore_date", by)
    night = _find_night(club_id, night_id)
    changed = night.changed_dates.filter(on=on).first()
    if changed is None or change.is_repeat:
        return
    change.remove(changed)
    change.record(name=night.name, on=on.isoformat())


def _change_date(change: ClubChange, night_id: int, on: date, moved_to: date | None, reason: str) -> None:
    night = _find_night(change.club.pk, night_id)
    if change.is_repeat:
        return
    if not list_pattern_dates(night, on, on):
        raise Refusal("no_such_date")
    reason = _clean_text_field(reason, field="why")
    changed = night.changed_dates.filter(on=on).first()
    if changed is None:
        change.add(ChangedDate(night=night, on=on, moved_to=moved_to, reason=reason))
    else:
        change.update(changed, moved_to=moved_to, reason=reason)
    if change.rows:
        days = {"on": on, "to": moved_to}
        dates = {name: day.isoformat() for name, day in days.items() if day is not None}
        change.record(undoes=None, name=night.name, **dates)


def _check_details(club_id: int, details: NightDetails) -> dict[str, Any]:
    """Return the values for the row.

    Refuses: name_required, name_too_long, no_such_choice, day_out_of_range, last_before_first, text_too_long,
    no_such_usual_night.
    """
    check_choice(details.pattern, Pattern.values, field="pattern")
    _check_day(details.first_on, field="first_on")
    if details.last_on is not None:
        _check_day(details.last_on, field="last_on")
        if details.last_on < details.first_on:
            raise Refusal("last_before_first", field="last_on")
    usual = None
    if details.usual is not None:
        usual = get_or_refuse(
            UsualNight.objects.filter(club=club_id, pk=details.usual).first(), "no_such_usual_night", field="usual"
        )
    return asdict(details) | {
        "name": validate_name(details.name, field="name"),
        "place": _clean_text_field(details.place, field="place"),
        "usual": usual,
    }


def _clean_text_field(text: str, *, field: str) -> str:
    return validate_length(clean_text(text), field=field, max_length=PLACE_LENGTH)


def _check_day(day: date, *, field: str) -> None:
    if not FIRST_DAY <= day <= LAST_DAY:
        raise Refusal("day_out_of_range", field=field, first=FIRST_DAY.year, last=LAST_DAY.year)


def _find_night(club_id: int, night_id: int) -> RecurringNight:
    nights = RecurringNight.objects.filter(club=club_id)
    return get_row(nights, night_id, refusal_code="no_such_recurring_night")
