"""Diffs in the club and event history: a label for every recorded field, no technical names."""

import re
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from django.utils.translation import override

from clubs.audit.diff import MAX_ROWS, ChangeKind
from clubs.audit.history import get_club_change_diff
from clubs.audit.labels import CLUB_ACTIONS
from clubs.audit.log import Actor, RecordedChange
from clubs.models import Person
from clubs.services.changes import ClubChange
from clubs.services.dues import PeriodDetails, ask_dues, pay_dues
from clubs.services.people import PersonDetails, add_person, change_person
from clubs.services.privacy import IncidentDetails, add_incident, change_incident
from clubs.services.team import change_role, join_with_new_account
from clubs.services.undo import undo_club_action
from rules import Side
from tests.builders import build_account, build_club, build_event, import_people, play_round, start_next_round
from tests.support.hall import Hall
from tournaments.entries.queries.entries import get_entries
from tournaments.entries.services.check_in import leave_out_entry, mark_present
from tournaments.entries.services.entry_actions import adjust_entry, substitute_player, withdraw_entry
from tournaments.entries.services.merging import merge_people
from tournaments.events.services.settings import rename_event
from tournaments.history.labels import EVENT_ACTIONS
from tournaments.history.presenters.history import build_event_diff
from tournaments.history.services.changes import Change
from tournaments.models import Event
from tournaments.rounds.services.tables import adjust_table, forfeit_table, swap_entries
from versioning import list_naming_columns, list_recorded_fields
from wording.labels.audit_diff import AuditRow, diff_rows
from wording.labels.audit_values import format_ruleset_value
from wording.labels.club_history import CLUB_SENTENCES
from wording.labels.field_labels import get_field_labels
from wording.labels.history import EVENT_SENTENCES
from wording.templatetags.history_words import GROUP_NAMES

pytestmark = pytest.mark.django_db

HISTORIES: list[type[RecordedChange]] = [ClubChange, Change]
KINDS = [(history, kind) for history in HISTORIES for kind in history.KINDS]
TECHNICAL = re.compile(r"None|True|False|[{}\[\]]|_id\b|folded|sha|T\d\d:\d\d")


def diff_club_action(club: Any, kind: str) -> list[AuditRow]:
    action = club.actions.filter(kind=kind).first()
    return diff_rows(get_club_change_diff(club, action.pk, ClubChange.KINDS))


def diff_event_action(event: Event, kind: str) -> list[AuditRow]:
    action = event.actions.filter(kind=kind).latest("pk")
    return diff_rows(build_event_diff(event, action.pk, get_entries(event)))


def format_rows(rows: list[AuditRow]) -> list[str]:
    """Return one line per row: its changed fields, or only the status of an added or removed row."""
    changed = [", ".join(f"{one.label} {one.before} → {one.after}" for one in row.fields) for row in rows]
    return [f"{row.title}: {row.became or change}" for row, change in zip(rows, changed, strict=True)]


@pytest.mark.parametrize(("history", "kind"), KINDS, ids=[kind for _, kind in KINDS])
def test_every_shown_field_has_a_label_in_both_languages(history: type[RecordedChange], kind: str) -> None:
    labels = get_field_labels(history.KINDS[kind])
    assert labels or kind == "player"
    for field_label in labels.values():
        for language in ("en", "fr"):
            with override(language):
                assert str(field_label.label)


@pytest.mark.parametrize(("history", "kind"), KINDS, ids=[kind for _, kind in KINDS])
def test_fields_that_name_a_row_are_recorded(history: type[RecordedChange], kind: str) -> None:
    model = history.KINDS[kind]
    assert set(list_naming_columns(model)) <= {field.attname for field in list_recorded_fields(model)}


def test_change_records_only_rows_that_an_undo_can_restore() -> None:
    change = ClubChange(build_club().pk, "change_person")
    with pytest.raises(LookupError, match="account is not in KINDS of ClubChange"):
        change.record_added([build_account()])


@pytest.mark.parametrize(("groups", "actions"), [(CLUB_ACTIONS, CLUB_SENTENCES), (EVENT_ACTIONS, EVENT_SENTENCES)])
def test_every_kind_of_change_belongs_to_one_group(groups: Any, actions: Any) -> None:
    assert sorted(kind for kinds in groups.values() for kind in kinds) == sorted(set(actions) - {"undo"})
    assert set(groups) <= set(GROUP_NAMES)


@pytest.mark.parametrize(("key", "text"), [("house-7", "House rules"), ("canadian", "Canadian")])
def test_ruleset_values_are_shown_by_name(key: str, text: str) -> None:
    assert format_ruleset_value(key) == text


