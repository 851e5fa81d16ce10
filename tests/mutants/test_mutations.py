"""Mutants of Python, templates and scripts, and the text that results."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from operations.data_dir import PROJECT
from tests.mutants import python, scripts, templates
from tests.mutants.generation import find_mutant_maker, list_mutants, sample_mutants
from tests.mutants.mutant import Mutant


def apply_all(text: str, mutants: list[Mutant]) -> set[str]:
    return {mutant.apply(text) for mutant in mutants}


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("a < b", "a <= b"),
        ("a not in b", "a in b"),
        ("a and b", "a or b"),
        ("not a", "a"),
        ("a - 1", "a + 1"),
        ("a - 1", "a - 2"),
        ("f(a, b)", "f(b, a)"),
        ("f(is_new=True)", "f(is_new=False)"),
        ("rows.filter(a=b).count()", "rows.count()"),
        ("max(a, b)", "min(a, b)"),
        ("[a for a in b if c]", "[a for a in b if True]"),
        ("a if b else c", "a if False else c"),
        ("{a: b, c: d, e: f}", "{a: b, e: f}"),
        ("é == b", "é != b"),
    ],
)
def test_expression_mutation_yields_common_mistakes(right: str, wrong: str) -> None:
    assert wrong in apply_all(right, python.list_module_mutants("rules/here.py", right))


FUNCTION = """\
@atomic
def close(event):
    if event.is_over:
        raise Refusal("over")
    with lock(event):
        event.state = CLOSED
        event.save()
    return event
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("@atomic\n", ""),
        ("if event.is_over:", "if True:"),
        ("if event.is_over:", "if False:"),
        ('raise Refusal("over")', "pass"),
        ("with lock(event):", "with __import__('contextlib').nullcontext():"),
        ("event.state = CLOSED", "pass"),
        ("event.save()", "pass"),
        ("return event", "return None"),
    ],
)
def test_statement_is_removed_or_inverted(right: str, wrong: str) -> None:
    assert FUNCTION.replace(right, wrong) in apply_all(FUNCTION, python.list_module_mutants("rules/here.py", FUNCTION))


@pytest.mark.parametrize(
    "text",
    [
        "from a import b, c, d",
        "assert a < b",
        "def f(a: dict[str, int]) -> tuple[int, int, int]: ...",
        "log.info('said')",
        "@dataclass(frozen=True)\nclass A:\n    a: int",
        "name = CharField(max_length=40)",
        "if TYPE_CHECKING:\n    a = 1",
    ],
)
def test_undetectable_code_is_not_mutated(text: str) -> None:
    assert python.list_module_mutants("rules/here.py", text) == []


def test_module_level_mutant_names_its_constant() -> None:
    (mutant, _) = python.list_module_mutants("rules/here.py", "TRICKS = 8\n")
    assert (mutant.names, mutant.line) == (("TRICKS",), 1)


def test_registration_mutant_names_the_registered_function() -> None:
    (mutant, *_) = python.list_module_mutants("rules/here.py", "register.filter(reasons.ranking_sentence)\n")
    assert mutant.names == ("ranking_sentence",)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("{{ name|upper }}{{ a }}", "{{ name }}{{ a }}"),
        ("{{ name }}{{ town }}", "{{ town }}{{ town }}"),
        ("{% if a %}b{% endif %}", "{% if True %}b{% endif %}"),
        ("{% if a %}b{% endif %}", "{% if False %}b{% endif %}"),
        ("{% if a and b %}c{% endif %}", "{% if a or b %}c{% endif %}"),
        ("{% if not a %}b{% endif %}", "{% if  a %}b{% endif %}"),
        ('{% include "a.html" %}b', "b"),
        ("<p>a</p>\n<p>b</p>\n", "<p>b</p>\n"),
    ],
)
def test_template_mutation_yields_expected_mutants(right: str, wrong: str) -> None:
    assert wrong in apply_all(right, templates.list_template_mutants("templates/here.html", right))


def test_line_that_opens_a_template_block_is_kept() -> None:
    text = "<p>{% if a %}</p>\n<p>b{% endif %}</p>\n"
    made = apply_all(text, templates.list_template_mutants("templates/here.html", text))
    assert not any(wrong.startswith("<p>b") for wrong in made)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("if (a === b) c();", "if (a !== b) c();"),
        ("if (a && b) c();", "if (a || b) c();"),
        ("if (!a) return;", "if (a) return;"),
        ("if (a) return;", "if (false) return;"),
        ("if (a) return;", "if (a) ;"),
        ("wait(5_000);", "wait(5001);"),
        ("  send(hand);", "  void 0;"),
    ],
)
def test_script_mutation_yields_expected_mutants(right: str, wrong: str) -> None:
    assert wrong in apply_all(right, scripts.list_script_mutants("static/js/here.js", right))


def test_script_strings_and_comments_are_not_mutated() -> None:
    assert scripts.list_script_mutants("static/js/here.js", 'const a = "1 === 2"; // if (a) 3\n') == []


@pytest.mark.parametrize(
    ("path", "is_one"),
    [
        ("rules/cards.py", True),
        ("templates/base.html", True),
        ("static/js/sheet.js", True),
        ("static/vendor/htmx.js", False),
        ("clubs/migrations/0001_initial.py", False),
        ("tests/builders.py", False),
        ("README.md", False),
    ],
)
def test_only_our_handwritten_files_are_mutated(path: str, *, is_one: bool) -> None:
    assert (find_mutant_maker(path) is not None) == is_one


def test_mutated_module_differs_and_still_parses() -> None:
    text = (PROJECT / "tournaments/entries/bonds.py").read_text(encoding="utf-8")
    made = apply_all(text, python.list_module_mutants("tournaments/entries/bonds.py", text))
    assert len(made) > 20
    assert ast.dump(ast.parse(text)) not in {ast.dump(ast.parse(wrong)) for wrong in made}


def test_seed_determines_the_sample_without_repeating_a_line(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/here.py").write_text("A = 1 < 2\nB = 2\nC = 3\nD = 4\n", encoding="utf-8")
    mutants = list_mutants(tmp_path, {"rules/here.py": {1, 2, 4}})
    assert sample_mutants(mutants, 2, 7) == sample_mutants(mutants, 2, 7)
    assert sorted(mutant.line for mutant in sample_mutants(mutants, 10, 7)) == [1, 2, 4]
