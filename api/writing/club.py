"""API: people, calendar, dues and seasons of a club."""

from dataclasses import fields
from typing import Any

from rest_framework import serializers as s

from api.commands import direct_command, own_command, pack_fields, read_fields
from api.fields import (
    HourField,
    boolean_field,
    change_body,
    choice_field,
    integer_field,
    integer_list_field,
    request_body,
    text_field,
    typed_list,
)
from api.operation import ApiCall, Operation
from api.paths import CLUB, NIGHT, PERSON, SEASON, SEASON_SETTINGS
from api.read_operations import get_season
from api.shapes.clubs import PersonOut
from api.shapes.plans import SeasonLadder
from clubs.models import DuesPeriod, Pattern
from clubs.services import calendar, dues, people, undo
from clubs.services.changes import get_row
from clubs.services.clubs import ClubPage, change_club_page
from tournaments.records.services import turn_ratings
from tournaments.seasons import services as seasons

PERSON_FIELDS = {
    "name": text_field(),
    "contact": text_field(default=""),
    "is_guest": boolean_field(default=False),
    "is_active": boolean_field(default=True),
    "shows_full_name": boolean_field(default=False),
    "family": text_field(default=""),
    "labels": s.ListField(child=text_field(max_length=80), max_length=20, default=list),
    "is_rated": boolean_field(default=True),
    "is_hidden": boolean_field(default=False),
}
PersonIn = request_body("PersonIn", **PERSON_FIELDS, is_namesake=boolean_field(default=False))
PersonChange = change_body("PersonChange", **PERSON_FIELDS, is_namesake=boolean_field())


def _read_current_person(call: ApiCall) -> dict[str, Any]:
    person = get_row(call.club.people.all(), call.path["person_id"], refusal_code="no_such_person")
    values = {name: getattr(person, name) for name in PERSON_FIELDS}
    return values | {"family": person.family.name if person.family else "", "is_namesake": False}


def _read_person(call: ApiCall) -> dict[str, Any]:
    values = {name: call.body[name] for name in PERSON_FIELDS}
    details = people.PersonDetails(**values | {"labels": tuple(values["labels"])})
    return {"details": details, "is_namesake": call.body["is_namesake"]}


NIGHT_FIELDS = {
    "name": text_field(),
    "pattern": choice_field(Pattern.values),
    "first_on": s.DateField(),
    "starts_at": HourField(),
    "last_on": s.DateField(allow_null=True, default=None),
    "ends_at": HourField(allow_null=True, default=None),
    "place": text_field(default=""),
}
NightIn = request_body("RecurringNightIn", **NIGHT_FIELDS)
NightChange = change_body("RecurringNightChange", **NIGHT_FIELDS)


def _read_night(call: ApiCall) -> dict[str, Any]:
    values = {name: call.body[name] for name in NIGHT_FIELDS}
    return {"details": calendar.NightDetails(**values, usual=call.body.get("usual"))}


def _read_current_night(call: ApiCall) -> dict[str, Any]:
    """Read the current values, with the night template, which the API cannot change."""
    night = get_row(call.club.recurring_nights.all(), call.path["night_id"], refusal_code="no_such_recurring_night")
    return {name: getattr(night, name) for name in NIGHT_FIELDS} | {"usual": night.usual_id}


DUES_FIELDS = {"name": text_field(), "amount": integer_field(), "starts": s.DateField(), "ends": s.DateField()}
DuesIn = request_body("DuesIn", **DUES_FIELDS)
DuesChange = change_body("DuesChange", **DUES_FIELDS)


_read_dues = pack_fields("details", dues.PeriodDetails, DUES_FIELDS)


def _find_dues(call: ApiCall) -> DuesPeriod:
    return get_row(call.club.dues_periods.all(), call.path["period_id"], refusal_code="no_such_dues")


CLUB_PAGE_FIELDS = [field.name for field in fields(ClubPage)]
ClubPageIn = change_body("ClubPageIn", **{name: text_field(max_length=1_000, default="") for name in CLUB_PAGE_FIELDS})


SEASON_FIELDS = {
    "name": text_field(),
    "starts": s.DateField(),
    "ends": s.DateField(),
    "ladders": typed_list(SeasonLadder),
}
SeasonIn = request_body("SeasonIn", **SEASON_FIELDS)
SeasonChange = change_body("SeasonChange", **SEASON_FIELDS)


CLUB_OPERATIONS: list[Operation] = [
    own_command(
        f"{CLUB}/page",
        change_club_page,
        ClubPageIn,
        method="put",
        read_body=pack_fields("page", ClubPage, CLUB_PAGE_FIELDS),
        read_current=read_fields(lambda call: call.club, CLUB_PAGE_FIELDS),
    ),
    direct_command(
        f"{CLUB}/people", people.add_person, PersonIn, response_shape=PersonOut, read_body=_read_person, status=201
    ),
    direct_command(
        PERSON,
        people.change_person,
        PersonChange,
        method="put",
        response_shape=PersonOut,
        read_body=_read_person,
        read_current=_read_current_person,
    ),
    direct_command(f"{CLUB}/calendar", calendar.add_recurring_night, NightIn, read_body=_read_night, status=201),
    direct_command(
        NIGHT,
        calendar.change_recurring_night,
        NightChange,
        method="put",
        read_body=_read_night,
        read_current=_read_current_night,
    ),
    direct_command(NIGHT, calendar.remove_recurring_night, method="delete"),
    direct_command(f"{NIGHT}/cancel", calendar.cancel_date, request_body("CancelIn", on=s.DateField())),
    direct_command(
        f"{NIGHT}/move", calendar.move_date, request_body("MoveIn", on=s.DateField(), moved_to=s.DateField())
    ),
    direct_command(f"{NIGHT}/restore", calendar.restore_date, request_body("RestoreIn", on=s.DateField())),
    own_command(f"{CLUB}/dues", dues.ask_dues, DuesIn, read_body=_read_dues, status=201),
    own_command(
        f"{CLUB}/dues/<int:period_id>",
        dues.change_dues,
        DuesChange,
        method="put",
        read_body=_read_dues,
        read_current=read_fields(_find_dues, DUES_FIELDS),
    ),
    direct_command(f"{CLUB}/dues/<int:period_id>/people/<int:person_id>/pay", dues.pay_dues),
    own_command(f"{CLUB}/history/<int:action_id>/undo", undo.undo_for_form, name="undoOfClub"),
    own_command(f"{CLUB}/seasons", seasons.open_season, SeasonIn, status=201),
    own_command(
        SEASON,
        seasons.change_season,
        SeasonChange,
        method="put",
        read_current=read_fields(get_season, SEASON_FIELDS),
        resource_path=SEASON_SETTINGS,
    ),
    own_command(
        f"{SEASON}/nights",
        seasons.count_nights,
        request_body("NightsIn", left_out=integer_list_field()),
        resource_path=SEASON_SETTINGS,
    ),
    own_command(f"{SEASON}/close", seasons.close_season, resource_path=SEASON_SETTINGS),
    own_command(f"{SEASON}/reopen", seasons.reopen_season, resource_path=SEASON_SETTINGS),
    own_command(
        f"{CLUB}/ratings",
        turn_ratings,
        request_body("RatingsIn", is_on=boolean_field()),
        method="put",
        read_body=lambda call: {"on": call.body["is_on"]},
    ),
]
