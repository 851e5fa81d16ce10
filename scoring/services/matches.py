"""Opening, reseating, closing and withdrawing of matches."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from errors import Refusal
from live.inserts import insert_rows
from rules import MatchState, Seat
from scoring.fold import summary_of
from scoring.models import Mark, Match, Player, TableCard, Terms
from scoring.signals import match_changed

from .log_repair import note_damage
from .match_changes import lock_match, save_change

_CODES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats:
    """The players at a card's table: ``players`` are the ids of people in the order of the seats, clockwise.

    ``known_as`` names whom they play for; without it, they play for themselves. ``own_terms`` as ``Match``
    has them.
    """

    card: TableCard
    players: Sequence[int]
    known_as: str = ""
    own_terms: Mapping[str, Any] | None = None


@transaction.atomic
def open_matches(*, terms: Terms, round_number: int, seats: Sequence[Seats]) -> list[Match]:
    """Open the matches of a round; return them in the same order.

    A match that the same players began at that table, and that was set aside, continues with its marks and,
    if it is not over, with the present players. Six queries, however many tables.
    """
    set_aside = _set_aside(terms, round_number, [each.card.pk for each in seats])
    nothing = MatchState(ruleset=terms.ruleset, match_format=terms.match_format, dealer=Seat(0))
    summary, now = summary_of(nothing, next_number=1), timezone.now()
    matches = []
    for each in seats:
        known = set_aside.pop((each.card.pk, each.known_as or _by_themselves(each.players)), None)
        matches.append(
            known
            or Match(
                card_id=each.card.pk,
                terms_id=terms.pk,
                own_terms=each.own_terms,
                round_number=round_number,
                opened_at=now,
                summary=dict(summary),
            )
        )
    going_on = [match for match in matches if match.pk is not None]
    seated = [
        player
        for match, each in zip(matches, seats, strict=True)
        if match.pk is not None and not match.is_over
        for player in _put_in_seats(match, each.players)
    ]
    Player.objects.bulk_update(seated, ["person"])
    for match in going_on:
        match.withdrawn_at, match.closed_at, match.revision = None, None, match.revision + 1
    Match.objects.filter(pk__in=[match.pk for match in going_on]).update(
        withdrawn_at=None, closed_at=None, revision=F("revision") + 1
    )
    begun = [(match, each) for match, each in zip(matches, seats, strict=True) if match.pk is None]
    Match.objects.bulk_create(match for match, _ in begun)
    insert_rows(
        Player,
        ("match_id", "seat", "person_id"),
        ((match.pk, seat, person) for match, each in begun for seat, person in enumerate(each.players)),
    )
    return matches


def _set_aside(terms: Terms, round_number: int, cards: Sequence[int]) -> dict[tuple[int, str], Match]:
    """Return the withdrawn matches of this round, by card and players."""
    withdrawn = Match.objects.filter(
        terms=terms, round_number=round_number, card__in=cards, withdrawn_at__isnull=False
    )
    return {
        (
            match.card_id,
            match.withdrawn_as or _by_themselves(player.person_id for player in match.players.all()),
        ): match
        for match in withdrawn.select_for_update(of=("self",)).prefetch_related("players").order_by("pk")
    }


def _by_themselves(players: Iterable[int]) -> str:
    return ".".join(map(str, players))


@transaction.atomic
def reseat_match(*, match_id: int, players: Sequence[int]) -> Match:
    """Correct who sits at a table, keeping its marks.

    ``players`` are ids of people in the order of the seats. Safe to repeat. Its caller raises the revision.
    """
    match = lock_match(match_id)
    wrong = _put_in_seats(match, players)
    Player.objects.bulk_update(wrong, ["person"])
    if wrong:
        match.revision += 1
        match.save(update_fields=["revision"])
    return match


@transaction.atomic
def change_own_terms(*, match_id: int, own_terms: Mapping[str, Any] | None) -> None:
    """Change the terms that a match has of its own, and refold it. Safe to repeat."""
    match = lock_match(match_id)
    if match.own_terms != own_terms:
        match.own_terms = own_terms
        match.save(update_fields=["own_terms"])
        save_change(match)


def _put_in_seats(match: Match, players: Sequence[int]) -> list[Player]:
    """Put these players in the seats; return the changed seats, not saved yet."""
    wrong = [player for player in match.players.all() if player.person_id != players[player.seat]]
    for player in wrong:
        player.person_id = players[player.seat]
    return wrong


@transaction.atomic
def name_first_dealer(*, match_id: int, seat: int, seen: int | None = None) -> Match:
    """Name the first dealer, from whom all later dealers follow.

    ``seen`` is the first dealer shown on the page that was sent, if known. Safe to repeat, even late: a later
    change stays.

    Refuses: match_closed, no_such_seat; dealer_changed, if another phone has named somebody since.
    """
    match = lock_match(match_id)
    if match.first_dealer == seat:
        return match
    seats = match.ruleset.seats
    if match.closed_at is not None:
        raise Refusal("match_closed", field="dealer")
    if not 0 <= seat < seats:
        raise Refusal("no_such_seat", field="dealer", seats=seats)
    if seen not in (None, match.dealer_at_start):
        raise Refusal("dealer_changed", field="dealer")
    match.first_dealer = seat
    save_change(match)
    return match


@transaction.atomic
def close_matches(*, match_ids: Iterable[int]) -> None:
    """Close matches: from now on only a director changes them. Their logs are checked for damage. Safe to
    repeat.

    Its caller raises the revision.
    """
    closing = list(match_ids)
    _set_closed(closing, closed=True)
    note_damage(closing)


@transaction.atomic
def reopen_matches(*, match_ids: Iterable[int]) -> None:
    """Reopen matches, so that the tables may mark again. Safe to repeat. Its caller raises the revision."""
    _set_closed(match_ids, closed=False)


def _set_closed(match_ids: Iterable[int], *, closed: bool) -> None:
    changing = Match.objects.filter(pk__in=match_ids, closed_at__isnull=closed).select_related("card")
    # Take all locks first, in one order, so that two requests at once cannot deadlock.
    matches = list(changing.select_for_update(of=("self",)).order_by("pk"))
    now = timezone.now() if closed else None
    found = Match.objects.filter(pk__in=[match.pk for match in matches])
    found.update(closed_at=now, revision=F("revision") + 1)
    for match in matches:
        match.closed_at, match.revision = now, match.revision + 1
        match_changed.send(Match, match=match, result_changed=False, before=None)


@transaction.atomic
def withdraw_matches(*, known_as: Mapping[int, str]) -> None:
    """Withdraw matches, undoing ``open_matches``.

    ``known_as`` has, by match, who plays there, as ``Seats`` names them. Matches with marks are set aside and
    closed. Safe to repeat.
    """
    going = Match.objects.filter(pk__in=known_as, withdrawn_at=None)
    matches = set(going.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    marked = set(Mark.objects.filter(match__in=matches).values_list("match", flat=True))
    now = timezone.now()
    Match.objects.bulk_update([Match(pk=pk, withdrawn_as=known_as[pk]) for pk in marked], ["withdrawn_as"])
    Match.objects.filter(pk__in=marked).update(
        withdrawn_at=now, closed_at=Coalesce("closed_at", now), revision=F("revision") + 1
    )
    Match.objects.filter(pk__in=matches - marked).only("pk").delete()
