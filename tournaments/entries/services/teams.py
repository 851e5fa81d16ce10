"""Teams or clubs of entries."""

from collections.abc import Collection, Iterable, Mapping

from django.db import transaction
from django.db.models import Q

from clubs.audit.log import NOBODY, Actor
from errors import Refusal
from tournaments.entries.captain_keys import get_captain_key
from tournaments.entries.entry_import.values import clean_team, is_guest_team
from tournaments.events.services.lifecycle import check_preparing
from tournaments.history.services.changes import Change
from tournaments.models import Entry
from web.names import get_group_key, unify_spellings


@transaction.atomic
def set_team(*, event_id: int, numbers: Collection[int], team: str, by: Actor = NOBODY) -> list[Entry]:
    """Set the team of several entries, by their numbers. An empty name removes it. A team that is renamed as a
    whole keeps the link and the line-up of its captain. Safe to repeat.

    Refuses: nobody_chosen, no_such_entry_now, team_too_long.
    """
    change = Change(event_id, "set_team", by)
    team = clean_team(team)
    if not numbers:
        raise Refusal("nobody_chosen", field="entry")
    found = change.event.entries.select_related("player_1", "player_2").filter(number__in=numbers)
    entries = {entry.number: entry for entry in found}
    unknown_numbers = sorted(set(numbers) - entries.keys())
    if unknown_numbers:
        raise Refusal("no_such_entry_now", field="entry", entry=unknown_numbers[0])
    changed_entries = [entries[number] for number in sorted(entries) if entries[number].team != team]
    if changed_entries and not change.is_repeat:
        _keep_captain(change, changed_entries, team)
        change.update_all(changed_entries, team=team)
        mark_guests(change, changed_entries)
        change.record(entries=[entry.number for entry in changed_entries], team=team)
    return list(entries.values())


@transaction.atomic
def move_teams(*, event_id: int, sections: Mapping[str, str], by: Actor = NOBODY) -> None:
    """Move the entries of teams, by name, to other sections: promotion and relegation. Safe to repeat.

    Refuses: event_started.
    """
    change = Change(event_id, "move_teams", by)
    new_sections = {get_group_key(team): section for team, section in sections.items()}
    for entry in change.event.entries.order_by("number"):
        section = new_sections.get(get_group_key(entry.team or change.event.club.name), entry.section)
        if section != entry.section:
            check_preparing(change.event, field="section")
            change.update(entry, section=section)
    if change.rows:
        change.record(teams=", ".join(sections))


def _keep_captain(change: Change, changed_entries: Iterable[Entry], team: str) -> None:
    """Keep the captain's link, line-up and request of a team all of whose entries get a name that no other team has."""
    event, changed_ids = change.event, {entry.pk for entry in changed_entries}
    old_names = unify_spellings(entry.team for entry in changed_entries)
    others = dict(event.entries.exclude(pk__in=changed_ids).order_by("number").values_list("pk", "team"))
    taken_keys = {get_group_key(name) for name in others.values()}
    if not event.has_team_matches or len(old_names) > 1 or taken_keys & {*old_names, get_group_key(team)}:
        return
    ((old_key, old_name),) = old_names.items()
    keys = {key: value for key, value in (event.captain_keys or {}).items() if key != old_key}
    change.update(event, captain_keys=keys | {get_group_key(team): get_captain_key(event, old_name)})
    last_round = event.rounds.last()
    for column in ("team_lineups", "postponement_requests"):
        stored = getattr(last_round, column, None) or {}
        if last_round is not None and old_name in stored:
            renamed = {team if name == old_name else name: value for name, value in stored.items()}
            change.update(last_round, **{column: renamed})


def mark_guests(change: Change, entries: Iterable[Entry]) -> None:
    """Make players of another club guests, if they came to this club with this event."""
    event = change.event
    people = [
        person
        for entry in entries
        if is_guest_team(entry.team, event.club.name)
        for person in entry.players
        if not person.is_guest and person.added_at >= event.created_at
    ]
    if not people:
        return
    pks = [person.pk for person in people]
    elsewhere = Entry.objects.filter(Q(player_1__in=pks) | Q(player_2__in=pks)).exclude(event=event)
    known_ids = {pk for pair in elsewhere.values_list("player_1", "player_2") for pk in pair}
    new = [
        person
        for person in people
        if person.pk not in known_ids and not (person.contact or person.labels or person.family_id)
    ]
    change.update_all(new, is_guest=True)
