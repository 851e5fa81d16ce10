"""A format of draws is in all places that speak of formats: each test says where one was forgotten."""

import re
from dataclasses import replace

from engine.charts.cross_tables import TABLES
from engine.charts.shapes import BRACKETS, PARTS
from engine.draws import FORMATS, Draw, DrawInput, Entrant, EntryId, draw
from engine.draws.pairing_cost.comparison import PRICED
from engine.draws.values import KeepsApart
from engine.planning.shapes import shapes
from operations.data_dir import PROJECT
from tournaments.events.forms.stage_fields import FORMAT_FIELDS
from wording.labels.tournaments import FORMATS as WORDS

NOT_OFFERED = {
    "open_tables": "nobody chooses it for a stage: the page of settings has no step for who is free",
    "manual": "the director draws any round by hand, whatever its format",
}
NOT_DRAWN_AS_A_CHART = {
    "random": "who met whom by lot says nothing",
    "progressive": "tables follow from the last result",
    "progressive_individual": "partners change",
    "swiss_individual": "partners change",
    "by_rank": "partners change",
    "rotation": "partners change",
    "mitchell": "a half never meets itself",
    "interclub": "clubs meet; their own list tells it",
    "interclub_all": "clubs meet; their own list tells it",
    "open_tables": "whoever is free meets whoever is free",
    "manual": "as the director typed it",
}
NOT_PLANNED = {
    "mitchell": "how good it is depends on who stays, which the planner does not ask",
    "interclub": "the planner does not ask for clubs",
    "interclub_all": "the planner does not ask for clubs",
    "open_tables": "it has no rounds",
    "manual": "nothing to foresee",
}
PRICED_BY_ITSELF = {
    "swiss_individual": "partners and opponents are priced apart, and a draft compares one price"
}
IN_THE_PAGE = {
    KeepsApart.EACH_ROUND: "each round",
    KeepsApart.SEEDING: "as long as possible",
    KeepsApart.FIRST_ROUND: "the first round",
    KeepsApart.GROUPS: "different groups",
    KeepsApart.NEVER: "never",
}
FIELD = DrawInput(round=1, entrants=tuple(Entrant(id=EntryId(n), number=n) for n in range(1, 9)), seed=7)


def test_every_format_has_a_name_and_a_meaning() -> None:
    assert FORMATS.keys() - WORDS.keys() == set(), (
        "give it a name and a sentence: FORMATS in wording/labels/tournaments.py"
    )


def test_every_format_is_offered_with_its_fields_or_said_to_be_offered_nowhere() -> None:
    assert FORMATS.keys() - NOT_OFFERED.keys() == FORMAT_FIELDS.keys(), (
        "name its fields: FORMAT_FIELDS in tournaments/events/forms/stage_fields.py; or say here why not"
    )


def test_every_bracket_is_drawn_as_one() -> None:
    brackets = {key for key, known in FORMATS.items() if known.is_bracket}
    assert brackets == BRACKETS.keys() == PARTS.keys(), (
        "say how its bracket is read: BRACKETS and PARTS in engine/charts/shapes.py"
    )


def test_every_other_format_has_cross_tables_or_is_said_to_have_no_chart() -> None:
    others = {key for key, known in FORMATS.items() if not known.is_bracket}
    assert others - NOT_DRAWN_AS_A_CHART.keys() == TABLES.keys(), (
        "say how its cross tables are made: TABLES in engine/charts/cross_tables.py; or say here why not"
    )


def test_every_format_is_in_the_planner_or_said_not_to_be() -> None:
    kinds = (shape for n in (4, 8, 12, 40) for drawn in (True, False) for shape in shapes(n, are_drawn=drawn))
    planned = {
        stage["format"]
        for shape in kinds
        for stage in shape.stages(max(shape.fewest, 12), max(shape.rounds(max(shape.fewest, 12))))
    }
    assert FORMATS.keys() - NOT_PLANNED.keys() == planned, (
        "make a plan of it: a line of _FIXED or _DRAWN in engine/planning/shapes.py, with its words (PLANS, "
        "DECIDES) in wording/labels/planning.py; or say here why not"
    )


def test_whatever_proves_its_draws_lets_them_be_compared() -> None:
    proving = {key for key in FORMATS if draw(key, FIELD).certificate is not None}
    assert proving - PRICED_BY_ITSELF.keys() == PRICED.keys(), (
        "name its usual criteria: PRICED in engine/draws/pairing_cost/comparison.py; or say here why not"
    )


def test_a_format_in_which_somebody_has_no_place_says_so() -> None:
    odd = replace(FIELD, entrants=FIELD.entrants[:7])
    unsaid = [
        key for key, known in FORMATS.items() if not known.leaves_out and _in_places(draw(key, odd)) < 7
    ]
    assert unsaid == [], "say so: leaves_out=True on its Format"


def test_the_page_on_draws_says_of_every_format_when_it_keeps_apart() -> None:
    page = (PROJECT / "docs" / "development" / "draws.md").read_text(encoding="utf-8")
    rows = [
        row for row in page.splitlines() if row.startswith(tuple(f"| {it}" for it in IN_THE_PAGE.values()))
    ]
    said = {key: when for when in IN_THE_PAGE.values() for key in _named(rows, when)}
    assert said == {key: IN_THE_PAGE[known.keeps_apart] for key, known in FORMATS.items()}, (
        "put it in the right line of the table under “Kept apart” in docs/development/draws.md"
    )


def _in_places(drawn: Draw) -> int:
    return len(drawn.byes) + sum(len(table.a) + len(table.b) for table in drawn.tables)


def _named(rows: list[str], when: str) -> list[str]:
    return [key for row in rows if row.startswith(f"| {when}") for key in re.findall("`([a-z_]+)`", row)]
