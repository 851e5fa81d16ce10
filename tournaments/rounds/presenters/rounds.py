"""A round with its tables."""

import datetime
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clubs.models import Person
from clubs.name_formats import join_names
from engine.chances import Chance, Chances
from engine.changes import Changes
from engine.charts import EventStructure, MatchPlace, PlacesMixin, build_structure
from engine.draws import DrawnBye, DrawnTable, Partners, ReasonCode
from engine.draws.lineups import Lineup, ReasonJson, reasons_to_json
from engine.draws.pairing_cost.comparison import PRICED_FORMATS
from engine.draws.stages import get_slot_stage, is_bracket_slot
from engine.draws.team_lineups import put_home_team_first
from engine.ranking import ClubResult, OutcomeKind
from engine.results import EventSnapshot, count_total_rounds, get_bye_kind, get_bye_reason
from engine.standings import get_chart_input
from engine.visibility import Ranks, Results
from rules import Side
from scoring.fold import is_decided_by_charlemagne
from scoring.presenters.sides import COLOURS
from tournaments.entries.queries.entries import get_entries
from tournaments.events.presenters.names import (
    EntryFormatter,
    PersonFormatter,
    build_full_entry_formatter,
    build_public_entry_formatter,
    build_public_person_formatter,
    format_full_names,
    get_entry_club,
    get_full_name,
)
from tournaments.lifecycle import OPEN_STATES, RoundState
from tournaments.models import Entry, Event, Round, Table
from tournaments.rounds.byes import ByeKind, classify_bye
from tournaments.rounds.chances import compute_event_chances, compute_table_chance
from tournaments.rounds.queries.bye_players import map_players_at_close
from tournaments.rounds.queries.rounds import lineup_of, map_played_tables
from tournaments.rounds.queries.team_matches import PostponementRequest, list_open_requests, parse_day
from tournaments.rounds.rulings import RulingKind, get_director_decision
from tournaments.standings.queries.standings import build_event_structure

from .meetings import ClubMeetingView, iterate_table_results, iterate_unopposed_results, list_club_meetings

