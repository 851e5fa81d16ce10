"""Reasons of ranks in sentences, and the ranking rules of an event."""

from collections.abc import Iterable, Iterator, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.name_formats import join_names
from engine.draws.stages import StagePlan, without_play_off
from engine.ranking import (
    DISQUALIFIED,
    LEFT_POOL,
    LEGACY_MISSED_KINDS,
    METRICS,
    UNPLAYED_KINDS,
    UNPLAYED_VICTORY_POINTS,
    VICTORY_POINTS,
    AcrossPools,
    Average,
    Bye,
    MetricScope,
    Outcome,
    OutcomeKind,
    RankingRules,
    Unit,
    UnplayedOpponent,
    compute_victory_margins,
)
from engine.results import SCHEDULED_FORMATS, has_only_brackets, has_pools
from tournaments.standings.labels import METRIC_NAMES, METRIC_SENTENCES, get_metric_in_sentence, metric_value
from tournaments.standings.presenters.reasons import CountedRound, RankComparison

OWN_MATCHES, PLAY_OFF, CHANCE = "head_to_head", "play_off", "lots"

DECISIVE_SENTENCES: dict[str, str | Promise] = {
    OWN_MATCHES: _("Level with %(names)s; head-to-head matches decide."),
    PLAY_OFF: _("Level with %(names)s; the play-off decides."),
    CHANCE: _("Level with %(names)s on everything else; drawn by lot."),
    DISQUALIFIED: METRIC_SENTENCES[DISQUALIFIED],
    LEFT_POOL: METRIC_SENTENCES[LEFT_POOL],
}
"""Criteria that decide without a figure of the entry's own."""

POOL_RANKS_SENTENCE = _("Level with %(names)s; head-to-head rank in each pool decides.")
"""Head-to-head sentence for two entries that have not met."""

AHEAD, BEHIND = True, False
COMPARED_SENTENCES: dict[tuple[bool, bool], str | Promise] = {
    (True, AHEAD): _("Level with %(names)s on %(level)s; ahead on %(metric)s, %(own)s to %(theirs)s."),
    (True, BEHIND): _("Level with %(names)s on %(level)s; behind on %(metric)s, %(own)s to %(theirs)s."),
    (False, AHEAD): _("Ahead of %(names)s on %(metric)s, %(own)s to %(theirs)s."),
    (False, BEHIND): _("Behind %(names)s on %(metric)s, %(own)s to %(theirs)s."),
}
"""Comparisons with figures, by whether any earlier criterion was equal."""

MAX_NAMED_METRICS = 2
"""Number of equal criteria that a sentence names; of more it gives the number."""

OUTCOMES: dict[tuple[OutcomeKind, Outcome], str | Promise] = {
    (OutcomeKind.PLAYED, Outcome.WON): pgettext_lazy("a match", "won"),
    (OutcomeKind.PLAYED, Outcome.DRAWN): pgettext_lazy("a match", "drawn"),
    (OutcomeKind.PLAYED, Outcome.LOST): pgettext_lazy("a match", "lost"),
    (OutcomeKind.BYE, Outcome.WON): _("bye, counts as a win"),
    (OutcomeKind.BYE, Outcome.DRAWN): _("bye, counts as a draw"),
    (OutcomeKind.BYE, Outcome.LOST): _("bye, no credit"),
    (OutcomeKind.SCHEDULED_BYE, Outcome.WON): _("scheduled bye, counts as a win"),
    (OutcomeKind.SCHEDULED_BYE, Outcome.DRAWN): _("scheduled bye, counts as half a win"),
    (OutcomeKind.SCHEDULED_BYE, Outcome.LOST): _("scheduled bye, no match"),
    (OutcomeKind.ANNULLED, Outcome.LOST): _("annulled, an entry left early"),
    (OutcomeKind.FORFEIT, Outcome.WON): _("won by forfeit"),
    (OutcomeKind.FORFEIT, Outcome.DRAWN): _("forfeit, counts as a draw"),
    (OutcomeKind.FORFEIT, Outcome.LOST): _("lost by forfeit"),
    (OutcomeKind.REQUESTED_BYE, Outcome.WON): _("requested bye, counts as a win"),
    (OutcomeKind.REQUESTED_BYE, Outcome.DRAWN): _("requested bye, counts as half a win"),
    (OutcomeKind.REQUESTED_BYE, Outcome.LOST): _("requested bye, counts as a loss"),
    (OutcomeKind.LATE, Outcome.WON): _("late arrival, counts as a win"),
    (OutcomeKind.LATE, Outcome.DRAWN): _("late arrival, counts as half a win"),
    (OutcomeKind.LATE, Outcome.LOST): _("late arrival, counts as a loss"),
    (OutcomeKind.ABSENT, Outcome.WON): _("absent, counts as a win"),
    (OutcomeKind.ABSENT, Outcome.DRAWN): _("absent, counts as half a win"),
    (OutcomeKind.ABSENT, Outcome.LOST): _("absent, counts as a loss"),
    (OutcomeKind.EXCUSED, Outcome.WON): _("excused, counts as a win"),
    (OutcomeKind.EXCUSED, Outcome.DRAWN): _("excused, counts as half a win"),
    (OutcomeKind.EXCUSED, Outcome.LOST): _("excused, counts as a loss"),
    (OutcomeKind.MADE_UP, Outcome.LOST): _("round missed, no match missed in the end"),
    (OutcomeKind.WITHDRAWN, Outcome.LOST): _("withdrawn, no credit"),
}
"""Outcome of a round for the entry."""

