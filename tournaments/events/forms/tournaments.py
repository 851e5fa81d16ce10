"""Form of a new tournament, and the questions that suggest a preset."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

from clubs.models import HouseRules
from engine.draws.stages import StagePlan
from engine.presets import MINUTES_A_ROUND, Answers, usual_rounds
from engine.ranking import RankingRules
from engine.results import with_how_far
from errors import Refusal
from tournaments.events.services.lifecycle import usual_ranking
from tournaments.events.services.settings import Settings, check_plan, check_sections, check_tables_for_two
from web.form_lists import Typed
from web.forms import FormReader, last_values

from .nights import EventForm, read_event_form
from .settings import Plain, StagesRead, read_ranking, read_sections, read_stages
from .stage_fields import MOST_ENTRIES, MOST_ROUNDS, NO, YES

FEWEST = {"fixed": 2, "drawn": 4}
"""Fewest entries for a table: pairs, or people whose partners are drawn."""
MOST_MINUTES = 24 * 60
USUAL_EXPECTED = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentReading:
    """A tournament form with its valid values and its refusals. ``expected`` is the number of entries for the
    forecast."""

    event: EventForm
    stages: StagesRead
    ranking: RankingRules | None
    sections: tuple[Plain, ...]
    expected: int | None
    refusals: tuple[Refusal, ...]

    @property
    def plan(self) -> StagePlan | None:
        return self.stages.plan

    @property
    def ranking_rules(self) -> RankingRules | None:
        """Ranking rules with how far an entry came placed first; None while the ranking or the stages are
        invalid."""
        return with_how_far(self.ranking, self.plan) if self.ranking and self.plan else None

    def finish(self) -> dict[str, Any]:
        """Return the arguments of ``create_tournament``.

        Refuses: form_refused, with a refusal for each field that is not right.
        """
        if self.refusals:
            raise Refusal("form_refused", refusals=self.refusals)
        assert self.ranking is not None
        settings = Settings(stages=self.stages.plain, ranking=self.ranking, sections=self.sections)
        return {**self.event.as_values(), "settings": settings}


def read_tournament_form(typed: Typed, own: Mapping[str, HouseRules]) -> TournamentReading:
    """Read the tournament form; its rules are a built-in ruleset or ``own`` house rules."""
    form = FormReader(last_values(typed))
    event = read_event_form(form, typed, own)
    stages = read_stages(form, typed)
    ranking = read_ranking(form, typed)
    if ranking is not None and event.match_format is not None:
        ranking = usual_ranking(ranking, event.match_format)
    sections = tuple(section.plain for section in read_sections(form, typed))
    expected = _number(form, "expected", least=2, most=MOST_ENTRIES)
    _check(form, event, stages, sections)
    return TournamentReading(
        event=event,
        stages=stages,
        ranking=ranking,
        sections=sections,
        expected=expected,
        refusals=form.refusals,
    )


def _check(form: FormReader, event: EventForm, stages: StagesRead, sections: tuple[Plain, ...]) -> None:
    """Check values against each other; errors are added to the form."""
    try:
        if stages.plan is not None and event.ruleset is not None:
            check_plan(stages.plan, seats=event.ruleset.seats)
            check_tables_for_two(stages.plan, event.ruleset)
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
    partners = form.choice("partners", tuple(FEWEST))
    all_play = form.choice("all_play", (YES, NO)) == YES
    has_final = form.choice("final", (YES, NO)) == YES
    least = FEWEST.get(partners, 2)
    expected = _number(form, "expected", least=least, most=MOST_ENTRIES) or USUAL_EXPECTED
    rounds = _number(form, "rounds", least=1, most=MOST_ROUNDS)
    minutes = _number(form, "minutes", least=1, most=MOST_MINUTES)
    if rounds is not None and minutes is not None:
        form.refuse(Refusal("rounds_or_minutes", field="minutes"))
    form.finish()
    time = "rounds" if rounds is not None else "minutes" if minutes is not None else ""
    if minutes is not None:
        rounds = max(1, minutes // MINUTES_A_ROUND)
    return Answers(
        are_drawn=partners == "drawn",
        all_play=all_play,
        has_final=has_final,
        expected=expected,
        rounds=rounds or usual_rounds(expected),
        time=time,
    )


def _number(form: FormReader, name: str, *, least: int, most: int) -> int | None:
    number = form.number(name)
    if number is not None and number < least:
        form.refuse(Refusal("number_too_small", field=name, value=number, least=least))
    elif number is not None and number > most:
        form.refuse(Refusal("number_too_large", field=name, value=number, most=most))
    return number
