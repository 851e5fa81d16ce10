"""A report as a value: the entries by starting number, the results, and the event's data."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import compress
from operator import not_

from engine.draws.values import Bond, DrawInput, Entrant, EntryId, PlayedPairing
from errors import Refusal
from rules import Side

APART = "apart"
"""The kind of bond between entries that a report keeps apart."""


UNDECIDED = " "
"""The result of a match of the current round that has none yet."""


class TrfAbsence(StrEnum):
    """The kinds of an absence: a bye by request, or a missed round."""

    FULL = "F"
    HALF = "H"
    ZERO = "Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class PointSystem:
    """The points of each result, in tenths of a point. A requested bye counts as a win, a draw or an
    absence."""

    win: int = 10
    draw: int = 5
    loss: int = 0
    bye: int = 10
    absence: int = 0
    forfeit_loss: int = 0

    def get_points(self, code: str) -> int:
        """Return the points of the result with this code."""
        return {
            **dict.fromkeys("1W+F", self.win),
            **dict.fromkeys("=DH", self.draw),
            **dict.fromkeys("0L", self.loss),
            "-": self.forfeit_loss,
            "U": self.bye,
            "Z": self.absence,
            UNDECIDED: 0,
        }[code]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportEntry:
    """An entry by its starting number, which is its id in the history of the report.

    ``absences`` has by round how it sat out, or will: by request or absent. ``given`` has by round, 0 for none,
    the tenths of a point that the arbiter gave or took. ``rank`` and ``rating`` are 0 if there is none; ``team``
    is the one that it plays for.
    """

    id: EntryId
    name: str
    team: str = ""
    rating: int = 0
    rank: int = 0
    absences: Mapping[int, TrfAbsence] = field(default_factory=dict, hash=False)
    given: Mapping[int, int] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfReport:
    """An event after some of its ``rounds``. ``pending`` are the tables of the last one without a result;
    ``drawn`` is the last one if all had a bye in it.

    ``apart`` are groups of entries none of whom are to meet, ``apart_first`` those that hold in the first so
    many rounds. ``tiebreaks`` are FIDE's codes, first to last; ``extension`` is what this program adds.
    """

    name: str = ""
    entries: tuple[ReportEntry, ...] = ()
    history: tuple[PlayedPairing, ...] = ()
    pending: tuple[PlayedPairing, ...] = ()
    drawn: int = 0
    rounds: int | None = None
    points: PointSystem = PointSystem()
    first_side: Side | None = None
    apart: tuple[tuple[EntryId, ...], ...] = ()
    apart_first: tuple[tuple[int, tuple[EntryId, ...]], ...] = ()
    tiebreaks: tuple[str, ...] = ()
    extension: str = ""
    city: str = ""
    federation: str = ""
    starts_on: str = ""
    ends_on: str = ""
    system: str = ""
    arbiter: str = ""

    @property
    def rounds_played(self) -> int:
        """The last round that was drawn; requested byes beyond it are for the next ones."""
        absences = {(entry.id, number) for entry in self.entries for number in entry.absences}
        drawn_rounds = (
            played.round
            for played in (*self.history, *self.pending)
            if played.b or (played.a[0], played.round) not in absences
        )
        return max((self.drawn, *drawn_rounds))


@dataclass(frozen=True, slots=True)
class TrfCell:
    """The result of an entry in a round."""

    code: str
    opponent: EntryId | None = None
    side: Side | None = None


def _build_empty_cells(report: TrfReport) -> dict[EntryId, dict[int, TrfCell]]:
    cells: dict[EntryId, dict[int, TrfCell]] = {}
    for entry in report.entries:
        if entry.id in cells:
            raise Refusal("drawn_twice", field="entries", entry=entry.id)
        cells[entry.id] = {}
    return cells


def build_cells(report: TrfReport) -> dict[EntryId, dict[int, TrfCell]]:
    """Return by entry and round its result; an absence in played rounds without one.

    Refuses: drawn_twice, no_such_entrant, not_one_a_side.
    """
    cells_by_entry = _build_empty_cells(report)
    absences = {entry.id: entry.absences for entry in report.entries}
    tables = [(played, _get_code) for played in report.history]
    tables += [(played, _get_undecided_code) for played in report.pending]
    for played, get_code in tables:
        for side in (Side.A, Side.B):
            for entry, cell in _build_pairing_cells(played, side, absences, get_code):
                if played.round in cells_by_entry[entry]:
                    raise Refusal("drawn_twice", field="history", entry=entry, round=played.round)
                cells_by_entry[entry][played.round] = cell
    for entry, rounds in cells_by_entry.items():
        for number, letter in absences[entry].items():
            rounds.setdefault(number, TrfCell(letter.value))
        for number in range(1, report.rounds_played + 1):
            rounds.setdefault(number, TrfCell(TrfAbsence.ZERO.value))
    return cells_by_entry


def _build_pairing_cells(
    played: PlayedPairing,
    side: Side,
    absences: Mapping[EntryId, Mapping[int, TrfAbsence]],
    get_code: Callable[[PlayedPairing, Side], str],
) -> list[tuple[EntryId, TrfCell]]:
    if len(played.a) != 1 or len(played.b) > 1:
        raise Refusal("not_one_a_side", field="history", round=played.round)
    for entry in (*played.a, *played.b):
        if entry not in absences:
            raise Refusal("no_such_entrant", field="history", entry=entry, round=played.round)
    if not played.b:
        if side is Side.B:
            return []
        requested_bye = absences[played.a[0]].get(played.round)
        return [(played.a[0], TrfCell("U" if requested_bye is None else requested_bye.value))]
    entry, opponent = (*played.a, *played.b) if side is Side.A else (*played.b, *played.a)
    return [(entry, TrfCell(get_code(played, side), opponent, side))]


def _get_code(played: PlayedPairing, side: Side) -> str:
    if played.is_forfeit:
        return "+" if played.winner is side else "-"
    if played.winner is None:
        return "="
    return "1" if played.winner is side else "0"


def _get_undecided_code(played: PlayedPairing, side: Side) -> str:
    return UNDECIDED


def build_report(
    draw_input: DrawInput,
    names: Mapping[EntryId, str],
    *,
    requested_byes: TrfAbsence = TrfAbsence.HALF,
    get_absence: Callable[[Entrant, int], TrfAbsence] = lambda entrant, number: TrfAbsence.ZERO,
    must_not: Collection[str] = (),
    undecided_tables: Collection[tuple[int, int]] = (),
    frame: TrfReport | None = None,
) -> TrfReport:
    """Return the report of the event before this round, with names as far as they are known.

    Starting numbers are assigned again, without gaps. Requested byes count as ``requested_byes``, missed rounds as
    ``get_absence`` returns. Entries that share a bond of a kind in ``must_not`` are kept apart. Everything except
    entries and history comes from ``frame``. A match without a winner counts as drawn, unless its round and table
    are in ``undecided_tables``.

    Refuses: no_such_entrant, if the history names an unknown entrant.
    """
    starting_list = sorted(draw_input.entrants, key=lambda entrant: entrant.number)
    number = {entrant.id: EntryId(place) for place, entrant in enumerate(starting_list, 1)}
    rank = {entrant.id: place for place, entrant in enumerate(draw_input.entrants, 1)}
    history = [played for played in draw_input.history if played.round < draw_input.round]
    for played in history:
        for entry in (*played.a, *played.b):
            if entry not in number:
                raise Refusal("no_such_entrant", field="history", entry=entry, round=played.round)
    seated = {(entry, played.round) for played in history for entry in (*played.a, *played.b)}
    byes = {(entry, played.round) for played in history if not played.b for entry in played.a}

    def list_absences(entrant: Entrant) -> dict[int, TrfAbsence]:
        requested = {
            number: requested_byes
            for number in sorted(entrant.requested_byes)
            if number == draw_input.round or (entrant.id, number) in byes
        }
        missed_rounds = {
            number: get_absence(entrant, number)
            for number in range(1, draw_input.round + 1)
            if not entrant.is_present(number) and (entrant.id, number) not in seated
        }
        return requested | missed_rounds

    def renumber(pairings: Iterable[PlayedPairing]) -> tuple[PlayedPairing, ...]:
        return tuple(
            PlayedPairing(
                round=played.round,
                a=tuple(number[entry] for entry in played.a),
                b=tuple(number[entry] for entry in played.b),
                winner=played.winner,
                is_forfeit=played.is_forfeit,
            )
            for played in pairings
        )

    is_pending = [bool(played.b) and (played.round, played.table) in undecided_tables for played in history]
    always_separated, first_separated = _group_separated(starting_list, number, must_not)
    return replace(
        frame or TrfReport(),
        entries=tuple(
            ReportEntry(
                id=number[entrant.id],
                name=names.get(entrant.id, str(number[entrant.id])),
                team=next((bond.name for bond in entrant.bonds if bond.kind == "club"), ""),
                rank=rank[entrant.id],
                absences=list_absences(entrant),
            )
            for entrant in starting_list
        ),
        history=renumber(compress(history, map(not_, is_pending))),
        pending=renumber(compress(history, is_pending)),
        apart=always_separated,
        apart_first=first_separated,
    )


def _group_separated(
    entrants: Collection[Entrant], number: Mapping[EntryId, EntryId], kinds: Collection[str]
) -> tuple[tuple[tuple[EntryId, ...], ...], tuple[tuple[int, tuple[EntryId, ...]], ...]]:
    """Return the groups that are kept apart always, and those in the first so many rounds."""
    groups: dict[Bond, list[EntryId]] = {}
    for entrant in entrants:
        for bond in sorted(entrant.bonds, key=lambda bond: (bond.kind, bond.name)):
            if bond.kind in kinds:
                groups.setdefault(bond, []).append(number[entrant.id])
    shared = {bond: tuple(group) for bond, group in groups.items() if len(group) > 1}
    return (
        tuple(sorted(group for bond, group in shared.items() if bond.rounds is None)),
        tuple(sorted((bond.rounds, group) for bond, group in shared.items() if bond.rounds is not None)),
    )


def build_draw_input(report: TrfReport, *, seed: int = 0) -> DrawInput:
    """Return the input for the next round of a report, drawn by score, in tenths, and by starting number
    among equals.

    Groups to be kept apart share a bond of the kind ``APART``, which the settings must forbid; teams share
    one of a club, which a draw avoids.
    """
    scores: dict[tuple[EntryId, int], int] = {}
    given = {entry.id: sum(entry.given.values()) for entry in report.entries}
    for entry, rounds in build_cells(report).items():
        total = given[entry]
        for number in range(1, report.rounds_played + 2):
            scores[entry, number] = total
            total += report.points.get_points(rounds[number].code) if number <= report.rounds_played else 0
    next_round = report.rounds_played + 1
    entrants = [
        Entrant(
            id=entry.id,
            number=entry.id,
            score=scores[entry.id, next_round],
            bonds=_build_bonds(report, entry),
            absent=frozenset(number for number, absence in entry.absences.items() if absence is TrfAbsence.ZERO),
            requested_byes=frozenset(
                number for number, absence in entry.absences.items() if absence is not TrfAbsence.ZERO
            ),
        )
        for entry in report.entries
    ]
    return DrawInput(
        round=next_round,
        entrants=tuple(sorted(entrants, key=lambda entrant: (-entrant.score, entrant.number))),
        history=tuple(
            replace(played, scores=(scores[played.a[0], played.round], scores[played.b[0], played.round]))
            if played.b
            else played
            for played in (*report.history, *report.pending)
        ),
        settings={"must_not": [APART]} if report.apart or report.apart_first else {},
        seed=seed,
    )


def _build_bonds(report: TrfReport, entry: ReportEntry) -> frozenset[Bond]:
    groups = [*((None, group) for group in report.apart), *report.apart_first]
    separating_bonds = (
        Bond(APART, str(place), rounds) for place, (rounds, group) in enumerate(groups) if entry.id in group
    )
    return frozenset([*separating_bonds, *([Bond("club", entry.team)] if entry.team else [])])
