"""Issue templates: each in English and French, with the same questions."""

from typing import Any

import pytest
import yaml

from operations.data_dir import PROJECT

FOLDER = PROJECT / ".github" / "ISSUE_TEMPLATE"
TEMPLATE_PAIRS = [("bug", "bogue"), ("idea", "idee")]


def read_template(name: str) -> Any:
    return yaml.safe_load((FOLDER / f"{name}.yml").read_text(encoding="utf-8"))


def list_questions(name: str) -> list[tuple[str, str, bool]]:
    return [
        (each["type"], each["id"], each.get("validations", {}).get("required", False))
        for each in read_template(name)["body"]
    ]


@pytest.mark.parametrize(("english", "french"), TEMPLATE_PAIRS)
def test_issue_template_asks_the_same_in_both_languages(english: str, french: str) -> None:
    assert list_questions(english) == list_questions(french)
    assert read_template(english)["labels"] == read_template(french)["labels"]
    assert read_template(english)["name"] != read_template(french)["name"]


def test_every_issue_template_exists_in_both_languages() -> None:
    named = {name for pair in TEMPLATE_PAIRS for name in pair}
    assert {path.stem for path in FOLDER.glob("*.yml")} == named | {"config"}
