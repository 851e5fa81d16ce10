"""Checks and locks that several services share."""

from typing import TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model, QuerySet

from clubs.models import Club, Role
from errors import Refusal, check_choice, get_or_refuse
from web import names

_Row = TypeVar("_Row", bound=Model)


def validate_name(name: str, *, field: str) -> str:
    """Return the cleaned name. Refuses: name_required, name_too_long, strange_character."""
    name = names.validate_title(name, field=field)
    if not name:
        raise Refusal("name_required", field=field)
    if len(name) > names.NAME_LENGTH:
        raise Refusal("name_too_long", field=field, name=name, most=names.NAME_LENGTH)
    return name


def validate_full_name(name: str, *, field: str) -> str:
    """Return the cleaned name of a person. Refuses: name_required, name_too_long, strange_character."""
    name = validate_name(names.clean_name(name), field=field)
    invalid_character = names.find_invalid_character(name)
    if invalid_character is not None:
        raise Refusal("strange_character", field=field, name=name, character=invalid_character)
    return name


def validate_length(text: str, *, field: str, max_length: int) -> str:
    """Check the length of a text, and return it. Refuses: text_too_long."""
    if len(text) > max_length:
        raise Refusal("text_too_long", field=field, most=max_length)
    return text


def lock_club(club_id: int) -> Club:
    """Lock the club for this transaction, so that concurrent changes wait. Refuses: no_such_club."""
    return get_or_refuse(Club.objects.select_for_update(no_key=True).filter(pk=club_id).first(), "no_such_club")


def get_row(rows: QuerySet[_Row], pk: int, *, refusal_code: str) -> _Row:
    """Return the row with this key. Refuses: ``refusal_code``."""
    try:
        return rows.get(pk=pk)
    except ObjectDoesNotExist:
        raise Refusal(refusal_code) from None


def validate_role(role: str) -> Role:
    """Return the role of that name. Refuses: no_such_choice."""
    return Role(check_choice(role, Role.values, field="role"))
