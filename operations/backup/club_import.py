"""Import of a club's file into an installation that has other clubs, of which it changes nothing."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count, islice
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.hashers import make_password
from django.db import connection, transaction
from django.db.models import Model, UUIDField
from django.urls import reverse
from django.utils import timezone

from clubs.audit.log import NOBODY, Actor, deserialize_value
from clubs.models import Account, Club
from clubs.services.changes import ClubChange
from clubs.services.clubs import find_unused_slug
from errors import Refusal
from jobs.pieces import split_into_portions
from operations.upgrading.backfill import complete_derived_values
from scoring.log_chain import DAMAGE_PREFIX, find_broken_links, is_status_intact
from scoring.models import Mark, Match, TableCard
from scoring.services.cards import lead_cards, reopen_cards
from scoring.services.chains import build_chain
from tournaments.event_files.row_ids import renumber_row, reserve_ids
from tournaments.events.queries import has_event
from tournaments.imports.services.arrival import delete_unfinished_imports
from tournaments.models import Event
from tournaments.standings.services import request_all_counts
from web import names

from .reader import Backup, add_rows, open_backup, refuse_damage, row_from_backup
from .tables import TABLE_OWNERSHIP, get_model

MAX_RANGE = 10**9
"""Largest distance between two ids of a table in a file: each import takes as many ids from all clubs."""
OMITTED_MODELS = frozenset(
    {
        *("clubs.Account", "federations.ClubFeed", "federations.PersonIdentity"),
        *("tournaments.PersonRecord", "tournaments.ClubRecord"),
    }
)
"""Tables of which no row is imported: accounts are linked or created, a feed names people by their old ids,
and the worker computes records again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubPreview:
    """Preview of an import: the club's ``name``, its ``slug`` here, and its number of ``people``
    and ``events``; ``linked`` are the accounts that are here already, by e-mail address."""

    name: str
    slug: str
    is_renamed: bool
    people: int
    events: int
    linked: list[Account]


def preview_club_file(path: Path) -> ClubPreview:
    """Return what importing the file would do.

    Refuses: not_a_club_file, club_already_here, no_such_file, not_a_backup, backup_too_new, backup_damaged.
    """
    backup, club = _open_club_file(path)
    found = (find_local_account(row["email"]) for row in backup.iter_rows("clubs.Account"))
    slug = find_unused_slug(club["slug"], has_club)
    return ClubPreview(
        name=club["name"],
        slug=slug,
        is_renamed=slug != club["slug"],
        people=backup.tables["clubs.Person"]["rows"],
        events=backup.tables["tournaments.Event"]["rows"],
        linked=[account for account in found if account is not None],
    )


def import_club(path: Path, *, by: Actor = NOBODY) -> Club:
    """Import a club from its file, or nothing of it.

    Its rows get new ids, and its addresses others if theirs are taken. An account with the e-mail address of
    one that is here is that one; it gets its role in this club, and changes in no other.

    Refuses: not_a_club_file, club_already_here, no_such_file, not_a_backup, backup_too_new, backup_damaged.
    """
    backup, club_row = _open_club_file(path)
    backup.check()
    with refuse_damage(), transaction.atomic():
        club = _Import(backup).run(club_row["id"])
        ClubChange(club.pk, "add_club", by).record(name=club.name)
    return club


def find_local_account(email: str) -> Account | None:
    """Return the account with this confirmed e-mail address."""
    return Account.objects.filter(email=email).first() if email else None


def has_club(slug: str) -> bool:
    return Club.objects.filter(slug=slug).exists()


def _open_club_file(path: Path) -> tuple[Backup, dict[str, Any]]:
    """Open the file of a club that is not here; the club is the one that was created at the same moment."""
    backup = open_backup(path)
    with refuse_damage():
        clubs = list(islice(backup.iter_rows("clubs.Club"), 2))
        if backup.club is None or len(clubs) != 1:
            raise Refusal("not_a_club_file")
        here = Club.objects.filter(
            created_at=deserialize_value(Club._meta.get_field("created_at"), clubs[0]["created_at"])
        )
    if existing_club := here.first():
        raise Refusal("club_already_here", club=existing_club.name)
    return backup, clubs[0]


