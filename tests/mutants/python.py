"""Mutants of Python code: one imitated human mistake each, with the rest of the text unchanged."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from tests.mutants.mutant import Mutant

OPPOSITES: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: (r"<", "<="),
    ast.LtE: (r"<=", "<"),
    ast.Gt: (r">", ">="),
    ast.GtE: (r">=", ">"),
    ast.Eq: (r"==", "!="),
    ast.NotEq: (r"!=", "=="),
    ast.Is: (r"\bis\b", "is not"),
    ast.IsNot: (r"\bis\s+not\b", "is"),
    ast.In: (r"\bin\b", "not in"),
    ast.NotIn: (r"\bnot\s+in\b", "in"),
}
OPERATOR_SWAPS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: (r"\+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: (r"\*", "+"),
}
QUERYSET_METHODS = frozenset(
    {
        "filter",
        "exclude",
        "select_for_update",
        "order_by",
        "distinct",
        "strip",
        "casefold",
        "lower",
        "reverse",
    }
)
OTHERS = {"min": "max", "max": "min", "any": "all", "all": "any", "first": "last", "last": "first"}
CACHE_DECORATORS = frozenset({"dataclass", "cache", "lru_cache", "cached_property"})
"""Decorators that are not mutated: without a cache, only time and memory change."""
MARKER_DECORATORS = frozenset(
    {"overload", "override", "final", "abstractmethod", "property", "staticmethod", "classmethod"}
)
LOG_NAMES = frozenset({"log", "logger", "logging"})
COLUMN_OPTIONS = frozenset({"max_length", "db_index", "max_digits", "decimal_places"})
"""Options that are not mutated: a change needs a migration, which another check requires."""

Place = ast.expr | ast.stmt | ast.keyword


def list_module_mutants(path: str, text: str) -> list[Mutant]:
    finder = _Finder(path, text)
    finder.visit(ast.parse(text))
    return finder.found


class _Finder(ast.NodeVisitor):
    def __init__(self, path: str, text: str) -> None:
        self.path, self.text = path, text
        self.found: list[Mutant] = []
        self._lines = text.splitlines(keepends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))
        self._statements: list[ast.stmt] = []
        self._functions = 0

    # Positions

    def _get_offset(self, line: int, column: int) -> int:
        return self._starts[line - 1] + len(self._lines[line - 1].encode()[:column].decode())

    def _start(self, node: Place) -> int:
        return self._get_offset(node.lineno, node.col_offset)

    def _end(self, node: Place) -> int:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._get_offset(node.end_lineno, node.end_col_offset)

    def _get_source(self, node: Place) -> str:
        return self.text[self._start(node) : self._end(node)]

    # Recording

    def _make(self, start: int, end: int, new: str, what: str, line: int) -> None:
        also: tuple[int, ...] = ()
        names: tuple[str, ...] = ()
        if self._statements:
            statement = self._statements[-1]
            also = (statement.lineno, *_get_inner_lines(statement))
            names = () if self._functions else tuple(_iter_bound_names(self._statements))
        made = Mutant(
            path=self.path, line=line, start=start, end=end, new=new, description=what, other_lines=also, names=names
        )
        self.found.append(made)

    def _replace(self, node: Place, new: str, what: str = "") -> None:
        was = self._get_source(node)
        what = what or f"{_shorten(was)} → {_shorten(new)}"
        self._make(self._start(node), self._end(node), new, what, node.lineno)

    def _replace_operator(self, left: Place, right: Place, pattern: str, new: str) -> None:
        """Replace the operator between two operands."""
        start, end = self._end(left), self._start(right)
        if found := re.search(pattern, self.text[start:end]):
            line = 1 + self.text.count("\n", 0, start + found.start())
            what = f"{found[0]} → {new} in {_shorten(self.text[self._start(left) : self._end(right)])}"
            self._make(start + found.start(), start + found.end(), new, what, line)

    # Statements

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.stmt):
            self._statements.append(node)
            super().visit(node)
            self._statements.pop()
        else:
            super().visit(node)

    def visit_Import(self, node: ast.Import) -> None: ...

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None: ...

    def visit_Assert(self, node: ast.Assert) -> None:
        """Skip assertions, which state facts for the type checker."""

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Skip f-strings: before Python 3.12 the AST has no reliable positions of their parts."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._drop_decorators(node)
        for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(default)
        self._functions += 1
        self._visit_body(node.body)
        self._functions -= 1

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._drop_decorators(node)
        self._visit_body(node.body)

    def _drop_decorators(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        for decorator in node.decorator_list:
            if not set(re.findall(r"\w+", self._get_source(decorator))) & (CACHE_DECORATORS | MARKER_DECORATORS):
                start = self._starts[decorator.lineno - 1]
                end = self._starts[decorator.end_lineno or decorator.lineno]
                what = f"without @{_shorten(self._get_source(decorator))}"
                self._make(start, end, "", what, decorator.lineno)

    def _visit_body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.visit(statement)

    def visit_If(self, node: ast.If) -> None:
        if "TYPE_CHECKING" in self._get_source(node.test) or "__name__" in self._get_source(node.test):
            return
        self._fix_condition(node.test)
        self._drop_early_exit(node.body)
        self._drop_early_exit(node.orelse)
        self.generic_visit(node)

    def _fix_condition(self, test: ast.expr) -> None:
        for word, adverb in (("True", "always"), ("False", "never")):
            self._replace(test, word, f"{adverb} if {_shorten(self._get_source(test))}")

    def _drop_early_exit(self, statements: list[ast.stmt]) -> None:
        """Replace the early exits of a branch with ``pass``, so that execution continues."""
        for statement in statements:
            if isinstance(statement, ast.Return | ast.Raise | ast.Continue | ast.Break):
                self._statements.append(statement)
                self._replace(statement, "pass", f"goes on instead of {_shorten(self._get_source(statement))}")
                self._statements.pop()

    def visit_Return(self, node: ast.Return) -> None:
        if node.value and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self._replace(node, "return None")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return
        is_call = isinstance(node.value, ast.Call | ast.Await)
        if is_call and self._get_source(node).split(".")[0] not in LOG_NAMES:
            self._replace(node, "pass", f"without {_shorten(self._get_source(node))}")
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        if self._functions and all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets):
            self._replace(node, "pass", f"without {_shorten(self._get_source(node))}")
        if "__all__" not in self._get_source(node.targets[0]):
            self.visit(node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if sign := OPERATOR_SWAPS.get(type(node.op)):
            self._replace_operator(node.target, node.value, *sign)
        self.visit(node.value)

    def visit_With(self, node: ast.With) -> None:
        for item in node.items:
            if item.optional_vars is None:
                nothing = "__import__('contextlib').nullcontext()"
                self._replace(item.context_expr, nothing, f"without {_shorten(self._get_source(item.context_expr))}")
        self.generic_visit(node)

    # Expressions

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = pairwise([node.left, *node.comparators])
        for (left, right), operator in zip(sides, node.ops, strict=True):
            self._replace_operator(left, right, *OPPOSITES[type(operator)])
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in pairwise(node.values):
            self._replace_operator(left, right, rf"\b{word}\b", other)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self._replace(node, self._get_source(node.operand))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        are_texts = any(
            isinstance(side, ast.JoinedStr | ast.List | ast.Tuple) or _is_text(side) for side in (node.left, node.right)
        )
        if not are_texts and (sign := OPERATOR_SWAPS.get(type(node.op))):
            self._replace_operator(node.left, node.right, *sign)
        if not isinstance(node.op, ast.BitOr | ast.Mod):
            self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._fix_condition(node.test)
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._replace(node, str(not node.value))
        elif isinstance(node.value, int):
            self._replace(node, str(node.value + 1))
            if node.value:
                self._replace(node, str(node.value - 1))

    def visit_Call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Attribute(value=value, attr=attribute) if attribute in QUERYSET_METHODS:
                dropped = self.text[self._end(value) : self._end(node)]
                line = node.func.end_lineno or node.lineno
                self._make(self._end(value), self._end(node), "", f"without {_shorten(dropped)}", line)
            case ast.Name(id=name) if name in OTHERS:
                self._replace(node.func, OTHERS[name], f"{OTHERS[name]} for {_shorten(self._get_source(node))}")
            case _:
                pass
        for one, other in pairwise(node.args):
            self._swap(one, other)
        self.generic_visit(node)

    def _swap(self, one: ast.expr, other: ast.expr) -> None:
        first, second = self._get_source(one), self._get_source(other)
        if first != second and not isinstance(one, ast.Starred) and not isinstance(other, ast.Starred):
            between = self.text[self._end(one) : self._start(other)]
            what = f"{_shorten(first)} and {_shorten(second)} swapped"
            self._make(self._start(one), self._end(other), second + between + first, what, one.lineno)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg not in COLUMN_OPTIONS:
            self.visit(node.value)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for test in node.ifs:
            self._replace(test, "True", f"always if {_shorten(self._get_source(test))}")
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        if not isinstance(node.slice, ast.Tuple | ast.BinOp):
            self.visit(node.slice)

    def visit_Dict(self, node: ast.Dict) -> None:
        before = None
        for key, value in zip(node.keys, node.values, strict=True):
            if key is not None and before is not None:
                what = f"without {_shorten(self.text[self._start(key) : self._end(value)])}"
                self._make(self._end(before), self._end(value), "", what, key.lineno)
            before = value
        self.generic_visit(node)

    def _drop_elements(self, node: ast.List | ast.Set | ast.Tuple) -> None:
        is_stored = isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)
        for element, following in pairwise(node.elts if not is_stored and len(node.elts) > 2 else []):
            what = f"without {_shorten(self._get_source(element))}"
            self._make(self._start(element), self._start(following), "", what, element.lineno)
        self.generic_visit(node)

    def visit_List(self, node: ast.List) -> None:
        self._drop_elements(node)

    def visit_Set(self, node: ast.Set) -> None:
        self._drop_elements(node)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        self._drop_elements(node)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _get_inner_lines(statement: ast.stmt) -> range:
    """Return the lines in the body of a definition; an empty range for any other statement."""
    if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return range(0)
    return range(statement.body[0].lineno, (statement.end_lineno or statement.lineno) + 1)


def _iter_bound_names(statements: list[ast.stmt]) -> Iterator[str]:
    """Yield the names that these nested statements bind or register, from the innermost outwards."""
    for statement in reversed(statements):
        match statement:
            case ast.Assign(targets=targets):
                yield from (each.id for each in targets if isinstance(each, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield name
            case ast.Expr(value=ast.Call(args=[*_, ast.Name(id=name) | ast.Attribute(attr=name)])):
                yield name  # a registration
            case _:
                pass


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:57] + "…"
