"""The order of proposals, and the reasons, by what matters to the organizer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .forecasts import Forecast
from .plots import FinishingPlot, build_finishing_plots
from .pool_finals import KINDS, PoolFinals, read_pool_finals
from .proposals import Proposal
from .questions import PlanQuestion
from .shapes import list_round_tables

ProposalForecasts = Sequence[tuple[Proposal, Forecast]]
"""Proposals with their forecasts, in the order in which they were computed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalReason:
    """A reason for or against a proposal: a code, and the numbers for its sentence."""

    key: str
    details: Mapping[str, int | float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A proposal as it is shown; ``place`` is its index, from 0, in the order of computation; ``tables`` the
    number needed at once; ``pool_finals`` its pools and finals, if it has both."""

    place: int
    tables: int
    proposal: Proposal
    forecast: Forecast
    is_in_time: bool
    why: ProposalReason
    finishing: FinishingPlot
    pool_finals: PoolFinals | None = None

    @property
    def strongest_percent(self) -> int:
        return round(100 * self.forecast.strongest)

    @property
    def order_percent(self) -> int:
        """The percentage of pairs of entries in which the stronger one ends above the other."""
        return round(50 + 50 * self.forecast.kendall)


def build_choices(question: PlanQuestion, proposals: ProposalForecasts) -> tuple[Choice, ...]:
    """Return the choices, best first: those that end in time nine times in ten before the others, then by
    what matters.

    "Everybody plays": the share of the rounds that the entry with the fewest matches plays. "Strongest wins":
    how often. "Meet many": the number of different opponents. Ties are broken by how well the ranking follows
    skill.
    """
    merit, get_reason = _MATTERS[question.matters]
    plots = build_finishing_plots(question, [forecast for _, forecast in proposals])
    listed = [
        Choice(
            place=place,
            tables=max(_list_round_tables(question, proposal)),
            proposal=proposal,
            forecast=forecast,
            is_in_time=forecast.ninety <= question.minutes,
            why=get_reason(forecast),
            finishing=plots[place],
            pool_finals=_read_pool_finals(question, proposal),
        )
        for place, (proposal, forecast) in enumerate(proposals)
    ]
    return tuple(
        sorted(
            listed,
            key=lambda choice: (choice.is_in_time, merit(choice.forecast), choice.forecast.kendall),
            reverse=True,
        )
    )


def _read_pool_finals(question: PlanQuestion, proposal: Proposal) -> PoolFinals | None:
    return read_pool_finals(proposal, question.entries) if proposal.key in KINDS else None


def _list_round_tables(question: PlanQuestion, proposal: Proposal) -> Sequence[int]:
    if (plan := _read_pool_finals(question, proposal)) is not None:
        return plan.pool_tables
    return list_round_tables(proposal.key, entries=question.entries, rounds=proposal.rounds)


def _explain_matches(forecast: Forecast) -> ProposalReason:
    if forecast.fewest_matches == forecast.rounds:
        return ProposalReason(key="all_play_all", details={"rounds": forecast.rounds})
    details = {"matches": forecast.fewest_matches, "rounds": forecast.rounds}
    return ProposalReason(key="least_played", details=details)


def _explain_wins(forecast: Forecast) -> ProposalReason:
    return ProposalReason(key="strongest_wins", details={"percent": round(100 * forecast.strongest)})


def _explain_opponents(forecast: Forecast) -> ProposalReason:
    return ProposalReason(key="opponents_met", details={"opponents": round(forecast.mean_opponents)})


_MATTERS: Mapping[str, tuple[Callable[[Forecast], float], Callable[[Forecast], ProposalReason]]] = {
    "everybody_plays": (lambda forecast: forecast.fewest_matches / forecast.rounds, _explain_matches),
    "strongest_wins": (lambda forecast: forecast.strongest, _explain_wins),
    "meet_many": (lambda forecast: forecast.mean_opponents, _explain_opponents),
}
"""The value to compare, higher is better, and the function that gives the reason."""
