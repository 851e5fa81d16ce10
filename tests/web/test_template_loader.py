"""HTML is sent without the indentation of its templates."""

from __future__ import annotations

from pathlib import Path

from django.template import Context, Engine


def build_engine(folder: Path) -> Engine:
    return Engine(dirs=[str(folder)], loaders=["web.template_loader.Loader"])


def test_html_template_loses_indentation_but_not_lines(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<ul>\n  {% for one in all %}\n    <li>a  b</li>\n\t{% endfor %}\n</ul>\n")
    drawn = build_engine(tmp_path).get_template("a.html").render(Context({"all": [1]}))
    assert drawn == "<ul>\n\n<li>a  b</li>\n\n</ul>\n"


def test_inserted_value_preserves_its_spaces(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("  <pre>{{ card }}</pre>")
    drawn = build_engine(tmp_path).get_template("a.html").render(Context({"card": "x\n    y"}))
    assert drawn == "  <pre>x\n    y</pre>"


def test_text_template_preserves_its_spaces(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\n  b")
    assert build_engine(tmp_path).get_template("a.txt").render(Context()) == "a\n  b"
