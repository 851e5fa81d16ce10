"""API: settings, state, visibility, messages and money of an event."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from rest_framework import serializers as s

from api.commands import command, event_made
from api.fields import Hour, PlainObject, body, change, maybe_number, number, one_of, plain_list, text, yes_no
from api.operation import Operation, ProgramCall
from api.paths import CLUB, EVENT
from api.shapes.events import EventWhole
from clubs.models import HouseRules
from clubs.policy import Permission
from clubs.queries import house_rules_by_choice
from engine.draws.stages import stage_plan
from engine.phases import settings_from_json
from engine.ranking import OF_SCHEDULES, RankingRules, ranking_rules_from_json
from engine.results import usual_rules
from engine.visibility import Names, RanksRelease, Release, Results
from errors import Refusal
from rules import RULESETS, DecidedBy, MatchFormat
from scoring.log_values import DETAILS
from tournaments.announcement import DAYS, HOURS, LENGTHS, Announcement
from tournaments.entries.services import (
    sign_up,
)
from tournaments.events.event_settings import event_settings_of
from tournaments.events.services import lifecycle
from tournaments.events.services import settings as event_settings
from tournaments.events.services.announcing import announce_event, call_off_event, reinstate_event
from tournaments.events.services.event_cloning import make_event
from tournaments.fee_rates import Rates
from tournaments.history.services.undo import undo_action
from tournaments.messages import services as messages
from tournaments.models import Event
from tournaments.money.services import door_prizes, fees
from tournaments.publishing.services import publishing
from tournaments.slots import copied_parts

HELP, DIRECT = Permission.HELP, Permission.DIRECT


def _ruleset_in() -> s.CharField:
    return text(most=40, help_text="Key of a ruleset, or `house-…` for the club's house rules.")


def _details_in() -> s.ListField:
    return s.ListField(child=one_of(DETAILS), max_length=20, default=list)


EventIn = body(
    "EventIn",
    name=text(most=80),
    held_on=s.DateField(),
    ruleset=_ruleset_in(),
    games_to_win=maybe_number(1, 99),
    hands=maybe_number(1, 999),
    minutes=maybe_number(1, 999),
    tables=number(1, 1000),
    stages=plain_list(
        default=lambda: [{"format": "random"}],
        help_text="Stages, as in an event file (docs/api/event-files.md).",
    ),
    sections=plain_list(default=list),
    ranking=PlainObject(default=dict),
    details=_details_in(),
)


def _create_event(*, club: Any, said: dict[str, Any], by: Any) -> Event:
    """Create an event, in preparation. Give its rules, match length and stages in full."""
    ruleset, rules_name = _rules(club, said["ruleset"])
    is_usual = not (said["games_to_win"] or said["hands"] or said["minutes"])
    games = ruleset.games_to_win if is_usual else said["games_to_win"]
    match_format = _match_format(said | {"games_to_win": games})
    ranking = ranking_rules_from_json(said["ranking"], usual_rules(stage_plan(said["stages"])))
    make = partial(
        event_settings.create_tournament,
        club=club,
        name=said["name"],
        held_on=said["held_on"],
        ruleset=ruleset,
        rules_name=rules_name,
        match_format=match_format,
        table_count=said["tables"],
        details=said["details"],
        settings=event_settings.Settings(
            stages=said["stages"],
            ranking=ranking if "order" in said["ranking"] else lifecycle.usual_ranking(ranking, match_format),
            sections=_sections(said["sections"]),
        ),
    )
    return lifecycle.make_once(club=club, key=by.key, make=make)


def _match_format(said: Mapping[str, Any]) -> MatchFormat:
    games = said["games_to_win"]
    return MatchFormat(
        games_to_win=games,
        hands=said["hands"],
        minutes=said["minutes"],
        decided_by=DecidedBy.GAMES if games else DecidedBy.POINTS,
    )


def _rules(club: Any, chosen: str) -> tuple[Any, str]:
    if chosen.startswith(HouseRules.CHOICE):
        own = house_rules_by_choice(club)
        if chosen not in own:
            raise Refusal("house_rules_removed", field="ruleset")
        return own[chosen].ruleset, own[chosen].name
    if chosen not in RULESETS:
        raise Refusal("no_such_choice", field="ruleset", value=chosen, choices=tuple(RULESETS))
    return RULESETS[chosen], ""


def _other_rules(call: ProgramCall) -> dict[str, Any]:
    ruleset, rules_name = _rules(call.club, call.body["ruleset"])
    return {"ruleset": ruleset, "rules_name": rules_name, "details": call.body["details"]}


def _phase(call: ProgramCall) -> dict[str, Any]:
    said = call.body
    return {
        "stage": None if said["stage"] is None else said["stage"] - 1,
        "section": said["section"] or None,
        "since": said["since"],
        "settings": settings_from_json(said["settings"]),
    }


def _ranking(call: ProgramCall) -> dict[str, Any]:
    """Read the ranking rules; settings for pools and schedules that are not given stay as they are."""
    rules = ranking_rules_from_json(call.event.ranking)
    kept = replace(RankingRules(), **{name: getattr(rules, name) for name in OF_SCHEDULES})
    return {"rules": ranking_rules_from_json(call.body["ranking"], kept)}


class SectionIn(s.Serializer[Any]):
    name = text(most=40)
    first_table = maybe_number(1, 1000)
    last_table = maybe_number(1, 1000)


def _sections(said: list[Any]) -> list[dict[str, Any]]:
    read = SectionIn(data=said, many=True)
    read.is_valid(raise_exception=True)
    return [dict(each) for each in read.validated_data]


def _release(call: ProgramCall) -> dict[str, Any]:
    said = call.body
    release = Release(
        is_public=said["is_public"],
        entries=said["entries"],
        draw=said["draw"],
        results=Results(said["results"]),
        silent_from=said["silent_from"],
        ranked=RanksRelease(said["standings"]),
        names=Names(said["names"]),
    )
    return {"release": release}


AgainIn = body(
    "AgainIn",
    name=text(most=80),
    held_on=s.DateField(),
    with_people=yes_no(default=False, help_text="Whether to copy the entries, not checked in."),
)


def _play_again(*, event: Event, name: str, held_on: date, with_people: bool, by: Any) -> Event:
    """Create a copy of an event, in preparation."""
    return make_event(
        club=event.club,
        settings=event_settings_of(event),
        like=event.name,
        name=name,
        held_on=held_on,
        people_of=event if with_people else None,
        parts=copied_parts(event),
        by=by,
    )


ReleaseIn = body(
    "ReleaseIn",
    is_public=yes_no(),
    entries=yes_no(),
    draw=yes_no(),
    results=one_of(Results),
    standings=one_of(RanksRelease),
    names=one_of(Names),
    silent_from=maybe_number(1, 99),
)

AnnouncementIn = change(
    "AnnouncementIn",
    starts_at=Hour(allow_null=True, default=None),
    ends_at=Hour(allow_null=True, default=None),
    **{name: s.DateField(allow_null=True, default=None) for name in DAYS},
    **{name: text(most=most, default="") for name, most in LENGTHS.items()},
)


ANNOUNCED = (*HOURS, *DAYS, *LENGTHS)


def _announcement(call: ProgramCall) -> dict[str, Any]:
    return {"announcement": Announcement(**{name: call.body[name] for name in ANNOUNCED})}


def _announcement_now(call: ProgramCall) -> dict[str, Any]:
    now = call.event.announcement
    return {name: getattr(now, name) for name in ANNOUNCED}


OF_AN_EVENT: list[Operation] = [
    command(
        f"{CLUB}/events",
        _create_event,
        DIRECT,
        name="createEvent",
        takes=EventIn,
        gives=EventWhole,
        reads=lambda call: {"said": dict(call.body)},
        answers=event_made,
        status=201,
        does=(lifecycle.create_event, lifecycle.make_once, event_settings.create_tournament),
    ),
    command(
        f"{EVENT}/again",
        _play_again,
        DIRECT,
        name="playAgain",
        takes=AgainIn,
        gives=EventWhole,
        answers=event_made,
        status=201,
        does=(make_event,),
    ),
    command(f"{EVENT}/start", lifecycle.start_event, DIRECT, gives=EventWhole),
    command(f"{EVENT}/end", lifecycle.end_event, DIRECT, gives=EventWhole),
    command(f"{EVENT}/resume", lifecycle.resume_event, DIRECT, gives=EventWhole),
    command(f"{EVENT}/put-away", lifecycle.put_away_event, DIRECT, gives=EventWhole),
    command(
        f"{EVENT}/tables",
        lifecycle.plan_tables,
        DIRECT,
        takes=body("TablesIn", table_count=number(1, 1000)),
        gives=EventWhole,
    ),
    command(
        f"{EVENT}/name",
        event_settings.rename_event,
        DIRECT,
        takes=body("NameIn", name=text(most=80), held_on=s.DateField()),
        gives=EventWhole,
    ),
    command(
        f"{EVENT}/rules",
        event_settings.change_rules,
        DIRECT,
        takes=body("RulesIn", ruleset=_ruleset_in(), details=_details_in()),
        gives=EventWhole,
        reads=_other_rules,
    ),
    command(
        f"{EVENT}/match-length",
        event_settings.change_match_length,
        DIRECT,
        takes=body(
            "MatchLengthIn",
            games_to_win=maybe_number(1, 99),
            hands=maybe_number(1, 999),
            minutes=maybe_number(1, 999),
        ),
        gives=EventWhole,
        reads=lambda call: {"match_format": _match_format(call.body)},
    ),
    command(
        f"{EVENT}/announcement",
        announce_event,
        DIRECT,
        method="put",
        takes=AnnouncementIn,
        gives=EventWhole,
        reads=_announcement,
        keeps=_announcement_now,
    ),
    command(
        f"{EVENT}/call-off",
        call_off_event,
        DIRECT,
        takes=body("CallOffIn", reason=text(most=120, default="")),
        gives=EventWhole,
    ),
    command(f"{EVENT}/reinstate", reinstate_event, DIRECT, gives=EventWhole),
    command(
        f"{EVENT}/hall",
        event_settings.plan_hall,
        DIRECT,
        takes=body("HallIn", per_row=number(0, 999), snakes=yes_no(default=False)),
        gives=EventWhole,
    ),
    command(
        f"{EVENT}/stages",
        event_settings.change_stages,
        DIRECT,
        takes=body("StagesIn", stages=plain_list()),
        gives=EventWhole,
    ),
    command(
        f"{EVENT}/phases",
        event_settings.change_phase,
        DIRECT,
        takes=body(
            "PhaseIn",
            stage=maybe_number(1, 50),
            section=text(most=40, default=""),
            since=number(1, 999, default=1),
            settings=PlainObject(),
        ),
        gives=EventWhole,
        reads=_phase,
    ),
    command(
        f"{EVENT}/ranking",
        event_settings.change_ranking,
        DIRECT,
        takes=body("RankingIn", ranking=PlainObject()),
        gives=EventWhole,
        reads=_ranking,
    ),
    command(
        f"{EVENT}/sections",
        event_settings.change_sections,
        DIRECT,
        takes=body("SectionsIn", sections=SectionIn(many=True)),
        gives=EventWhole,
    ),
    command(
        f"{EVENT}/sign-up",
        sign_up.change_sign_up,
        DIRECT,
        takes=body("SignUpIn", is_open=yes_no(), most_entries=maybe_number(1, 2000)),
        gives=EventWhole,
    ),
    command(
        f"{EVENT}/release",
        publishing.change_release,
        DIRECT,
        takes=ReleaseIn,
        gives=EventWhole,
        reads=_release,
    ),
    command(f"{EVENT}/publish-final", publishing.publish_final, DIRECT, gives=EventWhole),
    command(f"{EVENT}/unpublish-final", publishing.unpublish_final, DIRECT, gives=EventWhole),
    command(
        f"{EVENT}/history/<int:action_id>/undo",
        undo_action,
        DIRECT,
        name="undoOfEvent",
        takes=body("UndoIn", may_be_undecided=yes_no(default=False)),
    ),
    command(
        f"{EVENT}/messages",
        messages.send_message,
        DIRECT,
        takes=body("MessageIn", text=text(), table=maybe_number(1, 9999), minutes=maybe_number(1, 999)),
    ),
    command(f"{EVENT}/messages/<int:number>", messages.take_back_message, DIRECT, method="delete"),
    command(f"{EVENT}/calls", messages.call_table, HELP, takes=body("CallIn", table=number(1, 9999))),
    command(f"{EVENT}/calls/<int:table>", messages.end_call, HELP, method="delete"),
    command(
        f"{EVENT}/fees",
        fees.change_rates,
        DIRECT,
        takes=body("RatesIn", member=number(0, 10**6), guest=number(0, 10**6)),
        gives=EventWhole,
        reads=lambda call: {"rates": Rates(member=call.body["member"], guest=call.body["guest"])},
    ),
    command(f"{EVENT}/fees/<int:person_id>/pay", fees.pay_fee, HELP),
    command(
        f"{EVENT}/door-prize",
        door_prizes.draw_door_prize,
        DIRECT,
        takes=body("DoorPrizeIn", prize=text(default=""), seed=maybe_number()),
    ),
    command(f"{EVENT}/door-prize", door_prizes.clear_door_prize, DIRECT, method="delete"),
]
