"""Rounds of an event's file as rows, some at a time: drafts, tables, seats, matches."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from engine.draws.lineups import renumber_reasons
from jobs.models import LongWrite
from jobs.pieces import ROWS_PER_PIECE, Piece, split_into_portions
from rules import Side
from scoring.models import Match, TableCard
from scoring.services.imports import ImportedMatch, bring_in_matches
from tournaments.event_files.columns import DRAW_COLUMNS, ROUND_COLUMNS
from tournaments.event_files.renumbering import renumber_certificate, renumber_lineup
from tournaments.event_files.schema import PHONE_KEYS_PART, Content
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round, Seating, Table

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _PlacedMatch:
    """A match of a file, its place, and the keys of its lines, if they are known."""

    round_number: int
    table: int
    is_withdrawn: bool
    data: JsonObject
    entry_keys: tuple[UUID, ...]


class RoundImport:
    """Rounds of a file, to be written for the event of a long write. Its entries, people and table cards exist
    already."""

    def __init__(self, content: Content) -> None:
        self.rounds: list[JsonObject] = content["rounds"]
        self.withdrawn_matches: list[JsonObject] = content["set_aside"]
        logs = content.get(PHONE_KEYS_PART, {}).get("logs", ())
        self._keys = {(log["round"], log["table"], log["opened_at"]): log["keys"] for log in logs}

    @property
    def highest_table(self) -> int:
        """Highest number of a table with a match."""
        published = (table["number"] for round_data in self._published_rounds for table in round_data["tables"])
        return max((*published, *(aside["table"] for aside in self.withdrawn_matches)), default=0)

    def iter_pieces(self) -> Iterator[Piece]:
        """Yield the pieces that write all rounds, with their matches."""
        for round_data in self.rounds:
            yield partial(_write_round, round_data)
        placed_matches = sorted(self._iter_placed_matches(), key=lambda each: (each.round_number, each.table))
        for matches in split_into_portions(
            placed_matches, weight=lambda each: 4 + len(each.data["marks"]), max_weight=3 * ROWS_PER_PIECE
        ):
            yield partial(_write_matches, matches)
        for round_data in self._published_rounds:
            for tables in split_into_portions(
                round_data["tables"], weight=lambda table: 1 + len(table["a"] + table["b"])
            ):
                yield partial(_write_tables, round_data["number"], tables)
            for byes in split_into_portions(round_data["byes"]):
                yield partial(_write_byes, round_data["number"], byes)

    @property
    def _published_rounds(self) -> list[JsonObject]:
        return [round_data for round_data in self.rounds if round_data["state"] != RoundState.DRAFT]

    def _iter_placed_matches(self) -> Iterator[_PlacedMatch]:
        for round_data in self._published_rounds:
            for table in round_data["tables"]:
                if table["match"] is not None:
                    yield self._build_placed_match(
                        round_data["number"], table["number"], table["match"], is_withdrawn=False
                    )
        for withdrawn in self.withdrawn_matches:
            yield self._build_placed_match(
                withdrawn["round"], withdrawn["table"], withdrawn["match"], is_withdrawn=True
            )

    def _build_placed_match(
        self, round_number: int, table: int, data: JsonObject, *, is_withdrawn: bool
    ) -> _PlacedMatch:
        keys = self._keys.get((round_number, table, data["opened_at"]), ())
        return _PlacedMatch(
            round_number, table, is_withdrawn=is_withdrawn, data=data, entry_keys=tuple(map(UUID, keys))
        )


def _write_matches(placed_matches: Sequence[_PlacedMatch], long_write: LongWrite) -> None:
    event, people = Event.objects.select_related("terms").get(pk=long_write.state["event"]), long_write.state["listed"]
    cards = TableCard.objects.filter(
        topic=event.topic, number__in={placed_match.table for placed_match in placed_matches}
    )
    cards_by_number = {card.number: card for card in cards}
    imported_matches = [
        ImportedMatch(
            card=cards_by_number[placed_match.table],
            round_number=placed_match.round_number,
            players=[people[player - 1] for player in placed_match.data["players"]],
            data=placed_match.data,
            is_set_aside=placed_match.is_withdrawn,
            entry_keys=placed_match.entry_keys,
        )
        for placed_match in placed_matches
    ]
    bring_in_matches(terms=event.terms, imported_matches=imported_matches)


def _load_event(long_write: LongWrite) -> tuple[Event, dict[int, int]]:
    """Return the event of the long write, and its entries by number."""
    event = Event.objects.get(pk=long_write.state["event"])
    return event, dict(event.entries.values_list("number", "pk"))


def _write_round(round_data: JsonObject, long_write: LongWrite) -> None:
    event, entries = _load_event(long_write)
    draw, clock = round_data["draw"], round_data.get("clock", {})
    has_inputs = draw["drawn_from"] is not None
    Round.objects.create(
        event=event,
        **ROUND_COLUMNS.read(round_data),
        **DRAW_COLUMNS.read(draw),
        order=[entries[number] for number in draw["order"] if not has_inputs or number in entries],
        certificate=renumber_certificate(draw["certificate"], entries),
        draft=renumber_lineup(round_data, entries) if round_data["state"] == RoundState.DRAFT else None,
        clock_minutes=clock.get("minutes"),
        added_minutes=clock.get("added", 0),
    )


def _write_tables(number: int, table_data: Sequence[JsonObject], long_write: LongWrite) -> None:
    event, entries = _load_event(long_write)
    row, matches = event.rounds.get(number=number), _get_matches(event, number, table_data)
    tables = Table.objects.bulk_create(
        Table(
            round=row,
            number=table["number"],
            slot=table["slot"],
            reasons=renumber_reasons(table["reasons"], entries),
            ruling=table["ruling"],
            match=matches[table["number"]] if table["match"] is not None else None,
        )
        for table in table_data
    )
    Seating.objects.bulk_create(
        Seating(round=row, table=table, side=side.value, place=place, entry_id=entries[entry])
        for table, data in zip(tables, table_data, strict=True)
        for side, side_entries in zip(Side, (data["a"], data["b"]), strict=True)
        for place, entry in enumerate(side_entries)
    )


def _get_matches(event: Event, number: int, tables: Sequence[JsonObject]) -> dict[int, Match]:
    """Return the matches that count, by table."""
    numbers = [table["number"] for table in tables]
    matches = Match.objects.filter(terms=event.terms_id, round_number=number, withdrawn_at=None)
    return {match.card.number: match for match in matches.filter(card__number__in=numbers).select_related("card")}


def _write_byes(number: int, byes: Sequence[JsonObject], long_write: LongWrite) -> None:
    event, entries = _load_event(long_write)
    row = event.rounds.get(number=number)
    Seating.objects.bulk_create(
        Seating(
            round=row,
            entry_id=entries[bye["entry"]],
            slot=bye["slot"],
            reasons=renumber_reasons(bye["reasons"], entries),
        )
        for bye in byes
    )
