"""People of a round by name, with their tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from clubs.models import Person
from clubs.name_formats import add_number
from engine.draws.lineups import reasons_to_json
from tournaments.entries.queries.entries import get_lineup_entries
from tournaments.events.presenters.names import PersonFormatter
from tournaments.lifecycle import RoundState
from tournaments.models import Round
from tournaments.rounds.byes import ByeKind, classify_bye
from tournaments.rounds.queries.bye_players import map_players_at_close
from tournaments.rounds.queries.rounds import lineup_of, map_played_tables
from web.names import disambiguate_names, fold_name, get_surname


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
        full_label = f"{self.name} / {self.partner}" if self.partner else self.name
        return full_label if self.number is None else add_number(full_label, self.number)


def list_seat_rows(round_row: Round, format_person: PersonFormatter) -> list[SeatRow]:
    """Return the people in a round by surname, as far as it is shown. Namesakes are told apart by their
    partners, who are public anyway, or else by a number, never by more of a name than was agreed to. Two
    queries for a draft, five for others, at most two more with byes."""
    lineup = lineup_of(round_row)
    entries = get_lineup_entries(lineup)
    tables_by_number = {} if round_row.state == RoundState.DRAFT else map_played_tables(round_row)
    numbers = {person.pk: entry.number for entry in entries.values() for person in entry.players}
    rows: list[SeatRow] = []
    for table in lineup.tables:
        match = tables_by_number[table.number].match if table.number in tables_by_number else None
        sides = [[person for entry in partners for person in entries[entry].players] for partners in (table.a, table.b)]
        if match is not None:
            people = [player.person for player in match.players.all()]
            sides = [people[0::2], people[1::2]]
        for side in sides:
            rows += _build_seat_rows(side, format_person, numbers, table=table.number)
    bye_players = map_players_at_close([(round_row, entries[bye.entry]) for bye in lineup.byes])
    for bye in lineup.byes:
        kind = classify_bye(reasons_to_json(bye.reasons))
        rows += _build_seat_rows(bye_players[round_row.pk, bye.entry], format_person, numbers, bye=kind)
    return sorted(_shorten_labels(rows), key=_get_sort_key)


def _get_sort_key(row: SeatRow) -> tuple[str, str, str, int]:
    return fold_name(get_surname(row.name)), fold_name(row.name), fold_name(row.partner), row.number or 0


def _shorten_labels(rows: Sequence[SeatRow]) -> list[SeatRow]:
    """Reduce each label to the shortest form that is unique."""
    forms = [
        (replace(row, partner="", number=None), replace(row, number=None) if row.partner else row, row) for row in rows
    ]
    labels = disambiguate_names({place: [form.label for form in row_forms] for place, row_forms in enumerate(forms)})
    return [next(form for form in row_forms if form.label == labels[place]) for place, row_forms in enumerate(forms)]


def _build_seat_rows(
    side: Sequence[Person],
    format_person: PersonFormatter,
    numbers: Mapping[int, int],
    *,
    table: int | None = None,
    bye: ByeKind | None = None,
) -> list[SeatRow]:
    """Return the people of one side, each with the other; ``numbers`` are those of their entries."""
    names = [format_person(person) for person in side]
    partners = names[::-1] if len(names) == 2 else [""] * len(names)
    return [
        SeatRow(name=name, table=table, bye=bye, partner=partner, number=numbers.get(person.pk))
        for person, name, partner in zip(side, names, partners, strict=True)
    ]
