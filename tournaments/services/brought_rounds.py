"""Rounds of an event's file as rows: drafts, tables, who sits where, and what was played there."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from clubs.models import Person
from rules import Side
from scoring.models import Match, TableCard
from scoring.services import Brought, bring_in_matches
from tournaments.draws.lineups import renumbered
from tournaments.event_files import Content
from tournaments.lifecycle import RoundState
from tournaments.models import Event, Round, Seating, Table

Plain = Mapping[str, Any]

AT_ONCE = 2_000


class RoundsOfFile:
    """The rounds of a file, to be written for an event of which the ``entries``, by number, and the
    ``people`` of the file are there already."""

    def __init__(
        self, event: Event, content: Content, entries: Mapping[int, int], people: Sequence[Person]
    ) -> None:
        self.event, self.entries, self.people = event, entries, people
        self.rounds: list[Plain] = content["rounds"]
        self.set_aside: list[Plain] = content["set_aside"]

    @property
    def highest_table(self) -> int:
        """The highest table at which anybody has a match."""
        published = (table["number"] for drawn in self._published for table in drawn["tables"])
        return max((*published, *(aside["table"] for aside in self.set_aside)), default=0)

    @property
    def _published(self) -> list[Plain]:
        return [drawn for drawn in self.rounds if drawn["state"] != RoundState.DRAFT]

    def write(self) -> None:
        """All of them, with their matches; the cards of the tables are there already."""
        rows = Round.objects.bulk_create(self._round(drawn) for drawn in self.rounds)
        drawn_by_number = {row.number: row for row in rows}
        matches = self._bring_in_matches()
        for drawn in self._published:
            self._write_tables(drawn_by_number[drawn["number"]], drawn, matches)

    def _round(self, drawn: Plain) -> Round:
        draw = drawn["draw"]
        known = draw["drawn_from"]
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
            closed_at=_moment(drawn["closed_at"]),
        )

    def _certificate(self, plain: Plain) -> dict[str, Any]:
        def key(number: int | None) -> int | None:
            return None if number is None else self.entries[number]

        return {
            "units": plain["units"],
            "prices": [[key(number), price] for number, price in plain["prices"]],
            "blossoms": [
                [sorted(map(key, held), key=lambda entry: (entry is None, entry or 0)), rebate]
                for held, rebate in plain["blossoms"]
            ],
        }

    def _draft(self, drawn: Plain) -> dict[str, Any]:
        return {
            "tables": [
                {
                    "number": table["number"],
                    "slot": table["slot"],
                    "a": [self.entries[number] for number in table["a"]],
                    "b": [self.entries[number] for number in table["b"]],
                    "reasons": renumbered(table["reasons"], self.entries),
                }
                for table in drawn["tables"]
            ],
            "byes": [
                {
                    "entry": self.entries[bye["entry"]],
                    "slot": bye["slot"],
                    "reasons": renumbered(bye["reasons"], self.entries),
                }
                for bye in drawn["byes"]
            ],
        }

    def _bring_in_matches(self) -> dict[tuple[int, int], Match]:
        """The matches that count, by round and table, in the order in which a file has them all."""
        cards = {card.number: card for card in TableCard.objects.filter(topic=self.event.topic)}
        placed = sorted(self._placed(), key=lambda place: place[:2])
        brought = [
            Brought(
                card=cards[table],
                round_number=number,
                players=[self.people[player - 1] for player in plain["players"]],
                plain=plain,
                is_set_aside=is_set_aside,
            )
            for number, table, is_set_aside, plain in placed
        ]
        matches = bring_in_matches(terms=self.event.terms, brought=brought)
        return {
            (number, table): match
            for match, (number, table, is_set_aside, _) in zip(matches, placed, strict=True)
            if not is_set_aside
        }

    def _placed(self) -> Iterator[tuple[int, int, bool, Plain]]:
        """Each match with its round, its table, and whether it was set aside."""
        for drawn in self._published:
            for table in drawn["tables"]:
                if table["match"] is not None:
                    yield drawn["number"], table["number"], False, table["match"]
        for aside in self.set_aside:
            yield aside["round"], aside["table"], True, aside["match"]

    def _write_tables(self, row: Round, drawn: Plain, matches: Mapping[tuple[int, int], Match]) -> None:
        tables = Table.objects.bulk_create(
            Table(
                round=row,
                number=table["number"],
                slot=table["slot"],
                reasons=renumbered(table["reasons"], self.entries),
                ruling=table["ruling"],
                match=matches.get((row.number, table["number"])),
            )
            for table in drawn["tables"]
        )
        seatings = [
            Seating(round=row, table=table, side=side.value, place=place, entry_id=self.entries[number])
            for table, plain in zip(tables, drawn["tables"], strict=True)
            for side, numbers in zip(Side, (plain["a"], plain["b"]), strict=True)
            for place, number in enumerate(numbers)
        ]
        seatings += [
            Seating(
                round=row,
                entry_id=self.entries[bye["entry"]],
                slot=bye["slot"],
                reasons=renumbered(bye["reasons"], self.entries),
            )
            for bye in drawn["byes"]
        ]
        Seating.objects.bulk_create(seatings, batch_size=AT_ONCE)


def _moment(plain: str | None) -> datetime | None:
    return None if plain is None else datetime.fromisoformat(plain)
