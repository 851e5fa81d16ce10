"""Form of a season: its name, dates and standings. Fields are named as in refusals: ``ladders.1.best``."""

import re
from collections.abc import Sequence
from typing import Any, Self

from django.utils.translation import gettext_lazy as _

from engine.ladders import MAX_LADDERS, Eligibility, Ladder, LadderFigure, LadderUnit, ladders_from_json
from errors import Refusal
from web import form_lists
from web.form_lists import FormValues, list_positions
from web.forms import ChoiceField, DayField, Field, Form, NumberField, TextField, get_last_values


class RankPointsField(Field):
    """Points by rank, ``10 8 6`` with any separators. Refuses: rank_points_unread."""

    empty = ()
    defaults = {"autocomplete": "off"}

    def parse(self, text: str) -> tuple[int, ...]:
        numbers = re.findall(r"\d+", text)
        if re.sub(r"[\d\s,;/.–-]", "", text) or any(len(number) > 6 for number in numbers):
            raise Refusal("rank_points_unread", value=text)
        return tuple(map(int, numbers))

    def format(self, value: Sequence[int]) -> str:
        return " ".join(map(str, value))


class PointsForm(Form):
    """Points of standings over several nights."""

    best = NumberField(
        _("Nights counted"), help_text=_("For example, 10 counts the best 10 nights. Leave empty to count all.")
    )
    least_nights = NumberField(_("Minimum nights to be ranked"), empty=0)
    presence = NumberField(_("Attendance points"), help_text=_("Added for each night."), empty=0)
    rank_points = RankPointsField(
        _("Points per rank"),
        help_text=_(
            "For example, 10 8 6 5 4 3 2 1. "
            "Leave empty to give 20 points to the first of 20, 19 to the second, and so on."
        ),
    )


class LadderForm(PointsForm):
    """Standings of a season, as values for ``ladder_from_json``."""

    name = TextField(_("Standings name"))
    counts = ChoiceField(_("Ranked by"), values=tuple(LadderFigure), template="partials/select.html")
    unit = ChoiceField(_("Who is ranked"), values=tuple(LadderUnit), template="partials/select.html")
    who = ChoiceField(_("Players included"), values=tuple(Eligibility), template="partials/select.html")
    label = TextField(_("Limit to a group"), help_text=_("For example, Women, as in people’s profiles."), list="labels")


class SeasonForm(Form):
    """A season, with a form for each of its standings."""

    name = TextField(_("Season name"), required="season_name_required", autocomplete="")
    starts = DayField(_("First day"), required="day_required")
    ends = DayField(_("Last day"), required="day_required")
    ladders: Sequence[LadderForm]

    @classmethod
    def from_typed(cls, typed: FormValues) -> Self:
        """Return the form as typed."""
        values = get_last_values(typed)
        form = cls(values)
        form.ladders = [LadderForm(values, prefix=f"ladders.{place}") for place in list_positions(typed, "ladders")]
        return form

    @classmethod
    def from_ladders(cls, ladders: Sequence[Ladder], stored: object = None, **initial: Any) -> Self:
        """Return the form with these standings, and the values of a stored season or ``initial``."""
        form = cls.from_stored(stored, **initial)
        form.ladders = [
            LadderForm.from_stored(ladder, prefix=f"ladders.{place}") for place, ladder in enumerate(ladders)
        ]
        return form

    def list_refusals(self) -> list[Refusal]:
        refusals = [*super().list_refusals(), *(each for ladder in self.ladders for each in ladder.list_refusals())]
        self.cleaned_data["ladders"] = [ladder.cleaned_data for ladder in self.ladders]
        try:
            ladders_from_json(self.cleaned_data["ladders"])
        except Refusal as refusal:
            refusals.append(refusal)
        return refusals


def rearrange_season(typed: FormValues, change: str) -> dict[str, list[str]]:
    """Return the form with a standings list moved, removed or added: ``ladders.add``."""
    is_full = len(list_positions(typed, "ladders")) >= MAX_LADDERS
    new = None if is_full else {field.name: [field.value()] for field in LadderForm.from_stored(Ladder(name=""))}
    return form_lists.rearrange_list(typed, change, {"ladders": lambda typed: new})