PUBLIC_REASONS = frozenset(
    {
        ReasonCode.MET_BEFORE,
        ReasonCode.PARTNERED_BEFORE,
        ReasonCode.REPEATS_UNAVOIDABLE,
        ReasonCode.BEST_IN_ALL,
        ReasonCode.SCORE_GROUP,
        ReasonCode.FLOATED,
        ReasonCode.INSTEAD_OF,
        ReasonCode.LOCKED,
        ReasonCode.BY_HAND,
        ReasonCode.BY_LOT,
        ReasonCode.BY_RANK,
        ReasonCode.TWO_LEFT,
        ReasonCode.SCHEDULED,
        ReasonCode.YET_TO_MEET,
        ReasonCode.UNOPPOSED,
        ReasonCode.TEAM_LINEUP,
        ReasonCode.IN_LINE,
        ReasonCode.BALANCED,
        ReasonCode.BRACKET,
        ReasonCode.PROGRESSED,
        ReasonCode.FILLED_IN,
    }
)
"""Reasons shown publicly: nothing about families, people kept apart, requests or fixed tables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedPerson:
    """A person at a table, by the name that this reader may see."""

    name: str
    pk: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSide:
    """One side of a table: its ``entries`` by number, their ``club``, and its people. ``names`` distinguish
    namesakes."""

    colour: str
    entries: tuple[int, ...]
    entry_ids: tuple[int, ...]
    club: str
    people: tuple[SeatedPerson, ...]
    names: str
    points: int | None
    games_won: int | None
    has_won: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """A table of a round as drawn, and its result so far.

    ``ruling_kind`` is the kind of the director's ruling, if any; ``match`` the id of its match; ``place`` its
    place in its ``stage``, which counts from 0. ``is_contested``: two marks differ and somebody must choose.
    Of a match ``is_decided_by_charlemagne``, the points may not tell the winner. ``chance`` is that of each side,
    while the match goes on. ``postponed_to`` is the day of a postponed match, if it is known.
    """

    number: int
    stage: int
    place: MatchPlace | None
    match: int | None
    sides: tuple[TableSide, ...]
    is_over: bool
    is_contested: bool
    is_held: bool
    ruling_kind: RulingKind | None
    reasons: Sequence[ReasonJson]
    is_decided_by_charlemagne: bool = False
    chance: Chance | None = None
    postponed_to: datetime.date | None = None

    @property
    def ruling(self) -> str:
        """Kind of the ruling in a word, without telling a double forfeit from a single one."""
        if self.ruling_kind is None:
            return ""
        return (RulingKind.FORFEIT if self.ruling_kind.is_forfeit else self.ruling_kind).value

    @property
    def has_ruling(self) -> bool:
        """Whether a ruling replaces the result of the match."""
        return self.ruling_kind not in (None, RulingKind.AWARDED, RulingKind.POSTPONED)

    @property
    def has_decision(self) -> bool:
        """Whether something besides the points decided the match, or it is postponed."""
        return self.ruling_kind is not None or self.is_decided_by_charlemagne

    @property
    def ruling_digest(self) -> str:
        """The ruling as a text to compare; "" without a ruling."""
        sides = (f"{side.has_won:d} {side.games_won} {side.points}" for side in self.sides)
        return " ".join((self.ruling, *sides)) if self.ruling else ""

    @property
    def have_met(self) -> bool:
        """Whether any two at the table have met or been partners before."""
        return any(reason["code"] in (ReasonCode.MET_BEFORE, ReasonCode.PARTNERED_BEFORE) for reason in self.reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeView:
    """A bye and its reasons in a ``stage``, which counts from 0, and how it ``counts_as`` in standings that
    the reader may see."""

    entry: int
    entry_id: int
    names: str
    stage: int
    reasons: Sequence[ReasonJson]
    counts_as: OutcomeKind | None = None

    @property
    def kind(self) -> ByeKind:
        return classify_bye(self.reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView(PlacesMixin):
    """A round with its tables and byes. ``price`` is that of its draw by criterion, ``meetings`` are the
    scores between clubs, ``postponement_requests`` those not answered, and ``changes`` why the draw is outdated, where
    computed."""

    number: int
    state: str
    draw_format: str
    seed: int
    price: Mapping[str, int]
    tables: tuple[TableView, ...]
    byes: tuple[ByeView, ...]
    meetings: tuple[ClubMeetingView, ...]
    visible_results: Results
    postponement_requests: Sequence[PostponementRequest] = ()
    changes: Changes | None = None

    @property
    def is_kept_back(self) -> bool:
        """Whether its results are hidden from the reader."""
        return self.visible_results is Results.NOTHING

    @property
    def state_name(self) -> str:
        return str(RoundState(self.state).label)

    @property
    def is_playing(self) -> bool:
        return self.state in OPEN_STATES

    @property
    def is_by_price(self) -> bool:
        """Whether it was drawn by price, or a group of it may have been."""
        return self.draw_format in {*PRICED_FORMATS, "stages"}

    @property
    def has_chances(self) -> bool:
        """Whether a table shows chances of winning."""
        return any(table.chance for table in self.tables)

    @property
    def results(self) -> int:
        """Number of tables with a result."""
        return sum(table.is_over for table in self.tables)


def list_free_entries(round_row: Round, lineup: Lineup, entrants: Iterable[Entry]) -> list[tuple[int, str]]:
    """Return the number and name of entrants without a table that have not withdrawn or left the bracket. No
    query."""
    seated_ids = {entry for table in lineup.tables for entry in (*table.a, *table.b)}
    bye_ids = {bye.entry for bye in lineup.byes}
    is_bracket = any(is_bracket_slot(round_row.event.plan, table.slot) for table in lineup.tables)
    return [
        (entry.number, format_full_names(entry))
        for entry in entrants
        if entry.pk not in seated_ids and not entry.is_waiting and entry.leaves_after is None
        if not is_bracket or entry.pk in bye_ids or entry.arrives >= round_row.number
    ]


def build_round_view(
    round_row: Round,
    *,
    is_public: bool,
    tables: Collection[int] | None = None,
    entrants: Sequence[Entry] | None = None,
    lineup: Lineup | None = None,
) -> RoundView:
    """Build the view of a round; ``is_public`` limits names, results and reasons to what is visible now.

    Of a published round, ``tables`` limits it to these numbers. Two queries for a draft, four for others;
    four more where there is a bracket, two where somebody sat out; one less for each of ``entrants`` and
    ``lineup`` that is given.
    """
    event = round_row.event
    visible_results = event.visible.get_results(round_row.number) if is_public else Results.HANDS
    lineup = lineup or lineup_of(round_row, tables=tables)
    entries = {entry.pk: entry for entry in (get_entries(event) if entrants is None else entrants)}
    entry_rows = entries.values()
    is_draft = round_row.state == RoundState.DRAFT
    shows_outcomes = not is_public or (
        visible_results is not Results.NOTHING and event.visible.standings is not Ranks.NOTHING
    )
    reader = RoundReader(
        event=event,
        entries=entries,
        format_person=build_public_person_formatter(event) if is_public else get_full_name,
        format_entry=build_public_entry_formatter(event, entry_rows)
        if is_public
        else build_full_entry_formatter(entry_rows),
        is_reason_shown=_build_public_reason_filter(round_row)
        if is_public
        else _is_shown_in_draft
        if round_row.number > 1
        else _is_shown_in_first_draft,
        chances=compute_event_chances(event),
    )
    structure = build_event_structure(event)
    tables_by_number = {} if is_draft else map_played_tables(round_row, tables=tables)
    bye_players = map_players_at_close([(round_row, entries[bye.entry]) for bye in lineup.byes])
    table_views = tuple(
        _build_table_view(
            table,
            reader,
            structure,
            tables_by_number.get(table.number),
            round_row=round_row,
            visible_results=visible_results,
        )
        for table in lineup.tables
    )
    unopposed_results = (
        iterate_unopposed_results(event, [(entries[bye.entry], reasons_to_json(bye.reasons)) for bye in lineup.byes])
        if shows_outcomes and not is_draft
        else ()
    )
    return RoundView(
        number=round_row.number,
        state=round_row.state,
        draw_format=round_row.draw_format,
        seed=round_row.seed,
        price=round_row.price,
        tables=table_views,
        meetings=list_club_meetings([*_iterate_results(table_views), *unopposed_results]) if event.is_interclub else (),
        byes=tuple(
            ByeView(
                entry=entries[bye.entry].number,
                entry_id=bye.entry,
                names=reader.side(bye_players[round_row.pk, bye.entry], [entries[bye.entry]]),
                stage=get_slot_stage(bye.slot),
                reasons=reader.reasons(bye),
                counts_as=get_bye_kind(event.plan, bye.slot, get_bye_reason(reason.code for reason in bye.reasons))
                if shows_outcomes
                else None,
            )
            for bye in lineup.byes
        ),
        visible_results=visible_results,
        postponement_requests=() if is_public else list_open_requests(event, round_row),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundReader:
    """Reader of a round: which names and reasons they see."""

    event: Event
    entries: Mapping[int, Entry]
    format_person: PersonFormatter
    format_entry: EntryFormatter
    is_reason_shown: Callable[[Mapping[str, Any]], bool]
    chances: Chances

    def reasons(self, drawn: DrawnTable | DrawnBye) -> list[ReasonJson]:
        """Return the reasons as plain data, with names of the entries in them."""
        seated_count = len(drawn.a) + len(drawn.b) if isinstance(drawn, DrawnTable) else 2
        return [
            add_entry_names(reason, self.entries, self.format_entry, seated_count=seated_count)
            for reason in reasons_to_json(drawn.reasons)
        ]

    def side(self, people: Sequence[Person], partners: Sequence[Entry]) -> str:
        """Name a side by its entries, or by its people if there is a substitute."""
        if {person.pk for person in people} == {player.pk for entry in partners for player in entry.players}:
            return join_names([self.format_entry(entry) for entry in partners])
        return join_names([self.format_person(person) for person in people])


def add_entry_names(
    reason: Mapping[str, Any], entries: Mapping[int, Entry], format_entry: EntryFormatter, *, seated_count: int
) -> dict[str, Any]:
    """Add the names of the entries in a reason, unless it is about all entries seated (``seated_count``)."""
    entry_ids = reason.get("entries", ()) or [reason[key] for key in ("entry",) if key in reason]
    names = [format_entry(entries[entry]) for entry in entry_ids if entry in entries]
    is_partial = names and len(names) < seated_count
    return {**reason, "names": names} if is_partial else dict(reason)


def _iterate_results(tables: Iterable[TableView]) -> Iterator[ClubResult]:
    for table in tables:
        if table.is_over:
            yield from iterate_table_results(
                [side.club for side in table.sides],
                has_won=[side.has_won for side in table.sides],
                points=[side.points for side in table.sides],
                is_forfeit=table.ruling_kind is not None and table.ruling_kind.is_forfeit,
            )


def list_bracket_places(round_row: Round) -> list[MatchPlace | None]:
    """Return the place of each table of a round in its bracket. No query where there is none; six at most."""
    if not round_row.event.has_bracket:
        return []
    structure = build_event_structure(round_row.event)
    return [structure.get_place(table.slot, []) for table in lineup_of(round_row).tables]


def list_next_places(snapshot: EventSnapshot, slots: Iterable[str]) -> list[MatchPlace | None]:
    """Return the places of the next round's tables in their stage, each once."""
    structure = build_structure(*get_chart_input(snapshot))
    return [structure.get_place(slot) for slot in sorted(slots)]