AVERAGED_OUTCOMES: dict[OutcomeKind, str | Promise] = {
    OutcomeKind.BYE: _("bye, counts as %(share)s of a win"),
    OutcomeKind.SCHEDULED_BYE: _("scheduled bye, counts as %(share)s of a win"),
    OutcomeKind.FORFEIT: _("forfeit, counts as %(share)s of a win"),
    OutcomeKind.REQUESTED_BYE: _("requested bye, counts as %(share)s of a win"),
    OutcomeKind.LATE: _("late arrival, counts as %(share)s of a win"),
    OutcomeKind.ABSENT: _("absent, counts as %(share)s of a win"),
    OutcomeKind.EXCUSED: _("excused, counts as %(share)s of a win"),
}
"""Outcome of a round that counts the average of the entry's wins."""

WORTHS: dict[str, dict[Bye, str | Promise]] = {
    "bye": {
        Bye.WIN: _("A bye counts as a win, with no more games than the round’s best win."),
        Bye.DRAW: _("A bye counts as half a win."),
        Bye.NOTHING: _("A bye does not count as a win."),
        Bye.AVERAGE: _("A bye counts as the entry’s own average."),
    },
    "scheduled_bye": {
        Bye.WIN: _("A bye in a round robin or pool counts as a win."),
        Bye.DRAW: _("A bye in a round robin or pool counts as half a win."),
        Bye.NOTHING: _("A bye in a round robin or pool is no match."),
        Bye.AVERAGE: _("A bye in a round robin or pool counts as the entry’s own average."),
    },
    "forfeit": {
        Bye.WIN: _("Forfeit: a win if present, a loss if absent."),
        Bye.DRAW: _("Forfeit: half a win if present, a loss if absent."),
        Bye.NOTHING: _("Forfeit: no win if present, a loss if absent."),
        Bye.AVERAGE: _("Forfeit: the entry’s own average if present, a loss if absent."),
    },
    "requested_bye": {
        Bye.WIN: _("A requested bye counts as a win."),
        Bye.DRAW: _("A requested bye counts as half a win."),
        Bye.NOTHING: _("A requested bye counts as a loss."),
        Bye.AVERAGE: _("A requested bye counts as the entry’s own average."),
    },
    "late": {
        Bye.WIN: _("A round before a late arrival counts as a win."),
        Bye.DRAW: _("A round before a late arrival counts as half a win."),
        Bye.NOTHING: _("A round before a late arrival counts as a loss."),
        Bye.AVERAGE: _("A round before a late arrival counts as the entry’s own average."),
    },
    "absent": {
        Bye.WIN: _("An absence counts as a win."),
        Bye.DRAW: _("An absence counts as half a win."),
        Bye.NOTHING: _("An absence counts as a loss."),
        Bye.AVERAGE: _("An absence counts as the entry’s own average."),
    },
    "excused": {
        Bye.WIN: _("An excused absence counts as a win."),
        Bye.DRAW: _("An excused absence counts as half a win."),
        Bye.NOTHING: _("An excused absence counts as a loss."),
        Bye.AVERAGE: _("An excused absence counts as the entry’s own average."),
    },
}
"""Worth in wins of an unplayed round."""

