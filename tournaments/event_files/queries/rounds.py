"""Rounds in an event file: the draw, the seats, and the director's changes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NotRequired, TypedDict

from django.db.models import Q

from engine.draws.lineups import renumber_reasons
from rules import Side
from tournaments.event_files import ByHand, RoundAction, changes_by_hand
from tournaments.lifecycle import RoundState
from tournaments.models import Action, Event, Round, Seating, Table
from tournaments.rounds.rulings import RulingKind

from .matches import Matches
from .moments import moment_to_json

BROUGHT_IN = "bring_in_event"
"""Kind of the action that has the history from another installation."""

Numbers = Mapping[int, int]
"""Starting numbers by entry, or entries by starting number."""


class FileTable(TypedDict):
    """A table of a round: its entries by number and its reasons; in a published round also its result."""

    number: int
    slot: str | None
    a: list[int]
    b: list[int]
    reasons: Any
    ruling: NotRequired[Any]
    match: NotRequired[Any]


class FileBye(TypedDict):
    entry: int
    slot: str | None
    reasons: Any


class FileLineup(TypedDict):
    tables: list[FileTable]
    byes: list[FileBye]


class FileCertificate(TypedDict):
    """The proof of a price (``engine.draws.pairing_cost``), by numbers; None stands for the bye. If sections
    are drawn apart, ``sections`` has their proofs, and the rest is empty."""

    units: Any
    prices: list[list[int | None]]
    blossoms: list[list[Any]]
    sections: "NotRequired[list[FileCertificate]]"


class FileDraw(TypedDict):
    """Inputs that reproduce the draw of the round, and the proof of its price."""

    format: str
    settings: Any
    seed: int
    order: list[int]
    drawn_from: Any
    price: Any
    certificate: FileCertificate | None
    held: list[int]


class FileMinutes(TypedDict):
    minutes: int | None
    added: int


class FileClock(TypedDict, total=False):
    clock: FileMinutes


class FileAction(TypedDict):
    """An action: who, when and why."""

    at: str | None
    by: str
    origin: str
    kind: str
    reason: str


class FileRuling(FileAction):
    """A ruling of the director: the result of a table before and after."""

    table: int
    before: Any
    after: Any


class FileRound(FileClock, FileLineup):
    number: int
    state: str
    published_at: str | None
    started_at: str | None
    closed_at: str | None
    draw: FileDraw
    by_hand: list[Mapping[str, Any]]
    rulings: list[FileRuling]


def rounds_to_json(event: Event, numbers: Numbers, matches: Matches) -> list[FileRound]:
    rounds = list(event.rounds.order_by("number"))
    seated = _seatings_by_table(event)
    tables: dict[int, list[Table]] = defaultdict(list)
    for table in Table.objects.filter(round__event=event).order_by("number"):
        tables[table.round_id].append(table)
    actions, rulings = _actions(event, {number: entry for entry, number in numbers.items()})
    plain: list[FileRound] = []
    for drawn in rounds:
        lineup = _lineup(drawn, tables[drawn.pk], seated[drawn.pk], numbers)
        at_tables = {table.number: table for table in tables[drawn.pk]}
        for each in lineup["tables"]:
            published = at_tables.get(each["number"])
            each["ruling"] = None if published is None else published.ruling
            each["match"] = _match_at(published, matches)
        plain.append(
            {
                "number": drawn.number,
                "state": str(drawn.state),
                "published_at": moment_to_json(drawn.published_at),
                "started_at": moment_to_json(drawn.started_at),
                "closed_at": moment_to_json(drawn.closed_at),
                **_clock(drawn),
                "draw": _draw(drawn, numbers),
                **lineup,
                "by_hand": [_by_hand(each, numbers) for each in changes_by_hand(actions[drawn.number])],
                "rulings": rulings[drawn.number],
            }
        )
    return plain


def _clock(drawn: Round) -> FileClock:
    """Return the countdown of a closed round, if it had one. The clock of a round in progress is not
    exported."""
    if drawn.state != RoundState.CLOSED or not (drawn.clock_minutes or drawn.added_minutes):
        return {}
    return {"clock": {"minutes": drawn.clock_minutes, "added": drawn.added_minutes}}


def _match_at(table: Table | None, matches: Matches) -> Mapping[str, Any] | None:
    return None if table is None or table.match_id is None else matches[table.match_id][1]


def _draw(drawn: Round, numbers: Numbers) -> FileDraw:
    known = drawn.drawn_from
    return {
        "format": drawn.draw_format,
        "settings": drawn.settings,
        "seed": drawn.seed,
        "order": [numbers[entry] for entry in drawn.order if entry in numbers]
        if known is None
        else known["order"],
        "drawn_from": known,
        "price": drawn.price,
        "certificate": None if drawn.certificate is None else _certificate(drawn.certificate, numbers),
        "held": drawn.held,
    }


def _certificate(plain: Mapping[str, Any], numbers: Numbers) -> FileCertificate:
    def number(entry: int | None) -> int | None:
        return None if entry is None else numbers[entry]

    told: FileCertificate = {
        "units": plain["units"],
        "prices": [[number(entry), price] for entry, price in plain["prices"]],
        "blossoms": [
            [sorted(map(number, held), key=lambda entry: (entry is None, entry or 0)), rebate]
            for held, rebate in plain["blossoms"]
        ],
    }
    if "sections" in plain:
        told["sections"] = [_certificate(section, numbers) for section in plain["sections"]]
    return told


def _seatings_by_table(event: Event) -> Mapping[int, list[Seating]]:
    """Return the seats of each round."""
    found: dict[int, list[Seating]] = defaultdict(list)
    for seating in Seating.objects.filter(round__event=event).order_by("table", "side", "place", "pk"):
        found[seating.round_id].append(seating)
    return found


def _lineup(drawn: Round, tables: Iterable[Table], seated: Iterable[Seating], numbers: Numbers) -> FileLineup:
    if drawn.draft is not None:
        return {
            "tables": [_table(table, numbers) for table in drawn.draft["tables"]],
            "byes": [_bye(bye, numbers) for bye in drawn.draft["byes"]],
        }
    sides: dict[tuple[int | None, int | None], list[int]] = defaultdict(list)
    byes = []
    for seating in seated:
        sides[seating.table_id, seating.side].append(seating.entry_id)
        if seating.table_id is None:
            byes.append({"entry": seating.entry_id, "slot": seating.slot, "reasons": seating.reasons})
    return {
        "tables": [
            _table(
                {
                    "number": table.number,
                    "slot": table.slot,
                    "a": sides[table.pk, Side.A.value],
                    "b": sides[table.pk, Side.B.value],
                    "reasons": table.reasons,
                },
                numbers,
            )
            for table in tables
        ],
        "byes": [_bye(bye, numbers) for bye in byes],
    }


def _table(plain: Mapping[str, Any], numbers: Numbers) -> FileTable:
    return {
        "number": plain["number"],
        "slot": plain["slot"],
        "a": [numbers[entry] for entry in plain["a"]],
        "b": [numbers[entry] for entry in plain["b"]],
        "reasons": renumber_reasons(plain["reasons"], numbers),
    }


def _bye(plain: Mapping[str, Any], numbers: Numbers) -> FileBye:
    return {
        "entry": numbers[plain["entry"]],
        "slot": plain["slot"],
        "reasons": renumber_reasons(plain["reasons"], numbers),
    }


def _actions(
    event: Event, entries: Numbers
) -> tuple[Mapping[int, list[RoundAction]], Mapping[int, list[FileRuling]]]:
    """Return from the history, by round, the changes of its line-up and the director's rulings.

    If the event was imported, its file gives those until then. ``entries`` are keys by number.
    """
    actions: dict[int, list[RoundAction]] = defaultdict(list)
    rulings: dict[int, list[FileRuling]] = defaultdict(list)
    says_nothing = Q(changes={}) | Q(changes__lineups={}, changes__rulings=[])
    history = event.actions.filter(~says_nothing | Q(kind=BROUGHT_IN))
    for action in history.select_related("account").order_by("pk"):
        if action.kind == BROUGHT_IN:
            actions.clear()
            rulings.clear()
        for number, done in action.details.get("earlier", {}).items():
            actions[int(number)] += [_imported_action(each, entries) for each in done["by_hand"]]
            rulings[int(number)] += done["rulings"]
        line = _done_by(action)
        rounds = {int(number): each for number, each in action.changes.get("lineups", {}).items()}
        if action.kind == "draw_round":
            rounds.setdefault(action.details["round"], {})
        for number, changed in rounds.items():
            is_of_draft = any(row[0] == "round" for row in action.changes["rows"])
            actions[number].append(
                RoundAction(
                    key=action.pk,
                    kind=action.kind,
                    undoes=action.undoes_id,
                    changed=changed,
                    line={**line, "is_of_draft": is_of_draft},
                )
            )
        for number, table, before, after in action.changes.get("rulings", ()):
            if RulingKind.TIME_CALLED in (end["kind"] for end in (before, after) if end is not None):
                continue  # a mark in the log of its match
            rulings[number].append({**line, "table": table, "before": before, "after": after})
    return actions, rulings


def _imported_action(line: Mapping[str, Any], entries: Numbers) -> RoundAction:
    """Convert an action from another installation; whatever its kind there, it is a change by hand."""
    tables = [[end and _table(end, entries) for end in ends] for ends in line["tables"]]
    byes = [[end and _bye(end, entries) for end in ends] for ends in line["byes"]]
    return RoundAction(
        key=-1,
        kind=BROUGHT_IN,
        undoes=None,
        changed={
            "tables": {str((before or after)["number"]): [before, after] for before, after in tables},
            "byes": {str((before or after)["entry"]): [before, after] for before, after in byes},
        },
        line={name: value for name, value in line.items() if name not in ("tables", "byes")},
    )


def _done_by(action: Action) -> FileAction:
    return {
        "at": moment_to_json(action.created_at),
        "by": "" if action.account is None else action.account.name,
        "origin": action.origin,
        "kind": action.kind,
        "reason": action.reason,
    }


def _by_hand(each: ByHand, numbers: Numbers) -> Mapping[str, Any]:
    tables = each.changed.get("tables", {})
    byes = each.changed.get("byes", {})
    return {
        **each.line,
        "tables": [
            [None if end is None else _table(end, numbers) for end in tables[key]]
            for key in sorted(tables, key=int)
        ],
        "byes": [
            [None if end is None else _bye(end, numbers) for end in ends]
            for ends in sorted(byes.values(), key=lambda ends: numbers[(ends[0] or ends[1])["entry"]])
        ],
    }
