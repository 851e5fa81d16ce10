"""What belongs to one format alone: values for its settings, and its own laws.

One entry a format; a format without one is played with its usual settings, by the laws of all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.draws import FORMATS, Format

from . import stages
from .brackets import (
    an_undecided_match_is_asked_for,
    as_many_matches_as_losers,
    everybody_has_a_place_in_the_end,
    who_is_out_plays_no_more,
)
from .by_price import (
    a_whole_rotation_is_balanced,
    nobody_has_a_partner_again_without_need,
    nobody_meets_again_without_need,
    nobody_sits_out_above_the_lowest,
    nobody_sits_out_before_their_turn,
    ranks_make_the_tables,
    the_proof_holds,
)
from .course import Habits
from .free_play import (
    at_most_one_waits,
    nobody_plays_the_same_two_in_a_row,
    tables_are_as_typed,
    typed,
    who_is_free,
    winners_go_up_and_losers_down,
)
from .laws import (
    CourseLaw,
    RoundLaw,
    everybody_present_has_a_place,
    sides_are_full,
    who_cannot_change_tables_does_not,
    who_needs_a_side_has_it,
)
from .schedules import (
    clubs_meet_other_clubs,
    everybody_has_a_place_while_it_lasts,
    everybody_meets_everybody,
    everybody_plays_other_clubs,
    halves_meet_once,
    nobody_meets_more_often_than_scheduled,
    sides_come_out_even,
    stops_in_time,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """What belongs to a format; ``spared`` are laws of all that are not for it."""

    habits: Habits = field(default_factory=Habits)
    laws: tuple[RoundLaw, ...] = ()
    ends: tuple[CourseLaw, ...] = ()
    spared: tuple[RoundLaw, ...] = ()


_WITHOUT_BYES = (everybody_present_has_a_place,)
"""Where who waits, or has nothing left to play, is not told so."""

_BONDS: tuple[list[str], ...] = ([], ["club"], ["family"], ["club", "family"])
_PRICED = {
    "target": ("slide", "fold", "adjacent", "lot"),
    "must_not": _BONDS[:3],
    "avoid": _BONDS,
    "apart_rounds": (1, 3),
    "rematch_after": (1, 2, 4),
    "forfeits_count": (True, False),
    "mixes_sections": (True, False),
    "criteria": (["repeats", "scores", "distance"], ["byes", "scores", "repeats"], ["sides"]),
}
_BY_PRICE = Own(
    habits=Habits(choices=_PRICED),
    laws=(the_proof_holds, nobody_sits_out_before_their_turn, nobody_meets_again_without_need),
)
_BRACKET = Own(
    habits=Habits(needs_winner=True),
    laws=(who_is_out_plays_no_more, an_undecided_match_is_asked_for),
    ends=(stops_in_time, everybody_has_a_place_in_the_end),
    spared=_WITHOUT_BYES,
)
_SCHEDULED = (stops_in_time, nobody_meets_more_often_than_scheduled)
_ODD = ("bye", "two_player_table")

PLAYED: Mapping[str, Format] = {**FORMATS, stages.STAGES.key: stages.STAGES}
"""All that is played: every format, and events in stages."""

OWN: Mapping[str, Own] = {
    "swiss": replace(_BY_PRICE, laws=(*_BY_PRICE.laws, nobody_sits_out_above_the_lowest)),
    "random": _BY_PRICE,
    "swiss_individual": Own(
        habits=Habits(
            choices={
                "odd": _ODD,
                "must_not": _BONDS[:3],
                "avoid": _BONDS,
                "together": _BONDS[:3],
                "mixes_sections": (True, False),
                "forfeits_count": (True, False),
            },
            most=60,
        ),
        laws=(nobody_sits_out_before_their_turn, nobody_has_a_partner_again_without_need),
    ),
    "by_rank": Own(
        habits=Habits(choices={"odd": _ODD, "avoid_repeats": (True, False)}),
        laws=(nobody_sits_out_before_their_turn, ranks_make_the_tables),
    ),
    "rotation": Own(
        habits=Habits(choices={"odd": _ODD, "rounds": (1, 3, 5, 7, 12)}, most=60),
        laws=(nobody_sits_out_before_their_turn,),
        ends=(a_whole_rotation_is_balanced,),
    ),
    "round_robin": Own(
        habits=Habits(choices={"legs": (1, 2)}),
        laws=(everybody_has_a_place_while_it_lasts,),
        ends=(*_SCHEDULED, everybody_meets_everybody, sides_come_out_even),
        spared=_WITHOUT_BYES,
    ),
    "pools": Own(
        habits=Habits(choices={"legs": (1, 2), "pools": (1, 2, 3, 8)}),
        ends=(*_SCHEDULED, everybody_meets_everybody, sides_come_out_even),
        spared=_WITHOUT_BYES,
    ),
    "mitchell": Own(
        habits=Habits(choices={"stays": ("even_numbers", "odd_numbers", "first_half"), "rounds": (1, 2, 5)}),
        laws=(everybody_has_a_place_while_it_lasts,),
        ends=(*_SCHEDULED, halves_meet_once),
        spared=_WITHOUT_BYES,
    ),
    "interclub": Own(
        habits=Habits(choices={"meet": ("usual", "everyone", "by_order")}, always=frozenset(["bonds"])),
        laws=(clubs_meet_other_clubs,),
        spared=_WITHOUT_BYES,
    ),
    "interclub_all": replace(
        _BY_PRICE,
        habits=Habits(
            choices={"rematch_after": (1, 2, 4), "mixes_sections": (True, False)}, always=frozenset(["bonds"])
        ),
        laws=(the_proof_holds, everybody_plays_other_clubs),
    ),
    "knockout": replace(
        _BRACKET,
        habits=replace(_BRACKET.habits, choices={"places": ("winner", "third", "all"), "separate": _BONDS}),
        ends=(*_BRACKET.ends, as_many_matches_as_losers),
    ),
    "double_elimination": replace(
        _BRACKET,
        habits=replace(_BRACKET.habits, choices={"second_final": (True, False), "separate": _BONDS}),
        ends=(*_BRACKET.ends, as_many_matches_as_losers),
    ),
    "consolation": replace(
        _BRACKET, habits=replace(_BRACKET.habits, choices={"feed_in": (1, 2, 3), "separate": _BONDS})
    ),
    "progressive": Own(
        habits=Habits(choices={"first_round": ("lot", "number")}),
        laws=(nobody_sits_out_before_their_turn, winners_go_up_and_losers_down),
    ),
    "progressive_individual": Own(
        habits=Habits(choices={"first_round": ("lot", "number")}),
        laws=(nobody_sits_out_before_their_turn, winners_go_up_and_losers_down),
    ),
    "open_tables": Own(
        habits=Habits(each_round=who_is_free),
        laws=(nobody_plays_the_same_two_in_a_row, at_most_one_waits),
        spared=_WITHOUT_BYES,
    ),
    "stages": Own(
        habits=Habits(
            required={"plan": stages.PLANS},
            each_round=stages.with_standings,
            needs_winner=True,
            most=60,
        ),
        laws=(stages.who_goes_on_is_among_the_best,),
        spared=_WITHOUT_BYES,
    ),
    "manual": Own(
        habits=Habits(each_round=typed),
        laws=(tables_are_as_typed,),
        spared=(sides_are_full, who_cannot_change_tables_does_not, who_needs_a_side_has_it),
    ),
}
