"""Privacy settings of a club, and the register of incidents."""

import datetime
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor
from clubs.calendar import get_club_today
from clubs.models import INCIDENT_TEXT_LENGTH, Club, ClubAction, Incident, PublicNames, Risk
from clubs.people_import import CONTACT_LENGTH
from errors import Refusal, check_choice
from web import names

from .changes import ClubChange, get_row, validate_length
from .people import check_not_anonymized, get_person

MAX_YEARS = 50
MAX_PEOPLE = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacySettings:
    """The person responsible for personal information, and what the club shows;
    ``forget_after`` is in years."""

    responsible_name: str = ""
    responsible_contact: str = ""
    public_names: str = PublicNames.SHORT.value
    has_public_people: bool = True
    forget_after: int | None = None


@transaction.atomic
def change_privacy(*, club_id: int, settings: PrivacySettings, by: Actor = NOBODY) -> Club:
    """Update the club's privacy settings. Safe to repeat.

    Refuses: no_such_club, name_too_long, contact_too_long, no_such_choice, years_out_of_range.
    """
    change = ClubChange(club_id, "change_privacy", by)
    if not change.is_repeat:
        change.update(change.club, **_validate_settings(settings))
        if change.rows:
            change.record()
    return change.club


def _validate_settings(settings: PrivacySettings) -> dict[str, Any]:
    name = names.clean_text(settings.responsible_name)
    if len(name) > names.NAME_LENGTH:
        raise Refusal("name_too_long", field="responsible_name", name=name, most=names.NAME_LENGTH)
    contact = names.clean_text(settings.responsible_contact)
    if len(contact) > CONTACT_LENGTH:
        raise Refusal("contact_too_long", field="responsible_contact", most=CONTACT_LENGTH)
    check_choice(settings.public_names, PublicNames.values, field="public_names")
    years = settings.forget_after
    if years is not None and not 1 <= years <= MAX_YEARS:
        raise Refusal("years_out_of_range", field="forget_after", most=MAX_YEARS)
    return asdict(settings) | {"responsible_name": name, "responsible_contact": contact}


@transaction.atomic
def defer_erasure(*, club_id: int, person_id: int, until: datetime.date | None, by: Actor = NOBODY) -> None:
    """Do not propose to erase a person before that day; None restores the club's usual time. Safe to repeat.

    Refuses: no_such_person, person_anonymized, day_is_past.
    """
    change = ClubChange(club_id, "keep_person_no_longer" if until is None else "keep_person", by)
    if change.is_repeat:
        return
    person = get_person(change.club, person_id)
    check_not_anonymized(person)
    if until is not None and until <= get_club_today(change.club):
        raise Refusal("day_is_past", field="until")
    change.update(person, kept_until=until)
    if change.rows:
        details: dict[str, Any] = {} if until is None else {"on": until.isoformat()}
        change.record(undoes=None, person=person.pk, name=person.name, **details)


@dataclass(frozen=True, slots=True, kw_only=True)
class IncidentDetails:
    """The fields of an ``Incident``."""

    happened_on: datetime.date
    noticed_on: datetime.date
    what: str
    information: str
    people: int | None = None
    risk: str = Risk.OPEN.value
    done: str = ""
    commission_told_on: datetime.date | None = None
    people_told_on: datetime.date | None = None


@transaction.atomic
def add_incident(*, club_id: int, details: IncidentDetails, by: Actor = NOBODY) -> Incident:
    """Add an incident to the register, which nothing deletes, not even an undo. Safe to repeat
    with the same key.

    Refuses: what ``_validate_incident`` refuses.
    """
    change = ClubChange(club_id, "add_incident", by)
    if change.is_repeat:
        return _get_earlier_incident(change)
    incident = Incident(club=change.club, **_validate_incident(change.club, details))
    incident.save(force_insert=True)
    _record_incident(change, incident)
    return incident


@transaction.atomic
def change_incident(*, club_id: int, incident_id: int, details: IncidentDetails, by: Actor = NOBODY) -> Incident:
    """Correct an incident; the history keeps the earlier text. Safe to repeat.

    Refuses: no_such_incident, and what ``_validate_incident`` refuses.
    """
    change = ClubChange(club_id, "change_incident", by)
    incident = get_row(change.club.incidents.all(), incident_id, refusal_code="no_such_incident")
    if not change.is_repeat:
        change.update(incident, **_validate_incident(change.club, details))
        if change.rows:
            _record_incident(change, incident)
    return incident


@transaction.atomic
def close_incident(*, club_id: int, incident_id: int, is_closed: bool = True, by: Actor = NOBODY) -> Incident:
    """Close an incident, or reopen it. Safe to repeat.

    Refuses: no_such_incident, incident_unfinished.
    """
    change = ClubChange(club_id, "close_incident" if is_closed else "reopen_incident", by)
    incident = get_row(change.club.incidents.all(), incident_id, refusal_code="no_such_incident")
    if change.is_repeat or (incident.closed_at is not None) == is_closed:
        return incident
    is_notified = incident.commission_told_on and incident.people_told_on
    if is_closed and (not incident.done or incident.risk == Risk.OPEN or (_is_serious(incident) and not is_notified)):
        raise Refusal("incident_unfinished")
    change.update(incident, closed_at=timezone.now() if is_closed else None)
    _record_incident(change, incident)
    return incident


def _is_serious(incident: Incident) -> bool:
    return incident.risk == Risk.SERIOUS


def _record_incident(change: ClubChange, incident: Incident) -> None:
    change.record(incident=incident.pk, on=incident.happened_on.isoformat())


def _get_earlier_incident(change: ClubChange) -> Incident:
    action = ClubAction.objects.get(key=change.by.key)
    return get_row(change.club.incidents.all(), action.details.get("incident", 0), refusal_code="no_such_incident")


def _validate_incident(club: Club, details: IncidentDetails) -> dict[str, Any]:
    """Return the checked values for the row.

    Refuses: text_required, text_too_long, number_too_small, number_too_large, no_such_choice, day_to_come,
    noticed_before.
    """
    texts = {name: " ".join(getattr(details, name).split()) for name in ("what", "information", "done")}
    for name, text in texts.items():
        if not text and name != "done":
            raise Refusal("text_required", field=name)
        validate_length(text, field=name, max_length=INCIDENT_TEXT_LENGTH)
    if details.people is not None and details.people < 0:
        raise Refusal("number_too_small", field="people", value=details.people, least=0)
    if details.people is not None and details.people > MAX_PEOPLE:
        raise Refusal("number_too_large", field="people", value=details.people, most=MAX_PEOPLE)
    check_choice(details.risk, Risk.values, field="risk")
    today = get_club_today(club)
    for name in ("happened_on", "noticed_on", "commission_told_on", "people_told_on"):
        day = getattr(details, name)
        if day is not None and day > today:
            raise Refusal("day_to_come", field=name)
    if details.noticed_on < details.happened_on:
        raise Refusal("noticed_before", field="noticed_on")
    return asdict(details) | texts
