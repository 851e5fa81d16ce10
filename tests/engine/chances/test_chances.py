"""Chances of winning, compared with an exact count: the rules fold every course of a small match."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chances import Chance, Position, compute_chance, get_chances, get_position
from engine.hands import HAND_COUNTS, HANDS, HandCounts
from rules import (
    CANADIAN,
    RULESETS,
    AllPassRule,
    MatchCriterion,
    MatchFormat,
    MatchState,
    PassedOutHand,
    PlayedHand,
    Record,
    Ruleset,
    Seat,
    Side,
    apply_house_rules,
    get_side,
)
from tests.rules.sheets import ONE_GAME, TWO_GAMES, A, B, build_totals, make_hand, match_of, property_settings
from tests.rules.test_match_properties import Sheet, sheets

EXACT = 1e-12


def iter_next_hands(match: MatchState, counts: HandCounts) -> Iterator[tuple[Record, Fraction]]:
    """Yield every hand that can follow, with its probability."""
    ruleset, dealing = match.ruleset, get_side(match.dealer)
    playable_results = [each for each in counts.results if each[0] in ruleset.played_keys]
    passed = counts.passed if ruleset.all_pass is AllPassRule.NEXT_DEALER else 0
    whole = passed + sum(made + failed for _, made, failed in playable_results)
    if passed:
        yield PassedOutHand(), Fraction(passed, whole)
    for gainer, share in ((dealing, counts.dealers), (dealing.other, HANDS - counts.dealers)):
        for key, made_by, failed_by in playable_results:
            for is_made, hands in ((True, made_by), (False, failed_by)):
                side = gainer if is_made else gainer.other
                hand = PlayedHand(side=side, contract=key, made=is_made)
                yield hand, Fraction(hands * share, whole * HANDS)


def count_chances(match: MatchState, counts: HandCounts, memo: dict[object, list[Fraction]]) -> list[Fraction]:
    """Return the probabilities that A wins, that nobody wins and that B wins, by enumerating all hands."""
    if match.is_over:
        return [Fraction(match.winner is each) for each in (A, None, B)]
    state = (match.game.points, match.games_won, match.points, match.dealer, match.deals)
    if state not in memo:
        sums = [Fraction(0)] * 3
        for record, probability in iter_next_hands(match, counts):
            if probability:
                after = replace(match.add_record(1, record), lines=())
                ends = count_chances(after, counts, memo)
                sums = [total + probability * each for total, each in zip(sums, ends, strict=True)]
        memo[state] = sums
    return memo[state]


formats = st.builds(MatchFormat, games_to_win=st.integers(1, 3)) | st.builds(
    MatchFormat,
    games_to_win=st.none() | st.integers(1, 2),
    hands=st.integers(1, 4),
    decided_by=st.sampled_from(MatchCriterion),
    charlemagne_points=st.none() | st.integers(0, 20),
)


@st.composite
def small_matches(draw: st.DrawFn) -> tuple[MatchState, HandCounts]:
    """Generate a match under house rules with a low target, and counts of the hands that a club plays."""
    base = RULESETS[draw(st.sampled_from(sorted(RULESETS)))]
    match_format = draw(formats)
    keys = draw(st.lists(st.sampled_from(base.played_keys), min_size=1, max_size=3, unique=True))
    if base.all_pass is AllPassRule.DEALER_MUST_BID:
        keys.append("5")
    ladder = [key for key in base.ladder if key in keys]
    ruleset = apply_house_rules(base, {"target": draw(st.integers(1, 14)), "ladder": ladder})
    counts = HandCounts(
        results=tuple((key, draw(st.integers(1, 9)), draw(st.integers(0, 9))) for key in ladder),
        passed=0 if match_format.hands is None else draw(st.integers(0, 5)),
        dealers=draw(st.integers(1, HANDS - 1)),
    )
    dealer = Seat(draw(st.integers(0, ruleset.seats - 1)))
    return MatchState(ruleset=ruleset, match_format=match_format, dealer=dealer), counts


@pytest.mark.slow
@property_settings
@given(small_matches())
def test_chances_match_exact_enumeration_of_every_course(drawn: tuple[MatchState, HandCounts]) -> None:
    match, counts = drawn
    found = get_chances(match.ruleset, match.match_format, counts).get_chance(get_position(match))
    assert found == pytest.approx([float(each) for each in count_chances(match, counts, {})], abs=EXACT)


@pytest.mark.slow
@property_settings
@given(sheets())
def test_chance_equals_mean_of_chances_after_next_hand(sheet: Sheet) -> None:
    """Property of every position of the built-in rulesets; the three chances also add up to 1."""
    match = sheet.match()
    counts = HAND_COUNTS[sheet.ruleset.key]
    now = compute_chance(match)
    if match.is_over or now is None:
        return
    assert sum(now) == pytest.approx(1, abs=EXACT)
    means = [0.0] * 3
    for record, probability in iter_next_hands(match, counts):
        after = compute_chance(match.add_record(99, record))
        assert after is not None
        means = [total + float(probability) * each for total, each in zip(means, after, strict=True)]
    assert now == pytest.approx(means, abs=EXACT)


def test_passed_hands_only_move_the_deal() -> None:
    counts = replace(HAND_COUNTS["canadian"], passed=400)
    table = get_chances(CANADIAN, ONE_GAME, counts)
    near, far = (table.get_chance(Position((20, 25), (0, 0), -5, dealing, 0)) for dealing in Side)
    assert near is not None
    assert far is not None
    idle = 400 / 1400
    never = get_chances(CANADIAN, ONE_GAME, HAND_COUNTS["canadian"])
    assert never is not table
    after = [0.0, 0.0]
    for dealing, now, other in ((A, near, far), (B, far, near)):
        match = match_of(CANADIAN, build_totals(20, 25), first_dealer=dealing)
        for record, probability in iter_next_hands(match, replace(counts, passed=0)):
            following = match.add_record(2, record)
            value = (
                float(following.winner is A) if following.is_over else table.get_chance(get_position(following)).a  # type: ignore[union-attr]
            )
            after[dealing] += float(probability) * value
        assert now.a == pytest.approx(idle * other.a + (1 - idle) * after[dealing], abs=EXACT)


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_more_points_or_games_never_lower_a_chance(key: str) -> None:
    ruleset = RULESETS[key]
    table = get_chances(ruleset, TWO_GAMES)

    def chance(own: int, other: int, games: tuple[int, int], dealing: Side) -> float:
        found = table.get_chance(Position((own, other), games, 0, dealing, 0))
        assert found is not None
        return found.a

    for dealing in Side:
        for games in ((0, 0), (1, 0), (0, 1), (1, 1)):
            for other in range(0, ruleset.target, 3):
                values = [chance(own, other, games, dealing) for own in range(ruleset.target)]
                assert all(low <= high + EXACT for low, high in pairwise(values))
        assert chance(0, 0, (0, 1), dealing) < chance(0, 0, (0, 0), dealing) < chance(0, 0, (1, 0), dealing)


def test_sides_differ_only_by_the_deal() -> None:
    table = get_chances(CANADIAN, ONE_GAME)
    here, there = (
        table.get_chance(Position(points, (0, 0), 0, dealing, 0)) for points, dealing in (((9, 20), A), ((20, 9), B))
    )
    assert here is not None
    assert there is not None
    assert (here.a, here.b) == pytest.approx((there.b, there.a), abs=EXACT)
    assert table.get_chance(Position((0, 0), (0, 0), 0, A, 0)).a < 0.5  # type: ignore[union-attr]


def test_immediate_charlemagne_win_leaves_the_trailing_side_a_chance() -> None:
    maine = RULESETS["maine"]
    found = get_chances(maine, ONE_GAME).get_chance(Position((0, 20), (0, 0), -20, A, 0))
    assert found is not None
    assert found.a > HAND_COUNTS["maine"].dealers / HANDS * 0.008


def test_timed_match_has_no_chances_until_it_ends() -> None:
    clock = MatchFormat(minutes=40)
    assert compute_chance(match_of(CANADIAN, make_hand(A, "7"), match_format=clock)) is None


@pytest.mark.slow
def test_fixed_hands_match_has_chances_only_in_its_last_hands() -> None:
    match_format = MatchFormat(hands=12)
    assert compute_chance(match_of(CANADIAN, make_hand(A, "7"), match_format=match_format)) is None
    late = match_of(CANADIAN, *[make_hand(A, "7"), make_hand(B, "6")] * 4, match_format=match_format)
    assert compute_chance(late) is not None


def test_order_of_bids_without_known_counts_still_has_chances() -> None:
    ruleset: Ruleset = apply_house_rules(RULESETS["maine"], {"ladder": ["5"], "contracts": {"5": {"made": 0}}})
    counts = HandCounts(results=(("petite", 3, 1),), passed=0)
    assert get_chances(ruleset, ONE_GAME, counts).get_chance(Position((0, 0), (0, 0), 0, A, 0)) is not None


@given(st.floats(0, 1), st.floats(0, 1))
def test_percentages_add_up_and_keep_possible_outcomes_above_zero(share: float, drawn: float) -> None:
    chance = Chance(share * (1 - drawn), drawn, (1 - share) * (1 - drawn))
    percentages = chance.percentages
    assert sum(percentages) == 100
    assert all((each > 0) <= (percent > 0) for each, percent in zip(chance, percentages, strict=True))
