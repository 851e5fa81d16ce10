"""Templates as data, which ``static/js/table/templates.js`` renders on a phone like Django on the server.

A program maps the names of a page's templates to lists of nodes: a text, or an array that begins with the tag
to render it. Sentences are translated here, and values filled in when it is rendered. What the script would
not render byte for byte is refused here.

A value in a node is a literal, the path of a variable, or an array: ``["'", text]``, or a filter or operator
with its operands.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import time
from typing import Any

from django.conf import settings
from django.template import Context, Node, TemplateDoesNotExist, Variable
from django.template.base import TextNode, VariableNode
from django.template.defaulttags import (
    CommentNode,
    CsrfTokenNode,
    FirstOfNode,
    ForNode,
    IfNode,
    LoadNode,
    TemplateLiteral,
    URLNode,
    WithNode,
)
from django.template.loader import get_template
from django.template.loader_tags import BlockNode, IncludeNode
from django.templatetags.i18n import (
    BlockTranslateNode,
    GetAvailableLanguagesNode,
    GetLanguageInfoNode,
    TranslateNode,
)
from django.templatetags.l10n import LocalizeNode
from django.templatetags.tz import TimezoneNode
from django.utils import translation
from template_partials.templatetags.partials import DefinePartialNode

Words = Mapping[str, Iterable[str] | Mapping[str, Any]]
Nodes = list[Any]

LITERALS = {"True": True, "False": False, "None": None}
TWINS = frozenset(
    {
        "capfirst",
        "date",
        "default",
        "if_none_match",
        "is_over",
        "joined",
        "lasting",
        "length",
        "minutes_away",
        "outcome",
        "safe",
        "sentence",
        "slice",
        "time",
        "yesno",
    }
)
"""Filters that the script implements itself."""
SPEAKING = frozenset({"joined", "outcome", "sentence"})
"""Filters of ``TWINS`` that output words."""
ARGUMENTS = {"date": "U", "slice": r"-?\d*:-?\d*", "time": "TIME_FORMAT", "yesno": "[^,]*,[^,]*(,[^,]*)?"}
"""Patterns of the arguments that the script's filters understand."""
VALUE_IN_A_SENTENCE = re.compile(r"%\((\w+)\)s|%(%)")
COUNTS = (0, 1, 2)
"""Counts for which a sentence is translated; larger numbers use the sentence for two."""
LARGER = (3, 5, 11, 21, 100, 1_000_000)


class NotPortable(Exception):  # noqa: N818 -- not an error: an answer
    """A template has something that the script does not render like Django."""


def compile_template(
    name: str, *, language: str, words: Words | None = None, absent: Collection[str] = ()
) -> dict[str, Any]:
    """Compile a template, ``page.html``, or a part of one, ``page.html#part``: a partial or a block.

    ``words`` has for each filter with words its keys, or a mapping of keys to the filter's
    arguments. ``absent`` are the variables that are None or false wherever it is rendered:
    parts that only they show are left out.

    Refuses: NotPortable, with the template and the line.
    """
    with translation.override(language):
        compiler = _Compiler(language=language, words=words or {}, absent=frozenset(absent))
        compiler.add(name)
    return {"language": language, "templates": compiler.templates, "words": compiler.tables}


