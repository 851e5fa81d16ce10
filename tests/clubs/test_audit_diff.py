"""Audit lines: a word for every recorded field, and nothing technical."""

import re
from typing import Any

import pytest
from django.db import models
from django.utils.translation import override

from clubs.audit.diff import MOST_ROWS, ChangeKind
from clubs.audit.history import GROUPS as CLUB_GROUPS
from clubs.audit.history import club_written
from clubs.audit.log import Actor, RecordedChange
from clubs.models import Person
from clubs.services import (
    ClubChange,
    PersonDetails,
    add_person,
    change_person,
    change_role,
    import_people,
    join_with_new_account,
    undo_club_action,
)
from rules import Side
from tests.builders import a_club, an_event, next_round, play_round
from tests.support.hall import Hall
from tournaments.entries.queries.entries import entries_of
from tournaments.entries.services.check_in import leave_out_entry, mark_present
from tournaments.entries.services.entry_actions import adjust_entry, substitute_player, withdraw_entry
from tournaments.entries.services.merging import merge_people
from tournaments.events.services.settings import rename_event
from tournaments.history.presenters.history import GROUPS as EVENT_GROUPS
from tournaments.history.presenters.history import event_written
from tournaments.history.services.changes import Change
from tournaments.models import Event
from tournaments.rounds.services.tables import adjust_table, forfeit_table, swap_entries
from wording.labels.audit_diff import AuditRow, diff_rows
from wording.labels.audit_fields import FIELDS
from wording.labels.audit_values import as_ruleset
from wording.labels.history import DEEDS
from wording.labels.history_groups import GROUP_NAMES
from wording.labels.people import CLUB_DEEDS

pytestmark = pytest.mark.django_db

HISTORIES: list[type[RecordedChange]] = [ClubChange, Change]
KINDS = [(history, kind) for history in HISTORIES for kind in history.KINDS]
TECHNICAL = re.compile(r"None|True|False|[{}\[\]]|_id\b|folded|sha|T\d\d:\d\d")


def kept_fields(history: type[RecordedChange], model: type[models.Model]) -> set[str]:
    """The fields that a history keeps of a row."""
    left_out = history.NOT_RECORDED.get(str(model._meta.model_name), frozenset())
    return {
        field.attname
        for field in model._meta.concrete_fields
        if not field.primary_key and field.attname not in left_out
    }


def told_of(club: Any, kind: str) -> list[AuditRow]:
    action = club.actions.filter(kind=kind).first()
    return diff_rows(club_written(club, action.pk, ClubChange.row_kinds()))


def told_of_event(event: Event, kind: str) -> list[AuditRow]:
    action = event.actions.filter(kind=kind).latest("pk")
    return diff_rows(event_written(event, action.pk, entries_of(event)))


def in_lines(rows: list[AuditRow]) -> list[str]:
    """Each row on a line, new and gone ones without their values."""
    changed = [", ".join(f"{one.label} {one.before} → {one.after}" for one in row.fields) for row in rows]
    return [f"{row.title}: {row.became or told}" for row, told in zip(rows, changed, strict=True)]


@pytest.mark.parametrize(("history", "kind"), KINDS, ids=[kind for _, kind in KINDS])
def test_every_field_that_is_kept_has_its_word_or_is_said_to_have_none(
    history: type[RecordedChange], kind: str
) -> None:
    assert set(FIELDS[kind]) >= kept_fields(history, history.KINDS[kind])
    assert set(FIELDS[kind]) <= {field.attname for field in history.KINDS[kind]._meta.concrete_fields}
    for word in FIELDS[kind].values():
        if word is not None:
            for language in ("en", "fr"):
                with override(language):
                    assert str(word.label)


@pytest.mark.parametrize(("history", "kind"), KINDS, ids=[kind for _, kind in KINDS])
def test_people_know_every_row_by_some_of_its_fields(history: type[RecordedChange], kind: str) -> None:
    assert set(history.NAMED_BY[kind]) <= kept_fields(history, history.KINDS[kind])


@pytest.mark.parametrize(("groups", "deeds"), [(CLUB_GROUPS, CLUB_DEEDS), (EVENT_GROUPS, DEEDS)])
def test_every_kind_of_change_is_in_one_group(groups: Any, deeds: Any) -> None:
    assert sorted(kind for kinds in groups.values() for kind in kinds) == sorted(set(deeds) - {"undo"})
    assert set(groups) <= set(GROUP_NAMES)


