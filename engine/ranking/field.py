"""The field of a ranking: the results of each entry that count, computed once for all metrics."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from types import MappingProxyType

from engine.draws import EntryId
from errors import Refusal

from .lines import WHOLE, EntryResults, get_win_share
from .metrics import METRICS, PER_MATCH_METRICS, MetricScope
from .ranking_rules import OwnAverage, RankingRules, UnplayedOpponent
from .values import FORFEIT, MISSED_KINDS, PLAYED, WON, Average, Result, ResultAdjustment, StageGroup

ADJUSTABLE: Mapping[str, tuple[str, ...]] = {
    "match_wins": ("match_wins", "half_wins", "averaged_wins", "win_rate"),
    "match_points": ("match_points", "progressive", "mean_match_points"),
    "points_for": (
        "points_for",
        "difference",
        "capped_difference",
        *(PER_MATCH_METRICS[key] for key in ("points_for", "difference", "capped_difference")),
    ),
    "victory_points": ("victory_points", "mean_victory_points"),
}
"""Metrics that a director may adjust, with those that change with them."""

WIN_PARTS: Mapping[str, int] = {"half_wins": 2, "averaged_wins": WHOLE, "win_rate": WHOLE}
"""Metrics in which a win counts as so many."""

NOWHERE = StageGroup(group=0)

Points = tuple[int, int]
"""Points for and against."""

_get_round = attrgetter("round")


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedField:
    """The ranked entries by number, and a line for each entry that has results or is ranked. ``pools`` are
    closed groups in which everybody meets everybody, and nobody else. ``orders`` are the metrics of each entry,
    if some have others than the rules; those of a stage have the same."""

    rules: RankingRules
    numbers: Mapping[EntryId, int]
    lines: Mapping[EntryId, EntryResults]
    pools: Mapping[EntryId, str] = field(default_factory=dict)
    orders: Mapping[EntryId, Sequence[str]] = field(default_factory=dict)

    def get_order(self, entry: EntryId) -> tuple[str, ...]:
        """Return the metrics that rank an entry, first to last."""
        return tuple(self.orders.get(entry, self.rules.order))

    @property
    def has_disqualified(self) -> bool:
        return any(self.lines[entry].is_disqualified for entry in self.numbers)


def build_ranked_field(
    numbers: Mapping[EntryId, int],
    results_by_entry: Mapping[EntryId, Iterable[Result]],
    rules: RankingRules,
    *,
    seed: int = 0,
    games_to_win: int = 0,
    adjustments: Iterable[ResultAdjustment] = (),
    stage_groups: Mapping[EntryId, StageGroup] = MappingProxyType({}),
    orders: Mapping[EntryId, Sequence[str]] = MappingProxyType({}),
    last_entries: AbstractSet[EntryId] = frozenset(),
) -> RankedField:
    """Return the field of these entries (id to number).

    ``games_to_win`` is the number of games for a match won without play, but never more than the best result at a
    table of the round: none if time ended all games.

    Disqualified entries, in ``last_entries``, rank after all others. An opponent who is not ranked has a line too,
    so that its value for its opponents is the same. Refuses: no_such_choice, for an adjustment of another metric.
    """
    raw_results = {entry: tuple(entry_results) for entry, entry_results in results_by_entry.items()}
    winners = _find_winners(raw_results.values())
    results = {
        entry: _count_results(raw_results.get(entry, ()), rules, games_to_win, winners)
        for entry in dict.fromkeys((*numbers, *raw_results))
    }
    rounds = sorted({result.round for entry_results in results.values() for result in entry_results})
    weights = {number: len(rounds) - place for place, number in enumerate(rounds)}
    adjustments_by_entry = _sum_adjustments(adjustments, rounds)
    counted_rounds = max(1, len(rounds) - rules.dropped)
    is_capped = rules.unplayed_opponent is UnplayedOpponent.CAPPED

    def build_line(
        entry: EntryId, counted_results: Sequence[Result], dropped_results: Sequence[Result] = ()
    ) -> EntryResults:
        stage_group = stage_groups.get(entry, NOWHERE)
        return EntryResults(
            number=numbers.get(entry, 0),
            results=counted_results,
            round_points=[rules.get_match_points(result) for result in counted_results],
            weights=weights,
            cap=rules.cap,
            draw=rules.draw,
            unplayed_cap=rules.draw * len(rounds) if is_capped else None,
            seed=seed,
            adjustments=adjustments_by_entry.get(entry, {}),
            dropped=dropped_results,
            group=stage_group.group,
            place=stage_group.place,
            is_still_playing=stage_group.is_still_playing,
            is_disqualified=entry in last_entries,
        )

    lines = {}
    for entry, entry_results in results.items():
        lines[entry] = build_line(entry, entry_results)
        if len(entry_results) > counted_rounds:
            order = orders.get(entry, rules.order)
            dropped_places = _find_worst(lines[entry], order, len(entry_results) - counted_rounds)
            remaining = [result for place, result in enumerate(entry_results) if place not in dropped_places]
            lines[entry] = build_line(entry, remaining, [entry_results[place] for place in sorted(dropped_places)])
    update_opponent_values(lines)
    return RankedField(rules=rules, numbers=numbers, lines=lines, orders=orders)


def _find_winners(results: Iterable[Iterable[Result]]) -> dict[int, tuple[Points, int]]:
    """Return by round the average points of those who won at a table, and their most games."""
    wins_by_round: dict[int, list[Result]] = defaultdict(list)
    for result in chain.from_iterable(results):
        if result.kind is PLAYED and result.outcome is WON:
            wins_by_round[result.round].append(result)
    return {
        number: (_compute_mean(round_results), max(each.games_won for each in round_results))
        for number, round_results in wins_by_round.items()
    }


def _compute_mean(results: Sequence[Result]) -> Points:
    """Return the average points for and against."""
    return (
        _compute_rounded_mean(result.points_for for result in results),
        _compute_rounded_mean(result.points_against for result in results),
    )


def _compute_rounded_mean(numbers: Iterable[int]) -> int:
    """Return the average, a half rounded up; 0 if there are none."""
    values = list(numbers)
    return (2 * sum(values) + len(values)) // (2 * len(values)) if values else 0


def _compute_own_average(played: Sequence[Result]) -> OwnAverage:
    return OwnAverage(
        share=sum(map(get_win_share, played)) // max(1, len(played)),
        games_won=_compute_rounded_mean(result.games_won for result in played),
        games_lost=_compute_rounded_mean(result.games_lost for result in played),
    )


def _count_results(
    results: Sequence[Result],
    rules: RankingRules,
    games_to_win: int,
    winners: Mapping[int, tuple[Points, int]],
) -> list[Result]:
    """Count the results of an entry, from first to last. A round without play is worth a match of its own
    length, or the average of the entry's matches of that length; of all, if it played none."""
    played = [result for result in results if result.kind is PLAYED]

    def count_result(result: Result) -> Result:
        same_length = [each for each in played if each.length == result.length] or played
        games = games_to_win if result.length is None else result.length.games_to_win or 0
        points, most_games = winners.get(result.round, ((0, 0), games))
        return rules.count_result(
            result,
            games_to_win=min(games, most_games),
            averages={Average.OWN: _compute_mean(same_length), Average.WINNERS: points},
            own_average=_compute_own_average(same_length),
        )

    return sorted([result if result.kind is PLAYED else count_result(result) for result in results], key=_get_round)


