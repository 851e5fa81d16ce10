"""A match's beginning and end, and the cards that lie on the tables."""

import secrets
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils import timezone

from clubs.models import Club, Person
from live.revisions import raise_revision
from rules import MatchState, Refusal, Seat
from scoring.folding import summary_of
from scoring.models import Match, Player, TableCard, Terms
from scoring.signals import match_changed

from .saving import locked, save_change

_CODES = 1_000_000


@transaction.atomic
def issue_cards(
    *, club: Club, topic: str, count: int, public_page: str = "", desk_page: str = ""
) -> list[TableCard]:
    """Cards for tables 1 to ``count``, each with a code that no other card has. Safe to repeat."""
    have = set(TableCard.objects.filter(topic=topic).values_list("number", flat=True))
    missing = [number for number in range(1, count + 1) if number not in have]
    TableCard.objects.bulk_create(
        TableCard(
            club=club,
            topic=topic,
            number=number,
            code=code,
            public_page=public_page,
            desk_page=desk_page,
        )
        for number, code in zip(missing, _unused_codes(len(missing)), strict=True)
    )
    return list(TableCard.objects.filter(topic=topic).order_by("number"))


def _unused_codes(count: int) -> set[str]:
    """Codes of six random digits. A club has some hundred cards, so the first try nearly always does."""
    codes: set[str] = set()
    while len(codes) < count:
        codes |= {f"{secrets.randbelow(_CODES):06}" for _ in range(count - len(codes))}
        codes -= set(TableCard.objects.filter(code__in=codes).values_list("code", flat=True))
    return codes


@transaction.atomic
def open_match(*, card: TableCard, terms: Terms, round_number: int, players: Sequence[Person]) -> Match:
    """A new match at the card's table; ``players`` are in the order of the seats, clockwise."""
    nothing = MatchState(ruleset=terms.ruleset, match_format=terms.match_format, dealer=Seat(0))
    match = Match.objects.create(
        card=card,
        terms=terms,
        round_number=round_number,
        opened_at=timezone.now(),
        summary=summary_of(nothing, next_number=1),
    )
    Player.objects.bulk_create(
        Player(match=match, seat=seat, person=person) for seat, person in enumerate(players)
    )
    return match


@transaction.atomic
def name_first_dealer(*, match_id: int, seat: int) -> Match:
    """Says who dealt first, from which all later dealers follow. Safe to repeat.

    Refuses: match_closed, no_such_seat.
    """
    match = locked(match_id)
    if match.first_dealer == seat:
        return match
    seats = match.terms.ruleset.seats
    if match.closed_at is not None:
        raise Refusal("match_closed", field="dealer")
    if not 0 <= seat < seats:
        raise Refusal("no_such_seat", field="dealer", seats=seats)
    match.first_dealer = seat
    save_change(match)
    return match


@transaction.atomic
def close_matches(*, match_ids: Iterable[int]) -> None:
    """From now on only a director changes these matches. Safe to repeat."""
    _set_closed(match_ids, closed=True)


@transaction.atomic
def reopen_matches(*, match_ids: Iterable[int]) -> None:
    """The tables may mark again. Safe to repeat."""
    _set_closed(match_ids, closed=False)


def _set_closed(match_ids: Iterable[int], *, closed: bool) -> None:
    changing = Match.objects.filter(pk__in=match_ids, closed_at__isnull=closed).select_related("card")
    # All locks first, in one order: two who close or reopen at once wait for each other, not both.
    matches = list(changing.select_for_update(of=("self",)).order_by("pk"))
    now = timezone.now() if closed else None
    for match in matches:
        match.closed_at, match.revision = now, match.revision + 1
    Match.objects.bulk_update(matches, ["closed_at", "revision"])
    for match in matches:
        match_changed.send(Match, match=match, result_changed=False)
    for topic in sorted({match.card.topic for match in matches}):
        raise_revision(topic)


@transaction.atomic
def withdraw_match(*, match_id: int) -> None:
    """The undo of ``open_match``. Refuses: match_has_marks."""
    match = locked(match_id)
    if match.marks.exists():
        raise Refusal("match_has_marks", table=match.card.number)
    match.delete()


@transaction.atomic
def close_cards(*, topic: str) -> None:
    """The evening is over: its codes open nothing any more. Safe to repeat."""
    TableCard.objects.filter(topic=topic, closed_at=None).update(closed_at=timezone.now())


@transaction.atomic
def reopen_cards(*, topic: str) -> None:
    """The undo of ``close_cards``. Safe to repeat."""
    TableCard.objects.filter(topic=topic).update(closed_at=None)
