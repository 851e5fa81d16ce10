"""Conversion of a line-up to rows: tables and seatings of published rounds, and their matches.

A draft is one value. Publishing turns it into rows, which the database constrains, and opens a match at each
table; unpublishing turns the rows back into a value and sets the matches with hands aside.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from django.db.models import Q
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
from scoring.services.cards import close_cards, issue_cards, lead_cards, reopen_cards, update_card_displays
from scoring.services.matches import (
    Seats,
    change_own_terms,
    close_matches,
    open_matches,
    reopen_matches,
    reseat_match,
    withdraw_matches,
)
from tournaments.entries.queries.entries import in_seats
from tournaments.lifecycle import OPEN_STATES, EventState, RoundState
from tournaments.models import PROOFS, Entry, Event, Round, Seating, Table
from tournaments.rounds.clock import build_clock
from tournaments.rounds.queries.messages import list_current_messages
from tournaments.rounds.queries.phases import get_default_terms, get_round_length, map_table_terms
from tournaments.rounds.queries.rounds import lineup_of, list_tables


def write_lineup(round_row: Round, lineup: Lineup, difference: Difference) -> None:
    """Write the changes of a line-up: all of a draft, or only what changed in a published round."""
    if round_row.state == RoundState.DRAFT:
        round_row.draft = lineup_to_json(lineup)
        round_row.save(update_fields=["draft"])
        return
    tables = {int(number) for number in difference.get("tables", ())}
    byes = {int(entry) for entry in difference.get("byes", ())}
    _write_rows(round_row, lineup, tables, byes)
    _reseat_tables(round_row, tables, difference.get("tables", {}))


def sync_matches(event: Event) -> None:
    """Bring tables, matches and cards in line with the states of the event and its rounds. Safe to repeat.

    Refuses: rulings_stand, if a round that the director has ruled in is to be a draft again.
    """
    rounds = event.rounds.defer(*PROOFS).order_by("number")
    for round_row in rounds:
        if round_row.state == RoundState.DRAFT and round_row.draft is None:
            _convert_to_draft(round_row)
        elif round_row.state != RoundState.DRAFT and round_row.draft is not None:
            _convert_to_rows(event, round_row)
    matches, goes_on = Match.objects.filter(table__round__event=event), _build_postponed_filter(rounds)
    matches_to_close = matches.filter(table__round__state=RoundState.CLOSED, closed_at=None).exclude(goes_on)
    is_open = Q(table__round__state__in=OPEN_STATES) | goes_on
    matches_to_reopen = matches.filter(is_open, closed_at__isnull=False)
    if ids_to_close := list(matches_to_close.values_list("pk", flat=True)):
        close_matches(match_ids=ids_to_close)
    if ids_to_reopen := list(matches_to_reopen.values_list("pk", flat=True)):
        reopen_matches(match_ids=ids_to_reopen)
    lead_cards(topic=event.topic, public_page=event.public_page, silent_from=event.visible.first_hidden_round)
    current_round = next((round_row for round_row in rounds if round_row.state == RoundState.PLAYING), None)
    last_number = max((round_row.number for round_row in rounds if round_row.state != RoundState.DRAFT), default=0)
    update_card_displays(
        topic=event.topic,
        clock=_build_table_clock(event, current_round),
        messages=[
            *list_current_messages(event, last_round=last_number, now=timezone.now()),
            *_list_ruling_messages(event, last_number),
        ],
    )
    if event.state == EventState.RUNNING:
        reopen_cards(topic=event.topic)
    else:
        close_cards(topic=event.topic)


def _build_postponed_filter(rounds: Iterable[Round]) -> Q:
    """Return the condition of matches that can record hands though their round is closed."""
    condition = Q(pk__in=())
    for round_row in rounds:
        if round_row.postponed:
            condition |= Q(table__round=round_row.pk, table__number__in=map(int, round_row.postponed), is_over=False)
    return condition


def _build_table_clock(event: Event, current_round: Round | None) -> Clock | None:
    """Return the clock for the tables' phones, with the tables of a bracket: they need winners."""
    clock = build_clock(current_round, get_round_length(event, current_round))
    if clock is None or current_round is None or not event.has_bracket:
        return clock
    return replace(
        clock,
        extra_hand_tables=tuple(
            table.number
            for table in current_round.tables.order_by("number").select_related("match__terms")
            if is_bracket_slot(event.plan, table.slot) and _continues_when_tied(table.match)
        ),
    )


def _continues_when_tied(match: Match | None) -> bool:
    """Return whether a level match goes on until somebody has won."""
    return match is None or match.match_format.tie in (None, TieRule.EXTRA_HAND)


