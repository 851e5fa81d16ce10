"""Generator of ``docs/development/rules-coverage.md``: the sections of the rulebook in the modules of
``rules``, and the tests that quote them."""

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from operations.data_dir import PROJECT

FILE = PROJECT / "docs" / "development" / "rules-coverage.md"
RULES = PROJECT / "rules"
TESTS = PROJECT / "tests" / "rules"

_HEAD = """\
# Rules and their tests

Each section of the rulebook, the code in `rules` that implements it, and the tests in `tests/rules` that
quote it. For developers who change a rule. `python manage.py rules_tested` generates this page from the
tables in the module docstrings.

A test covers a section if it quotes it in its ids or docstring (`D1`, `RULES §3`, or the letter of a
document) and its file imports the module. “As a whole” means that the file's docstring quotes it.
P, V, G, J and T are the source documents; D and § are this project's own decisions and sections.
"""
_RULER = re.compile(r"^(=+ +)(=+ +)=+$", re.MULTILINE)
_QUOTE = re.compile(r"\bD\d+\b|(?:§|RULES )\d|\b[PVGJT]\b")
_DECISIONS = frozenset(f"D{number}" for number in range(1, 14))


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A row of the table in a module's docstring: its source documents, and how the code implements it."""

    module: str
    document: str
    title: str
    here: str

    @property
    def quotes(self) -> frozenset[str]:
        """Marks by which a test quotes the section."""
        return _DECISIONS if "D1–D13" in self.title else _sections_quoted(self.document)


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """A test with the modules that its file imports, what it quotes, and what its file quotes."""

    file: str
    modules: frozenset[str]
    quotes: frozenset[str]
    of_file: frozenset[str]

    def holds(self, section: Section) -> bool:
        return section.module in self.modules and bool(section.quotes & self.quotes)

    def is_about(self, section: Section) -> bool:
        return section.module in self.modules and bool(section.quotes & self.of_file)


def rules_tested_page() -> str:
    """Return the text of the file."""
    known, tests = list(sections()), list(_tests())
    gaps = [one for one in known if not any(test.holds(one) or test.is_about(one) for test in tests)]
    return "\n".join([_HEAD, *_gaps(gaps), *_tables(known, tests), ""])


def sections() -> Iterator[Section]:
    """Yield all sections, module by module."""
    for path in sorted(RULES.glob("*.py")):
        said = ast.get_docstring(_parse_file(path)) or ""
        rulers = list(_RULER.finditer(said))
        if len(rulers) < 3:
            continue
        first, second = rulers[1].end(1) - rulers[1].start(), rulers[1].end(2) - rulers[1].start()
        for line in said[rulers[1].end() : rulers[2].start()].strip("\n").splitlines():
            document, title, here = (
                cell.strip().replace("``", "`") for cell in (line[:first], line[first:second], line[second:])
            )
            yield Section(module=path.stem, document=document, title=title, here=here)


def _tables(known: Iterable[Section], tests: Sequence[Test]) -> Iterator[str]:
    by_module: dict[str, list[Section]] = defaultdict(list)
    for one in known:
        by_module[one.module].append(one)
    for module, lines in by_module.items():
        yield f"\n## `rules/{module}.py`\n"
        yield "| document | section | in the code | tests that quote it |"
        yield "|---|---|---|---|"
        for one in lines:
            yield f"| {one.document} | {one.title} | {one.here} | {_holding(one, tests)} |"


def _holding(section: Section, tests: Iterable[Test]) -> str:
    """Return the number of tests per file; without any, the files that quote the section as a whole."""
    counts = Counter(test.file for test in tests if test.holds(section))
    if counts:
        return ", ".join(f"`{file}` {count}" for file, count in sorted(counts.items()))
    files = sorted({test.file for test in tests if test.is_about(section)})
    return ", ".join(f"`{file}` as a whole" for file in files) or "**none**"


def _gaps(gaps: Sequence[Section]) -> Iterator[str]:
    yield "\n## Gaps\n"
    if not gaps:
        yield "None: every section is quoted by a test."
    for one in gaps:
        yield f"- `rules/{one.module}.py`: {one.document}, {one.title}"


def _tests() -> Iterator[Test]:
    for path in sorted(TESTS.glob("test_*.py")):
        tree = _parse_file(path)
        modules, whole = _modules_of(tree), _sections_quoted(ast.get_docstring(tree) or "")
        tables = {
            target.id: _sections_quoted(_ids(node))
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                used = (one for each in node.decorator_list for one in ast.walk(each))
                named = {one.id for one in used if isinstance(one, ast.Name)}
                quotes = _sections_quoted(ast.get_docstring(node) or "").union(
                    *(_sections_quoted(_ids(each)) for each in node.decorator_list),
                    *(tables[name] for name in named & tables.keys()),
                )
                yield Test(file=path.stem, modules=modules, quotes=quotes, of_file=whole)


def _sections_quoted(text: str) -> frozenset[str]:
    return frozenset(found.replace("RULES ", "§") for found in _QUOTE.findall(text))


def _ids(node: ast.AST) -> str:
    """Return the text in the ids of examples."""
    keywords = (each for each in ast.walk(node) if isinstance(each, ast.keyword))
    given = (each.value for each in keywords if each.arg in {"id", "ids"})
    texts = (one.value for value in given for one in ast.walk(value) if isinstance(one, ast.Constant))
    return " · ".join(text for text in texts if isinstance(text, str))


def _modules_of(tree: ast.Module) -> frozenset[str]:
    """Return the modules of ``rules`` that a file imports, directly or through the package."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "rules":
            parts = (node.module or "").split(".")
            found |= (
                {parts[1]} if parts[1:] else {_face()[one.name] for one in node.names if one.name in _face()}
            )
    return frozenset(found)


@cache
def _face() -> Mapping[str, str]:
    """Return the module in which each name exported by ``rules`` is defined."""
    return {
        one.name: (node.module or "").partition(".")[0]
        for node in _parse_file(RULES / "__init__.py").body
        if isinstance(node, ast.ImportFrom)
        for one in node.names
    }


def _parse_file(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
