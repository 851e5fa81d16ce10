"""An event as a file has it (``event_files``): everything by starting numbers, rounds and tables."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q

from rules import Side
from scoring.models import Agreement, Dispute, Mark, Match, Player
from tournaments.draws.lineups import renumbered
from tournaments.event_files import ByHand, Content, Deed, changes_by_hand, with_sums
from tournaments.event_settings import plain_event_settings, settings_of
from tournaments.models import Action, Event, Round, Seating, Standings, Table

Numbers = Mapping[int, int]
"""The starting number of each entry."""


def event_file_of(event: Event) -> Content:
    """The whole event, with its sums. Fifteen queries, however large it is."""
    entries = list(event.entries.select_related("player_1", "player_2").order_by("number"))
    numbers = {entry.pk: entry.number for entry in entries}
    matches = _matches(event)
    content = {
        "event": {
            "name": event.name,
            "short": event.short,
            "club": event.club.name,
            "held_on": event.held_on.isoformat(),
            "state": str(event.state),
            "settings": plain_event_settings(settings_of(event)),
            "lot": event.lot,
        },
        "entries": [
            {
                "number": entry.number,
                "players": [person.name for person in entry.players],
                "section": entry.section,
                "team": entry.team,
                "rating": entry.rating,
                "table": entry.table,
                "is_waiting": entry.is_waiting,
                "signed_up_at": _moment(entry.signed_up_at),
                "present_at": _moment(entry.present_at),
                "arrives": entry.arrives,
                "leaves_after": entry.leaves_after,
                "absent": entry.absent,
                "byes_asked": entry.byes_asked,
            }
            for entry in entries
        ],
        "adjustments": [
            {
                "entry": numbers[given.entry_id],
                "metric": given.metric,
                "amount": given.amount,
                "round": given.round,
                "reason": given.reason,
            }
            for given in event.adjustments.all()
        ],
        "rounds": _rounds(event, numbers, matches),
        "set_aside": [
            {"round": match.round_number, "table": match.card.number, "match": plain}
            for match, plain in matches.values()
            if match.withdrawn_at is not None
        ],
        "standings": _standings(event),
    }
    return with_sums(content)


def _standings(event: Event) -> dict[str, Any] | None:
    kept = Standings.objects.filter(event=event).defer("charts").first()
    if kept is None:
        return None
    return {
        "computed_at": _moment(kept.computed_at),
        "rows": kept.rows,
        "counted": kept.counted,
        "contradictions": kept.contradictions,
    }


def _rounds(
    event: Event, numbers: Numbers, matches: Mapping[int, tuple[Match, dict[str, Any]]]
) -> list[dict[str, Any]]:
    rounds = list(event.rounds.order_by("number"))
    seated = _seated(event)
    tables: dict[int, list[Table]] = defaultdict(list)
    for table in Table.objects.filter(round__event=event).order_by("number"):
        tables[table.round_id].append(table)
    deeds, rulings = _deeds(event)
    plain = []
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
                "published_at": _moment(drawn.published_at),
                "started_at": _moment(drawn.started_at),
                "closed_at": _moment(drawn.closed_at),
                "draw": _draw(drawn, numbers),
                **lineup,
                "by_hand": [_by_hand(each, numbers) for each in changes_by_hand(deeds[drawn.number])],
                "rulings": rulings[drawn.number],
            }
        )
    return plain


def _match_at(
    table: Table | None, matches: Mapping[int, tuple[Match, dict[str, Any]]]
) -> dict[str, Any] | None:
    return None if table is None or table.match_id is None else matches[table.match_id][1]


def _draw(drawn: Round, numbers: Numbers) -> dict[str, Any]:
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


def _certificate(plain: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    def number(entry: int | None) -> int | None:
        return None if entry is None else numbers[entry]

    return {
        "units": plain["units"],
        "prices": [[number(entry), price] for entry, price in plain["prices"]],
        "blossoms": [
            [sorted(map(number, held), key=lambda entry: (entry is None, entry or 0)), rebate]
            for held, rebate in plain["blossoms"]
        ],
    }


def _seated(event: Event) -> Mapping[int, list[Seating]]:
    """By round, who sits where."""
    found: dict[int, list[Seating]] = defaultdict(list)
    for seating in Seating.objects.filter(round__event=event).order_by("table", "side", "place", "pk"):
        found[seating.round_id].append(seating)
    return found


def _lineup(
    drawn: Round, tables: Iterable[Table], seated: Iterable[Seating], numbers: Numbers
) -> dict[str, Any]:
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


def _table(plain: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    return {
        "number": plain["number"],
        "slot": plain["slot"],
        "a": [numbers[entry] for entry in plain["a"]],
        "b": [numbers[entry] for entry in plain["b"]],
        "reasons": renumbered(plain["reasons"], numbers),
    }


def _bye(plain: Mapping[str, Any], numbers: Numbers) -> dict[str, Any]:
    return {
        "entry": numbers[plain["entry"]],
        "slot": plain["slot"],
        "reasons": renumbered(plain["reasons"], numbers),
    }


def _deeds(event: Event) -> tuple[Mapping[int, list[Deed]], Mapping[int, list[dict[str, Any]]]]:
    """Out of the history, by round: what changed its line-up, and the director's results."""
    deeds: dict[int, list[Deed]] = defaultdict(list)
    rulings: dict[int, list[dict[str, Any]]] = defaultdict(list)
    history = event.actions.exclude(Q(changes={}) | Q(changes__lineups={}, changes__rulings=[]))
    for action in history.select_related("account").order_by("pk"):
        line = _done_by(action)
        rounds = {int(number): each for number, each in action.changes.get("lineups", {}).items()}
        if action.kind == "draw_round":
            rounds.setdefault(action.details["round"], {})
        for number, changed in rounds.items():
            is_of_draft = any(row[0] == "round" for row in action.changes["rows"])
            deeds[number].append(
                Deed(
                    key=action.pk,
                    kind=action.kind,
                    undoes=action.undoes_id,
                    changed=changed,
                    line=line | {"is_of_draft": is_of_draft},
                )
            )
        for number, table, before, after in action.changes.get("rulings", ()):
            rulings[number].append(line | {"table": table, "before": before, "after": after})
    return deeds, rulings


