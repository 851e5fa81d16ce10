"""The check that templates look up only attributes that values have."""

import pytest
from django.template import Context, Template

from tests.support.template_lookups import collect_missing_names
from tournaments.rounds.presenters.rounds import ByeView

BYE = ByeView(entry=1, entry_id=1, names="Rita and Léo", stage=0, reasons=())


@pytest.mark.parametrize(
    ("template", "missing"),
    [
        ("{{ row.names }} {{ row.kind }}", set()),
        ("{{ row.sides }} of a table, which stands in the same list", set()),
        ("{{ nobody.names }} of what is not given", set()),
        ("{{ row.waits }}", {"tournaments.rounds.presenters.rounds.ByeView has no waits"}),
        (
            "{% if row.waits or not row.waits %}{% endif %}",
            {"tournaments.rounds.presenters.rounds.ByeView has no waits"},
        ),
    ],
)
def test_missing_template_attribute_is_found(template: str, missing: set[str]) -> None:
    with collect_missing_names() as found:
        Template(template).render(Context({"row": BYE}))
    assert found == missing
