"""The fields of a stage: what a volunteer may set of each format, and who goes on to a stage.

One table: a format, and the fields that are offered for it. A field is named as ``draws.stages.stage_plan``
names it in its refusals.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = str | Promise
YES, NO = "yes", "no"

MOST_ROUNDS = 99
MOST_ENTRIES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class StageOption:
    """An answer to choose: the plain ``value`` that the stage keeps, and what the form calls it."""

    value: Any
    label: Text

    @property
    def text(self) -> str:
        """What the field holds."""
        if isinstance(self.value, bool):
            return YES if self.value else NO
        return str(self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class StageField:
    """One thing to set of a stage: a number up to ``most``; one of its ``options``, the usual one first; or
    any of them, where ``is_several``.

    ``also`` are other places of the stage that hold the same value. What ``is_rare`` is out of sight while it
    is as usual.
    """

    name: str
    label: Text
    help: Text = ""
    options: tuple[StageOption, ...] = ()
    is_several: bool = False
    most: int = 0
    also: tuple[str, ...] = ()
    is_rare: bool = False

    @property
    def usual(self) -> Any:
        """What it is where the stage says nothing."""
        if self.is_several:
            return []
        return self.options[0].value if self.options else None


ROUNDS = StageField(
    name="rounds",
    label=_("Rounds"),
    help=_("Empty: as many as there are, or as you like."),
    most=MOST_ROUNDS,
)
ROTATION_ROUNDS = StageField(
    name="rounds",
    label=_("Rounds"),
    help=_("One fewer than there are people: everybody partners everybody. Empty: as many as you like."),
    most=MOST_ROUNDS,
    also=("settings.rounds",),
)
TARGET = StageField(
    name="settings.target",
    label=_("Among those with as many wins"),
    options=(
        StageOption(value="slide", label=_("The upper half meets the lower half")),
        StageOption(value="fold", label=_("The first meets the last")),
        StageOption(value="adjacent", label=_("Neighbours meet")),
        StageOption(value="lot", label=_("By lot")),
    ),
    is_rare=True,
)
AGAIN = StageField(
    name="settings.rematch_after",
    label=_("May meet again after so many rounds"),
    help=_("Empty: never, while that is possible."),
    most=MOST_ROUNDS,
    is_rare=True,
)
ACCELERATED = StageField(
    name="settings.accelerated_rounds",
    label=_("Accelerated rounds"),
    help=_(
        "For a large field whose list goes by strength: at first, the upper half has a head start of a win. "
        "Usually half of the rounds. Empty: none. Of a list as it was entered, nobody has a head start."
    ),
    most=MOST_ROUNDS,
    is_rare=True,
)
MUST_NOT = StageField(
    name="settings.must_not",
    label=_("Do not meet"),
    help=_("The others of one club, family or car meet only where it cannot be helped."),
    options=(
        StageOption(value="club", label=_("Those of one club")),
        StageOption(value="family", label=_("Those of one family")),
        StageOption(value="carpool", label=_("Those of one car")),
    ),
    is_several=True,
    is_rare=True,
)
APART_ROUNDS = StageField(
    name="settings.apart_rounds",
    label=_("Clubs, families and cars apart in the first so many rounds"),
    help=_("Empty: in all."),
    most=MOST_ROUNDS,
    is_rare=True,
)
MIXES = StageField(
    name="settings.mixes_sections",
    label=_("Sections"),
    options=(
        StageOption(value=False, label=_("Each plays among itself")),
        StageOption(value=True, label=_("They play one another")),
    ),
    is_rare=True,
)
ODD = StageField(
    name="settings.odd",
    label=_("Two people are left over"),
    options=(
        StageOption(value="bye", label=_("They sit out")),
        StageOption(value="two_player_table", label=_("They play one against one")),
    ),
)
AVOID_REPEATS = StageField(
    name="settings.avoid_repeats",
    label=_("Partners at a table"),
    options=(
        StageOption(value=False, label=_("First and fourth against second and third")),
        StageOption(value=True, label=_("Whoever has partnered least")),
    ),
    is_rare=True,
)
LEGS = StageField(
    name="settings.legs",
    label=_("Everybody meets everybody"),
    options=(StageOption(value=1, label=_("Once")), StageOption(value=2, label=_("Twice"))),
)
POOLS = StageField(name="settings.pools", label=_("How many pools"), most=500)
POOL_SIZE = StageField(
    name="settings.pool_size",
    label=_("Entries in a pool"),
    help=_("So many, or one fewer. Both empty: pools of four."),
    most=MOST_ENTRIES,
)
PLACES = StageField(
    name="settings.places",
    label=_("Played out"),
    options=(
        StageOption(value="winner", label=_("First place")),
        StageOption(value="third", label=_("First and third place")),
        StageOption(value="all", label=_("Every place")),
    ),
)
SEPARATE = StageField(
    name="settings.separate",
    label=_("Do not meet in the first round"),
    options=(
        StageOption(value="pool", label=_("Those of one pool")),
        StageOption(value="club", label=_("Those of one club")),
        StageOption(value="family", label=_("Those of one family")),
        StageOption(value="carpool", label=_("Those of one car")),
    ),
    is_several=True,
    is_rare=True,
)
SECOND_FINAL = StageField(
    name="settings.second_final",
    label=_("If the unbeaten one loses the final"),
    options=(
        StageOption(value=True, label=_("They play a second one")),
        StageOption(value=False, label=_("The final decides")),
    ),
    is_rare=True,
)
FEED_IN = StageField(
    name="settings.feed_in",
    label=_("Who loses in the first so many rounds goes on in group B"),
    help=_("Usually 1."),
    most=20,
)
FIRST_ROUND = StageField(
    name="settings.first_round",
    label=_("The first round"),
    options=(
        StageOption(value="lot", label=_("By lot")),
        StageOption(value="number", label=_("By the starting list")),
    ),
    is_rare=True,
)
STAYS = StageField(
    name="settings.stays",
    label=_("Who stays at the table"),
    options=(
        StageOption(value="even_numbers", label=_("Even numbers of the starting list")),
        StageOption(value="odd_numbers", label=_("Odd numbers of the starting list")),
        StageOption(value="first_half", label=_("The first half of the starting list")),
    ),
)
MEET = StageField(
    name="settings.meet",
    label=_("When two clubs meet"),
    options=(
        StageOption(value="usual", label=_("As is usual for so many clubs")),
        StageOption(value="everyone", label=_("All of one play all of the other")),
        StageOption(value="by_order", label=_("First against first, second against second")),
    ),
)

FORMAT_FIELDS: Mapping[str, tuple[StageField, ...]] = {
    "swiss": (ROUNDS, TARGET, ACCELERATED, AGAIN, MUST_NOT, APART_ROUNDS, MIXES),
    "random": (ROUNDS, AGAIN, MUST_NOT, APART_ROUNDS, MIXES),
    "round_robin": (LEGS,),
    "pools": (POOLS, POOL_SIZE, LEGS),
    "knockout": (PLACES, SEPARATE),
    "double_elimination": (SECOND_FINAL,),
    "consolation": (FEED_IN,),
    "progressive": (ROUNDS, FIRST_ROUND),
    "mitchell": (ROUNDS, STAYS),
    "interclub": (ROUNDS, MEET),
    "swiss_individual": (ROUNDS, ODD, MUST_NOT, APART_ROUNDS, MIXES),
    "rotation": (ROTATION_ROUNDS, ODD),
    "by_rank": (ROUNDS, ODD, AVOID_REPEATS),
    "progressive_individual": (ROUNDS, FIRST_ROUND),
}
"""The formats that are offered, those of fixed pairs first, each with its fields."""

TAKES = StageField(
    name="takes",
    label=_("Who plays in it"),
    options=(
        StageOption(value="all", label=_("Everybody")),
        StageOption(value="top", label=_("The best so many")),
        StageOption(value="pool_top", label=_("The best of each pool")),
        StageOption(value="ranked", label=_("From one rank to another")),
    ),
)
COUNT = StageField(name="count", label=_("How many"), most=MOST_ENTRIES)
FIRST = StageField(name="first", label=_("From rank"), help=_("Empty: from the first."), most=MOST_ENTRIES)
LAST = StageField(name="last", label=_("To rank"), help=_("Empty: to the last."), most=MOST_ENTRIES)
TAKES_FIELDS: Mapping[str, tuple[StageField, ...]] = {
    "all": (),
    "top": (COUNT,),
    "pool_top": (COUNT, FIRST),
    "ranked": (FIRST, LAST),
}
"""What else there is to say, by who plays in a stage."""

CARRIED = StageField(
    name="carried",
    label=_("What counts of the rounds before, when opponents are chosen"),
    options=(
        StageOption(value="all", label=_("Everything")),
        StageOption(value="among", label=_("What those who go on played among themselves")),
        StageOption(value="none", label=_("Nothing")),
    ),
    is_rare=True,
)
BESIDE = StageField(
    name="beside",
    label=_("When it is played"),
    options=(
        StageOption(value=False, label=_("After the stage before")),
        StageOption(value=True, label=_("At the same time as the stage before")),
    ),
)


def player_fields(takes: str) -> tuple[StageField, ...]:
    """The fields about who plays in a stage that follows another one."""
    return (TAKES, *TAKES_FIELDS.get(takes, ()), CARRIED, BESIDE)