def _find_worst(line: EntryResults, order: Sequence[str], count: int) -> set[int]:
    """Return the places of the worst results: missed rounds first, then by the entry's own metrics, in their
    order; among equals the earlier."""
    own_metrics = [METRICS[key] for key in order if METRICS[key].scope in (MetricScope.OWN, MetricScope.MEAN)]
    sort_keys = zip(
        [result.kind not in MISSED_KINDS for result in line.results],
        *[metric.get_merits(metric.parts(line)) for metric in own_metrics],
        range(len(line.results)),
        strict=True,
    )
    return {place for *_, place in sorted(sort_keys)[:count]}


def _sum_adjustments(adjustments: Iterable[ResultAdjustment], rounds: Sequence[int]) -> dict[EntryId, Counter[str]]:
    """Sum the adjustments by entry and metric. In running totals a change counts from its round on; one of
    the whole, once."""
    found: dict[EntryId, Counter[str]] = defaultdict(Counter)
    for each in adjustments:
        if each.metric not in ADJUSTABLE:
            raise Refusal("no_such_choice", field="metric", value=each.metric, choices=tuple(ADJUSTABLE))
        for key in ADJUSTABLE[each.metric]:
            times = 1
            if key == "progressive" and each.round is not None:
                times = sum(number >= each.round for number in rounds)
            if key in WIN_PARTS:
                times = WIN_PARTS[key]
            found[each.entry][key] += each.amount * times
    return found


def update_opponent_values(lines: Mapping[EntryId, EntryResults]) -> None:
    """Compute the values of each line, and pass them to its opponents.

    Where people meet two, a single opponent counts twice.
    """
    width = max([len(each.opponents) for line in lines.values() for each in line.results], default=0) or 1
    for line in lines.values():
        line.weigh()
    for line in lines.values():
        for result in line.results:
            scores, rates = get_opponent_values(line, result, lines)
            line.opponent_scores.append(sum(scores) * width // len(scores))
            line.opponent_rates.append(sum(rates) // len(rates))


def get_opponent_values(
    line: EntryResults, result: Result, lines: Mapping[EntryId, EntryResults]
) -> tuple[list[int], list[int]]:
    """Return the scores and rates of the opponents of a round; without an opponent in the field, those of the
    entry itself: with a cap, no better than the expected opponent, or than an entry that draws every round
    (FIDE's C.07 of 2026, 16.4)."""
    opponents = [lines[opponent] for opponent in result.opponents if opponent in lines]
    if result.kind is PLAYED and opponents:
        return [other.score_for_opponents for other in opponents], [other.rate for other in opponents]
    if line.unplayed_cap is None:
        caps = [line.score]
    elif result.kind is FORFEIT and opponents:
        caps = [other.score_for_opponents for other in opponents]
    else:
        caps = [line.unplayed_cap]
    return [min(line.score, cap) for cap in caps], [line.rate]
