"""Erasure of people: their results stay, their names are removed for good."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from uuid import uuid4

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, override

from clubs import club_files
from clubs.audit.log import NOBODY, Actor
from clubs.calendar import get_club_today
from clubs.disk_quota import STORES
from clubs.models import UNCHANGED, Club, Family, Person
from clubs.services.changes import ClubChange, get_row
from errors import Refusal
from jobs.models import ACTIVE_STATUSES, Job, LongWrite
from jobs.pieces import Progress, find_long_write, ignore_progress, rewrite_rows
from jobs.services import cancel_job
from live.conditional_pages import read_snapshot
from tournaments.imports import uploaded_events
from tournaments.lifecycle import EventState
from tournaments.mirrors.services.offers import invalidate_handovers
from tournaments.models import Action, AlertSubscription, Entry
from tournaments.papers import paper_files
from tournaments.privacy.erasure.histories import erase_from_histories, get_all_names
from tournaments.privacy.erasure.texts import erase_from_texts
from tournaments.standings.queries.delays import CLUB_TASK_KINDS
from tournaments.standings.services import enqueue_club_task
from web import names

ERASE_JOB = "clean_after_forgetting"
"""Kind of its tasks."""

MAX_PEOPLE_AT_ONCE = 40
"""Maximum number of people at once: takes a second in a club of thousands with its history."""


def anonymize_people(*, club_id: int, person_ids: Collection[int], by: Actor = NOBODY) -> list[Person]:
    """Replace people's names by neutral ones everywhere in the club, and delete their contact, family, groups
    and consents. Their results stay. It cannot be undone. Safe to repeat: erased people stay erased.

    The people get their neutral names at once. Other stored data is then searched outside the transaction,
    and rewritten in pieces. If the process dies meanwhile, the worker continues.

    Refuses: nobody_chosen, too_many_at_once, no_such_person, still_taking_part.
    """
    if not person_ids:
        raise Refusal("nobody_chosen", field="people")
    if len(person_ids) > MAX_PEOPLE_AT_ONCE:
        raise Refusal("too_many_at_once", field="people", most=MAX_PEOPLE_AT_ONCE)
    club = get_row(Club.objects.all(), club_id, refusal_code="no_such_club")
    with read_snapshot():
        people_by_name = get_all_names(club, club.people.filter(pk__in=person_ids))
    people, long_write = _anonymize(club, person_ids, {name: person.pk for name, person in people_by_name.items()}, by)
    if long_write is not None:
        finish_erasure(long_write.key)
    return people


@transaction.atomic
def _anonymize(
    club: Club, person_ids: Collection[int], ids_by_name: dict[str, int], by: Actor
) -> tuple[list[Person], LongWrite | None]:
    """Give the people neutral names; return them, and the rest of the work, or None if there is none."""
    change = ClubChange(
        club.pk,
        "anonymize_person" if len(person_ids) == 1 else "anonymize_people",
        replace(by, reason=""),
    )
    people = list(change.club.people.filter(pk__in=person_ids).order_by("pk"))
    if len(people) < len(set(person_ids)):
        raise Refusal("no_such_person")
    remaining = [person for person in people if person.anonymized_at is None]
    if not remaining or change.is_repeat:
        return people, None
    _check_nobody_plays(change.club, remaining)
    ids_by_name |= {person.name: person.pk for person in remaining}
    pks = {person.pk for person in remaining}
    families = {person.family_id for person in remaining if person.family_id is not None}
    _assign_neutral_names(club, remaining)
    AlertSubscription.objects.filter(person__in=pks).delete()
    empty_families = Family.objects.filter(pk__in=families, people=None)
    family_names = dict(empty_families.values_list("pk", "name"))
    empty_families.delete()
    _record_erasure(change, remaining)
    long_write = LongWrite.objects.create(
        kind=ERASE_JOB,
        key=f"{club.pk}/{uuid4()}",
        request={
            "people": sorted(pks),
            "called": {name: pk for name, pk in ids_by_name.items() if pk in pks},
            "families": sorted(family_names.items()),
        },
    )
    return people, long_write


def finish_erasure(key: str, progress: Progress = ignore_progress) -> None:
    """Remove erased people from everything that the club has stored about them. Safe to repeat."""
    long_write = find_long_write(ERASE_JOB, key)
    if long_write is None:
        return
    club = Club.objects.get(pk=int(key.partition("/")[0]))
    people = club.people.in_bulk(long_write.request["people"])
    family_names = dict(long_write.request["families"])
    erase_from_histories(club, people.values(), family_names.keys())
    _erase_families(club, family_names)
    progress(1, 2)
    replacements = {name: people[pk].name for name, pk in long_write.request["called"].items()}
    erase_from_texts(club, replacements, others=_find_namesakes(club, replacements))
    invalidate_handovers(club)
    long_write.delete()


def _record_erasure(change: ClubChange, people: list[Person]) -> None:
    club = change.club
    if len(people) == 1:
        change.record(person=people[0].pk, name=people[0].name)
    else:
        change.record(count=len(people), people=[person.pk for person in people])
    for kind in CLUB_TASK_KINDS:
        enqueue_club_task(kind, club.pk)
    transaction.on_commit(partial(_delete_files, club))


def _delete_files(club: Club) -> None:
    """Delete the club's files in the data folder, and cancel tasks that make them."""
    topics = [club_files.get_file_topic(club), paper_files.get_topic(club)]
    topics += [paper_files.get_topic(event) for event in club.events.only("pk")]
    is_club_job = Q(topic__in=topics) | Q(topic__startswith=uploaded_events.get_topic_prefix(club))
    for job_id in Job.objects.filter(is_club_job, status__in=ACTIVE_STATUSES).values_list("pk", flat=True):
        cancel_job(job_id)
    for files in STORES:
        files.delete_club_files(club.pk)


