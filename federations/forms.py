"""Form of a federation: name, dates and points rules."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from engine.ladders import FEDERATION_COUNTS, LadderUnit
from tournaments.seasons.forms import PointsForm
from web.forms import ChoiceField, DayField, TextField

UNITS = (LadderUnit.PERSON, LadderUnit.PAIR)


class FederationForm(PointsForm):
    """A federation, with its points rules."""

    name = TextField(_("Federation name"), required="federation_name_required")
    starts = DayField(_("First day"), required="day_required")
    ends = DayField(_("Last day"), required="day_required")
    counts = ChoiceField(_("Ranked by"), values=FEDERATION_COUNTS, template="partials/select.html")
    unit = ChoiceField(_("Who is ranked"), values=UNITS, template="partials/select.html")

    def read_settings(self) -> dict[str, Any]:
        """Return name, dates, and the ``ladder`` in the format of ``ladder_from_json``. Refuses: form_refused."""
        values = self.read()
        return {name: values.pop(name) for name in ("name", "starts", "ends")} | {"ladder": values}
