"""Each draw format is in every list of formats; a failing test names the place where it is missing."""

import re
from dataclasses import replace

from engine.charts.cross_tables import TABLES
from engine.charts.shapes import BRACKETS, PARTS
from engine.draws import FORMATS, Draw, DrawInput, Entrant, EntryId, draw
from engine.draws.pairing_cost.comparison import PRICED_FORMATS
from engine.draws.values import SeparationTiming
from engine.planning.shapes import list_shapes
from operations.data_dir import PROJECT
from tournaments.events.forms.stage_fields import FORMAT_FIELDS
from tournaments.events.labels import FORMATS as WORDS

FORMATS_NOT_OFFERED = {
    "open_tables": "nobody chooses it for a stage: the page of settings has no step for who is free",
    "manual": "the director draws any round by hand, whatever its format",
}
FORMATS_WITHOUT_CHART = {
    "random": "who met whom by lot says nothing",
    "progressive": "tables follow from the last result",
    "progressive_individual": "partners change",
    "swiss_individual": "partners change",
    "by_rank": "partners change",
    "rotation": "partners change",
    "mitchell": "a half never meets itself",
    "interclub": "clubs meet; their own list tells it",
    "interclub_all": "clubs meet; their own list tells it",
    "teams": "teams meet; their own list tells it",
    "open_tables": "whoever is free meets whoever is free",
    "manual": "as the director typed it",
}
FORMATS_NOT_PLANNED = {
    "mitchell": "how good it is depends on who stays, which the planner does not ask",
    "interclub": "the planner does not ask for clubs",
    "interclub_all": "the planner does not ask for clubs",
    "teams": "the planner does not ask for teams",
    "open_tables": "it has no rounds",
    "manual": "nothing to foresee",
}
FORMATS_WITH_OWN_PRICES = {
    "swiss_individual": "partners and opponents are priced apart, and a draft compares one price"
}
KEEPS_APART_TEXTS = {
    SeparationTiming.EACH_ROUND: "each round",
    SeparationTiming.SEEDING: "as long as possible",
    SeparationTiming.FIRST_ROUND: "the first round",
    SeparationTiming.GROUPS: "different groups",
    SeparationTiming.NEVER: "never",
}
FIELD = DrawInput(round=1, entrants=tuple(Entrant(id=EntryId(n), number=n) for n in range(1, 9)), seed=7)


def test_every_format_has_a_name_and_a_description() -> None:
    assert FORMATS.keys() - WORDS.keys() == set(), (
        "give it a name and a sentence: FORMATS in tournaments/events/labels.py"
    )


def test_every_format_is_offered_with_its_fields_or_excluded() -> None:
    assert FORMATS.keys() - FORMATS_NOT_OFFERED.keys() == FORMAT_FIELDS.keys(), (
        "name its fields: FORMAT_FIELDS in tournaments/events/forms/stage_fields.py; or say here why not"
    )


def test_every_bracket_format_has_a_bracket_chart() -> None:
    brackets = {key for key, draw_format in FORMATS.items() if draw_format.is_bracket}
    assert brackets == BRACKETS.keys() == PARTS.keys(), (
        "say how its bracket is read: BRACKETS and PARTS in engine/charts/shapes.py"
    )


def test_every_other_format_has_cross_tables_or_is_excluded() -> None:
    others = {key for key, draw_format in FORMATS.items() if not draw_format.is_bracket}
    assert others - FORMATS_WITHOUT_CHART.keys() == TABLES.keys(), (
        "say how its cross tables are made: TABLES in engine/charts/cross_tables.py; or say here why not"
    )


def test_every_format_is_in_the_planner_or_excluded() -> None:
    kinds = (
        shape for n in (4, 8, 12, 40) for drawn in (True, False) for shape in list_shapes(n, has_drawn_partners=drawn)
    )
    planned = {
        stage["format"]
        for shape in kinds
        for stage in shape.stages(max(shape.min_entries, 12), max(shape.rounds(max(shape.min_entries, 12))))
    }
    assert FORMATS.keys() - FORMATS_NOT_PLANNED.keys() == planned, (
        "make a plan of it: a line of _FIXED_PARTNER_SHAPES or _DRAWN_PARTNER_SHAPES in engine/planning/shapes.py, "
        "with its words (PLANS, DECIDES) in tournaments/planner/labels.py; or say here why not"
    )


def test_every_certified_format_supports_comparison() -> None:
    proving = {key for key in FORMATS if draw(key, FIELD).certificate is not None}
    assert proving - FORMATS_WITH_OWN_PRICES.keys() == PRICED_FORMATS.keys(), (
        "name its usual criteria: PRICED_FORMATS in engine/draws/pairing_cost/comparison.py; or say here why not"
    )


def test_format_that_leaves_entries_out_declares_it() -> None:
    odd = replace(FIELD, entrants=FIELD.entrants[:7])
    unsaid = [
        key
        for key, draw_format in FORMATS.items()
        if not draw_format.can_leave_out and _count_places(draw(key, odd)) < 7
    ]
    assert unsaid == [], "say so: can_leave_out=True on its Format"


def test_draws_page_states_how_every_format_keeps_apart() -> None:
    page = (PROJECT / "docs" / "development" / "draws.md").read_text(encoding="utf-8")
    rows = [row for row in page.splitlines() if row.startswith(tuple(f"| {it}" for it in KEEPS_APART_TEXTS.values()))]
    separation_texts = {key: when for when in KEEPS_APART_TEXTS.values() for key in _list_keys(rows, when)}
    assert separation_texts == {
        key: KEEPS_APART_TEXTS[draw_format.separation] for key, draw_format in FORMATS.items()
    }, "put it in the right line of the table under “Kept apart” in docs/development/draws.md"


def _count_places(drawn: Draw) -> int:
    return len(drawn.byes) + sum(len(table.a) + len(table.b) for table in drawn.tables)


def _list_keys(rows: list[str], when: str) -> list[str]:
    return [key for row in rows if row.startswith(f"| {when}") for key in re.findall("`([a-z_]+)`", row)]
