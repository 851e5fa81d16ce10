"""From a line-up to rows: tables and seatings of published rounds, and the matches that belong to them.

A draft is one value. Publishing makes rows of it, which the database holds to its constraints, and opens a
match at each table; unpublishing makes a value of the rows, and sets aside what was marked.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from clubs.models import Person
from rules import Refusal, Side
from scoring.models import Match, TableCard
from scoring.services import (
    Seats,
    close_cards,
    close_matches,
    issue_cards,
    lead_cards,
    open_matches,
    reopen_cards,
    reopen_matches,
    reseat_match,
    withdraw_matches,
)
from tournaments import selectors
from tournaments.draws.lineups import Difference, Lineup, plain_lineup, plain_reasons
from tournaments.lifecycle import OPEN, EventState, RoundState
from tournaments.models import Entry, Event, Round, Seating, Table


def write_lineup(drawn: Round, lineup: Lineup, done: Difference) -> None:
    """Writes what is not as it was: all of a draft; of a published round, what changed."""
    if drawn.state == RoundState.DRAFT:
        drawn.draft = plain_lineup(lineup)
        drawn.save(update_fields=["draft"])
        return
    tables = {int(number) for number in done.get("tables", ())}
    byes = {int(entry) for entry in done.get("byes", ())}
    _write_rows(drawn, lineup, tables, byes)
    _open_and_reseat(drawn, tables, done.get("tables", {}))


def bring_in_line(event: Event) -> None:
    """Tables, matches and cards as the states of the event and its rounds want them. Safe to repeat.

    Refuses: rulings_stand, if a round that the director has ruled in is to be a draft again.
    """
    for drawn in event.rounds.defer("certificate", "drawn_from", "order", "price").order_by("number"):
        if drawn.state == RoundState.DRAFT and drawn.draft is None:
            _back_to_a_value(drawn)
        elif drawn.state != RoundState.DRAFT and drawn.draft is not None:
            _to_rows(event, drawn)
    matches = Match.objects.filter(table__round__event=event)
    left_open = matches.filter(table__round__state=RoundState.CLOSED, closed_at=None)
    left_closed = matches.filter(table__round__state__in=OPEN, closed_at__isnull=False)
    close_matches(match_ids=list(left_open.values_list("pk", flat=True)))
    reopen_matches(match_ids=list(left_closed.values_list("pk", flat=True)))
    lead_cards(topic=event.topic, public_page=event.public_page)
    if event.state == EventState.RUNNING:
        reopen_cards(topic=event.topic)
    else:
        close_cards(topic=event.topic)


def reseat_entry(entry: Entry) -> None:
    """Whoever plays for the entry from now on sits at the table where its match still goes on."""
    for drawn in entry.event.rounds.filter(state__in=OPEN, seatings__entry=entry):
        going_on = drawn.tables.filter(seatings__entry=entry, match__is_over=False)
        numbers = set(going_on.values_list("number", flat=True))
        _open_and_reseat(drawn, numbers)


def issue_cards_of(event: Event, count: int) -> None:
    """Cards for that many tables, each with the ways to the event's pages. Safe to repeat."""
    issue_cards(
        club=event.club,
        topic=event.topic,
        count=count,
        public_page=event.public_page,
        desk_page=reverse("desk", args=[event.short]),
    )


def _to_rows(event: Event, drawn: Round) -> None:
    lineup = selectors.lineup_of(drawn)
    drawn.draft = None
    drawn.save(update_fields=["draft"])
    numbers = {table.number for table in lineup.tables}
    issue_cards_of(event, max(numbers, default=0))
    _write_rows(drawn, lineup, numbers, {bye.entry for bye in lineup.byes})
    _open_and_reseat(drawn, numbers)


def _back_to_a_value(drawn: Round) -> None:
    if drawn.tables.filter(ruling__isnull=False).exists():
        raise Refusal("rulings_stand", round=drawn.number)
    drawn.draft = plain_lineup(selectors.lineup_of(drawn))
    drawn.save(update_fields=["draft"])
    _take_down(drawn.tables.all())
    drawn.seatings.all().delete()


