"""Count the lines of product code by package: `python3 -m tools.code_lines`.

Blank lines, comments, docstrings, migrations, tests and the programs beside the product do not count.
"""

import ast
import io
import tokenize
from collections import Counter

from operations.data_dir import PROJECT

EXCLUDED_PACKAGES = ("tests", "bench", "tools", "simulate", "client", "installers", "deploy")
SILENT = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}


def count_code_lines(source: str) -> int:
    """Return how many lines of a module have code."""
    code_line_numbers: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in SILENT:
            code_line_numbers.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            code_line_numbers.difference_update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(code_line_numbers)


def count_lines_by_package() -> Counter[str]:
    """Return the lines of each package of the product, and of the modules beside them."""
    count: Counter[str] = Counter()
    for path in PROJECT.rglob("*.py"):
        package, *rest = path.relative_to(PROJECT).parts
        if package not in EXCLUDED_PACKAGES and "migrations" not in rest and not package.startswith("."):
            count[package] += count_code_lines(path.read_text(encoding="utf-8"))
    return count


def main() -> None:
    count = count_lines_by_package()
    for package, lines in count.most_common():
        print(f"{lines:7,} {package}")
    print(f"{count.total():7,} in all")


if __name__ == "__main__":
    main()
