"""Property tests of the fold, on random matches."""

from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from rules import (
    RULESETS,
    AllPassRule,
    GameTotals,
    MatchCriterion,
    MatchFormat,
    MatchState,
    Misdeal,
    PassedOutHand,
    PlayedHand,
    Record,
    Ruleset,
    Seat,
    Side,
    TieRule,
    TimeCall,
    UndoneRecord,
    VoidHand,
    check_format,
    fold,
)
from rules.records import list_record_refusals
from tests.rules.sheets import property_settings


@dataclass(frozen=True)
class Sheet:
    """A ruleset, a match format, the first dealer and the records of a match."""

    ruleset: Ruleset
    match_format: MatchFormat
    first_dealer: Seat
    records: tuple[Record, ...]

    @property
    def places(self) -> list[tuple[int, Record]]:
        return list(enumerate(self.records, start=1))

    def match(self) -> MatchState:
        return fold(self.ruleset, self.match_format, self.places, first_dealer=self.first_dealer)


def _list_records(ruleset: Ruleset) -> list[Record]:
    """Return every hand of the ruleset with only its result, and every record without a score."""
    hands: list[Record] = [
        PlayedHand(side=side, contract=key, made=made)
        for key in ruleset.played_keys
        for side in Side
        for made in (True, False)
    ]
    others: list[Record] = [PassedOutHand(), Misdeal(), VoidHand(), UndoneRecord()]
    return hands + [record for record in others if not list_record_refusals(ruleset, record)]


_RECORDS = {key: _list_records(ruleset) for key, ruleset in RULESETS.items()}

formats = st.builds(
    MatchFormat,
    games_to_win=st.integers(1, 3),
    hands=st.none() | st.integers(1, 20),
    decided_by=st.sampled_from(MatchCriterion),
    charlemagne_points=st.none() | st.integers(0, 40),
) | st.builds(
    MatchFormat,
    hands=st.integers(1, 20),
    decided_by=st.sampled_from(MatchCriterion),
    tie=st.none() | st.sampled_from(TieRule),
    favored=st.sampled_from(Side),
)


@st.composite
def sheets(draw: st.DrawFn, *, with_totals: bool = True) -> Sheet:
    ruleset = RULESETS[draw(st.sampled_from(sorted(RULESETS)))]
    records: st.SearchStrategy[Record] = st.sampled_from(_RECORDS[ruleset.key])
    if with_totals:
        totals = st.builds(GameTotals, points=st.tuples(*[st.integers(0, ruleset.target - 1)] * 2))
        records |= totals | st.just(TimeCall())
    return Sheet(
        ruleset=ruleset,
        match_format=check_format(draw(formats)),
        first_dealer=Seat(draw(st.integers(0, ruleset.seats - 1))),
        records=tuple(draw(st.lists(records, max_size=30))),
    )


def drop_lines(match: MatchState) -> MatchState:
    return replace(match, lines=())


@property_settings
@given(sheets(), st.integers(0, 30))
def test_stepwise_fold_equals_the_whole_fold(sheet: Sheet, length: int) -> None:
    state = fold(sheet.ruleset, sheet.match_format, sheet.places[:length], first_dealer=sheet.first_dealer)
    for number, record in sheet.places[length:]:
        state = state.add_record(number, record)
    assert {state} == {sheet.match()}


@property_settings
@given(sheets(), st.integers())
def test_record_order_does_not_change_the_match(sheet: Sheet, seed: int) -> None:
    places = sheet.places
    Random(seed).shuffle(places)
    shuffled = fold(sheet.ruleset, sheet.match_format, places, first_dealer=sheet.first_dealer)
    assert shuffled == sheet.match()


@property_settings
@given(sheets())
def test_undone_last_record_leaves_no_trace(sheet: Sheet) -> None:
    before = replace(sheet, records=sheet.records[:-1])
    undone = replace(sheet, records=(*sheet.records[:-1], UndoneRecord()))
    assert drop_lines(undone.match()) == drop_lines(before.match())


@property_settings
@given(sheets())
def test_only_hands_score_and_for_one_side(sheet: Sheet) -> None:
    for line in sheet.match().lines:
        assert min(line.gained) == 0
        assert isinstance(line.record, PlayedHand) or line.gained == (0, 0)


@property_settings
@given(sheets(with_totals=False))
def test_totals_never_fall_within_a_game(sheet: Sheet) -> None:
    for earlier, later in pairwise(sheet.match().lines):
        if earlier.game.number == later.game.number:
            assert all(now >= then for then, now in zip(earlier.game.points, later.game.points, strict=True))


