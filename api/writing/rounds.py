"""API: rounds and tables."""

from functools import partial

from rest_framework import serializers as s

from api.commands import direct_command
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
from rules import Side
from tournaments.interclub.services import team_lineups
from tournaments.rounds.services import clock, rounds, tables, team_matches

round_command = partial(direct_command, response_shape=RoundOut)
"""Operation of a director whose response is the round."""

ROUND_OPERATIONS: list[Operation] = [
    round_command(
        f"{EVENT}/rounds",
        rounds.draw_round,
        request_body(
            "DrawIn",
            seed=optional_integer_field(),
            is_play_off=boolean_field(required=False, default=False),
            plays_missed=boolean_field(required=False, default=False),
        ),
        status=201,
        resource_path=ROUND,
    ),
    round_command(f"{EVENT}/rounds/call-matches", rounds.call_matches, status=201),
    direct_command(ROUND, rounds.discard_draft, method="delete"),
    round_command(
        f"{ROUND}/publish",
        rounds.publish_round,
        request_body("PublishIn", as_drawn=boolean_field(required=False, default=False)),
    ),
    *(
        round_command(f"{ROUND}/{step}", service)
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
    round_command(f"{ROUND}/count-unfinished", tables.count_unfinished),
    round_command(
        f"{ROUND}/clock/begin", clock.begin_round, request_body("BeginIn", minutes=optional_integer_field(1, 999))
    ),
    round_command(
        f"{ROUND}/swap", tables.swap_entries, request_body("SwapIn", one=integer_field(), other=integer_field())
    ),
    round_command(
        f"{EVENT}/team-lineups",
        team_lineups.give_team_lineup,
        request_body("TeamLineupIn", team=text_field(default=""), numbers=integer_list_field()),
        resource_path=ROUND,
    ),
    round_command(
        f"{EVENT}/postponement-requests",
        team_lineups.request_postponement,
        request_body(
            "PostponementRequestIn", team=text_field(default=""), day=s.DateField(), note=text_field(default="")
        ),
        resource_path=ROUND,
    ),
    round_command(
        f"{EVENT}/postponement-requests/decline",
        team_lineups.decline_postponement,
        request_body("PostponementAnswerIn", team=text_field(default=""), answer=text_field()),
        resource_path=ROUND,
    ),
    round_command(
        f"{ROUND}/more",
        tables.seat_more,
        request_body("SeatMoreIn", one=integer_field(), other=integer_field(), table=optional_integer_field(1, 9999)),
    ),
    round_command(f"{TABLE}/hold", tables.hold_table, request_body("HoldIn", is_held=boolean_field())),
    round_command(
        f"{TABLE}/postpone",
        team_matches.postpone_match,
        request_body("PostponeIn", day=s.DateField(allow_null=True, default=None)),
    ),
    round_command(f"{TABLE}/reinstate", team_matches.reinstate_match),
    round_command(
        f"{TABLE}/forfeit",
        tables.forfeit_table,
        request_body("ForfeitIn", winner=choice_field(Side.__members__, allow_null=True)),
        read_body=lambda call: {"winner": call.body["winner"] and Side[call.body["winner"]]},
    ),
    round_command(
        f"{TABLE}/result",
        tables.adjust_table,
        request_body(
            "ResultIn",
            games=s.ListField(child=integer_field(0, 99), min_length=2, max_length=2),
            points=s.ListField(child=integer_field(-9999, 9999), min_length=2, max_length=2),
        ),
    ),
    round_command(
        f"{TABLE}/cards-count",
        tables.let_cards_count,
        request_body("CardsCountIn", may_be_undecided=boolean_field(default=False)),
    ),
]
