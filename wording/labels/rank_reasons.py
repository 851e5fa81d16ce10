"""Reasons of ranks in sentences, and the ranking rules of an event."""

from collections.abc import Iterable, Iterator, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.wording import join_names
from engine.draws.stages import StagePlan
from engine.ranking import (
    DISQUALIFIED,
    METRICS,
    MISSED_BEFORE,
    UNPLAYED,
    VICTORY_POINTS,
    WITHOUT_PLAY,
    AcrossPools,
    Average,
    Bye,
    MetricScope,
    Outcome,
    OutcomeKind,
    RankingRules,
    Unit,
    UnplayedOpponent,
    victory_margins,
)
from engine.results import SCHEDULED, has_only_brackets, has_pools
from tournaments.standings.presenters.reasons import Against, CountedRound

from .standings import METRIC_NAMES, metric_in_sentence, metric_value

OWN_MATCHES, CHANCE = "head_to_head", "lots"

DECIDED: dict[str, str | Promise] = {
    OWN_MATCHES: _("Level with %(names)s; head-to-head matches decide."),
    CHANCE: _("Level with %(names)s on everything else; drawn by lot."),
    DISQUALIFIED: _("Disqualified entries rank last."),
}
"""Criteria that decide without a figure of the entry's own."""

OF_TWO_POOLS = _("Level with %(names)s; head-to-head rank in each pool decides.")
"""Head-to-head sentence for two entries that have not met."""

AHEAD, BEHIND = True, False
COMPARED: dict[tuple[bool, bool], str | Promise] = {
    (True, AHEAD): _("Level with %(names)s on %(level)s; ahead on %(metric)s, %(own)s to %(theirs)s."),
    (True, BEHIND): _("Level with %(names)s on %(level)s; behind on %(metric)s, %(own)s to %(theirs)s."),
    (False, AHEAD): _("Ahead of %(names)s on %(metric)s, %(own)s to %(theirs)s."),
    (False, BEHIND): _("Behind %(names)s on %(metric)s, %(own)s to %(theirs)s."),
}
"""Comparisons with figures, by whether any earlier criterion was equal."""

MOST_NAMED = 2
"""Number of equal criteria that a sentence names; of more it gives the number."""

OUTCOMES: dict[tuple[OutcomeKind, Outcome], str | Promise] = {
    (OutcomeKind.PLAYED, Outcome.WON): pgettext_lazy("a match", "won"),
    (OutcomeKind.PLAYED, Outcome.DRAWN): pgettext_lazy("a match", "drawn"),
    (OutcomeKind.PLAYED, Outcome.LOST): pgettext_lazy("a match", "lost"),
    (OutcomeKind.BYE, Outcome.WON): _("bye, counts as a win"),
    (OutcomeKind.BYE, Outcome.DRAWN): _("bye, counts as a draw"),
    (OutcomeKind.BYE, Outcome.LOST): _("bye, no credit"),
    (OutcomeKind.SCHEDULED_BYE, Outcome.WON): _("bye of the schedule, counts as a win"),
    (OutcomeKind.SCHEDULED_BYE, Outcome.DRAWN): _("bye of the schedule, counts as half a win"),
    (OutcomeKind.SCHEDULED_BYE, Outcome.LOST): _("bye of the schedule, no match"),
    (OutcomeKind.ANNULLED, Outcome.LOST): _("annulled, an entry left early"),
    (OutcomeKind.FORFEIT, Outcome.WON): _("won by forfeit"),
    (OutcomeKind.FORFEIT, Outcome.DRAWN): _("forfeit, counts as a draw"),
    (OutcomeKind.FORFEIT, Outcome.LOST): _("lost by forfeit"),
    (OutcomeKind.REQUESTED_BYE, Outcome.WON): _("requested bye, counts as won"),
    (OutcomeKind.REQUESTED_BYE, Outcome.DRAWN): _("requested bye, counts as half a win"),
    (OutcomeKind.REQUESTED_BYE, Outcome.LOST): _("requested bye, counts as lost"),
    (OutcomeKind.LATE, Outcome.WON): _("not there yet, counts as won"),
    (OutcomeKind.LATE, Outcome.DRAWN): _("not there yet, counts as half a win"),
    (OutcomeKind.LATE, Outcome.LOST): _("not there yet, counts as lost"),
    (OutcomeKind.ABSENT, Outcome.WON): _("absent, counts as won"),
    (OutcomeKind.ABSENT, Outcome.DRAWN): _("absent, counts as half a win"),
    (OutcomeKind.ABSENT, Outcome.LOST): _("absent, counts as lost"),
    (OutcomeKind.EXCUSED, Outcome.WON): _("excused, counts as won"),
    (OutcomeKind.EXCUSED, Outcome.DRAWN): _("excused, counts as half a win"),
    (OutcomeKind.EXCUSED, Outcome.LOST): _("excused, counts as lost"),
    (OutcomeKind.WITHDRAWN, Outcome.LOST): _("withdrawn, counts as lost"),
}
"""Outcome of a round for the entry."""

