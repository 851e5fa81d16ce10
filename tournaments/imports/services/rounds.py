"""Rounds of an event's file as rows, some at a time: drafts, tables, seats, matches."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from engine.draws.lineups import renumber_reasons
from jobs.models import Course
from jobs.pieces import ROWS, Piece, in_portions
from rules import Side
from scoring.models import Match, TableCard
from scoring.services import ImportedMatch, bring_in_matches
from tournaments.event_files import PHONES_KNOW, Content
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round, Seating, Table

Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Placed:
    """A match of a file, its place, and the keys of its lines, if they are known."""

    round_number: int
    table: int
    is_set_aside: bool
    plain: Plain
    entry_keys: tuple[UUID, ...]


class RoundsOfFile:
    """Rounds of a file, to be written for the event of a course. Its entries, people and table cards exist
    already."""

    def __init__(self, content: Content) -> None:
        self.rounds: list[Plain] = content["rounds"]
        self.set_aside: list[Plain] = content["set_aside"]
        logs = content.get(PHONES_KNOW, {}).get("logs", ())
        self._keys = {(log["round"], log["table"], log["opened_at"]): log["keys"] for log in logs}

    @property
    def highest_table(self) -> int:
        """Highest number of a table with a match."""
        published = (table["number"] for drawn in self._published_rounds for table in drawn["tables"])
        return max((*published, *(aside["table"] for aside in self.set_aside)), default=0)

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces that write all rounds, with their matches."""
        for drawn in self.rounds:
            yield partial(_write_round, drawn)
        placed = sorted(self._placed_tables(), key=lambda each: (each.round_number, each.table))
        for matches in in_portions(placed, weight=lambda each: 4 + len(each.plain["marks"]), most=3 * ROWS):
            yield partial(_write_matches, matches)
        for drawn in self._published_rounds:
            for tables in in_portions(drawn["tables"], weight=lambda table: 1 + len(table["a"] + table["b"])):
                yield partial(_write_tables, drawn["number"], tables)
            for byes in in_portions(drawn["byes"]):
                yield partial(_write_byes, drawn["number"], byes)

    @property
    def _published_rounds(self) -> list[Plain]:
        return [drawn for drawn in self.rounds if drawn["state"] != RoundState.DRAFT]

    def _placed_tables(self) -> Iterator[_Placed]:
        for drawn in self._published_rounds:
            for table in drawn["tables"]:
                if table["match"] is not None:
                    yield self._at(drawn["number"], table["number"], table["match"], is_set_aside=False)
        for aside in self.set_aside:
            yield self._at(aside["round"], aside["table"], aside["match"], is_set_aside=True)

    def _at(self, round_number: int, table: int, plain: Plain, *, is_set_aside: bool) -> _Placed:
        keys = self._keys.get((round_number, table, plain["opened_at"]), ())
        return _Placed(
            round_number, table, is_set_aside=is_set_aside, plain=plain, entry_keys=tuple(map(UUID, keys))
        )


def _write_matches(placed: Sequence[_Placed], course: Course) -> None:
    event, people = Event.objects.select_related("terms").get(pk=course.kept["event"]), course.kept["listed"]
    cards = TableCard.objects.filter(topic=event.topic, number__in={each.table for each in placed})
    card_of = {card.number: card for card in cards}
    brought = [
        ImportedMatch(
            card=card_of[each.table],
            round_number=each.round_number,
            players=[people[player - 1] for player in each.plain["players"]],
            plain=each.plain,
            is_set_aside=each.is_set_aside,
            entry_keys=each.entry_keys,
        )
        for each in placed
    ]
    bring_in_matches(terms=event.terms, brought=brought)


def _write_round(drawn: Plain, course: Course) -> None:
    _RoundOfFile(course).write(drawn)


def _write_tables(number: int, tables: Sequence[Plain], course: Course) -> None:
    _RoundOfFile(course).write_tables(number, tables)


def _write_byes(number: int, byes: Sequence[Plain], course: Course) -> None:
    _RoundOfFile(course).write_byes(number, byes)


