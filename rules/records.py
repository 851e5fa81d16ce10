"""Records of the deals of a match, at the depth of a score sheet.

A match is recorded as a list of places, numbered from 1; each holds one record. The record may include its
``course``, from the deal to the last card, which then agrees with the record.

=========  ===========================  ============================================================
document   section                      here
=========  ===========================  ============================================================
RULES D1   all pass                     ``PassedOutHand``
RULES D8   tricks not counted           ``PlayedHand`` with ``tricks=None``
RULES D9   misdeal, renege, ruling      ``Misdeal``, ``VoidHand``, ``PlayedHand(awarded=True)``
RULES D9   the ruling and the cards     ``_check_result``: an award may go against the cards
RULES D11  the clock                    ``TimeCall``
=========  ===========================  ============================================================
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from errors import Refusal

from .contracts import TRICKS, TrumpRule
from .courses import CourseState, HandCourse, follow_course
from .rulesets import AllPassRule, Ruleset
from .seats import Seat, Side, Suit, get_side


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedHand:
    """A contract that was made or failed, or that the director awards as such.

    ``tricks`` (0–8, of the declaring side) is None if nobody counted; trump, declarer and mode are None if
    the event does not ask for them. ``course`` is the course of the hand, in as much detail as was written
    down; it requires a dealer.
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
    course: HandCourse | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedOutHand:
    """A deal without a bid that is played: no score (D1)."""

    kind: ClassVar[str] = "passed_out"
    dealer: Seat | None = None
    course: HandCourse | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Misdeal:
    """A wrong deal: no score, same dealer (D9)."""

    kind: ClassVar[str] = "misdeal"
    dealer: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidHand:
    """A deal that does not count, such as after a renege: no score, same dealer (D9)."""

    kind: ClassVar[str] = "void"
    dealer: Seat | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoneRecord:
    """A place that was recorded by mistake and is free again."""

    kind: ClassVar[str] = "undone"


@dataclass(frozen=True, slots=True, kw_only=True)
class GameTotals:
    """The two totals of the running game as on a paper sheet, whatever was recorded of it before.

    ``winner`` is needed only if the totals do not tell: a game that a Charlemagne ended, or one that the
    director awards.
    """

    kind: ClassVar[str] = "totals"
    points: tuple[int, int]
    winner: Side | None = None
    awarded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeCall:
    """The end of the match: the time is up, or the director ends it (D11)."""

    kind: ClassVar[str] = "time_called"


Deal = PlayedHand | PassedOutHand | Misdeal | VoidHand
"""The records of a deal; each may have a dealer."""

Record = Deal | UndoneRecord | GameTotals | TimeCall


def check_record(ruleset: Ruleset, record: Record) -> None:
    """Check that the ruleset knows this record. Refuses: the first of ``list_record_refusals``."""
    for refusal in list_record_refusals(ruleset, record):
        raise refusal


def list_record_refusals(ruleset: Ruleset, record: Record) -> list[Refusal]:
    """Return all faults of a record.

    Codes: no_such_seat; no_such_bid, below_minimum, trump_not_allowed, tricks_out_of_range,
    tricks_contradict_outcome, declarer_of_other_side, no_such_mode; cannot_be_passed_out;
    totals_out_of_range, totals_both_reach_target, totals_winner_contradicts, totals_winner_required,
    totals_game_not_finished. Of a record that is sound by itself, with a course: dealer_required,
    contradicts_course, and what ``follow_course`` refuses.
    """
    refusals = list(_iterate_refusals(ruleset, record))
    if not refusals and isinstance(record, PlayedHand | PassedOutHand) and record.course is not None:
        refusals = list(_check_course(ruleset, record, record.course))
    return refusals


def build_record(ruleset: Ruleset, course: HandCourse) -> PlayedHand | PassedOutHand:
    """Return the record, with every detail, of a hand whose course is given until its outcome is certain.

    ``tricks`` is None if the play stops with tricks left (D8).

    Refuses: part_missing, outcome_not_certain, and what ``follow_course`` refuses.
    """
    if course.dealt is None or course.calls is None:
        part = "dealt" if course.dealt is None else "calls"
        raise Refusal("part_missing", field=f"course.{part}", part=part)
    dealer = course.dealt.dealer
    end = follow_course(ruleset, course, dealer=dealer)
    if end.outcome is None:
        return PassedOutHand(dealer=dealer, course=course)
    made = {end.outcome.contract.is_made_with(tricks) for tricks in end.possible_tricks}
    if len(made) > 1:
        raise Refusal("outcome_not_certain", field="course.plays", contract=end.outcome.contract.key)
    return PlayedHand(
        side=get_side(end.outcome.declarer),
        contract=end.outcome.contract.key,
        made=made.pop(),
        tricks=end.possible_tricks[0] if len(end.possible_tricks) == 1 else None,
        trump=end.trump,
        declarer=end.outcome.declarer,
        mode=_get_mode(course),
        dealer=dealer,
        course=course,
    )