class TestClubHistoryDiff:
    def test_diff_shows_changed_and_cleared_values(self) -> None:
        club = build_club()
        person = add_person(club_id=club.pk, details=PersonDetails(name="Édith Roy", contact="418 555-0123"))
        change_person(club_id=club.pk, person_id=person.pk, details=PersonDetails(name="Édith Dubé"))
        (row,) = diff_club_action(club, "change_person")
        assert row.title == "Édith Dubé"
        assert [(one.label, one.before, one.after) for one in row.fields] == [
            ("Name", "Édith Roy", "Édith Dubé"),
            ("Phone or e-mail", "418 555-0123", "none"),
        ]

    def test_new_row_is_shown_as_added_with_its_values(self) -> None:
        club = build_club()
        add_person(club_id=club.pk, details=PersonDetails(name="Rita Roy", is_guest=True, family="Famille Roy"))
        family, person = diff_club_action(club, "add_person")
        assert (family.title, family.became) == ("Family “Famille Roy”", "Added")
        assert (person.title, person.became) == ("Rita Roy", "Added")
        assert [(one.label, one.before, one.after) for one in person.fields] == [
            ("Guest", "", "yes"),
            ("Family", "", "Famille Roy"),
        ]

    def test_undone_addition_is_shown_as_removed(self) -> None:
        club = build_club()
        add_person(club_id=club.pk, details=PersonDetails(name="Rita Roy"))
        undo_club_action(club_id=club.pk, action_id=club.actions.latest("pk").pk)
        assert format_rows(diff_club_action(club, "undo")) == ["Rita Roy: Removed"]

    def test_deleted_person_is_shown_as_no_longer_listed(self) -> None:
        club = build_club()
        person = add_person(club_id=club.pk, details=PersonDetails(name="Rita Roy"))
        change_person(club_id=club.pk, person_id=person.pk, details=PersonDetails(name="Rita Roy", contact="x"))
        Person.objects.all().delete()
        assert format_rows(diff_club_action(club, "change_person")) == ["no longer listed: Phone or e-mail none → x"]

    def test_payment_of_dues_is_titled_by_the_person_and_the_period(self) -> None:
        club = build_club()
        person = add_person(club_id=club.pk, details=PersonDetails(name="Rita Roy"))
        days = {"starts": date(2026, 1, 1), "ends": date(2026, 12, 31)}
        period = ask_dues(club_id=club.pk, details=PeriodDetails(name="2026", amount=2000, **days))
        assert period is not None
        pay_dues(club_id=club.pk, period_id=period.pk, person_id=person.pk)
        assert format_rows(diff_club_action(club, "pay_dues")) == ["Rita Roy, 2026: Added"]

    def test_incident_is_titled_by_its_day(self) -> None:
        club = build_club()
        day = date(2026, 11, 17)
        details = IncidentDetails(happened_on=day, noticed_on=day, what="A list was lost.", information="names")
        incident = add_incident(club_id=club.pk, details=details)
        change_incident(club_id=club.pk, incident_id=incident.pk, details=replace(details, people=3))
        rows = diff_club_action(club, "change_incident")
        assert format_rows(rows) == ["Incident of November 17, 2026: People affected none → 3"]

    @pytest.mark.long
    def test_role_change_is_titled_by_the_member_name(self) -> None:
        hall = Hall()
        handed = hall.build_invitation("desk")
        account, club = join_with_new_account(
            secret=handed.secret, name="Noëlla", password="kitty and mulot", language="fr"
        )
        member = account.memberships.get()
        change_role(club_id=club.pk, membership_id=member.pk, role="director")
        (row,) = diff_club_action(club, "change_role")
        assert row.title == "Noëlla, role in the club"
        assert ("Role", "desk helper", "director") in [(one.label, one.before, one.after) for one in row.fields]

    @pytest.mark.slow
    def test_merge_diff_counts_reassigned_seats(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        club = hall.event.club
        target = add_person(club_id=club.pk, details=PersonDetails(name="Rita Roy"))
        merged = hall.event.entries.get(number=1).player_1
        merge_people(club_id=club.pk, target_id=target.pk, source_id=merged.pk)
        lines = format_rows(diff_club_action(club, "merge_people"))
        assert "1 seat: moved to another person" in lines
        assert f"{merged.name}: Removed" in lines

    def test_large_import_diff_lists_only_the_first_rows(self) -> None:
        club = build_club()
        names = [f"{first}{chr(97 + last)} Roy" for first in ("Ana", "Bea", "Cid", "Dor", "Eva") for last in range(26)]
        import_people(club_id=club.pk, text="\n".join(names))
        written = get_club_change_diff(club, club.actions.get().pk, ClubChange.KINDS)
        assert (len(written.rows), written.left) == (MAX_ROWS, len(names) - MAX_ROWS)
        assert {row.became for row in written.rows} == {ChangeKind.ADDED}


class TestEventHistoryDiff:
    def test_publishing_shows_the_round_status_change(self) -> None:
        hall = Hall(pairs=4)
        (row,) = diff_event_action(hall.event, "publish_round")
        assert row.title == "Round 1"
        assert next((one.label, one.before, one.after) for one in row.fields) == (
            "Status",
            "draft",
            "published",
        )

    @pytest.mark.slow
    def test_new_draw_is_summarized_by_its_size(self) -> None:
        (row,) = diff_event_action(Hall(pairs=5).event, "draw_round")
        assert (row.title, row.became) == ("Round 1", "Added")
        assert ("Seating", "none", "2 tables, 1 bye") in [(one.label, one.before, one.after) for one in row.fields]

    def test_swap_is_shown_table_by_table(self) -> None:
        hall = Hall(pairs=4)
        first, other = (
            table.seatings.order_by("side")[0].entry.number
            for table in hall.event.rounds.get().tables.order_by("number")
        )
        swap_entries(event_id=hall.event.pk, number=1, one=first, other=other)
        (row,) = diff_event_action(hall.event, "swap_entries")
        assert [one.label for one in row.fields] == ["Table 1", "Table 2"]
        assert all(" and " in one.before and " – " in one.after for one in row.fields)

    def test_director_rulings_are_shown_with_their_scores(self) -> None:
        hall = Hall(pairs=4)
        forfeit_table(event_id=hall.event.pk, number=1, table=1, winner=Side.A)
        assert format_rows(diff_event_action(hall.event, "forfeit_table")) == [
            "Round 1, table 1: Director’s ruling as played → Forfeit, first side wins"
        ]
        adjust_table(event_id=hall.event.pk, number=1, table=1, games=(1, 0), points=(50, 40))
        assert format_rows(diff_event_action(hall.event, "adjust_table")) == [
            "Round 1, table 1: Director’s ruling Forfeit, first side wins → "
            "Score given by the director, games 1–0, points 50–40"
        ]

    @pytest.mark.slow
    def test_late_arrival_shows_check_in_and_first_round(self) -> None:
        event = build_event(2)
        leave_out_entry(event_id=event.pk, number=1, is_coming=True)
        mark_present(event_id=event.pk, number=1, is_present=True)
        (row,) = diff_event_action(event, "mark_present")
        here, plays = row.fields
        assert (here.label, here.before) == ("Checked in", "none")
        assert (plays.label, plays.before, plays.after) == ("Plays from", "arrival", "round 1")

    def test_substitution_shows_old_and_new_player(self) -> None:
        hall = Hall(pairs=4)
        entry = hall.event.entries.get(number=1)
        substitute_player(event_id=hall.event.pk, number=1, place=2, name="Rita Roy")
        (row,) = diff_event_action(hall.event, "substitute_player")
        assert (row.fields[0].label, row.fields[0].before, row.fields[0].after) == (
            "Second player",
            str(entry.player_2),
            "Rita Roy",
        )


def build_long_history() -> Hall:
    """Build a club and an event whose history holds nearly every kind of change."""
    hall = Hall(pairs=5)
    event = hall.event
    play_round(event)
    start_next_round(event)
    withdraw_entry(event_id=event.pk, number=5)
    adjust_entry(event_id=event.pk, number=1, metric="points_for", amount=-3, by=Actor(reason="late"))
    rename_event(event_id=event.pk, name="Coupe", held_on=event.held_on)
    build_event(3, club=event.club)
    assert hall.season
    assert hall.recurring_night
    assert hall.night_template
    assert hall.sign_up_entry
    return hall


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_history_diff_shows_no_technical_names(language: str) -> None:
    club = build_long_history().event.club
    with override(language):
        diffs = [
            diff_rows(get_club_change_diff(club, pk, ClubChange.KINDS))
            for pk in club.actions.values_list("pk", flat=True)
        ]
        for event in club.events.all():
            entries = get_entries(event)
            diffs += [
                diff_rows(build_event_diff(event, pk, entries)) for pk in event.actions.values_list("pk", flat=True)
            ]
        texts = [
            text
            for rows in diffs
            for row in rows
            for text in (
                row.title,
                row.became,
                *(text for one in row.fields for text in (one.label, one.before, one.after)),
            )
        ]
    assert len(texts) > 100
    assert [text for text in texts if TECHNICAL.search(text)] == []
