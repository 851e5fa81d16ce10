"""Form of a new tournament, and the questions that suggest a preset."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from clubs.models import HouseRules
from engine.draws.stages import StagePlan
from engine.presets import MINUTES_PER_ROUND, Answers, suggest_rounds
from engine.ranking import RankingRules
from engine.results import add_progress_metrics
from errors import Refusal
from rules import Ruleset
from tournaments.events.services.lifecycle import adapt_ranking
from tournaments.events.services.settings import check_plan, check_sections, check_tables_for_two
from web.form_lists import FormValues
from web.forms import FormReader, get_last_values

from .nights import read_event_form
from .settings import JsonObject, read_ranking, read_sections, read_stages
from .stage_fields import MAX_ENTRIES, MAX_ROUNDS, NO, YES

MIN_ENTRIES = {"fixed": 2, "drawn": 4}
"""Fewest entries for a table: pairs, or people whose partners are drawn."""
MAX_MINUTES = 24 * 60
DEFAULT_ENTRY_COUNT = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentForm:
    """A tournament form: the arguments of ``create_event``, None where they are invalid, with the plan of its stages
    and its refusals. ``expected`` is the number of entries for the forecast."""

    event: Mapping[str, Any]
    plan: StagePlan | None
    expected: int | None
    refusals: tuple[Refusal, ...]

    @property
    def ranking_rules(self) -> RankingRules | None:
        """Ranking rules with how far an entry came placed first; None while the ranking or the stages are
        invalid."""
        ranking = self.event["ranking"]
        return add_progress_metrics(ranking, self.plan) if ranking and self.plan else None


def read_tournament_form(form_data: FormValues, house_rules: Mapping[str, HouseRules]) -> TournamentForm:
    """Read the tournament form; its rules are a built-in ruleset or one of the ``house_rules``."""
    form = FormReader(get_last_values(form_data))
    event = read_event_form(form, form_data, house_rules)
    stages, plan = read_stages(form, form_data)
    ranking = read_ranking(form, form_data)
    if ranking is not None:
        ranking = adapt_ranking(ranking, event["match_format"])
    sections = [section for _, section in read_sections(form, form_data)]
    expected_entries = _read_number(form, "expected", min_value=2, max_value=MAX_ENTRIES)
    _check_form(form, event["ruleset"], plan, sections)
    return TournamentForm(
        event={**event, "stages": stages, "ranking": ranking, "sections": sections},
        plan=plan,
        expected=expected_entries,
        refusals=form.refusals,
    )


def _check_form(
    form: FormReader, ruleset: Ruleset | None, plan: StagePlan | None, sections: Sequence[JsonObject]
) -> None:
    """Check values against each other; errors are added to the form."""
    try:
        if plan is not None and ruleset is not None:
            check_plan(plan, seats=ruleset.seats)
            check_tables_for_two(plan, ruleset)
    except Refusal as refusal:
        form.refuse(refusal)
    try:
        check_sections(sections)
    except Refusal as refusal:
        form.refuse(refusal)


def read_questions(data: QueryDict) -> Answers:
    """Read the answers. Without rounds or minutes, the usual number of rounds is taken.

    Refuses: form_refused, with a refusal for each field that is not right.
    """
    form = FormReader(data.dict())
    partners = form.read_choice("partners", tuple(MIN_ENTRIES))
    all_play = form.read_choice("all_play", (YES, NO)) == YES
    has_final = form.read_choice("final", (YES, NO)) == YES
    min_entries = MIN_ENTRIES.get(partners, 2)
    expected_entries = (
        _read_number(form, "expected", min_value=min_entries, max_value=MAX_ENTRIES) or DEFAULT_ENTRY_COUNT
    )
    rounds = _read_number(form, "rounds", min_value=1, max_value=MAX_ROUNDS)
    minutes = _read_number(form, "minutes", min_value=1, max_value=MAX_MINUTES)
    if rounds is not None and minutes is not None:
        form.refuse(Refusal("rounds_or_minutes", field="minutes"))
    form.raise_refusals()
    time = "rounds" if rounds is not None else "minutes" if minutes is not None else ""
    if minutes is not None:
        rounds = max(1, minutes // MINUTES_PER_ROUND)
    return Answers(
        has_drawn_partners=partners == "drawn",
        all_play=all_play,
        has_final=has_final,
        expected=expected_entries,
        rounds=rounds or suggest_rounds(expected_entries),
        time=time,
    )


def _read_number(form: FormReader, name: str, *, min_value: int, max_value: int) -> int | None:
    number = form.read_number(name)
    if number is not None and number < min_value:
        form.refuse(Refusal("number_too_small", field=name, value=number, least=min_value))
    elif number is not None and number > max_value:
        form.refuse(Refusal("number_too_large", field=name, value=number, most=max_value))
    return number
