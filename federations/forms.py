"""Form of a federation: name, dates and points rules, read from fields and written back to them."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.ladders import FEDERATION_COUNTS, Ladder, LadderUnit, ladder_from_json
from tournaments.seasons.forms import read_rank_points
from web.forms import FormReader

from .models import Federation

UNITS = (LadderUnit.PERSON, LadderUnit.PAIR)
NUMBERS = ("best", "least_nights", "presence")


@dataclass(frozen=True, slots=True, kw_only=True)
class FederationForm:
    """Values of the form; ``ladder`` is in the format of ``engine.ladders.ladder_from_json``."""

    name: str
    starts: datetime.date
    ends: datetime.date
    ladder: Mapping[str, Any]


def read_federation_form(typed: Mapping[str, str]) -> FederationForm:
    """Read the form. Refuses: form_refused, with a refusal for each field that is not right."""
    form = FormReader(typed)
    name = form.text("name", required="federation_name_required")
    starts, ends = (form.day(each, required="day_required") for each in ("starts", "ends"))
    choices = {
        "counts": form.choice("counts", FEDERATION_COUNTS),
        "unit": form.choice("unit", UNITS),
    }
    numbers = {each: form.number(each) for each in NUMBERS}
    ladder = {
        **choices,
        "best": numbers["best"],
        "least_nights": numbers["least_nights"] or 0,
        "presence": numbers["presence"] or 0,
        "rank_points": read_rank_points(form, "rank_points", typed.get("rank_points", "")),
    }
    form.finish()
    assert starts is not None
    assert ends is not None
    return FederationForm(name=name, starts=starts, ends=ends, ladder=ladder)


def typed_federation(federation: Federation) -> dict[str, str]:
    """Return the field values for a federation."""
    return {
        "name": federation.name,
        "starts": federation.starts.isoformat(),
        "ends": federation.ends.isoformat(),
    } | typed_ladder(ladder_from_json(federation.ladder))


def typed_ladder(ladder: Ladder) -> dict[str, str]:
    """Return the field values for points rules."""
    return {
        "counts": ladder.counts.value,
        "unit": ladder.unit.value,
        "best": str(ladder.best or ""),
        "least_nights": str(ladder.least_nights or ""),
        "presence": str(ladder.presence or ""),
        "rank_points": " ".join(map(str, ladder.rank_points)),
    }
