"""The order of proposals, and the reasons, by what matters to the organizer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from .forecasts import Forecast
from .plots import FinishingPlot, build_finishing_plots
from .proposals import Proposal
from .questions import PlanQuestion
from .shapes import count_simultaneous_tables

ProposalForecasts = Sequence[tuple[Proposal, Forecast]]
"""Proposals with their outlooks, in the order in which they were computed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalReason:
    """A reason for or against a proposal: a code, and the numbers for its sentence."""

    key: str
    details: Mapping[str, int | float] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A proposal as it is shown; ``place`` is its index, from 0, in the order of computation; ``tables`` the
    number needed at once."""

    place: int
    tables: int
    proposal: Proposal
    outlook: Forecast
    is_in_time: bool
    why: ProposalReason
    finishing: FinishingPlot

    @property
    def strongest_percent(self) -> int:
        return round(100 * self.outlook.strongest)

    @property
    def order_percent(self) -> int:
        """The percentage of pairs of entries in which the stronger one ends above the other."""
        return round(50 + 50 * self.outlook.kendall)


def build_choices(question: PlanQuestion, proposals: ProposalForecasts) -> tuple[Choice, ...]:
    """Return the choices, best first: those that end in time nine times in ten before the others, then by
    what matters.

    "Everybody plays": the share of the rounds that the entry with the fewest matches plays. "Strongest wins":
    how often. "Meet many": the number of different opponents. Ties are broken by how well the ranking follows
    skill.
    """
    merit, get_reason = _MATTERS[question.matters]
    plots = build_finishing_plots(question, [outlook for _, outlook in proposals])
    listed = [
        Choice(
            place=place,
            tables=count_simultaneous_tables(proposal.key, entries=question.entries, rounds=proposal.rounds),
            proposal=proposal,
            outlook=outlook,
            is_in_time=outlook.ninety <= question.minutes,
            why=get_reason(outlook),
            finishing=plots[place],
        )
        for place, (proposal, outlook) in enumerate(proposals)
    ]
    return tuple(
        sorted(
            listed,
            key=lambda choice: (choice.is_in_time, merit(choice.outlook), choice.outlook.kendall),
            reverse=True,
        )
    )


def _explain_matches(outlook: Forecast) -> ProposalReason:
    if outlook.fewest_matches == outlook.rounds:
        return ProposalReason(key="all_play_all", details={"rounds": outlook.rounds})
    details = {"matches": outlook.fewest_matches, "rounds": outlook.rounds}
    return ProposalReason(key="least_played", details=details)


def _explain_wins(outlook: Forecast) -> ProposalReason:
    return ProposalReason(key="strongest_wins", details={"percent": round(100 * outlook.strongest)})


def _explain_opponents(outlook: Forecast) -> ProposalReason:
    return ProposalReason(key="opponents_met", details={"opponents": round(outlook.mean_opponents)})


_MATTERS: Mapping[str, tuple[Callable[[Forecast], float], Callable[[Forecast], ProposalReason]]] = {
    "everybody_plays": (lambda outlook: outlook.fewest_matches / outlook.rounds, _explain_matches),
    "strongest_wins": (lambda outlook: outlook.strongest, _explain_wins),
    "meet_many": (lambda outlook: outlook.mean_opponents, _explain_opponents),
}
"""The value to compare, higher is better, and the function that gives the reason."""
