"""Comparison of two folders, file by file and byte by byte."""

from pathlib import Path

import pytest

from tests.golden.comparison import compare, format_comparison, remove_whitespace, return_content
from tests.golden.folder import get_file_name

HTML = b"/c\n200\nContent-Type: text/html; charset=utf-8\n\n"


def write_folder(place: Path, **files: bytes) -> Path:
    place.mkdir()
    for name, content in files.items():
        (place / name).write_bytes(content)
    return place


def test_comparison_finds_same_different_missing_and_additional_files(tmp_path: Path) -> None:
    before = write_folder(tmp_path / "before", kept=b"a", changed=b"a", gone=b"a")
    now = write_folder(tmp_path / "now", kept=b"a", changed=b"a\n", come=b"a")
    found = compare(now, before)
    assert (found.same, found.different) == (("kept",), ("changed",))
    assert (found.missing, found.more) == (("gone",), ("come",))
    assert not found.is_equal
    assert compare(now, now).is_equal


def test_any_difference_makes_folders_unequal(tmp_path: Path) -> None:
    one = write_folder(tmp_path / "one", a=b"a")
    assert not compare(one, write_folder(tmp_path / "other", a=b"b")).is_equal
    assert not compare(one, write_folder(tmp_path / "more", a=b"a", b=b"b")).is_equal
    assert not compare(write_folder(tmp_path / "less"), one).is_equal


def test_difference_is_printed_line_by_line(tmp_path: Path) -> None:
    before = write_folder(tmp_path / "before", page=b"same\nold\n")
    now = write_folder(tmp_path / "now", page=b"same\nnew\n")
    lines = list(format_comparison(compare(now, before), now, before, most=1))
    assert {"-old", "+new"} <= set(lines)
    assert lines[-1] == "0 same, 1 different, 0 missing, 0 more"


def test_durations_are_not_compared(tmp_path: Path) -> None:
    before = write_folder(tmp_path / "before", **{"times.txt": b"1 ms"})
    now = write_folder(tmp_path / "now", **{"times.txt": b"2 ms"})
    assert compare(now, before).is_equal


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"<ul>\n  <li>One</li>\n</ul>", b"<ul><li>One</li></ul>"),
        (b"<p>\n  One  word\n</p>", b"<p>One word</p>"),
        (b'<a\n  href="/"\n>One</a>', b'<a href="/">One</a>'),
    ],
)
def test_insignificant_whitespace_can_be_ignored(tmp_path: Path, one: bytes, other: bytes) -> None:
    before, now = (
        write_folder(tmp_path / "before", page=HTML + one),
        write_folder(tmp_path / "now", page=HTML + other),
    )
    assert not compare(now, before, return_content).is_equal
    assert compare(now, before, remove_whitespace).is_equal


def test_space_between_words_is_always_a_difference(tmp_path: Path) -> None:
    before = write_folder(tmp_path / "before", page=HTML + b"<p>One <b>word</b></p>")
    now = write_folder(tmp_path / "now", page=HTML + b"<p>One<b>word</b></p>")
    assert not compare(now, before, remove_whitespace).is_equal


def test_whitespace_counts_outside_html(tmp_path: Path) -> None:
    before = write_folder(tmp_path / "before", table=b"Content-Type: text/csv\n\na  b")
    now = write_folder(tmp_path / "now", table=b"Content-Type: text/csv\n\na b")
    assert not compare(now, before, remove_whitespace).is_equal


def test_file_names_are_derived_from_addresses() -> None:
    assert get_file_name("/e/abcd/desk?only=owing") == "e+abcd+desk+only=owing"
    assert get_file_name("/") == "home"
    assert get_file_name("/" + "a" * 200) != get_file_name("/" + "a" * 201)
