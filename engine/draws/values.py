"""Input and output of a draw: frozen values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple, NewType

from rules import Side

EntryId = NewType("EntryId", int)

Partners = tuple[EntryId, ...]
"""The entries on one side of a table: one (a pair), or people drawn together for this round."""


@dataclass(frozen=True, slots=True)
class Bond:
    """A group that entrants share, such as ``Bond("club", "Rimouski")``, and that may keep them apart: in all
    rounds, or in the first ``rounds``."""

    kind: str
    name: str
    rounds: int | None = None

    def is_active(self, played_round: int) -> bool:
        return self.rounds is None or played_round <= self.rounds


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """A participant of the draw: a pair, or a person where partners are drawn.

    ``score`` is an integer, scaled if necessary: equal scores form a score group. ``number`` is the place in the
    starting list, from 1, used by prepared schedules and brackets. ``table`` and ``side`` are set for entrants that
    need a certain seat. The entrant is not drawn in ``absent`` rounds, some of them ``excused``, before round
    ``arrives``, after round ``leaves_after``, and in ``withdrawn`` rounds before it returned; in the rounds of
    ``requested_byes`` it has a requested bye. One that ``is_disqualified`` has left, and is ranked by
    ``RankingRules.disqualified``. One that ``is_house`` completes a table where others would sit out, and has no
    rank.
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
    requested_byes: frozenset[int] = frozenset()
    is_disqualified: bool = False
    is_house: bool = False

    def is_present(self, played_round: int) -> bool:
        return self.takes_part(played_round) and played_round not in self.absent

    def takes_part(self, played_round: int) -> bool:
        """Return whether the entrant had come by this round and had not left, even if it missed the round."""
        return self.arrives <= played_round and not self.has_left(played_round) and played_round not in self.withdrawn

    def has_left(self, played_round: int) -> bool:
        """Return whether the entrant has left for good by this round."""
        return self.leaves_after is not None and self.leaves_after < played_round


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedPairing:
    """A table of an earlier round: ``a`` on side A met ``b`` on side B; without a ``b``, a bye for ``a``.

    ``slot`` is the place in a bracket for which it was drawn; ``scores`` are those of the two sides before
    the match. ``winner`` is None while undecided, and for a drawn match. A forfeit was won or lost without
    play, or lost by both: whether it counts as a meeting is a setting.
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
    """A table that the director has locked, and that is not drawn again."""

    number: int
    a: Partners
    b: Partners


VERSION = 11
"""The current version of draws. Older rounds are drawn again by the rules of their own version.

A draw of version 1 priced how far above the lowest score a bye is as one difference of scores among the
others; until version 2 the director could keep nobody apart by name, and a reason did not tell what two
share. Until version 3 head to head decided nothing in a pool once an entry of another one was level, too, and
a draw began with that order; until version 4 an entry with a match left in a bracket was ranked with those
who can still win it; until version 5 all sections were one field, in which a meeting across sections was
dear, and a table could have any number, and the better of two seeds that were both away advanced in a
bracket, and an entry that went up by lot in a progressive was said to have won; until version 6 a round robin
that somebody left kept all its rounds, a bye of a schedule was a bye like any other, people who had been at a
table for two could be the next to have a bye, each match of a bracket had a round fixed beforehand, only the
first round of a bracket kept anybody apart, and who was seated in a bracket for a qualifier was missing in
its next round; until version 7 pools were compared by rates in which a round after a withdrawal was a match.
"""


RETURNING_MEMBERS_VERSION = 9
"""Last version of draws in which an entry that came back took its place in a stage from the one that had it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawInput:
    """All input of a draw: the entrants best first, the history, the settings, and the seed.

    ``section_tables`` gives the first and last table of the sections that have their own; or ``phase_tables``
    those of each stage, from 0, and section there, if a stage has its own. ``table_count`` is the number of
    tables in the hall; None: unlimited. ``version`` is the version of draws: an older one draws an
    older round again.
    """

    round: int
    entrants: tuple[Entrant, ...]
    history: tuple[PlayedPairing, ...] = ()
    locked: tuple[LockedTable, ...] = ()
    section_tables: Mapping[str, tuple[int, int]] = field(default_factory=dict, hash=False)
    phase_tables: Mapping[tuple[int, str | None], tuple[int, int]] = field(default_factory=dict, hash=False)
    table_count: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    seed: int = 0
    version: int = VERSION

    def __post_init__(self) -> None:
        if len({entrant.id for entrant in self.entrants}) < len(self.entrants):
            raise ValueError("an entry is in the field twice")

    @property
    def locked_entries(self) -> frozenset[EntryId]:
        return frozenset(entry for table in self.locked for entry in (*table.a, *table.b))


