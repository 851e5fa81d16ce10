"""Form of the format planner."""

import datetime
from collections.abc import Mapping

from engine.planning import MATTERS, MOST_IN_TWOS, PARTNERS, PlanQuestion, check_question, rulesets_for
from errors import Refusal
from rules import RULESETS
from web.forms import FormReader

DAY = 24 * 60


def read_plan_question(data: Mapping[str, str], *, usual: str) -> PlanQuestion:
    """Read the question, with times in ``begins`` and ``ends``; an earlier end is after midnight. ``usual``
    is the club's usual ruleset.

    Refuses: form_refused, with a refusal for each field that is not right.
    """
    form = FormReader(data)
    numbers = {
        name: form.number(name, required="answer_missing") or 0
        for name in ("people", "tables", "minutes_a_hand")
    }
    begins, ends = (_time(form, data.get(name, ""), name) for name in ("begins", "ends"))
    partners = form.choice("partners", PARTNERS)
    matters = form.choice("matters", MATTERS)
    ruleset = form.choice("ruleset", RULESETS)
    form.finish()
    offered = rulesets_for(numbers["people"], numbers["tables"], usual=usual)
    if ruleset not in [each.key for each in offered]:
        form.refuse(Refusal("rules_for_two", field="ruleset", most=MOST_IN_TWOS))
    question = PlanQuestion(
        **numbers,
        begins=begins,
        minutes=(ends - begins) % DAY,
        partners=partners,
        matters=matters,
        ruleset=ruleset,
    )
    try:
        check_question(question)
    except Refusal as refusal:
        form.refuse(in_sight(refusal))
    form.finish()
    return question


def in_sight(refusal: Refusal) -> Refusal:
    """Move the refusal to a field of the form, which asks for a start and an end instead of minutes."""
    field = "ends" if refusal.field == "minutes" else refusal.field
    return Refusal(refusal.code, field=field, **refusal.details)


def _time(form: FormReader, text: str, name: str) -> int:
    """Return the minutes from midnight of ``19:00``."""
    try:
        hour = datetime.time.fromisoformat(text.strip())
    except ValueError:
        form.refuse(Refusal("not_a_time", field=name, value=text))
        return 0
    return hour.hour * 60 + hour.minute
