"""API: people, calendar, dues and seasons of a club."""

from dataclasses import fields
from typing import Any

from rest_framework import serializers as s

from api.commands import command
from api.fields import Hour, body, change, number, numbers, one_of, plain_list, text, yes_no
from api.operation import Operation, ProgramCall
from api.paths import CLUB, NIGHT, PERSON, SEASON
from api.reading import get_season
from api.shapes.clubs import PersonOut
from clubs import services as clubs
from clubs.models import Pattern
from clubs.policy import Permission
from clubs.services.club_page import ClubPage, change_club_page
from clubs.services.validators import row_or_refuse
from tournaments.records.services import turn_ratings
from tournaments.seasons import services as seasons

DIRECT, OWN = Permission.DIRECT, Permission.OWN

PERSON_FIELDS = {
    "name": text(),
    "contact": text(default=""),
    "is_guest": yes_no(default=False),
    "is_active": yes_no(default=True),
    "shows_full_name": yes_no(default=False),
    "family": text(default=""),
    "labels": s.ListField(child=text(most=80), max_length=20, default=list),
    "is_rated": yes_no(default=True),
    "is_hidden": yes_no(default=False),
}
PersonIn = body("PersonIn", **PERSON_FIELDS, is_namesake=yes_no(default=False))
PersonChange = change("PersonChange", **PERSON_FIELDS, is_namesake=yes_no())


def _person_now(call: ProgramCall) -> dict[str, Any]:
    known = row_or_refuse(call.club.people.all(), call.path["person_id"], otherwise="no_such_person")
    now = {name: getattr(known, name) for name in PERSON_FIELDS}
    return now | {"family": known.family.name if known.family else "", "is_namesake": False}


def _person(call: ProgramCall) -> dict[str, Any]:
    said = {name: call.body[name] for name in PERSON_FIELDS}
    details = clubs.PersonDetails(**said | {"labels": tuple(said["labels"])})
    return {"details": details, "is_namesake": call.body["is_namesake"]}


NIGHT_FIELDS = {
    "name": text(),
    "pattern": one_of(Pattern.values),
    "first_on": s.DateField(),
    "starts_at": Hour(),
    "last_on": s.DateField(allow_null=True, default=None),
    "ends_at": Hour(allow_null=True, default=None),
    "place": text(default=""),
}
NightIn = body("RecurringNightIn", **NIGHT_FIELDS)
NightChange = change("RecurringNightChange", **NIGHT_FIELDS)


def _night(call: ProgramCall) -> dict[str, Any]:
    said = {name: call.body[name] for name in NIGHT_FIELDS}
    return {"details": clubs.NightDetails(**said, usual=call.body.get("usual"))}


def _night_now(call: ProgramCall) -> dict[str, Any]:
    """Read the current values, with the night template, which the API cannot change."""
    night = row_or_refuse(
        call.club.recurring_nights.all(), call.path["night_id"], otherwise="no_such_recurring_night"
    )
    return {name: getattr(night, name) for name in NIGHT_FIELDS} | {"usual": night.usual_id}


DUES_FIELDS = {"name": text(), "amount": number(), "starts": s.DateField(), "ends": s.DateField()}
DuesIn = body("DuesIn", **DUES_FIELDS)
DuesChange = change("DuesChange", **DUES_FIELDS)


def _dues_now(call: ProgramCall) -> dict[str, Any]:
    period = row_or_refuse(call.club.dues_periods.all(), call.path["period_id"], otherwise="no_such_dues")
    return {name: getattr(period, name) for name in DUES_FIELDS}


def _dues(call: ProgramCall) -> dict[str, Any]:
    return {"details": clubs.PeriodDetails(**{name: call.body[name] for name in DUES_FIELDS})}


ClubPageIn = change("ClubPageIn", **{field.name: text(most=1_000, default="") for field in fields(ClubPage)})


def _club_page(call: ProgramCall) -> dict[str, Any]:
    return {"page": ClubPage(**{field.name: call.body[field.name] for field in fields(ClubPage)})}


def _club_page_now(call: ProgramCall) -> dict[str, Any]:
    return {field.name: getattr(call.club, field.name) for field in fields(ClubPage)}


SEASON_FIELDS = {"name": text(), "starts": s.DateField(), "ends": s.DateField(), "ladders": plain_list()}
SeasonIn = body("SeasonIn", **SEASON_FIELDS)
SeasonChange = change("SeasonChange", **SEASON_FIELDS)


def _season_now(call: ProgramCall) -> dict[str, Any]:
    season = get_season(call)
    return {name: getattr(season, name) for name in SEASON_FIELDS}


OF_THE_CLUB: list[Operation] = [
    command(
        f"{CLUB}/page",
        change_club_page,
        OWN,
        method="put",
        takes=ClubPageIn,
        reads=_club_page,
        keeps=_club_page_now,
    ),
    command(
        f"{CLUB}/people", clubs.add_person, DIRECT, takes=PersonIn, gives=PersonOut, reads=_person, status=201
    ),
    command(
        PERSON,
        clubs.change_person,
        DIRECT,
        method="put",
        takes=PersonChange,
        gives=PersonOut,
        reads=_person,
        keeps=_person_now,
    ),
    command(f"{CLUB}/calendar", clubs.add_recurring_night, DIRECT, takes=NightIn, reads=_night, status=201),
    command(
        NIGHT,
        clubs.change_recurring_night,
        DIRECT,
        method="put",
        takes=NightChange,
        reads=_night,
        keeps=_night_now,
    ),
    command(NIGHT, clubs.remove_recurring_night, DIRECT, method="delete"),
    command(f"{NIGHT}/cancel", clubs.cancel_date, DIRECT, takes=body("CancelIn", on=s.DateField())),
    command(
        f"{NIGHT}/move",
        clubs.move_date,
        DIRECT,
        takes=body("MoveIn", on=s.DateField(), moved_to=s.DateField()),
    ),
    command(f"{NIGHT}/restore", clubs.restore_date, DIRECT, takes=body("RestoreIn", on=s.DateField())),
    command(f"{CLUB}/dues", clubs.ask_dues, OWN, takes=DuesIn, reads=_dues, status=201),
    command(
        f"{CLUB}/dues/<int:period_id>",
        clubs.change_dues,
        OWN,
        method="put",
        takes=DuesChange,
        reads=_dues,
        keeps=_dues_now,
    ),
    command(f"{CLUB}/dues/<int:period_id>/people/<int:person_id>/pay", clubs.pay_dues, DIRECT),
    command(f"{CLUB}/history/<int:action_id>/undo", clubs.undo_for_form, OWN, name="undoOfClub"),
    command(
        f"{CLUB}/seasons",
        seasons.open_season,
        OWN,
        takes=SeasonIn,
        status=201,
    ),
    command(SEASON, seasons.change_season, OWN, method="put", takes=SeasonChange, keeps=_season_now),
    command(f"{SEASON}/nights", seasons.count_nights, OWN, takes=body("NightsIn", left_out=numbers())),
    command(f"{SEASON}/close", seasons.close_season, OWN),
    command(f"{SEASON}/reopen", seasons.reopen_season, OWN),
    command(
        f"{CLUB}/ratings",
        turn_ratings,
        OWN,
        method="put",
        takes=body("RatingsIn", is_on=yes_no()),
        reads=lambda call: {"on": call.body["is_on"]},
    ),
]
