"""Conversion of a line-up to rows: tables and seatings of published rounds, and their matches.

A draft is one value. Publishing turns it into rows, which the database constrains, and opens a match at each
table; unpublishing turns the rows back into a value and sets the matches with hands aside.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from django.urls import reverse
from django.utils import timezone

from engine.draws import DrawnTable, EntryId
from engine.draws.lineups import Difference, Lineup, lineup_to_json, reasons_to_json
from engine.draws.stages import is_bracket_slot
from errors import Refusal
from live.inserts import insert_rows
from rules import Side, TieRule
from scoring.clock import Clock
from scoring.desk_messages import DeskMessage
from scoring.models import Match, TableCard
from scoring.services import (
    Seats,
    change_own_terms,
    close_cards,
    close_matches,
    issue_cards,
    lead_cards,
    open_matches,
    reopen_cards,
    reopen_matches,
    reseat_match,
    show_on_cards,
    withdraw_matches,
)
from tournaments.entries.queries.entries import in_seats
from tournaments.lifecycle import OPEN, EventState, RoundState
from tournaments.models import PROOFS, Entry, Event, Round, Seating, Table
from tournaments.rounds.clock import clock_of
from tournaments.rounds.queries.messages import messages_of
from tournaments.rounds.queries.phases import round_length, terms_by_table, usual_terms
from tournaments.rounds.queries.rounds import tables_of
from tournaments.rounds.queries.seatings import lineup_of


def write_lineup(drawn: Round, lineup: Lineup, done: Difference) -> None:
    """Write the changes of a line-up: all of a draft, or only what changed in a published round."""
    if drawn.state == RoundState.DRAFT:
        drawn.draft = lineup_to_json(lineup)
        drawn.save(update_fields=["draft"])
        return
    tables = {int(number) for number in done.get("tables", ())}
    byes = {int(entry) for entry in done.get("byes", ())}
    _write_rows(drawn, lineup, tables, byes)
    _reseat(drawn, tables, done.get("tables", {}))


def sync_matches(event: Event) -> None:
    """Bring tables, matches and cards in line with the states of the event and its rounds. Safe to repeat.

    Refuses: rulings_stand, if a round that the director has ruled in is to be a draft again.
    """
    rounds = event.rounds.defer(*PROOFS).order_by("number")
    for drawn in rounds:
        if drawn.state == RoundState.DRAFT and drawn.draft is None:
            _back_to_a_value(drawn)
        elif drawn.state != RoundState.DRAFT and drawn.draft is not None:
            _to_rows(event, drawn)
    matches = Match.objects.filter(table__round__event=event)
    left_open = matches.filter(table__round__state=RoundState.CLOSED, closed_at=None)
    left_closed = matches.filter(table__round__state__in=OPEN, closed_at__isnull=False)
    if to_close := list(left_open.values_list("pk", flat=True)):
        close_matches(match_ids=to_close)
    if to_reopen := list(left_closed.values_list("pk", flat=True)):
        reopen_matches(match_ids=to_reopen)
    lead_cards(topic=event.topic, public_page=event.public_page, silent_from=event.visible.hidden_from)
    playing = next((drawn for drawn in rounds if drawn.state == RoundState.PLAYING), None)
    last = max((drawn.number for drawn in rounds if drawn.state != RoundState.DRAFT), default=0)
    show_on_cards(
        topic=event.topic,
        clock=_clock_of(event, playing),
        messages=[*messages_of(event, last_round=last, now=timezone.now()), *_rulings_in(event, last)],
    )
    if event.state == EventState.RUNNING:
        reopen_cards(topic=event.topic)
    else:
        close_cards(topic=event.topic)


def _clock_of(event: Event, playing: Round | None) -> Clock | None:
    """Return the clock for the tables' phones, with the tables of a bracket: they need winners."""
    clock = clock_of(playing, round_length(event, playing))
    if clock is None or playing is None or not event.has_bracket:
        return clock
    return replace(
        clock,
        needs_winner=tuple(
            table.number
            for table in playing.tables.order_by("number").select_related("match__terms")
            if is_bracket_slot(event.plan, table.slot) and _plays_on(table.match)
        ),
    )


def _plays_on(match: Match | None) -> bool:
    """Return whether a level match goes on until somebody has won."""
    return match is None or match.match_format.tie in (None, TieRule.EXTRA_HAND)


