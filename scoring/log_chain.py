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
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import Any, NamedTuple

DAMAGE_PREFIX = "?"
"""Prefix of the seal of a log that was found damaged: nothing renews it until the log is repaired."""
ECHO = "echo"
STATUSES = ("current", "superseded", ECHO, "rival")
DIGEST_LENGTH = 24


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


def get_initial_digest(match: int) -> str:
    """Return what the first mark of a match goes on from."""
    return str(match)


def compute_next_digest(previous: str, mark: ChainedMark) -> str:
    """Return the digest of a mark that follows the one with the digest ``previous``."""
    return _compute_digest([previous, *mark.content])


def compute_seal(marks: Sequence[ChainedMark], result: ChainedResult) -> str:
    """Return the seal of a log with all its digests."""
    return f"{len(marks)}.{compute_status_digest(marks)}.{_compute_digest(result)}"


def compute_status_digest(marks: Iterable[ChainedMark]) -> str:
    return _compute_digest([[mark.digest, mark.status] for mark in marks])


def is_status_intact(seal: str, marks: Sequence[ChainedMark]) -> bool:
    """Return whether the marks have the statuses with which they were sealed. Echoes may have come since."""
    count, statuses, _ = _split_seal(seal)
    sealed_marks, newer_marks = marks[:count], marks[count:]
    is_complete = len(sealed_marks) == count and all(mark.status == ECHO for mark in newer_marks)
    return is_complete and compute_status_digest(sealed_marks) == statuses


def is_result_intact(seal: str, result: ChainedResult) -> bool:
    """Return whether the result is the one that was sealed."""
    return _split_seal(seal)[2] == _compute_digest(result)


def find_damaged_hands(match: int, seal: str, marks: Sequence[ChainedMark], result: ChainedResult) -> list[int]:
    """List the numbers of the hands that are not as they were written, 0 for the result. A log of an older
    version has no seal, and is not checked; nor is one to which an older program has written."""
    if not seal or not all(mark.digest for mark in marks[_split_seal(seal)[0] :]):
        return []
    numbers = find_broken_links(match, marks)
    if not numbers and not is_status_intact(seal, marks):
        numbers = [next((repaired.number for repaired in _find_changed_status(seal, marks)), 0)]
    return numbers if numbers or is_result_intact(seal, result) else [0]


def find_broken_links(match: int, marks: Sequence[ChainedMark]) -> list[int]:
    """List the numbers of the hands whose digest does not follow from the mark and the digest before it. A
    damaged digest that the next one does not go on from is of one hand."""
    numbers, previous = dict[int, None](), get_initial_digest(match)
    for mark, following in zip_longest(marks, marks[1:]):
        digest = compute_next_digest(previous, mark)
        previous = mark.digest
        if digest != mark.digest:
            numbers[mark.number] = None
            if following is not None and compute_next_digest(digest, following) == following.digest:
                previous = digest
    return list(numbers)


def _find_changed_status(seal: str, marks: Sequence[ChainedMark]) -> Iterator[ChainedMark]:
    """Yield the mark that has lost its status, with the right one, if only one has."""
    for place, mark in enumerate(marks):
        for status in STATUSES:
            candidate = replace(mark, status=status)
            if is_status_intact(seal, [*marks[:place], candidate, *marks[place + 1 :]]):
                yield candidate


def repair_marks(
    match: int, seal: str, marks: Sequence[ChainedMark], copies: Sequence[ChainedMark]
) -> list[ChainedMark]:
    """Return the log as it was written, from what is left of it and from copies of its marks, as far as the
    digests prove it. What they do not prove stays as it is."""
    repaired: list[ChainedMark] = []
    previous = get_initial_digest(match)
    for place, mark in enumerate(marks):
        if compute_next_digest(previous, mark) != mark.digest:
            repaired += _find_lost_marks(previous, mark, copies)
            previous = repaired[-1].digest if repaired else previous
        repaired.append(_find_proven_mark(previous, mark, marks[place + 1 : place + 2], copies, repaired, seal) or mark)
        previous = repaired[-1].digest
    if len(repaired) < int(_split_seal(seal)[0]):
        repaired += _find_lost_marks(previous, None, copies)
    is_complete = is_status_intact(seal, repaired)
    corrected = None if is_complete else next(_find_changed_status(seal, repaired), None)
    return [corrected if corrected is not None and each.key == corrected.key else each for each in repaired]