def _iterate_refusals(ruleset: Ruleset, record: Record) -> Iterator[Refusal]:
    if isinstance(record, Deal) and record.dealer is not None and record.dealer not in range(ruleset.seats):
        yield Refusal("no_such_seat", field="dealer", seats=ruleset.seats)
    match record:
        case PlayedHand():
            yield from _check_contract(ruleset, record)
            if record.declarer is not None:
                yield from _check_declarer(ruleset, record.declarer, record.side)
        case PassedOutHand() if ruleset.all_pass is AllPassRule.DEALER_MUST_BID:
            yield Refusal("cannot_be_passed_out", field="kind", minimum=ruleset.forced_bid)
        case GameTotals():
            yield from _check_totals(ruleset, record)


def _check_declarer(ruleset: Ruleset, declarer: Seat, side: Side) -> Iterator[Refusal]:
    if declarer not in range(ruleset.seats):
        yield Refusal("no_such_seat", field="declarer", seats=ruleset.seats)
    elif get_side(declarer) is not side:
        yield Refusal("declarer_of_other_side", field="declarer")


def _check_contract(ruleset: Ruleset, hand: PlayedHand) -> Iterator[Refusal]:
    tricks = hand.tricks
    if tricks is not None and not 0 <= tricks <= TRICKS:
        yield Refusal("tricks_out_of_range", field="tricks", most=TRICKS)
        tricks = None
    try:
        contract = ruleset.get_contract(hand.contract)
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


def _check_totals(ruleset: Ruleset, totals: GameTotals) -> Iterator[Refusal]:
    """Check the totals of a game. It ends as soon as a side reaches the target, so one side is below it, and
    the other cannot be further above it than the dearest contract takes it from the last total below."""
    dearest = max(max(contract.made, contract.failed) for contract in ruleset.playable)
    max_points = ruleset.target - 1 + dearest
    fields = dict(zip(("points_a", "points_b"), totals.points, strict=True))
    invalid_fields = [field for field, points in fields.items() if not 0 <= points <= max_points]
    reaching_sides = [side for side in Side if totals.points[side] >= ruleset.target]
    if invalid_fields:
        yield from (Refusal("totals_out_of_range", field=field, most=max_points) for field in invalid_fields)
    elif len(reaching_sides) == 2:
        yield Refusal("totals_both_reach_target", field="points_b", target=ruleset.target)
    elif totals.winner is None:
        if totals.awarded and not reaching_sides:
            yield Refusal("totals_winner_required", field="winner")
    elif not totals.awarded:
        if reaching_sides and totals.winner is not reaching_sides[0]:
            yield Refusal("totals_winner_contradicts", field="winner", target=ruleset.target)
        if not reaching_sides and not any(contract.ends_game for contract in ruleset.playable):
            yield Refusal("totals_game_not_finished", field="winner", target=ruleset.target)


def _check_course(ruleset: Ruleset, record: PlayedHand | PassedOutHand, course: HandCourse) -> Iterator[Refusal]:
    """Yield the faults of a course in itself, or else its contradictions of the record."""
    if record.dealer is None:
        yield Refusal("dealer_required", field="dealer")
        return
    if course.dealt is not None and course.dealt.dealer != record.dealer:
        yield _build_contradiction("dealer", course.dealt.dealer)
        return
    try:
        end = follow_course(ruleset, course, dealer=record.dealer)
    except Refusal as refusal:
        yield refusal
        return
    if end.auction is not None and end.auction.is_passed_out is not isinstance(record, PassedOutHand):
        yield _build_contradiction("kind", PassedOutHand.kind if end.auction.is_passed_out else PlayedHand.kind)
    elif isinstance(record, PlayedHand):
        contradictions = list(_check_outcome(record, course, end))
        yield from contradictions or _check_result(ruleset, record, end)


def _check_outcome(hand: PlayedHand, course: HandCourse, end: CourseState) -> Iterator[Refusal]:
    """Yield the contradictions of a record and its course: a record may say less than its course, and nothing
    else."""
    if end.outcome is None:
        return
    declarer, mode = end.outcome.declarer, _get_mode(course)
    if hand.side is not get_side(declarer):
        yield _build_contradiction("side", get_side(declarer).name)
    if hand.contract != end.outcome.contract.key:
        yield _build_contradiction("contract", end.outcome.contract.key)
    if hand.declarer not in (None, declarer):
        yield _build_contradiction("declarer", declarer)
    if end.trump is not None and hand.trump not in (None, end.trump):
        yield _build_contradiction("trump", end.trump.value)
    if mode is not None and hand.mode not in (None, mode):
        yield _build_contradiction("mode", mode)


def _check_result(ruleset: Ruleset, hand: PlayedHand, end: CourseState) -> Iterator[Refusal]:
    """Yield the contradictions of a result and the cards. Tricks that were not played are taken as they were
    claimed or conceded. A director's award (D9) may go against the cards."""
    possible = end.possible_tricks
    if hand.awarded:
        return
    if hand.tricks is not None and hand.tricks not in possible:
        yield _build_contradiction("tricks", possible[0])
    elif all(ruleset.get_contract(hand.contract).is_made_with(tricks) is not hand.made for tricks in possible):
        yield _build_contradiction("outcome", "failed" if hand.made else "made")


def _get_mode(course: HandCourse) -> str | None:
    return None if course.preparation is None else course.preparation.mode


def _build_contradiction(field: str, course: object) -> Refusal:
    return Refusal("contradicts_course", field=field, course=course)
