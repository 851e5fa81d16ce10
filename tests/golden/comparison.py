"""Comparison of two folders: equal, different, missing and additional files."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

TIMES = "times.txt"
"""Durations, which are printed and never compared."""

SPACES = re.compile(rb"\s+")
SPACE_BEFORE_TAG_END = re.compile(rb" (?=/?>)")
BLOCK = re.compile(
    rb" ?(</?(?!(?:a|abbr|b|bdi|button|cite|code|data|em|i|img|input|kbd|label|mark|output|q|s|select|small"
    rb"|span|strong|sub|sup|svg|textarea|time|u|use|var|wbr)\b)[a-z!][^>]*>) ?",
    re.IGNORECASE,
)
"""The tag of any element that is not inline."""

Normalizer = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Names of the compared files, relative to both folders."""

    same: tuple[str, ...]
    different: tuple[str, ...]
    missing: tuple[str, ...]
    more: tuple[str, ...]

    @property
    def is_equal(self) -> bool:
        return not (self.different or self.missing or self.more)


def remove_whitespace(content: bytes) -> bytes:
    """Return HTML as a browser shows it: no whitespace beside block tags, single spaces elsewhere.

    Other content is returned unchanged.
    """
    if b"\nContent-Type: text/html" not in content:
        return content
    content = SPACE_BEFORE_TAG_END.sub(b"", SPACES.sub(b" ", content))
    return BLOCK.sub(rb"\1", content)


def return_content(content: bytes) -> bytes:
    return content


def compare(here: Path, there: Path, reading: Normalizer = return_content) -> Comparison:
    """Compare ``here`` with the output of an earlier run; files that only ``there`` has are missing."""
    now, before = list_names(here), list_names(there)
    both = sorted(now & before)
    equal = {name for name in both if is_equal(here / name, there / name, reading)}
    return Comparison(
        same=tuple(name for name in both if name in equal),
        different=tuple(name for name in both if name not in equal),
        missing=tuple(sorted(before - now)),
        more=tuple(sorted(now - before)),
    )


def list_names(folder: Path) -> set[str]:
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    return files - {TIMES} - {name for name in files if name.endswith(".zip")}


def is_equal(one: Path, other: Path, reading: Normalizer) -> bool:
    first, second = one.read_bytes(), other.read_bytes()
    return first == second or reading(first) == reading(second)


def format_comparison(found: Comparison, here: Path, there: Path, *, most: int) -> Iterator[str]:
    """Yield the first differences line by line, then the number of files of each kind."""
    for name in found.different[:most]:
        yield from diff_file(name, here, there)
    for title, names in (("missing", found.missing), ("more", found.more)):
        yield from (f"{title}: {name}" for name in names[:most])
    counts = {title: len(getattr(found, title)) for title in ("same", "different", "missing", "more")}
    yield ", ".join(f"{count} {title}" for title, count in counts.items())


def diff_file(name: str, here: Path, there: Path) -> Iterator[str]:
    before, now = (_read_lines(folder / name) for folder in (there, here))
    yield from difflib.unified_diff(before, now, f"before/{name}", f"now/{name}", n=1, lineterm="")


def _read_lines(path: Path) -> list[str]:
    return path.read_bytes().decode(errors="replace").split("\n")
