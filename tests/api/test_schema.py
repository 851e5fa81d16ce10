"""OpenAPI schema: the stored file matches the code, and every answer matches the schema."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import call_command

from api.operations import OPERATIONS
from api.schema import FILE, build_openapi, render_openapi
from tests.api.operation_paths import build_body, build_hall_with_paths
from tests.api.program import Program, create_secret
from tests.saved_states import rolled_back

pytestmark = pytest.mark.slow


def test_stored_schema_matches_the_code() -> None:
    assert FILE.read_text(encoding="utf-8") == render_openapi(), "update it: python3 manage.py openapi"


@pytest.mark.long
def test_command_writes_a_missing_or_outdated_schema(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "api" / "openapi.yaml"
    monkeypatch.setattr("tools.management.commands.openapi.FILE", file)
    call_command("openapi")
    assert file.read_text(encoding="utf-8") == render_openapi()
    file.write_text("openapi: 3.0.0", encoding="utf-8")
    call_command("openapi")
    assert file.read_text(encoding="utf-8") == render_openapi()


def list_operations() -> list[dict[str, Any]]:
    return [each for methods in build_openapi()["paths"].values() for each in methods.values()]


def find_operation(name: str) -> dict[str, Any]:
    return next(each for each in list_operations() if each["operationId"] == name)


@pytest.mark.long
def test_every_operation_is_in_the_schema_once() -> None:
    operation_ids = [each["operationId"] for each in list_operations()]
    assert sorted(operation_ids) == sorted(one.name for one in OPERATIONS)


def _shape_of(name: str, answer: Any) -> dict[str, Any]:
    """Return the schema of the response's content."""
    response = find_operation(name)["responses"][str(answer.status_code)]
    content = (build_openapi()["components"]["responses"]["Problem"] if "$ref" in response else response)["content"]
    shape: dict[str, Any] = content[answer.headers["Content-Type"].partition(";")[0]]["schema"]
    return shape | {"components": build_openapi()["components"]}


@pytest.mark.django_db
def test_every_answer_validates_against_the_schema() -> None:
    hall, paths = build_hall_with_paths()
    program = Program(create_secret(hall.event.club, hall.owner))
    for operation in OPERATIONS:
        with rolled_back():
            answer = program.send_request(operation.method, paths[operation.name], build_body(operation))
        shape = _shape_of(operation.name, answer)
        jsonschema.Draft202012Validator(shape).validate(answer.json())