def _build_table_view(
    drawn_table: DrawnTable,
    reader: RoundReader,
    structure: EventStructure,
    table: Table | None,
    *,
    round_row: Round,
    visible_results: Results,
) -> TableView:
    ruling = table.ruling if table is not None and visible_results is not Results.NOTHING else None
    match = table.match if table is not None else None
    summary = match.summary if match is not None and visible_results is not Results.NOTHING else {}
    sides = tuple(
        build_table_side(side, partners, reader, table, visible_results)
        for side, partners in zip(Side, (drawn_table.a, drawn_table.b), strict=True)
    )
    is_played = match is not None and match.is_over
    is_decided = is_played or (table is not None and table.ruling is not None)
    day = None if is_decided else round_row.postponed.get(str(drawn_table.number))
    return TableView(
        number=drawn_table.number,
        stage=get_slot_stage(drawn_table.slot),
        place=structure.get_place(
            drawn_table.slot,
            put_home_team_first((reason.details for reason in drawn_table.reasons), [side.club for side in sides]),
        ),
        match=None if match is None else match.pk,
        sides=sides,
        is_over=ruling is not None or (is_played and visible_results is not Results.NOTHING),
        is_contested=match is not None and match.has_rivals and ruling is None and visible_results is Results.HANDS,
        is_held=drawn_table.number in round_row.held,
        ruling_kind=get_director_decision(ruling, summary) if day is None else RulingKind.POSTPONED,
        postponed_to=parse_day(day),
        is_decided_by_charlemagne=ruling is None and is_decided_by_charlemagne(summary),
        reasons=[reason for reason in reader.reasons(drawn_table) if reader.is_reason_shown(reason)],
        chance=None if table is None else compute_table_chance(table, reader.chances, visible_results),
    )


