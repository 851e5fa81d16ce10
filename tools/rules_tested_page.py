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

PAGE_FILE = PROJECT / "docs" / "development" / "rules-coverage.md"
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
    implementation: str

    @property
    def quote_marks(self) -> frozenset[str]:
        """Marks by which a test quotes the section."""
        return _DECISIONS if "D1–D13" in self.title else _find_quotes(self.document)


@dataclass(frozen=True, slots=True, kw_only=True)
class Test:
    """A test with the modules that its file imports, what it quotes, and what its file quotes."""

    file: str
    modules: frozenset[str]
    quotes: frozenset[str]
    file_quotes: frozenset[str]

    def is_covering(self, section: Section) -> bool:
        return section.module in self.modules and bool(section.quote_marks & self.quotes)

    def is_about(self, section: Section) -> bool:
        return section.module in self.modules and bool(section.quote_marks & self.file_quotes)


def render_rules_page() -> str:
    """Return the text of the file."""
    all_sections, tests = list(iter_sections()), list(_iter_tests())
    gaps = [
        section
        for section in all_sections
        if not any(test.is_covering(section) or test.is_about(section) for test in tests)
    ]
    return "\n".join([_HEAD, *_render_gaps(gaps), *_render_tables(all_sections, tests), ""])


def iter_sections() -> Iterator[Section]:
    """Yield all sections, module by module."""
    for path in sorted(RULES.glob("*.py")):
        docstring = ast.get_docstring(_parse_file(path)) or ""
        rulers = list(_RULER.finditer(docstring))
        if len(rulers) < 3:
            continue
        first_column, second_column = rulers[1].end(1) - rulers[1].start(), rulers[1].end(2) - rulers[1].start()
        for line in docstring[rulers[1].end() : rulers[2].start()].strip("\n").splitlines():
            document, title, implementation = (
                cell.strip().replace("``", "`")
                for cell in (line[:first_column], line[first_column:second_column], line[second_column:])
            )
            yield Section(module=path.stem, document=document, title=title, implementation=implementation)


def _render_tables(all_sections: Iterable[Section], tests: Sequence[Test]) -> Iterator[str]:
    sections_by_module: dict[str, list[Section]] = defaultdict(list)
    for section in all_sections:
        sections_by_module[section.module].append(section)
    for module, lines in sections_by_module.items():
        yield f"\n## `rules/{module}.py`\n"
        yield "| document | section | in the code | tests that quote it |"
        yield "|---|---|---|---|"
        for section in lines:
            coverage = _format_coverage(section, tests)
            yield f"| {section.document} | {section.title} | {section.implementation} | {coverage} |"


def _format_coverage(section: Section, tests: Iterable[Test]) -> str:
    """Return the number of tests per file; without any, the files that quote the section as a whole."""
    counts = Counter(test.file for test in tests if test.is_covering(section))
    if counts:
        return ", ".join(f"`{file}` {count}" for file, count in sorted(counts.items()))
    files = sorted({test.file for test in tests if test.is_about(section)})
    return ", ".join(f"`{file}` as a whole" for file in files) or "**none**"


def _render_gaps(gaps: Sequence[Section]) -> Iterator[str]:
    yield "\n## Gaps\n"
    if not gaps:
        yield "None: every section is quoted by a test."
    for section in gaps:
        yield f"- `rules/{section.module}.py`: {section.document}, {section.title}"


def _iter_tests() -> Iterator[Test]:
    for path in sorted(TESTS.glob("test_*.py")):
        tree = _parse_file(path)
        modules, file_quotes = _find_imported_modules(tree), _find_quotes(ast.get_docstring(tree) or "")
        tables = {
            target.id: _find_quotes(_get_ids_text(node))
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                nodes = (child for decorator in node.decorator_list for child in ast.walk(decorator))
                names = {child.id for child in nodes if isinstance(child, ast.Name)}
                quotes = _find_quotes(ast.get_docstring(node) or "").union(
                    *(_find_quotes(_get_ids_text(decorator)) for decorator in node.decorator_list),
                    *(tables[name] for name in names & tables.keys()),
                )
                yield Test(file=path.stem, modules=modules, quotes=quotes, file_quotes=file_quotes)


def _find_quotes(text: str) -> frozenset[str]:
    return frozenset(quote.replace("RULES ", "§") for quote in _QUOTE.findall(text))


def _get_ids_text(node: ast.AST) -> str:
    """Return the text in the ids of examples."""
    keywords = (child for child in ast.walk(node) if isinstance(child, ast.keyword))
    values = (child.value for child in keywords if child.arg in {"id", "ids"})
    texts = (constant.value for value in values for constant in ast.walk(value) if isinstance(constant, ast.Constant))
    return " · ".join(text for text in texts if isinstance(text, str))


def _find_imported_modules(tree: ast.Module) -> frozenset[str]:
    """Return the modules of ``rules`` that a file imports, directly or through the package."""
    modules: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "rules":
            parts = (node.module or "").split(".")
            modules |= (
                {parts[1]}
                if parts[1:]
                else {_map_exported_names()[alias.name] for alias in node.names if alias.name in _map_exported_names()}
            )
    return frozenset(modules)


@cache
def _map_exported_names() -> Mapping[str, str]:
    """Return the module in which each name exported by ``rules`` is defined."""
    return {
        alias.name: (node.module or "").partition(".")[0]
        for node in _parse_file(RULES / "__init__.py").body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def _parse_file(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))