MISSED_ROUND_WORTHS: dict[Bye, str | Promise] = {
    Bye.WIN: _("A requested bye, a late arrival or an absence counts as a win."),
    Bye.DRAW: _("A requested bye, a late arrival or an absence counts as half a win."),
    Bye.NOTHING: _("A requested bye, a late arrival or an absence counts as a loss."),
    Bye.AVERAGE: _("A requested bye, a late arrival or an absence counts as the entry’s own average."),
}

POOL_COMPARISONS: dict[AcrossPools, str | Promise] = {
    AcrossPools.RATES: _("Pools are compared by place in the pool, then by results per match."),
    AcrossPools.WITHOUT_LAST: _(
        "Pools are compared by place in the pool, then without the results against the last of larger pools."
    ),
}
"""Comparisons of pools, unless by all results."""

POINTS: dict[Average | None, str | Promise] = {
    None: _("Points awarded: %(number)s."),
    Average.OWN: _("Points awarded: average of the entry’s own rounds."),
    Average.WINNERS: _("Points awarded: average of the round’s winners."),
}
NO_POINTS_SENTENCE = _("No points awarded.")
UNPLAYED_OPPONENTS: Mapping[UnplayedOpponent, str | Promise] = {
    UnplayedOpponent.OWN: _("For opponents’ strength, an unplayed round counts as a match against an equal."),
    UnplayedOpponent.CAPPED: _(
        "For opponents’ strength, an unplayed round counts as a match against an equal, with FIDE’s cap of 2026."
    ),
}
STAGES = _("The results of all stages count.")
CARRIED_RESULTS: Mapping[str, str | Promise] = {
    "none": _("Stage %(number)s counts only its own results."),
    "among": _("Stage %(number)s counts its own results and earlier ones among its entries."),
}
"""Earlier results that count in a stage, if not all do."""
MADE_UP = _("In a round robin or pool, a missed match that is played later counts once.")
EQUAL = _("Entries tied on everything share a rank.")

_MATCH_POINT_METRICS = {"match_points", "progressive"}


def compare_ranks(comparison: RankComparison) -> str:
    """Compare with a neighbour: ``Level with Colette L. on matches won; ahead on difference, +38 to +12.``"""
    decisive = comparison.decisive
    params = {"names": comparison.names, "metric": str(METRIC_NAMES.get(decisive, ""))}
    if not decisive:
        return gettext("Next to %(names)s. The standings are being recalculated.") % params
    if decisive == OWN_MATCHES and not comparison.have_met:
        return str(POOL_RANKS_SENTENCE) % params
    if decisive in DECISIVE_SENTENCES:
        return str(DECISIVE_SENTENCES[decisive]) % params
    if METRICS[decisive].unit is Unit.PLACE:  # entries still in have no place yet
        ahead_sentence, behind_sentence = (
            gettext("Ahead of %(names)s on “%(metric)s”."),
            gettext("Behind %(names)s on “%(metric)s”."),
        )
        return (ahead_sentence if comparison.is_ahead else behind_sentence) % params
    step = comparison.steps[-1]
    params |= {
        "level": _describe_tied_metrics(comparison),
        "metric": get_metric_in_sentence(decisive),
        "own": metric_value(decisive, step.value),
        "theirs": metric_value(decisive, step.neighbour_value),
    }
    return str(COMPARED_SENTENCES[bool(params["level"]), comparison.is_ahead]) % params


def _describe_tied_metrics(comparison: RankComparison) -> str:
    """Name the criteria on which both are equal: ``matches won and games won``; ``4 criteria``."""
    tied_metrics = [step.metric for step in comparison.steps if not step.is_deciding and step.value is not None]
    if len(tied_metrics) > MAX_NAMED_METRICS:
        return ngettext("%(count)s criterion", "%(count)s criteria", len(tied_metrics)) % {"count": len(tied_metrics)}
    return join_names([get_metric_in_sentence(metric) for metric in tied_metrics])


def round_outcome(counted_round: CountedRound) -> str:
    """Describe the outcome of a round: ``won``; ``bye, counts as a win``; ``bye, counts as 0.67 of a win``."""
    if counted_round.share is not None:
        share = metric_value("averaged_wins", counted_round.share)
        return str(AVERAGED_OUTCOMES[counted_round.kind]) % {"share": share}
    return str(OUTCOMES[counted_round.kind, counted_round.outcome])


