"""``docs/security.md``: what OWASP's ASVS 5.0 asks for on its levels 1 and 2, one by one, and what holds it.

``asvs.csv`` beside this has a line for each: its number and level in the standard, how far it holds, in our
own words what it asks for, by which tests (``TESTS_BY_NAME``), and what to say.
"""

import ast
import csv
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path

from .asvs_tests import TESTS_BY_NAME
from .data_dir import PROJECT

FILE = PROJECT / "docs" / "security.md"
TESTS = PROJECT / "tests"
LINES = Path(__file__).with_name("asvs.csv")
HOLDS, PARTLY, NOT, NOT_HERE = "holds", "partly", "not", "does not apply"
STATES = (HOLDS, PARTLY, NOT, NOT_HERE)

_HEAD = """\
# What guards the house

Made by `python manage.py security_page` from `operations/asvs.csv`; a test refuses a page that is older, a
requirement that is missing, and a named test that there is none of. The numbers are those of
[ASVS 5.0](https://github.com/OWASP/ASVS), levels 1 and 2; what each asks for is said here in our own, shorter
words. *Holds* is said only where a test would fail without it; *partly* and *not* say what is lacking, and
*partly* is also what is done and that no test tries. Who is feared: [the threat model](threat-model.md).
Where to tell of a hole: [SECURITY.md](../SECURITY.md).
"""

CHAPTERS = (
    *("Encoding and sanitization", "Validation and business logic", "Web front end", "Web services", "Files"),
    *("Authentication", "Sessions", "Authorization", "Tokens", "OAuth and OpenID Connect", "Cryptography"),
    *("Communication", "Configuration", "Data protection", "Code and architecture", "Logging and errors"),
    "WebRTC",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """What the standard ``asks`` under a ``number``, on a ``level``; how far that holds (one of ``STATES``),
    by which tests, and what to say."""

    number: str
    level: str
    state: str
    asks: str
    tests: tuple[str, ...]
    note: str

    @property
    def chapter(self) -> int:
        return int(self.number.partition(".")[0])


@cache
def requirements() -> tuple[Requirement, ...]:
    """Refuses with LookupError a name of a test that there is none of."""
    with LINES.open(encoding="utf-8", newline="") as file:
        return tuple(
            Requirement(
                number=line["number"],
                level=line["level"],
                state=line["state"],
                asks=line["asks"],
                tests=tuple(TESTS_BY_NAME[name] for name in line["by"].split()),
                note=line["note"],
            )
            for line in csv.DictReader(file, delimiter=";")
        )


def security_page() -> str:
    """The whole page. Refuses with LookupError a test that there is none of."""
    counts = Counter(each.state for each in requirements())
    lines = [
        _HEAD,
        "| in all | requirements |\n|---|---|",
        *(f"| {state} | {counts[state]} |" for state in STATES),
    ]
    for chapter, some in groupby(requirements(), key=lambda each: each.chapter):
        lines += [
            f"\n## {chapter} {CHAPTERS[chapter - 1]}\n",
            "| | level | | | by, or why not |\n|---|---|---|---|---|",
        ]
        lines += map(_line, some)
    return "\n".join(lines) + "\n"


def _line(each: Requirement) -> str:
    said = ". ".join(filter(None, [each.note, "; ".join(map(_link, each.tests))]))
    return f"| {each.number} | {each.level} | {each.asks} | {each.state} | {said} |"


def _link(test: str) -> str:
    """``file.py::beginning of a test's name``, or a file alone."""
    file, _, name = test.partition("::")
    if not name:
        if not (TESTS / file).is_file():
            raise LookupError(test)
        return f"[{file}](../tests/{file})"
    found = [each for each in _tests()[file] if each.startswith(name)] if file in _tests() else []
    if not found:
        raise LookupError(test)
    said = found[0].removeprefix("test_").replace("_", " ")
    return f"[{said}](../tests/{file})"


@cache
def _tests() -> Mapping[str, list[str]]:
    """The names of the tests of each file."""
    return {
        str(path.relative_to(TESTS)): list(_test_names(path.read_text(encoding="utf-8")))
        for path in TESTS.rglob("test_*.py")
    }


def _test_names(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
            yield node.name
