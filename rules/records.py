"""What is written down for one deal of a match, at the depth of a score sheet.

A match is recorded as a list of places, numbered from 1; each holds one record. Cards, auction and play are
deeper records of the same deal.

=========  ===========================  ============================================================
document   section                      here
=========  ===========================  ============================================================
RULES D1   all pass                     ``PassedOut``
RULES D8   tricks not counted           ``PlayedHand`` with ``tricks=None``
RULES D9   misdeal, renege, ruling      ``Misdeal``, ``VoidHand``, ``PlayedHand(awarded=True)``
RULES D11  the clock                    ``TimeCalled``
=========  ===========================  ============================================================
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from .contracts import TRICKS, TrumpRule
from .refusals import Refusal
from .rulesets import AllPass, Ruleset
from .seats import Seat, Side, Suit, side_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """A contract that was made or failed, or that the director awards as such.

    ``tricks`` (0–8, of the declaring side) is None where nobody counted; trump, declarer and mode are None
    where the event does not ask for them.
    """

    kind: ClassVar[str] = "hand"
    side: Side
    contract: str
    made: bool
    tricks: int | None = None
    trump: Suit | None = None
    declarer: Seat | None = None
    mode: str | None = None
    awarded: bool = False
    dealer: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedOut:
    """Nobody made a bid that is played: no score (D1)."""

    kind: ClassVar[str] = "passed_out"
    dealer: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Misdeal:
    """The cards were dealt wrong: no score, same dealer (D9)."""

    kind: ClassVar[str] = "misdeal"
    dealer: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidHand:
    """A deal that does not count, such as after a renege: no score, same dealer (D9)."""

    kind: ClassVar[str] = "void"
    dealer: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """A place that was marked by mistake and is free again."""

    kind: ClassVar[str] = "undone"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTotals:
    """The two totals of the running game as a paper sheet has them, whatever was marked of it before.

    ``winner`` is needed only where the totals do not tell: a game that a Charlemagne ended, or one that the
    director awards.
    """

    kind: ClassVar[str] = "totals"
    points: tuple[int, int]
    winner: Side | None = None
    awarded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeCalled:
    """The match stops here: the time is up, or the director ends it (D11)."""

    kind: ClassVar[str] = "time_called"


Deal = PlayedHand | PassedOut | Misdeal | VoidHand
"""The records of a deal; each may say who dealt."""

Record = Deal | Undone | GameTotals | TimeCalled


def check_record(ruleset: Ruleset, record: Record) -> None:
    """Refuses a record that this ruleset does not know, by the first of ``record_refusals``."""
    for refusal in record_refusals(ruleset, record):
        raise refusal


def record_refusals(ruleset: Ruleset, record: Record) -> list[Refusal]:
    """Everything that is wrong with a record.

    Codes: no_such_seat; no_such_bid, below_minimum, trump_not_allowed, tricks_out_of_range,
    tricks_contradict_outcome, declarer_of_other_side, no_such_mode; cannot_be_passed_out;
    totals_out_of_range, totals_both_reach_target, totals_winner_contradicts, totals_winner_required,
    totals_game_not_finished.
    """
    return list(_refusals(ruleset, record))


def _refusals(ruleset: Ruleset, record: Record) -> Iterator[Refusal]:
    if isinstance(record, Deal) and record.dealer is not None and record.dealer not in range(ruleset.seats):
        yield Refusal("no_such_seat", field="dealer", seats=ruleset.seats)
    match record:
        case PlayedHand():
            yield from _contract_refusals(ruleset, record)
            if record.declarer is not None:
                yield from _declarer_refusals(ruleset, record.declarer, record.side)
        case PassedOut() if ruleset.all_pass is AllPass.DEALER_MUST_BID:
            yield Refusal("cannot_be_passed_out", field="kind", minimum=ruleset.forced_bid)
        case GameTotals():
            yield from _totals_refusals(ruleset, record)


def _declarer_refusals(ruleset: Ruleset, declarer: Seat, side: Side) -> Iterator[Refusal]:
    if declarer not in range(ruleset.seats):
        yield Refusal("no_such_seat", field="declarer", seats=ruleset.seats)
    elif side_of(declarer) is not side:
        yield Refusal("declarer_of_other_side", field="declarer")


def _contract_refusals(ruleset: Ruleset, hand: PlayedHand) -> Iterator[Refusal]:
    tricks = hand.tricks
    if tricks is not None and not 0 <= tricks <= TRICKS:
        yield Refusal("tricks_out_of_range", field="tricks", most=TRICKS)
        tricks = None
    try:
        contract = ruleset.contract(hand.contract)
    except Refusal as refusal:
        yield refusal
        return
    if hand.trump is not None and contract.trump is not TrumpRule.NAMED:
        yield Refusal("trump_not_allowed", field="trump", contract=contract.key)
    if hand.mode is not None and hand.mode not in contract.modes:
        yield Refusal("no_such_mode", field="mode", contract=contract.key, modes=contract.modes)
    # What a director awards (D9) may go against the tricks that were taken.
    if tricks is not None and not hand.awarded and contract.is_made_with(tricks) is not hand.made:
        yield Refusal("tricks_contradict_outcome", field="tricks", contract=contract.key, tricks=tricks)


def _totals_refusals(ruleset: Ruleset, totals: GameTotals) -> Iterator[Refusal]:
    """A game ends as soon as a side reaches the target, so one side is below it, and the other cannot be
    further above it than the dearest contract takes it from the last total below."""
    dearest = max(max(contract.made, contract.failed) for contract in ruleset.played)
    most = ruleset.target - 1 + dearest
    fields = dict(zip(("points_a", "points_b"), totals.points, strict=True))
    outside = [field for field, points in fields.items() if not 0 <= points <= most]
    reached = [side for side in Side if totals.points[side] >= ruleset.target]
    if outside:
        yield from (Refusal("totals_out_of_range", field=field, most=most) for field in outside)
    elif len(reached) == 2:
        yield Refusal("totals_both_reach_target", field="points_b", target=ruleset.target)
    elif totals.winner is None:
        if totals.awarded and not reached:
            yield Refusal("totals_winner_required", field="winner")
    elif not totals.awarded:
        if reached and totals.winner is not reached[0]:
            yield Refusal("totals_winner_contradicts", field="winner", target=ruleset.target)
        if not reached and not any(contract.ends_game for contract in ruleset.played):
            yield Refusal("totals_game_not_finished", field="winner", target=ruleset.target)
