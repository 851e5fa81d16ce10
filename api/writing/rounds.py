"""API: rounds and tables."""

from rest_framework import serializers as s

from api.commands import command
from api.fields import (
    boolean_field,
    choice_field,
    integer_field,
    integer_list_field,
    optional_integer_field,
    request_body,
    text_field,
)
from api.operation import Operation
from api.paths import EVENT, ROUND, TABLE
from api.shapes.rounds import RoundOut
from clubs.policy import Permission
from rules import Side
from tournaments.rounds.services import clock, postponements, rounds, tables, team_lineups

DIRECT = Permission.DIRECT

ROUND_OPERATIONS: list[Operation] = [
    command(
        f"{EVENT}/rounds",
        rounds.draw_round,
        DIRECT,
        request_shape=request_body(
            "DrawIn", seed=optional_integer_field(), is_play_off=boolean_field(required=False, default=False)
        ),
        response_shape=RoundOut,
        status=201,
        resource_path=ROUND,
    ),
    command(f"{EVENT}/rounds/call-matches", rounds.call_matches, DIRECT, response_shape=RoundOut, status=201),
    command(ROUND, rounds.discard_draft, DIRECT, method="delete"),
    command(
        f"{ROUND}/publish",
        rounds.publish_round,
        DIRECT,
        request_shape=request_body("PublishIn", as_drawn=boolean_field(required=False, default=False)),
        response_shape=RoundOut,
    ),
    *(
        command(f"{ROUND}/{step}", service, DIRECT, response_shape=RoundOut)
        for step, service in {
            "unpublish": rounds.unpublish_round,
            "hold": rounds.hold_round,
            "close": rounds.close_round,
            "reopen": rounds.reopen_round,
            "clock/pause": clock.pause_clock,
            "clock/resume": clock.resume_clock,
            "clock/more-minutes": clock.add_minutes,
            "clock/last-hand": clock.call_last_hand,
            "clock/more-hands": clock.take_back_last_hand,
        }.items()
    ),
    command(f"{ROUND}/count-unfinished", tables.count_unfinished, DIRECT, response_shape=RoundOut),
    command(
        f"{ROUND}/clock/begin",
        clock.begin_round,
        DIRECT,
        request_shape=request_body("BeginIn", minutes=optional_integer_field(1, 999)),
        response_shape=RoundOut,
    ),
    command(
        f"{ROUND}/swap",
        tables.swap_entries,
        DIRECT,
        request_shape=request_body("SwapIn", one=integer_field(), other=integer_field()),
        response_shape=RoundOut,
    ),
    command(
        f"{EVENT}/team-lineups",
        team_lineups.give_team_lineup,
        DIRECT,
        request_shape=request_body("TeamLineupIn", team=text_field(default=""), numbers=integer_list_field()),
        response_shape=RoundOut,
        resource_path=ROUND,
    ),
    command(
        f"{ROUND}/more",
        tables.seat_more,
        DIRECT,
        response_shape=RoundOut,
        request_shape=request_body(
            "SeatMoreIn", one=integer_field(), other=integer_field(), table=optional_integer_field(1, 9999)
        ),
    ),
    command(
        f"{TABLE}/hold",
        tables.hold_table,
        DIRECT,
        request_shape=request_body("HoldIn", is_held=boolean_field()),
        response_shape=RoundOut,
    ),
    command(
        f"{TABLE}/postpone",
        postponements.postpone_match,
        DIRECT,
        request_shape=request_body("PostponeIn", day=s.DateField(allow_null=True, default=None)),
        response_shape=RoundOut,
    ),
    command(f"{TABLE}/reinstate", postponements.reinstate_match, DIRECT, response_shape=RoundOut),
    command(
        f"{TABLE}/forfeit",
        tables.forfeit_table,
        DIRECT,
        response_shape=RoundOut,
        request_shape=request_body("ForfeitIn", winner=choice_field(Side.__members__, allow_null=True)),
        read_body=lambda call: {"winner": call.body["winner"] and Side[call.body["winner"]]},
    ),
    command(
        f"{TABLE}/result",
        tables.adjust_table,
        DIRECT,
        response_shape=RoundOut,
        request_shape=request_body(
            "ResultIn",
            games=s.ListField(child=integer_field(0, 99), min_length=2, max_length=2),
            points=s.ListField(child=integer_field(-9999, 9999), min_length=2, max_length=2),
        ),
    ),
    command(
        f"{TABLE}/cards-count",
        tables.let_cards_count,
        DIRECT,
        request_shape=request_body("CardsCountIn", may_be_undecided=boolean_field(default=False)),
        response_shape=RoundOut,
    ),
]