def ranking_sentences(rules: RankingRules, plan: StagePlan) -> list[str]:
    """Describe the ranking rules of an event with these stages, one sentence for each rule that applies.

    A bye of a bracket wins nothing, and a schedule has byes of its own kind.
    """
    plan = without_play_off(plan)
    formats = {stage.format for stage in plan}
    excluded = set() if formats & SCHEDULED_FORMATS else {"scheduled_bye"}
    if has_only_brackets(tuple(stage for stage in plan if stage.format not in SCHEDULED_FORMATS)):
        excluded.add("bye")
    unplayed_kinds = [name for name in UNPLAYED_KINDS if name not in excluded]
    return [
        *_describe_pool_comparison(rules, plan),
        *_describe_rules(rules, unplayed_kinds),
        *([str(MADE_UP)] if formats & SCHEDULED_FORMATS else []),
        *_describe_earlier_results(plan),
        str(EQUAL),
    ]


def _describe_earlier_results(plan: StagePlan) -> list[str]:
    later_stages = list(enumerate(plan, start=1))[1:]
    sentences = [
        str(CARRIED_RESULTS[stage.carried]) % {"number": number}
        for number, stage in later_stages
        if stage.carried in CARRIED_RESULTS
    ]
    return sentences or [str(STAGES)] * bool(later_stages)


def _describe_pool_comparison(rules: RankingRules, plan: StagePlan) -> list[str]:
    return (
        [str(POOL_COMPARISONS[rules.across_pools])]
        if has_pools(plan) and rules.across_pools in POOL_COMPARISONS
        else []
    )


def _describe_unplayed(rules: RankingRules, kinds: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each kind of unplayed round: its worth in wins and in points.

    Missed rounds with the same worth share one.
    """
    kinds = list(kinds)
    if len({(rules.get_bye_value(kind), rules.get_bye_points(kind)) for kind in LEGACY_MISSED_KINDS}) == 1:
        kinds = [kind for kind in kinds if kind not in LEGACY_MISSED_KINDS[1:]]
        worths = {**WORTHS, LEGACY_MISSED_KINDS[0]: MISSED_ROUND_WORTHS}
    else:
        worths = WORTHS
    for kind in kinds:
        points = rules.get_bye_points(kind)
        points_text = str(POINTS[points if isinstance(points, Average) else None]) % {"number": points}
        yield f"{worths[kind][rules.get_bye_value(kind)]} {points_text if points else NO_POINTS_SENTENCE}"


def _describe_rules(rules: RankingRules, unplayed_kinds: Iterable[str]) -> Iterator[str]:
    faces_opponents = any(METRICS[key].scope is MetricScope.OPPONENTS for key in rules.order)
    if faces_opponents or _MATCH_POINT_METRICS & {*rules.order}:
        worth = {"win": rules.win, "draw": rules.draw, "loss": rules.loss}
        yield (gettext("Match points: win %(win)s, draw %(draw)s, loss %(loss)s.") % worth)
    yield from _describe_unplayed(rules, unplayed_kinds)
    if faces_opponents:
        yield str(UNPLAYED_OPPONENTS[rules.unplayed_opponent])
    if "capped_difference" in rules.order:
        yield gettext("Difference is capped at %(cap)s points per round.") % {"cap": rules.cap}
    if "victory_points" in rules.order:
        yield gettext(
            "Victory points by margin: %(scale)s points. Unplayed rounds: %(win)s for a win, %(draw)s for half a win, "
            "a share of %(whole)s for an average, otherwise 0."
        ) % {
            "scale": ", ".join(_describe_victory_scale(rules.cap)),
            "win": UNPLAYED_VICTORY_POINTS[Outcome.WON],
            "draw": UNPLAYED_VICTORY_POINTS[Outcome.DRAWN],
            "whole": VICTORY_POINTS,
        }
    if rules.dropped:
        yield ngettext(
            "Each entry’s worst round is not counted.",
            "Each entry’s %(count)s worst rounds are not counted.",
            rules.dropped,
        ) % {"count": rules.dropped}


def _describe_victory_scale(cap: int) -> Iterator[str]:
    """Yield the least margin of each score: ``11–9 from 2``. With a small cap, a margin skips some scores."""
    margins = compute_victory_margins(cap)
    for extra, margin in enumerate(margins, start=1):
        if margin not in margins[extra:]:
            half = VICTORY_POINTS // 2
            yield gettext("%(won)s from %(margin)s") % {
                "won": f"{half + extra}–{half - extra}",
                "margin": margin,
            }
