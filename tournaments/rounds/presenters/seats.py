"""People of a round by name, with their tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from clubs.models import Person
from clubs.wording import numbered_name
from engine.draws.lineups import reasons_to_json
from tournaments.entries.queries.entries import entries_in
from tournaments.events.presenters.names import Named
from tournaments.lifecycle import RoundState
from tournaments.models import Round
from tournaments.rounds.byes import ByeKind, bye_kind
from tournaments.rounds.queries.rounds import played_tables
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.queries.sitting_out import players_then
from web.names import fold_name, surname, tell_apart


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """A person with the number of the table, or the bye. ``partner`` is set if another person has this name,
    and the ``number`` of the entry if that is not enough, or there is no partner."""

    name: str
    table: int | None = None
    bye: ByeKind | None = None
    partner: str = ""
    number: int | None = None

    @property
    def label(self) -> str:
        """Name as shown: ``Jean R.``; ``Jean R. / Marcel D.`` for namesakes, ``Jean R. / Marcel D. (no. 7)``
        if that is not enough."""
        named = f"{self.name} / {self.partner}" if self.partner else self.name
        return named if self.number is None else numbered_name(named, self.number)


def seat_rows(drawn: Round, named: Named) -> list[SeatRow]:
    """Return the people in a round by surname, as far as it is shown. Namesakes are told apart by their
    partners, who are public anyway, or else by a number, never by more of a name than was agreed to. Two
    queries for a draft, five for others, at most two more with byes."""
    lineup = lineup_of(drawn)
    entries = entries_in(lineup)
    played = {} if drawn.state == RoundState.DRAFT else played_tables(drawn)
    numbers = {person.pk: entry.number for entry in entries.values() for person in entry.players}
    rows: list[SeatRow] = []
    for table in lineup.tables:
        match = played[table.number].match if table.number in played else None
        sides = [
            [person for entry in partners for person in entries[entry].players]
            for partners in (table.a, table.b)
        ]
        if match is not None:
            people = [player.person for player in match.players.all()]
            sides = [people[0::2], people[1::2]]
        for side in sides:
            rows += _rows_of_seats(side, named, numbers, table=table.number)
    sat_out = players_then([(drawn, entries[bye.entry]) for bye in lineup.byes])
    for bye in lineup.byes:
        kind = bye_kind(reasons_to_json(bye.reasons))
        rows += _rows_of_seats(sat_out[drawn.pk, bye.entry], named, numbers, bye=kind)
    return sorted(_told_apart(rows), key=_by_surname)


def _by_surname(row: SeatRow) -> tuple[str, str, str, int]:
    return fold_name(surname(row.name)), fold_name(row.name), fold_name(row.partner), row.number or 0


def _told_apart(rows: Sequence[SeatRow]) -> list[SeatRow]:
    """Reduce each label to the shortest form that is unique."""
    forms = [
        (replace(row, partner="", number=None), replace(row, number=None) if row.partner else row, row)
        for row in rows
    ]
    shown = tell_apart({place: [form.label for form in those] for place, those in enumerate(forms)})
    return [next(form for form in those if form.label == shown[place]) for place, those in enumerate(forms)]


def _rows_of_seats(
    side: Sequence[Person],
    named: Named,
    numbers: Mapping[int, int],
    *,
    table: int | None = None,
    bye: ByeKind | None = None,
) -> list[SeatRow]:
    """Return the people of one side, each with the other; ``numbers`` are those of their entries."""
    names = [named(person) for person in side]
    partners = names[::-1] if len(names) == 2 else [""] * len(names)
    return [
        SeatRow(name=name, table=table, bye=bye, partner=partner, number=numbers.get(person.pk))
        for person, name, partner in zip(side, names, partners, strict=True)
    ]
