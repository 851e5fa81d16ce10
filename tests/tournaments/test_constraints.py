"""Constraints of the database, should anybody ever write past the services."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from clubs.models import Account, Club, Membership
from live.models import Revision
from scoring.models import Agreement, Dispute, Mark, Player, TableCard
from tests.builders import (
    a_club,
    a_running_night,
    an_account,
    an_event,
    mark,
    matches_of,
    standings_after,
)
from tournaments.models import Entry, Event, Round, Seating, Standings, Table

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("what the database refuses by itself")]


def held(row: models.Model) -> bool:
    """Whether the database refuses the row."""
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        return True
    return False


def copy_of(row: models.Model, **changed: object) -> models.Model:
    """Return the same row once more, under an id of its own."""
    row.pk = None
    row._state.adding = True
    for name, value in changed.items():
        setattr(row, name, value)
    return row


@pytest.fixture
def event() -> Event:
    """An evening of five pairs in its first round, with a hand marked at each table."""
    event = a_running_night(pairs=5)
    for match in matches_of(event):
        mark(match, "A 6 made")
    return event


class TestAMatch:
    def test_has_one_mark_that_counts_in_each_place(self, event: Event) -> None:
        kept = Mark.objects.all()[0]
        assert held(copy_of(kept, entry_key=uuid4()))
        assert not held(copy_of(kept, entry_key=uuid4(), status="rival"))

    def test_has_each_entry_key_once(self, event: Event) -> None:
        kept = Mark.objects.all()[0]
        assert held(copy_of(kept, number=2))

    def test_has_one_player_in_each_seat(self, event: Event) -> None:
        assert held(copy_of(Player.objects.all()[0]))

    def test_has_one_agreement_of_each_side_to_each_result(self, event: Event) -> None:
        match = matches_of(event)[0]
        agreed = Agreement.objects.create(match=match, game=1, side=0, agreed_to="32-6 A points")
        assert held(copy_of(agreed))
        assert not held(copy_of(agreed, agreed_to="6-32 B points"))

    def test_has_one_open_call_to_the_desk(self, event: Event) -> None:
        call = Dispute.objects.create(match=matches_of(event)[0])
        assert held(copy_of(call))
        assert not held(copy_of(call, settled_at=timezone.now()))

    def test_that_was_marked_is_not_deleted(self, event: Event) -> None:
        with pytest.raises(models.ProtectedError):
            matches_of(event)[0].delete()

    def test_belongs_to_one_table(self, event: Event) -> None:
        first, second = Table.objects.order_by("number")
        second.match = first.match
        assert held(second)


class TestARound:
    def test_has_each_entry_once(self, event: Event) -> None:
        seated = Seating.objects.exclude(table=None)[0]
        assert held(copy_of(seated, table=None, side=None))

    def test_has_one_entry_on_each_side_of_a_table(self, event: Event) -> None:
        sitting_out = Seating.objects.get(table=None)
        sitting_out.table, sitting_out.side = Table.objects.all()[0], 0
        assert held(sitting_out)

    def test_has_a_side_only_at_a_table_and_a_table_only_with_a_side(self, event: Event) -> None:
        sitting_out = Seating.objects.get(table=None)
        sitting_out.side = 0
        assert held(sitting_out)
        seated = Seating.objects.exclude(table=None)[0]
        seated.side = None
        assert held(seated)

    def test_has_each_table_once(self, event: Event) -> None:
        assert held(copy_of(Table.objects.all()[0], match=None))


class TestAnEvent:
    def test_has_each_round_once(self, event: Event) -> None:
        assert held(copy_of(Round.objects.all()[0]))

    def test_has_each_entry_number_once(self, event: Event) -> None:
        assert held(copy_of(Entry.objects.all()[0]))

    def test_has_one_card_for_each_table(self, event: Event) -> None:
        assert held(copy_of(TableCard.objects.all()[0], code="000000"))

    def test_has_cards_whose_codes_are_nobody_elses(self, event: Event) -> None:
        assert held(copy_of(TableCard.objects.all()[0], topic="another"))

    def test_has_one_table_of_standings(self, event: Event) -> None:
        standings_after(event)
        assert held(copy_of(Standings.objects.get()))

    def test_has_a_short_name_that_no_other_has(self, event: Event) -> None:
        assert held(copy_of(event))

    def test_that_was_drawn_is_not_deleted(self, event: Event) -> None:
        with pytest.raises(models.ProtectedError):
            event.delete()


class TestAClub:
    def test_has_one_role_for_each_account(self) -> None:
        a_club(owner=an_account())
        assert held(copy_of(Membership.objects.get(), role="desk"))

    def test_has_a_slug_that_no_other_has(self) -> None:
        a_club()
        assert held(copy_of(Club.objects.get()))

    def test_knows_each_account_by_a_name_of_its_own(self) -> None:
        an_account()
        assert held(copy_of(Account.objects.get()))

    def test_keeps_the_people_who_played(self) -> None:
        event = an_event(pairs=2)
        with pytest.raises(models.ProtectedError):
            event.club.people.all()[0].delete()


def test_a_topic_has_one_revision() -> None:
    Revision.objects.create(topic="event:1")
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.create(topic="event:1")
