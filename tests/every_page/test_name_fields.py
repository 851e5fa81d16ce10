"""Fields for people's names make phones capitalize words and turn off autocorrection."""

import pytest

from tests.support.hall import Hall

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("/sign-in", "name"),
        ("/club/{slug}/people/new", "name"),
    ],
)
def test_name_field_disables_correction_and_capitalizes_words(path: str, field: str) -> None:
    hall = Hall()
    browser = hall.add_phone() if path == "/sign-in" else hall.desk
    page = browser.open(path.format(slug=hall.event.club.slug))
    (found,) = [one for one in page.find_all() if one.attrs.get("name") == field and "id" in one.attrs]
    assert {name: found.attrs.get(name) for name in ("autocapitalize", "autocorrect", "spellcheck")} == {
        "autocapitalize": "words",
        "autocorrect": "off",
        "spellcheck": "false",
    }