def _assign_neutral_names(club: Club, people: Iterable[Person]) -> None:
    """Name the people ``Anonyme 3`` in the club's language, counting on from those erased before."""
    erased_count = club.people.exclude(anonymized_at=None).count()
    now = timezone.now()
    for number, person in enumerate(people, start=erased_count + 1):
        with override(club.language):
            person.name = gettext("Anonymous %(number)s") % {"number": number}
        person.folded_name = names.fold_name(person.name)
        for name, facts in Person.FACTS.items():
            if facts.erased is not UNCHANGED:
                setattr(person, name, facts.erased)
        person.anonymized_at = now
        person.save()
        person.identities.all().delete()


def _erase_families(club: Club, family_names: Mapping[int, str]) -> None:
    """Remove the names of families without people from the history of check-ins."""
    if not family_names:
        return
    mentions = Action.objects.filter(event__club=club, details__family__in=list(family_names.values()))
    keys = list(mentions.values_list("pk", flat=True))
    rewrite_rows(Action, keys, "details", lambda line: line["details"] | {"family": "–"})


def _find_namesakes(club: Club, names_erased: Iterable[str]) -> frozenset[int]:
    """Return the ids of other people with one of these names."""
    others = club.people.filter(folded_name__in=map(names.fold_name, names_erased))
    return frozenset(others.values_list("pk", flat=True))


def _check_nobody_plays(club: Club, people: Iterable[Person]) -> None:
    """Check that nobody is on the list of an event of today or later. Refuses: still_taking_part, if somebody
    is on the list of an evening of today, or of one to come."""
    ids = [person.pk for person in people]
    upcoming = Entry.objects.filter(event__club=club, event__held_on__gte=get_club_today(club))
    upcoming = upcoming.exclude(event__state=EventState.ENDED).select_related("event", "player_1", "player_2")
    entry = (upcoming.filter(player_1__in=ids) | upcoming.filter(player_2__in=ids)).order_by("pk").first()
    if entry is not None:
        name = next(person.name for person in entry.players if person.pk in ids)
        raise Refusal("still_taking_part", name=name, event=entry.event.name)
