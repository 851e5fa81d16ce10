"""Code in documents is correct: Python runs, commands and options exist, JSON parses, addresses are served."""

from __future__ import annotations

import ast
import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any
from unittest.mock import create_autospec

import pytest
from django.core.management import get_commands, load_command_class
from django.urls import Resolver404, resolve
from markdown_it import MarkdownIt

from client import charlemagne_client
from engine.draws import EntryId
from operations.command_line import DATA_OPTION, DJANGO_OPTIONS
from operations.data_dir import PROJECT
from tests.support.snapshots import RENEW
from tools import test_runs
from tournaments.rounds.services.tables import forfeit_table

from .test_documents import list_documents, read_document

PYTHON = re.compile(r"(?:from|import) \w|@\w|\w+ = ")
CODE = re.compile(r"^(?:```| {4})", re.MULTILINE)
COMMAND = re.compile(
    r"^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:python3 manage\.py|charlemagne(?:-admin)?) ([a-z].*?)(?:\s+#.*)?$",
    re.MULTILINE,
)
INLINE_COMMAND = re.compile(r"^(?:python3 )?manage\.py ([a-z].*)$")
MODULE = re.compile(r"python3 -m ([\w.]+)")
REQUEST = re.compile(r"^(GET|POST|PUT|DELETE) +(/[^\s?]+)", re.MULTILINE)
ADDRESS = re.compile(r"https?://[^/\s\"]+(/api/v1/[^\s\"?]+)")
PLACEHOLDERS = {"CLUB": "club", "EVENT": "event", "CODE": "123456"}
ELLIPSES = {", …": "", "{…}": "{}", "[…]": "[]"}
FRAGMENTS = {"docs/operating/background-tasks.md"}
"""Documents that show part of a function: their code is parsed, not run."""

PLANNER = "docs/development/format-planner.md"
PREDEFINED_NAMES: Mapping[str, Callable[[], dict[str, Any]]] = {
    "client/README.md": lambda: {
        "Client": create_autospec(charlemagne_client.Client),
        "Refused": charlemagne_client.Refused,
        "etag_of": charlemagne_client.get_etag,
    },
    "docs/development/standings.md": lambda: {
        "numbers": {EntryId(1): 1, EntryId(2): 2},
        "results_by_entry": {EntryId(1): (), EntryId(2): ()},
    },
    PLANNER: lambda: {"get_default_runs": lambda *_: 1},
    "docs/development/event-changes.md": lambda: {
        "forfeit_table": create_autospec(forfeit_table),
        "director": None,
    },
}
"""Names that a document presupposes, with stand-ins that check only their arguments."""

INVENTED_SCRIPTS = PROJECT / "tests" / "mutants" / "trees.py"


@cache
def list_code_blocks(document: str) -> list[str]:
    tokens = MarkdownIt().parse(read_document(document))
    return [token.content for token in tokens if token.type in ("fence", "code_block")]


def iter_inline_code(document: str) -> Iterator[str]:
    parts = (part for token in MarkdownIt().parse(read_document(document)) for part in token.children or ())
    return (part.content for part in parts if part.type == "code_inline")


def list_python_blocks(document: str) -> list[str]:
    return [block for block in list_code_blocks(document) if PYTHON.match(block)]


DOCUMENTS_WITH_CODE = [each for each in list_documents() if CODE.search(read_document(each))]


def check_command(line: str) -> None:
    command, *words = shlex.split(re.sub(r"[\[\]]", "", line))
    assert command in get_commands(), line
    if command == "bench":
        assert words[0].isupper() or (PROJECT / "bench" / f"{words[0]}.py").exists(), line
        return
    allowed_options = {RENEW, "-m", *DATA_OPTION, *DJANGO_OPTIONS}
    if command == "test":
        allowed_options |= {*test_runs._build_parser()._option_string_actions}
    else:
        parser = load_command_class(get_commands()[command], command).create_parser("manage.py", command)
        allowed_options |= {*parser._option_string_actions}
    assert {word.partition("=")[0] for word in words if word.startswith("-")} <= allowed_options, line


