"""Form of a season: its name, dates and standings, read from fields and written back to them.

Fields are named as in refusals: ``ladders.1.best``.
"""

import datetime
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from engine.ladders import (
    MOST_LADDERS,
    Counts,
    Ladder,
    LadderUnit,
    Who,
    ladder_from_json,
    ladder_to_json,
    ladders_from_json,
)
from errors import Refusal
from tournaments.events.forms.nights import read_date
from tournaments.models import Season
from web import form_lists
from web.form_lists import Typed, first_of, places_of
from web.forms import FormReader, last_values
from web.names import clean_text

CHOICES = {"counts": tuple(Counts), "unit": tuple(LadderUnit), "who": tuple(Who)}
NUMBERS = ("best", "least_nights", "presence")
LADDER_FIELDS = ("name", *CHOICES, *NUMBERS, "rank_points", "label")

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonForm:
    """Values of the form; its standings are in the format of ``seasons.ladder_from_json``."""

    name: str
    starts: datetime.date
    ends: datetime.date
    ladders: tuple[Plain, ...]


def typed_season(season: Season) -> dict[str, list[str]]:
    """Return the field values for a season, which ``read_season_form`` reads back."""
    days = {"name": season.name, "starts": season.starts.isoformat(), "ends": season.ends.isoformat()}
    return {name: [value] for name, value in days.items()} | typed_ladders(
        [ladder_from_json(plain) for plain in season.ladders]
    )


def typed_ladders(ladders: Sequence[Ladder]) -> dict[str, list[str]]:
    """Return the field values for these standings."""
    return {
        f"ladders.{place}.{name}": values
        for place, ladder in enumerate(ladders)
        for name, values in _fields_of(ladder).items()
    }


def rearrange_season(typed: Typed, change: str) -> dict[str, list[str]]:
    """Return the form with a standings list moved, removed or added: ``ladders.add``."""
    is_full = len(places_of(typed, "ladders")) >= MOST_LADDERS
    new = None if is_full else _fields_of(Ladder(name=""))
    return form_lists.rearrange_list(typed, change, {"ladders": lambda typed: new})


def read_season_form(typed: Typed) -> SeasonForm:
    """Read the season from the form. Refuses: form_refused, with a refusal for each field that is not
    right."""
    form = FormReader(last_values(typed))
    name = form.text("name", required="season_name_required")
    starts = read_date(form, first_of(typed, "starts"), field="starts")
    ends = read_date(form, first_of(typed, "ends"), field="ends")
    ladders = tuple(_ladder(form, typed, place) for place in places_of(typed, "ladders"))
    try:
        ladders_from_json(ladders)
    except Refusal as refusal:
        form.refuse(refusal)
    form.finish()
    return SeasonForm(name=name, starts=starts, ends=ends, ladders=ladders)


def _ladder(form: FormReader, typed: Typed, place: int) -> Plain:
    start = f"ladders.{place}."
    usual = asdict(Ladder(name=""))
    chosen = {name: form.choice(f"{start}{name}", known) for name, known in CHOICES.items()}
    numbers = {name: form.number(f"{start}{name}") for name in NUMBERS}
    return {
        "name": clean_text(first_of(typed, f"{start}name")),
        "label": clean_text(first_of(typed, f"{start}label")),
        "rank_points": read_rank_points(form, f"{start}rank_points", first_of(typed, f"{start}rank_points")),
        **{name: value if value in CHOICES[name] else usual[name] for name, value in chosen.items()},
        **{name: usual[name] if value is None else value for name, value in numbers.items()},
    }


def read_rank_points(form: FormReader, name: str, text: str) -> tuple[int, ...]:
    """Parse ``10 8 6``, with any separators. Codes: rank_points_unread."""
    found = re.findall(r"\d+", text)
    if re.sub(r"[\d\s,;/.–-]", "", text) or any(len(number) > 6 for number in found):
        form.refuse(Refusal("rank_points_unread", field=name, value=text))
        return ()
    return tuple(map(int, found))


def _fields_of(ladder: Ladder) -> dict[str, list[str]]:
    plain = asdict(Ladder(name="")) | ladder_to_json(ladder)
    plain["rank_points"] = " ".join(map(str, ladder.rank_points))
    return {
        name: ["" if value is None or (name in NUMBERS and not value) else str(value)]
        for name, value in plain.items()
    }