def _done_by(action: Action) -> dict[str, Any]:
    return {
        "at": _moment(action.created_at),
        "by": "" if action.account is None else action.account.name,
        "origin": action.origin,
        "kind": action.kind,
        "reason": action.reason,
    }


def _by_hand(each: ByHand, numbers: Numbers) -> dict[str, Any]:
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


def _matches(event: Event) -> dict[int, tuple[Match, dict[str, Any]]]:
    """The matches of the event by key, with all that was written of them. Five queries."""
    matches = Match.objects.filter(card__topic=event.topic).select_related("card")
    found: dict[int, tuple[Match, dict[str, Any]]] = {}
    for match in matches.order_by("round_number", "card__number", "pk"):
        plain = {
            "opened_at": _moment(match.opened_at),
            "closed_at": _moment(match.closed_at),
            "first_dealer": match.first_dealer,
            "players": [],
            "summary": match.summary,
            "is_over": match.is_over,
            "has_rivals": match.has_rivals,
            "marks": [],
            "agreements": [],
            "calls": [],
        }
        found[match.pk] = match, plain
    _add_players(event, found)
    _add_marks(event, found)
    _add_said(event, found)
    return found


def _add_players(event: Event, found: Mapping[int, tuple[Match, dict[str, Any]]]) -> None:
    players = Player.objects.filter(match__card__topic=event.topic).order_by("match", "seat")
    for match, name in players.values_list("match", "person__name"):
        found[match][1]["players"].append(name)


def _add_marks(event: Event, found: Mapping[int, tuple[Match, dict[str, Any]]]) -> None:
    """The log of each match in the order in which it was written: lines are known by their place in it."""
    places: dict[int, int] = {}
    marks = Mark.objects.filter(match__card__topic=event.topic).order_by("pk")
    for pk, match, number, record, status, supersedes, at, by, device, reason in marks.values_list(
        "pk",
        "match",
        "number",
        "record_data",
        "status",
        "supersedes",
        "created_at",
        "account__name",
        "device",
        "reason",
    ).iterator(chunk_size=5_000):
        log = found[match][1]["marks"]
        places[pk] = len(log) + 1
        log.append(
            {
                "place": number,
                "record": record,
                "status": status,
                "supersedes": None if supersedes is None else places[supersedes],
                "at": _moment(at),
                "by": by or "",
                "device": device,
                "reason": reason,
            }
        )


def _add_said(event: Event, found: Mapping[int, tuple[Match, dict[str, Any]]]) -> None:
    """What sides agreed to, and calls to the desk."""
    for said in Agreement.objects.filter(match__card__topic=event.topic).order_by("pk"):
        found[said.match_id][1]["agreements"].append(
            {
                "game": said.game,
                "side": Side(said.side).name,
                "agreed_to": said.agreed_to,
                "device": said.device,
                "at": _moment(said.created_at),
            }
        )
    calls = Dispute.objects.filter(match__card__topic=event.topic).select_related("settled_by")
    for call in calls.order_by("pk"):
        found[call.match_id][1]["calls"].append(
            {
                "note": call.note,
                "device": call.device,
                "at": _moment(call.created_at),
                "settled_at": _moment(call.settled_at),
                "settled_by": "" if call.settled_by is None else call.settled_by.name,
                "ruling": call.ruling,
            }
        )


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
