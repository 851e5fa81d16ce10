"""Static files as served: hashed names, compression and minification."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile

from server.static_files import StaticFilesStorage, minify_text

IMPORT_PATTERN = re.compile(r"""(?:from |import\()["'](\.{1,2}/[^"']+)["']""")


@pytest.mark.slow
def test_modules_import_each_other_by_hashed_names(tmp_path: Path) -> None:
    storage = StaticFilesStorage(location=tmp_path, base_url="/static/")
    for name, source in next(iter(finders.get_finders())).list(None):
        if name.startswith(("js/", "vendor/")) and name.endswith(".js"):
            with source.open(name) as content:
                storage.save(name, content)
    names = [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.js")]
    dict.fromkeys(storage.post_process({name: (storage, name) for name in names}))
    served = {storage.url(name).removeprefix("/static/") for name in names}
    import_paths = {
        str((tmp_path / name).parent.joinpath(import_paths).resolve().relative_to(tmp_path.resolve()))
        for name in served
        for import_paths in IMPORT_PATTERN.findall((tmp_path / name).read_text(encoding="utf-8"))
    }
    assert import_paths
    assert import_paths <= served


def test_only_hashed_static_files_are_compressed(tmp_path: Path) -> None:
    storage = StaticFilesStorage(location=tmp_path, base_url="/static/")
    storage.save("a.css", ContentFile(b".a { color: red }\n" * 100))
    dict.fromkeys(storage.post_process({"a.css": (storage, "a.css")}))
    served = storage.url("a.css").removeprefix("/static/")
    assert (tmp_path / f"{served}.gz").exists()
    assert not (tmp_path / "a.css.gz").exists()


@pytest.mark.parametrize(
    ("name", "written", "served"),
    [
        (
            "a.js",
            "/** Says it.\n * @returns {string} */\nsay(); // aloud\n\n  // and again\n  say();\n",
            "say();\nsay();",
        ),
        ("a.js", "let a = 1\n  let b = a\n", "let a = 1\nlet b = a"),
        (
            "a.js",
            'open("http://here/"); ask(/^\\/static\\//);\n',
            'open("http://here/"); ask(/^\\/static\\//);',
        ),
        ("a.css", "/* Wide. */\n.a {\n  color: red;\n}\n", ".a {\ncolor: red;\n}"),
    ],
)
def test_static_text_files_are_minified(name: str, written: str, served: str) -> None:
    assert minify_text(name, written) == served


def test_third_party_scripts_are_served_unminified(
    tmp_path: Path,
) -> None:
    finder = next(iter(finders.get_finders()))
    sources = dict(finder.list(None))
    for name, is_ours in (("vendor/idiomorph-ext.min.js", False), ("js/clock.js", True)):
        with sources[name].open(name) as sent:
            found = Path(str(finders.find(name))).read_bytes()
            assert (sent.read() != found) == is_ours
