"""Files, folders, pages and code that documents name exist."""

from __future__ import annotations

import ast
import re
import subprocess
from functools import cache
from os.path import normpath
from pathlib import Path, PurePath

import pytest

from operations.data_dir import PROJECT

PATH = re.compile(r"`([a-z_]+(?:/[\w.-]+)+/?|[a-z_]+\.(?:css|html|js|py|toml|typ))`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
FOREIGN_PATHS = {"seed/card", "build/sha256.min.mjs"}
"""A source document of the rules, and a file in the package of a vendored script."""
CODE_IN_FILE = re.compile(r"([^;:]*?) in ([\w/]+\.py)")
CODE = re.compile(r"`([A-Za-z_][\w.]*)(?:\([^`]*\))?`")
NAME = re.compile(r"_*[A-Za-z]+_\w*|_?[A-Za-z][a-z]+[A-Z]\w+|_?[A-Z]{4,}")
"""A name with an underscore or a capital inside, or a constant."""
FOREIGN_NAMES = re.compile(
    r"OTEL_|pg_|i18n_|limit_concurrency|server_side_binding|prepare_threshold|parentbased_|subjectAltName|serverAuth"
    r"|jsQR|sendBeacon|Spectacular|cProfile|charlemagne_rules|ModelForm"
)
"""Names of libraries and of programs that the documents mention."""


@cache
def list_tracked_paths() -> frozenset[str]:
    """Return the files that git tracks or would track, and their folders."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    files = listed.stdout.splitlines()
    return frozenset({*files, *(str(folder) for file in files for folder in PurePath(file).parents)})


def list_documents() -> list[str]:
    return sorted(name for name in list_tracked_paths() if name.endswith(".md"))


def read_document(document: str) -> str:
    return (PROJECT / document).read_text(encoding="utf-8")


@cache
def collect_code_words() -> frozenset[str]:
    """Return the words in source code, configuration and file names."""
    paths = [path for path in list_tracked_paths() if not path.endswith((".md", ".po"))]
    texts = ((PROJECT / path).read_bytes() for path in paths if (PROJECT / path).is_file())
    found = (re.findall(r"[A-Za-z_]\w*", text.decode(errors="ignore")) for text in (*texts, "\n".join(paths).encode()))
    return frozenset().union(*found)


def find_missing_code(text: str) -> set[str]:
    names = {name for code in CODE.findall(text) for name in code.split(".") if NAME.fullmatch(name)}
    return {name for name in names - collect_code_words() if not FOREIGN_NAMES.match(name)}


@pytest.mark.slow
def test_code_named_in_documents_exists() -> None:
    missing = {document: find_missing_code(read_document(document)) for document in list_documents()}
    assert {document: names for document, names in missing.items() if names} == {}


def test_check_detects_code_that_is_gone() -> None:
    assert find_missing_code("`jobs.queries." + "jobs_" + "of(topic)` and `_All" + "Gone`") == {
        "jobs_" + "of",
        "_All" + "Gone",
    }


@pytest.mark.parametrize("document", list_documents())
def test_files_named_in_a_document_exist(document: str) -> None:
    named = {path.rstrip("/") for path in PATH.findall(read_document(document))} - FOREIGN_PATHS
    gone = {
        path
        for path in named
        if not any(f"/{tracked_path}".endswith(f"/{path}") for tracked_path in list_tracked_paths())
    }
    assert gone == set()


@pytest.mark.parametrize("document", list_documents())
def test_links_of_a_document_lead_to_existing_pages(document: str) -> None:
    folder = Path(document).parent
    assert {
        link for link in LINK.findall(read_document(document)) if normpath(folder / link) not in list_tracked_paths()
    } == set()


def find_code_missing_from_files(message: str) -> set[str]:
    """Return the names that are not in the file in which the message says they are."""
    return {
        name
        for names, path in CODE_IN_FILE.findall(message)
        for name in re.findall(r"\w+", names)
        if NAME.fullmatch(name) or name.startswith("_")
        if not re.search(rf"\b{name}\b", (PROJECT / path).read_text(encoding="utf-8"))
    }


def test_messages_of_these_tests_name_code_that_exists() -> None:
    messages = (
        part.value
        for file in Path(__file__).parent.glob("test_*.py")
        for line in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(line, ast.Assert) and line.msg
        for part in ast.walk(line.msg)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    )
    assert {message: names for message in messages if (names := find_code_missing_from_files(message))} == {}
