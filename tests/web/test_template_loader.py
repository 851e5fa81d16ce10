"""Pages go out without the indentation of their templates."""

from __future__ import annotations

from pathlib import Path

from django.template import Context, Engine


def engine(folder: Path) -> Engine:
    return Engine(dirs=[str(folder)], loaders=["web.template_loader.Loader"])


def test_of_a_page_the_indentation_goes_and_the_lines_stay(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<ul>\n  {% for one in all %}\n    <li>a  b</li>\n\t{% endfor %}\n</ul>\n"
    )
    drawn = engine(tmp_path).get_template("a.html").render(Context({"all": [1]}))
    assert drawn == "<ul>\n\n<li>a  b</li>\n\n</ul>\n"


def test_a_value_has_its_spaces(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("  <pre>{{ card }}</pre>")
    drawn = engine(tmp_path).get_template("a.html").render(Context({"card": "x\n    y"}))
    assert drawn == "  <pre>x\n    y</pre>"


def test_a_text_has_its_spaces(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\n  b")
    assert engine(tmp_path).get_template("a.txt").render(Context()) == "a\n  b"
