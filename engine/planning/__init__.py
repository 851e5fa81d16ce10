"""The planner: formats for these people, tables and hours, and their expected results.

A plan is simulated some hundred times, with the real draws and random results:
``docs/development/format-planner.md`` says what the simulation covers, and what it does not.

>>> question = PlanQuestion(people=16, tables=4, minutes=180, ruleset="maine", matters="meet_many")
>>> proposals = find_candidates(question)
>>> [(proposal.key, proposal.rounds) for proposal in proposals][:2]
[('swiss', 5), ('pools_knockout', 5)]
>>> def outlook(proposal):
...     return simulate(proposal, question, runs=10, seed=1, progress=lambda done, of: None)
>>> found = [(proposal, outlook(proposal)) for proposal in proposals]
>>> best = build_choices(question, found)[0]
>>> best.proposal.key, best.outlook.median, best.why.key
('random', 163, 'opponents_met')
"""

from .candidates import Exclusion, find_candidates, list_exclusions
from .forecasts import Forecast
from .plots import FinishingPlot
from .pool_finals import PoolFinals
from .proposal_order import Choice, ProposalForecasts, ProposalReason, build_choices
from .proposals import Proposal
from .questions import LIMITS, MATTERS, MAX_TWO_PLAYER_PEOPLE, PARTNERS, PlanQuestion, check_question, list_rulesets
from .serialization import proposals_from_json, proposals_to_json, question_from_json, question_to_json
from .simulation import Progress, get_default_runs, simulate

__all__ = [
    "LIMITS",
    "MATTERS",
    "MAX_TWO_PLAYER_PEOPLE",
    "PARTNERS",
    "Choice",
    "Exclusion",
    "FinishingPlot",
    "Forecast",
    "PlanQuestion",
    "PoolFinals",
    "Progress",
    "Proposal",
    "ProposalForecasts",
    "ProposalReason",
    "build_choices",
    "check_question",
    "find_candidates",
    "get_default_runs",
    "list_exclusions",
    "list_rulesets",
    "proposals_from_json",
    "proposals_to_json",
    "question_from_json",
    "question_to_json",
    "simulate",
]
