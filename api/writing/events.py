"""API: settings, state, visibility, messages and money of an event."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Any

from rest_framework import serializers as s

from api.commands import direct_command, help_command, pack_fields, read_fields, reload_event
from api.fields import (
    HourField,
    boolean_field,
    change_body,
    choice_field,
    integer_field,
    optional_integer_field,
    request_body,
    text_field,
    typed_list,
    typed_object,
)
from api.operation import ApiCall, Operation
from api.paths import CLUB, EVENT
from api.shapes.events import EventWhole
from api.shapes.plans import EventStage, PhaseSettings, RankingRulesIn
from clubs.models import HouseRules
from clubs.queries import get_house_rules_by_choice
from engine.draws.stages import parse_stage_plan
from engine.phases import settings_from_json
from engine.ranking import SCHEDULE_RULES, RankingRules, ranking_rules_from_json
from engine.results import get_default_rules
from engine.visibility import Names, RanksRelease, Release, Results
from errors import Refusal, check_choice, get_or_refuse
from rules import RULESETS, MatchCriterion, MatchFormat
from scoring.log_values import DETAILS
from tournaments.announcement import DATE_FIELDS, TEXT_LENGTHS, TIME_FIELDS, Announcement
from tournaments.entries.services import sign_up
from tournaments.events.event_settings import read_event_settings
from tournaments.events.services import creation, lifecycle
from tournaments.events.services import settings as event_settings
from tournaments.events.services.announcements import announce_event, call_off_event, reinstate_event
from tournaments.events.services.event_cloning import make_event
from tournaments.fee_rates import Rates
from tournaments.history.services.undo import undo_action
from tournaments.messages import services as messages
from tournaments.models import Event
from tournaments.money.queries.fees import find_fee
from tournaments.money.services import door_prizes, fees
from tournaments.publishing.services import publishing
from tournaments.slots import read_copied_parts
from tournaments.standings.presenters.clubs import list_moving_teams
from web.money import MAX_AMOUNT


def _ruleset_field() -> s.CharField:
    return text_field(max_length=40, help_text="Key of a ruleset, or `house-…` for the club's house rules.")


def _details_field() -> s.ListField:
    return s.ListField(child=choice_field(DETAILS), max_length=20, default=list)


class SectionIn(s.Serializer[Any]):
    name = text_field(max_length=40)
    first_table = optional_integer_field(1, 1000)
    last_table = optional_integer_field(1, 1000)


EventIn = request_body(
    "EventIn",
    name=text_field(max_length=80),
    held_on=s.DateField(),
    ruleset=_ruleset_field(),
    games_to_win=optional_integer_field(1, 99),
    hands=optional_integer_field(1, 999),
    minutes=optional_integer_field(1, 999),
    tables=integer_field(1, 1000),
    stages=typed_list(
        EventStage,
        default=lambda: [{"format": "random"}],
        help_text="Stages, as in an event file (docs/api/event-files.md).",
    ),
    sections=s.ListSerializer(child=SectionIn(), max_length=50, default=list),
    ranking=typed_object(RankingRulesIn, default=dict),
    details=_details_field(),
)


def _create_event(*, club: Any, body: dict[str, Any], by: Any) -> Event:
    """Create an event, in preparation. Give its rules, match length and stages in full."""
    ruleset, rules_name = _find_rules(club, body["ruleset"])
    is_usual = not (body["games_to_win"] or body["hands"] or body["minutes"])
    games = ruleset.games_to_win if is_usual else body["games_to_win"]
    match_format = _build_match_format(body | {"games_to_win": games})
    ranking = ranking_rules_from_json(body["ranking"], get_default_rules(parse_stage_plan(body["stages"])))
    make = partial(
        creation.create_event,
        club=club,
        name=body["name"],
        held_on=body["held_on"],
        ruleset=ruleset,
        rules_name=rules_name,
        match_format=match_format,
        table_count=body["tables"],
        details=body["details"],
        stages=body["stages"],
        ranking=ranking if "order" in body["ranking"] else lifecycle.adapt_ranking(ranking, match_format),
        sections=body["sections"],
    )
    return creation.create_once(club=club, create=make, by=by)


def _build_match_format(values: Mapping[str, Any]) -> MatchFormat:
    games = values["games_to_win"]
    return MatchFormat(
        games_to_win=games,
        hands=values["hands"],
        minutes=values["minutes"],
        decided_by=MatchCriterion.GAMES if games else MatchCriterion.POINTS,
    )


def _find_rules(club: Any, chosen: str) -> tuple[Any, str]:
    if chosen.startswith(HouseRules.CHOICE_PREFIX):
        house_rules = get_house_rules_by_choice(club)
        if chosen not in house_rules:
            raise Refusal("house_rules_removed", field="ruleset")
        return house_rules[chosen].ruleset, house_rules[chosen].name
    check_choice(chosen, RULESETS, field="ruleset")
    return RULESETS[chosen], ""


def _read_rules(call: ApiCall) -> dict[str, Any]:
    ruleset, rules_name = _find_rules(call.club, call.body["ruleset"])
    return {"ruleset": ruleset, "rules_name": rules_name, "details": call.body["details"]}


def _read_phase(call: ApiCall) -> dict[str, Any]:
    body = call.body
    return {
        "stage": None if body["stage"] is None else body["stage"] - 1,
        "section": body["section"] or None,
        "since": body["since"],
        "settings": settings_from_json(body["settings"]),
    }


def _read_ranking(call: ApiCall) -> dict[str, Any]:
    """Read the ranking rules; settings for pools and schedules that are not given stay as they are."""
    rules = ranking_rules_from_json(call.event.ranking)
    unchanged_rules = replace(RankingRules(), **{name: getattr(rules, name) for name in SCHEDULE_RULES})
    return {"rules": ranking_rules_from_json(call.body["ranking"], unchanged_rules)}


def _fee_now(call: ApiCall) -> dict[str, Any]:
    line = get_or_refuse(find_fee(call.event, call.path["person_id"]), "not_at_the_event")
    return {"paid": line.attendee.paid, "other": line.attendee.other}


def _read_release(call: ApiCall) -> dict[str, Any]:
    body = call.body
    release = Release(
        is_public=body["is_public"],
        entries=body["entries"],
        draw=body["draw"],
        results=Results(body["results"]),
        silent_from=body["silent_from"],
        ranked=RanksRelease(body["standings"]),
        names=Names(body["names"]),
    )
    return {"release": release}


AgainIn = request_body(
    "AgainIn",
    name=text_field(max_length=80),
    held_on=s.DateField(),
    with_people=boolean_field(
        default=False,
        help_text="Whether to copy the entries, not checked in; in a league, with promotion and relegation.",
    ),
)


def _copy_event(*, event: Event, name: str, held_on: date, with_people: bool, by: Any) -> Event:
    """Create a copy of an event, in preparation; of an ended league, its new season."""
    return make_event(
        club=event.club,
        settings=read_event_settings(event),
        like=event.name,
        name=name,
        held_on=held_on,
        people_of=event if with_people else None,
        new_sections={team.name: team.next_section for team in list_moving_teams(event)},
        parts=read_copied_parts(event),
        by=by,
    )


ReleaseIn = request_body(
    "ReleaseIn",
    is_public=boolean_field(),
    entries=boolean_field(),
    draw=boolean_field(),
    results=choice_field(Results),
    standings=choice_field(RanksRelease),
    names=choice_field(Names),
    silent_from=optional_integer_field(1, 99),
)

AnnouncementIn = change_body(
    "AnnouncementIn",
    starts_at=HourField(allow_null=True, default=None),
    ends_at=HourField(allow_null=True, default=None),
    **{name: s.DateField(allow_null=True, default=None) for name in DATE_FIELDS},
    **{name: text_field(max_length=most, default="") for name, most in TEXT_LENGTHS.items()},
)


ANNOUNCEMENT_FIELDS = (*TIME_FIELDS, *DATE_FIELDS, *TEXT_LENGTHS)


event_command = partial(direct_command, response_shape=EventWhole)
"""Operation of a director whose response is the event."""

EVENT_OPERATIONS: list[Operation] = [
    event_command(
        f"{CLUB}/events",
        _create_event,
        EventIn,
        name="createEvent",
        read_body=lambda call: {"body": dict(call.body)},
        build_response=reload_event,
        status=201,
        does=(creation.create_event, creation.create_once),
    ),
    event_command(
        f"{EVENT}/again",
        _copy_event,
        AgainIn,
        name="playAgain",
        build_response=reload_event,
        status=201,
        does=(make_event,),
    ),
    event_command(f"{EVENT}/start", lifecycle.start_event),
    event_command(f"{EVENT}/end", lifecycle.end_event),
    event_command(f"{EVENT}/resume", lifecycle.resume_event),
    event_command(f"{EVENT}/put-away", lifecycle.put_away_event),
    event_command(
        f"{EVENT}/tables", lifecycle.plan_tables, request_body("TablesIn", table_count=integer_field(1, 1000))
    ),
    event_command(
        f"{EVENT}/name",
        event_settings.rename_event,
        request_body("NameIn", name=text_field(max_length=80), held_on=s.DateField()),
    ),
    event_command(
        f"{EVENT}/rules",
        event_settings.change_rules,
        request_body("RulesIn", ruleset=_ruleset_field(), details=_details_field()),
        read_body=_read_rules,
    ),
    event_command(
        f"{EVENT}/match-length",
        event_settings.change_match_length,
        request_body(
            "MatchLengthIn",
            games_to_win=optional_integer_field(1, 99),
            hands=optional_integer_field(1, 999),
            minutes=optional_integer_field(1, 999),
        ),
        read_body=lambda call: {"match_format": _build_match_format(call.body)},
    ),
    event_command(
        f"{EVENT}/announcement",
        announce_event,
        AnnouncementIn,
        method="put",
        read_body=pack_fields("announcement", Announcement, ANNOUNCEMENT_FIELDS),
        read_current=read_fields(lambda call: call.event.announcement, ANNOUNCEMENT_FIELDS),
    ),
    event_command(
        f"{EVENT}/call-off", call_off_event, request_body("CallOffIn", reason=text_field(max_length=120, default=""))
    ),
    event_command(f"{EVENT}/reinstate", reinstate_event),
    event_command(
        f"{EVENT}/hall",
        event_settings.plan_hall,
        request_body("HallIn", per_row=integer_field(0, 999), snakes=boolean_field(default=False)),
    ),
    event_command(
        f"{EVENT}/stages", event_settings.change_stages, request_body("StagesIn", stages=typed_list(EventStage))
    ),
    event_command(
        f"{EVENT}/phases",
        event_settings.change_phase,
        request_body(
            "PhaseIn",
            stage=optional_integer_field(1, 50),
            section=text_field(max_length=40, default=""),
            since=integer_field(1, 999, default=1),
            settings=typed_object(PhaseSettings),
        ),
        read_body=_read_phase,
    ),
    event_command(
        f"{EVENT}/ranking",
        event_settings.change_ranking,
        request_body("RankingIn", ranking=typed_object(RankingRulesIn)),
        read_body=_read_ranking,
    ),
    event_command(
        f"{EVENT}/sections", event_settings.change_sections, request_body("SectionsIn", sections=SectionIn(many=True))
    ),
    event_command(
        f"{EVENT}/sign-up",
        sign_up.change_sign_up,
        request_body("SignUpIn", is_open=boolean_field(), most_entries=optional_integer_field(1, 2000)),
    ),
    event_command(f"{EVENT}/release", publishing.change_release, ReleaseIn, read_body=_read_release),
    event_command(f"{EVENT}/publish-final", publishing.publish_final),
    event_command(f"{EVENT}/unpublish-final", publishing.unpublish_final),
    direct_command(
        f"{EVENT}/history/<int:action_id>/undo",
        undo_action,
        request_body("UndoIn", may_be_undecided=boolean_field(default=False)),
        name="undoOfEvent",
    ),
    direct_command(
        f"{EVENT}/messages",
        messages.send_message,
        request_body(
            "MessageIn",
            text=text_field(),
            table=optional_integer_field(1, 9999),
            minutes=optional_integer_field(1, 999),
        ),
    ),
    direct_command(f"{EVENT}/messages/<int:number>", messages.take_back_message, method="delete"),
    help_command(f"{EVENT}/calls", messages.call_table, request_body("CallIn", table=integer_field(1, 9999))),
    help_command(f"{EVENT}/calls/<int:table>", messages.end_call, method="delete"),
    event_command(
        f"{EVENT}/fees",
        fees.change_rates,
        request_body("RatesIn", member=integer_field(0, 10**6), guest=integer_field(0, 10**6)),
        read_body=lambda call: {"rates": Rates(member=call.body["member"], guest=call.body["guest"])},
    ),
    help_command(f"{EVENT}/fees/<int:person_id>/pay", fees.pay_fee),
    direct_command(
        f"{EVENT}/fees/<int:person_id>",
        fees.record_fee,
        change_body(
            "FeeChange", paid=integer_field(0, MAX_AMOUNT), other=integer_field(0, MAX_AMOUNT, allow_null=True)
        ),
        method="put",
        read_current=_fee_now,
    ),
    direct_command(
        f"{EVENT}/door-prize",
        door_prizes.draw_door_prize,
        request_body("DoorPrizeIn", prize=text_field(default=""), seed=optional_integer_field()),
    ),
    direct_command(f"{EVENT}/door-prize", door_prizes.clear_door_prize, method="delete"),
]
