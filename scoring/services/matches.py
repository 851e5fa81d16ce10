"""A match's beginning and end."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.db.models.functions import Coalesce
from django.utils import timezone

from live.inserts import insert_rows
from rules import MatchState, Refusal, Seat
from scoring.fold import summary_of
from scoring.models import Mark, Match, Player, TableCard, Terms
from scoring.signals import match_changed

from .saving import lock_match, save_change

_CODES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats:
    """Who plays at a card's table: ``players`` are the ids of people in the order of the seats, clockwise.
    ``known_as`` names whom they play for; without it, they play for themselves."""

    card: TableCard
    players: Sequence[int]
    known_as: str = ""


@transaction.atomic
def open_matches(*, terms: Terms, round_number: int, seats: Sequence[Seats]) -> list[Match]:
    """The matches of a round, in the same order. One that was begun at that table for the same, and was set
    aside, goes on with what is marked, and if it is not over, with those who play now. Six queries, however
    many tables."""
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
    """Matches of this round that were withdrawn, by card and who sat there."""
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
    """Other people at the same table, with what is marked there: who sits where was written down wrongly.

    ``players`` are ids of people in the order of the seats. Safe to repeat. Its caller raises the revision.
    """
    match = lock_match(match_id)
    wrong = _put_in_seats(match, players)
    Player.objects.bulk_update(wrong, ["person"])
    if wrong:
        match.revision += 1
        match.save(update_fields=["revision"])
    return match


def _put_in_seats(match: Match, players: Sequence[int]) -> list[Player]:
    """The seats in which others sit now, not saved yet."""
    wrong = [player for player in match.players.all() if player.person_id != players[player.seat]]
    for player in wrong:
        player.person_id = players[player.seat]
    return wrong


@transaction.atomic
def name_first_dealer(*, match_id: int, seat: int, seen: int | None = None) -> Match:
    """Says who dealt first, from which all later dealers follow; ``seen`` is who did on the page that says
    it, where it is known. Safe to repeat, and late: what was named since stays.

    Refuses: match_closed, no_such_seat; dealer_changed, if another phone has named somebody since.
    """
    match = lock_match(match_id)
    if match.first_dealer == seat:
        return match
    seats = match.terms.ruleset.seats
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
    """From now on only a director changes these matches. Safe to repeat.

    Its caller raises the revision.
    """
    _set_closed(match_ids, closed=True)


@transaction.atomic
def reopen_matches(*, match_ids: Iterable[int]) -> None:
    """The tables may mark again. Safe to repeat. Its caller raises the revision."""
    _set_closed(match_ids, closed=False)


def _set_closed(match_ids: Iterable[int], *, closed: bool) -> None:
    changing = Match.objects.filter(pk__in=match_ids, closed_at__isnull=closed).select_related("card")
    # All locks first, in one order: two who close or reopen at once wait for each other, not both.
    matches = list(changing.select_for_update(of=("self",)).order_by("pk"))
    now = timezone.now() if closed else None
    found = Match.objects.filter(pk__in=[match.pk for match in matches])
    found.update(closed_at=now, revision=F("revision") + 1)
    for match in matches:
        match.closed_at, match.revision = now, match.revision + 1
        match_changed.send(Match, match=match, result_changed=False, before=None)


@transaction.atomic
def withdraw_matches(*, known_as: Mapping[int, str]) -> None:
    """The undo of ``open_matches``, by match with who plays there, as ``Seats`` names them. What has marks is
    set aside with them, and closed. Safe to repeat."""
    going = Match.objects.filter(pk__in=known_as, withdrawn_at=None)
    matches = set(going.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    marked = set(Mark.objects.filter(match__in=matches).values_list("match", flat=True))
    now = timezone.now()
    Match.objects.bulk_update([Match(pk=pk, withdrawn_as=known_as[pk]) for pk in marked], ["withdrawn_as"])
    Match.objects.filter(pk__in=marked).update(
        withdrawn_at=now, closed_at=Coalesce("closed_at", now), revision=F("revision") + 1
    )
    Match.objects.filter(pk__in=matches - marked).only("pk").delete()
