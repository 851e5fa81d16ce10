"""The schema is what the code does: kept beside it, and each answer is as it says."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command

from api.operations import OPERATIONS
from api.schema import FILE, openapi, openapi_text
from tests.api.program import Program, a_secret
from tests.api.walk import a_hall_with_paths, body_of
from tests.saved_states import taken_back

pytestmark = pytest.mark.slow


def test_the_kept_schema_is_that_of_the_code() -> None:
    assert FILE.read_text(encoding="utf-8") == openapi_text(), "write it anew: python manage.py openapi"


def test_and_is_written_anew_where_it_is_old_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "api" / "openapi.yaml"
    monkeypatch.setattr("config.management.commands.openapi.FILE", file)
    call_command("openapi")
    assert file.read_text(encoding="utf-8") == openapi_text()
    file.write_text("openapi: 3.0.0", encoding="utf-8")
    call_command("openapi")
    assert file.read_text(encoding="utf-8") == openapi_text()


def said_of_all() -> list[dict[str, Any]]:
    """Return what the schema says of each operation."""
    return [each for methods in openapi()["paths"].values() for each in methods.values()]


def said_of(name: str) -> dict[str, Any]:
    return next(each for each in said_of_all() if each["operationId"] == name)


def test_every_operation_is_in_it_once_with_an_answer() -> None:
    said = [each["operationId"] for each in said_of_all()]
    assert sorted(said) == sorted(one.name for one in OPERATIONS)


def _shape_of(name: str, answer: Any) -> dict[str, Any]:
    """Return what the schema says of this answer."""
    said = said_of(name)["responses"][str(answer.status_code)]
    content = (openapi()["components"]["responses"]["Problem"] if "$ref" in said else said)["content"]
    shape: dict[str, Any] = content[answer.headers["Content-Type"].partition(";")[0]]["schema"]
    return shape | {"components": openapi()["components"]}


@pytest.mark.django_db
def test_every_answer_is_as_the_schema_says() -> None:
    hall, paths = a_hall_with_paths()
    program = Program(a_secret(hall.event.club, hall.owner))
    for operation in OPERATIONS:
        with taken_back():
            answer = program.ask(operation.method, paths[operation.name], body_of(operation))
        shape = _shape_of(operation.name, answer)
        jsonschema.Draft202012Validator(shape).validate(answer.json())
