"""Every refusal in the source code has a sentence and gives the values of its placeholders."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from django.utils.translation import override

from errors import UNPROCESSABLE, Refusal
from operations.data_dir import PROJECT
from wording.sentences import ANSWERS_BY_CODE, SENTENCES, get_http_status, get_sentence, merge_answers

SOURCES = (
    *("rules", "engine", "versioning", "web", "clubs", "scoring", "tournaments", "federations"),
    *("api", "config", "server", "operations", "live", "jobs"),
)
COMMON_DETAILS = {"field", "file", "line", "column"}
"""Details that give the position of a refusal; the reader sees them beside its sentence."""


@dataclass(frozen=True, kw_only=True)
class Site:
    """A refusal in the source code: its location, code and details; None if the details vary."""

    location: str
    code: str
    values: frozenset[str] | None


def iter_sources() -> Iterator[tuple[Path, ast.Module]]:
    for folder in SOURCES:
        for path in sorted((PROJECT / folder).rglob("*.py")):
            yield path, ast.parse(path.read_text(encoding="utf-8"))


CODE_POSITIONS = {"Refusal": 0, "refuse": 0, "_refusal": 0, "get_or_refuse": 1}
"""Position of the code in the arguments of each function that refuses."""


def iter_sites() -> Iterator[Site]:
    """Yield the refusals in calls and keyword arguments with a code:

    ``Refusal("code", …)``, ``get_or_refuse(…, "code", …)``, ``refuse("code", …)``, ``_refusal("code", …)``,
    ``require("field", "code")``, ``one_of(…, "code")``, ``required="code"``, ``code="code"``,
    ``refusal_code="code"`` and ``empty="code"``.
    """
    for path, module in iter_sources():
        for call in (node for node in ast.walk(module) if isinstance(node, ast.Call)):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            named = {word.arg: word.value for word in call.keywords}
            where = f"{path.relative_to(PROJECT)}:{call.lineno}"
            given = None if None in named else frozenset(filter(None, named))
            if given and "known" in given:
                given |= {"near"}
            if name in CODE_POSITIONS and call.args:
                more = {"value"} if name == "_refusal" else set()
                for code in _iter_texts(call.args[CODE_POSITIONS[name]]):
                    yield Site(location=where, code=code, values=given if given is None else given | more)
            elif name in {"require", "one_of"} and call.args:
                values = {"value", "choices"} if name == "one_of" else set()
                for code in _iter_texts(call.args[-1]):
                    yield Site(location=where, code=code, values=frozenset(values))
            values = {"ClubLimit": {"most"}, "check_names": {"near"}}.get(name, set())
            for word in ("required", "code", "refusal_code", "empty"):
                for code in _iter_texts(named.get(word)):
                    yield Site(location=where, code=code, values=frozenset(values))


PARAMETERS = {"code", "required", "empty", "refusal_code"}
"""Parameters that take the code from the caller of a function."""


def find_unknown_codes() -> Iterator[str]:
    """Yield refusals with a code other than a literal, a parameter or the code of another refusal."""
    for path, module in iter_sources():
        for function in (node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)):
            given = {one.arg for one in (*function.args.args, *function.args.kwonlyargs)} & PARAMETERS
            for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
                if getattr(call.func, "id", "") != "Refusal" or not call.args:
                    continue
                code = call.args[0]
                is_handed_on = ast.unparse(code).endswith((".code", ".required_code", "['code']"))
                if not (is_handed_on or any(_iter_texts(code)) or getattr(code, "id", "") in given):
                    yield f"{path.relative_to(PROJECT)}:{call.lineno}"


def find_repeated_keys(source: str) -> set[str]:
    """Return the keys that occur more than once in a dictionary of the source code."""
    found: set[str] = set()
    for literal in (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Dict)):
        keys = Counter(key.value for key in literal.keys if isinstance(key, ast.Constant))
        found |= {str(key) for key, count in keys.items() if count > 1}
    return found


def _iter_texts(node: ast.expr | None) -> Iterator[str]:
    """Yield the text of a literal, or the texts of both branches of a conditional expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _iter_texts(node.body)
        yield from _iter_texts(node.orelse)


@cache
def list_sites_by_code() -> dict[str, list[Site]]:
    found: dict[str, list[Site]] = defaultdict(list)
    for site in iter_sites():
        found[site.code].append(site)
    return found


def list_placeholders(text: str) -> set[str]:
    """Return the names of placeholders such as ``%(name)s``."""
    return {part.partition(")")[0] for part in text.split("%(")[1:]}


@pytest.mark.slow
def test_sources_contain_many_refusals() -> None:
    assert len(list_sites_by_code()) > 80
    assert {"no_such_bid", "not_a_number", "form_refused", "name_required", "value_negative"} <= set(
        list_sites_by_code()
    )


@pytest.mark.slow
def test_every_raised_code_has_a_sentence() -> None:
    assert {
        code: [site.location for site in list_sites_by_code()[code]]
        for code in set(list_sites_by_code()) - set(SENTENCES)
    } == {}


@pytest.mark.slow
def test_every_sentence_has_a_raised_code() -> None:
    assert set(SENTENCES) - set(list_sites_by_code()) == set()


@pytest.mark.slow
def test_every_raised_code_is_a_literal() -> None:
    assert list(find_unknown_codes()) == []


def test_each_package_declares_a_code_once() -> None:
    tables = [path for folder in SOURCES for path in (PROJECT / folder).rglob("refusals.py")]
    assert {path: twice for path in tables if (twice := find_repeated_keys(path.read_text(encoding="utf-8")))} == {}


def test_duplicate_refusal_code_is_found() -> None:
    assert find_repeated_keys('REFUSALS = {"one": "1", "two": "2", "one": "3"}') == {"one"}
    with pytest.raises(ValueError, match="two sentences for nobody_chosen"):
        merge_answers({"one": "1", "nobody_chosen": "2"}, {"three": "3"}, {"nobody_chosen": "4"})


@pytest.mark.slow
def test_sentences_use_only_values_that_every_refusal_gives() -> None:
    placeholders = {code: list_placeholders(str(sentence)) for code, sentence in SENTENCES.items()}
    sites = [site for code in SENTENCES for site in list_sites_by_code()[code] if site.values is not None]
    lacking = {(site.code, site.location): placeholders[site.code] - (site.values or set()) for site in sites}
    assert {where: names for where, names in lacking.items() if names} == {}


def test_sentences_are_punctuated_and_format_text_values() -> None:
    for code, sentence in SENTENCES.items():
        text = str(sentence)
        assert text[-1] in ".?", code
        assert text[0].isupper() or text[0] in "“%", code
        assert text.count("%") == text.count("%("), code
        details = dict.fromkeys(list_placeholders(text), "x")
        assert "%" not in get_sentence(Refusal(code, **details)), code


def test_list_is_joined_with_commas_and_a_conjunction() -> None:
    message = get_sentence(Refusal("tables_missing", tables=[2, 5, 9]))
    assert message.startswith("These tables have not finished: 2, 5 and 9.")


def test_every_refusal_has_a_client_error_or_outage_status() -> None:
    assert all(
        400 <= status < 500 or status in (503, 507) for status in {each.status for each in ANSWERS_BY_CODE.values()}
    )
    assert get_http_status(Refusal("name_required")) == UNPROCESSABLE == 422


def test_contract_names_follow_the_readers_language() -> None:
    refusal = Refusal("no_such_bid", contract="neuf", ladder=["5", "gros_charlemagne"])
    with override("fr"):
        assert "5 et Gros Charlemagne" in get_sentence(refusal)
        assert "gros_charlemagne" not in get_sentence(refusal)
