"""Import of matches played elsewhere, with their logs as they were written there."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction

from rules import Side
from scoring.file_columns import AGREEMENT_COLUMNS, CALL_COLUMNS, MARK_COLUMNS, MATCH_COLUMNS, moment_from_json
from scoring.log_chain import compute_next_digest, get_initial_digest
from scoring.log_values import MarkStatus
from scoring.models import Agreement, Dispute, Mark, Match, Player, TableCard, Terms

from .chains import build_chained_mark, seal_match

BATCH_SIZE = 2_000
"""Number of rows written with one query."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedMatch:
    """A match in an event file (``data``, docs/api/event-files.md), with the ids of its players and its card
    here.

    ``is_set_aside`` if it counts nowhere. ``entry_keys``: those of its lines, if the file has them.
    """

    card: TableCard
    round_number: int
    players: Sequence[int]
    data: Mapping[str, Any]
    is_set_aside: bool = False
    entry_keys: Sequence[UUID] = ()


@transaction.atomic
def bring_in_matches(*, terms: Terms, imported_matches: Sequence[ImportedMatch]) -> list[Match]:
    """Import matches; return them in the same order, with every line of their logs as written.

    The logs were verified before (``event_files.verify``). A line keeps the key by which phones know it, if
    the file has it and no line here does; else it gets a new one.
    """
    matches = [_build_match(terms, imported_match) for imported_match in imported_matches]
    Match.objects.bulk_create(matches, batch_size=BATCH_SIZE)
    pairs = list(zip(matches, imported_matches, strict=True))
    Player.objects.bulk_create(
        (
            Player(match=match, seat=seat, person_id=person)
            for match, imported_match in pairs
            for seat, person in enumerate(imported_match.players)
        ),
        batch_size=BATCH_SIZE,
    )
    _write_marks(pairs)
    Agreement.objects.bulk_create(
        (
            Agreement(match=match, side=Side[agreement["side"]].value, **AGREEMENT_COLUMNS.read(agreement))
            for match, imported_match in pairs
            for agreement in imported_match.data["agreements"]
        ),
        batch_size=BATCH_SIZE,
    )
    Dispute.objects.bulk_create(
        (
            Dispute(match=match, settled_by_name=call["settled_by"], **CALL_COLUMNS.read(call))
            for match, imported_match in pairs
            for call in imported_match.data["calls"]
        ),
        batch_size=BATCH_SIZE,
    )
    return matches


def _build_match(terms: Terms, imported_match: ImportedMatch) -> Match:
    data, marks = (
        imported_match.data,
        [mark for mark in imported_match.data["marks"] if mark["status"] != MarkStatus.ECHO],
    )
    last_marked_at = moment_from_json(marks[-1]["at"]) if marks else None
    columns = MATCH_COLUMNS.read(data)
    ended_at = columns["closed_at"] or last_marked_at or columns["opened_at"]
    return Match(
        card=imported_match.card,
        terms=terms,
        round_number=imported_match.round_number,
        withdrawn_at=ended_at if imported_match.is_set_aside else None,
        last_marked_at=last_marked_at,
        revision=1,
        **columns,
    )


def _write_marks(pairs: Sequence[tuple[Match, ImportedMatch]]) -> None:
    """Write all logs, then the references between their lines, once all lines have ids, and the seals."""
    keys = [key for _, imported_match in pairs for key in imported_match.entry_keys]
    taken_keys = set(Mark.objects.filter(entry_key__in=keys).values_list("entry_key", flat=True))
    logs = [_build_log(match, imported_match, taken_keys) for match, imported_match in pairs]
    Mark.objects.bulk_create((mark for log in logs for mark in log), batch_size=BATCH_SIZE)
    corrections = []
    for log, (match, imported_match) in zip(logs, pairs, strict=True):
        for mark, line in zip(log, imported_match.data["marks"], strict=True):
            if line["supersedes"] is not None:
                mark.supersedes = log[line["supersedes"] - 1]
                corrections.append(mark)
        match.written_marks = log
        seal_match(match)
    Mark.objects.bulk_update(corrections, ["supersedes"], batch_size=BATCH_SIZE)
    Match.objects.bulk_update([match for match, _ in pairs], ["log_digest"], batch_size=BATCH_SIZE)


def _build_log(match: Match, imported_match: ImportedMatch, taken_keys: Collection[UUID]) -> list[Mark]:
    lines = imported_match.data["marks"]
    keys = imported_match.entry_keys or [uuid4() for _ in lines]
    log = [
        _build_mark(match, line, uuid4() if key in taken_keys else key) for line, key in zip(lines, keys, strict=True)
    ]
    keys_by_place = {place: mark.entry_key.hex for place, mark in enumerate(log, start=1)}
    last_digest = get_initial_digest(match.pk)
    for mark, line in zip(log, lines, strict=True):
        mark.supersedes_id = line["supersedes"]  # its place, until all lines have ids
        last_digest = mark.digest = compute_next_digest(last_digest, build_chained_mark(mark, keys_by_place))
        mark.supersedes_id = None
    return log


def _build_mark(match: Match, line: Mapping[str, Any], entry_key: UUID) -> Mark:
    return Mark(match=match, entry_key=entry_key, written_by=line["by"], **MARK_COLUMNS.read(line))