def _rulings_in(event: Event, number: int) -> list[DeskMessage]:
    """Return the messages to tables of this round about the director's rulings. One query."""
    ruled = Table.objects.filter(round__event=event, round__number=number, ruling__isnull=False)
    columns: Any = ruled.order_by("number").values_list("number", "ruling", "round__published_at")
    return [
        DeskMessage(number=0, ruling=ruling["kind"], table=table, round_number=number, sent_at=published_at)
        for table, ruling, published_at in columns
    ]


def reseat_entry(entry: Entry) -> None:
    """Seat the current players of an entry at its unfinished matches."""
    for drawn in entry.event.rounds.filter(state__in=OPEN, seatings__entry=entry):
        going_on = drawn.tables.filter(seatings__entry=entry, match__is_over=False)
        numbers = set(going_on.values_list("number", flat=True))
        _reseat(drawn, numbers)


def issue_cards_of(event: Event, count: int, codes: Mapping[int, str] = {}) -> list[TableCard]:
    """Issue cards for that many tables, with links to the event's pages. Safe to repeat."""
    return issue_cards(
        club=event.club,
        topic=event.topic,
        count=count,
        public_page=event.public_page,
        desk_page=reverse("desk", args=[event.short]),
        codes=codes,
    )


def _to_rows(event: Event, drawn: Round) -> None:
    lineup = lineup_of(drawn)
    drawn.event, drawn.draft = event, None
    drawn.save(update_fields=["draft"])
    _write_rows(drawn, lineup, {table.number for table in lineup.tables}, {bye.entry for bye in lineup.byes})


def _back_to_a_value(drawn: Round) -> None:
    if drawn.tables.filter(ruling__isnull=False).exists():
        raise Refusal("rulings_stand", round=drawn.number)
    lineup = lineup_of(drawn)
    drawn.draft = lineup_to_json(lineup)
    drawn.save(update_fields=["draft"])
    drawn.seatings.all().delete()
    _take_down(drawn, lineup.tables)


def _write_rows(drawn: Round, lineup: Lineup, tables: Collection[int], byes: Collection[int]) -> None:
    """Write the tables of these numbers and the byes of these entries from the line-up."""
    wanted = {table.number: table for table in lineup.tables if table.number in tables}
    if gone := set(tables) - set(wanted):
        _remove_tables(drawn, gone)
    drawn.seatings.filter(table__number__in=tables).delete()
    drawn.seatings.filter(table=None, entry__in=byes).delete()
    there = {table.number: table for table in drawn.tables.filter(number__in=wanted).select_related("match")}
    with_match = {number for number, table in there.items() if table.match is not None}
    opened = _open_matches(drawn, [table for number, table in wanted.items() if number not in with_match])
    for number, table in there.items():
        table.slot, table.reasons = wanted[number].slot, reasons_to_json(wanted[number].reasons)
        table.match = table.match or opened[number]
    Table.objects.bulk_update(there.values(), ["slot", "reasons", "match"])
    if with_match and drawn.event.has_own_terms:  # the side that a tie rule favors may have moved
        own_terms = _own_terms(drawn.event, drawn, [wanted[number] for number in with_match])
        for number, own in own_terms.items():
            match = there[number].match
            assert match is not None
            change_own_terms(match_id=match.pk, own_terms=own)
    made = Table.objects.bulk_create(
        Table(
            round_id=drawn.pk,
            number=number,
            slot=table.slot,
            reasons=reasons_to_json(table.reasons),
            match_id=opened[number].pk,
        )
        for number, table in wanted.items()
        if number not in there
    )
    there |= {table.number: table for table in made}
    seated = (
        (there[number].pk, side, place, entry)
        for number, table in wanted.items()
        for side, entries in ((Side.A, table.a), (Side.B, table.b))
        for place, entry in enumerate(entries)
    )
    insert_rows(Seating, ("table_id", "side", "place", "entry_id"), seated, round_id=drawn.pk)
    Seating.objects.bulk_create(
        Seating(round=drawn, entry_id=bye.entry, slot=bye.slot, reasons=reasons_to_json(bye.reasons))
        for bye in lineup.byes
        if bye.entry in byes
    )