class _Compiler:
    """The templates compiled so far, and the current place."""

    def __init__(self, *, language: str, words: Words, absent: frozenset[str]) -> None:
        self.language = language
        self.words = words
        self.absent = absent
        self.templates: dict[str, Nodes] = {}
        self.tables: dict[str, Any] = {}
        self.place = ""

    def add(self, name: str) -> None:
        if name not in self.templates:
            self.templates[name] = []  # a template may include itself
            self.templates[name] = self.nodes(_nodelist(name), name)

    def nodes(self, nodelist: Iterable[Any], template: str) -> Nodes:
        """Compile nodes, joining adjacent texts."""
        nodes: Nodes = []
        around = self.place
        for node in nodelist:
            self.place = f"{template}, line {node.token.lineno}"
            tag = TAGS.get(type(node))
            if tag is None:
                raise self.refusal(f"no {type(node).__name__} in the script")
            for drawn in tag(self, node, template):
                if isinstance(drawn, str) and nodes and isinstance(nodes[-1], str):
                    nodes[-1] += drawn
                else:
                    nodes.append(drawn)
        self.place = around
        return nodes

    def refusal(self, why: str) -> NotPortable:
        return NotPortable(f"{self.place}: {why}")

    # Values

    def value(self, filtered: Any) -> Any:
        """Compile a value to render or pass on. Absent variables are refused: of None, Django
        renders the name."""
        if self.is_absent(filtered.var):
            raise self.refusal(f"{filtered.var} is drawn, and is said to be absent")
        return self.truth_of(filtered)

    def truth_of(self, filtered: Any) -> Any:
        """Compile a condition, for which None counts as false."""
        value = self.operand(filtered.var)
        for function, arguments in filtered.filters:
            plain = [
                self.operand(argument) if is_looked_up else ["'", str(argument)]
                for is_looked_up, argument in arguments
            ]
            value = self.apply_filter(function, value, plain)
        return value

    def operand(self, of: Any) -> Any:
        if isinstance(of, Variable) and of.lookups is not None:
            if self.is_absent(of):
                return None
            path = ".".join(of.lookups)
            return ["'", self.language] if path == "LANGUAGE_CODE" else LITERALS.get(path, path)
        literal = of.resolve(Context()) if isinstance(of, Variable) else of
        if isinstance(literal, float):
            raise self.refusal(f"{literal} is written otherwise in each language")
        return literal if isinstance(literal, int) else ["'", str(literal)]

    def is_absent(self, of: Any) -> bool:
        lookups = of.lookups or () if isinstance(of, Variable) else ()
        return any(".".join(lookups[:end]) in self.absent for end in range(1, len(lookups) + 1))

    def apply_filter(self, function: Callable[..., Any], value: Any, arguments: Sequence[Any]) -> Any:
        name: str = vars(function)["_filter_name"]
        if name in self.words:
            self.tables.setdefault(name, self.table(name, function))
        elif name not in TWINS or name in SPEAKING:
            raise self.refusal(f"no filter {name} in the script, or no words for it")
        if name in ARGUMENTS and not re.fullmatch(ARGUMENTS[name], "".join(map(_text, arguments))):
            raise self.refusal(f"no such argument of the filter {name} in the script")
        if name == "time":
            self.tables["time"] = [
                function(time(hour, minute), "TIME_FORMAT").replace("59", "{minutes}")
                for minute in (0, 59)
                for hour in range(24)
            ]
            return ["time", value]
        return [name, value, *arguments]

    def table(self, name: str, function: Callable[..., Any]) -> dict[str, str]:
        words = self.words[name]
        asked = words if isinstance(words, Mapping) else {key: key for key in words}
        return {key: str(function(argument)) for key, argument in asked.items()}

    def values(self, named: Mapping[str, Any]) -> dict[str, Any]:
        self.bind(*named)
        return {name: self.value(filtered) for name, filtered in named.items()}

    def bind(self, *names: str) -> None:
        """Check that the template does not redefine names that are fixed here."""
        settled = {path.partition(".")[0] for path in self.absent} | {"LANGUAGE_CODE"}
        for name in settled & set(names):
            raise self.refusal(f"{name} has another meaning here")

    # Conditions

    def condition(self, token: Any) -> Any:
        if isinstance(token, TemplateLiteral):
            return self.truth_of(token.value)
        first = self.condition(token.first)
        if token.id == "not":
            return not _truth(first) if _is_known(first) else ["not", first]
        second = self.condition(token.second)
        if token.id in ("and", "or"):
            return _fold_operator(token.id, first, second)
        if token.id.startswith("is") and not any(
            one is None or isinstance(one, bool) for one in (first, second)
        ):
            raise self.refusal("which values are the same thing only Python knows")
        return [token.id, first, second]

    # Tags

    def text(self, node: TextNode, _: str) -> Iterator[Any]:
        yield node.s

    def variable(self, node: VariableNode, _: str) -> Iterator[Any]:
        yield ["=", self.value(node.filter_expression)]

    def nothing(self, _: Node, __: str) -> Iterator[Any]:
        yield from ()

    def group(self, node: Any, template: str) -> Iterator[Any]:
        yield from self.nodes(node.nodelist, template)

    def partial(self, node: Any, template: str) -> Iterator[Any]:
        if node.inline:
            yield from self.nodes(node.nodelist, template)

    def choice(self, node: Any, template: str) -> Iterator[Any]:
        branches: list[Nodes] = []
        for token, nodelist in node.conditions_nodelists:
            condition = True if token is None else self.condition(token)
            if _is_known(condition) and not _truth(condition):
                continue
            branches.append([condition, self.nodes(nodelist, template)])
            if _is_known(condition):
                break
        if branches and _is_known(branches[0][0]):
            yield from branches[0][1]
        elif branches:
            yield ["if", *branches]

    def loop(self, node: Any, template: str) -> Iterator[Any]:
        self.bind(*node.loopvars, "forloop")
        sequence = self.truth_of(node.sequence)
        body, empty = (self.nodes(nodes, template) for nodes in (node.nodelist_loop, node.nodelist_empty))
        yield ["for", list(node.loopvars), sequence, bool(node.is_reversed), body, empty]

    def scope(self, node: WithNode, template: str) -> Iterator[Any]:
        yield ["with", self.values(node.extra_context), self.nodes(node.nodelist, template)]

    def include(self, node: IncludeNode, _: str) -> Iterator[Any]:
        name = node.template.var
        if isinstance(name, Variable) or node.template.filters:
            raise self.refusal("only what is included by its name is known before")
        values = self.values(node.extra_context)
        self.add(str(name))
        yield ["include", str(name), values, bool(node.isolated_context)]

    def first_of(self, node: FirstOfNode, _: str) -> Iterator[Any]:
        values = [self.truth_of(each) for each in node.vars]
        yield from self.keep_as(node.asvar, [["if", *([value, [["=", value]]] for value in values)]])

    def csrf_token(self, _: CsrfTokenNode, __: str) -> Iterator[Any]:
        field = ['<input type="hidden" name="csrfmiddlewaretoken" value="', ["=", "csrf_token"], '">']
        yield ["if", [["and", "csrf_token", ["!=", "csrf_token", ["'", "NOTPROVIDED"]]], field]]

    def address(self, node: URLNode, _: str) -> Iterator[Any]:
        if node.args or node.kwargs or isinstance(node.view_name.var, Variable):
            raise self.refusal("an address that depends on a value")
        yield from self.keep_as(node.asvar, [URLNode(node.view_name, [], {}, None).render(Context())])

    def translate(self, node: Any, _: str) -> Iterator[Any]:
        if node.filter_expression.filters or node.filter_expression.var.lookups is not None:
            raise self.refusal("only a sentence that stands here is translated before")
        text = TranslateNode(node.filter_expression, node.noop, None, node.message_context).render(Context())
        yield from self.keep_as(node.asvar, [text])

    def sentence(self, node: Any, _: str) -> Iterator[Any]:
        values = self.values(node.extra_context)
        one, names = node.render_token_list(node.singular)
        context = None if node.message_context is None else node.message_context.resolve(Context())
        if node.counter is None:
            text = translation.pgettext(context, one) if context else translation.gettext(one)
            drawn = self.fill_text(text, names)
        else:
            self.bind(node.countervar)
            many, names_of_many = node.render_token_list(node.plural)
            texts = self.texts_by_count(context, one, many)
            forms = [self.fill_text(text, [*names, *names_of_many]) for text in texts]
            drawn = [["count", node.countervar, self.value(node.counter), forms]]
        yield from self.keep_as(node.asvar, [["with", values, drawn]] if values else drawn)

    def texts_by_count(self, context: str | None, one: str, many: str) -> list[str]:
        """Return the sentence for each of ``COUNTS``."""

        def text(count: int) -> str:
            if context:
                return translation.npgettext(context, one, many, count)
            return translation.ngettext(one, many, count)

        if any(text(count) != text(COUNTS[-1]) for count in LARGER):
            raise self.refusal(f"the language {self.language} has more than one plural")
        return [text(count) for count in COUNTS]

    def fill_text(self, text: str, names: Collection[str]) -> Nodes:
        """Split a translated sentence into texts and values."""
        if not all(map(str.isidentifier, names)):
            raise self.refusal("a sentence has values by their names only")
        nodes: Nodes = []
        end = 0
        for found in VALUE_IN_A_SENTENCE.finditer(text):
            name, percent = found.groups()
            if percent is None and name not in names:
                raise self.refusal(f"the translation speaks of {name}, the sentence does not")
            nodes += [text[end : found.start()], percent or ["=", name]]
            end = found.end()
        return [node for node in [*nodes, text[end:]] if node != ""]

    def keep_as(self, name: str | None, nodes: Nodes) -> Iterator[Any]:
        """Yield the nodes, or store them under a name."""
        if name is None:
            yield from nodes
        else:
            self.bind(name)
            yield ["as", name, nodes]

    def languages(self, node: GetAvailableLanguagesNode, _: str) -> Iterator[Any]:
        self.bind(node.variable)
        known = [[code, translation.gettext(name)] for code, name in settings.LANGUAGES]
        yield ["let", node.variable, ["literal", known]]

    def language_info(self, node: GetLanguageInfoNode, _: str) -> Iterator[Any]:
        self.bind(node.variable)
        known = {code: translation.get_language_info(code) for code, _ in settings.LANGUAGES}
        self.tables["get_language_info"] = {
            code: {key: value if isinstance(value, bool) else str(value) for key, value in info.items()}
            for code, info in known.items()
        }
        yield ["let", node.variable, ["get_language_info", self.value(node.lang_code)]]


