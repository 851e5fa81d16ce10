"""Metrics that depend on other entries, recounted naively."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import EntryId
from engine.ranking import Outcome, OutcomeKind, Result

from .events import Event, adjustments, played, rules


class NaiveRanking:
    """Scores and rates, recomputed from their definitions for each question."""

    def __init__(self, event: Event) -> None:
        self.event, self.of = event, event.results_by_entry
        self.width = max((len(each.opponents) for those in self.of.values() for each in those), default=0) or 1

    def get_points(self, result: Result) -> int:
        if result.kind is OutcomeKind.BYE:
            return {"win": 2, "draw": 1, "nothing": 0}[self.event.rules.bye]
        if result.kind is OutcomeKind.FORFEIT and result.outcome is Outcome.DRAWN:  # nobody came
            return 0
        return {Outcome.WON: 2, Outcome.DRAWN: 1, Outcome.LOST: 0}[result.outcome]

    def score(self, entry: EntryId) -> int:
        adjusted = [
            each.amount for each in self.event.adjustments if each.entry == entry and each.metric == "match_points"
        ]
        return sum(self.get_points(each) for each in self.of[entry]) + sum(adjusted)

    def rate(self, entry: EntryId) -> int:
        won = [self.get_points(each) for each in self.of[entry] if each.kind is OutcomeKind.PLAYED]
        return 10_000 * sum(won) // (2 * len(won)) if won else 0

    def sum_opponent_scores(self, entry: EntryId, result: Result) -> int:
        if result.kind is not OutcomeKind.PLAYED:
            return self.width * self.score(entry)
        return sum(self.score(opponent) for opponent in result.opponents)

    def get_buchholz(self, entry: EntryId, *, lowest: int = 0, highest: int = 0) -> int:
        parts = sorted(self.sum_opponent_scores(entry, each) for each in self.of[entry])
        for _ in range(lowest):
            parts = parts[1:]
        for _ in range(highest):
            parts = parts[:-1]
        return sum(parts)

    def get_sonneborn_berger(self, entry: EntryId) -> int:
        return sum(self.get_points(each) * self.sum_opponent_scores(entry, each) for each in self.of[entry])

    def get_opponents_win_rate(self, entry: EntryId) -> int:
        rates = []
        for each in self.of[entry]:
            met = each.opponents if each.kind is OutcomeKind.PLAYED else (entry,)
            rates.append(sum(self.rate(other) for other in met) // len(met))
        return sum(rates) // len(rates) if rates else 0

    def get_head_to_head(self, level: list[EntryId]) -> dict[EntryId, int | None]:
        times = {
            len([1 for each in self.of[one] if other in each.opponents])
            for one in level
            for other in level
            if one != other
        }
        if len(times) != 1 or times == {0}:
            return dict.fromkeys(level)
        return {entry: sum(self.is_ahead(entry, other, level) for other in level) for entry in level}

    def is_ahead(self, one: EntryId, other: EntryId, level: list[EntryId]) -> bool:
        """Compare by the matches among these entries; if level, by those among the entries still level with both."""
        among = {
            entry: sum(
                self.get_points(each) for each in self.of[entry] for opponent in each.opponents if opponent in level
            )
            for entry in level
        }
        if among[one] != among[other]:
            return among[one] > among[other]
        left = [entry for entry in level if among[entry] == among[one]]
        return len(left) < len(level) and self.is_ahead(one, other, left)


everything_counts = st.builds(Event, played(), rules(dropped=st.just(0)), st.just(0), adjustments)


@pytest.mark.slow
@given(everything_counts)
def test_opponent_metrics_match_a_naive_recount(event: Event) -> None:
    order = ("buchholz", "buchholz_cut_1", "buchholz_median", "sonneborn_berger", "opponents_win_rate")
    event = event._replace(rules=replace(event.rules, order=order))
    naive = NaiveRanking(event)
    for row in event.rows:
        assert [row.values[key] for key in order] == [
            naive.get_buchholz(row.entry),
            naive.get_buchholz(row.entry, lowest=1),
            naive.get_buchholz(row.entry, lowest=1, highest=1),
            naive.get_sonneborn_berger(row.entry),
            naive.get_opponents_win_rate(row.entry),
        ]


@pytest.mark.slow
@given(everything_counts, st.sampled_from(["charlemagnes", "match_points", "games_won"]))
def test_head_to_head_matches_a_naive_recount(event: Event, before: str) -> None:
    event = event._replace(rules=replace(event.rules, order=(before, "head_to_head")))
    naive, rows = NaiveRanking(event), event.rows
    for row in rows:
        level = [other.entry for other in rows if other.values[before] == row.values[before]]
        assert row.values["head_to_head"] == naive.get_head_to_head(level)[row.entry]
