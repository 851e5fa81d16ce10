"""Issue templates: each in English and French, with the same questions."""

from typing import Any

import pytest
import yaml

from operations.data_dir import PROJECT

FOLDER = PROJECT / ".github" / "ISSUE_TEMPLATE"
IN_BOTH_LANGUAGES = [("bug", "bogue"), ("idea", "idee")]


def template(name: str) -> Any:
    return yaml.safe_load((FOLDER / f"{name}.yml").read_text(encoding="utf-8"))


def questions(name: str) -> list[tuple[str, str, bool]]:
    return [
        (each["type"], each["id"], each.get("validations", {}).get("required", False))
        for each in template(name)["body"]
    ]


@pytest.mark.parametrize(("english", "french"), IN_BOTH_LANGUAGES)
def test_a_template_asks_the_same_in_both_languages(english: str, french: str) -> None:
    assert questions(english) == questions(french)
    assert template(english)["labels"] == template(french)["labels"]
    assert template(english)["name"] != template(french)["name"]


def test_each_template_exists_in_both_languages() -> None:
    named = {name for pair in IN_BOTH_LANGUAGES for name in pair}
    assert {path.stem for path in FOLDER.glob("*.yml")} == named | {"config"}
