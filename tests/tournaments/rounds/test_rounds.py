"""Draw, publish, close, and the undo of each."""

import pytest

from live.revisions import revision_of
from rules import TWO_PLAYER
from scoring.models import Match
from scoring.services import dispute, settle_call
from tests.builders import (
    a_played_night,
    a_running_night,
    an_account,
    an_event,
    code_of,
    fresh,
    mark,
    matches_of,
    next_round,
    play_round,
    refusal_of,
    standings_after,
    win,
)
from tournaments.entries.services.entry_actions import substitute_player
from tournaments.events.services.lifecycle import end_event, start_event
from tournaments.models import Event
from tournaments.rounds.queries.rounds import missing_tables, tables_of
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


def a_started_night(pairs: int = 4) -> Event:
    return start_event(event_id=an_event(pairs).pk)


class TestPublishing:
    def test_opens_a_match_at_every_table_with_the_players_in_their_seats(self) -> None:
        event = a_running_night(pairs=4)
        for table in tables_of(event.rounds.get()):
            assert table.match is not None
            side_a, side_b = (seating.entry.players for seating in table.seatings.all())
            seated = [player.person for player in table.match.players.order_by("seat")]
            assert seated == [side_a[0], side_b[0], side_a[1], side_b[1]]
            assert table.match.card.number == table.number
            assert table.match.card.topic == event.topic

    @pytest.mark.slow
    def test_seats_two_people_where_two_play(self) -> None:
        event = a_running_night(pairs=2, ruleset=TWO_PLAYER)
        (match,) = matches_of(event)
        assert match.players.count() == 2

    def test_by_a_double_click_publishes_once(self) -> None:
        event = a_running_night()
        before = revision_of(event.topic)
        assert publish_round(event_id=event.pk, number=1).state == "published"
        assert Match.objects.count() == 2
        assert revision_of(event.topic) == before

    def test_what_was_not_drawn_is_refused(self) -> None:
        refusal = refusal_of(publish_round, event_id=a_started_night().pk, number=1)
        assert (refusal.code, refusal.details) == ("no_such_round", {"round": 1})

    def test_a_closed_round_is_refused(self) -> None:
        event = a_played_night()
        assert code_of(publish_round, event_id=event.pk, number=1) == "step_not_allowed"

    def test_is_undone_while_nobody_has_marked(self) -> None:
        event = a_running_night()
        drawn = unpublish_round(event_id=event.pk, number=1)
        assert (drawn.state, drawn.published_at) == ("draft", None)
        assert not Match.objects.exists()
        assert publish_round(event_id=event.pk, number=1).state == "published"

    def test_undone_sets_aside_what_was_marked_and_the_same_draw_goes_on_with_it(self) -> None:
        event = a_running_night()
        marked = matches_of(event)[1]
        mark(marked, "A 6 made")
        unpublish_round(event_id=event.pk, number=1)
        assert list(Match.objects.all()) == [marked]
        assert fresh(marked).withdrawn_at is not None
        publish_round(event_id=event.pk, number=1)
        assert matches_of(event)[1] == marked
        assert fresh(marked).closed_at is None

    @pytest.mark.slow
    def test_again_with_a_substitute_goes_on_with_what_the_pair_had_marked(self) -> None:
        event = a_running_night()
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

    @pytest.mark.slow
    def test_again_with_a_substitute_keeps_a_match_that_is_over_for_those_who_played_it(self) -> None:
        event = a_running_night()
        won = matches_of(event)[0]
        win(won)
        pair = event.entries.get(seatings__table__number=1, seatings__side=0)
        unpublish_round(event_id=event.pk, number=1)
        substitute_player(event_id=event.pk, number=pair.number, place=1, name="Omer Paradis")
        publish_round(event_id=event.pk, number=1)
        assert matches_of(event)[0] == won
        assert won.players.get(seat=0).person == pair.player_1

    @pytest.mark.slow
    def test_again_with_another_pair_at_the_table_begins_anew(self) -> None:
        event = a_running_night()
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

    def test_is_not_undone_twice(self) -> None:
        event = a_running_night()
        unpublish_round(event_id=event.pk, number=1)
        assert code_of(unpublish_round, event_id=event.pk, number=1) == "step_not_allowed"


