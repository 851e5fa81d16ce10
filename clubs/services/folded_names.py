"""Renewal of folded names that an older program stored."""

from itertools import count

from django.db import IntegrityError, transaction
from django.db.models import Q, TextField
from django.db.models.functions import Cast

from clubs.models import Account, HouseRules, Person, UsualNight
from web import names

NamedRow = Account | HouseRules | Person | UsualNight
NAMED_MODELS: tuple[type[NamedRow], ...] = (Account, HouseRules, Person, UsualNight)


@transaction.atomic
def refold_names() -> None:
    """Fold names again that were stored with a ligature, a typographic hyphen or an apostrophe. Add a number
    to a name that has to be unique and is taken. Safe to repeat."""
    for model in NAMED_MODELS:
        rows = model._default_manager.annotate(stored=Cast("folded_name", TextField()))
        is_older = Q()
        for character in names.LIGATURES | names.ASCII_PUNCTUATION:
            is_older |= Q(stored__contains=character)
        for row in rows.filter(is_older).order_by("pk"):
            _refold_row(row)


def _refold_row(row: NamedRow) -> None:
    name = row.name
    for number in count(1):
        row.name = name if number == 1 else f"{name[: names.NAME_LENGTH - 4]} {number}"
        row.folded_name = names.fold_name(row.name)
        try:
            with transaction.atomic():
                row.save(update_fields=["name", "folded_name"])
        except IntegrityError:
            continue
        return