def _list_ruling_messages(event: Event, number: int) -> list[DeskMessage]:
    """Return the messages to tables of this round about the director's rulings. One query."""
    tables = Table.objects.filter(round__event=event, round__number=number, ruling__isnull=False)
    columns: Any = tables.order_by("number").values_list("number", "ruling", "round__published_at")
    return [
        DeskMessage(number=0, ruling=ruling["kind"], table=table, round_number=number, sent_at=published_at)
        for table, ruling, published_at in columns
    ]


def reseat_entry(entry: Entry) -> None:
    """Seat the current players of an entry at its unfinished matches."""
    for round_row in entry.event.rounds.filter(state__in=OPEN_STATES, seatings__entry=entry):
        open_tables = round_row.tables.filter(seatings__entry=entry, match__is_over=False)
        numbers = set(open_tables.values_list("number", flat=True))
        _reseat_tables(round_row, numbers)


def issue_event_cards(event: Event, count: int, codes: Mapping[int, str] = {}) -> list[TableCard]:
    """Issue cards for that many tables, with links to the event's pages. Safe to repeat."""
    return issue_cards(
        club=event.club,
        topic=event.topic,
        count=count,
        public_page=event.public_page,
        desk_page=reverse("desk", args=[event.short]),
        codes=codes,
    )


def _convert_to_rows(event: Event, round_row: Round) -> None:
    lineup = lineup_of(round_row)
    round_row.event, round_row.draft = event, None
    round_row.save(update_fields=["draft"])
    _write_rows(round_row, lineup, {table.number for table in lineup.tables}, {bye.entry for bye in lineup.byes})


def _convert_to_draft(round_row: Round) -> None:
    if round_row.tables.filter(ruling__isnull=False).exists():
        raise Refusal("rulings_stand", round=round_row.number)
    lineup = lineup_of(round_row)
    round_row.draft = lineup_to_json(lineup)
    round_row.save(update_fields=["draft"])
    round_row.seatings.all().delete()
    _delete_tables(round_row, lineup.tables)


def _write_rows(round_row: Round, lineup: Lineup, tables: Collection[int], byes: Collection[int]) -> None:
    """Write the tables of these numbers and the byes of these entries from the line-up."""
    new_tables = {table.number: table for table in lineup.tables if table.number in tables}
    if removed_numbers := set(tables) - set(new_tables):
        _remove_tables(round_row, removed_numbers)
    round_row.seatings.filter(table__number__in=tables).delete()
    round_row.seatings.filter(table=None, entry__in=byes).delete()
    existing_tables = {
        table.number: table for table in round_row.tables.filter(number__in=new_tables).select_related("match")
    }
    numbers_with_match = {number for number, table in existing_tables.items() if table.match is not None}
    new_matches = _open_matches(
        round_row, [table for number, table in new_tables.items() if number not in numbers_with_match]
    )
    for number, table in existing_tables.items():
        table.slot, table.reasons = new_tables[number].slot, reasons_to_json(new_tables[number].reasons)
        table.match = table.match or new_matches[number]
    Table.objects.bulk_update(existing_tables.values(), ["slot", "reasons", "match"])
    if numbers_with_match and round_row.event.has_custom_terms:  # the side that a tie rule favors may have moved
        terms_by_number = _map_custom_terms(
            round_row.event, round_row, [new_tables[number] for number in numbers_with_match]
        )
        for number, match_terms in terms_by_number.items():
            match = existing_tables[number].match
            assert match is not None
            change_own_terms(match_id=match.pk, own_terms=match_terms)
    created = Table.objects.bulk_create(
        Table(
            round_id=round_row.pk,
            number=number,
            slot=table.slot,
            reasons=reasons_to_json(table.reasons),
            match_id=new_matches[number].pk,
        )
        for number, table in new_tables.items()
        if number not in existing_tables
    )
    existing_tables |= {table.number: table for table in created}
    seating_rows = (
        (existing_tables[number].pk, side, place, entry)
        for number, table in new_tables.items()
        for side, entries in ((Side.A, table.a), (Side.B, table.b))
        for place, entry in enumerate(entries)
    )
    insert_rows(Seating, ("table_id", "side", "place", "entry_id"), seating_rows, round_id=round_row.pk)
    Seating.objects.bulk_create(
        Seating(round=round_row, entry_id=bye.entry, slot=bye.slot, reasons=reasons_to_json(bye.reasons))
        for bye in lineup.byes
        if bye.entry in byes
    )


def _remove_tables(round_row: Round, numbers: Collection[int]) -> None:
    """Remove tables from a published round. Refuses: rulings_stand."""
    if round_row.tables.filter(number__in=numbers, ruling__isnull=False).exists():
        raise Refusal("rulings_stand", round=round_row.number)
    _delete_tables(round_row, lineup_of(round_row, tables=numbers).tables)


