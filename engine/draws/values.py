"""What goes into a draw and what comes out: frozen values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, NewType

from rules import Side

EntryId = NewType("EntryId", int)

Partners = tuple[EntryId, ...]
"""Who sits on one side of a table: one entry (a pair), or people drawn together for this round."""


@dataclass(frozen=True, slots=True)
class Bond:
    """What ties some entrants together, such as ``Bond("club", "Rimouski")``, and so may keep them apart: in
    all rounds, or in the first ``rounds``."""

    kind: str
    name: str
    rounds: int | None = None

    def holds_in(self, played_round: int) -> bool:
        return self.rounds is None or played_round <= self.rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """Somebody who may be drawn: a pair, or a person where partners are drawn.

    ``score`` is an integer, scaled if need be: whoever has the same plays in the same score group.
    ``number`` is the place in the starting list, from 1, by which prepared schedules and brackets go.
    ``table`` and ``side`` are for those who cannot sit anywhere. The entrant is not drawn in ``absent``
    rounds, some of them ``excused``, before round ``arrives``, after round ``leaves_after``, and in
    ``withdrawn`` rounds before it returned; in ``byes_asked`` rounds it sits out by own wish. One that
    ``is_disqualified`` has left, and is ranked by ``RankingRules.disqualified``.
    """

    id: EntryId
    number: int
    score: int = 0
    bonds: frozenset[Bond] = frozenset()
    section: str | None = None
    table: int | None = None
    side: Side | None = None
    arrives: int = 1
    leaves_after: int | None = None
    absent: frozenset[int] = frozenset()
    excused: frozenset[int] = frozenset()
    withdrawn: frozenset[int] = frozenset()
    byes_asked: frozenset[int] = frozenset()
    is_disqualified: bool = False

    def is_present(self, played_round: int) -> bool:
        is_here = self.arrives <= played_round and not self.has_left(played_round)
        return is_here and played_round not in self.absent | self.withdrawn

    def has_left(self, played_round: int) -> bool:
        """Whether the entrant is gone for good by this round."""
        return self.leaves_after is not None and self.leaves_after < played_round


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedPairing:
    """A table of an earlier round: ``a`` on side A met ``b`` on side B; without a ``b``, a bye for ``a``.

    ``slot`` is the place in a bracket for which it was drawn; ``scores`` are those with which the two came
    to the table. ``winner`` is None while undecided, and for a drawn match. A forfeit was won or lost without
    a card, or lost by both: whether the two have met is a setting.
    """

    round: int
    a: Partners
    b: Partners = ()
    table: int = 0
    slot: str = ""
    scores: tuple[int, int] = (0, 0)
    winner: Side | None = None
    is_forfeit: bool = False

    @property
    def is_decided(self) -> bool:
        return not self.b or self.winner is not None or self.is_forfeit


@dataclass(frozen=True, slots=True, kw_only=True)
class LockedTable:
    """A table that the director has set, and that is not drawn again."""

    number: int
    a: Partners
    b: Partners


VERSION = 7
"""How draws are made now. A draw of version 1 priced how far above the lowest score a bye is as one
difference of scores among the others; until version 2 nobody was kept apart by name, and a reason did not
tell what two share. Until version 3 head to head said nothing in a pool once somebody of another one was
level, too, and a draw began with that order; until version 4 whoever had a match left in a bracket was ranked
with those who can still win it; until version 5 all sections were one field, in which a meeting across
sections was dear, and a table could have any number, and the better of two seeds that were both away went
on in a bracket, and who went up by lot in a progressive was said to have won; until version 6 a round robin
that somebody left kept all its rounds, a bye of a schedule was a bye like any other, who had been at a table
for two could be the next to have a bye, each match of a bracket had a round fixed beforehand, and only the
first round of a bracket kept anybody apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawInput:
    """All that a draw depends on: the entrants best first, what was played, what is set, and the chance.

    ``section_tables`` gives the first and last table of the sections that have their own, ``table_count`` how
    many tables the hall has; None: as many as one likes. ``version`` is how the draw is made: an older one
    draws an older round again.
    """

    round: int
    entrants: tuple[Entrant, ...]
    history: tuple[PlayedPairing, ...] = ()
    locked: tuple[LockedTable, ...] = ()
    section_tables: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    table_count: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    seed: int = 0
    version: int = VERSION

    def __post_init__(self) -> None:
        if len({entrant.id for entrant in self.entrants}) < len(self.entrants):
            raise ValueError("an entry is in the field twice")

    @property
    def at_locked_tables(self) -> frozenset[EntryId]:
        return frozenset(entry for table in self.locked for entry in (*table.a, *table.b))


