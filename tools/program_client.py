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
BY = "Made from the schema by `manage.py client`."
TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
OF_PAGES = ("cursor",)
"""Query parameters that iterators handle themselves."""

Plain = Mapping[str, Any]


def client_files() -> dict[Path, str]:
    """Return the generated files of the package with their texts."""
    schema = yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))
    texts = {"shapes.py": _shapes(schema), "client.py": _client(schema)}
    return {PACKAGE / name: _format_source(text) for name, text in texts.items()}


def _format_source(text: str) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--line-length", "110", "-"]
    done = subprocess.run(  # noqa: S603 -- a command of ours
        command, input=text, capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout


def _shapes(schema: Plain) -> str:
    shapes = schema["components"]["schemas"]
    lines = [f'"""Requests to the API and its responses. {BY}"""', ""]
    lines += ["from typing import Any, Literal, NotRequired, TypedDict", ""]
    for name, shape in _in_order(shapes):
        lines += ["", f"class {name}(TypedDict):", *_docstring(shape.get("description", ""))]
        fields = list(_fields(shape))
        lines += [*fields, ""] if fields else ["    pass", ""]
    return "\n".join(lines)


def _in_order(shapes: Plain) -> Iterator[tuple[str, Plain]]:
    """Yield the shapes, each after those that it refers to."""
    done: set[str] = set()

    def those(name: str) -> Iterator[tuple[str, Plain]]:
        if name in done:
            return
        done.add(name)
        for inner in _named_in(shapes[name]):
            yield from those(inner)
        yield name, shapes[name]

    for name in shapes:
        yield from those(name)


def _named_in(shape: Any) -> Iterator[str]:
    if isinstance(shape, dict):
        if "$ref" in shape:
            yield _name_in(shape)
        for inner in shape.values():
            yield from _named_in(inner)
    elif isinstance(shape, list):
        for inner in shape:
            yield from _named_in(inner)


def _fields(shape: Plain) -> Iterator[str]:
    for name, value in shape.get("properties", {}).items():
        said = _type_of(value)
        is_there = name in shape.get("required", ())
        yield f"    {_identifier(name)}: {said if is_there else f'NotRequired[{said}]'}"
        if "description" in value:
            yield from _docstring(value["description"])


def _type_of(shape: Plain) -> str:
    if "$ref" in shape:
        return _name_in(shape)
    kinds = shape.get("type", [])
    several = kinds if isinstance(kinds, list) else [kinds]
    if "enum" in shape:
        values = [repr(value) for value in shape["enum"] if value is not None]
        found = [f"Literal[{', '.join(values)}]"]
    else:
        found = [_plain_type(kind, shape) for kind in several if kind != "null"] or ["Any"]
    return " | ".join([*found, *(["None"] if "null" in several else [])])


def _plain_type(kind: str, shape: Plain) -> str:
    if kind == "array":
        return f"list[{_type_of(shape.get('items', {}))}]"
    if kind == "object":
        return f"dict[str, {_type_of(shape.get('additionalProperties', {}))}]"
    return TYPES[kind]


def _client(schema: Plain) -> str:
    lines = [f'"""Every operation of the API as a method. {BY}"""', ""]
    lines += ["from collections.abc import Iterator", "from typing import Unpack", ""]
    lines += ["from . import shapes", "from .transport import Caller", ""]
    lines += ["", "class Client(Caller):"]
    lines += _docstring("Raises Refused where the server says no, and Unreachable where nobody answers.")
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            _check_words(operation, schema["components"]["schemas"])
            lines += _method(path, method.upper(), operation)
    return "\n".join(lines) + "\n"


def _check_words(operation: Plain, shapes: Plain) -> None:
    """Check that no field of a body has the name of a method's own parameter."""
    body = shapes.get(_name_in(_json(operation.get("requestBody", {}))), {})
    assert not {"self", "key", "if_match"} & body.get("properties", {}).keys(), operation["operationId"]


def _method(path: str, method: str, operation: Plain) -> Iterator[str]:
    names = re.findall(r"{(\w+)}", path)
    typed = {one["name"]: one for one in operation.get("parameters", ())}
    query = [name for name, one in typed.items() if one["in"] == "query"]
    is_paged = "cursor" in query
    asked = [_identifier(name) for name in query if name not in OF_PAGES]
    body = _name_in(_json(operation.get("requestBody", {})))
    gives = f"shapes.{_answer_of(operation)}"

    places = [f"{_identifier(name)}: {_type_of(typed[name]['schema'])}" for name in names]
    keywords = [f"{name}: {'int' if name == 'limit' else 'str'} | None = None" for name in asked]
    keywords += ['key: str = ""'] if method != "GET" else []
    keywords += ['if_match: str = ""'] if "If-Match" in typed else []
    arguments = ["self", *places, *(["/"] if places else []), *(["*"] if keywords else []), *keywords]
    if body:
        arguments.append(f"**body: Unpack[shapes.{body}]")

    said = [repr(operation["operationId"]), repr(method), repr(re.sub(r"{\w+}", "{}", path))]
    filled = f"({', '.join(names)}{',' if len(names) == 1 else ''})"
    asks = "{" + ", ".join(f"{name!r}: {name}" for name in asked) + "}"
    yield ""
    if is_paged:
        rows = _rows_of(gives)
        yield f"    def {_snake(operation['operationId'])}({', '.join(arguments)}) -> Iterator[{rows}]:"
        yield from _docstring(operation["description"], indent=8)
        yield f"        return self._pages({said[0]}, {said[2]}, {filled}, {asks})"
        return
    said += [filled] if names else []
    said += [f"query={asks}"] if asked else []
    said += ["body=body"] if body else []
    said += ["key=key"] if method != "GET" else []
    said += ["if_match=if_match"] if "If-Match" in typed else []
    yield f"    def {_snake(operation['operationId'])}({', '.join(arguments)}) -> {gives}:"
    yield from _docstring(operation["description"], indent=8)
    yield f"        answer: {gives} = self._call({', '.join(said)})"
    yield "        return answer"


def _rows_of(page: str) -> str:
    """Return the type of the rows of a page."""
    return page.removesuffix("Page") + "Out"


def _answer_of(operation: Plain) -> str:
    for status, answer in operation["responses"].items():
        if status.startswith("2"):
            return _name_in(_json(answer))
    raise AssertionError(f"{operation['operationId']} answers nothing")


def _json(said: Plain) -> Plain:
    found: Plain = said.get("content", {}).get("application/json", {}).get("schema", {})
    return found


def _name_in(shape: Plain) -> str:
    return str(shape.get("$ref", "")).rpartition("/")[2]


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def _identifier(name: str) -> str:
    """Return the name, after checking that it is a valid Python identifier."""
    assert name.isidentifier(), name
    assert not keyword.iskeyword(name), name
    return name


def _docstring(said: str, *, indent: int = 4) -> Iterator[str]:
    if not said:
        return
    lines = textwrap.wrap(f'"""{said}"""', 108 - indent, break_on_hyphens=False, break_long_words=False)
    yield from (" " * indent + line for line in lines)