def _find_lost_marks(previous: str, next_mark: ChainedMark | None, copies: Sequence[ChainedMark]) -> list[ChainedMark]:
    """Return the marks of the copies that come next, if they lead to the mark ``next_mark``, or to the end."""
    lost: list[ChainedMark] = []
    while next_mark is None or compute_next_digest(previous, next_mark) != next_mark.digest:
        successors = [each for each in copies if each.digest and compute_next_digest(previous, each) == each.digest]
        if not successors:
            return lost if next_mark is None else []
        lost.append(successors[0])
        previous = successors[0].digest
    return lost


def _find_proven_mark(
    previous: str,
    mark: ChainedMark,
    next_marks: Sequence[ChainedMark],
    copies: Sequence[ChainedMark],
    repaired: Sequence[ChainedMark],
    seal: str,
) -> ChainedMark | None:
    """Return the mark that was in this place: what the stored digest belongs to, or, if the digest is damaged
    itself, what the next digest or the seal goes on from. None if nothing proves it."""
    candidates = [mark, *(replace(copy, status=mark.status) for copy in copies)]
    for candidate in candidates:
        digest = compute_next_digest(previous, candidate)
        fresh = replace(candidate, digest=digest)
        is_next_valid = bool(next_marks) and compute_next_digest(digest, next_marks[0]) == next_marks[0].digest
        is_last = not next_marks and is_status_intact(seal, [*repaired, fresh])
        if digest == mark.digest or is_next_valid or is_last:
            return fresh
    return None


Execute = Callable[[str], Iterable[Sequence[Any]]]
"""Runs a query on either database."""

_RESULTS_QUERY = """
    SELECT m.id, m.round_number, c.number, m.log_digest, m.card_id, m.terms_id, m.first_dealer, m.summary,
        m.is_over, m.has_rivals
    FROM scoring_match m LEFT JOIN scoring_tablecard c ON c.id = m.card_id WHERE {where} ORDER BY m.id"""
_MARKS_QUERY = """
    SELECT match_id, id, number, entry_key, record_data, supersedes_id, saw_only, waited, reason, device,
        account_id, written_by, created_at, status, digest
    FROM scoring_mark WHERE {where} ORDER BY match_id, id"""


def find_damage(execute: Execute, matches: Collection[int] | None = None) -> Iterator[Damage]:
    """Yield the damage of these matches, or of all, among it marks of no match. Two queries, which have to
    see the same moment."""
    condition = "TRUE" if matches is None else "{column} IN (%s)" % (", ".join(map(str, matches)) or "NULL")
    logs = iter_logs(execute(_MARKS_QUERY.format(where=condition.format(column="match_id"))))
    next_log = next(logs, None)
    for match, number, table, seal, card, terms, dealer, summary, is_over, has_rivals in execute(
        _RESULTS_QUERY.format(where=condition.format(column="m.id"))
    ):
        while next_log is not None and next_log[0] < match:
            yield Damage(next_log[0], 0, 0, next_log[1][0].number)
            next_log = next(logs, None)
        log: list[ChainedMark] = []
        if next_log is not None and next_log[0] == match:
            log, next_log = next_log[1], next(logs, None)
        result = ChainedResult(card, terms, number, dealer, _parse_json(summary), bool(is_over), bool(has_rivals))
        for hand in find_damaged_hands(match, str(seal).removeprefix(DAMAGE_PREFIX), log, result):
            yield Damage(match, number, table or 0, hand)
    while next_log is not None:
        yield Damage(next_log[0], 0, 0, next_log[1][0].number)
        next_log = next(logs, None)


def iter_logs(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[int, list[ChainedMark]]]:
    """Yield each match with its marks, from their rows in order."""
    for match, lines in groupby(rows, key=itemgetter(0)):
        log, keys = [], {}
        for _, pk, number, key, record, supersedes, saw_only, *texts, at, status, digest in lines:
            keys[pk] = getattr(key, "hex", key)
            superseded_key = None if supersedes is None else keys.get(supersedes, "?")
            values: Any = [number, keys[pk], _parse_json(record), superseded_key, bool(saw_only), *texts]
            values += [format_utc(at), status, digest]
            log.append(ChainedMark(*values))
        yield match, log


def format_utc(moment: datetime | str) -> str:
    """Return a time as SQLite stores it."""
    return moment if isinstance(moment, str) else str(moment.astimezone(UTC).replace(tzinfo=None))


def _parse_json(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return None


def _split_seal(seal: str) -> tuple[int, str, str]:
    """Return the parts of a seal; of one that is damaged itself, what belongs to no log."""
    count, _, digests = seal.partition(".")
    statuses, _, result = digests.partition(".")
    return (int(count) if count.isdecimal() else -1), statuses, result


def _compute_digest(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]