AVERAGED: dict[OutcomeKind, str | Promise] = {
    OutcomeKind.BYE: _("bye, counts as %(share)s of a win"),
    OutcomeKind.SCHEDULED_BYE: _("bye of the schedule, counts as %(share)s of a win"),
    OutcomeKind.FORFEIT: _("forfeit, counts as %(share)s of a win"),
    OutcomeKind.REQUESTED_BYE: _("requested bye, counts as %(share)s of a win"),
    OutcomeKind.LATE: _("not there yet, counts as %(share)s of a win"),
    OutcomeKind.ABSENT: _("absent, counts as %(share)s of a win"),
}
"""Outcome of a round that counts the average of the entry's wins."""

WORTHS: dict[str, dict[Bye, str | Promise]] = {
    "bye": {
        Bye.WIN: _("A bye counts as a win, with the games of the best win at a table."),
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
    },
}
"""Worth in wins of an unplayed round."""

ALL_MISSED: dict[Bye, str | Promise] = {
    Bye.WIN: _("A requested bye, a late arrival or an absence counts as a win."),
    Bye.DRAW: _("A requested bye, a late arrival or an absence counts as half a win."),
    Bye.NOTHING: _("A requested bye, a late arrival or an absence counts as a loss."),
    Bye.AVERAGE: _("A requested bye, a late arrival or an absence counts as the entry’s own average."),
}

