"""The digest chain that a match's log stores, to find damage of a disk. Standard library only: it is checked
before anything else is loaded.

Each mark has a digest of its content and of the digest before it. The match has a seal of how many marks
there are, of their statuses, and of its result. Nothing in it is secret, so it holds wherever a log is moved.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

DAMAGED = "?"
"""Prefix of the seal of a log that was found damaged: nothing renews it until the log is repaired."""
ECHO = "echo"
STATUSES = ("current", "superseded", ECHO, "rival")
LENGTH = 24


@dataclass(frozen=True, slots=True)
class ChainedMark:
    """A mark as its digest covers it. ``status`` changes later, so that the seal covers it; ``supersedes`` is
    the key of a mark; ``at`` is in UTC."""

    number: int
    key: str
    record: Any
    supersedes: str | None
    saw_only: bool
    waited: int
    reason: str
    device: str
    account: int | None
    written_by: str
    at: str
    status: str = ""
    digest: str = ""

    @property
    def content(self) -> list[Any]:
        """Values that never change."""
        return [getattr(self, name) for name in CONTENT]


CONTENT = tuple(each.name for each in fields(ChainedMark) if each.name not in ("status", "digest"))


class ChainedResult(NamedTuple):
    """The values of a match that its seal covers beside the log."""

    card: int
    terms: int
    round_number: int
    first_dealer: int | None
    summary: Any
    is_over: bool
    has_rivals: bool


@dataclass(frozen=True, slots=True)
class Damage:
    """Damage of a match: its round, its table, and the number of the hand; 0 if it is in the result."""

    match: int
    round: int
    table: int
    hand: int


def first_digest(match: int) -> str:
    """Return what the first mark of a match goes on from."""
    return str(match)


def digest_after(before: str, mark: ChainedMark) -> str:
    """Return the digest of a mark that follows the one with the digest ``before``."""
    return _digest([before, *mark.content])


def seal_of(marks: Sequence[ChainedMark], result: ChainedResult) -> str:
    """Return the seal of a log with all its digests."""
    return f"{len(marks)}.{statuses_digest(marks)}.{_digest(result)}"


def statuses_digest(marks: Iterable[ChainedMark]) -> str:
    return _digest([[mark.digest, mark.status] for mark in marks])


def has_statuses(seal: str, marks: Sequence[ChainedMark]) -> bool:
    """Return whether the marks have the statuses with which they were sealed. Echoes may have come since."""
    count, statuses, _ = _parts(seal)
    sealed, since = marks[:count], marks[count:]
    is_whole = len(sealed) == count and all(mark.status == ECHO for mark in since)
    return is_whole and statuses_digest(sealed) == statuses


def has_result(seal: str, result: ChainedResult) -> bool:
    """Return whether the result is the one that was sealed."""
    return _parts(seal)[2] == _digest(result)


def damaged_hands(match: int, seal: str, marks: Sequence[ChainedMark], result: ChainedResult) -> list[int]:
    """List the numbers of the hands that are not as they were written, 0 for the result. A log of an older
    version has no seal, and is not checked; nor is one to which an older program has written."""
    if not seal or not all(mark.digest for mark in marks[_parts(seal)[0] :]):
        return []
    found = broken_links(match, marks)
    if not found and not has_statuses(seal, marks):
        found = [next((fixed.number for fixed in _with_other_status(seal, marks)), 0)]
    return found if found or has_result(seal, result) else [0]


def broken_links(match: int, marks: Iterable[ChainedMark]) -> list[int]:
    """List the numbers of the hands whose digest does not follow from the mark and the digest before it."""
    found, before = [], first_digest(match)
    for mark in marks:
        if digest_after(before, mark) != mark.digest:
            found.append(mark.number)
        before = mark.digest
    return found


def _with_other_status(seal: str, marks: Sequence[ChainedMark]) -> Iterator[ChainedMark]:
    """Yield the mark that has lost its status, with the right one, if only one has."""
    for place, mark in enumerate(marks):
        for status in STATUSES:
            other = replace(mark, status=status)
            if has_statuses(seal, [*marks[:place], other, *marks[place + 1 :]]):
                yield other


def repair_marks(
    match: int, seal: str, marks: Sequence[ChainedMark], copies: Sequence[ChainedMark]
) -> list[ChainedMark]:
    """Return the log as it was written, from what is left of it and from copies of its marks, as far as the
    digests prove it. What they do not prove stays as it is."""
    found: list[ChainedMark] = []
    before = first_digest(match)
    for place, mark in enumerate(marks):
        if digest_after(before, mark) != mark.digest:
            found += _lost_marks(before, mark, copies)
            before = found[-1].digest if found else before
        found.append(_proven(before, mark, marks[place + 1 : place + 2], copies, found, seal) or mark)
        before = found[-1].digest
    if len(found) < int(_parts(seal)[0]):
        found += _lost_marks(before, None, copies)
    is_whole = has_statuses(seal, found)
    fixed = None if is_whole else next(_with_other_status(seal, found), None)
    return [fixed if fixed is not None and each.key == fixed.key else each for each in found]


def _lost_marks(before: str, until: ChainedMark | None, copies: Sequence[ChainedMark]) -> list[ChainedMark]:
    """Return the marks of the copies that come next, if they lead to the mark ``until``, or to the end."""
    found: list[ChainedMark] = []
    while until is None or digest_after(before, until) != until.digest:
        following = [each for each in copies if each.digest and digest_after(before, each) == each.digest]
        if not following:
            return found if until is None else []
        found.append(following[0])
        before = following[0].digest
    return found


def _proven(
    before: str,
    mark: ChainedMark,
    following: Sequence[ChainedMark],
    copies: Sequence[ChainedMark],
    found: Sequence[ChainedMark],
    seal: str,
) -> ChainedMark | None:
    """Return the mark that was in this place: what the stored digest belongs to, or, if the digest is damaged
    itself, what the next digest or the seal goes on from. None if nothing proves it."""
    ways = [mark, *(replace(copy, status=mark.status) for copy in copies)]
    for way in ways:
        digest = digest_after(before, way)
        fresh = replace(way, digest=digest)
        is_next_right = bool(following) and digest_after(digest, following[0]) == following[0].digest
        is_last = not following and has_statuses(seal, [*found, fresh])
        if digest == mark.digest or is_next_right or is_last:
            return fresh
    return None


Execute = Callable[[str], Iterable[Sequence[Any]]]
"""Runs a query on either database."""

_RESULTS = """
    SELECT m.id, m.round_number, c.number, m.log_digest, m.card_id, m.terms_id, m.first_dealer, m.summary,
        m.is_over, m.has_rivals
    FROM scoring_match m LEFT JOIN scoring_tablecard c ON c.id = m.card_id WHERE {where} ORDER BY m.id"""
_MARKS = """
    SELECT match_id, id, number, entry_key, record_data, supersedes_id, saw_only, waited, reason, device,
        account_id, written_by, created_at, status, digest
    FROM scoring_mark WHERE {where} ORDER BY match_id, id"""


def find_damage(execute: Execute, matches: Collection[int] | None = None) -> Iterator[Damage]:
    """Yield the damage of these matches, or of all, among it marks of no match. Two queries, which have to
    see the same moment."""
    chosen = "TRUE" if matches is None else "{column} IN (%s)" % (", ".join(map(str, matches)) or "NULL")
    logs = iter_logs(execute(_MARKS.format(where=chosen.format(column="match_id"))))
    following = next(logs, None)
    for match, number, table, seal, card, terms, dealer, summary, is_over, has_rivals in execute(
        _RESULTS.format(where=chosen.format(column="m.id"))
    ):
        while following is not None and following[0] < match:
            yield Damage(following[0], 0, 0, following[1][0].number)
            following = next(logs, None)
        log: list[ChainedMark] = []
        if following is not None and following[0] == match:
            log, following = following[1], next(logs, None)
        result = ChainedResult(card, terms, number, dealer, _plain(summary), bool(is_over), bool(has_rivals))
        for hand in damaged_hands(match, str(seal).removeprefix(DAMAGED), log, result):
            yield Damage(match, number, table or 0, hand)
    while following is not None:
        yield Damage(following[0], 0, 0, following[1][0].number)
        following = next(logs, None)


def iter_logs(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[int, list[ChainedMark]]]:
    """Yield each match with its marks, from their rows in order."""
    for match, lines in groupby(rows, key=itemgetter(0)):
        log, keys = [], {}
        for _, pk, number, key, record, supersedes, saw_only, *texts, at, status, digest in lines:
            keys[pk] = getattr(key, "hex", key)
            seen = None if supersedes is None else keys.get(supersedes, "?")
            said: Any = [number, keys[pk], _plain(record), seen, bool(saw_only), *texts]
            said += [in_utc(at), status, digest]
            log.append(ChainedMark(*said))
        yield match, log


def in_utc(at: datetime | str) -> str:
    """Return a time as SQLite stores it."""
    return at if isinstance(at, str) else str(at.astimezone(UTC).replace(tzinfo=None))


def _plain(stored: Any) -> Any:
    try:
        return json.loads(stored) if isinstance(stored, str) else stored
    except ValueError:
        return None


def _parts(seal: str) -> tuple[int, str, str]:
    """Return the parts of a seal; of one that is damaged itself, what belongs to no log."""
    count, _, digests = seal.partition(".")
    statuses, _, result = digests.partition(".")
    return (int(count) if count.isdecimal() else -1), statuses, result


def _digest(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:LENGTH]
