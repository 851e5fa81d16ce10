"""Opponents in unplayed rounds: equal to the entry itself, or by article 16 of FIDE's C.07 of 2026."""

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
    break_down_metric,
    build_ranked_field,
    ranking_rules_from_json,
    ranking_rules_to_json,
)
from engine.ranking.metrics import METRICS

ONE, TWO, THREE, FOUR = (EntryId(number) for number in range(1, 5))
CAPPED_RULES = RankingRules(
    order=("match_points", "buchholz"),
    requested_bye=Bye.DRAW,
    unplayed_opponent=UnplayedOpponent.CAPPED,
)
ResultsByEntry = dict[EntryId, list[Result]]


def build_played(number: int, outcome: str, opponent: EntryId) -> Result:
    return Result(round=number, outcome=Outcome(outcome), opponents=(opponent,))


def build_unplayed(number: int, kind: OutcomeKind, outcome: str = "lost", opponent: EntryId | None = None) -> Result:
    opponents = () if opponent is None else (opponent,)
    return Result(round=number, outcome=Outcome(outcome), kind=kind, opponents=opponents)


def counted(results: ResultsByEntry, rules: RankingRules = CAPPED_RULES, **more: Any) -> RankedField:
    numbers = {entry: int(entry) for entry in results}
    return build_ranked_field(numbers, results, rules, **more)


def value(results: ResultsByEntry, entry: EntryId, key: str = "buchholz", rules: RankingRules = CAPPED_RULES) -> int:
    return METRICS[key].get_value(counted(results, rules).lines[entry])


class TestCappedOpponent:
    WINNER: ResultsByEntry = {
        ONE: [build_played(1, "won", TWO), build_played(2, "won", THREE), build_unplayed(3, OutcomeKind.BYE, "won")],
        TWO: [build_played(1, "lost", ONE), build_played(2, "won", FOUR), build_played(3, "won", THREE)],
        THREE: [build_played(1, "won", FOUR), build_played(2, "lost", ONE), build_played(3, "lost", TWO)],
        FOUR: [build_played(1, "lost", THREE), build_played(2, "lost", TWO), build_unplayed(3, OutcomeKind.ABSENT)],
    }

    def test_bye_opponent_is_worth_at_most_a_draw_per_round(self) -> None:
        """Article 16.4.2: with 6 points after 3 rounds, the opponent of the bye has 3, and not 6."""
        assert value(self.WINNER, ONE) == 4 + 2 + 3
        assert value(self.WINNER, ONE, rules=RankingRules()) == 4 + 2 + 6

    def test_entry_below_the_cap_meets_an_equal(self) -> None:
        assert value(self.WINNER, FOUR) == 2 + 4 + 0

    def test_forfeit_opponent_is_worth_at_most_the_absent_one(self) -> None:
        """Article 16.4.1."""
        results: ResultsByEntry = {
            ONE: [build_played(1, "won", THREE), build_unplayed(2, OutcomeKind.FORFEIT, "won", TWO)],
            TWO: [build_played(1, "lost", FOUR), build_unplayed(2, OutcomeKind.FORFEIT, "lost", ONE)],
            THREE: [build_played(1, "lost", ONE), build_played(2, "lost", FOUR)],
            FOUR: [build_played(1, "won", TWO), build_played(2, "won", THREE)],
        }
        assert value(results, ONE) == 0 + 0
        assert value(results, TWO) == 4 + 0

    def test_breakdown_gives_the_capped_values(self) -> None:
        parts = break_down_metric(counted(self.WINNER), ONE, "buchholz")
        assert [part.value for part in parts] == [4, 2, 3]


