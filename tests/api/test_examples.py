"""Examples of every operation, recorded during one evening and validated against the schema."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from api.operations import OPERATIONS
from api.schema import EXAMPLES_FILE, build_openapi, get_example_name, load_examples
from tests.api.recorded_evening import OPERATIONS_BY_NAME, RecordedEvening, build_evening
from tests.api.test_schema import find_operation
from tests.support.snapshots import RENEW

MAX_ROWS = 2
SECRET = "whsec_" + "…"


def shorten_example(value: Any) -> Any:
    """Shorten a value for the documentation: the first rows only, an example host, no secret."""
    if isinstance(value, list):
        return [shorten_example(each) for each in value[:MAX_ROWS]]
    if isinstance(value, dict):
        return {name: SECRET if name == "secret" else shorten_example(each) for name, each in value.items()}
    if isinstance(value, str):
        return value.replace("http://testserver", "https://example.org")
    return value


def build_examples(evening: RecordedEvening) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for operation in OPERATIONS:
        if operation.request_shape is not None:
            found.setdefault(operation.request_shape.__name__, evening.sent_bodies[operation.name])
        found.setdefault(get_example_name(operation), shorten_example(evening.answers[operation.name]))
    return dict(sorted(found.items()))


def get_shape(value: Any) -> Any:
    """Return the structure of the value without keys, codes and times, which differ each evening."""
    if isinstance(value, dict):
        return {name: get_shape(each) for name, each in value.items()}
    if isinstance(value, list):
        return [get_shape(each) for each in value]
    return isinstance(value, str)


@pytest.mark.long
@pytest.mark.django_db
def test_examples_cover_every_operation_of_one_night(
    request: pytest.FixtureRequest,
) -> None:
    found = build_examples(build_evening())
    if request.config.getoption(RENEW):
        EXAMPLES_FILE.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    saved_examples = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
    assert get_shape(found) == get_shape(saved_examples), f"renew them: pytest {RENEW} tests/api/test_examples.py"


def test_every_body_and_answer_has_an_example() -> None:
    bodies = {one.request_shape.__name__ for one in OPERATIONS if one.request_shape is not None}
    assert load_examples().keys() == bodies | {get_example_name(one) for one in OPERATIONS}


@pytest.mark.parametrize("name", sorted(OPERATIONS_BY_NAME))
def test_every_example_is_valid_by_the_schema(name: str) -> None:
    operation = OPERATIONS_BY_NAME[name]
    operation_schema = find_operation(name)
    parts = [
        operation_schema["responses"][str(operation.status)],
        *([operation_schema["requestBody"]] if operation.request_shape else []),
    ]
    for part in parts:
        content = part["content"]["application/json"]
        ((key, reference),) = content["examples"].items()
        assert reference == {"$ref": f"#/components/examples/{key}"}
        shape = content["schema"] | {"components": build_openapi()["components"]}
        checker = Draft202012Validator(shape, format_checker=Draft202012Validator.FORMAT_CHECKER)
        checker.validate(build_openapi()["components"]["examples"][key]["value"])