class ReasonCode(StrEnum):
    """A reason for a table or a bye; the details of each code are in brackets."""

    MET_BEFORE = "met_before"
    """The two have met before (``rounds``; ``entries`` if a side has several)."""
    PARTNERED_BEFORE = "partnered_before"
    """The two have been partners before (``rounds``, ``entries``)."""
    REPEATS_UNAVOIDABLE = "repeats_unavoidable"
    """No draw of this field that is as good by all more important criteria repeats less: a third meeting
    counts more than two second ones."""
    FEWEST_BYES = "fewest_byes"
    """No entry drawn to play has missed fewer rounds than this one, byes included (``rounds``, those of its
    byes, empty before a first one)."""
    FEWEST_LEFT_OVER = "fewest_left_over"
    """No one drawn to play has been left over less often than this person: with a bye, away, or at a table
    for two."""
    LOWEST_SCORE = "lowest_score"
    """No entry drawn to play has a lower score than the one that sits out (``score``)."""
    LOWEST_IN_TURN = "lowest_in_turn"
    """No entry drawn to play with as few byes and missed rounds has a lower score (``score``)."""
    FEWEST_OF_CLUB = "fewest_of_club"
    """No entry of its club that is drawn to play has sat out or missed fewer rounds (``rounds`` of its
    byes)."""
    BYE_INSTEAD_OF = "bye_instead_of"
    """The turn by byes and score was that of ``entry``: every draw in which it sits out is worse by the first
    criterion that differs (``levels``)."""
    BYE_REQUESTED = "bye_asked"
    """The entry requested a bye."""
    SCORE_GROUP = "score_group"
    """Both have the same score (``score``), and these places in their group (``places``), of ``size``."""
    FLOATED = "floated"
    """The scores at this table differ (``scores``); with ``running``, an entry has floated the same way for
    so many consecutive rounds."""
    INSTEAD_OF = "instead_of"
    """The opponent of ``entry`` by rank was ``opponent``; more important criteria prevented that pair
    (``levels``)."""
    LOCKED = "locked"
    """The director set this table."""
    BY_HAND = "by_hand"
    """The director drew this table, or this bye, by hand."""
    NOT_NAMED = "not_named"
    """The draw made by hand does not name the entry."""
    BY_RANK = "by_rank"
    """The places in the standings that meet (``places``: those of side A, those of side B)."""
    TWO_LEFT = "two_left"
    """The field is no multiple of four: the two left over play one against one."""
    FORBIDDEN_UNAVOIDABLE = "forbidden_unavoidable"
    """A rule that must hold is broken: no draw of this field that is as good by all more important criteria
    breaks fewer (``kinds`` of bonds that the two share, if it is for those)."""
    BOND_UNAVOIDABLE = "bond_unavoidable"
    """The two share a bond and should not meet if possible (``bonds``: how many, of ``kinds``): no draw of
    this field that is as good by all more important criteria has fewer such meetings; in the first round of a
    bracket, no seeding within the tiers. If the director keeps them apart, every draw in which they do not
    meet is worse by a criterion (``levels``)."""
    BOND_SHARED = "bond_shared"
    """Entries at the table share a bond and should not meet if possible (``bonds``: how many, of
    ``kinds``)."""
    SEEDED_APART = "seeded_apart"
    """The ``entry`` has the bracket place ``place``, not that of its number (``seed``). Entries to be kept
    apart so meet later."""
    OWN_CLUB_UNAVOIDABLE = "own_club_unavoidable"
    """The two are of one club: no draw of this field that is as good by all more important criteria has fewer
    such tables."""
    CLUBS_SPREAD = "clubs_spread"
    """The two are of different clubs: no draw of this field that is as good by all more important criteria
    spreads the opponents of all entries more evenly over the other clubs."""
    BEST_IN_ALL = "best_in_all"
    """No draw of this field is better by all criteria together."""
    SCHEDULED = "scheduled"
    """The table, or the bye, is in a prepared schedule (``round`` of it, ``pool``, ``clubs``, ``board``)."""
    OPPONENT_MISSING = "opponent_missing"
    """The opponent by the schedule (``entry``, or ``club``) is away or at another table."""
    YET_TO_MEET = "yet_to_meet"
    """The schedule no longer holds, and the two still have to meet (due in ``rounds``)."""
    NO_OPPONENT_LEFT = "no_opponent_left"
    """All opponents that the entry still has to meet are away or at another table."""
    IN_LINE = "in_line"
    """First come, first seated: the places of the two in the line (``places``)."""
    INSTEAD_OF_BYES = "instead_of_byes"
    """Both would have sat out."""
    BALANCED = "balanced"
    """The number of times that partners, and all opponents together, had met before (``partners``,
    ``opponents``)."""
    BRACKET = "bracket"
    """The place in a bracket (``slot``)."""
    PROGRESSED = "progressed"
    """The result at its last table (``table``, ``won``; None where nobody won) brought the ``entry`` here."""
    FILLED_IN = "filled_in"
    """The ``entry`` came in from the bottom, where somebody is missing."""
    BY_LOT = "by_lot"
    """Chance decided: the meeting, the first table, or the move up from a ``table`` that nobody won."""
    WAITS = "waits"
    """The entry is in the bracket, and plays again in a later round (``slot``)."""
    UNOPPOSED = "unopposed"
    """The other team (``club``) has no entry for this ``board``, which is won without play. If nobody of it is
    present, ``entry`` loses the board by forfeit."""
    SUBSTITUTE = "substitute"
    """Others of its team have the boards."""
    TEAM_LINEUP = "team_lineup"
    """The captain chose who plays: this entry at this board, or as a substitute."""
    FIXED_TABLE = "fixed_table"
    """An entry has this table as its fixed one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """A code and the values for a sentence about it; never wording."""

    code: ReasonCode
    details: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnTable:
    """Two sides that meet, with their table and the reasons; ``slot`` is the place in a bracket, if any."""

    number: int
    a: Partners
    b: Partners
    slot: str = ""
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnBye:
    """An entry that sits out, with the reasons."""

    entry: EntryId
    slot: str = ""
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """The proof that no draw of this field costs less.

    ``units`` are the costs of one step of each criterion, most significant first. ``prices`` (by entry; key
    None: the bye) and ``blossoms`` (entries, rebate) are the duals of the matching: for any pair, twice its
    cost, less both prices, plus twice the rebates of the blossoms that hold both, is at least 0. If sections
    are drawn apart, ``sections`` holds the proof of each, and the rest is empty.
    """

    units: Mapping[str, int] = field(hash=False)
    prices: Mapping[EntryId | None, int] = field(hash=False)
    blossoms: tuple[tuple[frozenset[EntryId | None], int], ...]
    sections: "tuple[Certificate, ...]" = ()


class SeparationTiming(StrEnum):
    """The times at which a format can keep two entries apart."""

    EACH_ROUND = "each_round"
    """Opponents are chosen for each round."""
    SEEDING = "seeding"
    """Places in a bracket are chosen once, so that they meet as late as possible."""
    FIRST_ROUND = "first_round"
    """Opponents are chosen once: later ones follow from the results."""
    GROUPS = "groups"
    """Entries come into different groups, if there are several; within one everybody meets."""
    NEVER = "never"
    """The pairings do not depend on bonds."""


class BracketPlaces(NamedTuple):
    """The ``final`` places decided so far, and the ``best`` place that each entry can still reach."""

    final: Mapping[EntryId, int]
    best: Mapping[EntryId, int]


def get_no_places(draw_input: DrawInput) -> BracketPlaces:
    """Return no places, for a format that is no bracket."""
    return BracketPlaces({}, {})


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """A way to draw rounds, by its key.

    ``draw`` makes the next round of any field, however small, and after any history; once there is nothing left to
    play, a round without tables. ``next_slots`` returns, without drawing, the slots of its tables, and the
    walkovers of a bracket, each once; an empty set if all would sit out, and None if there are no entrants.

    ``check`` refuses settings that cannot work, so that later readers need not. ``rounds`` returns the number of
    rounds for a number of entrants and settings (None: unlimited). ``side`` is the number of entrants on one side.
    ``places`` returns the places before the next draw, if the format is a bracket. ``separation`` says when the
    format can keep two entrants apart. With ``separates_sections``, each section is drawn by itself, unless the
    settings say ``mixes_sections``; with ``catches_up``, one that is over makes up missed matches while others play
    on. With ``can_leave_out``, a present entry may have no place in a round, not even
    a bye. With ``is_interclub``, the clubs of its entrants meet and are ranked; with ``has_team_matches``, each round
    is a match over several boards, for which captains choose who plays. ``min_entrants`` returns the number of
    entrants that a table needs, under these settings.
    """

    key: str
    draw: Callable[[DrawInput], "Draw"]
    next_slots: "Callable[[DrawInput], frozenset[str] | None]"
    check: Callable[[Mapping[str, Any]], object]
    rounds: Callable[[int, Mapping[str, Any]], int | None] = lambda count, settings: None
    side: int = 1
    separation: SeparationTiming = SeparationTiming.NEVER
    places: Callable[[DrawInput], BracketPlaces] = get_no_places
    can_leave_out: bool = False
    separates_sections: bool = False
    catches_up: bool = False
    is_interclub: bool = False
    has_team_matches: bool = False
    min_entrants: Callable[[Mapping[str, Any]], int] = lambda settings: 2

    @property
    def draws_partners(self) -> bool:
        """Whether people enter one by one, and get a partner for each round."""
        return self.side == 2

    def get_entry_size(self, seats: int) -> int:
        """Return how many people make one entry, in a game of so many seats: one if partners are drawn, or if
        two people play."""
        return 1 if self.draws_partners else seats // 2

    @property
    def is_bracket(self) -> bool:
        """Whether it has places to play for, and cannot go on after a match that nobody won."""
        return self.places is not get_no_places


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """A drawn round: tables in order, byes, and the data to draw it again.

    ``price`` is the cost of the draw by each criterion, most significant first, if it was priced.
    """

    format: str
    round: int
    seed: int
    tables: tuple[DrawnTable, ...]
    byes: tuple[DrawnBye, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    price: Mapping[str, int] = field(default_factory=dict, hash=False)
    certificate: Certificate | None = None
