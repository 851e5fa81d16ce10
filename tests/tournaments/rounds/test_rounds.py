"""Drawing, publishing and closing a round, and the undo of each."""

import pytest

from live.revisions import get_revision
from rules import TWO_PLAYER
from scoring.models import Match
from scoring.services.agreement import call_desk, settle_call
from tests.builders import (
    build_account,
    build_event,
    build_played_night,
    build_running_night,
    compute_standings,
    get_refusal,
    get_refusal_code,
    mark,
    matches_of,
    play_round,
    reload_match,
    start_next_round,
    win,
)
from tournaments.entries.services.entry_actions import substitute_player
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event
from tournaments.rounds.queries.rounds import list_missing_tables, list_tables
from tournaments.rounds.services.clock import begin_round
from tournaments.rounds.services.rounds import (
    close_round,
    discard_draft,
    draw_round,
    publish_round,
    reopen_round,
    unpublish_round,
)
from tournaments.rounds.services.tables import swap_entries

pytestmark = pytest.mark.django_db


def build_started_night(pairs: int = 4) -> Event:
    return start_event(event_id=build_event(pairs).pk)


class TestPublishing:
    def test_publishing_opens_a_match_at_every_table(self) -> None:
        event = build_running_night(pairs=4)
        for table in list_tables(event.rounds.get()):
            assert table.match is not None
            side_a, side_b = (seating.entry.players for seating in table.seatings.all())
            seated = [player.person for player in table.match.players.order_by("seat")]
            assert seated == [side_a[0], side_b[0], side_a[1], side_b[1]]
            assert table.match.card.number == table.number
            assert table.match.card.topic == event.topic

    @pytest.mark.long
    def test_two_player_match_seats_two_people(self) -> None:
        event = build_running_night(pairs=2, ruleset=TWO_PLAYER)
        (match,) = matches_of(event)
        assert match.players.count() == 2

    def test_double_click_publishes_once(self) -> None:
        event = build_running_night()
        before = get_revision(event.topic)
        assert publish_round(event_id=event.pk, number=1).state == "published"
        assert Match.objects.count() == 2
        assert get_revision(event.topic) == before

    def test_round_without_a_draft_cannot_be_published(self) -> None:
        refusal = get_refusal(publish_round, event_id=build_started_night().pk, number=1)
        assert (refusal.code, refusal.details) == ("no_such_round", {"round": 1})

    def test_closed_round_cannot_be_published(self) -> None:
        event = build_played_night()
        assert get_refusal_code(publish_round, event_id=event.pk, number=1) == "step_not_allowed"

    def test_unmarked_round_can_be_unpublished(self) -> None:
        event = build_running_night()
        drawn = unpublish_round(event_id=event.pk, number=1)
        assert (drawn.state, drawn.published_at) == ("draft", None)
        assert not Match.objects.exists()
        assert publish_round(event_id=event.pk, number=1).state == "published"

    @pytest.mark.long
    def test_republished_round_continues_with_recorded_hands(self) -> None:
        event = build_running_night()
        marked = matches_of(event)[1]
        mark(marked, "A 6 made")
        unpublish_round(event_id=event.pk, number=1)
        assert list(Match.objects.all()) == [marked]
        assert reload_match(marked).withdrawn_at is not None
        publish_round(event_id=event.pk, number=1)
        assert matches_of(event)[1] == marked
        assert reload_match(marked).closed_at is None

    @pytest.mark.long
    def test_substitute_continues_the_recorded_match_after_republishing(self) -> None:
        event = build_running_night()
        marked = matches_of(event)[0]
        mark(marked, "A 6 made")
        pair = event.entries.get(seatings__table__number=1, seatings__side=0)
        for name in ("Omer Paradis", pair.player_1.name):
            unpublish_round(event_id=event.pk, number=1)
            substitute_player(event_id=event.pk, number=pair.number, place=1, name=name)
            publish_round(event_id=event.pk, number=1)
            assert matches_of(event)[0] == marked
            assert marked.players.get(seat=0).person.name == name
        assert list(Match.objects.filter(withdrawn_at__isnull=False)) == []

    @pytest.mark.long
    def test_finished_match_keeps_its_players_after_republishing(self) -> None:
        event = build_running_night()
        won = matches_of(event)[0]
        win(won)
        pair = event.entries.get(seatings__table__number=1, seatings__side=0)
        unpublish_round(event_id=event.pk, number=1)
        substitute_player(event_id=event.pk, number=pair.number, place=1, name="Omer Paradis")
        publish_round(event_id=event.pk, number=1)
        assert matches_of(event)[0] == won
        assert won.players.get(seat=0).person == pair.player_1

    @pytest.mark.long
    def test_republishing_with_another_pair_starts_a_new_match(self) -> None:
        event = build_running_night()
        marked = matches_of(event)[0]
        mark(marked, "A 6 made")
        one, other = (event.entries.get(seatings__table__number=table, seatings__side=0) for table in (1, 2))
        unpublish_round(event_id=event.pk, number=1)
        goes_on = []
        for _ in range(2):
            swap_entries(event_id=event.pk, number=1, one=one.number, other=other.number)
            publish_round(event_id=event.pk, number=1)
            goes_on.append(matches_of(event)[0] == marked)
            unpublish_round(event_id=event.pk, number=1)
        assert goes_on == [False, True]

    def test_round_cannot_be_unpublished_twice(self) -> None:
        event = build_running_night()
        unpublish_round(event_id=event.pk, number=1)
        assert get_refusal_code(unpublish_round, event_id=event.pk, number=1) == "step_not_allowed"


