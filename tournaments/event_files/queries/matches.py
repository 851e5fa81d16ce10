"""Matches in an event file, with everything recorded of each."""

from collections import defaultdict
from collections.abc import Mapping

from rules import Side
from scoring.file_columns import AGREEMENT_COLUMNS, CALL_COLUMNS, MARK_COLUMNS, MATCH_COLUMNS, moment_to_json
from scoring.models import Agreement, Dispute, Mark, Match, Player, TableCard
from tournaments.event_files.queries.people import FilePeople
from tournaments.event_files.schema import Content
from tournaments.models import Event

FileMatches = Mapping[int, tuple[Match, Content]]
"""Each match and its form in a file, by key."""


def matches_to_json(event: Event, people: FilePeople) -> FileMatches:
    """Return the matches of the event by key, with everything recorded of them. Five queries."""
    matches = Match.objects.filter(card__topic=event.topic).select_related("card")
    matches_by_id: dict[int, tuple[Match, Content]] = {}
    for match in matches.order_by("round_number", "card__number", "pk"):
        match_data: Content = {
            **MATCH_COLUMNS.write(match),
            **{name: [] for name in ("players", "marks", "agreements", "calls")},
        }
        matches_by_id[match.pk] = match, match_data
    _add_players(event, matches_by_id, people)
    _add_marks(event, matches_by_id)
    _add_agreements_and_calls(event, matches_by_id)
    return matches_by_id


def _add_players(event: Event, matches_by_id: FileMatches, people: FilePeople) -> None:
    players = Player.objects.filter(match__card__topic=event.topic).order_by("seat")
    players_by_match: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for match, person, name in players.values_list("match", "person", "person__name"):
        players_by_match[match].append((person, name))
    for pk, (_, match_data) in matches_by_id.items():
        match_data["players"] = [people.get_number(*player) for player in players_by_match[pk]]


def _add_marks(event: Event, matches_by_id: FileMatches) -> None:
    """Add the log of each match in the order of writing; marks are referred to by their place in it."""
    places: dict[int, int] = {}
    columns = (*MARK_COLUMNS.required.values(), *MARK_COLUMNS.optional)
    marks = Mark.objects.filter(match__card__topic=event.topic).order_by("pk")
    rows = marks.values_list("pk", "match", "supersedes", "account__name", "written_by", *columns, named=True)
    for row in rows.iterator(chunk_size=5_000):
        log = matches_by_id[row.match][1]["marks"]
        places[row.pk] = len(log) + 1
        superseded_place = None if row.supersedes is None else places[row.supersedes]
        author = row.account__name or row.written_by
        log.append({**MARK_COLUMNS.write(row), "supersedes": superseded_place, "by": author})


def _add_agreements_and_calls(event: Event, matches_by_id: FileMatches) -> None:
    """Add the agreements of sides, and calls to the desk."""
    for agreement in Agreement.objects.filter(match__card__topic=event.topic).order_by("pk"):
        line = {**AGREEMENT_COLUMNS.write(agreement), "side": Side(agreement.side).name}
        matches_by_id[agreement.match_id][1]["agreements"].append(line)
    calls = Dispute.objects.filter(match__card__topic=event.topic).select_related("settled_by")
    for call in calls.order_by("pk"):
        matches_by_id[call.match_id][1]["calls"].append({**CALL_COLUMNS.write(call), "settled_by": call.settler})


def phone_keys(event: Event, matches: FileMatches) -> Content:
    """Return the codes of the table cards, and the keys of the marks of each log, in order. Phones identify a
    match by its table and the time when it was opened. Two queries."""
    keys: dict[int, list[str]] = defaultdict(list)
    marks = Mark.objects.filter(match__card__topic=event.topic).order_by("pk")
    for match, key in marks.values_list("match", "entry_key").iterator(chunk_size=5_000):
        keys[match].append(str(key))
    cards = TableCard.objects.filter(topic=event.topic).order_by("number")
    return {
        "codes": [list(card) for card in cards.values_list("number", "code")],
        "logs": [
            {
                "round": match.round_number,
                "table": match.card.number,
                "opened_at": moment_to_json(match.opened_at),
                "keys": keys[match.pk],
            }
            for match, _ in matches.values()
            if match.pk in keys
        ],
    }