def _write_rows(drawn: Round, lineup: Lineup, tables: Collection[int], byes: Collection[int]) -> None:
    """The tables of these numbers and the byes of these entries, as the line-up has them."""
    wanted = {table.number: table for table in lineup.tables if table.number in tables}
    _remove_tables(drawn, set(tables) - set(wanted))
    drawn.seatings.filter(table__number__in=tables).delete()
    drawn.seatings.filter(table=None, entry__in=byes).delete()
    there = {table.number: table for table in drawn.tables.filter(number__in=wanted)}
    for number, table in there.items():
        table.slot, table.reasons = wanted[number].slot, plain_reasons(wanted[number].reasons)
    Table.objects.bulk_update(there.values(), ["slot", "reasons"])
    made = Table.objects.bulk_create(
        Table(round=drawn, number=number, slot=table.slot, reasons=plain_reasons(table.reasons))
        for number, table in wanted.items()
        if number not in there
    )
    there |= {table.number: table for table in made}
    seatings = [
        Seating(round=drawn, table=there[number], side=side.value, place=place, entry_id=entry)
        for number, table in wanted.items()
        for side, entries in zip(Side, (table.a, table.b), strict=True)
        for place, entry in enumerate(entries)
    ]
    seatings += [
        Seating(round=drawn, entry_id=bye.entry, slot=bye.slot, reasons=plain_reasons(bye.reasons))
        for bye in lineup.byes
        if bye.entry in byes
    ]
    Seating.objects.bulk_create(seatings)


def _remove_tables(drawn: Round, numbers: Collection[int]) -> None:
    """Refuses: rulings_stand."""
    going = drawn.tables.filter(number__in=numbers)
    if going.filter(ruling__isnull=False).exists():
        raise Refusal("rulings_stand", round=drawn.number)
    _take_down(going)


def _take_down(going: QuerySet[Table]) -> None:
    """These tables are no more; what was marked there waits for the same entries."""
    matches = {
        table.match_id: _known_as(table)
        for table in going.prefetch_related("seatings")
        if table.match_id is not None
    }
    going.update(match=None)
    going.delete()
    withdraw_matches(known_as=matches)


def _open_and_reseat(
    drawn: Round, numbers: Collection[int], changed: Mapping[str, Sequence[Any]] = MappingProxyType({})
) -> None:
    """A match for each of these tables, with those who sit there. Where a line-up ``changed``, whoever plays
    for an entry that stayed at its seat stays there too: it may have another player by now."""
    event = drawn.event
    seated = {table: _players(table) for table in selectors.tables_of(drawn) if table.number in numbers}
    for table, players in seated.items():
        if table.match is not None:
            before = changed.get(str(table.number), (None,))[0]
            reseat_match(match_id=table.match.pk, players=_kept(table, players, before))
    empty = [table for table in seated if table.match_id is None]
    issue_cards_of(event, max((table.number for table in empty), default=0))
    cards = {card.number: card for card in TableCard.objects.filter(topic=event.topic)}
    opened = open_matches(
        terms=event.terms,
        round_number=drawn.number,
        seats=[
            Seats(card=cards[table.number], players=seated[table], known_as=_known_as(table))
            for table in empty
        ],
    )
    for table, match in zip(empty, opened, strict=True):
        table.match = match
    Table.objects.bulk_update(empty, ["match"])


def _kept(table: Table, players: list[Person], before: Mapping[str, Any] | None) -> list[Person]:
    """The players of a table, but who sat for an entry that has not moved."""
    if before is None or table.match is None:
        return players
    size = table.round.event.entry_size
    moved = [_in_seats(before[side], size) for side in ("a", "b")]
    were = selectors.in_seats(moved)
    seated = table.seatings.all()
    are = selectors.in_seats(
        [_in_seats([each.entry_id for each in seated if each.side == side], size) for side in Side]
    )
    sat = {player.seat: player.person for player in table.match.players.select_related("person")}
    return [
        sat[seat] if entry == were[seat] else person
        for seat, (entry, person) in enumerate(zip(are, players, strict=True))
    ]


def _in_seats(entries: Sequence[int], size: int) -> list[int]:
    """The entry of each of its seats."""
    return [entry for entry in entries for _ in range(size)]


def _known_as(table: Table) -> str:
    """The entries that sit there, by key, whoever plays for them: ``17.23-4.9`` where partners were drawn."""
    sides = [[each.entry_id for each in table.seatings.all() if each.side == side] for side in Side]
    return "-".join(".".join(map(str, entries)) for entries in sides)


def _players(table: Table) -> list[Person]:
    sides: dict[int, list[Person]] = defaultdict(list)
    for seating in table.seatings.all():
        sides[seating.side or 0] += seating.entry.players
    return selectors.in_seats([sides[side] for side in Side])