class ReasonCode(StrEnum):
    """Why a table or a bye is as it is; in brackets, the details that come with it."""

    MET_BEFORE = "met_before"
    """The two have met (``rounds``; ``entries`` where a side holds several)."""
    PARTNERED_BEFORE = "partnered_before"
    """The two have been partners (``rounds``, ``entries``)."""
    REPEATS_UNAVOIDABLE = "repeats_unavoidable"
    """No draw of this field that is as good by what counts more repeats less: a third meeting counts more
    than two second ones."""
    FEWEST_BYES = "fewest_byes"
    """No entry drawn to play has missed fewer rounds than this one, byes included (``rounds``, those of its
    byes, empty before a first one)."""
    FEWEST_LEFT_OVER = "fewest_left_over"
    """Nobody who is drawn to play has been left over less often than this person: with a bye, away, or at a
    table for two."""
    LOWEST_SCORE = "lowest_score"
    """Nobody who is drawn to play has a lower score than who sits out (``score``)."""
    LOWEST_IN_TURN = "lowest_in_turn"
    """Of those drawn to play who have sat out and missed as few rounds, nobody has a lower score than who
    sits out (``score``)."""
    FEWEST_OF_CLUB = "fewest_of_club"
    """Nobody of its club who is drawn to play has sat out or missed fewer rounds (``rounds`` of its byes)."""
    BYE_INSTEAD_OF = "bye_instead_of"
    """By byes and score ``entry`` would have sat out: every draw in which it does is worse by the first
    criterion that differs (``levels``)."""
    BYE_ASKED = "bye_asked"
    """The entry asked to sit out."""
    SCORE_GROUP = "score_group"
    """Both have the same score (``score``), and these places in their group (``places``), of ``size``."""
    FLOATED = "floated"
    """Not all come with the same score (``scores``); where so, one of two for so many rounds ``running``
    the same way."""
    INSTEAD_OF = "instead_of"
    """By rank ``entry`` would have met ``opponent``, a pair that more important criteria speak against
    (``levels``)."""
    LOCKED = "locked"
    """The director set this table."""
    BY_HAND = "by_hand"
    """The director drew this table, or this bye, by hand."""
    NOT_NAMED = "not_named"
    """The draw made by hand does not name the entry."""
    BY_RANK = "by_rank"
    """These places in the standings meet (``places``: those of side A, those of side B)."""
    TWO_LEFT = "two_left"
    """The field is no multiple of four: the two that were left play one against one."""
    FORBIDDEN_UNAVOIDABLE = "forbidden_unavoidable"
    """A rule that must hold does not: no draw of this field that is as good by what counts more breaks
    fewer (``kinds`` of bonds that the two share, if it is for those)."""
    BOND_UNAVOIDABLE = "bond_unavoidable"
    """The two share something for which they had better not meet (``bonds``: how many, of ``kinds``): no draw
    of this field that is as good by what counts more has fewer such meetings; in the first round of a
    bracket, no seeding within the tiers. Where they were named to be kept apart, every draw in which they do
    not meet is worse by a criterion (``levels``)."""
    BOND_SHARED = "bond_shared"
    """Some at the table share something for which they had better not meet (``bonds``: how many, of
    ``kinds``)."""
    SEEDED_APART = "seeded_apart"
    """The ``entry`` has another ``place`` in the bracket than its number (``seed``) would give it, so that
    some to be kept apart meet later."""
    BEST_IN_ALL = "best_in_all"
    """All criteria together, no draw of this field is better."""
    SCHEDULED = "scheduled"
    """The table, or the bye, stands in a prepared schedule (``round`` of it, ``pool``, ``clubs``)."""
    OPPONENT_MISSING = "opponent_missing"
    """The opponent by the schedule (``entry``, or ``club``) is away or at another table."""
    YET_TO_MEET = "yet_to_meet"
    """The schedule no longer holds, and the two still have to meet (due in ``rounds``)."""
    NO_OPPONENT_LEFT = "no_opponent_left"
    """Everybody that the entry has yet to meet is away or at another table."""
    IN_LINE = "in_line"
    """First come, first seated: where the two stood in the line (``places``)."""
    INSTEAD_OF_BYES = "instead_of_byes"
    """Both would have sat out."""
    BALANCED = "balanced"
    """How often partners, and all opponents together, had been that before (``partners``, ``opponents``)."""
    BRACKET = "bracket"
    """The place in a bracket (``slot``)."""
    PROGRESSED = "progressed"
    """The result at its last table (``table``, ``won``; None where nobody won) brought the ``entry`` here."""
    FILLED_IN = "filled_in"
    """The ``entry`` was let in from the bottom, where somebody is missing."""
    BY_LOT = "by_lot"
    """Chance decided: who meets whom, who starts here, or who went up from a ``table`` that nobody won."""
    WAITS = "waits"
    """The entry is in the bracket, and due again in a later round (``slot``)."""
    FIXED_TABLE = "fixed_table"
    """An entry always sits at this table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """A code and the values that a sentence about it needs; never wording."""

    code: ReasonCode
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTable:
    """Two sides that meet, where, and why; ``slot`` is the place in a bracket, where there is one."""

    number: int
    a: Partners
    b: Partners
    slot: str = ""
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBye:
    """An entry that sits out, and why."""

    entry: EntryId
    slot: str = ""
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """The proof that no draw of this field costs less.

    ``units`` is what one step of each criterion costs, most significant first. ``prices`` (by entry; key
    None: the bye) and ``blossoms`` (entries, rebate) are the duals of the matching: whatever pair one takes,
    twice its cost, less both prices, plus twice the rebates of the blossoms that hold both, is at least 0.
    Where sections are drawn apart, ``sections`` holds the proof of each, and the rest is empty.
    """

    units: Mapping[str, int] = field(hash=False)
    prices: Mapping[EntryId | None, int] = field(hash=False)
    blossoms: tuple[tuple[frozenset[EntryId | None], int], ...]
    sections: "tuple[Certificate, ...]" = ()


class KeepsApart(StrEnum):
    """When a format can keep two apart."""

    EACH_ROUND = "each_round"
    """Opponents are chosen anew for each round."""
    SEEDING = "seeding"
    """Places in a bracket are chosen once, so that they meet as late as possible."""
    FIRST_ROUND = "first_round"
    """Opponents are chosen once: later ones follow from the results."""
    GROUPS = "groups"
    """They come into different groups, if there are several; within one everybody meets."""
    NEVER = "never"
    """Who meets whom does not depend on who they are."""


class BracketPlaces(NamedTuple):
    """The ``final`` place of everybody who has one by now, and the ``best`` that each can still have."""

    final: Mapping[EntryId, int]
    best: Mapping[EntryId, int]


def no_places(draw_input: DrawInput) -> BracketPlaces:
    """Those of a format that is no bracket."""
    return BracketPlaces({}, {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A way to draw rounds, by its key.

    ``draw`` makes the next round of any field, however small, and after any history; once there is nothing
    left to play, a round without tables. ``slots_ahead`` tells of the same, drawing nothing, in which slots
    its tables would be, and of a bracket the walkovers, each once; none where all would sit out, and None
    where there is nobody to speak of.
    ``check`` refuses settings that cannot work, so that whoever reads them later need not. ``rounds`` tells
    for a number of entrants and settings how many rounds there are, None: as many as one likes. ``side`` is
    how many entrants sit on one side. ``places`` tells the places before what would be drawn next, where the
    format is a bracket. ``keeps_apart`` is when it can keep two apart. Where it ``separates_sections``, each
    section is drawn by itself, unless the settings say ``mixes_sections``. Where it ``leaves_out``, somebody
    may be there and have no place in a round, not even a bye. ``fewest`` is how many have to be there for a
    table, by these settings.
    """

    key: str
    draw: Callable[[DrawInput], "Draw"]
    slots_ahead: "Callable[[DrawInput], frozenset[str] | None]"
    check: Callable[[Mapping[str, Any]], object]
    rounds: Callable[[int, Mapping[str, Any]], int | None] = lambda count, settings: None
    side: int = 1
    keeps_apart: KeepsApart = KeepsApart.NEVER
    places: Callable[[DrawInput], BracketPlaces] = no_places
    leaves_out: bool = False
    separates_sections: bool = False
    fewest: Callable[[Mapping[str, Any]], int] = lambda settings: 2

    @property
    def draws_partners(self) -> bool:
        """Whether people are drawn one by one, and get a partner for each round."""
        return self.side == 2

    def entry_size(self, seats: int) -> int:
        """How many people make one entry, in a game of so many seats: one where partners are drawn, or two
        people play."""
        return 1 if self.draws_partners else seats // 2

    @property
    def is_bracket(self) -> bool:
        """Whether it has places to play for, and cannot go on after a match that nobody won."""
        return self.places is not no_places


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """A round as drawn: tables in order, who sits out, and what it takes to draw it again.

    ``price`` is what the draw costs by each criterion, most significant first, where it was priced.
    """

    format: str
    round: int
    seed: int
    tables: tuple[DrawnTable, ...]
    byes: tuple[DrawnBye, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    price: Mapping[str, int] = field(default_factory=dict, hash=False)
    certificate: Certificate | None = None
