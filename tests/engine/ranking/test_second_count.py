"""The metrics that look at others, counted again as naively as can be."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import EntryId
from engine.ranking import Outcome, OutcomeKind, Result

from .events import Event, adjustments, played, rules


class Naive:
    """Scores and rates looked up anew for each question, with no more than the definition."""

    def __init__(self, event: Event) -> None:
        self.event, self.of = event, event.by_entry
        self.width = (
            max((len(each.opponents) for those in self.of.values() for each in those), default=0) or 1
        )

    def points(self, result: Result) -> int:
        if result.kind is OutcomeKind.BYE:
            return {"win": 2, "draw": 1, "nothing": 0}[self.event.rules.bye]
        return {Outcome.WON: 2, Outcome.DRAWN: 1, Outcome.LOST: 0}[result.outcome]

    def score(self, entry: EntryId) -> int:
        adjusted = [
            each.amount
            for each in self.event.adjustments
            if each.entry == entry and each.metric == "match_points"
        ]
        return sum(self.points(each) for each in self.of[entry]) + sum(adjusted)

    def rate(self, entry: EntryId) -> int:
        won = [self.points(each) for each in self.of[entry] if each.kind is OutcomeKind.PLAYED]
        return 10_000 * sum(won) // (2 * len(won)) if won else 0

    def faced(self, entry: EntryId, result: Result) -> int:
        if result.kind is not OutcomeKind.PLAYED:
            return self.width * self.score(entry)
        return sum(self.score(opponent) for opponent in result.opponents)

    def buchholz(self, entry: EntryId, *, lowest: int = 0, highest: int = 0) -> int:
        parts = sorted(self.faced(entry, each) for each in self.of[entry])
        for _ in range(lowest):
            parts = parts[1:]
        for _ in range(highest):
            parts = parts[:-1]
        return sum(parts)

    def sonneborn_berger(self, entry: EntryId) -> int:
        return sum(self.points(each) * self.faced(entry, each) for each in self.of[entry])

    def opponents_win_rate(self, entry: EntryId) -> int:
        rates = []
        for each in self.of[entry]:
            met = each.opponents if each.kind is OutcomeKind.PLAYED else (entry,)
            rates.append(sum(self.rate(other) for other in met) // len(met))
        return sum(rates) // len(rates) if rates else 0

    def head_to_head(self, level: list[EntryId]) -> dict[EntryId, int | None]:
        times = {
            len([1 for each in self.of[one] if other in each.opponents])
            for one in level
            for other in level
            if one != other
        }
        if len(times) != 1 or times == {0}:
            return dict.fromkeys(level)
        return {entry: sum(self.beats(entry, other, level) for other in level) for entry in level}

    def beats(self, one: EntryId, other: EntryId, level: list[EntryId]) -> bool:
        """By the matches among these; level on them, by those among whoever is level with both."""
        among = {
            entry: sum(
                self.points(each)
                for each in self.of[entry]
                for opponent in each.opponents
                if opponent in level
            )
            for entry in level
        }
        if among[one] != among[other]:
            return among[one] > among[other]
        left = [entry for entry in level if among[entry] == among[one]]
        return len(left) < len(level) and self.beats(one, other, left)


everything_counts = st.builds(Event, played(), rules(dropped=st.just(0)), st.just(0), adjustments)


@pytest.mark.slow
@given(everything_counts)
def test_what_opponents_are_worth_is_the_same_by_a_second_count(event: Event) -> None:
    order = ("buchholz", "buchholz_cut_1", "buchholz_median", "sonneborn_berger", "opponents_win_rate")
    event = event._replace(rules=replace(event.rules, order=order))
    naive = Naive(event)
    for row in event.rows:
        assert [row.values[key] for key in order] == [
            naive.buchholz(row.entry),
            naive.buchholz(row.entry, lowest=1),
            naive.buchholz(row.entry, lowest=1, highest=1),
            naive.sonneborn_berger(row.entry),
            naive.opponents_win_rate(row.entry),
        ]


@given(everything_counts, st.sampled_from(["charlemagnes", "match_points", "games_won"]))
def test_head_to_head_is_the_same_by_a_second_count(event: Event, before: str) -> None:
    event = event._replace(rules=replace(event.rules, order=(before, "head_to_head")))
    naive, rows = Naive(event), event.rows
    for row in rows:
        level = [other.entry for other in rows if other.values[before] == row.values[before]]
        assert row.values["head_to_head"] == naive.head_to_head(level)[row.entry]