@property_settings
@given(sheets())
def test_game_is_won_at_the_target_or_by_charlemagne(sheet: Sheet) -> None:
    match, target = sheet.match(), sheet.ruleset.target
    for number, game in enumerate(match.games, start=1):
        assert game.number == number
        assert game.winner is not None
        assert game.points[game.winner.other] < target
        if game.by == "points":
            assert game.points[game.winner] >= target
        else:
            assert game.by == "charlemagne"
            assert max(game.points) < target
    assert match.game.winner is None
    assert max(match.game.points) < target
    assert match.game.number == len(match.games) + 1
    for line in match.lines:
        assert max(points - gain for points, gain in zip(line.game.points, line.gained, strict=True)) < target
    for earlier, later in pairwise(match.lines):
        if earlier.ends_game and not isinstance(later.record, GameTotals):
            assert later.game.points == later.gained


@property_settings
@given(sheets())
def test_finished_match_does_not_change(sheet: Sheet) -> None:
    match = fold(sheet.ruleset, sheet.match_format, [], first_dealer=sheet.first_dealer)
    for number, record in sheet.places:
        following = match.add_record(number, record)
        assert following.lines[-1].is_surplus is match.is_over
        if match.is_over:
            assert drop_lines(following) == drop_lines(match)
            assert following.winner is match.winner
        match = following


@property_settings
@given(sheets())
def test_match_ends_when_its_first_length_is_reached(sheet: Sheet) -> None:
    match, length = sheet.match(), sheet.match_format
    has_games = length.games_to_win is not None and max(match.games_won) == length.games_to_win
    has_hands = length.hands is not None and match.deals == length.hands
    is_called = any(isinstance(line.record, TimeCall) for line in match.lines)
    assert match.is_over is (has_games or has_hands or is_called)
    assert sum(match.games_won) == len(match.games)
    if has_games:
        assert match.winner is not None
        assert match.games_won[match.winner] == length.games_to_win


@property_settings
@given(sheets())
def test_dealer_moves_one_seat_per_played_hand(sheet: Sheet) -> None:
    dealt = 0
    passing = (PlayedHand, PassedOutHand) if sheet.ruleset.all_pass is AllPassRule.NEXT_DEALER else PlayedHand
    for line in sheet.match().lines:
        assert line.dealer == (sheet.first_dealer + dealt) % sheet.ruleset.seats
        dealt += isinstance(line.record, passing) and not line.is_surplus
    assert sheet.match().deals == dealt


@property_settings
@given(sheets())
def test_typed_totals_give_the_same_match_as_recorded_hands(sheet: Sheet) -> None:
    sheet = replace(sheet, match_format=MatchFormat(games_to_win=2, charlemagne_points=9))
    marked = sheet.match()
    typed: list[Record] = [GameTotals(points=game.points, winner=game.winner) for game in marked.games]
    typed.append(GameTotals(points=marked.game.points))
    if marked.is_over and not marked.has_games_to_win:
        typed.append(TimeCall())
    for decided_by in MatchCriterion:
        marked = replace(marked, match_format=replace(sheet.match_format, decided_by=decided_by))
        match = replace(sheet, match_format=marked.match_format, records=tuple(typed)).match()
        assert all(list_record_refusals(sheet.ruleset, record) == [] for record in typed)
        assert (match.games, match.game, match.points) == (marked.games, marked.game, marked.points)
        assert (match.games_won, match.winner) == (marked.games_won, marked.winner)


@property_settings
@given(sheets())
def test_fold_treats_both_sides_alike(sheet: Sheet) -> None:
    def swap_side(record: Record) -> Record:
        if isinstance(record, PlayedHand):
            return replace(record, side=record.side.other)
        if isinstance(record, GameTotals):
            return replace(record, points=(record.points[1], record.points[0]))
        return record

    match = sheet.match()
    favored = sheet.match_format.favored
    other_way = replace(sheet.match_format, favored=None if favored is None else favored.other)
    records = tuple(swap_side(record) for record in sheet.records)
    mirrored = replace(sheet, records=records, match_format=other_way).match()
    assert mirrored.points == match.points[::-1]
    assert mirrored.games_won == match.games_won[::-1]
    assert mirrored.is_over is match.is_over
    assert mirrored.winner is (None if match.winner is None else match.winner.other)


@property_settings
@given(sheets(with_totals=False))
def test_game_is_worth_at_least_the_target_if_points_decide(sheet: Sheet) -> None:
    match_format = MatchFormat(hands=40, decided_by=MatchCriterion.POINTS)
    match = replace(sheet, match_format=match_format).match()
    for side in Side:
        assert match.points[side] >= sheet.ruleset.target * match.games_won[side]
    scored = sum(sum(line.gained) for line in match.lines)
    if all(game.by == "points" for game in match.games):
        assert sum(match.points) == scored