class TestClosing:
    def test_closing_a_round_closes_every_match(self) -> None:
        event = build_played_night()
        assert event.rounds.get().state == "closed"
        assert event.rounds.get().closed_at is not None
        assert not Match.objects.filter(closed_at=None).exists()

    @pytest.mark.long
    def test_closing_is_refused_with_missing_tables(self) -> None:
        event = build_running_night(pairs=8)
        first, second, third, fourth = matches_of(event)
        for match in (first, third, fourth):
            win(match)
        mark(second, "A 6 made")
        mark(third, "B 7 made", number=1)
        assert reload_match(third).is_over
        call_desk(match_id=fourth.pk)
        refusal = get_refusal(close_round, event_id=event.pk, number=1)
        assert (refusal.code, refusal.details) == ("tables_missing", {"tables": [2, 3, 4]})
        assert reload_match(first).closed_at is None
        assert event.rounds.get().state == "published"

    @pytest.mark.long
    def test_settled_call_makes_the_table_complete(self) -> None:
        event = build_running_night(pairs=2)
        (match,) = matches_of(event)
        win(match)
        call_desk(match_id=match.pk)
        assert list_missing_tables(event.rounds.get()) == [1]
        settle_call(match_id=match.pk, account=build_account(), ruling="Stands.")
        assert list_missing_tables(event.rounds.get()) == []

    def test_repeated_closing_changes_nothing(self) -> None:
        event = build_played_night()
        before = get_revision(event.topic)
        closed_at = event.rounds.get().closed_at
        assert close_round(event_id=event.pk, number=1).closed_at == closed_at
        assert get_revision(event.topic) == before

    def test_draft_cannot_be_closed(self) -> None:
        event = build_started_night()
        draw_round(event_id=event.pk)
        assert get_refusal_code(close_round, event_id=event.pk, number=1) == "step_not_allowed"

    def test_round_without_a_draft_cannot_be_closed(self) -> None:
        assert get_refusal_code(close_round, event_id=build_started_night().pk, number=1) == "no_such_round"


class TestReopening:
    def test_reopened_round_accepts_hands_again(self) -> None:
        event = build_played_night()
        reopened = reopen_round(event_id=event.pk, number=1)
        assert (reopened.state, reopened.closed_at) == ("published", None)
        match = matches_of(event)[0]
        last = match.marks.get(number=2)
        assert mark(match, "undone", replaced=last).status == "current"

    @pytest.mark.slow
    def test_reopened_round_keeps_its_running_clock(self) -> None:
        event = build_running_night()
        begin_round(event_id=event.pk, number=1)
        play_round(event)
        assert reopen_round(event_id=event.pk, number=1).state == "playing"

    def test_repeated_reopening_changes_nothing(self) -> None:
        event = build_played_night()
        reopen_round(event_id=event.pk, number=1)
        before = get_revision(event.topic)
        reopen_round(event_id=event.pk, number=1)
        assert get_revision(event.topic) == before

    def test_reopening_discards_the_next_draft(self) -> None:
        event = build_played_night()
        draw_round(event_id=event.pk)
        reopen_round(event_id=event.pk, number=1)
        assert event.rounds.count() == 1

    @pytest.mark.slow
    def test_reopening_is_refused_after_a_later_round(self) -> None:
        event = build_played_night()
        start_next_round(event)
        refusal = get_refusal(reopen_round, event_id=event.pk, number=1)
        assert (refusal.code, refusal.details) == ("later_round_published", {"round": 1})
        assert event.rounds.count() == 2

    def test_reopening_is_refused_after_the_event_ended(self) -> None:
        event = build_played_night()
        end_event(event_id=event.pk)
        assert get_refusal_code(reopen_round, event_id=event.pk, number=1) == "event_not_running"

    def test_draft_cannot_be_reopened(self) -> None:
        event = build_started_night()
        draw_round(event_id=event.pk)
        assert get_refusal_code(reopen_round, event_id=event.pk, number=1) == "step_not_allowed"


@pytest.mark.long
def test_every_round_step_raises_the_event_revision() -> None:
    event = build_started_night()
    steps = (
        lambda: draw_round(event_id=event.pk),
        lambda: publish_round(event_id=event.pk, number=1),
        lambda: unpublish_round(event_id=event.pk, number=1),
        lambda: discard_draft(event_id=event.pk, number=1),
        lambda: start_next_round(event),
        lambda: play_round(event),
        lambda: reopen_round(event_id=event.pk, number=1),
        lambda: close_round(event_id=event.pk, number=1),
        lambda: compute_standings(event),
        lambda: end_event(event_id=event.pk),
    )
    seen = [get_revision(event.topic)]
    for step in steps:
        step()
        seen.append(get_revision(event.topic))
    assert seen == sorted(set(seen))