def build_table_side(
    side: Side, partners: Partners, reader: RoundReader, table: Table | None, visible_results: Results
) -> TableSide:
    """Build one side of a table with as much of its result as ``visible_results`` allows. ``table`` is loaded with
    its match and players, and is None for a draft. No query."""
    match = table.match if table is not None else None
    entries = [reader.entries[entry] for entry in partners]
    people = [person for entry in entries for person in entry.players]
    result: Mapping[str, Any] = {}
    if match is not None:
        people = [player.person for player in match.players.all() if player.seat % 2 == side]
        result = match.summary if visible_results is not Results.NOTHING else {}
    if table is not None and table.ruling is not None and visible_results is not Results.NOTHING:
        result = table.ruling
    points = result.get("points")
    if match is not None and not match.is_over and result and result is match.summary:
        points = result["running"]
    games = result.get("games_won")
    return TableSide(
        colour=COLOURS[side],
        entries=tuple(entry.number for entry in entries),
        entry_ids=tuple(entry.pk for entry in entries),
        club=next((get_entry_club(reader.event, entry) for entry in entries), ""),
        people=tuple(SeatedPerson(name=reader.format_person(person), pk=person.pk) for person in people),
        names=reader.side(people, entries),
        points=None if points is None else points[side],
        games_won=None if games is None else games[side],
        has_won=result.get("winner") == side.name,
    )


def _build_public_reason_filter(round_row: Round) -> Callable[[Mapping[str, Any]], bool]:
    """Return a function that tells which reasons are public."""
    shows_reasons = round_row.event.visible.has_draw_reasons(round_row.number)
    return lambda reason: shows_reasons and reason["code"] in PUBLIC_REASONS and _is_shown_in_draft(reason)


def _is_shown_in_first_draft(reason: Mapping[str, Any]) -> bool:
    """Check whether the draft of a first round shows the reason: there, the lot is worth telling."""
    return reason["code"] == ReasonCode.BY_LOT or _is_shown_in_draft(reason)


def _is_shown_in_draft(reason: Mapping[str, Any]) -> bool:
    """Check whether the draft shows the reason. The lot is shown only after a table that nobody won, and
    another possible opponent only if avoiding a repeat decided."""
    if reason["code"] == ReasonCode.INSTEAD_OF:
        return "repeats" in reason["levels"] and "forbidden" not in reason["levels"]
    return reason["code"] != ReasonCode.BY_LOT or "table" in reason


def count_planned_rounds(event: Event, entries: Iterable[Entry]) -> int | None:
    """Return the number of rounds of the event with these entries, not counting those waiting; None if open. One
    query."""
    sections = [entry.section for entry in entries if not entry.is_waiting]
    slots = Table.objects.filter(round__event=event).values_list("round__number", "slot")
    return count_total_rounds(event.plan, slots, sections)