class _RoundOfFile:
    """Writer of a round of the event, with its ``entries`` by number."""

    def __init__(self, course: Course) -> None:
        self.event = Event.objects.get(pk=course.kept["event"])
        self.entries = dict(self.event.entries.values_list("number", "pk"))

    def write(self, drawn: Plain) -> None:
        self._round(drawn).save(force_insert=True)

    def _round(self, drawn: Plain) -> Round:
        draw = drawn["draw"]
        known = draw["drawn_from"]
        clock = drawn.get("clock", {})
        return Round(
            event=self.event,
            number=drawn["number"],
            state=drawn["state"],
            draw_format=draw["format"],
            settings=draw["settings"],
            seed=draw["seed"],
            order=[
                self.entries[number] for number in draw["order"] if known is None or number in self.entries
            ],
            drawn_from=known,
            price=draw["price"],
            certificate=None if draw["certificate"] is None else self._certificate(draw["certificate"]),
            draft=self._draft(drawn) if drawn["state"] == RoundState.DRAFT else None,
            held=draw["held"],
            published_at=_moment(drawn["published_at"]),
            started_at=_moment(drawn["started_at"]),
            clock_minutes=clock.get("minutes"),
            added_minutes=clock.get("added", 0),
            closed_at=_moment(drawn["closed_at"]),
        )

    def _certificate(self, plain: Plain) -> dict[str, Any]:
        def key(number: int | None) -> int | None:
            return None if number is None else self.entries[number]

        told = {
            "units": plain["units"],
            "prices": [[key(number), price] for number, price in plain["prices"]],
            "blossoms": [
                [sorted(map(key, held), key=lambda entry: (entry is None, entry or 0)), rebate]
                for held, rebate in plain["blossoms"]
            ],
        }
        sections = [self._certificate(section) for section in plain.get("sections", ())]
        return told | {"sections": sections} if sections else told

    def _draft(self, drawn: Plain) -> dict[str, Any]:
        return {
            "tables": [
                {
                    "number": table["number"],
                    "slot": table["slot"],
                    "a": [self.entries[number] for number in table["a"]],
                    "b": [self.entries[number] for number in table["b"]],
                    "reasons": renumber_reasons(table["reasons"], self.entries),
                }
                for table in drawn["tables"]
            ],
            "byes": [
                {
                    "entry": self.entries[bye["entry"]],
                    "slot": bye["slot"],
                    "reasons": renumber_reasons(bye["reasons"], self.entries),
                }
                for bye in drawn["byes"]
            ],
        }

    def write_tables(self, number: int, plain_tables: Sequence[Plain]) -> None:
        row, matches = self.event.rounds.get(number=number), self._matches(number, plain_tables)
        tables = Table.objects.bulk_create(
            Table(
                round=row,
                number=table["number"],
                slot=table["slot"],
                reasons=renumber_reasons(table["reasons"], self.entries),
                ruling=table["ruling"],
                match=matches[table["number"]] if table["match"] is not None else None,
            )
            for table in plain_tables
        )
        Seating.objects.bulk_create(
            Seating(round=row, table=table, side=side.value, place=place, entry_id=self.entries[entry])
            for table, plain in zip(tables, plain_tables, strict=True)
            for side, entries in zip(Side, (plain["a"], plain["b"]), strict=True)
            for place, entry in enumerate(entries)
        )

    def _matches(self, number: int, tables: Sequence[Plain]) -> dict[int, Match]:
        """Return the matches that count, by table."""
        numbers = [table["number"] for table in tables]
        played = Match.objects.filter(terms=self.event.terms_id, round_number=number, withdrawn_at=None)
        return {
            match.card.number: match
            for match in played.filter(card__number__in=numbers).select_related("card")
        }

    def write_byes(self, number: int, byes: Sequence[Plain]) -> None:
        row = self.event.rounds.get(number=number)
        Seating.objects.bulk_create(
            Seating(
                round=row,
                entry_id=self.entries[bye["entry"]],
                slot=bye["slot"],
                reasons=renumber_reasons(bye["reasons"], self.entries),
            )
            for bye in byes
        )


def _moment(plain: str | None) -> datetime | None:
    return None if plain is None else datetime.fromisoformat(plain)
