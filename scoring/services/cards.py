"""The cards on the tables of an evening, and the phones that they admit."""

import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from clubs.models import Club
from scoring.clock import Clock, clock_to_json
from scoring.desk_messages import DeskMessage, messages_to_json
from scoring.models import TableCard, TablePhone

from .phones import write_phone_reports

_CODES = 1_000_000
CODE_REUSE_DELAY = timedelta(days=60)
"""Time after its evening until a code can open another table: phones remember theirs for half as long."""


@transaction.atomic
def issue_cards(
    *,
    club: Club,
    topic: str,
    count: int,
    public_page: str = "",
    desk_page: str = "",
    codes: Mapping[int, str] = {},
) -> list[TableCard]:
    """Issue cards for tables 1 to ``count``, each with a code that no other open card has. Safe to repeat.

    ``codes`` are those of cards already on the tables, by number: a card keeps its code unless another card
    has it. If several clubs have cards, no code is reused: a club would learn the codes of others from those
    that it did not get.
    """
    existing_numbers = set(TableCard.objects.filter(topic=topic).values_list("number", flat=True))
    missing_numbers = [number for number in range(1, count + 1) if number not in existing_numbers]
    TableCard.objects.bulk_create(
        TableCard(
            club=club,
            topic=topic,
            number=number,
            code=code,
            public_page=public_page,
            desk_page=desk_page,
        )
        for number, code in _assign_codes(club, missing_numbers, codes).items()
    )
    return list(TableCard.objects.filter(topic=topic).order_by("number"))


def _assign_codes(club: Club, tables: Sequence[int], codes: Mapping[int, str]) -> dict[int, str]:
    """Return each table's code: the one given, if it may be used, else a new one."""
    if codes and TableCard.objects.exclude(club=club).exists():
        codes = {}
    taken_codes = _find_taken_codes(codes.values())
    reused_codes = {table: codes[table] for table in tables if table in codes and codes[table] not in taken_codes}
    others = [table for table in tables if table not in reused_codes]
    return reused_codes | dict(zip(others, _generate_codes(len(others), excluded=codes.values()), strict=True))


def _generate_codes(count: int, *, excluded: Collection[str]) -> set[str]:
    """Return unused codes of six random digits. A club has a few hundred cards, so the first try nearly
    always works."""
    codes: set[str] = set()
    while len(codes) < count:
        codes |= {f"{secrets.randbelow(_CODES):06}" for _ in range(count - len(codes))}
        codes -= {*_find_taken_codes(codes), *excluded}
    return codes


def _find_taken_codes(codes: Collection[str]) -> set[str]:
    """Return which of these codes people can type now, or phones still remember."""
    is_open = Q(closed_at=None) | Q(closed_at__gt=timezone.now() - CODE_REUSE_DELAY)
    cards = TableCard.objects.filter(is_open, Q(code__in=codes) | Q(new_digits__in=codes))
    return {code for card in cards.values_list("code", "new_digits") for code in card}


@transaction.atomic
def replace_card(*, topic: str, number: int, digits: str, are_phones_admitted: bool) -> TableCard | None:
    """Replace the card of a table: what was printed with these ``digits`` opens nothing any more.

    Phones already there go on, or need the new card too. Safe to repeat: None, and without effect, if the
    card has other digits by now, or its evening is over.
    """
    cards = TableCard.objects.select_for_update()
    card = cards.filter(topic=topic, number=number, closed_at=None).first()
    if card is None or card.digits != digits:
        return None
    (card.new_digits,) = _generate_codes(1, excluded=())
    if not are_phones_admitted:
        card.binding, card.turned_away = card.binding + 1, []
        card.phones.all().delete()
    card.save(update_fields=["new_digits", "binding", "turned_away"])
    return card


@transaction.atomic
def turn_phone_away(*, topic: str, number: int, phone_id: int) -> TableCard | None:
    """Block a phone from this table, whatever card it has. Safe to repeat: None if the phone is not there."""
    write_phone_reports()
    card = TableCard.objects.select_for_update().filter(topic=topic, number=number).first()
    phone = None if card is None else card.phones.filter(pk=phone_id).first()
    if card is None or phone is None:
        return None
    card.turned_away = [*card.turned_away, phone.device]
    card.save(update_fields=["turned_away"])
    phone.delete()
    return card


@transaction.atomic
def lead_cards(*, topic: str, public_page: str, silent_from: int | None = None) -> None:
    """Set the page where everybody follows the evening from now on; "" if nobody may.

    From the round ``silent_from`` on, the public gets no hint of what is marked. Safe to repeat.
    """
    now = {"public_page": public_page, "silent_from": silent_from}
    TableCard.objects.filter(topic=topic).exclude(**now).update(**now)


def update_card_displays(*, topic: str, clock: Clock | None, messages: Sequence[DeskMessage]) -> None:
    """Set the clock and the desk's messages that the phones of the evening show from now on. Safe to
    repeat."""
    clock_data = None if clock is None else clock_to_json(clock)
    cards = list(TableCard.objects.filter(topic=topic).only("number", "clock_data", "messages_data"))
    if any(card.clock_data != clock_data for card in cards):
        TableCard.objects.filter(topic=topic).update(clock_data=clock_data)
    changed_cards = []
    for card in cards:
        messages_data = messages_to_json(message for message in messages if message.is_for_table(card.number))
        if card.messages_data != messages_data:
            card.messages_data = messages_data
            changed_cards.append(card)
    TableCard.objects.bulk_update(changed_cards, ["messages_data"])


@transaction.atomic
def close_cards(*, topic: str) -> None:
    """Close the cards when the evening is over: codes open nothing any more, phones are forgotten. Safe to
    repeat."""
    TableCard.objects.filter(topic=topic, closed_at=None).update(closed_at=timezone.now())
    TablePhone.objects.filter(card__topic=topic).delete()


@transaction.atomic
def reopen_cards(*, topic: str) -> None:
    """Reopen the cards of an evening, undoing ``close_cards``.

    A card whose code another card has by now gets a new one. Safe to repeat.
    """
    cards = list(TableCard.objects.select_for_update().filter(topic=topic, closed_at__isnull=False))
    if not cards:
        return
    codes = {code for card in cards for code in (card.code, card.digits)}
    others = TableCard.objects.filter(Q(code__in=codes) | Q(new_digits__in=codes), closed_at=None)
    taken_codes = {code for card in others.values_list("code", "new_digits") for code in card}
    renewed_cards = [card for card in cards if taken_codes & {card.code, card.digits}]
    for card, code in zip(renewed_cards, _generate_codes(len(renewed_cards), excluded=()), strict=True):
        card.code, card.new_digits = code, ""
    TableCard.objects.bulk_update(renewed_cards, ["code", "new_digits"])
    TableCard.objects.filter(pk__in=[card.pk for card in cards]).update(closed_at=None)
