"""Database constraints refuse invalid rows, even when code bypasses the services."""

from uuid import uuid4

import pytest
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from clubs.models import Account, Club, Membership
from live.models import Revision
from scoring.models import Agreement, Dispute, Mark, Player, TableCard
from tests.builders import (
    build_account,
    build_club,
    build_event,
    build_running_night,
    compute_standings,
    mark,
    matches_of,
)
from tournaments.models import Entry, Event, Round, Seating, Standings, Table

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql("constraints")]


def is_refused(row: models.Model) -> bool:
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        return True
    return False


def copy_of(row: models.Model, **changed: object) -> models.Model:
    """Return an unsaved copy of the row, with a new id and the changed values."""
    row.pk = None
    row._state.adding = True
    for name, value in changed.items():
        setattr(row, name, value)
    return row


@pytest.fixture
def event() -> Event:
    """A night of five pairs in its first round, with a hand recorded at each table."""
    event = build_running_night(pairs=5)
    for match in matches_of(event):
        mark(match, "A 6 made")
    return event


class TestMatchConstraints:
    def test_place_in_a_match_allows_one_current_mark(self, event: Event) -> None:
        stored_mark = Mark.objects.all()[0]
        assert is_refused(copy_of(stored_mark, entry_key=uuid4()))
        assert not is_refused(copy_of(stored_mark, entry_key=uuid4(), status="rival"))

    def test_entry_key_is_unique_within_a_match(self, event: Event) -> None:
        stored_mark = Mark.objects.all()[0]
        assert is_refused(copy_of(stored_mark, number=2))

    def test_seat_of_a_match_takes_one_player(self, event: Event) -> None:
        assert is_refused(copy_of(Player.objects.all()[0]))

    def test_side_confirms_each_result_once(self, event: Event) -> None:
        match = matches_of(event)[0]
        agreed = Agreement.objects.create(match=match, game=1, side=0, agreed_to="32-6 A points")
        assert is_refused(copy_of(agreed))
        assert not is_refused(copy_of(agreed, agreed_to="6-32 B points"))

    def test_match_has_at_most_one_open_dispute(self, event: Event) -> None:
        call = Dispute.objects.create(match=matches_of(event)[0])
        assert is_refused(copy_of(call))
        assert not is_refused(copy_of(call, settled_at=timezone.now()))

    def test_match_with_marks_cannot_be_deleted(self, event: Event) -> None:
        with pytest.raises(models.ProtectedError):
            matches_of(event)[0].delete()

    def test_match_belongs_to_one_table(self, event: Event) -> None:
        first, second = Table.objects.order_by("number")
        second.match = first.match
        assert is_refused(second)


class TestRoundConstraints:
    def test_round_seats_each_entry_once(self, event: Event) -> None:
        seated = Seating.objects.exclude(table=None)[0]
        assert is_refused(copy_of(seated, table=None, side=None))

    def test_table_side_takes_one_entry(self, event: Event) -> None:
        sitting_out = Seating.objects.get(table=None)
        sitting_out.table, sitting_out.side = Table.objects.all()[0], 0
        assert is_refused(sitting_out)

    def test_seating_requires_both_table_and_side_or_neither(self, event: Event) -> None:
        sitting_out = Seating.objects.get(table=None)
        sitting_out.side = 0
        assert is_refused(sitting_out)
        seated = Seating.objects.exclude(table=None)[0]
        seated.side = None
        assert is_refused(seated)

    def test_table_number_is_unique_within_a_round(self, event: Event) -> None:
        assert is_refused(copy_of(Table.objects.all()[0], match=None))


class TestEventConstraints:
    def test_round_number_is_unique_within_an_event(self, event: Event) -> None:
        assert is_refused(copy_of(Round.objects.all()[0]))

    def test_entry_number_is_unique_within_an_event(self, event: Event) -> None:
        assert is_refused(copy_of(Entry.objects.all()[0]))

    def test_event_has_one_card_per_table(self, event: Event) -> None:
        assert is_refused(copy_of(TableCard.objects.all()[0], code="000000"))

    def test_table_card_code_is_unique_across_events(self, event: Event) -> None:
        assert is_refused(copy_of(TableCard.objects.all()[0], topic="another"))

    def test_event_has_one_standings_row(self, event: Event) -> None:
        compute_standings(event)
        assert is_refused(copy_of(Standings.objects.get()))

    def test_event_short_name_is_unique(self, event: Event) -> None:
        assert is_refused(copy_of(event))

    def test_event_with_a_draw_cannot_be_deleted(self, event: Event) -> None:
        with pytest.raises(models.ProtectedError):
            event.delete()


class TestClubConstraints:
    def test_account_has_one_role_per_club(self) -> None:
        build_club(owner=build_account())
        assert is_refused(copy_of(Membership.objects.get(), role="desk"))

    def test_club_slug_is_unique(self) -> None:
        build_club()
        assert is_refused(copy_of(Club.objects.get()))

    def test_account_name_is_unique(self) -> None:
        build_account()
        assert is_refused(copy_of(Account.objects.get()))

    def test_person_who_played_cannot_be_deleted(self) -> None:
        event = build_event(pairs=2)
        with pytest.raises(models.ProtectedError):
            event.club.people.all()[0].delete()


def test_topic_has_one_revision_row() -> None:
    Revision.objects.create(topic="event:1")
    with pytest.raises(IntegrityError), transaction.atomic():
        Revision.objects.create(topic="event:1")
