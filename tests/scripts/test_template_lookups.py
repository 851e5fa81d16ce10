"""The law over all tests that a template asks of a value what it has."""

import pytest
from django.template import Context, Template

from tests.support.template_lookups import missing_names
from tournaments.rounds.presenters.rounds import ByeView

BYE = ByeView(entry=1, entry_id=1, names="Rita and Léo", reasons=())


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
def test_what_a_value_has_no_more_is_found(template: str, missing: set[str]) -> None:
    with missing_names() as found:
        Template(template).render(Context({"row": BYE}))
    assert found == missing
