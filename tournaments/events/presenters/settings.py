"""The settings form as typed, and the forecast for a number of entries."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.draws import FORMATS
from engine.draws.schedules.foursomes import TABLE_FOR_TWO
from engine.draws.stages import POOLS, StagePlan, rounds_of_plan
from engine.ranking import (
    ACROSS_POOLS,
    AFTER_DISQUALIFICATION,
    CHOICES,
    UNPLAYED,
    WORTHS,
    RankingRules,
)
from engine.results import SCHEDULED
from rules import Ruleset, has_rules_for_two
from tournaments.events.forms.settings import POINTS
from tournaments.events.forms.stage_fields import (
    BESIDE,
    FORMAT_FIELDS,
    ODD,
    TAKES,
    YES,
    StageField,
    player_fields,
)
from web.form_lists import Typed, first_of, places_of


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionView:
    """An option of a field."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """A field of a stage as typed: a number, or ``options``."""

    name: str
    label: str
    help: str
    typed: str
    options: tuple[OptionView, ...]
    is_several: bool
    inputmode: str
    shapes: bool
    """Whether the answer decides which other fields are shown."""
    is_usual: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StageView:
    """A stage as typed: its format, who plays in it, how it is drawn."""

    place: int
    was: str
    format: str
    formats: tuple[tuple[bool, tuple[str, ...]], ...]
    """The formats offered, by whether they draw partners."""
    fields: tuple[FieldView, ...]
    rare: tuple[FieldView, ...]
    is_first: bool
    is_last: bool
    is_begun: bool

    @property
    def number(self) -> int:
        return self.place + 1

    @property
    def has_unusual(self) -> bool:
        """Whether a rare field has an unusual value."""
        return not all(field.is_usual for field in self.rare)

    @property
    def line(self) -> str:
        """Prefix of the names of its fields and buttons."""
        return f"stages.{self.place}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionView:
    """A section as typed."""

    place: int
    was: str
    name: str
    first_table: str
    last_table: str

    @property
    def line(self) -> str:
        """Prefix of the names of its fields and buttons."""
        return f"sections.{self.place}"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedView:
    """A metric of the ranking, by its key, and its line in the list."""

    key: str
    line: str
    is_first: bool
    is_last: bool


USUAL_WORTHS = {name: getattr(RankingRules(), name).value for name in UNPLAYED}


@dataclass(frozen=True, slots=True, kw_only=True)
class UnplayedView:
    """A kind of unplayed round, with its possible results and points, each with whether it is chosen.
    ``number`` is a fixed number of points. ``is_offered``: the stages can have such rounds."""

    name: str
    worths: tuple[tuple[str, bool], ...]
    points: tuple[tuple[str, bool], ...]
    number: str
    is_offered: bool = True

    @property
    def number_field(self) -> str:
        return f"{self.name}_number"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsView:
    """The settings form as typed.

    ``order`` has the metrics of the ranking, and ``others`` those not in it. ``across_pools`` are the ways to
    compare entries of different pools, and ``disqualified`` the ways to rank a disqualified entry, each with
    whether it is chosen. ``focus`` names the button or field that gets the focus.
    """

    stages: tuple[StageView, ...]
    sections: tuple[SectionView, ...]
    order: tuple[RankedView, ...]
    others: tuple[str, ...]
    unplayed: tuple[UnplayedView, ...]
    across_pools: tuple[tuple[str, bool], ...]
    has_pools: bool
    disqualified: tuple[tuple[str, bool], ...]
    focus: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """Forecast for a number of entries: tables at once, and rounds, or None if unknown."""

    entries: int
    tables: int
    rounds: int | None


def settings_view(
    typed: Typed, *, ruleset: Ruleset | None, begun: Collection[int] = (), changed: str = ""
) -> SettingsView:
    """Build the form as typed. ``begun`` are the places of stages that have begun, and ``changed`` is the
    list change just made. A table for two is offered if the ``ruleset`` has rules for two, or if it is chosen
    already."""
    plays_two = ruleset is not None and has_rules_for_two(ruleset)
    places = places_of(typed, "stages")
    order = tuple(key for key in typed.get("order", []) if key in CHOICES)
    formats = {first_of(typed, f"stages.{place}.format") for place in places}
    has_schedule = not formats.isdisjoint(SCHEDULED)
    return SettingsView(
        stages=tuple(_stage(typed, place, places, begun, plays_two=plays_two) for place in places),
        sections=tuple(_section(typed, place) for place in places_of(typed, "sections")),
        order=tuple(
            RankedView(key=key, line=f"order.{at}", is_first=not at, is_last=at == len(order) - 1)
            for at, key in enumerate(order)
        ),
        others=tuple(key for key in CHOICES if key not in order),
        unplayed=tuple(
            _unplayed_view(typed, name, is_offered=name != "scheduled_bye" or has_schedule)
            for name in UNPLAYED
        ),
        across_pools=tuple(
            (key, key == (first_of(typed, "across_pools") or ACROSS_POOLS[0])) for key in ACROSS_POOLS
        ),
        has_pools=POOLS in formats,
        disqualified=tuple(
            (each, each == (first_of(typed, "disqualified") or RankingRules().disqualified))
            for each in AFTER_DISQUALIFICATION
        ),
        focus=_focus(typed, changed),
    )


def _unplayed_view(typed: Typed, name: str, *, is_offered: bool) -> UnplayedView:
    points, number = f"{name}_points", f"{name}_number"
    return UnplayedView(
        name=name,
        worths=tuple((worth, worth == (first_of(typed, name) or USUAL_WORTHS[name])) for worth in WORTHS),
        points=tuple((key, key == (first_of(typed, points) or POINTS[0])) for key in POINTS),
        number=first_of(typed, number),
        is_offered=is_offered,
    )


def forecast(plan: StagePlan, entries: int) -> Forecast:
    """Compute tables and rounds for these stages if this many entries all stay."""
    return Forecast(
        entries=entries,
        tables=entries // (2 * FORMATS[plan[0].format].side),
        rounds=rounds_of_plan(plan, entries),
    )


def _stage(
    typed: Typed, place: int, places: Sequence[int], begun: Collection[int], *, plays_two: bool
) -> StageView:
    start = f"stages.{place}."
    key, was = first_of(typed, f"{start}format"), first_of(typed, f"{start}was")
    takes = first_of(typed, f"{start}takes") or TAKES.usual
    is_first = place == places[0]
    follows = not is_first or takes != TAKES.usual or first_of(typed, f"{start}{BESIDE.name}") == YES
    own = [
        field
        for field in FORMAT_FIELDS.get(key, ())
        if field is not ODD or plays_two or first_of(typed, f"{start}{ODD.name}") == TABLE_FOR_TWO
    ]
    offered = (*(player_fields(takes) if follows else ()), *own)
    return StageView(
        place=place,
        was=was,
        format=key,
        formats=tuple(
            (drawn, tuple(one for one in FORMAT_FIELDS if FORMATS[one].draws_partners == drawn))
            for drawn in (False, True)
        ),
        fields=tuple(_field(typed, start, field) for field in offered if not field.is_rare),
        rare=tuple(_field(typed, start, field) for field in offered if field.is_rare),
        is_first=is_first,
        is_last=place == places[-1],
        is_begun=was.isdecimal() and int(was) in begun,
    )


def _field(typed: Typed, start: str, field: StageField) -> FieldView:
    name = f"{start}{field.name}"
    usual = [option.text for option in field.options if option.value == field.usual]
    chosen = typed.get(name, usual)
    return FieldView(
        name=name,
        label=str(field.label),
        help=str(field.help),
        typed=first_of(typed, name),
        options=tuple(
            OptionView(value=one.text, label=str(one.label), is_chosen=one.text in chosen)
            for one in field.options
        ),
        is_several=field.is_several,
        inputmode="text" if field.is_text else "numeric",
        shapes=field is TAKES,
        is_usual=[value for value in chosen if value] == usual,
    )


def _focus(typed: Typed, changed: str) -> str:
    """Return the button or field to focus after a line was moved, added or removed."""
    line, _, step = changed.rpartition(".")
    name, _, place = line.partition(".")
    name = name or line
    last = len(typed.get(name, places_of(typed, name))) - 1
    if step in ("up", "down") and place.isdecimal():
        moved = max(0, int(place) - 1) if step == "up" else min(last, int(place) + 1)
        return f"{name}.{moved}.{step}"
    if step == "add":
        return f"{name}.{last}.{_FIRST_FIELDS.get(name, '')}"
    return f"{name}.add" if step == "remove" else ""


_FIRST_FIELDS = {"stages": "format", "sections": "name", "order": "up"}


def _section(typed: Typed, place: int) -> SectionView:
    start = f"sections.{place}."
    return SectionView(
        place=place,
        was=first_of(typed, f"{start}was"),
        name=first_of(typed, f"{start}name"),
        first_table=first_of(typed, f"{start}first_table"),
        last_table=first_of(typed, f"{start}last_table"),
    )
