"""The field of a ranking: the results of each entry that count, computed once for all metrics."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from types import MappingProxyType

from engine.draws import EntryId
from errors import Refusal

from .lines import WHOLE, EntryResults, share_of_win
from .metrics import DISQUALIFIED, METRICS, PER_MATCH, MetricScope
from .ranking_rules import Average, OwnAverage, RankingRules, UnplayedOpponent
from .values import FORFEIT, MISSED, PLAYED, WON, Result, ResultAdjustment, StageGroup

ADJUSTABLE: Mapping[str, tuple[str, ...]] = {
    "match_wins": ("match_wins", "half_wins", "averaged_wins", "win_rate"),
    "match_points": ("match_points", "progressive", "mean_match_points"),
    "points_for": (
        "points_for",
        "difference",
        "capped_difference",
        *(PER_MATCH[key] for key in ("points_for", "difference", "capped_difference")),
    ),
    "victory_points": ("victory_points", "mean_victory_points"),
}
"""Metrics that a director may adjust, with those that change with them."""

IN_PARTS_OF_WINS: Mapping[str, int] = {"half_wins": 2, "averaged_wins": WHOLE, "win_rate": WHOLE}
"""Metrics in which a win counts as so many."""

NOWHERE = StageGroup(group=0)

Points = tuple[int, int]
"""Points for and against."""

_by_round = attrgetter("round")


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedField:
    """The ranked entries by number, and a line for each entry that has results or is ranked. ``pools`` are
    closed groups in which everybody meets everybody, and nobody else."""

    rules: RankingRules
    numbers: Mapping[EntryId, int]
    lines: Mapping[EntryId, EntryResults]
    pools: Mapping[EntryId, str]

    @property
    def order(self) -> tuple[str, ...]:
        """The metrics that rank, first to last."""
        is_first = any(self.lines[entry].is_disqualified for entry in self.numbers)
        return (DISQUALIFIED, *self.rules.order) if is_first else self.rules.order


def ranked_field(
    numbers: Mapping[EntryId, int],
    results_by_entry: Mapping[EntryId, Iterable[Result]],
    rules: RankingRules,
    *,
    seed: int = 0,
    games_to_win: int = 0,
    adjustments: Iterable[ResultAdjustment] = (),
    reached: Mapping[EntryId, StageGroup] = MappingProxyType({}),
    pools: Mapping[EntryId, str] = MappingProxyType({}),
    last: AbstractSet[EntryId] = frozenset(),
) -> RankedField:
    """Return the field of these entries (id to number). ``games_to_win`` is what a match won without play
    counts, but never more than the best result at a table of the round: if the time ended all games, none.

    Disqualified entries in ``last`` rank after all others. An opponent who is not ranked has a line too, so
    that its value for its opponents is the same. Refuses: no_such_choice, for an adjustment of another
    metric.
    """
    told = {entry: tuple(those) for entry, those in results_by_entry.items()}
    winners = _winners(told.values())
    results = {
        entry: _count_results(told.get(entry, ()), rules, games_to_win, winners)
        for entry in dict.fromkeys((*numbers, *told))
    }
    rounds = sorted({result.round for those in results.values() for result in those})
    weights = {number: len(rounds) - place for place, number in enumerate(rounds)}
    adjusted = _sum_adjustments(adjustments, rounds)
    kept = max(1, len(rounds) - rules.dropped)
    is_capped = rules.unplayed_opponent is UnplayedOpponent.CAPPED

    def line(entry: EntryId, counted: Sequence[Result], dropped: Sequence[Result] = ()) -> EntryResults:
        far = reached.get(entry, NOWHERE)
        return EntryResults(
            number=numbers.get(entry, 0),
            results=counted,
            gained=[rules.match_points(result) for result in counted],
            weights=weights,
            cap=rules.cap,
            draw=rules.draw,
            cap_unplayed=rules.draw * len(rounds) if is_capped else None,
            seed=seed,
            adjusted=adjusted.get(entry, {}),
            dropped=dropped,
            group=far.group,
            place=far.place,
            plays_on=far.plays_on,
            is_disqualified=entry in last,
        )

    lines = {}
    for entry, those in results.items():
        lines[entry] = line(entry, those)
        if len(those) > kept:
            out = _worst(lines[entry], rules.order, len(those) - kept)
            left = [result for place, result in enumerate(those) if place not in out]
            lines[entry] = line(entry, left, [those[place] for place in sorted(out)])
    meet(lines)
    return RankedField(rules=rules, numbers=numbers, lines=lines, pools=pools)


def _winners(results: Iterable[Iterable[Result]]) -> dict[int, tuple[Points, int]]:
    """Return by round the average points of those who won at a table, and their most games."""
    won: dict[int, list[Result]] = defaultdict(list)
    for result in chain.from_iterable(results):
        if result.kind is PLAYED and result.outcome is WON:
            won[result.round].append(result)
    return {number: (_mean(those), max(each.games_won for each in those)) for number, those in won.items()}


def _mean(results: Sequence[Result]) -> Points:
    """Return the average points for and against."""
    return (
        _rounded_mean(result.points_for for result in results),
        _rounded_mean(result.points_against for result in results),
    )


def _rounded_mean(numbers: Iterable[int]) -> int:
    """Return the average, a half rounded up; 0 if there are none."""
    told = list(numbers)
    return (2 * sum(told) + len(told)) // (2 * len(told)) if told else 0


def _own_average(played: Sequence[Result]) -> OwnAverage:
    return OwnAverage(
        share=sum(map(share_of_win, played)) // max(1, len(played)),
        games_won=_rounded_mean(result.games_won for result in played),
        games_lost=_rounded_mean(result.games_lost for result in played),
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
        alike = [each for each in played if each.length == result.length] or played
        games = games_to_win if result.length is None else result.length.games_to_win or 0
        points, most = winners.get(result.round, ((0, 0), games))
        return rules.count_result(
            result,
            games_to_win=min(games, most),
            averages={Average.OWN: _mean(alike), Average.WINNERS: points},
            own_average=_own_average(alike),
        )

    return sorted(
        [result if result.kind is PLAYED else count_result(result) for result in results], key=_by_round
    )


def _worst(line: EntryResults, order: Sequence[str], count: int) -> set[int]:
    """Return the places of the worst results: missed rounds first, then by the entry's own metrics, in their
    order; among equals the earlier."""
    own = [METRICS[key] for key in order if METRICS[key].scope in (MetricScope.OWN, MetricScope.MEAN)]
    worth = zip(
        [result.kind not in MISSED for result in line.results],
        *[metric.merits(metric.parts(line)) for metric in own],
        range(len(line.results)),
        strict=True,
    )
    return {place for *_, place in sorted(worth)[:count]}


def _sum_adjustments(
    adjustments: Iterable[ResultAdjustment], rounds: Sequence[int]
) -> dict[EntryId, Counter[str]]:
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
            if key in IN_PARTS_OF_WINS:
                times = IN_PARTS_OF_WINS[key]
            found[each.entry][key] += each.amount * times
    return found


def meet(lines: Mapping[EntryId, EntryResults]) -> None:
    """Compute the values of each line, and pass them to its opponents.

    Where people meet two, a single opponent counts twice.
    """
    width = max([len(each.opponents) for line in lines.values() for each in line.results], default=0) or 1
    for line in lines.values():
        line.weigh()
    for line in lines.values():
        for result in line.results:
            scores, rates = opponent_figures(line, result, lines)
            line.scores_faced.append(sum(scores) * width // len(scores))
            line.rates_faced.append(sum(rates) // len(rates))


def opponent_figures(
    line: EntryResults, result: Result, lines: Mapping[EntryId, EntryResults]
) -> tuple[list[int], list[int]]:
    """Return the scores and rates of the opponents of a round; without an opponent in the field, those of the
    entry itself: with a cap, no better than the expected opponent, or than an entry that draws every round
    (FIDE's C.07 of 2026, 16.4)."""
    due = [lines[opponent] for opponent in result.opponents if opponent in lines]
    if result.kind is PLAYED and due:
        return [other.score_for_opponents for other in due], [other.rate for other in due]
    if line.cap_unplayed is None:
        caps = [line.score]
    elif result.kind is FORFEIT and due:
        caps = [other.score_for_opponents for other in due]
    else:
        caps = [line.cap_unplayed]
    return [min(line.score, cap) for cap in caps], [line.rate]
