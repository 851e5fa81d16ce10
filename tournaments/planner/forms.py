"""Form of the format planner."""

import datetime

from django.utils.translation import gettext_lazy as _

from engine.planning import MATTERS, MAX_TWO_PLAYER_PEOPLE, PARTNERS, PlanQuestion, check_question, list_rulesets
from errors import Refusal
from rules import RULESETS
from web.forms import ChoiceField, Form, HourField, NumberField

MINUTES_PER_DAY = 24 * 60


class MinutesField(HourField):
    """A time of the day, as minutes from midnight. Refuses: not_a_time."""

    def read(self, text: str) -> int:
        try:
            hour = datetime.time.fromisoformat(text.strip())
        except ValueError:
            raise Refusal("not_a_time", value=text) from None
        return hour.hour * 60 + hour.minute


class PlanForm(Form):
    """The questions of the format planner, with times in ``begins`` and ``ends``; an earlier end is after midnight."""

    people = NumberField(_("People"), required="answer_missing", autocomplete="")
    tables = NumberField(_("Tables"), required="answer_missing", autocomplete="")
    minutes_a_hand = NumberField(
        _("Minutes per hand"), help_text=_("Usually 4."), required="answer_missing", autocomplete=""
    )
    begins = MinutesField(_("From"))
    ends = MinutesField(_("To"))
    partners = ChoiceField(
        _("Partners"), [("fixed", _("Fixed pairs")), ("drawn", _("Partners drawn each round"))], values=PARTNERS
    )
    matters = ChoiceField(_("Priority"), values=MATTERS)
    ruleset = ChoiceField(values=tuple(RULESETS))

    def build_question(self, *, default_ruleset: str) -> PlanQuestion:
        """Return the question. ``default_ruleset`` is the club's usual ruleset. Refuses: form_refused."""
        values = self.read()
        values["minutes"] = (values.pop("ends") - values["begins"]) % MINUTES_PER_DAY
        question, refusals = PlanQuestion(**values), []
        offered = list_rulesets(question.people, question.tables, usual=default_ruleset)
        if question.ruleset not in [option.key for option in offered]:
            refusals.append(Refusal("rules_for_two", field="ruleset", most=MAX_TWO_PLAYER_PEOPLE))
        try:
            check_question(question)
        except Refusal as refusal:
            refusals.append(move_to_form_field(refusal))
        if refusals:
            raise Refusal("form_refused", refusals=tuple(refusals))
        return question


def move_to_form_field(refusal: Refusal) -> Refusal:
    """Move the refusal to a field of the form, which asks for a start and an end instead of minutes."""
    field = "ends" if refusal.field == "minutes" else refusal.field
    return Refusal(refusal.code, field=field, **refusal.details)