@pytest.mark.parametrize(("key", "said"), [("house-7", "House rules"), ("canadian", "Canadian")])
def test_usual_rules_are_called_by_their_name(key: str, said: str) -> None:
    assert as_ruleset(key, {}) == said


class TestOfAClub:
    def test_a_value_that_became_another_one_and_one_that_is_none_now(self) -> None:
        club = a_club()
        person = add_person(club_id=club.pk, details=PersonDetails(name="Édith Roy", contact="418 555-0123"))
        change_person(club_id=club.pk, person_id=person.pk, details=PersonDetails(name="Édith Dubé"))
        (row,) = told_of(club, "change_person")
        assert row.title == "Édith Dubé"
        assert [(one.label, one.before, one.after) for one in row.fields] == [
            ("Name", "Édith Roy", "Édith Dubé"),
            ("Phone or e-mail", "418 555-0123", "none"),
        ]

    def test_a_new_row_is_added_with_what_it_says_and_no_more(self) -> None:
        club = a_club()
        add_person(
            club_id=club.pk, details=PersonDetails(name="Rita Roy", is_guest=True, family="Famille Roy")
        )
        family, person = told_of(club, "add_person")
        assert (family.title, family.became) == ("Family “Famille Roy”", "Added")
        assert (person.title, person.became) == ("Rita Roy", "Added")
        assert [(one.label, one.before, one.after) for one in person.fields] == [
            ("Guest", "", "yes"),
            ("Family", "", "Famille Roy"),
        ]

    def test_what_an_undo_took_away_is_removed(self) -> None:
        club = a_club()
        add_person(club_id=club.pk, details=PersonDetails(name="Rita Roy"))
        undo_club_action(club_id=club.pk, action_id=club.actions.latest("pk").pk)
        assert in_lines(told_of(club, "undo")) == ["Rita Roy: Removed"]

    def test_somebody_who_is_no_longer_there_is_said_to_be_so(self) -> None:
        club = a_club()
        person = add_person(club_id=club.pk, details=PersonDetails(name="Rita Roy"))
        change_person(
            club_id=club.pk, person_id=person.pk, details=PersonDetails(name="Rita Roy", contact="x")
        )
        Person.objects.all().delete()
        assert in_lines(told_of(club, "change_person")) == ["no longer listed: Phone or e-mail none → x"]

    def test_a_role_by_the_name_of_who_has_it(self) -> None:
        hall = Hall()
        handed = hall.an_invitation("desk")
        account, club = join_with_new_account(
            secret=handed.secret, name="Noëlla", password="kitty and mulot", language="fr"
        )
        member = account.memberships.get()
        change_role(club_id=club.pk, membership_id=member.pk, role="director")
        (row,) = told_of(club, "change_role")
        assert row.title == "Noëlla, role in the club"
        assert ("Role", "desk helper", "director") in [
            (one.label, one.before, one.after) for one in row.fields
        ]

    def test_seats_that_became_somebody_elses_are_counted(self) -> None:
        hall = Hall(pairs=4)
        play_round(hall.event)
        club = hall.event.club
        kept = add_person(club_id=club.pk, details=PersonDetails(name="Rita Roy"))
        merged = hall.event.entries.get(number=1).player_1
        merge_people(club_id=club.pk, kept_id=kept.pk, merged_id=merged.pk)
        told = in_lines(told_of(club, "merge_people"))
        assert "1 seat: moved to another person" in told
        assert f"{merged.name}: Removed" in told

    def test_of_an_import_of_many_the_first_ones_are_told(self) -> None:
        club = a_club()
        names = [
            f"{first}{chr(97 + last)} Roy"
            for first in ("Ana", "Bea", "Cid", "Dor", "Eva")
            for last in range(26)
        ]
        import_people(club_id=club.pk, text="\n".join(names))
        written = club_written(club, club.actions.get().pk, ClubChange.row_kinds())
        assert (len(written.rows), written.left) == (MOST_ROWS, len(names) - MOST_ROWS)
        assert {row.became for row in written.rows} == {ChangeKind.ADDED}


