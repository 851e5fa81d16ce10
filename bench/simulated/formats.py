"""Settings and checks of each format.

A format without an entry is played with its default settings, and checked by the common rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.draws import FORMATS, Format

from . import stages
from .brackets import check_eliminated, check_final_places, check_match_count, check_missing_winner
from .checks import CourseCheck, RoundCheck, check_all_placed, check_fixed_sides, check_fixed_tables, check_full_sides
from .course import PlaySettings
from .free_play import (
    check_consecutive_rematches,
    check_ladder_moves,
    check_typed_tables,
    check_waiting,
    choose_free_entries,
    choose_typed_tables,
)
from .price_checks import (
    check_balanced_rotation,
    check_bye_turns,
    check_certificate,
    check_lowest_bye_score,
    check_rank_tables,
    check_repeated_partners,
    check_repeats,
)
from .schedules import (
    check_all_meet,
    check_due_rounds_placed,
    check_end,
    check_even_sides,
    check_halves,
    check_meeting_counts,
    check_no_own_club,
    check_other_clubs,
    check_team_matches,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatChecks:
    """Settings and checks of a format; ``spared`` are common checks that do not apply to it."""

    habits: PlaySettings = field(default_factory=PlaySettings)
    laws: tuple[RoundCheck, ...] = ()
    ends: tuple[CourseCheck, ...] = ()
    spared: tuple[RoundCheck, ...] = ()


_EXCLUDED_WITHOUT_BYES = (check_all_placed,)
"""Check that does not apply where waiting or finished entries are not listed."""

_BOND_CHOICES: tuple[list[str], ...] = ([], ["club"], ["family"], ["club", "family"])
_PRICE_CHOICES = {
    "target": ("slide", "fold", "adjacent", "lot"),
    "must_not": _BOND_CHOICES[:3],
    "avoid": _BOND_CHOICES,
    "apart_rounds": (1, 3),
    "rematch_after": (1, 2, 4),
    "forfeits_count": (True, False),
    "mixes_sections": (True, False),
    "criteria": (["repeats", "scores", "distance"], ["byes", "scores", "repeats"], ["sides"]),
}
_PRICE_CHECKS = FormatChecks(
    habits=PlaySettings(choices=_PRICE_CHOICES),
    laws=(check_certificate, check_bye_turns, check_repeats),
)
_BRACKET_CHECKS = FormatChecks(
    habits=PlaySettings(needs_winner=True),
    laws=(check_eliminated, check_missing_winner),
    ends=(check_end, check_final_places),
    spared=_EXCLUDED_WITHOUT_BYES,
)
_SCHEDULE_CHECKS = (check_end, check_meeting_counts)
_ODD_CHOICES = ("bye", "two_player_table")

SIMULATED_FORMATS: Mapping[str, Format] = {**FORMATS, stages.STAGES.key: stages.STAGES}
"""All simulated formats: every format, and events in stages."""

FORMAT_CHECKS: Mapping[str, FormatChecks] = {
    "swiss": replace(_PRICE_CHECKS, laws=(*_PRICE_CHECKS.laws, check_lowest_bye_score)),
    "random": _PRICE_CHECKS,
    "swiss_individual": FormatChecks(
        habits=PlaySettings(
            choices={
                "odd": _ODD_CHOICES,
                "must_not": _BOND_CHOICES[:3],
                "avoid": _BOND_CHOICES,
                "together": _BOND_CHOICES[:3],
                "mixes_sections": (True, False),
                "forfeits_count": (True, False),
            },
            max_entries=60,
        ),
        laws=(check_bye_turns, check_repeated_partners),
    ),
    "by_rank": FormatChecks(
        habits=PlaySettings(choices={"odd": _ODD_CHOICES, "avoid_repeats": (True, False)}),
        laws=(check_bye_turns, check_rank_tables),
    ),
    "rotation": FormatChecks(
        habits=PlaySettings(choices={"odd": _ODD_CHOICES, "rounds": (1, 3, 5, 7, 12)}, max_entries=60),
        laws=(check_bye_turns,),
        ends=(check_balanced_rotation,),
    ),
    "round_robin": FormatChecks(
        habits=PlaySettings(choices={"legs": (1, 2)}),
        laws=(check_due_rounds_placed,),
        ends=(*_SCHEDULE_CHECKS, check_all_meet, check_even_sides),
        spared=_EXCLUDED_WITHOUT_BYES,
    ),
    "pools": FormatChecks(
        habits=PlaySettings(choices={"legs": (1, 2), "pools": (1, 2, 3, 8)}),
        ends=(*_SCHEDULE_CHECKS, check_all_meet, check_even_sides),
        spared=_EXCLUDED_WITHOUT_BYES,
    ),
    "mitchell": FormatChecks(
        habits=PlaySettings(choices={"stays": ("even_numbers", "odd_numbers", "first_half"), "rounds": (1, 2, 5)}),
        laws=(check_due_rounds_placed,),
        ends=(*_SCHEDULE_CHECKS, check_halves),
        spared=_EXCLUDED_WITHOUT_BYES,
    ),
    "interclub": FormatChecks(
        habits=PlaySettings(
            choices={"meet": ("usual", "everyone", "by_order")}, required_troubles=frozenset(["bonds"])
        ),
        laws=(check_no_own_club,),
        spared=_EXCLUDED_WITHOUT_BYES,
    ),
    "teams": FormatChecks(
        habits=PlaySettings(choices={"boards": (2, 3, 4), "legs": (1, 2)}, required_troubles=frozenset(["bonds"])),
        laws=(check_no_own_club, check_team_matches),
        spared=_EXCLUDED_WITHOUT_BYES,
    ),
    "interclub_all": replace(
        _PRICE_CHECKS,
        habits=PlaySettings(
            choices={"rematch_after": (1, 2, 4), "mixes_sections": (True, False)},
            required_troubles=frozenset(["bonds"]),
        ),
        laws=(check_certificate, check_other_clubs),
    ),
    "knockout": replace(
        _BRACKET_CHECKS,
        habits=replace(
            _BRACKET_CHECKS.habits, choices={"places": ("winner", "third", "all"), "separate": _BOND_CHOICES}
        ),
        ends=(*_BRACKET_CHECKS.ends, check_match_count),
    ),
    "double_elimination": replace(
        _BRACKET_CHECKS,
        habits=replace(_BRACKET_CHECKS.habits, choices={"second_final": (True, False), "separate": _BOND_CHOICES}),
        ends=(*_BRACKET_CHECKS.ends, check_match_count),
    ),
    "consolation": replace(
        _BRACKET_CHECKS,
        habits=replace(_BRACKET_CHECKS.habits, choices={"feed_in": (1, 2, 3), "separate": _BOND_CHOICES}),
    ),
    "progressive": FormatChecks(
        habits=PlaySettings(choices={"first_round": ("lot", "number")}),
        laws=(check_bye_turns, check_ladder_moves),
    ),
    "progressive_individual": FormatChecks(
        habits=PlaySettings(choices={"first_round": ("lot", "number")}),
        laws=(check_bye_turns, check_ladder_moves),
    ),
    "open_tables": FormatChecks(
        habits=PlaySettings(round_settings=choose_free_entries),
        laws=(check_consecutive_rematches, check_waiting),
        spared=_EXCLUDED_WITHOUT_BYES,
    ),
    "stages": FormatChecks(
        habits=PlaySettings(
            required_choices={"plan": stages.PLANS},
            round_settings=stages.add_standings,
            needs_winner=True,
            max_entries=60,
        ),
        laws=(stages.check_qualifiers, stages.check_phase_tables),
        spared=_EXCLUDED_WITHOUT_BYES,
    ),
    "manual": FormatChecks(
        habits=PlaySettings(round_settings=choose_typed_tables),
        laws=(check_typed_tables,),
        spared=(check_full_sides, check_fixed_tables, check_fixed_sides),
    ),
}
