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
from scoring.fold import build_summary
from scoring.models import Mark, Match, Player, TableCard, Terms
from scoring.signals import match_changed

from .log_repair import detect_damage
from .match_changes import lock_match, save_change


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats:
    """The players at a card's table: ``players`` are the ids of people in the order of the seats, clockwise.

    ``players_key`` identifies the entries that they play for; without it, they play for themselves.
    ``own_terms`` are those of ``Match``.
    """

    card: TableCard
    players: Sequence[int]
    players_key: str = ""
    own_terms: Mapping[str, Any] | None = None


@transaction.atomic
def open_matches(*, terms: Terms, round_number: int, seats: Sequence[Seats]) -> list[Match]:
    """Open the matches of a round; return them in the same order.

    A match that the same players began at that table, and that was set aside, continues with its marks and,
    if it is not over, with the present players. Six queries, however many tables.
    """
    withdrawn_matches = _find_withdrawn_matches(terms, round_number, [table_seats.card.pk for table_seats in seats])
    initial_state = MatchState(ruleset=terms.ruleset, match_format=terms.match_format, dealer=Seat(0))
    summary, now = build_summary(initial_state, next_number=1), timezone.now()
    matches = []
    for table_seats in seats:
        reopened_match = withdrawn_matches.pop(
            (table_seats.card.pk, table_seats.players_key or _format_players_key(table_seats.players)), None
        )
        matches.append(
            reopened_match
            or Match(
                card_id=table_seats.card.pk,
                terms_id=terms.pk,
                own_terms=table_seats.own_terms,
                round_number=round_number,
                opened_at=now,
                summary=dict(summary),
            )
        )
    reopened_matches = [match for match in matches if match.pk is not None]
    changed_players = [
        player
        for match, table_seats in zip(matches, seats, strict=True)
        if match.pk is not None and not match.is_over
        for player in _assign_players(match, table_seats.players)
    ]
    Player.objects.bulk_update(changed_players, ["person"])
    for match in reopened_matches:
        match.withdrawn_at, match.closed_at, match.revision = None, None, match.revision + 1
    Match.objects.filter(pk__in=[match.pk for match in reopened_matches]).update(
        withdrawn_at=None, closed_at=None, revision=F("revision") + 1
    )
    new_matches = [(match, table_seats) for match, table_seats in zip(matches, seats, strict=True) if match.pk is None]
    Match.objects.bulk_create(match for match, _ in new_matches)
    insert_rows(
        Player,
        ("match_id", "seat", "person_id"),
        (
            (match.pk, seat, person)
            for match, table_seats in new_matches
            for seat, person in enumerate(table_seats.players)
        ),
    )
    return matches


def _find_withdrawn_matches(terms: Terms, round_number: int, cards: Sequence[int]) -> dict[tuple[int, str], Match]:
    """Return the withdrawn matches of this round, by card and players."""
    withdrawn = Match.objects.filter(terms=terms, round_number=round_number, card__in=cards, withdrawn_at__isnull=False)
    return {
        (
            match.card_id,
            match.withdrawn_as or _format_players_key(player.person_id for player in match.players.all()),
        ): match
        for match in withdrawn.select_for_update(of=("self",)).prefetch_related("players").order_by("pk")
    }


def _format_players_key(players: Iterable[int]) -> str:
    return ".".join(map(str, players))


@transaction.atomic
def reseat_match(*, match_id: int, players: Sequence[int]) -> Match:
    """Correct who sits at a table, keeping its marks.

    ``players`` are ids of people in the order of the seats. Safe to repeat. Its caller raises the revision.
    """
    match = lock_match(match_id)
    wrong = _assign_players(match, players)
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


def _assign_players(match: Match, players: Sequence[int]) -> list[Player]:
    """Put these players in the seats; return the changed seats, not saved yet."""
    wrong = [player for player in match.players.all() if player.person_id != players[player.seat]]
    for player in wrong:
        player.person_id = players[player.seat]
    return wrong


@transaction.atomic
def name_first_dealer(*, match_id: int, seat: int, expected: int | None = None) -> Match:
    """Name the first dealer, from whom all later dealers follow.

    ``expected`` is the first dealer shown on the page that was sent, if known. Safe to repeat, even late: a later
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
    if expected not in (None, match.first_dealer_seat):
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
    closed_ids = list(match_ids)
    _set_closed(closed_ids, is_closed=True)
    detect_damage(closed_ids)


@transaction.atomic
def reopen_matches(*, match_ids: Iterable[int]) -> None:
    """Reopen matches, so that the tables may mark again. Safe to repeat. Its caller raises the revision."""
    _set_closed(match_ids, is_closed=False)


def _set_closed(match_ids: Iterable[int], *, is_closed: bool) -> None:
    rows = Match.objects.filter(pk__in=match_ids, closed_at__isnull=is_closed).select_related("card")
    # Take all locks first, in one order, so that two requests at once cannot deadlock.
    matches = list(rows.select_for_update(of=("self",)).order_by("pk"))
    now = timezone.now() if is_closed else None
    locked_rows = Match.objects.filter(pk__in=[match.pk for match in matches])
    locked_rows.update(closed_at=now, revision=F("revision") + 1)
    for match in matches:
        match.closed_at, match.revision = now, match.revision + 1
        match_changed.send(Match, match=match, result_changed=False, before=None)


@transaction.atomic
def move_matches(*, match_ids: Iterable[int], round_number: int) -> None:
    """Count matches that go on in another round, at the same tables. Safe to repeat."""
    for match_id in sorted(match_ids):
        match = lock_match(match_id)
        match.round_number = round_number
        match.save(update_fields=["round_number"])
        save_change(match)


@transaction.atomic
def withdraw_matches(*, players_keys: Mapping[int, str]) -> None:
    """Withdraw matches, undoing ``open_matches``.

    ``players_keys`` has the ``players_key`` of each match, as in ``Seats``. Matches with marks are set aside
    and closed. Safe to repeat.
    """
    active_matches = Match.objects.filter(pk__in=players_keys, withdrawn_at=None)
    matches = set(active_matches.select_for_update(of=("self",)).order_by("pk").values_list("pk", flat=True))
    marked_ids = set(Mark.objects.filter(match__in=matches).values_list("match", flat=True))
    now = timezone.now()
    Match.objects.bulk_update([Match(pk=pk, withdrawn_as=players_keys[pk]) for pk in marked_ids], ["withdrawn_as"])
    Match.objects.filter(pk__in=marked_ids).update(
        withdrawn_at=now, closed_at=Coalesce("closed_at", now), revision=F("revision") + 1
    )
    Match.objects.filter(pk__in=matches - marked_ids).only("pk").delete()