@dataclass(slots=True)
class _Import:
    """One import: how much is ``added`` to the ids of each table, and the ``accounts`` here by their ids in
    the file."""

    backup: Backup
    added: dict[type[Model], int] = field(default_factory=dict)
    accounts: dict[int, int] = field(default_factory=dict)
    taken_keys: set[UUID] = field(default_factory=set)
    open_topics: set[str] = field(default_factory=set)
    renamed: set[int] = field(default_factory=set)
    damaged: set[int] = field(default_factory=set)

    def run(self, old_id: int) -> Club:
        self._reserve_ids()
        self._find_accounts()
        self.damaged = _find_damaged_matches(self.backup)
        for label in TABLE_OWNERSHIP:
            if label in self.backup.tables and label not in OMITTED_MODELS:
                self.taken_keys = _find_taken_keys(self.backup, get_model(label))
                rows = (self._prepare_row(label, row) for row in self.backup.iter_rows(label))
                add_rows(get_model(label), rows)
        connection.check_constraints()
        club = Club.objects.get(pk=self.added[Club] + old_id)
        delete_unfinished_imports(club)
        for topic in sorted(self.open_topics):
            reopen_cards(topic=topic)
        for event in Event.objects.filter(pk__in=self.renamed):
            desk = reverse("desk", args=[event.short])
            TableCard.objects.filter(topic=event.topic).update(desk_page=desk)
            lead_cards(topic=event.topic, public_page=event.public_page, silent_from=event.visible.first_hidden_round)
        complete_derived_values(club)
        request_all_counts(club)
        return club

    def _reserve_ids(self) -> None:
        """Reserve as many ids of each table as lie between its first and last in the file, also within a history."""
        ranges: dict[type[Model], tuple[int, int]] = {}

        def note(model: type[Model], pk: int) -> int:
            first, last = ranges.get(model, (pk, pk))
            ranges[model] = min(first, pk), max(last, pk)
            return pk

        for label in self.backup.tables:
            for row in self.backup.iter_rows(label):
                renumber_row(get_model(label), row, note)
        for model, (first, last) in ranges.items():
            if last - first > MAX_RANGE:
                raise ValueError(f"{model._meta.label}: {first} – {last}")
        self.added = {
            model: reserve_ids(model, last - first + 1) - first + 1
            for model, (first, last) in ranges.items()
            if model is not Account
        }

    def _get_new_id(self, model: type[Model], pk: int) -> int | None:
        return self.accounts.get(pk) if model is Account else self.added[model] + pk

    def _find_accounts(self) -> None:
        """Find each account of the file here by its e-mail address, or create it without a password."""
        for row in self.backup.iter_rows("clubs.Account"):
            account = find_local_account(row["email"]) or Account.objects.create(
                **_find_unused_name(row["name"]),
                email=row["email"],
                language=row["language"],
                password=make_password(None),
            )
            self.accounts[row["id"]] = account.pk

    def _prepare_row(self, label: str, data: dict[str, Any]) -> Any:
        """Return the row with its new ids, and without what other rows here have already."""
        model = get_model(label)
        row: Any = row_from_backup(model, renumber_row(model, data, self._get_new_id))
        for name in _list_unique_keys(model):
            if getattr(row, name) in self.taken_keys:
                setattr(row, name, uuid4())
        if model is Club:
            row.slug = find_unused_slug(row.slug, has_club)
        elif model is Event and has_event(row.short):
            taken = {each["short"] for each in self.backup.iter_rows(label)}
            row.short = find_unused_slug(row.short, lambda short: short in taken or has_event(short))
            self.renamed.add(row.pk)
        elif model is TableCard and row.closed_at is None:
            self.open_topics.add(row.topic)
            row.closed_at = timezone.now()  # opened again later, with another code if its own is taken
        elif model is Match and data["id"] in self.damaged:
            row.log_digest = DAMAGE_PREFIX + row.log_digest.removeprefix(DAMAGE_PREFIX)
        elif model is Match:
            row.log_digest = ""
        elif model is Mark:
            row.digest = ""
        return row


def _find_unused_name(name: str) -> Mapping[str, str]:
    """Return the name of a new account, with a number if it is taken."""
    for number in count(1):
        tried = name if number == 1 else f"{name[: names.NAME_LENGTH - 4]} {number}"
        if not Account.objects.filter(folded_name=names.fold_name(tried)).exists():
            return {"name": tried, "folded_name": names.fold_name(tried)}
    raise AssertionError


def _list_unique_keys(model: type[Model]) -> list[str]:
    return [each.attname for each in model._meta.concrete_fields if isinstance(each, UUIDField) and each.unique]


def _find_taken_keys(backup: Backup, model: type[Model]) -> set[UUID]:
    """Return the keys of the file that rows here have: two clubs may have imported the same night."""
    found: set[UUID] = set()
    for name in _list_unique_keys(model):
        for some in split_into_portions(row[name] for row in backup.iter_rows(model._meta.label) if row.get(name)):
            here = model._default_manager.filter(**{f"{name}__in": some})
            found.update(here.values_list(name, flat=True))
    return found


def _find_damaged_matches(backup: Backup) -> set[int]:
    """Return the matches whose logs are not as they were written: new digests must not hide it."""
    marks: dict[int, list[Mark]] = defaultdict(list)
    for row in backup.iter_rows("scoring.Mark"):
        marks[row["match_id"]].append(row_from_backup(Mark, row))
    seals = {row["id"]: row.get("log_digest", "") for row in backup.iter_rows("scoring.Match")}
    found = set()
    for match, seal in seals.items():
        log = build_chain(marks[match])
        is_sealed = seal and all(mark.digest for mark in log)
        if seal.startswith(DAMAGE_PREFIX) or (
            is_sealed and (find_broken_links(match, log) or not is_status_intact(seal, log))
        ):
            found.add(match)
    return found