class TestClosing:
    def test_closes_every_match(self) -> None:
        event = a_played_night()
        assert event.rounds.get().state == "closed"
        assert event.rounds.get().closed_at is not None
        assert not Match.objects.filter(closed_at=None).exists()

    def test_is_refused_with_the_tables_that_are_missing(self) -> None:
        event = a_running_night(pairs=8)
        first, second, third, fourth = matches_of(event)
        for match in (first, third, fourth):
            win(match)
        mark(second, "A 6 made")
        mark(third, "B 7 made", number=1)
        assert fresh(third).is_over
        dispute(match_id=fourth.pk)
        refusal = refusal_of(close_round, event_id=event.pk, number=1)
        assert (refusal.code, refusal.details) == ("tables_missing", {"tables": [2, 3, 4]})
        assert fresh(first).closed_at is None
        assert event.rounds.get().state == "published"

    def test_misses_no_table_once_all_is_settled(self) -> None:
        event = a_running_night(pairs=2)
        (match,) = matches_of(event)
        win(match)
        dispute(match_id=match.pk)
        assert missing_tables(event.rounds.get()) == [1]
        settle_call(match_id=match.pk, account=an_account(), ruling="Stands.")
        assert missing_tables(event.rounds.get()) == []

    def test_twice_closes_once(self) -> None:
        event = a_played_night()
        before = revision_of(event.topic)
        closed_at = event.rounds.get().closed_at
        assert close_round(event_id=event.pk, number=1).closed_at == closed_at
        assert revision_of(event.topic) == before

    def test_a_draft_is_refused(self) -> None:
        event = a_started_night()
        draw_round(event_id=event.pk)
        assert code_of(close_round, event_id=event.pk, number=1) == "step_not_allowed"

    def test_what_was_not_drawn_is_refused(self) -> None:
        assert code_of(close_round, event_id=a_started_night().pk, number=1) == "no_such_round"


class TestReopening:
    def test_lets_the_tables_mark_again(self) -> None:
        event = a_played_night()
        reopened = reopen_round(event_id=event.pk, number=1)
        assert (reopened.state, reopened.closed_at) == ("published", None)
        match = matches_of(event)[0]
        last = match.marks.get(number=2)
        assert mark(match, "undone", replacing=last).status == "current"

    def test_a_round_whose_clock_had_begun_goes_on_as_begun(self) -> None:
        event = a_running_night()
        begin_round(event_id=event.pk, number=1)
        play_round(event)
        assert reopen_round(event_id=event.pk, number=1).state == "playing"

    def test_twice_reopens_once(self) -> None:
        event = a_played_night()
        reopen_round(event_id=event.pk, number=1)
        before = revision_of(event.topic)
        reopen_round(event_id=event.pk, number=1)
        assert revision_of(event.topic) == before

    def test_forgets_the_draft_of_the_next_round(self) -> None:
        event = a_played_night()
        draw_round(event_id=event.pk)
        reopen_round(event_id=event.pk, number=1)
        assert event.rounds.count() == 1

    @pytest.mark.slow
    def test_is_refused_once_a_later_round_was_published(self) -> None:
        event = a_played_night()
        next_round(event)
        refusal = refusal_of(reopen_round, event_id=event.pk, number=1)
        assert (refusal.code, refusal.details) == ("later_round_published", {"round": 1})
        assert event.rounds.count() == 2

    def test_is_refused_after_the_evening_ended(self) -> None:
        event = a_played_night()
        end_event(event_id=event.pk)
        assert code_of(reopen_round, event_id=event.pk, number=1) == "event_not_running"

    def test_a_draft_is_refused(self) -> None:
        event = a_started_night()
        draw_round(event_id=event.pk)
        assert code_of(reopen_round, event_id=event.pk, number=1) == "step_not_allowed"


@pytest.mark.slow
def test_every_step_tells_those_who_watch_the_evening() -> None:
    event = a_started_night()
    steps = (
        lambda: draw_round(event_id=event.pk),
        lambda: publish_round(event_id=event.pk, number=1),
        lambda: unpublish_round(event_id=event.pk, number=1),
        lambda: discard_draft(event_id=event.pk, number=1),
        lambda: next_round(event),
        lambda: play_round(event),
        lambda: reopen_round(event_id=event.pk, number=1),
        lambda: close_round(event_id=event.pk, number=1),
        lambda: standings_after(event),
        lambda: end_event(event_id=event.pk),
    )
    seen = [revision_of(event.topic)]
    for step in steps:
        step()
        seen.append(revision_of(event.topic))
    assert seen == sorted(set(seen))
