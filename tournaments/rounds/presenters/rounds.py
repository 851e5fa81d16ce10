"""A round with its tables."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from clubs.models import Person
from clubs.wording import join_names
from engine.chances import Chance, Chances
from engine.changes import Changes
from engine.charts import EventStructure, MatchPlace, WithPlaces, structure_of
from engine.draws import DrawnBye, DrawnTable, Partners, ReasonCode
from engine.draws.lineups import Lineup, PlainReason, reasons_to_json
from engine.draws.pairing_cost.comparison import PRICED
from engine.draws.stages import is_bracket_slot, rounds_of_plan
from engine.ranking import OutcomeKind
from engine.results import EventSnapshot, kind_of_bye, why_sat_out
from engine.standings import seated_of
from engine.visibility import Ranks, Results
from rules import Side
from scoring.presenters import COLOURS
from tournaments.entries.queries.entries import entries_of
from tournaments.events.presenters.names import (
    EntryNamed,
    Named,
    club_played_for,
    entries_named_in,
    entries_named_in_full,
    full_name,
    full_names,
    public_naming,
)
from tournaments.lifecycle import OPEN, RoundState
from tournaments.models import Entry, Event, Round, Table
from tournaments.rounds.byes import ByeKind, bye_kind
from tournaments.rounds.chances import chance_at, chances_of_event
from tournaments.rounds.queries.rounds import played_tables
from tournaments.rounds.queries.seatings import lineup_of
from tournaments.rounds.queries.sitting_out import players_then
from tournaments.rounds.rulings import RulingKind, director_decision
from tournaments.standings.queries.structure import event_structure

from .meetings import FinishedTable, RoundMeeting, round_meetings

TOLD_PUBLICLY = frozenset(
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
    place in the stage. ``is_contested``: two marks differ and somebody must choose. ``chance`` is that of
    each side, while the match goes on.
    """

    number: int
    place: MatchPlace | None
    match: int | None
    sides: tuple[TableSide, ...]
    is_over: bool
    is_contested: bool
    is_held: bool
    ruling_kind: RulingKind | None
    reasons: Sequence[PlainReason]
    chance: Chance | None = None

    @property
    def ruling(self) -> str:
        """Kind of the ruling in a word, without telling a double forfeit from a single one."""
        if self.ruling_kind is None:
            return ""
        return (RulingKind.FORFEIT if self.ruling_kind.is_forfeit else self.ruling_kind).value

    @property
    def has_ruling(self) -> bool:
        """Whether a ruling replaces the result of the match."""
        return self.ruling_kind not in (None, RulingKind.AWARDED)

    @property
    def ruling_in_brief(self) -> str:
        """The ruling as a text to compare; "" without a ruling."""
        sides = (f"{side.has_won:d} {side.games_won} {side.points}" for side in self.sides)
        return " ".join((self.ruling, *sides)) if self.ruling else ""

    @property
    def have_met(self) -> bool:
        """Whether any two at the table have met or been partners before."""
        return any(
            reason["code"] in (ReasonCode.MET_BEFORE, ReasonCode.PARTNERED_BEFORE) for reason in self.reasons
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeView:
    """A bye and its reasons, and how it ``counts_as`` in standings that the reader may see."""

    entry: int
    entry_id: int
    names: str
    reasons: Sequence[PlainReason]
    counts_as: OutcomeKind | None = None

    @property
    def kind(self) -> ByeKind:
        return bye_kind(self.reasons)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundView(WithPlaces):
    """A round with its tables and byes. ``meetings`` are the scores between clubs, and ``changes`` why the
    draw is outdated, where computed."""

    number: int
    state: str
    draw_format: str
    seed: int
    tables: tuple[TableView, ...]
    byes: tuple[ByeView, ...]
    meetings: tuple[RoundMeeting, ...]
    results_seen: Results
    changes: Changes | None = None

    @property
    def is_kept_back(self) -> bool:
        """Whether its results are hidden from the reader."""
        return self.results_seen is Results.NOTHING

    @property
    def state_name(self) -> str:
        return str(RoundState(self.state).label)

    @property
    def is_playing(self) -> bool:
        return self.state in OPEN

    @property
    def is_by_price(self) -> bool:
        """Whether it was drawn by price, or a group of it may have been."""
        return self.draw_format in {*PRICED, "stages"}

    @property
    def has_chances(self) -> bool:
        """Whether a table shows chances of winning."""
        return any(table.chance for table in self.tables)

    @property
    def results(self) -> int:
        """Number of tables with a result."""
        return sum(table.is_over for table in self.tables)


def free_entries(drawn: Round, lineup: Lineup, entrants: Iterable[Entry]) -> list[tuple[int, str]]:
    """Return the number and name of entrants without a table that have not withdrawn or left the bracket. No
    query."""
    seated = {entry for table in lineup.tables for entry in (*table.a, *table.b)}
    have_byes = {bye.entry for bye in lineup.byes}
    is_bracket = any(is_bracket_slot(drawn.event.plan, table.slot) for table in lineup.tables)
    return [
        (entry.number, full_names(entry))
        for entry in entrants
        if entry.pk not in seated and not entry.is_waiting and entry.leaves_after is None
        if not is_bracket or entry.pk in have_byes or entry.arrives >= drawn.number
    ]


def round_view(
    drawn: Round,
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
    event = drawn.event
    seen = event.visible.results_in(drawn.number) if is_public else Results.HANDS
    lineup = lineup or lineup_of(drawn, tables=tables)
    entries = {entry.pk: entry for entry in (entries_of(event) if entrants is None else entrants)}
    entered = entries.values()
    is_draft = drawn.state == RoundState.DRAFT
    tells_counts = not is_public or (
        seen is not Results.NOTHING and event.visible.standings is not Ranks.NOTHING
    )
    reader = RoundReader(
        event=event,
        entries=entries,
        named=public_naming(event) if is_public else full_name,
        entry_named=entries_named_in(event, entered) if is_public else entries_named_in_full(entered),
        tells=_tells_publicly(drawn) if is_public else _is_told if drawn.number > 1 else _is_said,
        chances=chances_of_event(event),
    )
    structure = event_structure(event)
    played = {} if is_draft else played_tables(drawn, tables=tables)
    sat_out = players_then([(drawn, entries[bye.entry]) for bye in lineup.byes])
    shown = tuple(
        _table(table, reader, structure, played.get(table.number), held=drawn.held, seen=seen)
        for table in lineup.tables
    )
    return RoundView(
        number=drawn.number,
        state=drawn.state,
        draw_format=drawn.draw_format,
        seed=drawn.seed,
        tables=shown,
        meetings=round_meetings(_finished_tables(shown)) if event.is_interclub else (),
        byes=tuple(
            ByeView(
                entry=entries[bye.entry].number,
                entry_id=bye.entry,
                names=reader.side(sat_out[drawn.pk, bye.entry], [entries[bye.entry]]),
                reasons=reader.reasons(bye),
                counts_as=kind_of_bye(event.plan, bye.slot, why_sat_out(each.code for each in bye.reasons))
                if tells_counts
                else None,
            )
            for bye in lineup.byes
        ),
        results_seen=seen,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundReader:
    """Reader of a round: which names and reasons they see."""

    event: Event
    entries: Mapping[int, Entry]
    named: Named
    entry_named: EntryNamed
    tells: Callable[[Mapping[str, Any]], bool]
    chances: Chances

    def reasons(self, drawn: DrawnTable | DrawnBye) -> list[PlainReason]:
        """Return the reasons as plain data, with names of the entries in them."""
        seated = len(drawn.a) + len(drawn.b) if isinstance(drawn, DrawnTable) else 2
        return [
            with_names(reason, self.entries, self.entry_named, seated=seated)
            for reason in reasons_to_json(drawn.reasons)
        ]

    def side(self, people: Sequence[Person], partners: Sequence[Entry]) -> str:
        """Name a side by its entries, or by its people if there is a substitute."""
        if {person.pk for person in people} == {one.pk for entry in partners for one in entry.players}:
            return join_names([self.entry_named(entry) for entry in partners])
        return join_names([self.named(person) for person in people])


def with_names(
    reason: Mapping[str, Any], entries: Mapping[int, Entry], named: EntryNamed, *, seated: int
) -> dict[str, Any]:
    """Add the names of the entries in a reason, unless it is about all that are ``seated``."""
    told = reason.get("entries", ()) or [reason[key] for key in ("entry",) if key in reason]
    names = [named(entries[entry]) for entry in told if entry in entries]
    says_whom = names and len(names) < seated
    return {**reason, "names": names} if says_whom else dict(reason)


def _finished_tables(tables: Iterable[TableView]) -> Iterator[FinishedTable]:
    for table in tables:
        if table.is_over:
            yield FinishedTable(
                clubs=[side.club for side in table.sides],
                sides=table.sides,
                is_forfeit=table.ruling_kind is not None and table.ruling_kind.is_forfeit,
            )


def bracket_places(drawn: Round) -> list[MatchPlace | None]:
    """Return the place of each table of a round in its bracket. No query where there is none; six at most."""
    if not drawn.event.has_bracket:
        return []
    structure = event_structure(drawn.event)
    return [structure.place_of(table.slot, []) for table in lineup_of(drawn).tables]


def next_places(known: EventSnapshot, slots: Iterable[str]) -> list[MatchPlace | None]:
    """Return the places of the next round's tables in their stage, each once."""
    structure = structure_of(*seated_of(known))
    return [structure.place_of(slot) for slot in sorted(slots)]


def _table(
    drawn: DrawnTable,
    reader: RoundReader,
    structure: EventStructure,
    table: Table | None,
    *,
    held: Sequence[int],
    seen: Results,
) -> TableView:
    ruling = table.ruling if table is not None and seen is not Results.NOTHING else None
    match = table.match if table is not None else None
    played = match.summary if match is not None and seen is not Results.NOTHING else {}
    sides = tuple(
        table_side(side, partners, reader, table, seen)
        for side, partners in zip(Side, (drawn.a, drawn.b), strict=True)
    )
    return TableView(
        number=drawn.number,
        place=structure.place_of(drawn.slot, [side.club for side in sides]),
        match=None if match is None else match.pk,
        sides=sides,
        is_over=ruling is not None or (match is not None and match.is_over and seen is not Results.NOTHING),
        is_contested=match is not None and match.has_rivals and ruling is None and seen is Results.HANDS,
        is_held=drawn.number in held,
        ruling_kind=director_decision(ruling, played),
        reasons=[reason for reason in reader.reasons(drawn) if reader.tells(reason)],
        chance=None if table is None else chance_at(table, reader.chances, seen),
    )


def table_side(
    side: Side, partners: Partners, reader: RoundReader, table: Table | None, seen: Results
) -> TableSide:
    """Build one side of a table with as much of its result as is ``seen``. ``table`` has its match and
    players, and is None for a draft. No query."""
    match = table.match if table is not None else None
    entries = [reader.entries[entry] for entry in partners]
    people = [person for entry in entries for person in entry.players]
    counted: Mapping[str, Any] = {}
    if match is not None:
        people = [player.person for player in match.players.all() if player.seat % 2 == side]
        counted = match.summary if seen is not Results.NOTHING else {}
    if table is not None and table.ruling is not None and seen is not Results.NOTHING:
        counted = table.ruling
    points = counted.get("points")
    if match is not None and not match.is_over and counted and counted is match.summary:
        points = counted["running"]
    games = counted.get("games_won")
    return TableSide(
        colour=COLOURS[side],
        entries=tuple(entry.number for entry in entries),
        entry_ids=tuple(entry.pk for entry in entries),
        club=next((club_played_for(reader.event, entry) for entry in entries), ""),
        people=tuple(SeatedPerson(name=reader.named(person), pk=person.pk) for person in people),
        names=reader.side(people, entries),
        points=None if points is None else points[side],
        games_won=None if games is None else games[side],
        has_won=counted.get("winner") == side.name,
    )


def _tells_publicly(drawn: Round) -> Callable[[Mapping[str, Any]], bool]:
    """Return a function that tells which reasons are public."""
    tells = drawn.event.visible.tells_why_drawn(drawn.number)
    return lambda reason: tells and reason["code"] in TOLD_PUBLICLY and _is_told(reason)


def _is_said(reason: Mapping[str, Any]) -> bool:
    """Check whether the draft of a first round shows the reason: there, the lot is worth telling."""
    return reason["code"] == ReasonCode.BY_LOT or _is_told(reason)


def _is_told(reason: Mapping[str, Any]) -> bool:
    """Check whether the draft shows the reason. The lot is shown only after a table that nobody won, and
    another possible opponent only if avoiding a repeat decided."""
    if reason["code"] == ReasonCode.INSTEAD_OF:
        return "repeats" in reason["levels"] and "forbidden" not in reason["levels"]
    return reason["code"] != ReasonCode.BY_LOT or "table" in reason


def planned_rounds(event: Event, entries: Iterable[Entry]) -> int | None:
    """Return the number of rounds in the event's plan for these entries, not counting those waiting; None if
    open. No query."""
    sections = [entry.section for entry in entries if not entry.is_waiting]
    return rounds_of_plan(event.plan, len(sections), sections)
