"""Chances of winning, counted again: the rules fold every course of a small match, in exact fractions."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.chances import Chance, Position, chance_of, chances_in, position_of
from engine.hands import HAND_COUNTS, HANDS, HandCounts
from rules import (
    CANADIAN,
    RULESETS,
    AllPass,
    DecidedBy,
    MatchFormat,
    MatchState,
    PassedOut,
    PlayedHand,
    Record,
    Ruleset,
    Seat,
    Side,
    side_of,
    with_house_rules,
)
from tests.rules.sheets import ONE_GAME, TWO_GAMES, A, B, law, made, match_of, standing_at
from tests.rules.test_match_laws import Sheet, sheets

EXACT = 1e-12


def hands_from(match: MatchState, counts: HandCounts) -> Iterator[tuple[Record, Fraction]]:
    """Every hand that can follow, with its probability."""
    ruleset, dealing = match.ruleset, side_of(match.dealer)
    known = [each for each in counts.results if each[0] in ruleset.played_keys]
    passed = counts.passed if ruleset.all_pass is AllPass.NEXT_DEALER else 0
    whole = passed + sum(made + failed for _, made, failed in known)
    if passed:
        yield PassedOut(), Fraction(passed, whole)
    for gainer, share in ((dealing, counts.dealers), (dealing.other, HANDS - counts.dealers)):
        for key, made_by, failed_by in known:
            for is_made, hands in ((True, made_by), (False, failed_by)):
                side = gainer if is_made else gainer.other
                hand = PlayedHand(side=side, contract=key, made=is_made)
                yield hand, Fraction(hands * share, whole * HANDS)


def counted(match: MatchState, counts: HandCounts, known: dict[object, list[Fraction]]) -> list[Fraction]:
    """The probabilities that A wins, nobody, B: by every hand that can follow, until the match is over."""
    if match.is_over:
        return [Fraction(match.winner is each) for each in (A, None, B)]
    state = (match.game.points, match.games_won, match.points, match.dealer, match.deals)
    if state not in known:
        sums = [Fraction(0)] * 3
        for record, probability in hands_from(match, counts):
            if probability:
                after = replace(match.after(1, record), lines=())
                ends = counted(after, counts, known)
                sums = [total + probability * each for total, each in zip(sums, ends, strict=True)]
        known[state] = sums
    return known[state]


formats = st.builds(MatchFormat, games_to_win=st.integers(1, 3)) | st.builds(
    MatchFormat,
    games_to_win=st.none() | st.integers(1, 2),
    hands=st.integers(1, 4),
    decided_by=st.sampled_from(DecidedBy),
    charlemagne_points=st.none() | st.integers(0, 20),
)


@st.composite
def small_matches(draw: st.DrawFn) -> tuple[MatchState, HandCounts]:
    """A match under house rules with a low target, and the hands that a club might play."""
    base = RULESETS[draw(st.sampled_from(sorted(RULESETS)))]
    match_format = draw(formats)
    keys = draw(st.lists(st.sampled_from(base.played_keys), min_size=1, max_size=3, unique=True))
    if base.all_pass is AllPass.DEALER_MUST_BID:
        keys.append("5")
    ladder = [key for key in base.ladder if key in keys]
    ruleset = with_house_rules(base, {"target": draw(st.integers(1, 14)), "ladder": ladder})
    counts = HandCounts(
        results=tuple((key, draw(st.integers(1, 9)), draw(st.integers(0, 9))) for key in ladder),
        passed=0 if match_format.hands is None else draw(st.integers(0, 5)),
        dealers=draw(st.integers(1, HANDS - 1)),
    )
    dealer = Seat(draw(st.integers(0, ruleset.seats - 1)))
    return MatchState(ruleset=ruleset, match_format=match_format, dealer=dealer), counts


@pytest.mark.slow
@law
@given(small_matches())
def test_chances_are_those_of_every_possible_course(drawn: tuple[MatchState, HandCounts]) -> None:
    match, counts = drawn
    found = chances_in(match.ruleset, match.match_format, counts).at(position_of(match))
    assert found == pytest.approx([float(each) for each in counted(match, counts, {})], abs=EXACT)


@law
@given(sheets())
def test_a_chance_is_the_mean_of_those_after_the_next_hand(sheet: Sheet) -> None:
    """So it is from every position, of whole rulesets; and the three add up to 1."""
    match = sheet.match()
    counts = HAND_COUNTS[sheet.ruleset.key]
    now = chance_of(match)
    if match.is_over or now is None:
        return
    assert sum(now) == pytest.approx(1, abs=EXACT)
    means = [0.0] * 3
    for record, probability in hands_from(match, counts):
        after = chance_of(match.after(99, record))
        assert after is not None
        means = [total + float(probability) * each for total, each in zip(means, after, strict=True)]
    assert now == pytest.approx(means, abs=EXACT)


def test_hands_passed_out_only_move_the_deal() -> None:
    counts = replace(HAND_COUNTS["canadian"], passed=400)
    table = chances_in(CANADIAN, ONE_GAME, counts)
    near, far = (table.at(Position((20, 25), (0, 0), -5, dealing, 0)) for dealing in Side)
    assert near is not None
    assert far is not None
    idle = 400 / 1400
    never = chances_in(CANADIAN, ONE_GAME, HAND_COUNTS["canadian"])
    assert never is not table
    after = [0.0, 0.0]
    for dealing, now, other in ((A, near, far), (B, far, near)):
        match = match_of(CANADIAN, standing_at(20, 25), first_dealer=dealing)
        for record, probability in hands_from(match, replace(counts, passed=0)):
            following = match.after(2, record)
            value = (
                float(following.winner is A) if following.is_over else table.at(position_of(following)).a  # type: ignore[union-attr]
            )
            after[dealing] += float(probability) * value
        assert now.a == pytest.approx(idle * other.a + (1 - idle) * after[dealing], abs=EXACT)


@pytest.mark.parametrize("key", sorted(RULESETS))
def test_more_points_or_games_never_lower_a_chance(key: str) -> None:
    ruleset = RULESETS[key]
    table = chances_in(ruleset, TWO_GAMES)

    def chance(own: int, other: int, games: tuple[int, int], dealing: Side) -> float:
        found = table.at(Position((own, other), games, 0, dealing, 0))
        assert found is not None
        return found.a

    for dealing in Side:
        for games in ((0, 0), (1, 0), (0, 1), (1, 1)):
            for other in range(0, ruleset.target, 3):
                values = [chance(own, other, games, dealing) for own in range(ruleset.target)]
                assert all(low <= high + EXACT for low, high in pairwise(values))
        assert chance(0, 0, (0, 1), dealing) < chance(0, 0, (0, 0), dealing) < chance(0, 0, (1, 0), dealing)


def test_both_sides_are_alike_but_for_the_deal() -> None:
    table = chances_in(CANADIAN, ONE_GAME)
    here, there = (
        table.at(Position(points, (0, 0), 0, dealing, 0)) for points, dealing in (((9, 20), A), ((20, 9), B))
    )
    assert here is not None
    assert there is not None
    assert (here.a, here.b) == pytest.approx((there.b, there.a), abs=EXACT)
    assert table.at(Position((0, 0), (0, 0), 0, A, 0)).a < 0.5  # type: ignore[union-attr]


def test_a_charlemagne_that_wins_at_once_leaves_everybody_a_chance() -> None:
    maine = RULESETS["maine"]
    found = chances_in(maine, ONE_GAME).at(Position((0, 20), (0, 0), -20, A, 0))
    assert found is not None
    assert found.a > HAND_COUNTS["maine"].dealers / HANDS * 0.008


def test_a_match_by_the_clock_has_no_chances_until_it_ends() -> None:
    clock = MatchFormat(minutes=40)
    assert chance_of(match_of(CANADIAN, made(A, "7"), match_format=clock)) is None


def test_where_games_and_points_count_chances_come_with_the_last_hands() -> None:
    match_format = MatchFormat(hands=12)
    assert chance_of(match_of(CANADIAN, made(A, "7"), match_format=match_format)) is None
    late = match_of(CANADIAN, *[made(A, "7"), made(B, "6")] * 4, match_format=match_format)
    assert chance_of(late) is not None


def test_a_ladder_of_which_no_hands_are_known_has_chances() -> None:
    ruleset: Ruleset = with_house_rules(RULESETS["maine"], {"ladder": ["5"], "contracts": {"5": {"made": 0}}})
    counts = HandCounts(results=(("petite", 3, 1),), passed=0)
    assert chances_in(ruleset, ONE_GAME, counts).at(Position((0, 0), (0, 0), 0, A, 0)) is not None


@given(st.floats(0, 1), st.floats(0, 1))
def test_percentages_add_up_and_leave_what_is_possible(share: float, drawn: float) -> None:
    chance = Chance(share * (1 - drawn), drawn, (1 - share) * (1 - drawn))
    percentages = chance.percentages
    assert sum(percentages) == 100
    assert all((each > 0) <= (percent > 0) for each, percent in zip(chance, percentages, strict=True))
