"""API: rounds and tables."""

from rest_framework import serializers as s

from api.commands import command
from api.fields import body, maybe_number, number, one_of, yes_no
from api.operation import Operation
from api.paths import EVENT, ROUND, TABLE
from api.shapes.rounds import RoundOut
from clubs.policy import Permission
from rules import Side
from tournaments.rounds.services import clock, rounds, tables

DIRECT = Permission.DIRECT

OF_ROUNDS: list[Operation] = [
    command(
        f"{EVENT}/rounds",
        rounds.draw_round,
        DIRECT,
        takes=body("DrawIn", seed=maybe_number()),
        gives=RoundOut,
        status=201,
    ),
    command(ROUND, rounds.discard_draft, DIRECT, method="delete"),
    command(
        f"{ROUND}/publish",
        rounds.publish_round,
        DIRECT,
        takes=body("PublishIn", as_drawn=yes_no(required=False, default=False)),
        gives=RoundOut,
    ),
    *(
        command(f"{ROUND}/{step}", service, DIRECT, gives=RoundOut)
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
    command(f"{ROUND}/count-unfinished", tables.count_unfinished, DIRECT, gives=RoundOut),
    command(
        f"{ROUND}/clock/begin",
        clock.begin_round,
        DIRECT,
        takes=body("BeginIn", minutes=maybe_number(1, 999)),
        gives=RoundOut,
    ),
    command(
        f"{ROUND}/swap",
        tables.swap_entries,
        DIRECT,
        takes=body("SwapIn", one=number(), other=number()),
        gives=RoundOut,
    ),
    command(
        f"{ROUND}/more",
        tables.seat_more,
        DIRECT,
        gives=RoundOut,
        takes=body("SeatMoreIn", one=number(), other=number(), table=maybe_number(1, 9999)),
    ),
    command(
        f"{TABLE}/hold", tables.hold_table, DIRECT, takes=body("HoldIn", is_held=yes_no()), gives=RoundOut
    ),
    command(
        f"{TABLE}/forfeit",
        tables.forfeit_table,
        DIRECT,
        gives=RoundOut,
        takes=body("ForfeitIn", winner=one_of(Side.__members__, allow_null=True)),
        reads=lambda call: {"winner": call.body["winner"] and Side[call.body["winner"]]},
    ),
    command(
        f"{TABLE}/result",
        tables.adjust_table,
        DIRECT,
        gives=RoundOut,
        takes=body(
            "ResultIn",
            games=s.ListField(child=number(0, 99), min_length=2, max_length=2),
            points=s.ListField(child=number(-9999, 9999), min_length=2, max_length=2),
        ),
    ),
    command(
        f"{TABLE}/cards-count",
        tables.let_cards_count,
        DIRECT,
        takes=body("CardsCountIn", may_be_undecided=yes_no(default=False)),
        gives=RoundOut,
    ),
]