class TestAdjustedScores:
    def test_trailing_voluntary_rounds_count_as_draws(self) -> None:
        """Article 16.3.2: a withdrawal after round 1 of three adds two draws for opponents of the entry."""
        results: ResultsByEntry = {
            ONE: [build_played(1, "lost", TWO), build_played(2, "won", THREE), build_played(3, "won", THREE)],
            TWO: [
                build_played(1, "won", ONE),
                build_unplayed(2, OutcomeKind.WITHDRAWN),
                build_unplayed(3, OutcomeKind.WITHDRAWN),
            ],
            THREE: [
                build_unplayed(1, OutcomeKind.BYE, "won"),
                build_played(2, "lost", ONE),
                build_played(3, "lost", ONE),
            ],
        }
        assert value(results, ONE) == (2 + 1 + 1) + 2 + 2

    def test_missed_round_before_a_played_one_counts_its_result(self) -> None:
        """Article 16.3.1."""
        results: ResultsByEntry = {
            ONE: [build_played(1, "won", TWO), build_played(2, "won", THREE), build_played(3, "won", TWO)],
            TWO: [
                build_played(1, "lost", ONE),
                build_unplayed(2, OutcomeKind.REQUESTED_BYE),
                build_played(3, "lost", ONE),
            ],
            THREE: [
                build_unplayed(1, OutcomeKind.BYE, "won"),
                build_played(2, "lost", ONE),
                build_unplayed(3, OutcomeKind.BYE),
            ],
        }
        assert value(results, ONE) == 1 + 4 + 1

    def test_trailing_forfeit_loss_stays_a_loss(self) -> None:
        """Article 16.3.1; the absence counts as a draw, because only unplayed rounds follow it."""
        results: ResultsByEntry = {
            ONE: [
                build_played(1, "won", TWO),
                build_played(2, "won", THREE),
                build_unplayed(3, OutcomeKind.FORFEIT, "won", TWO),
            ],
            TWO: [
                build_played(1, "lost", ONE),
                build_unplayed(2, OutcomeKind.ABSENT),
                build_unplayed(3, OutcomeKind.FORFEIT, "lost", ONE),
            ],
            THREE: [
                build_unplayed(1, OutcomeKind.BYE, "won"),
                build_played(2, "lost", ONE),
                build_unplayed(3, OutcomeKind.BYE),
            ],
        }
        assert value(results, ONE) == 1 + 4 + 1


class TestCutRounds:
    RESULTS: ResultsByEntry = {
        ONE: [
            build_played(1, "won", TWO),
            build_played(2, "lost", THREE),
            build_unplayed(3, OutcomeKind.REQUESTED_BYE),
        ],
        TWO: [build_played(1, "lost", ONE), build_played(2, "lost", FOUR), build_played(3, "lost", FOUR)],
        THREE: [build_played(1, "won", FOUR), build_played(2, "won", ONE), build_unplayed(3, OutcomeKind.BYE)],
        FOUR: [build_played(1, "lost", THREE), build_played(2, "won", TWO), build_played(3, "won", TWO)],
    }

    def test_voluntary_unplayed_round_is_cut_before_the_weakest_opponent(self) -> None:
        """Article 16.5: of the opponents with 0, 6 and 3 (the bye), the 3 is cut, although 0 is lower."""
        assert value(self.RESULTS, ONE, "buchholz_cut_1") == 0 + 6
        own = RankingRules(requested_bye=CAPPED_RULES.requested_bye)
        assert value(self.RESULTS, ONE, "buchholz_cut_1", own) == 3 + 6

    def test_allocated_bye_is_cut_like_any_opponent(self) -> None:
        assert value(self.RESULTS, THREE, "buchholz_cut_1") == 4 + 3


class TestUnplayedOpponentSetting:
    def test_setting_survives_a_json_round_trip(self) -> None:
        rules_json = ranking_rules_to_json(CAPPED_RULES)
        assert rules_json["unplayed_opponent"] == "capped"
        assert ranking_rules_from_json(rules_json) == CAPPED_RULES
        assert ranking_rules_from_json({}).unplayed_opponent is UnplayedOpponent.OWN

    @pytest.mark.parametrize("key", ["buchholz", "buchholz_cut_1", "sonneborn_berger", "opponents_win_rate"])
    def test_setting_changes_nothing_if_every_round_was_played(self, key: str) -> None:
        results: ResultsByEntry = {ONE: [build_played(1, "won", TWO)], TWO: [build_played(1, "lost", ONE)]}
        assert value(results, TWO, key) == value(results, TWO, key, RankingRules())
