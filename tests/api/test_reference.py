"""The page that shows a reader what programs can do."""

import pytest
from django.test import Client

from api.operations import OPERATIONS
from wording.labels.operations import IN_FRENCH


def test_every_operation_is_said_in_french_and_in_its_typography() -> None:
    assert list(IN_FRENCH) == [operation.name for operation in OPERATIONS]
    for said in IN_FRENCH.values():
        assert said[0].isupper()
        assert not said.endswith(".")
        assert "'" not in said
        assert " :" not in said


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "said"), [("fr", "Former une paire de deux personnes"), ("en", "Make a pair of two entries")]
)
def test_the_page_lists_them_in_the_language_of_who_reads(client: Client, language: str, said: str) -> None:
    assert said in client.get("/api/", headers={"Accept-Language": language}).text
