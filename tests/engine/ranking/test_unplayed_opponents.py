"""Opponents in unplayed rounds: as good as the entry itself, or by article 16 of FIDE's C.07 of 2026."""

from typing import Any

import pytest

from engine.draws import EntryId
from engine.ranking import (
    Bye,
    Outcome,
    OutcomeKind,
    RankedField,
    RankingRules,
    Result,
    UnplayedOpponent,
    breakdown,
    ranked_field,
    ranking_rules_from_json,
    ranking_rules_to_json,
)
from engine.ranking.metrics import METRICS

ONE, TWO, THREE, FOUR = (EntryId(number) for number in range(1, 5))
CAPPED = RankingRules(
    order=("match_points", "buchholz"),
    requested_bye=Bye.DRAW,
    unplayed_opponent=UnplayedOpponent.CAPPED,
)
Told = dict[EntryId, list[Result]]


def played(number: int, outcome: str, opponent: EntryId) -> Result:
    return Result(round=number, outcome=Outcome(outcome), opponents=(opponent,))


def without(number: int, kind: OutcomeKind, outcome: str = "lost", opponent: EntryId | None = None) -> Result:
    opponents = () if opponent is None else (opponent,)
    return Result(round=number, outcome=Outcome(outcome), kind=kind, opponents=opponents)


def counted(told: Told, rules: RankingRules = CAPPED, **more: Any) -> RankedField:
    numbers = {entry: int(entry) for entry in told}
    return ranked_field(numbers, told, rules, **more)


def value(told: Told, entry: EntryId, key: str = "buchholz", rules: RankingRules = CAPPED) -> int:
    return METRICS[key].value(counted(told, rules).lines[entry])


class TestTheCap:
    WINNER: Told = {
        ONE: [played(1, "won", TWO), played(2, "won", THREE), without(3, OutcomeKind.BYE, "won")],
        TWO: [played(1, "lost", ONE), played(2, "won", FOUR), played(3, "won", THREE)],
        THREE: [played(1, "won", FOUR), played(2, "lost", ONE), played(3, "lost", TWO)],
        FOUR: [played(1, "lost", THREE), played(2, "lost", TWO), without(3, OutcomeKind.ABSENT)],
    }

    def test_a_bye_is_worth_no_more_than_a_draw_in_every_round(self) -> None:
        """16.4.2: with 6 points after 3 rounds, the opponent of the bye has 3, and not 6."""
        assert value(self.WINNER, ONE) == 4 + 2 + 3
        assert value(self.WINNER, ONE, rules=RankingRules()) == 4 + 2 + 6

    def test_who_has_less_than_the_cap_meets_an_equal(self) -> None:
        assert value(self.WINNER, FOUR) == 2 + 4 + 0

    def test_a_forfeit_is_worth_no_more_than_the_opponent_who_was_due(self) -> None:
        """16.4.1"""
        told: Told = {
            ONE: [played(1, "won", THREE), without(2, OutcomeKind.FORFEIT, "won", TWO)],
            TWO: [played(1, "lost", FOUR), without(2, OutcomeKind.FORFEIT, "lost", ONE)],
            THREE: [played(1, "lost", ONE), played(2, "lost", FOUR)],
            FOUR: [played(1, "won", TWO), played(2, "won", THREE)],
        }
        assert value(told, ONE) == 0 + 0
        assert value(told, TWO) == 4 + 0

    def test_the_value_is_the_sum_of_the_parts_that_are_explained(self) -> None:
        parts = breakdown(counted(self.WINNER), ONE, "buchholz")
        assert [part.value for part in parts] == [4, 2, 3]


class TestTheScoreForOpponents:
    def test_the_last_rounds_that_somebody_chose_not_to_play_count_as_draws(self) -> None:
        """16.3.2: a withdrawal after round 1 of three adds two draws for those who met the entry."""
        told: Told = {
            ONE: [played(1, "lost", TWO), played(2, "won", THREE), played(3, "won", THREE)],
            TWO: [
                played(1, "won", ONE),
                without(2, OutcomeKind.WITHDRAWN),
                without(3, OutcomeKind.WITHDRAWN),
            ],
            THREE: [without(1, OutcomeKind.BYE, "won"), played(2, "lost", ONE), played(3, "lost", ONE)],
        }
        assert value(told, ONE) == (2 + 1 + 1) + 2 + 2

    def test_a_missed_round_before_a_played_one_counts_what_it_gave(self) -> None:
        """16.3.1"""
        told: Told = {
            ONE: [played(1, "won", TWO), played(2, "won", THREE), played(3, "won", TWO)],
            TWO: [played(1, "lost", ONE), without(2, OutcomeKind.REQUESTED_BYE), played(3, "lost", ONE)],
            THREE: [without(1, OutcomeKind.BYE, "won"), played(2, "lost", ONE), without(3, OutcomeKind.BYE)],
        }
        assert value(told, ONE) == 1 + 4 + 1

    def test_a_lost_forfeit_at_the_end_stays_lost(self) -> None:
        """16.3.1, and the bye before it is followed by such rounds only."""
        told: Told = {
            ONE: [
                played(1, "won", TWO),
                played(2, "won", THREE),
                without(3, OutcomeKind.FORFEIT, "won", TWO),
            ],
            TWO: [
                played(1, "lost", ONE),
                without(2, OutcomeKind.ABSENT),
                without(3, OutcomeKind.FORFEIT, "lost", ONE),
            ],
            THREE: [without(1, OutcomeKind.BYE, "won"), played(2, "lost", ONE), without(3, OutcomeKind.BYE)],
        }
        assert value(told, ONE) == 1 + 4 + 1


class TestTheCut:
    TOLD: Told = {
        ONE: [played(1, "won", TWO), played(2, "lost", THREE), without(3, OutcomeKind.REQUESTED_BYE)],
        TWO: [played(1, "lost", ONE), played(2, "lost", FOUR), played(3, "lost", FOUR)],
        THREE: [played(1, "won", FOUR), played(2, "won", ONE), without(3, OutcomeKind.BYE)],
        FOUR: [played(1, "lost", THREE), played(2, "won", TWO), played(3, "won", TWO)],
    }

    def test_cuts_what_an_entry_chose_not_to_play_before_its_weakest_opponent(self) -> None:
        """16.5: opponents with 0, 6 and the bye's 3; the 3 is cut, although 0 is lower."""
        assert value(self.TOLD, ONE, "buchholz_cut_1") == 0 + 6
        own = RankingRules(requested_bye=CAPPED.requested_bye)
        assert value(self.TOLD, ONE, "buchholz_cut_1", own) == 3 + 6

    def test_a_bye_in_turn_is_cut_like_any_opponent(self) -> None:
        assert value(self.TOLD, THREE, "buchholz_cut_1") == 4 + 3


class TestTheSetting:
    def test_is_written_and_read(self) -> None:
        plain = ranking_rules_to_json(CAPPED)
        assert plain["unplayed_opponent"] == "capped"
        assert ranking_rules_from_json(plain) == CAPPED
        assert ranking_rules_from_json({}).unplayed_opponent is UnplayedOpponent.OWN

    @pytest.mark.parametrize("key", ["buchholz", "buchholz_cut_1", "sonneborn_berger", "opponents_win_rate"])
    def test_changes_nothing_where_every_round_was_played(self, key: str) -> None:
        told: Told = {ONE: [played(1, "won", TWO)], TWO: [played(1, "lost", ONE)]}
        assert value(told, TWO, key) == value(told, TWO, key, RankingRules())