def _remove_tables(drawn: Round, numbers: Collection[int]) -> None:
    """Remove tables from a published round. Refuses: rulings_stand."""
    if drawn.tables.filter(number__in=numbers, ruling__isnull=False).exists():
        raise Refusal("rulings_stand", round=drawn.number)
    _take_down(drawn, lineup_of(drawn, tables=numbers).tables)


def _take_down(drawn: Round, tables: Sequence[DrawnTable]) -> None:
    """Delete tables; their matches are set aside for the same entries."""
    going = drawn.tables.filter(number__in=[table.number for table in tables])
    matches = dict(going.exclude(match=None).values_list("number", "match"))
    going.update(match=None)
    going.delete()
    withdraw_matches(
        known_as={
            matches[table.number]: _known_as(table.a, table.b) for table in tables if table.number in matches
        }
    )


def _open_matches(drawn: Round, tables: Sequence[DrawnTable]) -> dict[int, Match]:
    """Open a match at each of these tables, with its players; return the matches by number."""
    if not tables:
        return {}
    event = drawn.event
    cards = {card.number: card for card in issue_cards_of(event, max(table.number for table in tables))}
    own_terms = _own_terms(event, drawn, tables)
    people = _people_of(event, {entry for table in tables for entry in (*table.a, *table.b)})
    matches = open_matches(
        terms=event.terms,
        round_number=drawn.number,
        seats=[
            Seats(
                card=cards[table.number],
                players=in_seats(
                    [[person for entry in side for person in people[entry]] for side in (table.a, table.b)]
                ),
                known_as=_known_as(table.a, table.b),
                own_terms=own_terms[table.number],
            )
            for table in tables
        ],
    )
    return {table.number: match for table, match in zip(tables, matches, strict=True)}


def _own_terms(
    event: Event, drawn: Round, tables: Sequence[DrawnTable]
) -> dict[int, Mapping[str, Any] | None]:
    """Return by number what the matches at these tables are played by, where it is not as usual."""
    usual, terms = usual_terms(event), terms_by_table(event, drawn, tables)
    return {number: each.own_to_json(usual) for number, each in terms.items()}


def _people_of(event: Event, entries: Collection[EntryId]) -> dict[int, list[int]]:
    """Return the ids of the people of each entry."""
    players = event.entries.filter(pk__in=entries).values_list("pk", "player_1", "player_2")
    return {entry: [one] if other is None else [one, other] for entry, one, other in players}


def _reseat(
    drawn: Round, numbers: Collection[int], changed: Mapping[str, Sequence[Any]] = MappingProxyType({})
) -> None:
    """Seat players at the tables of these numbers as the rows say. Where a line-up ``changed``, an entry that
    kept its seat keeps its player there, even if it has another by now."""
    for table in tables_of(drawn, tables=numbers):
        if table.match is not None:
            before = changed.get(str(table.number), (None,))[0]
            reseat_match(match_id=table.match.pk, players=_players_who_stay(table, _players(table), before))


def _players_who_stay(table: Table, players: list[int], before: Mapping[str, Any] | None) -> list[int]:
    """Return the players of a table, keeping the person in each seat whose entry has not moved."""
    if before is None or table.match is None:
        return players
    size = table.round.event.entry_size
    were = in_seats([_in_seats(before[side], size) for side in ("a", "b")])
    are = in_seats([_in_seats(entries, size) for entries in _sides(table)])
    sat = dict(table.match.players.values_list("seat", "person"))
    return [
        sat[seat] if entry == were[seat] else person
        for seat, (entry, person) in enumerate(zip(are, players, strict=True))
    ]


def _in_seats(entries: Sequence[int], size: int) -> list[int]:
    """Return the entry of each seat of a side."""
    return [entry for entry in entries for _ in range(size)]


def _sides(table: Table) -> list[list[int]]:
    """Return the keys of the entries on each side of a published table."""
    return [[each.entry_id for each in table.seatings.all() if each.side == side] for side in Side]


def _known_as(*sides: Iterable[int]) -> str:
    """Identify a table by the keys of its entries, whatever their players: ``17.23-4.9`` where partners were
    drawn."""
    return "-".join(".".join(map(str, entries)) for entries in sides)


def _players(table: Table) -> list[int]:
    """Return the ids of the players of a published table, in the order of the seats."""
    sides: dict[int, list[int]] = defaultdict(list)
    for seating in table.seatings.all():
        sides[seating.side or 0] += [person.pk for person in seating.entry.players]
    return in_seats([sides[side] for side in Side])
