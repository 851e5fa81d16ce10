"""Examples of every operation in the schema: sent during one evening, and valid by the schema."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from api.examples import FILE, examples, name_of_answer
from api.operations import OPERATIONS
from api.schema import openapi
from tests.api.evening import BY_NAME, Evening, an_evening
from tests.api.test_schema import said_of
from tests.support.snapshots import RENEW

MOST_ROWS = 2
SECRET = "whsec_" + "…"


def shown(value: Any) -> Any:
    """As an example shows it: the first of many, an address as elsewhere, and no secret."""
    if isinstance(value, list):
        return [shown(each) for each in value[:MOST_ROWS]]
    if isinstance(value, dict):
        return {name: SECRET if name == "secret" else shown(each) for name, each in value.items()}
    if isinstance(value, str):
        return value.replace("http://testserver", "https://example.org")
    return value


def examples_of(told: Evening) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for operation in OPERATIONS:
        if operation.takes is not None:
            found.setdefault(operation.takes.__name__, told.sent[operation.name])
        found.setdefault(name_of_answer(operation), shown(told.answered[operation.name]))
    return dict(sorted(found.items()))


def form_of(value: Any) -> Any:
    """Return what it is made of, without what is another one each evening: keys, codes and hours."""
    if isinstance(value, dict):
        return {name: form_of(each) for name, each in value.items()}
    if isinstance(value, list):
        return [form_of(each) for each in value]
    return isinstance(value, str)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_program_can_do_each_thing_in_one_evening_and_these_are_the_examples(
    request: pytest.FixtureRequest,
) -> None:
    found = examples_of(an_evening())
    if request.config.getoption(RENEW):
        FILE.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    assert form_of(found) == form_of(kept), f"renew them: pytest {RENEW} tests/api/test_examples.py"


def test_every_body_and_every_answer_has_an_example() -> None:
    bodies = {one.takes.__name__ for one in OPERATIONS if one.takes is not None}
    assert examples().keys() == bodies | {name_of_answer(one) for one in OPERATIONS}


@pytest.mark.parametrize("name", sorted(BY_NAME))
def test_each_example_is_as_the_schema_says(name: str) -> None:
    operation = BY_NAME[name]
    said = said_of(name)
    parts = [said["responses"][str(operation.status)], *([said["requestBody"]] if operation.takes else [])]
    for part in parts:
        content = part["content"]["application/json"]
        ((key, reference),) = content["examples"].items()
        assert reference == {"$ref": f"#/components/examples/{key}"}
        shape = content["schema"] | {"components": openapi()["components"]}
        checker = Draft202012Validator(shape, format_checker=Draft202012Validator.FORMAT_CHECKER)
        checker.validate(openapi()["components"]["examples"][key]["value"])
