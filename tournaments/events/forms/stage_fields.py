"""Form fields of a stage: the settings offered for each format, and who qualifies.

Fields are named as in the refusals of ``draws.stages.parse_stage_plan``.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.draws.schedules.foursomes import BYE, TABLE_FOR_TWO

Text = str | Promise
YES, NO = "yes", "no"

MAX_ROUNDS = 99
MAX_ENTRIES = 10_000


@dataclass(frozen=True, slots=True)
class StageField:
    """A setting of a stage: a number, one of its ``options``, any of them if ``is_several``, or a text if
    ``is_text``.

    A number is at most ``most``. ``options`` are the values stored in the stage, with their labels; the usual one
    comes first. ``other_paths`` are other paths in the stage that store the same value. A field that
    ``is_advanced`` is hidden while it has its usual value.
    """

    name: str
    label: Text
    _: KW_ONLY
    help: Text = ""
    options: Mapping[Any, Text] = field(default_factory=dict)
    is_several: bool = False
    most: int = MAX_ROUNDS
    other_paths: tuple[str, ...] = ()
    is_advanced: bool = False
    is_text: bool = False

    @property
    def usual(self) -> Any:
        """Value when the stage does not set it."""
        if self.is_several:
            return []
        if self.is_text:
            return ""
        return next(iter(self.options), None)

    @property
    def values_by_text(self) -> dict[str, Any]:
        """Values of the options, by their text in the form field."""
        return {(YES if value else NO) if isinstance(value, bool) else str(value): value for value in self.options}


ROUNDS = StageField("rounds", _("Rounds"), help=_("Leave empty for no fixed number."))
ROTATION_ROUNDS = StageField(
    "rounds",
    _("Rounds"),
    help=_("To partner everybody: players minus 1. Leave empty for no fixed number."),
    other_paths=("settings.rounds",),
)
TARGET = StageField(
    "settings.target",
    _("Among entries with equal wins"),
    options={
        "slide": _("Upper half against lower half"),
        "fold": _("First against last"),
        "adjacent": _("Neighbouring ranks"),
        "lot": _("At random"),
    },
    is_advanced=True,
)
REMATCH_AFTER = StageField(
    "settings.rematch_after", _("Rounds before a rematch"), help=_("Leave empty to avoid rematches."), is_advanced=True
)
ACCELERATED_ROUNDS = StageField(
    "settings.accelerated_rounds",
    _("Accelerated rounds"),
    help=_(
        "For many ranked entries: the upper half starts one win ahead, usually for half the "
        "rounds. Leave empty for none."
    ),
    is_advanced=True,
)
MUST_NOT = StageField(
    "settings.must_not",
    _("Do not pair"),
    help=_("Otherwise, they meet only if it is unavoidable."),
    options={"club": _("Same club"), "family": _("Same family"), "carpool": _("Same car")},
    is_several=True,
    is_advanced=True,
)
APART_ROUNDS = StageField(
    "settings.apart_rounds",
    _("Rounds that keep clubs, families and cars apart"),
    help=_("Leave empty for all rounds."),
    is_advanced=True,
)
MIXED_SECTIONS = StageField(
    "settings.mixes_sections",
    _("Sections"),
    options={False: _("Play separately"), True: _("Play together")},
    is_advanced=True,
)
ODD_ENTRIES = StageField(
    "settings.odd",
    _("If two people are left over"),
    options={BYE: _("Both get a bye"), TABLE_FOR_TWO: _("One-on-one match")},
)
AVOID_REPEATS = StageField(
    "settings.avoid_repeats",
    _("Partners at a table"),
    options={False: _("1st and 4th against 2nd and 3rd"), True: _("Least frequent partners")},
    is_advanced=True,
)
LEGS = StageField("settings.legs", _("Everybody meets everybody"), options={1: _("Once"), 2: _("Twice")})
LEAVERS = StageField(
    "settings.leavers",
    _("If an entry leaves before half of its matches"),
    options={"keep": _("Its results count"), "annul": _("Its results are annulled")},
    is_advanced=True,
)
POOLS = StageField("settings.pools", _("Number of pools"), most=500)
POOL_SIZE = StageField(
    "settings.pool_size",
    _("Entries per pool"),
    help=_("Or one fewer. Leave both empty for pools of four."),
    most=MAX_ENTRIES,
)
PLACES = StageField(
    "settings.places",
    _("Places played for"),
    options={"winner": _("First place"), "third": _("First and third places"), "all": _("Every place")},
)
SEPARATE = StageField(
    "settings.separate",
    _("Keep apart as long as possible"),
    options={"pool": _("Same pool"), "club": _("Same club"), "family": _("Same family"), "carpool": _("Same car")},
    is_several=True,
    is_advanced=True,
)
SECOND_FINAL = StageField(
    "settings.second_final",
    _("If the unbeaten side loses the final"),
    options={True: _("Play a second final"), False: _("The final decides")},
    is_advanced=True,
)
FEED_IN = StageField("settings.feed_in", _("First rounds whose losers join group B"), help=_("Usually 1."), most=20)
FIRST_ROUND = StageField(
    "settings.first_round",
    _("First round"),
    options={"lot": _("At random"), "number": _("By the starting list")},
    is_advanced=True,
)
STATIONARY_ENTRIES = StageField(
    "settings.stays",
    _("Stay at their table"),
    options={
        "even_numbers": _("Even starting numbers"),
        "odd_numbers": _("Odd starting numbers"),
        "first_half": _("First half of the starting list"),
    },
)
CLUB_MEETINGS = StageField(
    "settings.meet",
    _("When two clubs meet"),
    options={
        "usual": _("Usual for this number of clubs"),
        "everyone": _("Everybody meets everybody"),
        "by_order": _("1st against 1st, 2nd against 2nd"),
    },
)
BOARDS = StageField(
    "settings.boards", _("Boards per team match"), help=_("Tables at which two teams meet. Leave empty for 2.")
)
TEAM_LEGS = StageField("settings.legs", _("Every two teams meet"), options={1: _("Once"), 2: _("Twice")})
TEAM_HOME = StageField(
    "settings.home",
    _("Where team matches are played"),
    options={False: _("All in one place"), True: _("Home and away")},
)
TEAM_MOVES = StageField(
    "settings.moves",
    _("Teams promoted and relegated"),
    help=_("Sections are the divisions, the highest first. Leave empty for none."),
)

FORMAT_FIELDS: Mapping[str, tuple[StageField, ...]] = {
    "swiss": (ROUNDS, TARGET, ACCELERATED_ROUNDS, REMATCH_AFTER, MUST_NOT, APART_ROUNDS, MIXED_SECTIONS),
    "random": (ROUNDS, REMATCH_AFTER, MUST_NOT, APART_ROUNDS, MIXED_SECTIONS),
    "round_robin": (LEGS, LEAVERS, MIXED_SECTIONS),
    "pools": (POOLS, POOL_SIZE, LEGS, LEAVERS),
    "knockout": (PLACES, SEPARATE),
    "double_elimination": (SECOND_FINAL, SEPARATE),
    "consolation": (FEED_IN, SEPARATE),
    "progressive": (ROUNDS, FIRST_ROUND, MIXED_SECTIONS),
    "mitchell": (ROUNDS, STATIONARY_ENTRIES),
    "interclub": (ROUNDS, CLUB_MEETINGS),
    "interclub_all": (ROUNDS, REMATCH_AFTER, MIXED_SECTIONS),
    "teams": (BOARDS, TEAM_LEGS, TEAM_HOME, TEAM_MOVES, MIXED_SECTIONS),
    "swiss_individual": (ROUNDS, ODD_ENTRIES, MUST_NOT, APART_ROUNDS, MIXED_SECTIONS),
    "rotation": (ROTATION_ROUNDS, ODD_ENTRIES, MIXED_SECTIONS),
    "by_rank": (ROUNDS, ODD_ENTRIES, AVOID_REPEATS, MIXED_SECTIONS),
    "progressive_individual": (ROUNDS, FIRST_ROUND, MIXED_SECTIONS),
}
"""Formats offered, those of fixed pairs first, each with its fields."""

PLAY_OFF = "tied"
"""Entrants of a play-off, offered only where there is one: the desk adds it."""
QUALIFICATION = StageField(
    "takes",
    _("Qualified entries"),
    options={
        "all": _("Everybody"),
        "top": _("The best (number)"),
        "pool_top": _("The best of each pool"),
        "ranked": _("Range of ranks"),
        PLAY_OFF: _("Play-off for first place (number)"),
    },
)
NAME = StageField(
    "name",
    _("Stage name"),
    help=_("For example, Gold or Consolation. Leave empty for “Final A”, “Final B”."),
    is_text=True,
)
COUNT = StageField("count", _("How many"), most=MAX_ENTRIES)
FIRST_RANK = StageField("first", _("From rank"), help=_("Leave empty for the first."), most=MAX_ENTRIES)
LAST_RANK = StageField("last", _("To rank"), help=_("Leave empty for the last."), most=MAX_ENTRIES)
QUALIFICATION_FIELDS: Mapping[str, tuple[StageField, ...]] = {
    "all": (),
    "top": (COUNT,),
    "pool_top": (COUNT, FIRST_RANK),
    "ranked": (FIRST_RANK, LAST_RANK),
    PLAY_OFF: (COUNT,),
}
"""More fields for each way to qualify."""

CARRIED_RESULTS = StageField(
    "carried",
    _("Earlier results used for pairing"),
    options={"all": _("Everything"), "among": _("Only between qualified entries"), "none": _("Nothing")},
    is_advanced=True,
)
TIMING = StageField(
    "beside", _("Timing"), options={False: _("After the previous stage"), True: _("During the previous stage")}
)


def list_player_fields(takes: str) -> tuple[StageField, ...]:
    """Return the fields about who plays in a stage after the first one."""
    return (NAME, QUALIFICATION, *QUALIFICATION_FIELDS.get(takes, ()), CARRIED_RESULTS, TIMING)