TAGS: Mapping[type, Callable[[_Compiler, Any, str], Iterator[Any]]] = {
    TextNode: _Compiler.text,
    VariableNode: _Compiler.variable,
    CommentNode: _Compiler.nothing,
    LoadNode: _Compiler.nothing,
    LocalizeNode: _Compiler.group,
    TimezoneNode: _Compiler.group,
    DefinePartialNode: _Compiler.partial,
    IfNode: _Compiler.choice,
    ForNode: _Compiler.loop,
    WithNode: _Compiler.scope,
    IncludeNode: _Compiler.include,
    FirstOfNode: _Compiler.first_of,
    CsrfTokenNode: _Compiler.csrf_token,
    URLNode: _Compiler.address,
    TranslateNode: _Compiler.translate,
    BlockTranslateNode: _Compiler.sentence,
    GetAvailableLanguagesNode: _Compiler.languages,
    GetLanguageInfoNode: _Compiler.language_info,
}


def _nodelist(name: str) -> Any:
    """Return the parsed nodes of a template, a partial or a block."""
    page, _, part = name.partition("#")
    try:
        return _parse_template(name)
    except TemplateDoesNotExist:
        blocks = {block.name: block.nodelist for block in _parse_template(page).get_nodes_by_type(BlockNode)}
        if part not in blocks:
            raise
        return blocks[part]


def _parse_template(name: str) -> Any:
    template: Any = get_template(name)
    return template.template.nodelist


def _is_known(value: Any) -> bool:
    """Return whether a value is a literal."""
    return value is None or isinstance(value, int) or (isinstance(value, list) and value[0] == "'")


def _text(value: Any) -> str:
    """Return the text of a text literal; "" for anything else."""
    return str(value[1]) if isinstance(value, list) and value[0] == "'" else ""


def _truth(literal: Any) -> bool:
    return bool(literal[1] if isinstance(literal, list) else literal)


def _fold_operator(operator: str, first: Any, second: Any) -> Any:
    """Simplify ``and`` or ``or`` if an operand is a literal: it decides the result, or can be left out."""
    settles = operator == "or"
    for one, other in ((first, second), (second, first)):
        if _is_known(one):
            return settles if _truth(one) is settles else other
    return [operator, first, second]
