"""Files, folders and pages that documents name exist."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from os.path import normpath
from pathlib import Path, PurePath

import pytest

from operations.data_dir import PROJECT

PATH = re.compile(r"`([a-z_]+(?:/[\w.-]+)+/?)`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
OF_ANOTHER_TREE = {"seed/card", "build/sha256.min.mjs"}
"""A document that the rules come from, and a file of a package that a script was taken from."""


@cache
def tracked() -> frozenset[str]:
    """Files and folders of the source."""
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(asked, cwd=PROJECT, capture_output=True, text=True, check=True)
    files = listed.stdout.splitlines()
    return frozenset({*files, *(str(folder) for file in files for folder in PurePath(file).parents)})


def documents() -> list[str]:
    return sorted(name for name in tracked() if name.endswith(".md"))


def text_of(document: str) -> str:
    return (PROJECT / document).read_text(encoding="utf-8")


@pytest.mark.parametrize("document", documents())
def test_a_document_names_files_that_there_are(document: str) -> None:
    named = {path.rstrip("/") for path in PATH.findall(text_of(document))} - OF_ANOTHER_TREE
    gone = {path for path in named if not any(f"/{known}".endswith(f"/{path}") for known in tracked())}
    assert gone == set()


@pytest.mark.parametrize("document", documents())
def test_a_document_leads_to_pages_that_there_are(document: str) -> None:
    folder = Path(document).parent
    assert {
        link for link in LINK.findall(text_of(document)) if normpath(folder / link) not in tracked()
    } == set()