POOLS_COMPARED: dict[AcrossPools, str | Promise] = {
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
NO_POINTS = _("No points awarded.")
OPPONENTS_UNPLAYED: Mapping[UnplayedOpponent, str | Promise] = {
    UnplayedOpponent.OWN: _("For opponents’ strength, unplayed rounds count as against an equal."),
    UnplayedOpponent.CAPPED: _(
        "For opponents’ strength, unplayed rounds count as against an equal, with FIDE’s cap of 2026."
    ),
}
STAGES = _("The results of all stages count.")
CARRIED: Mapping[str, str | Promise] = {
    "none": _("Stage %(number)s counts only its own results."),
    "among": _("Stage %(number)s counts its own results and earlier ones among its entries."),
}
"""Earlier results that count in a stage, if not all do."""
EQUAL = _("Entries equal on everything share a rank.")

_ON_MATCH_POINTS = {"match_points", "progressive"}


def against_sentence(against: Against) -> str:
    """Compare with a neighbour: ``Level with Colette L. on matches won; ahead on difference, +38 to +12.``"""
    decisive = against.decisive
    told = {"names": against.names, "metric": str(METRIC_NAMES.get(decisive, ""))}
    if not decisive:
        return gettext("Next to %(names)s. The standings are being recalculated.") % told
    if decisive == OWN_MATCHES and not against.have_met:
        return str(OF_TWO_POOLS) % told
    if decisive in DECIDED:
        return str(DECIDED[decisive]) % told
    if METRICS[decisive].unit is Unit.PLACE:  # entries still in have no place yet
        ahead, behind = (
            gettext("Ahead of %(names)s on “%(metric)s”."),
            gettext("Behind %(names)s on “%(metric)s”."),
        )
        return (ahead if against.is_ahead else behind) % told
    step = against.steps[-1]
    told |= {
        "level": _level_on(against),
        "metric": metric_in_sentence(decisive),
        "own": metric_value(decisive, step.value),
        "theirs": metric_value(decisive, step.neighbour_value),
    }
    return str(COMPARED[bool(told["level"]), against.is_ahead]) % told


def _level_on(against: Against) -> str:
    """Name the criteria on which both are equal: ``matches won and games won``; ``4 criteria``."""
    equal = [step.metric for step in against.steps if not step.decided and step.value is not None]
    if len(equal) > MOST_NAMED:
        return ngettext("%(count)s criterion", "%(count)s criteria", len(equal)) % {"count": len(equal)}
    return join_names([metric_in_sentence(metric) for metric in equal])


def round_outcome(counted: CountedRound) -> str:
    """Describe the outcome of a round: ``won``; ``bye, counts as won``; ``bye, counts as 0.67 of a win``."""
    if counted.share is not None:
        share = metric_value("averaged_wins", counted.share)
        return str(AVERAGED[counted.kind]) % {"share": share}
    return str(OUTCOMES[counted.kind, counted.outcome])


def ranking_sentences(rules: RankingRules, plan: StagePlan) -> list[str]:
    """Describe the ranking rules of an event with these stages, one sentence for each rule that applies.

    A bye of a bracket wins nothing, and a schedule has byes of its own kind.
    """
    formats = {stage.format for stage in plan}
    left_out = set() if formats & SCHEDULED else {"scheduled_bye"}
    if has_only_brackets(tuple(stage for stage in plan if stage.format not in SCHEDULED)):
        left_out.add("bye")
    unplayed = [name for name in UNPLAYED if name not in left_out]
    return [*_across_pools(rules, plan), *_sentences(rules, unplayed), *_earlier_results(plan), str(EQUAL)]


def _earlier_results(plan: StagePlan) -> list[str]:
    numbered = list(enumerate(plan, start=1))[1:]
    said = [
        str(CARRIED[stage.carried]) % {"number": number}
        for number, stage in numbered
        if stage.carried in CARRIED
    ]
    return said or [str(STAGES)] * bool(numbered)


def _across_pools(rules: RankingRules, plan: StagePlan) -> list[str]:
    return (
        [str(POOLS_COMPARED[rules.across_pools])]
        if has_pools(plan) and rules.across_pools in POOLS_COMPARED
        else []
    )


def _describe_unplayed(rules: RankingRules, kinds: Iterable[str]) -> Iterator[str]:
    """Yield a sentence for each kind of unplayed round: its worth in wins and in points.

    Missed rounds with the same worth share one.
    """
    kinds = list(kinds)
    if len({(rules.worth_of(kind), rules.points_of(kind)) for kind in MISSED_BEFORE}) == 1:
        kinds = [kind for kind in kinds if kind not in MISSED_BEFORE[1:]]
        worths = {**WORTHS, MISSED_BEFORE[0]: ALL_MISSED}
    else:
        worths = WORTHS
    for kind in kinds:
        points = rules.points_of(kind)
        told = str(POINTS[points if isinstance(points, Average) else None]) % {"number": points}
        yield f"{worths[kind][rules.worth_of(kind)]} {told if points else NO_POINTS}"


def _sentences(rules: RankingRules, unplayed: Iterable[str]) -> Iterator[str]:
    faces_opponents = any(METRICS[key].scope is MetricScope.OPPONENTS for key in rules.order)
    if faces_opponents or _ON_MATCH_POINTS & {*rules.order}:
        worth = {"win": rules.win, "draw": rules.draw, "loss": rules.loss}
        yield (gettext("Match points: win %(win)s, draw %(draw)s, loss %(loss)s.") % worth)
    yield from _describe_unplayed(rules, unplayed)
    if faces_opponents:
        yield str(OPPONENTS_UNPLAYED[rules.unplayed_opponent])
    if "capped_difference" in rules.order:
        yield gettext("Difference is capped at %(cap)s points per round.") % {"cap": rules.cap}
    if "victory_points" in rules.order:
        yield gettext(
            "Victory points by margin: %(scale)s points. Without play: %(win)s for a win, "
            "%(draw)s for half a win, otherwise 0."
        ) % {
            "scale": ", ".join(_victory_scale(rules.cap)),
            "win": WITHOUT_PLAY[Outcome.WON],
            "draw": WITHOUT_PLAY[Outcome.DRAWN],
        }
    if rules.dropped:
        yield ngettext(
            "Each entry’s worst round is not counted.",
            "Each entry’s %(count)s worst rounds are not counted.",
            rules.dropped,
        ) % {"count": rules.dropped}


def _victory_scale(cap: int) -> Iterator[str]:
    """Yield the least margin of each score: ``11–9 from 2``. With a small cap, a margin skips some scores."""
    margins = victory_margins(cap)
    for more, margin in enumerate(margins, start=1):
        if margin not in margins[more:]:
            half = VICTORY_POINTS // 2
            yield gettext("%(won)s from %(margin)s") % {
                "won": f"{half + more}–{half - more}",
                "margin": margin,
            }
