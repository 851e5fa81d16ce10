"""What a report says: the entries by starting number, what was played, and the frame of the event."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from engine.draws.values import Bond, DrawInput, Entrant, EntryId, PlayedPairing
from rules import Refusal, Side

APART = "apart"
"""The kind of bond of those whom a report keeps apart."""


class TrfAbsence(StrEnum):
    """How an entry sits out a round by its own wish, or because it is not there."""

    FULL = "F"
    HALF = "H"
    ZERO = "Z"


@dataclass(frozen=True, slots=True, kw_only=True)
class PointSystem:
    """What each result counts, in tenths of a point. Who asked for a bye gets a win, a draw or an absence."""

    win: int = 10
    draw: int = 5
    loss: int = 0
    bye: int = 10
    absence: int = 0
    forfeit_loss: int = 0

    def worth(self, code: str) -> int:
        """What the result of this code counts."""
        return {
            **dict.fromkeys("1W+F", self.win),
            **dict.fromkeys("=DH", self.draw),
            **dict.fromkeys("0L", self.loss),
            "-": self.forfeit_loss,
            "U": self.bye,
            "Z": self.absence,
        }[code]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportEntry:
    """An entry by its starting number, which is its id in the history of the report.

    ``out`` tells by round how it sat out, or will, by its own wish; an absence in a round that was played is
    told by the history alone. ``rank`` and ``rating`` are 0 where there is none.
    """

    id: EntryId
    name: str
    rating: int = 0
    rank: int = 0
    out: Mapping[int, TrfAbsence] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrfReport:
    """An event after some of its ``rounds``. ``apart`` are groups of entries none of whom are to meet."""

    name: str = ""
    entries: tuple[ReportEntry, ...] = ()
    history: tuple[PlayedPairing, ...] = ()
    rounds: int | None = None
    points: PointSystem = PointSystem()
    first_side: Side | None = None
    apart: tuple[tuple[EntryId, ...], ...] = ()
    city: str = ""
    federation: str = ""
    starts_on: str = ""
    ends_on: str = ""
    system: str = ""
    arbiter: str = ""

    @property
    def rounds_played(self) -> int:
        """The last round that was drawn; byes asked for beyond it are wishes for the next."""
        out = {(entry.id, number) for entry in self.entries for number in entry.out}
        drawn = (
            played.round for played in self.history if played.b or (played.a[0], played.round) not in out
        )
        return max(drawn, default=0)


@dataclass(frozen=True, slots=True)
class TrfCell:
    """What a report says of an entry in a round."""

    code: str
    opponent: EntryId | None = None
    side: Side | None = None


def _nothing_told(report: TrfReport) -> dict[EntryId, dict[int, TrfCell]]:
    told: dict[EntryId, dict[int, TrfCell]] = {}
    for entry in report.entries:
        if entry.id in told:
            raise Refusal("drawn_twice", field="entries", entry=entry.id)
        told[entry.id] = {}
    return told


def cells_of(report: TrfReport) -> dict[EntryId, dict[int, TrfCell]]:
    """By entry and round what it did; an absence where nothing is told of a round that was played.

    Refuses: drawn_twice, no_such_entrant, not_one_a_side.
    """
    told = _nothing_told(report)
    out = {entry.id: entry.out for entry in report.entries}
    for played in report.history:
        for side in (Side.A, Side.B):
            for entry, cell in _cells(played, side, out):
                if played.round in told[entry]:
                    raise Refusal("drawn_twice", field="history", entry=entry, round=played.round)
                told[entry][played.round] = cell
    for entry, rounds in told.items():
        for number in range(1, report.rounds_played + 1):
            rounds.setdefault(number, TrfCell(TrfAbsence.ZERO.value))
        for number, letter in out[entry].items():
            if number > report.rounds_played:
                rounds[number] = TrfCell(letter.value)
    return told


def _cells(
    played: PlayedPairing, side: Side, out: Mapping[EntryId, Mapping[int, TrfAbsence]]
) -> list[tuple[EntryId, TrfCell]]:
    if len(played.a) != 1 or len(played.b) > 1:
        raise Refusal("not_one_a_side", field="history", round=played.round)
    for entry in (*played.a, *played.b):
        if entry not in out:
            raise Refusal("no_such_entrant", field="history", entry=entry, round=played.round)
    if not played.b:
        if side is Side.B:
            return []
        asked = out[played.a[0]].get(played.round)
        return [(played.a[0], TrfCell("U" if asked in {None, TrfAbsence.ZERO} else str(asked)))]
    entry, opponent = (*played.a, *played.b) if side is Side.A else (*played.b, *played.a)
    return [(entry, TrfCell(_code(played, side), opponent, side))]


def _code(played: PlayedPairing, side: Side) -> str:
    if played.is_forfeit:
        return "+" if played.winner is side else "-"
    if played.winner is None:
        return "="
    return "1" if played.winner is side else "0"


def report_of(
    draw_input: DrawInput,
    names: Mapping[EntryId, str],
    *,
    asked_byes: TrfAbsence = TrfAbsence.HALF,
    must_not: Collection[str] = (),
    frame: TrfReport | None = None,
) -> TrfReport:
    """The event as it stands before this round; names as far as there are any.

    Starting numbers are counted anew, so that none is missing. Byes that were asked for count as
    ``asked_byes`` says; whoever shares a bond of a kind in ``must_not`` is kept apart; of ``frame``, all but
    entries and history is taken over. A match without a winner counts as drawn: leave out what is undecided.

    Refuses: no_such_entrant, where the history names somebody else.
    """
    starting = sorted(draw_input.entrants, key=lambda entrant: entrant.number)
    number = {entrant.id: EntryId(place) for place, entrant in enumerate(starting, 1)}
    rank = {entrant.id: place for place, entrant in enumerate(draw_input.entrants, 1)}
    history = [played for played in draw_input.history if played.round < draw_input.round]
    for played in history:
        for entry in (*played.a, *played.b):
            if entry not in number:
                raise Refusal("no_such_entrant", field="history", entry=entry, round=played.round)
    byes = {(entry, played.round) for played in history if not played.b for entry in played.a}
    return replace(
        frame or TrfReport(),
        entries=tuple(
            ReportEntry(
                id=number[entrant.id],
                name=names.get(entrant.id, str(number[entrant.id])),
                rank=rank[entrant.id],
                out=_out(entrant, draw_input.round, byes, asked_byes),
            )
            for entrant in starting
        ),
        history=tuple(
            PlayedPairing(
                round=played.round,
                a=tuple(number[entry] for entry in played.a),
                b=tuple(number[entry] for entry in played.b),
                winner=played.winner,
                is_forfeit=played.is_forfeit,
            )
            for played in history
        ),
        apart=_apart(starting, number, must_not),
    )


def _out(
    entrant: Entrant, this_round: int, byes: Collection[tuple[EntryId, int]], asked: TrfAbsence
) -> dict[int, TrfAbsence]:
    out = {
        number: asked
        for number in sorted(entrant.byes_asked)
        if number == this_round or (entrant.id, number) in byes
    }
    if not entrant.is_present(this_round):
        out[this_round] = TrfAbsence.ZERO
    return out


def _apart(
    entrants: Collection[Entrant], number: Mapping[EntryId, EntryId], kinds: Collection[str]
) -> tuple[tuple[EntryId, ...], ...]:
    groups: dict[Bond, list[EntryId]] = {}
    for entrant in entrants:
        for bond in sorted(entrant.bonds, key=lambda bond: (bond.kind, bond.name)):
            if bond.kind in kinds:
                groups.setdefault(bond, []).append(number[entrant.id])
    return tuple(sorted(tuple(group) for group in groups.values() if len(group) > 1))


def draw_input_of(report: TrfReport, *, seed: int = 0) -> DrawInput:
    """The next round of a report, to be drawn by score, in tenths, and by starting number among equals.

    Groups that are to be kept apart share a bond of the kind ``APART``, which the settings forbid.
    """
    scores: dict[tuple[EntryId, int], int] = {}
    for entry, rounds in cells_of(report).items():
        total = 0
        for number in range(1, report.rounds_played + 2):
            scores[entry, number] = total
            total += report.points.worth(rounds[number].code) if number <= report.rounds_played else 0
    this_round = report.rounds_played + 1
    entrants = [
        Entrant(
            id=entry.id,
            number=entry.id,
            score=scores[entry.id, this_round],
            bonds=frozenset(
                Bond(APART, str(place)) for place, group in enumerate(report.apart) if entry.id in group
            ),
            absent=frozenset(number for number, out in entry.out.items() if out is TrfAbsence.ZERO),
            byes_asked=frozenset(number for number, out in entry.out.items() if out is not TrfAbsence.ZERO),
        )
        for entry in report.entries
    ]
    return DrawInput(
        round=this_round,
        entrants=tuple(sorted(entrants, key=lambda entrant: (-entrant.score, entrant.number))),
        history=tuple(
            replace(played, scores=(scores[played.a[0], played.round], scores[played.b[0], played.round]))
            if played.b
            else played
            for played in report.history
        ),
        settings={"must_not": [APART]} if report.apart else {},
        seed=seed,
    )
