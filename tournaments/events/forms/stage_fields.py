"""Form fields of a stage: the settings offered for each format, and who qualifies.

Fields are named as in the refusals of ``draws.stages.parse_stage_plan``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.draws.schedules.foursomes import BYE, TABLE_FOR_TWO

Text = str | Promise
YES, NO = "yes", "no"

MAX_ROUNDS = 99
MAX_ENTRIES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class StageOption:
    """An option: the ``value`` stored in the stage, and its label in the form."""

    value: Any
    label: Text

    @property
    def text(self) -> str:
        """Value of the option in the form field."""
        if isinstance(self.value, bool):
            return YES if self.value else NO
        return str(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageField:
    """A setting of a stage: a number, one of its ``options``, any of them if ``is_several``, or a text if
    ``is_text``.

    A number is at most ``most``; the usual option comes first. ``other_paths`` are other paths in the stage that
    store the same value. A field that ``is_advanced`` is hidden while it has its usual value.
    """

    name: str
    label: Text
    help: Text = ""
    options: tuple[StageOption, ...] = ()
    is_several: bool = False
    most: int = 0
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
        return self.options[0].value if self.options else None


ROUNDS = StageField(
    name="rounds",
    label=_("Rounds"),
    help=_("Leave empty for no fixed number."),
    most=MAX_ROUNDS,
)
ROTATION_ROUNDS = StageField(
    name="rounds",
    label=_("Rounds"),
    help=_("To partner everybody: players minus 1. Leave empty for no fixed number."),
    most=MAX_ROUNDS,
    other_paths=("settings.rounds",),
)
TARGET = StageField(
    name="settings.target",
    label=_("Among entries with equal wins"),
    options=(
        StageOption(value="slide", label=_("Upper half against lower half")),
        StageOption(value="fold", label=_("First against last")),
        StageOption(value="adjacent", label=_("Neighbouring ranks")),
        StageOption(value="lot", label=_("At random")),
    ),
    is_advanced=True,
)
REMATCH_AFTER = StageField(
    name="settings.rematch_after",
    label=_("Rounds before a rematch"),
    help=_("Leave empty to avoid rematches."),
    most=MAX_ROUNDS,
    is_advanced=True,
)
ACCELERATED_ROUNDS = StageField(
    name="settings.accelerated_rounds",
    label=_("Accelerated rounds"),
    help=_(
        "For many ranked entries: the upper half starts one win ahead, usually for half the "
        "rounds. Leave empty for none."
    ),
    most=MAX_ROUNDS,
    is_advanced=True,
)
MUST_NOT = StageField(
    name="settings.must_not",
    label=_("Do not pair"),
    help=_("Otherwise, they meet only if it is unavoidable."),
    options=(
        StageOption(value="club", label=_("Same club")),
        StageOption(value="family", label=_("Same family")),
        StageOption(value="carpool", label=_("Same car")),
    ),
    is_several=True,
    is_advanced=True,
)
APART_ROUNDS = StageField(
    name="settings.apart_rounds",
    label=_("Rounds that keep clubs, families and cars apart"),
    help=_("Leave empty for all rounds."),
    most=MAX_ROUNDS,
    is_advanced=True,
)
MIXED_SECTIONS = StageField(
    name="settings.mixes_sections",
    label=_("Sections"),
    options=(
        StageOption(value=False, label=_("Play separately")),
        StageOption(value=True, label=_("Play together")),
    ),
    is_advanced=True,
)
ODD_ENTRIES = StageField(
    name="settings.odd",
    label=_("If two people are left over"),
    options=(
        StageOption(value=BYE, label=_("Both get a bye")),
        StageOption(value=TABLE_FOR_TWO, label=_("One-on-one match")),
    ),
)
AVOID_REPEATS = StageField(
    name="settings.avoid_repeats",
    label=_("Partners at a table"),
    options=(
        StageOption(value=False, label=_("1st and 4th against 2nd and 3rd")),
        StageOption(value=True, label=_("Least frequent partners")),
    ),
    is_advanced=True,
)
LEGS = StageField(
    name="settings.legs",
    label=_("Everybody meets everybody"),
    options=(StageOption(value=1, label=_("Once")), StageOption(value=2, label=_("Twice"))),
)
LEAVERS = StageField(
    name="settings.leavers",
    label=_("If an entry leaves before half of its matches"),
    options=(
        StageOption(value="keep", label=_("Its results count")),
        StageOption(value="annul", label=_("Its results are annulled")),
    ),
    is_advanced=True,
)
POOLS = StageField(name="settings.pools", label=_("Number of pools"), most=500)
POOL_SIZE = StageField(
    name="settings.pool_size",
    label=_("Entries per pool"),
    help=_("Or one fewer. Leave both empty for pools of four."),
    most=MAX_ENTRIES,
)
PLACES = StageField(
    name="settings.places",
    label=_("Places played for"),
    options=(
        StageOption(value="winner", label=_("First place")),
        StageOption(value="third", label=_("First and third places")),
        StageOption(value="all", label=_("Every place")),
    ),
)
SEPARATE = StageField(
    name="settings.separate",
    label=_("Keep apart as long as possible"),
    options=(
        StageOption(value="pool", label=_("Same pool")),
        StageOption(value="club", label=_("Same club")),
        StageOption(value="family", label=_("Same family")),
        StageOption(value="carpool", label=_("Same car")),
    ),
    is_several=True,
    is_advanced=True,
)
SECOND_FINAL = StageField(
    name="settings.second_final",
    label=_("If the unbeaten side loses the final"),
    options=(
        StageOption(value=True, label=_("Play a second final")),
        StageOption(value=False, label=_("The final decides")),
    ),
    is_advanced=True,
)
FEED_IN = StageField(
    name="settings.feed_in",
    label=_("First rounds whose losers join group B"),
    help=_("Usually 1."),
    most=20,
)
FIRST_ROUND = StageField(
    name="settings.first_round",
    label=_("First round"),
    options=(
        StageOption(value="lot", label=_("At random")),
        StageOption(value="number", label=_("By the starting list")),
    ),
    is_advanced=True,
)
STATIONARY_ENTRIES = StageField(
    name="settings.stays",
    label=_("Stay at their table"),
    options=(
        StageOption(value="even_numbers", label=_("Even starting numbers")),
        StageOption(value="odd_numbers", label=_("Odd starting numbers")),
        StageOption(value="first_half", label=_("First half of the starting list")),
    ),
)
CLUB_MEETINGS = StageField(
    name="settings.meet",
    label=_("When two clubs meet"),
    options=(
        StageOption(value="usual", label=_("Usual for this number of clubs")),
        StageOption(value="everyone", label=_("Everybody meets everybody")),
        StageOption(value="by_order", label=_("1st against 1st, 2nd against 2nd")),
    ),
)
BOARDS = StageField(
    name="settings.boards",
    label=_("Boards per team match"),
    help=_("Tables at which two teams meet. Leave empty for 2."),
    most=MAX_ROUNDS,
)
TEAM_LEGS = StageField(
    name="settings.legs",
    label=_("Every two teams meet"),
    options=(StageOption(value=1, label=_("Once")), StageOption(value=2, label=_("Twice"))),
)
TEAM_HOME = StageField(
    name="settings.home",
    label=_("Where team matches are played"),
    options=(
        StageOption(value=False, label=_("All in one place")),
        StageOption(value=True, label=_("Home and away")),
    ),
)
TEAM_MOVES = StageField(
    name="settings.moves",
    label=_("Teams promoted and relegated"),
    help=_("Sections are the divisions, the highest first. Leave empty for none."),
    most=MAX_ROUNDS,
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
    name="takes",
    label=_("Qualified entries"),
    options=(
        StageOption(value="all", label=_("Everybody")),
        StageOption(value="top", label=_("The best (number)")),
        StageOption(value="pool_top", label=_("The best of each pool")),
        StageOption(value="ranked", label=_("Range of ranks")),
        StageOption(value=PLAY_OFF, label=_("Play-off for first place (number)")),
    ),
)
NAME = StageField(
    name="name",
    label=_("Stage name"),
    help=_("For example, Gold or Consolation. Leave empty for “Final A”, “Final B”."),
    is_text=True,
)
COUNT = StageField(name="count", label=_("How many"), most=MAX_ENTRIES)
FIRST_RANK = StageField(name="first", label=_("From rank"), help=_("Leave empty for the first."), most=MAX_ENTRIES)
LAST_RANK = StageField(name="last", label=_("To rank"), help=_("Leave empty for the last."), most=MAX_ENTRIES)
QUALIFICATION_FIELDS: Mapping[str, tuple[StageField, ...]] = {
    "all": (),
    "top": (COUNT,),
    "pool_top": (COUNT, FIRST_RANK),
    "ranked": (FIRST_RANK, LAST_RANK),
    PLAY_OFF: (COUNT,),
}
"""More fields for each way to qualify."""

CARRIED_RESULTS = StageField(
    name="carried",
    label=_("Earlier results used for pairing"),
    options=(
        StageOption(value="all", label=_("Everything")),
        StageOption(value="among", label=_("Only between qualified entries")),
        StageOption(value="none", label=_("Nothing")),
    ),
    is_advanced=True,
)
TIMING = StageField(
    name="beside",
    label=_("Timing"),
    options=(
        StageOption(value=False, label=_("After the previous stage")),
        StageOption(value=True, label=_("During the previous stage")),
    ),
)


def list_player_fields(takes: str) -> tuple[StageField, ...]:
    """Return the fields about who plays in a stage after the first one."""
    return (NAME, QUALIFICATION, *QUALIFICATION_FIELDS.get(takes, ()), CARRIED_RESULTS, TIMING)
