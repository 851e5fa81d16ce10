"""A file being read: one sentence for whatever is wrong with it, and where."""

import json
from pathlib import Path
from typing import Any, NoReturn

from rules import Refusal

from .form import FORMS, MARK, VERSION, Content
from .writing import canonical

MOST_BYTES = 256 * 1024 * 1024
"""A tournament of four thousand has a quarter of it."""


def read_event_path(path: Path) -> Content:
    """The event in the file of this path.

    Refuses: no_such_file, event_file_too_large, and what ``read_event_file`` refuses.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise Refusal("event_file_too_large", field="file", most=MOST_BYTES // 1024**2)
        content = path.read_bytes()
    except OSError:
        raise Refusal("no_such_file", path=str(path)) from None
    return read_event_file(content)


def read_event_file(content: bytes) -> Content:
    """The event of a file, of the form that this program writes or one that it wrote once
    (``in_newest_form``); whether it is true, ``verify`` tells.

    Refuses: not_an_event_file, event_file_broken (with the line), event_file_version,
    event_file_part_missing, part_unknown, part_twice, part_wrong, part_not_whole.
    """
    try:
        text = content.decode("utf-8-sig")
        plain = json.loads(
            text, object_pairs_hook=_without_repeats, parse_float=_refused, parse_constant=_refused
        )
    except json.JSONDecodeError as error:
        if not content.lstrip().startswith(b"{"):
            raise Refusal("not_an_event_file", field="file") from None
        raise Refusal("event_file_broken", field="file", line=error.lineno) from None
    except (ValueError, RecursionError):
        raise Refusal("not_an_event_file", field="file") from None
    if not isinstance(plain, dict) or type(plain.get(MARK)) is not int:
        raise Refusal("not_an_event_file", field="file")
    form = FORMS.get(plain[MARK])
    if form is None:
        raise Refusal("event_file_version", field="file", version=plain[MARK], known=VERSION)
    form.check(plain, ())
    try:
        canonical(plain)
    except UnicodeEncodeError:  # half a letter, which JSON can say and nobody can write
        raise Refusal("not_an_event_file", field="file") from None
    return plain


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, in which nothing is said twice."""
    plain = dict(pairs)
    if len(plain) < len(pairs):
        said = [name for name, _ in pairs]
        twice = next(name for name in said if said.count(name) > 1)
        raise Refusal("part_twice", field="file", part=twice[:80])
    return plain


def _refused(text: str) -> NoReturn:
    raise Refusal("part_not_whole", field="file", value=text[:60])
