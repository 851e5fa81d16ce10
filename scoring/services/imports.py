"""Import of matches played elsewhere, with their logs as they were written there."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction

from rules import Side
from scoring.log_chain import digest_after, first_digest
from scoring.log_values import MarkStatus
from scoring.models import Agreement, Dispute, Mark, Match, Player, TableCard, Terms

from .chains import chained_mark, seal

AT_ONCE = 2_000
"""Number of rows written with one query."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedMatch:
    """A match in an event file (``plain``, docs/api/event-files.md), with the ids of its players and its card
    here.

    ``is_set_aside`` if it counts nowhere. ``entry_keys``: those of its lines, if the file has them.
    """

    card: TableCard
    round_number: int
    players: Sequence[int]
    plain: Mapping[str, Any]
    is_set_aside: bool = False
    entry_keys: Sequence[UUID] = ()


@transaction.atomic
def bring_in_matches(*, terms: Terms, brought: Sequence[ImportedMatch]) -> list[Match]:
    """Import matches; return them in the same order, with every line of their logs as written.

    The logs were verified before (``event_files.verify``). A line keeps the key by which phones know it, if
    the file has it and no line here does; else it gets a new one.
    """
    matches = [_match(terms, each) for each in brought]
    Match.objects.bulk_create(matches, batch_size=AT_ONCE)
    both = list(zip(matches, brought, strict=True))
    Player.objects.bulk_create(
        (
            Player(match=match, seat=seat, person_id=person)
            for match, each in both
            for seat, person in enumerate(each.players)
        ),
        batch_size=AT_ONCE,
    )
    _write_marks(both)
    Agreement.objects.bulk_create(
        (_agreement(match, said) for match, each in both for said in each.plain["agreements"]),
        batch_size=AT_ONCE,
    )
    Dispute.objects.bulk_create(
        (_call(match, call) for match, each in both for call in each.plain["calls"]), batch_size=AT_ONCE
    )
    return matches


def _match(terms: Terms, each: ImportedMatch) -> Match:
    plain, marks = each.plain, [mark for mark in each.plain["marks"] if mark["status"] != MarkStatus.ECHO]
    last = _moment(marks[-1]["at"]) if marks else None
    closed_at, opened_at = _moment_if_any(plain["closed_at"]), _moment(plain["opened_at"])
    return Match(
        card=each.card,
        terms=terms,
        own_terms=plain.get("own_terms"),
        round_number=each.round_number,
        first_dealer=plain["first_dealer"],
        opened_at=opened_at,
        closed_at=closed_at,
        withdrawn_at=(closed_at or last or opened_at) if each.is_set_aside else None,
        last_marked_at=last,
        revision=1,
        summary=plain["summary"],
        is_over=plain["is_over"],
        has_rivals=plain["has_rivals"],
    )


def _write_marks(both: Sequence[tuple[Match, ImportedMatch]]) -> None:
    """Write all logs, then the references between their lines, once all lines have ids, and the seals."""
    said = [key for _, each in both for key in each.entry_keys]
    taken = set(Mark.objects.filter(entry_key__in=said).values_list("entry_key", flat=True))
    logs = [_log(match, each, taken) for match, each in both]
    Mark.objects.bulk_create((mark for log in logs for mark in log), batch_size=AT_ONCE)
    corrections = []
    for log, (match, each) in zip(logs, both, strict=True):
        for mark, line in zip(log, each.plain["marks"], strict=True):
            if line["supersedes"] is not None:
                mark.supersedes = log[line["supersedes"] - 1]
                corrections.append(mark)
        match.written_marks = log
        seal(match)
    Mark.objects.bulk_update(corrections, ["supersedes"], batch_size=AT_ONCE)
    Match.objects.bulk_update([match for match, _ in both], ["log_digest"], batch_size=AT_ONCE)


def _log(match: Match, each: ImportedMatch, taken: Collection[UUID]) -> list[Mark]:
    lines = each.plain["marks"]
    keys = each.entry_keys or [uuid4() for _ in lines]
    log = [
        _mark(match, line, uuid4() if key in taken else key) for line, key in zip(lines, keys, strict=True)
    ]
    known = {place: mark.entry_key.hex for place, mark in enumerate(log, start=1)}
    last = first_digest(match.pk)
    for mark, line in zip(log, lines, strict=True):
        mark.supersedes_id = line["supersedes"]  # its place, until all lines have ids
        last = mark.digest = digest_after(last, chained_mark(mark, known))
        mark.supersedes_id = None
    return log


def _mark(match: Match, line: Mapping[str, Any], entry_key: UUID) -> Mark:
    return Mark(
        match=match,
        number=line["place"],
        entry_key=entry_key,
        record_data=line["record"],
        status=line["status"],
        saw_only=line.get("saw_only", False),
        waited=line.get("waited", 0),
        reason=line["reason"],
        device=line["device"],
        written_by=line["by"],
        created_at=_moment(line["at"]),
    )


def _agreement(match: Match, said: Mapping[str, Any]) -> Agreement:
    return Agreement(
        match=match,
        game=said["game"],
        side=Side[said["side"]].value,
        agreed_to=said["agreed_to"],
        device=said["device"],
        waited=said.get("waited", 0),
        created_at=_moment(said["at"]),
    )


def _call(match: Match, call: Mapping[str, Any]) -> Dispute:
    return Dispute(
        match=match,
        note=call["note"],
        device=call["device"],
        created_at=_moment(call["at"]),
        settled_at=_moment_if_any(call["settled_at"]),
        settled_by_name=call["settled_by"],
        ruling=call["ruling"],
    )


def _moment(plain: str) -> datetime:
    return datetime.fromisoformat(plain)


def _moment_if_any(plain: str | None) -> datetime | None:
    return None if plain is None else _moment(plain)
