"""The planner: formats for these people, tables and hours, and their expected results.

A plan is simulated some hundred times, with the real draws and random results:
``docs/development/format-planner.md`` says what the simulation covers, and what it does not.

>>> question = PlanQuestion(people=16, tables=4, minutes=180, ruleset="maine", matters="meet_many")
>>> proposals = find_candidates(question)
>>> [(proposal.key, proposal.rounds) for proposal in proposals][:2]
[('swiss', 5), ('pools_knockout', 5)]
>>> def forecast(proposal):
...     return simulate(proposal, question, runs=10, seed=1, progress=lambda done, of: None)
>>> found = [(proposal, forecast(proposal)) for proposal in proposals]
>>> best = build_choices(question, found)[0]
>>> best.proposal.key, best.forecast.median, best.why.key
('random', 163, 'opponents_met')
"""

from .candidates import Exclusion as Exclusion
from .candidates import find_candidates as find_candidates
from .candidates import list_exclusions as list_exclusions
from .forecasts import Forecast as Forecast
from .plots import FinishingPlot as FinishingPlot
from .pool_finals import PoolFinals as PoolFinals
from .proposal_order import Choice as Choice
from .proposal_order import ProposalForecasts as ProposalForecasts
from .proposal_order import ProposalReason as ProposalReason
from .proposal_order import build_choices as build_choices
from .proposals import Proposal as Proposal
from .questions import LIMITS as LIMITS
from .questions import MATTERS as MATTERS
from .questions import MAX_TWO_PLAYER_PEOPLE as MAX_TWO_PLAYER_PEOPLE
from .questions import PARTNERS as PARTNERS
from .questions import PlanQuestion as PlanQuestion
from .questions import check_question as check_question
from .questions import list_rulesets as list_rulesets
from .serialization import proposals_from_json as proposals_from_json
from .serialization import proposals_to_json as proposals_to_json
from .serialization import question_from_json as question_from_json
from .serialization import question_to_json as question_to_json
from .simulation import Progress as Progress
from .simulation import get_default_runs as get_default_runs
from .simulation import simulate as simulate
