"""Two folders of golden runs are compared file by file, byte by byte."""

from pathlib import Path

import pytest

from tests.golden.comparing import as_it_is, compare, told, without_whitespace
from tests.golden.folder import named

HTML = b"/c\n200\nContent-Type: text/html; charset=utf-8\n\n"


def a_folder(place: Path, **files: bytes) -> Path:
    place.mkdir()
    for name, content in files.items():
        (place / name).write_bytes(content)
    return place


def test_a_file_is_the_same_or_different_or_missing_or_more(tmp_path: Path) -> None:
    before = a_folder(tmp_path / "before", kept=b"a", changed=b"a", gone=b"a")
    now = a_folder(tmp_path / "now", kept=b"a", changed=b"a\n", come=b"a")
    found = compare(now, before)
    assert (found.same, found.different) == (("kept",), ("changed",))
    assert (found.missing, found.more) == (("gone",), ("come",))
    assert not found.is_equal
    assert compare(now, now).is_equal


def test_each_way_to_differ_makes_two_folders_unequal(tmp_path: Path) -> None:
    one = a_folder(tmp_path / "one", a=b"a")
    assert not compare(one, a_folder(tmp_path / "other", a=b"b")).is_equal
    assert not compare(one, a_folder(tmp_path / "more", a=b"a", b=b"b")).is_equal
    assert not compare(a_folder(tmp_path / "less"), one).is_equal


def test_a_difference_is_told_line_by_line(tmp_path: Path) -> None:
    before = a_folder(tmp_path / "before", page=b"same\nold\n")
    now = a_folder(tmp_path / "now", page=b"same\nnew\n")
    lines = list(told(compare(now, before), now, before, most=1))
    assert {"-old", "+new"} <= set(lines)
    assert lines[-1] == "0 same, 1 different, 0 missing, 0 more"


def test_how_long_things_took_is_no_difference(tmp_path: Path) -> None:
    before = a_folder(tmp_path / "before", **{"times.txt": b"1 ms"})
    now = a_folder(tmp_path / "now", **{"times.txt": b"2 ms"})
    assert compare(now, before).is_equal


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"<ul>\n  <li>One</li>\n</ul>", b"<ul><li>One</li></ul>"),
        (b"<p>\n  One  word\n</p>", b"<p>One word</p>"),
        (b'<a\n  href="/"\n>One</a>', b'<a href="/">One</a>'),
    ],
)
def test_whitespace_that_nobody_sees_is_a_difference_unless_it_is_to_be_ignored(
    tmp_path: Path, one: bytes, other: bytes
) -> None:
    before, now = (
        a_folder(tmp_path / "before", page=HTML + one),
        a_folder(tmp_path / "now", page=HTML + other),
    )
    assert not compare(now, before, as_it_is).is_equal
    assert compare(now, before, without_whitespace).is_equal


def test_a_space_between_words_is_a_difference_always(tmp_path: Path) -> None:
    before = a_folder(tmp_path / "before", page=HTML + b"<p>One <b>word</b></p>")
    now = a_folder(tmp_path / "now", page=HTML + b"<p>One<b>word</b></p>")
    assert not compare(now, before, without_whitespace).is_equal


def test_of_what_is_no_html_no_whitespace_is_ignored(tmp_path: Path) -> None:
    before = a_folder(tmp_path / "before", table=b"Content-Type: text/csv\n\na  b")
    now = a_folder(tmp_path / "now", table=b"Content-Type: text/csv\n\na b")
    assert not compare(now, before, without_whitespace).is_equal


def test_names_of_files_are_told_apart_like_their_addresses() -> None:
    assert named("/e/abcd/desk?only=owing") == "e+abcd+desk+only=owing"
    assert named("/") == "home"
    assert named("/" + "a" * 200) != named("/" + "a" * 201)
