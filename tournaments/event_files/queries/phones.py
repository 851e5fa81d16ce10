"""Keys by which the phones in a hall know an event, so that they can restore what another laptop lacks."""

from collections import defaultdict

from scoring.file_columns import moment_to_json
from scoring.models import Mark, TableCard
from tournaments.event_files.schema import Content
from tournaments.models import Event

from .matches import FileMatches


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
