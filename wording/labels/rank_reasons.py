"""Why a rank is what it is, in sentences; and what an event's ranking counts, said once."""

from collections.abc import Iterable, Iterator

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from engine.draws.stages import StagePlan
from engine.ranking import METRICS, Average, Bye, MetricScope, Outcome, OutcomeKind, RankingRules
from engine.results import has_only_brackets
from tournaments.standings.presenters.reasons import Against, CountedRound

from .standings import METRIC_NAMES

OWN_MATCHES, CHANCE = "head_to_head", "lots"

DECIDED: dict[str, str | Promise] = {
    OWN_MATCHES: _("Level with %(names)s so far: the matches between those who are level decide."),
    CHANCE: _("Level with %(names)s on everything else: drawn by lot."),
}
"""What decides without a figure of one's own."""

OF_TWO_POOLS = _(
    "Level with %(names)s so far: the place among those of one’s own pool who are level decides."
)
"""What head to head says of two who have not met."""

OUTCOMES: dict[tuple[OutcomeKind, Outcome], str | Promise] = {
    (OutcomeKind.PLAYED, Outcome.WON): pgettext_lazy("a match", "won"),
    (OutcomeKind.PLAYED, Outcome.DRAWN): pgettext_lazy("a match", "drawn"),
    (OutcomeKind.PLAYED, Outcome.LOST): pgettext_lazy("a match", "lost"),
    (OutcomeKind.BYE, Outcome.WON): _("bye, counts as won"),
    (OutcomeKind.BYE, Outcome.DRAWN): _("bye, counts as drawn"),
    (OutcomeKind.BYE, Outcome.LOST): _("bye, counts nothing"),
    (OutcomeKind.FORFEIT, Outcome.WON): _("won by forfeit"),
    (OutcomeKind.FORFEIT, Outcome.DRAWN): _("forfeit, drawn"),
    (OutcomeKind.FORFEIT, Outcome.LOST): _("lost by forfeit"),
    (OutcomeKind.MISSED, Outcome.LOST): _("not played, counts as lost"),
    (OutcomeKind.MISSED, Outcome.DRAWN): _("not played, counts as half a win"),
    (OutcomeKind.MISSED, Outcome.WON): _("not played, counts as won"),
}
"""How a round ended, from the side of the entry."""

WORTHS: dict[str, dict[Bye, str | Promise]] = {
    "bye": {
        Bye.WIN: _("A bye counts as a match won, with the games that win a match."),
        Bye.DRAW: _("A bye counts as half a win."),
        Bye.NOTHING: _("A bye counts as no win."),
    },
    "forfeit": {
        Bye.WIN: _("A forfeit is won by who came and lost by who did not."),
        Bye.DRAW: _("A forfeit counts as half a win for who came, and is lost by who did not."),
        Bye.NOTHING: _("A forfeit counts as no win for who came, and is lost by who did not."),
    },
    "missed": {
        Bye.WIN: _("A round missed (away, not there yet, or sitting out by own wish) counts as won."),
        Bye.DRAW: _("A round missed (away, not there yet, or sitting out by own wish) counts as half a win."),
        Bye.NOTHING: _(
            "A round missed (away, not there yet, gone, or sitting out by own wish) counts as lost."
        ),
    },
}
"""What a round without cards is worth in wins."""

POINTS: dict[Average | None, str | Promise] = {
    None: _("It brings %(number)s points."),
    Average.OWN: _("In points it is the average of the entry’s own rounds."),
    Average.WINNERS: _("In points it is the average of the round’s winners."),
}
NO_POINTS = _("No points move.")
UNPLAYED = _(
    "What opponents are worth: a round without cards counts as one against somebody as good as oneself."
)
STAGES = _("The results of all stages count.")
EQUAL = _("Whoever is equal on everything has the same rank.")

_ON_MATCH_POINTS = {"match_points", "progressive"}


def against_sentence(against: Against) -> str:
    """``Level with Colette L. and Fernand M. until “Difference”, which decides.``"""
    decisive = against.decisive
    told = {"names": against.names, "metric": str(METRIC_NAMES.get(decisive, ""))}
    if not decisive:
        return gettext("Beside %(names)s. The ranking is being counted again.") % told
    if decisive == OWN_MATCHES and not against.have_met:
        return str(OF_TWO_POOLS) % told
    if decisive in DECIDED:
        return str(DECIDED[decisive]) % told
    if against.equal:
        return gettext("Level with %(names)s until “%(metric)s”, which decides.") % told
    if against.is_ahead:
        return gettext("Ahead of %(names)s by “%(metric)s”.") % told
    return gettext("Behind %(names)s by “%(metric)s”.") % told


def round_outcome(counted: CountedRound) -> str:
    """``won``; ``bye, counts as won``."""
    return str(OUTCOMES[counted.kind, counted.outcome])


def ranking_sentences(rules: RankingRules, plan: StagePlan) -> list[str]:
    """What an event of these stages counts, one sentence for each rule that it needs: nobody wins by a bye of
    a bracket."""
    unplayed = [name for name in WORTHS if name != "bye" or not has_only_brackets(plan)]
    return list(_sentences(rules, unplayed, has_stages=len(plan) > 1))


def _describe_unplayed(rules: RankingRules, name: str) -> str:
    """What such a round is worth, in wins and in points."""
    worth, points = WORTHS[name][getattr(rules, name)], getattr(rules, f"{name}_points")
    if not points:
        return f"{worth} {NO_POINTS}"
    told = str(POINTS[points if isinstance(points, Average) else None])
    return f"{worth} {told % {'number': points}}"


def _sentences(rules: RankingRules, unplayed: Iterable[str], *, has_stages: bool) -> Iterator[str]:
    faces_opponents = any(METRICS[key].scope is MetricScope.OPPONENTS for key in rules.order)
    if faces_opponents or _ON_MATCH_POINTS & {*rules.order}:
        worth = {"win": rules.win, "draw": rules.draw, "loss": rules.loss}
        yield (
            gettext("Match points: %(win)s for a match won, %(draw)s for a draw, %(loss)s for a loss.")
            % worth
        )
    yield from (_describe_unplayed(rules, name) for name in unplayed)
    if faces_opponents:
        yield str(UNPLAYED)
    if "capped_difference" in rules.order:
        yield gettext("No round counts for more than %(cap)s points of difference.") % {"cap": rules.cap}
    if rules.dropped:
        yield ngettext(
            "The worst round of each is not counted.",
            "The %(count)s worst rounds of each are not counted.",
            rules.dropped,
        ) % {"count": rules.dropped}
    if has_stages:
        yield str(STAGES)
    yield str(EQUAL)