def check_json(block: str) -> None:
    """Check a block of JSON values, which may begin with an HTTP status."""
    begins = re.match(r"(?:\d{3} )?(?=[{\[]\")", block)
    rest = block[begins.end() :] if begins else ""
    for shown, meant in ELLIPSES.items():
        rest = rest.replace(shown, meant)
    while rest := rest.strip():
        _, end = json.JSONDecoder().raw_decode(rest)
        rest = rest[end:]


def check_requests(block: str) -> None:
    for method, shown in [*REQUEST.findall(block), *(("GET", path) for path in ADDRESS.findall(block))]:
        path = re.sub("|".join(PLACEHOLDERS), lambda found: PLACEHOLDERS[found[0]], shown)
        operations = getattr(getattr(resolve(path).func, "cls", None), "operations", None)
        assert operations is None or method.lower() in operations, f"{method} {shown}"


@pytest.mark.parametrize(
    "document",
    [pytest.param(each, marks=[pytest.mark.slow] if each == PLANNER else []) for each in DOCUMENTS_WITH_CODE],
)
def test_python_code_of_a_document_runs(document: str) -> None:
    given = PREDEFINED_NAMES.get(document, dict)()
    assert all(name in read_document(document) for name in given), "a stand-in for nothing"
    names = dict(given)
    for block in list_python_blocks(document):
        if document in FRAGMENTS:
            ast.parse(block.replace("…", "..."))
            continue
        for line in ast.parse(block).body:
            if isinstance(line, ast.ImportFrom) and all(each.name in given for each in line.names):
                continue
            exec(compile(ast.Module([line], []), document, "exec"), names)
            names.update(given)  # stand-ins replace the imported objects


@pytest.mark.parametrize("document", list_documents())
def test_documented_commands_and_options_exist(document: str) -> None:
    for code in list_code_blocks(document):
        for line in COMMAND.findall(code):
            check_command(line)
        assert all(find_spec(module) for module in MODULE.findall(code)), code
    for code in iter_inline_code(document):
        for line in INLINE_COMMAND.findall(code):
            check_command(line)


@pytest.mark.parametrize("document", DOCUMENTS_WITH_CODE)
def test_documented_json_and_requests_are_valid(document: str) -> None:
    for block in list_code_blocks(document):
        check_json(block)
        check_requests(block)


def iter_scripts(source: str) -> Iterator[ast.Module]:
    """Yield the Python scripts in the strings of a module, which processes run with `-c`."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "import " in node.value:
            with suppress(SyntaxError):
                yield ast.parse(node.value)


@pytest.mark.slow
def test_scripts_in_strings_import_names_that_exist() -> None:
    paths = set((PROJECT / "tests").rglob("*.py")) - {INVENTED_SCRIPTS}
    sources = [path.read_text(encoding="utf-8") for path in paths]
    scripts = [script for source in sources if '"-c"' in source for script in iter_scripts(source)]
    imports = [node for script in scripts for node in ast.walk(script) if isinstance(node, ast.ImportFrom)]
    checked = [node for node in imports if (PROJECT / (node.module or "").partition(".")[0]).is_dir()]
    assert len(checked) > 10
    for node in checked:
        missing = {alias.name for alias in node.names} - set(dir(import_module(node.module or "")))
        assert not missing, node.module


@pytest.mark.parametrize(
    ("check", "wrong"),
    [
        (check_command, "backups saved.zip"),
        (check_command, "up --prot 8000"),
        (check_command, "bench nothing"),
        (check_json, '{"a": 1,}'),
        (check_requests, "GET /api/v1/nights"),
        (check_requests, "DELETE /api/v1/clubs/CLUB"),
    ],
)
def test_document_checks_detect_wrong_code(check: Callable[[str], None], wrong: str) -> None:
    with pytest.raises((AssertionError, json.JSONDecodeError, Resolver404)):
        check(wrong)
