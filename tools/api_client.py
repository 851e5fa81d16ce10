"""Generator of the typed API client from the schema: ``manage.py client`` writes it."""

import keyword
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from operations.data_dir import PROJECT

SCHEMA = PROJECT / "docs" / "api" / "openapi.yaml"
PACKAGE = PROJECT / "client" / "charlemagne_client"
GENERATED_NOTE = "Made from the schema by `manage.py client`."
TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
PAGE_PARAMETERS = ("cursor",)
"""Query parameters that iterators handle themselves."""

JSONObject = Mapping[str, Any]


def render_client_files() -> dict[Path, str]:
    """Return the generated files of the package with their texts."""
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    texts = {"shapes.py": _render_shapes(schema), "client.py": _render_client(schema)}
    return {PACKAGE / name: _format_source(text) for name, text in texts.items()}


def _format_source(text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--line-length", "120", "-"]
    result = subprocess.run(  # noqa: S603 -- a command of ours
        command, input=text, capture_output=True, encoding="utf-8", check=True
    )
    return result.stdout


def _render_shapes(schema: JSONObject) -> str:
    shapes = schema["components"]["schemas"]
    lines = [f'"""Requests to the API and its responses. {GENERATED_NOTE}"""', ""]
    lines += ["from typing import Any, Literal, NotRequired, TypedDict", ""]
    for name, shape in _sort_shapes(shapes):
        lines += ["", f"class {name}(TypedDict):", *_render_docstring(shape.get("description", ""))]
        fields = list(_render_fields(shape))
        lines += [*fields, ""] if fields else ["    pass", ""]
    return "\n".join(lines)


def _sort_shapes(shapes: JSONObject) -> Iterator[tuple[str, JSONObject]]:
    """Yield the shapes, each after those that it refers to."""
    visited: set[str] = set()

    def visit(name: str) -> Iterator[tuple[str, JSONObject]]:
        if name in visited:
            return
        visited.add(name)
        for inner in _find_references(shapes[name]):
            yield from visit(inner)
        yield name, shapes[name]

    for name in shapes:
        yield from visit(name)


def _find_references(shape: Any) -> Iterator[str]:
    if isinstance(shape, dict):
        if "$ref" in shape:
            yield _get_reference_name(shape)
        for inner in shape.values():
            yield from _find_references(inner)
    elif isinstance(shape, list):
        for inner in shape:
            yield from _find_references(inner)


def _render_fields(shape: JSONObject) -> Iterator[str]:
    for name, value in shape.get("properties", {}).items():
        type_text = _render_type(value)
        is_required = name in shape.get("required", ())
        yield f"    {_check_identifier(name)}: {type_text if is_required else f'NotRequired[{type_text}]'}"
        if "description" in value:
            yield from _render_docstring(value["description"])


def _render_type(shape: JSONObject) -> str:
    if "$ref" in shape:
        return _get_reference_name(shape)
    if "oneOf" in shape:
        return " | ".join(_render_type(each) for each in shape["oneOf"])
    if "allOf" in shape:
        (parameter,) = shape["allOf"]
        return _render_type(parameter)
    kinds = shape.get("type", [])
    kind_names = kinds if isinstance(kinds, list) else [kinds]
    if "enum" in shape:
        values = [repr(value) for value in shape["enum"] if value is not None]
        types = [f"Literal[{', '.join(values)}]"]
    else:
        types = [_render_plain_type(kind, shape) for kind in kind_names if kind != "null"]
    return " | ".join([*types, *(["None"] if "null" in kind_names else [])]) or "Any"


def _render_plain_type(kind: str, shape: JSONObject) -> str:
    if kind == "array":
        return f"list[{_render_type(shape.get('items', {}))}]"
    if kind == "object":
        return f"dict[str, {_render_type(shape.get('additionalProperties', {}))}]"
    return TYPES[kind]


def _render_client(schema: JSONObject) -> str:
    lines = [f'"""Every operation of the API as a method. {GENERATED_NOTE}"""', ""]
    lines += ["from collections.abc import Iterator", "from typing import Unpack", ""]
    lines += ["from . import shapes", "from .transport import Caller", ""]
    lines += ["", "class Client(Caller):"]
    lines += _render_docstring("Raises Refused where the server says no, and Unreachable where nobody answers.")
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            _check_parameter_names(operation, schema["components"]["schemas"])
            lines += _render_method(path, method.upper(), operation)
    return "\n".join(lines) + "\n"


def _check_parameter_names(operation: JSONObject, shapes: JSONObject) -> None:
    """Check that no field of a body has the name of a method's own parameter."""
    body = shapes.get(_get_reference_name(_get_json_schema(operation.get("requestBody", {}))), {})
    assert not {"self", "key", "if_match"} & body.get("properties", {}).keys(), operation["operationId"]


def _render_method(path: str, method: str, operation: JSONObject) -> Iterator[str]:
    names = re.findall(r"{(\w+)}", path)
    parameters = {parameter["name"]: parameter for parameter in operation.get("parameters", ())}
    query = [name for name, parameter in parameters.items() if parameter["in"] == "query"]
    is_paged = "cursor" in query
    query_names = [_check_identifier(name) for name in query if name not in PAGE_PARAMETERS]
    body = _get_reference_name(_get_json_schema(operation.get("requestBody", {})))
    return_type = f"shapes.{_find_response_name(operation)}"

    path_parameters = [f"{_check_identifier(name)}: {_render_type(parameters[name]['schema'])}" for name in names]
    keywords = [f"{name}: {'int' if name == 'limit' else 'str'} | None = None" for name in query_names]
    keywords += ['key: str = ""'] if method != "GET" else []
    keywords += ['if_match: str = ""'] if "If-Match" in parameters else []
    arguments = ["self", *path_parameters, *(["/"] if path_parameters else []), *(["*"] if keywords else []), *keywords]
    if body:
        arguments.append(f"**body: Unpack[shapes.{body}]")

    call_arguments = [repr(operation["operationId"]), repr(method), repr(re.sub(r"{\w+}", "{}", path))]
    path_values = f"({', '.join(names)}{',' if len(names) == 1 else ''})"
    query_text = "{" + ", ".join(f"{name!r}: {name}" for name in query_names) + "}"
    yield ""
    if is_paged:
        rows = _get_row_type(return_type)
        yield f"    def {_to_snake_case(operation['operationId'])}({', '.join(arguments)}) -> Iterator[{rows}]:"
        yield from _render_docstring(operation["description"], indent=8)
        yield f"        return self._pages({call_arguments[0]}, {call_arguments[2]}, {path_values}, {query_text})"
        return
    call_arguments += [path_values] if names else []
    call_arguments += [f"query={query_text}"] if query_names else []
    call_arguments += ["body=body"] if body else []
    call_arguments += ["key=key"] if method != "GET" else []
    call_arguments += ["if_match=if_match"] if "If-Match" in parameters else []
    yield f"    def {_to_snake_case(operation['operationId'])}({', '.join(arguments)}) -> {return_type}:"
    yield from _render_docstring(operation["description"], indent=8)
    yield f"        answer: {return_type} = self._call({', '.join(call_arguments)})"
    yield "        return answer"


def _get_row_type(page: str) -> str:
    """Return the type of the rows of a page."""
    return page.removesuffix("Page") + "Out"


def _find_response_name(operation: JSONObject) -> str:
    for status, response in operation["responses"].items():
        if status.startswith("2"):
            return _get_reference_name(_get_json_schema(response))
    raise AssertionError(f"{operation['operationId']} answers nothing")


def _get_json_schema(content_holder: JSONObject) -> JSONObject:
    schema: JSONObject = content_holder.get("content", {}).get("application/json", {}).get("schema", {})
    return schema


def _get_reference_name(shape: JSONObject) -> str:
    return str(shape.get("$ref", "")).rpartition("/")[2]


def _to_snake_case(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def _check_identifier(name: str) -> str:
    """Return the name, after checking that it is a valid Python identifier."""
    assert name.isidentifier(), name
    assert not keyword.iskeyword(name), name
    return name


def _render_docstring(text: str, *, indent: int = 4) -> Iterator[str]:
    if not text:
        return
    lines = textwrap.wrap(f'"""{text}"""', 108 - indent, break_on_hyphens=False, break_long_words=False)
    yield from (" " * indent + line for line in lines)