class TestOfAnEvent:
    def test_a_step_of_a_round(self) -> None:
        hall = Hall(pairs=4)
        (row,) = told_of_event(hall.event, "publish_round")
        assert row.title == "Round 1"
        assert next((one.label, one.before, one.after) for one in row.fields) == (
            "Status",
            "draft",
            "published",
        )

    def test_a_whole_draw_is_told_by_its_size_and_once(self) -> None:
        (row,) = told_of_event(Hall(pairs=5).event, "draw_round")
        assert (row.title, row.became) == ("Round 1", "Added")
        assert ("Seating", "none", "2 tables, 1 bye") in [
            (one.label, one.before, one.after) for one in row.fields
        ]

    def test_a_swap_is_told_table_by_table(self) -> None:
        hall = Hall(pairs=4)
        first, other = (
            table.seatings.order_by("side")[0].entry.number
            for table in hall.event.rounds.get().tables.order_by("number")
        )
        swap_entries(event_id=hall.event.pk, number=1, one=first, other=other)
        (row,) = told_of_event(hall.event, "swap_entries")
        assert [one.label for one in row.fields] == ["Table 1", "Table 2"]
        assert all(" and " in one.before and " – " in one.after for one in row.fields)

    def test_what_the_director_gave_instead_of_the_cards(self) -> None:
        hall = Hall(pairs=4)
        forfeit_table(event_id=hall.event.pk, number=1, table=1, winner=Side.A)
        assert in_lines(told_of_event(hall.event, "forfeit_table")) == [
            "Round 1, table 1: Director’s ruling as played → Forfeit, first side wins"
        ]
        adjust_table(event_id=hall.event.pk, number=1, table=1, games=(2, 1), points=(50, 40))
        assert in_lines(told_of_event(hall.event, "adjust_table")) == [
            "Round 1, table 1: Director’s ruling Forfeit, first side wins → "
            "Score given by the director, games 2–1, points 50–40"
        ]

    def test_who_was_late_is_told_once_as_there_and_in_the_next_draw(self) -> None:
        event = an_event(2)
        leave_out_entry(event_id=event.pk, number=1, is_coming=True)
        mark_present(event_id=event.pk, number=1, is_present=True)
        (row,) = told_of_event(event, "mark_present")
        here, plays = row.fields
        assert (here.label, here.before) == ("Checked in", "none")
        assert (plays.label, plays.before, plays.after) == ("Plays from", "arrival", "round 1")

    def test_another_player_of_an_entry(self) -> None:
        hall = Hall(pairs=4)
        entry = hall.event.entries.get(number=1)
        substitute_player(event_id=hall.event.pk, number=1, place=2, name="Rita Roy")
        (row,) = told_of_event(hall.event, "substitute_player")
        assert (row.fields[0].label, row.fields[0].before, row.fields[0].after) == (
            "Second player",
            str(entry.player_2),
            "Rita Roy",
        )


def a_long_history() -> Hall:
    """A club and an event to which nearly everything was done."""
    hall = Hall(pairs=5)
    event = hall.event
    play_round(event)
    next_round(event)
    withdraw_entry(event_id=event.pk, number=5)
    adjust_entry(event_id=event.pk, number=1, metric="points_for", amount=-3, by=Actor(reason="late"))
    rename_event(event_id=event.pk, name="Coupe", held_on=event.held_on)
    an_event(3, club=event.club)
    assert hall.season
    assert hall.recurring_night
    assert hall.usual_night
    assert hall.signed_up
    return hall


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "fr"])
def test_nothing_technical_is_said_of_anything(language: str) -> None:
    club = a_long_history().event.club
    with override(language):
        told = [
            diff_rows(club_written(club, pk, ClubChange.row_kinds()))
            for pk in club.actions.values_list("pk", flat=True)
        ]
        for event in club.events.all():
            entries = entries_of(event)
            told += [
                diff_rows(event_written(event, pk, entries))
                for pk in event.actions.values_list("pk", flat=True)
            ]
        texts = [
            text
            for rows in told
            for row in rows
            for text in (
                row.title,
                row.became,
                *(text for one in row.fields for text in (one.label, one.before, one.after)),
            )
        ]
    assert len(texts) > 100
    assert [text for text in texts if TECHNICAL.search(text)] == []
