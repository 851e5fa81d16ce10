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
from django.templatetags.i18n import BlockTranslateNode, GetAvailableLanguagesNode, GetLanguageInfoNode, TranslateNode
from django.templatetags.l10n import LocalizeNode
from django.templatetags.tz import TimezoneNode
from django.utils import translation
from template_partials.templatetags.partials import DefinePartialNode

FilterTables = Mapping[str, Iterable[str] | Mapping[str, Any]]
Nodes = list[Any]

LITERALS = {"True": True, "False": False, "None": None}
JS_FILTERS = frozenset(
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
LANGUAGE_FILTERS = frozenset({"joined", "outcome", "sentence"})
"""Filters of ``JS_FILTERS`` that output words."""
ARGUMENTS = {"date": "U", "slice": r"-?\d*:-?\d*", "time": "TIME_FORMAT", "yesno": "[^,]*,[^,]*(,[^,]*)?"}
"""Patterns of the arguments that the script's filters understand."""
PLACEHOLDER = re.compile(r"%\((\w+)\)s|%(%)")
COUNTS = (0, 1, 2)
"""Counts for which a sentence is translated; larger numbers use the sentence for two."""
LARGER_COUNTS = (3, 5, 11, 21, 100, 1_000_000)


class NotPortableError(Exception):
    """A template has something that the script does not render like Django."""


def compile_template(
    name: str, *, language: str, filter_values: FilterTables | None = None, absent_names: Collection[str] = ()
) -> dict[str, Any]:
    """Compile a template, ``page.html``, or a part of one, ``page.html#part``: a partial or a block.

    ``filter_values`` has, for each filter that outputs words, its keys, or a mapping of keys to the filter's
    arguments. ``absent_names`` are the variables that are None or false wherever it is rendered: parts that
    only they show are left out.

    Refuses: NotPortable, with the template and the line.
    """
    with translation.override(language):
        compiler = _Compiler(language=language, filter_values=filter_values or {}, absent=frozenset(absent_names))
        compiler.add(name)
    return {"language": language, "templates": compiler.templates, "words": compiler.tables}


class _Compiler:
    """The templates compiled so far, and the current place."""

    def __init__(self, *, language: str, filter_values: FilterTables, absent: frozenset[str]) -> None:
        self.language = language
        self.words = filter_values
        self.absent = absent
        self.templates: dict[str, Nodes] = {}
        self.tables: dict[str, Any] = {}
        self.place = ""

    def add(self, name: str) -> None:
        if name not in self.templates:
            self.templates[name] = []  # a template may include itself
            self.templates[name] = self.compile_nodes(_get_nodelist(name), name)

    def compile_nodes(self, nodelist: Iterable[Any], template: str) -> Nodes:
        """Compile nodes, joining adjacent texts."""
        nodes: Nodes = []
        around = self.place
        for node in nodelist:
            self.place = f"{template}, line {node.token.lineno}"
            tag = TAGS.get(type(node))
            if tag is None:
                raise self.build_error(f"no {type(node).__name__} in the script")
            for compiled in tag(self, node, template):
                if isinstance(compiled, str) and nodes and isinstance(nodes[-1], str):
                    nodes[-1] += compiled
                else:
                    nodes.append(compiled)
        self.place = around
        return nodes

    def build_error(self, reason: str) -> NotPortableError:
        return NotPortableError(f"{self.place}: {reason}")

    # Values

    def compile_value(self, expression: Any) -> Any:
        """Compile a value to render or pass on. Absent variables are refused: of None, Django
        renders the name."""
        if self.is_absent(expression.var):
            raise self.build_error(f"{expression.var} is drawn, and is said to be absent")
        return self.compile_expression(expression)

    def compile_expression(self, expression: Any) -> Any:
        """Compile a condition, for which None counts as false."""
        value = self.compile_operand(expression.var)
        for function, arguments in expression.filters:
            operands = [
                self.compile_operand(argument) if is_looked_up else ["'", str(argument)]
                for is_looked_up, argument in arguments
            ]
            value = self.apply_filter(function, value, operands)
        return value

    def compile_operand(self, operand_source: Any) -> Any:
        if isinstance(operand_source, Variable) and operand_source.lookups is not None:
            if self.is_absent(operand_source):
                return None
            path = ".".join(operand_source.lookups)
            return ["'", self.language] if path == "LANGUAGE_CODE" else LITERALS.get(path, path)
        literal = operand_source.resolve(Context()) if isinstance(operand_source, Variable) else operand_source
        if isinstance(literal, float):
            raise self.build_error(f"{literal} is written otherwise in each language")
        return literal if isinstance(literal, int) else ["'", str(literal)]

    def is_absent(self, operand_source: Any) -> bool:
        lookups = operand_source.lookups or () if isinstance(operand_source, Variable) else ()
        return any(".".join(lookups[:end]) in self.absent for end in range(1, len(lookups) + 1))

    def apply_filter(self, function: Callable[..., Any], value: Any, arguments: Sequence[Any]) -> Any:
        name: str = vars(function)["_filter_name"]
        if name in self.words:
            self.tables.setdefault(name, self.build_table(name, function))
        elif name not in JS_FILTERS or name in LANGUAGE_FILTERS:
            raise self.build_error(f"no filter {name} in the script, or no words for it")
        if name in ARGUMENTS and not re.fullmatch(ARGUMENTS[name], "".join(map(_get_literal_text, arguments))):
            raise self.build_error(f"no such argument of the filter {name} in the script")
        if name == "time":
            self.tables["time"] = [
                function(time(hour, minute), "TIME_FORMAT").replace("59", "{minutes}")
                for minute in (0, 59)
                for hour in range(24)
            ]
            return ["time", value]
        return [name, value, *arguments]

    def build_table(self, name: str, function: Callable[..., Any]) -> dict[str, str]:
        filter_values = self.words[name]
        arguments = filter_values if isinstance(filter_values, Mapping) else {key: key for key in filter_values}
        return {key: str(function(argument)) for key, argument in arguments.items()}

    def compile_values(self, named_values: Mapping[str, Any]) -> dict[str, Any]:
        self.check_names(*named_values)
        return {name: self.compile_value(expression) for name, expression in named_values.items()}

    def check_names(self, *names: str) -> None:
        """Check that the template does not redefine names that are fixed here."""
        fixed_names = {path.partition(".")[0] for path in self.absent} | {"LANGUAGE_CODE"}
        for name in fixed_names & set(names):
            raise self.build_error(f"{name} has another meaning here")

    # Conditions

    def compile_condition(self, token: Any) -> Any:
        if isinstance(token, TemplateLiteral):
            return self.compile_expression(token.value)
        first = self.compile_condition(token.first)
        if token.id == "not":
            return not _get_literal_truth(first) if _is_known(first) else ["not", first]
        second = self.compile_condition(token.second)
        if token.id in ("and", "or"):
            return _fold_operator(token.id, first, second)
        if token.id.startswith("is") and not any(one is None or isinstance(one, bool) for one in (first, second)):
            raise self.build_error("which values are the same thing only Python knows")
        return [token.id, first, second]

    # Tags

    def compile_text(self, node: TextNode, _: str) -> Iterator[Any]:
        yield node.s

    def compile_variable(self, node: VariableNode, _: str) -> Iterator[Any]:
        yield ["=", self.compile_value(node.filter_expression)]

    def skip_node(self, _: Node, __: str) -> Iterator[Any]:
        yield from ()

    def compile_group(self, node: Any, template: str) -> Iterator[Any]:
        yield from self.compile_nodes(node.nodelist, template)

    def compile_partial(self, node: Any, template: str) -> Iterator[Any]:
        if node.inline:
            yield from self.compile_nodes(node.nodelist, template)

    def compile_if(self, node: Any, template: str) -> Iterator[Any]:
        branches: list[Nodes] = []
        for token, nodelist in node.conditions_nodelists:
            condition = True if token is None else self.compile_condition(token)
            if _is_known(condition) and not _get_literal_truth(condition):
                continue
            branches.append([condition, self.compile_nodes(nodelist, template)])
            if _is_known(condition):
                break
        if branches and _is_known(branches[0][0]):
            yield from branches[0][1]
        elif branches:
            yield ["if", *branches]

    def compile_for(self, node: Any, template: str) -> Iterator[Any]:
        self.check_names(*node.loopvars, "forloop")
        sequence = self.compile_expression(node.sequence)
        body, empty = (self.compile_nodes(nodes, template) for nodes in (node.nodelist_loop, node.nodelist_empty))
        yield ["for", list(node.loopvars), sequence, bool(node.is_reversed), body, empty]

    def compile_with(self, node: WithNode, template: str) -> Iterator[Any]:
        yield ["with", self.compile_values(node.extra_context), self.compile_nodes(node.nodelist, template)]

    def compile_include(self, node: IncludeNode, _: str) -> Iterator[Any]:
        name = node.template.var
        if isinstance(name, Variable) or node.template.filters:
            raise self.build_error("only what is included by its name is known before")
        values = self.compile_values(node.extra_context)
        self.add(str(name))
        yield ["include", str(name), values, bool(node.isolated_context)]

    def compile_firstof(self, node: FirstOfNode, _: str) -> Iterator[Any]:
        values = [self.compile_expression(each) for each in node.vars]
        yield from self.store_nodes(node.asvar, [["if", *([value, [["=", value]]] for value in values)]])

    def compile_csrf_token(self, _: CsrfTokenNode, __: str) -> Iterator[Any]:
        field = ['<input type="hidden" name="csrfmiddlewaretoken" value="', ["=", "csrf_token"], '">']
        yield ["if", [["and", "csrf_token", ["!=", "csrf_token", ["'", "NOTPROVIDED"]]], field]]

    def compile_url(self, node: URLNode, _: str) -> Iterator[Any]:
        if node.args or node.kwargs or isinstance(node.view_name.var, Variable):
            raise self.build_error("an address that depends on a value")
        yield from self.store_nodes(node.asvar, [URLNode(node.view_name, [], {}, None).render(Context())])

    def compile_translate(self, node: Any, _: str) -> Iterator[Any]:
        if node.filter_expression.filters or node.filter_expression.var.lookups is not None:
            raise self.build_error("only a sentence that stands here is translated before")
        text = TranslateNode(node.filter_expression, node.noop, None, node.message_context).render(Context())
        yield from self.store_nodes(node.asvar, [text])

    def compile_blocktranslate(self, node: Any, _: str) -> Iterator[Any]:
        values = self.compile_values(node.extra_context)
        singular, names = node.render_token_list(node.singular)
        context = None if node.message_context is None else node.message_context.resolve(Context())
        if node.counter is None:
            text = translation.pgettext(context, singular) if context else translation.gettext(singular)
            compiled = self.fill_text(text, names)
        else:
            self.check_names(node.countervar)
            plural, plural_names = node.render_token_list(node.plural)
            texts = self.list_plural_texts(context, singular, plural)
            forms = [self.fill_text(text, [*names, *plural_names]) for text in texts]
            compiled = [["count", node.countervar, self.compile_value(node.counter), forms]]
        yield from self.store_nodes(node.asvar, [["with", values, compiled]] if values else compiled)

    def list_plural_texts(self, context: str | None, singular: str, plural: str) -> list[str]:
        """Return the sentence for each of ``COUNTS``."""

        def get_text(count: int) -> str:
            if context:
                return translation.npgettext(context, singular, plural, count)
            return translation.ngettext(singular, plural, count)

        if any(get_text(count) != get_text(COUNTS[-1]) for count in LARGER_COUNTS):
            raise self.build_error(f"the language {self.language} has more than one plural")
        return [get_text(count) for count in COUNTS]

    def fill_text(self, text: str, names: Collection[str]) -> Nodes:
        """Split a translated sentence into texts and values."""
        if not all(map(str.isidentifier, names)):
            raise self.build_error("a sentence has values by their names only")
        nodes: Nodes = []
        end = 0
        for found in PLACEHOLDER.finditer(text):
            name, percent = found.groups()
            if percent is None and name not in names:
                raise self.build_error(f"the translation speaks of {name}, the sentence does not")
            nodes += [text[end : found.start()], percent or ["=", name]]
            end = found.end()
        return [node for node in [*nodes, text[end:]] if node != ""]

    def store_nodes(self, name: str | None, nodes: Nodes) -> Iterator[Any]:
        """Yield the nodes, or store them under a name."""
        if name is None:
            yield from nodes
        else:
            self.check_names(name)
            yield ["as", name, nodes]

    def compile_languages(self, node: GetAvailableLanguagesNode, _: str) -> Iterator[Any]:
        self.check_names(node.variable)
        languages = [[code, translation.gettext(name)] for code, name in settings.LANGUAGES]
        yield ["let", node.variable, ["literal", languages]]

    def compile_language_info(self, node: GetLanguageInfoNode, _: str) -> Iterator[Any]:
        self.check_names(node.variable)
        info_by_code = {code: translation.get_language_info(code) for code, _ in settings.LANGUAGES}
        self.tables["get_language_info"] = {
            code: {key: value if isinstance(value, bool) else str(value) for key, value in info.items()}
            for code, info in info_by_code.items()
        }
        yield ["let", node.variable, ["get_language_info", self.compile_value(node.lang_code)]]


TAGS: Mapping[type, Callable[[_Compiler, Any, str], Iterator[Any]]] = {
    TextNode: _Compiler.compile_text,
    VariableNode: _Compiler.compile_variable,
    CommentNode: _Compiler.skip_node,
    LoadNode: _Compiler.skip_node,
    LocalizeNode: _Compiler.compile_group,
    TimezoneNode: _Compiler.compile_group,
    DefinePartialNode: _Compiler.compile_partial,
    IfNode: _Compiler.compile_if,
    ForNode: _Compiler.compile_for,
    WithNode: _Compiler.compile_with,
    IncludeNode: _Compiler.compile_include,
    FirstOfNode: _Compiler.compile_firstof,
    CsrfTokenNode: _Compiler.compile_csrf_token,
    URLNode: _Compiler.compile_url,
    TranslateNode: _Compiler.compile_translate,
    BlockTranslateNode: _Compiler.compile_blocktranslate,
    GetAvailableLanguagesNode: _Compiler.compile_languages,
    GetLanguageInfoNode: _Compiler.compile_language_info,
}


def _get_nodelist(name: str) -> Any:
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


def _get_literal_text(value: Any) -> str:
    """Return the text of a text literal; "" for anything else."""
    return str(value[1]) if isinstance(value, list) and value[0] == "'" else ""


def _get_literal_truth(literal: Any) -> bool:
    return bool(literal[1] if isinstance(literal, list) else literal)


def _fold_operator(operator: str, first: Any, second: Any) -> Any:
    """Simplify ``and`` or ``or`` if an operand is a literal: it decides the result, or can be left out."""
    settles = operator == "or"
    for one, other in ((first, second), (second, first)):
        if _is_known(one):
            return settles if _get_literal_truth(one) is settles else other
    return [operator, first, second]