def _delete_tables(round_row: Round, tables: Sequence[DrawnTable]) -> None:
    """Delete tables; their matches are set aside for the same entries."""
    old_tables = round_row.tables.filter(number__in=[table.number for table in tables])
    matches = dict(old_tables.exclude(match=None).values_list("number", "match"))
    old_tables.update(match=None)
    old_tables.delete()
    withdraw_matches(
        players_keys={
            matches[table.number]: _build_match_key(table.a, table.b) for table in tables if table.number in matches
        }
    )


def _open_matches(round_row: Round, tables: Sequence[DrawnTable]) -> dict[int, Match]:
    """Open a match at each of these tables, with its players; return the matches by number."""
    if not tables:
        return {}
    event = round_row.event
    cards = {card.number: card for card in issue_event_cards(event, max(table.number for table in tables))}
    terms_by_number = _map_custom_terms(event, round_row, tables)
    people = _map_people_ids(event, {entry for table in tables for entry in (*table.a, *table.b)})
    matches = open_matches(
        terms=event.terms,
        round_number=round_row.number,
        seats=[
            Seats(
                card=cards[table.number],
                players=in_seats(
                    [[person for entry in side for person in people[entry]] for side in (table.a, table.b)]
                ),
                players_key=_build_match_key(table.a, table.b),
                own_terms=terms_by_number[table.number],
            )
            for table in tables
        ],
    )
    return {table.number: match for table, match in zip(tables, matches, strict=True)}


def _map_custom_terms(
    event: Event, round_row: Round, tables: Sequence[DrawnTable]
) -> dict[int, Mapping[str, Any] | None]:
    """Return by number what the matches at these tables are played by, where it is not as usual."""
    default_terms, terms = get_default_terms(event), map_table_terms(event, round_row, tables)
    return {number: table_terms.overrides_to_json(default_terms) for number, table_terms in terms.items()}


def _map_people_ids(event: Event, entries: Collection[EntryId]) -> dict[int, list[int]]:
    """Return the ids of the people of each entry."""
    players = event.entries.filter(pk__in=entries).values_list("pk", "player_1", "player_2")
    return {
        entry: [first_player] if second_player is None else [first_player, second_player]
        for entry, first_player, second_player in players
    }


def _reseat_tables(
    round_row: Round, numbers: Collection[int], table_changes: Mapping[str, Sequence[Any]] = MappingProxyType({})
) -> None:
    """Seat players at the tables of these numbers as in their rows. At the tables in ``table_changes``, an entry in
    the same seat keeps its player there, even if it has another player by now."""
    for table in list_tables(round_row, tables=numbers):
        if table.match is not None:
            previous_sides = table_changes.get(str(table.number), (None,))[0]
            reseat_match(
                match_id=table.match.pk, players=_keep_seated_players(table, _list_player_ids(table), previous_sides)
            )


def _keep_seated_players(table: Table, players: list[int], previous_sides: Mapping[str, Any] | None) -> list[int]:
    """Return the players of a table, keeping the person in each seat whose entry has not moved."""
    if previous_sides is None or table.match is None:
        return players
    size = table.round.event.entry_size
    previous_entries = in_seats([_repeat_for_seats(previous_sides[side], size) for side in ("a", "b")])
    current_entries = in_seats([_repeat_for_seats(entries, size) for entries in _list_side_entries(table)])
    seated_people = dict(table.match.players.values_list("seat", "person"))
    return [
        seated_people[seat] if entry == previous_entries[seat] else person
        for seat, (entry, person) in enumerate(zip(current_entries, players, strict=True))
    ]


def _repeat_for_seats(entries: Sequence[int], size: int) -> list[int]:
    """Return the entry of each seat of a side."""
    return [entry for entry in entries for _ in range(size)]


def _list_side_entries(table: Table) -> list[list[int]]:
    """Return the keys of the entries on each side of a published table."""
    return [[seating.entry_id for seating in table.seatings.all() if seating.side == side] for side in Side]


def _build_match_key(*sides: Iterable[int]) -> str:
    """Identify a table by the keys of its entries, whatever their players: ``17.23-4.9`` where partners were
    drawn."""
    return "-".join(".".join(map(str, entries)) for entries in sides)


def _list_player_ids(table: Table) -> list[int]:
    """Return the ids of the players of a published table, in the order of the seats."""
    sides: dict[int, list[int]] = defaultdict(list)
    for seating in table.seatings.all():
        sides[seating.side or 0] += [person.pk for person in seating.entry.players]
    return in_seats([sides[side] for side in Side])
