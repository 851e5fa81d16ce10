"""An event that was played at another place, brought into a club from its file."""

import logging
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.db import DataError, IntegrityError, transaction

from clubs import names
from clubs.models import Club, Person
from clubs.recording import NOBODY, By
from clubs.services import unused_slug
from clubs.services.checking import checked_name, lock_club
from rules import Refusal
from tournaments.event_files import BROKEN, PLACE, Content, in_newest_form, key_of_file, sums_of
from tournaments.event_settings import stored_event_settings
from tournaments.lifecycle import EventState
from tournaments.models import Adjustment, Entry, Event, columns_of
from tournaments.ranking import plain_rules
from tournaments.selectors import event_file_of

from .brought_rounds import RoundsOfFile
from .changes import Change
from .events import make_once
from .lineups import issue_cards_of
from .standings import refresh_standings
from .undoing import check_order

logger = logging.getLogger(__name__)

People = Mapping[int, int]
"""Who of a file, by the place in its list, is whom the club knows already, by key."""


@transaction.atomic
def bring_in_event(
    *,
    club: Club,
    content: Content,
    known: People = {},  # noqa: B006 - read only
    are_guests: bool = True,
    key: UUID | None = None,
    by: By = NOBODY,
) -> Event:
    """The event of a file that ``read_event_file`` has read and ``verify`` found to be true: all that the
    file holds, drafts and logs and who ruled what, so that its own file has the same sum.

    Who is not ``known`` is somebody new to the club, a guest unless they are its own. Safe to repeat: one
    file is one event of a club, and with a ``key`` of its own one copy.

    Refuses: namesakes_untold, no_such_person, same_person_twice, what names may not be; event_file_unsound,
    where what was brought in would not be what the file says.
    """
    content = in_newest_form(content)

    def make() -> Event:
        people = _people(club, content["people"], known, are_guests=are_guests)
        try:
            with transaction.atomic():
                event = _made(club, content, people)
                _keep_line(event, content, by)
                _check_same(event, content)
        except (DataError, IntegrityError, *BROKEN):
            logger.warning("The file %s cannot be brought in", content["sum"], exc_info=True)
            raise Refusal("event_file_unsound", field="file", part="event") from None
        return event

    return make_once(club=club, key=key or key_of_file(content), make=make)


def _people(club: Club, listed: list[str], known: People, *, are_guests: bool) -> list[Person]:
    """The people of the file in the order of its list.

    Refuses: no_such_person, same_person_twice, name_required, name_too_long, strange_character.
    """
    found = club.people.filter(anonymized_at=None).in_bulk(set(known.values()))
    for number, pk in known.items():
        if pk not in found or not 1 <= number <= len(listed):
            raise Refusal("no_such_person", field=f"person.{number}")
    if len(found) < len(known):
        pks = list(known.values())
        twice = next(pk for pk in pks if pks.count(pk) > 1)
        number = max(number for number, pk in known.items() if pk == twice)
        raise Refusal("same_person_twice", field=f"person.{number}", name=found[twice].name)
    people = [
        found[known[number]] if number in known else _new_person(club, name, is_guest=are_guests)
        for number, name in enumerate(listed, start=1)
    ]
    Person.objects.bulk_create(person for person in people if person.pk is None)
    return people


def _new_person(club: Club, name: str, *, is_guest: bool) -> Person:
    name = checked_name(name, field="file")
    strange = names.strange_character(name)
    if strange is not None:
        raise Refusal("strange_character", field="file", name=name, character=strange)
    return Person(club=club, name=name, folded_name=names.folded(name), is_guest=is_guest)


def _made(club: Club, content: Content, people: list[Person]) -> Event:
    plain = content["event"]
    settings = stored_event_settings(plain["settings"])
    terms = settings.terms
    terms.save()
    lock_club(club.pk)
    event = Event.objects.create(
        club=club,
        short=unused_slug(plain["name"], Event.objects.values_list("short", flat=True)),
        name=plain["name"],
        held_on=plain["held_on"],
        terms=terms,
        table_count=settings.table_count,
        stages=[dict(stage) for stage in settings.stages],
        sections=[dict(section) for section in settings.sections],
        ranking=plain_rules(settings.ranking),
        lot=plain["lot"],
        is_seeded=settings.is_seeded,
        member_fee=settings.rates.member,
        guest_fee=settings.rates.guest,
        state=plain["state"],
        **columns_of(settings.release),
    )
    event.refresh_from_db()
    entries = _entries(event, content["entries"], people)
    Adjustment.objects.bulk_create(
        Adjustment(
            event=event,
            entry_id=entries[given["entry"]],
            round=given["round"],
            metric=given["metric"],
            amount=given["amount"],
            reason=given["reason"],
        )
        for given in content["adjustments"]
    )
    rounds = RoundsOfFile(event, content, entries, people)
    planned = 0 if event.state == EventState.PREPARING else event.table_count
    issue_cards_of(event, max(planned, rounds.highest_table))
    rounds.write()
    check_order(event)
    return event


def _entries(event: Event, lines: list[dict[str, Any]], people: list[Person]) -> dict[int, int]:
    """The key of each entry by its number."""
    rows = []
    for line in lines:
        first, second = (*(people[number - 1] for number in line["players"]), None)[:2]
        values = {name: value for name, value in line.items() if name != "players"}
        rows.append(Entry(event=event, player_1=first, player_2=second, **values))
    return {entry.number: entry.pk for entry in Entry.objects.bulk_create(rows, batch_size=500)}


def _keep_line(event: Event, content: Content, by: By) -> None:
    """The first line of its history here, which holds what the director did by hand at the other place."""
    done = {
        str(drawn["number"]): {"by_hand": drawn["by_hand"], "rulings": drawn["rulings"]}
        for drawn in content["rounds"]
        if drawn["by_hand"] or drawn["rulings"]
    }
    Change(event.pk, "bring_in_event", By(account=by.account, origin=by.origin)).done(
        club=content[PLACE]["club"], earlier=done
    )
    if content["standings"] is not None:
        refresh_standings(event_id=event.pk)


def _check_same(event: Event, content: Content) -> None:
    """That its file would be the same one. Refuses: event_file_unsound."""
    again = sums_of(event_file_of(Event.objects.select_related("club", "terms").get(pk=event.pk)))
    left_out = {PLACE, "people"} if content["standings"] is not None else {PLACE, "people", "standings"}
    wanted = sums_of(content)
    for part in sorted((wanted.keys() | again.keys()) - left_out):
        if wanted.get(part) != again.get(part):
            raise Refusal("event_file_unsound", field="file", part=part)
