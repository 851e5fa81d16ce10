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
from clubs.calendar import today_in
from clubs.disk_quota import STORES
from clubs.models import Club, Family, Person
from clubs.services import ClubChange
from clubs.services.validators import row_or_refuse
from errors import Refusal
from jobs.models import UNDER_WAY, Course, Job
from jobs.pieces import Progress, course_of, nobody_watches, rewrite_in_pieces
from jobs.services import cancel_job
from live.snapshots import snapshot
from tournaments.imports import uploaded_events
from tournaments.lifecycle import EventState
from tournaments.mirrors.services.offering import make_last_anew
from tournaments.models import Action, AlertSubscription, Entry
from tournaments.papers import paper_files
from tournaments.privacy.erasure import known_names, take_out_of_histories, take_out_of_texts
from tournaments.standings.queries.delays import CLUB_COUNTS
from tournaments.standings.services import request_of_club
from web import names

CLEAN = "clean_after_forgetting"
"""Kind of its tasks."""

MOST_AT_ONCE = 40
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
    if len(person_ids) > MOST_AT_ONCE:
        raise Refusal("too_many_at_once", field="people", most=MOST_AT_ONCE)
    club = row_or_refuse(Club.objects.all(), club_id, otherwise="no_such_club")
    with snapshot():
        called = known_names(club, club.people.filter(pk__in=person_ids))
    people, course = _forget(club, person_ids, {name: person.pk for name, person in called.items()}, by)
    if course is not None:
        finish_forgetting(course.key)
    return people


@transaction.atomic
def _forget(
    club: Club, person_ids: Collection[int], called: dict[str, int], by: Actor
) -> tuple[list[Person], Course | None]:
    """Give the people neutral names; return them, and the rest of the work, or None if there is none."""
    change = ClubChange(
        club.pk,
        "anonymize_person" if len(person_ids) == 1 else "anonymize_people",
        replace(by, reason=""),
    )
    people = list(change.club.people.filter(pk__in=person_ids).order_by("pk"))
    if len(people) < len(set(person_ids)):
        raise Refusal("no_such_person")
    known = [person for person in people if person.anonymized_at is None]
    if not known or change.is_repeat:
        return people, None
    _check_nobody_plays(change.club, known)
    called |= {person.name: person.pk for person in known}
    pks = {person.pk for person in known}
    families = {person.family_id for person in known if person.family_id is not None}
    _write_neutral(club, known)
    AlertSubscription.objects.filter(person__in=pks).delete()
    left = Family.objects.filter(pk__in=families, people=None)
    gone = dict(left.values_list("pk", "name"))
    left.delete()
    _keep_line(change, known)
    course = Course.objects.create(
        kind=CLEAN,
        key=f"{club.pk}/{uuid4()}",
        asked={
            "people": sorted(pks),
            "called": {name: pk for name, pk in called.items() if pk in pks},
            "families": sorted(gone.items()),
        },
    )
    return people, course


def finish_forgetting(key: str, progress: Progress = nobody_watches) -> None:
    """Remove erased people from everything that the club has stored about them. Safe to repeat."""
    course = course_of(CLEAN, key)
    if course is None:
        return
    club = Club.objects.get(pk=int(key.partition("/")[0]))
    people = club.people.in_bulk(course.asked["people"])
    gone = dict(course.asked["families"])
    take_out_of_histories(club, people.values(), gone.keys())
    _take_out_families(club, gone)
    progress(1, 2)
    instead = {name: people[pk].name for name, pk in course.asked["called"].items()}
    take_out_of_texts(club, instead, others=_namesakes(club, instead))
    make_last_anew(club)
    course.delete()


def _keep_line(change: ClubChange, people: list[Person]) -> None:
    club = change.club
    if len(people) == 1:
        change.record(person=people[0].pk, name=people[0].name)
    else:
        change.record(count=len(people), people=[person.pk for person in people])
    for kind in CLUB_COUNTS:
        request_of_club(kind, club.pk)
    transaction.on_commit(partial(_put_away_files, club))


def _put_away_files(club: Club) -> None:
    """Delete the club's files in the data folder, and cancel tasks that make them."""
    topics = [club_files.topic_of(club), paper_files.topic_of(club)]
    topics += [paper_files.topic_of(event) for event in club.events.only("pk")]
    of_club = Q(topic__in=topics) | Q(topic__startswith=uploaded_events.topics_of(club))
    for job_id in Job.objects.filter(of_club, status__in=UNDER_WAY).values_list("pk", flat=True):
        cancel_job(job_id)
    for files in STORES:
        files.put_away(club.pk)


def _write_neutral(club: Club, people: Iterable[Person]) -> None:
    """Name the people ``Anonyme 3`` in the club's language, counting on from those erased before."""
    before = club.people.exclude(anonymized_at=None).count()
    now = timezone.now()
    for number, person in enumerate(people, start=before + 1):
        with override(club.language):
            person.name = gettext("Anonymous %(number)s") % {"number": number}
        person.folded_name = names.fold_name(person.name)
        person.contact, person.labels, person.family = "", [], None
        person.shows_full_name = person.is_hidden = person.is_active = person.is_rated = False
        person.kept_until, person.anonymized_at = None, now
        person.save()
        person.identities.all().delete()


def _take_out_families(club: Club, gone: Mapping[int, str]) -> None:
    """Remove the names of families without people from the history of check-ins."""
    if not gone:
        return
    said = Action.objects.filter(event__club=club, details__family__in=list(gone.values()))
    keys = list(said.values_list("pk", flat=True))
    rewrite_in_pieces(Action, keys, "details", lambda line: line["details"] | {"family": "–"})


def _namesakes(club: Club, called: Iterable[str]) -> frozenset[int]:
    """Return the ids of other people with one of these names."""
    others = club.people.filter(folded_name__in=map(names.fold_name, called))
    return frozenset(others.values_list("pk", flat=True))


def _check_nobody_plays(club: Club, people: Iterable[Person]) -> None:
    """Check that nobody is on the list of an event of today or later. Refuses: still_taking_part, if somebody
    is on the list of an evening of today, or of one to come."""
    ids = [person.pk for person in people]
    coming = Entry.objects.filter(event__club=club, event__held_on__gte=today_in(club))
    coming = coming.exclude(event__state=EventState.ENDED).select_related("event", "player_1", "player_2")
    entry = (coming.filter(player_1__in=ids) | coming.filter(player_2__in=ids)).order_by("pk").first()
    if entry is not None:
        name = next(person.name for person in entry.players if person.pk in ids)
        raise Refusal("still_taking_part", name=name, event=entry.event.name)
