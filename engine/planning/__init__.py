"""The planner: formats for these people, tables and hours, and their expected results.

A plan is simulated some hundred times, with the real draws and random results:
``docs/development/format-planner.md`` says what the simulation covers, and what it does not.

>>> question = PlanQuestion(people=16, tables=4, minutes=180, ruleset="maine", matters="meet_many")
>>> proposals = candidates(question)
>>> [(proposal.key, proposal.rounds) for proposal in proposals][:2]
[('swiss', 5), ('pools_knockout', 5)]
>>> def outlook(proposal):
...     return simulate(proposal, question, runs=10, seed=1, progress=lambda done, of: None)
>>> found = [(proposal, outlook(proposal)) for proposal in proposals]
>>> best = choices(question, found)[0]
>>> best.proposal.key, best.outlook.median, best.why.key
('random', 163, 'opponents_met')
"""

from .candidates import candidates
from .forecasts import Forecast
from .plots import FinishingPlot
from .proposal_order import Choice, Found, ProposalReason, choices
from .proposals import Proposal
from .questions import LIMITS, MATTERS, MOST_IN_TWOS, PARTNERS, PlanQuestion, check_question, rulesets_for
from .serialization import found_from_json, found_to_json, question_from_json, question_to_json
from .simulation import Progress, simulate, usual_runs

__all__ = [
    "LIMITS",
    "MATTERS",
    "MOST_IN_TWOS",
    "PARTNERS",
    "Choice",
    "FinishingPlot",
    "Forecast",
    "Found",
    "PlanQuestion",
    "Progress",
    "Proposal",
    "ProposalReason",
    "candidates",
    "check_question",
    "choices",
    "found_from_json",
    "found_to_json",
    "question_from_json",
    "question_to_json",
    "rulesets_for",
    "simulate",
    "usual_runs",
]
