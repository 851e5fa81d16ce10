"""Players of a table who play elsewhere in the last round of the evening.

Their phones lead them there, so that they mark nothing here by mistake.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Max

from .models import Match, Player, TableCard
from .qr import build_card_path


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSeat:
    """New seat of some people: at a table with its address, or at none (None) if they sit out."""

    names: tuple[str, ...]
    table: int | None = None
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """New seats of the people of a table.

    ``is_own`` if it is about the phone's owner. Without ``seats``, nobody plays here now, and the phone's
    owner is unknown.
    """

    round: int
    is_own: bool
    seats: tuple[NewSeat, ...] = ()


def find_move(match: Match, *, person: int | None, device: str) -> Move | None:
    """Find where the people of a phone play now, None if here.

    It is about the ``person`` whose phone it is, by id. If the owner is unknown, it is about those for whom
    this ``device`` marked here in the round before. Two queries for a person, four at most for a device.
    """
    seats = [] if person is None else _list_seats(person, match.card.topic)
    if seats:
        return _find_person_move(match, seats)
    is_new = match.round_number > 1 and not match.written_marks
    return _find_device_move(match, device) if is_new or match.closed_at is not None else None


def _get_last_round(topic: str) -> int:
    matches = Match.objects.filter(card__topic=topic, withdrawn_at=None)
    last: int = matches.aggregate(last=Max("round_number"))["last"]
    return last


def _list_seats(person: int, topic: str) -> list[Player]:
    """Return the seats of a person in the last round in which they have any."""
    players = Player.objects.filter(person=person, match__card__topic=topic, match__withdrawn_at=None)
    ordered = players.select_related("person", "match__card").order_by("-match__round_number", "-match")
    seats = list(ordered)
    return [seat for seat in seats if seat.match.round_number == seats[0].match.round_number]


def _find_person_move(match: Match, seats: Sequence[Player]) -> Move | None:
    names, round_number = (seats[0].person.name,), seats[0].match.round_number
    last_round = _get_last_round(match.card.topic)
    if round_number < last_round and all(seat.match.closed_at for seat in seats):
        return Move(round=last_round, is_own=True, seats=(NewSeat(names=names),))
    if any(seat.match == match for seat in seats):
        return None
    return Move(round=round_number, is_own=True, seats=tuple(_build_new_seat(seat.match.card, names) for seat in seats))


def _find_device_move(match: Match, device: str) -> Move | None:
    topic, last_round = match.card.topic, _get_last_round(match.card.topic)
    matches = Match.objects.filter(card=match.card_id, round_number=last_round - 1, withdrawn_at=None)
    previous_match = matches.filter(marks__device=device).first()
    if previous_match is None:
        return Move(round=last_round, is_own=False) if match.round_number < last_round else None
    players = Player.objects.filter(match__card__topic=topic, match__round_number=last_round, match__withdrawn_at=None)
    cards_by_person = {seat.person_id: seat.match.card for seat in players.select_related("match__card")}
    names: dict[TableCard | None, list[str]] = {}
    for player in previous_match.players.select_related("person").order_by("seat"):
        names.setdefault(cards_by_person.get(player.person_id), []).append(player.person.name)
    if names.keys() == {match.card}:
        return None
    return Move(
        round=last_round, is_own=False, seats=tuple(_build_new_seat(card, group) for card, group in names.items())
    )


def _build_new_seat(card: TableCard | None, names: Iterable[str]) -> NewSeat:
    if card is None:
        return NewSeat(names=tuple(names))
    return NewSeat(names=tuple(names), table=card.number, url=build_card_path(card))
