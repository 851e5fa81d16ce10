"""The life cycle of an event: preparation, start, end and resumption."""

import pytest

from engine.draws import FORMATS
from errors import Refusal
from live.revisions import get_revision
from rules import BAS_SAINT_LAURENT, CANADIAN, RULESETS, MatchFormat, Ruleset, apply_house_rules
from scoring.models import TableCard, Terms
from tests.builders import (
    ONE_GAME,
    TUESDAY,
    build_club,
    build_event,
    build_played_night,
    build_player_names,
    build_running_night,
    get_refusal,
    get_refusal_code,
    start_next_round,
)
from tournaments.entries.services.check_in import leave_out_entry
from tournaments.entries.services.entries import add_entries
from tournaments.events.queries import find_public_event
from tournaments.events.services.creation import create_event
from tournaments.events.services.lifecycle import bring_back_event, end_event, put_away_event, resume_event, start_event
from tournaments.lifecycle import TRANSITIONS, EventState, RoundState, get_next_state
from tournaments.models import Event
from tournaments.rounds.services.rounds import draw_round, publish_round

pytestmark = pytest.mark.django_db


@pytest.mark.postgresql("a unique constraint, retried")
class TestNewEvent:
    def test_new_event_is_in_preparation_with_a_unique_short_name(self) -> None:
        event = build_event()
        assert (event.state, event.short) == ("preparing", "soiree-du-mardi")
        assert build_event().short == "soiree-du-mardi-2"

    def test_new_event_stores_house_rules_and_match_length(self) -> None:
        house = apply_house_rules(CANADIAN, {"target": 52})
        event = build_event(ruleset=house, match_format=MatchFormat(hands=12))
        terms = Terms.objects.get(events=event)
        assert terms.ruleset == house
        assert terms.match_format == MatchFormat(hands=12)

    @pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
    def test_event_accepts_every_ruleset(self, ruleset: Ruleset) -> None:
        event = build_event(ruleset=ruleset)
        assert Terms.objects.get(events=event).ruleset == ruleset

    def test_recorded_details_follow_the_screen_order(self) -> None:
        assert build_event(details=["mode", "declarer"]).terms.details == ["declarer", "mode"]

    @pytest.mark.parametrize(
        ("changed", "code", "field"),
        [
            ({"name": "  "}, "event_name_required", "name"),
            ({"table_count": 0}, "tables_out_of_range", "table_count"),
            ({"table_count": 1_001}, "tables_out_of_range", "table_count"),
            ({"details": ["colour"]}, "no_such_detail", "details"),
            ({"stages": [{"format": "tombola"}]}, "no_such_choice", "stages.0.format"),
            ({"match_format": MatchFormat()}, "no_match_length", "games_to_win"),
            ({"match_format": MatchFormat(games_to_win=0)}, "length_not_positive", "games_to_win"),
        ],
    )
    def test_impossible_event_settings_are_refused(self, changed: dict[str, object], code: str, field: str) -> None:
        settings = {
            "club": build_club(),
            "name": "Soirée",
            "held_on": TUESDAY,
            "ruleset": CANADIAN,
            "match_format": ONE_GAME,
            "table_count": 4,
        }
        refusal = get_refusal(create_event, **(settings | changed))
        assert (refusal.code, refusal.field) == (code, field)
        assert not Event.objects.exists()
        assert not Terms.objects.exists()

    def test_overlong_event_name_is_shortened(self) -> None:
        event = create_event(
            club=build_club(),
            name="Soirée " * 40,
            held_on=TUESDAY,
            ruleset=BAS_SAINT_LAURENT,
            match_format=ONE_GAME,
            table_count=4,
        )
        event.refresh_from_db()
        assert len(event.name) <= 80
        assert len(event.short) <= 60

    def test_name_without_letters_still_gets_an_address(self) -> None:
        event = create_event(
            club=build_club("♠♥"),
            name="♠♥",
            held_on=TUESDAY,
            ruleset=CANADIAN,
            match_format=ONE_GAME,
            table_count=4,
        )
        assert event.short
        assert event.club.slug


class TestStartEvent:
    def test_start_creates_a_card_for_every_table(self) -> None:
        event = start_event(event_id=build_event(pairs=4, tables=3).pk)
        assert event.state == "running"
        cards = TableCard.objects.filter(topic=event.topic)
        assert [card.number for card in cards] == [1, 2, 3]
        assert {card.public_page for card in cards} == {event.get_absolute_url()}

    @pytest.mark.parametrize("pairs", [0, 1])
    def test_start_without_enough_entries_is_refused(self, pairs: int) -> None:
        refusal = get_refusal(start_event, event_id=build_event(pairs=pairs).pk)
        assert (refusal.code, refusal.details) == ("too_few_entries", {"entries": pairs, "least": 2})
        assert not TableCard.objects.exists()

    def test_start_with_one_present_entry_is_refused(self) -> None:
        event = build_event(pairs=2)
        leave_out_entry(event_id=event.pk, number=2, is_coming=True)
        assert get_refusal(start_event, event_id=event.pk).details == {"entries": 1, "least": 2}

    @pytest.mark.long
    @pytest.mark.parametrize("draw_format", [key for key, each in FORMATS.items() if each.draws_partners])
    def test_drawn_partners_need_four_entries_to_start(self, draw_format: str) -> None:
        event = build_event(3, draw_format=draw_format)
        refusal = get_refusal(start_event, event_id=event.pk)
        assert (refusal.code, refusal.details) == ("too_few_entries", {"entries": 3, "least": 4})
        add_entries(event_id=event.pk, entries={4: build_player_names(4, size=1)[4]})
        start_event(event_id=event.pk)
        assert start_next_round(event).tables.count() == 1

    @pytest.mark.long
    def test_two_player_table_allows_two_entries_to_start(self) -> None:
        stages = [{"format": "rotation", "settings": {"odd": "two_player_table"}}]
        event = build_event(1, stages=stages, ruleset=BAS_SAINT_LAURENT)
        assert get_refusal(start_event, event_id=event.pk).details["least"] == 2
        add_entries(event_id=event.pk, entries={2: build_player_names(2, size=1)[2]})
        start_event(event_id=event.pk)
        assert start_next_round(event).tables.count() == 1

    def test_start_with_too_few_tables_is_refused(self) -> None:
        event = build_event(pairs=7, tables=2)
        refusal = get_refusal(start_event, event_id=event.pk)
        assert (refusal.code, refusal.details) == ("too_few_tables", {"needed": 3, "tables": 2})
        event.refresh_from_db()
        assert event.state == "preparing"

    def test_surplus_entry_gets_a_bye(self) -> None:
        assert start_event(event_id=build_event(pairs=5, tables=2).pk).state == "running"

    def test_double_click_starts_an_event_once(self) -> None:
        event = build_event()
        start_event(event_id=event.pk)
        before = get_revision(event.topic)
        assert start_event(event_id=event.pk).state == "running"
        assert get_revision(event.topic) == before

    def test_ended_event_cannot_start_again(self) -> None:
        event = start_event(event_id=build_event().pk)
        end_event(event_id=event.pk)
        assert get_refusal_code(start_event, event_id=event.pk) == "step_not_allowed"


class TestEndEvent:
    def test_end_closes_the_table_cards(self) -> None:
        event = build_played_night()
        assert end_event(event_id=event.pk).state == "ended"
        assert not TableCard.objects.filter(closed_at=None).exists()

    def test_repeated_end_counts_once(self) -> None:
        event = start_event(event_id=build_event().pk)
        end_event(event_id=event.pk)
        before = get_revision(event.topic)
        assert end_event(event_id=event.pk).state == "ended"
        assert get_revision(event.topic) == before

    def test_end_during_a_round_is_refused(self) -> None:
        event = build_running_night()
        refusal = get_refusal(end_event, event_id=event.pk)
        assert (refusal.code, refusal.details) == ("round_not_closed", {"round": 1})

    def test_end_before_the_start_is_refused(self) -> None:
        assert get_refusal_code(end_event, event_id=build_event().pk) == "step_not_allowed"

    @pytest.mark.long
    def test_draft_is_publishable_only_after_resuming(self) -> None:
        event = build_played_night()
        draw_round(event_id=event.pk)
        end_event(event_id=event.pk)
        assert get_refusal_code(publish_round, event_id=event.pk, number=2) == "event_not_running"
        resume_event(event_id=event.pk)
        assert publish_round(event_id=event.pk, number=2).state == "published"

    @pytest.mark.slow
    def test_resumed_event_reopens_cards_and_continues(self) -> None:
        event = build_played_night()
        end_event(event_id=event.pk)
        assert resume_event(event_id=event.pk).state == "running"
        assert not TableCard.objects.exclude(closed_at=None).exists()
        assert start_next_round(event).number == 2

    def test_repeated_resume_counts_once(self) -> None:
        event = start_event(event_id=build_event().pk)
        end_event(event_id=event.pk)
        resume_event(event_id=event.pk)
        before = get_revision(event.topic)
        resume_event(event_id=event.pk)
        assert get_revision(event.topic) == before

    @pytest.mark.long
    def test_end_leaves_cards_of_other_events_open(self) -> None:
        event, other = start_event(event_id=build_event().pk), build_running_night()
        end_event(event_id=event.pk)
        assert not TableCard.objects.filter(topic=other.topic).exclude(closed_at=None).exists()


def test_event_that_never_started_cannot_resume() -> None:
    assert get_refusal_code(resume_event, event_id=build_event().pk) == "step_not_allowed"


@pytest.mark.parametrize("service", [start_event, end_event, resume_event])
def test_unknown_event_refuses_every_step(service: object) -> None:
    assert callable(service)
    assert get_refusal_code(service, event_id=0) == "no_such_event"


@pytest.mark.parametrize("state", [*EventState, *RoundState])
def test_undefined_state_transition_is_refused(state: str) -> None:
    for step in {step for _, step in TRANSITIONS}:
        if (state, step) in TRANSITIONS:
            assert get_next_state(state, step) == TRANSITIONS[state, step]
            continue
        with pytest.raises(Refusal) as caught:
            get_next_state(state, step)
        assert caught.value.details == {"state": state, "step": step}


class TestArchivedEvent:
    def test_archived_event_is_restored_unchanged(self) -> None:
        event = build_event()
        put_away_event(event_id=event.pk)
        assert find_public_event(event.short) is None
        assert bring_back_event(event_id=event.pk).state == "preparing"
        assert find_public_event(event.short) == event
        assert [action.kind for action in event.actions.all()[:2]] == ["bring_back_event", "put_away_event"]

    def test_repeated_archiving_counts_once(self) -> None:
        event = build_event()
        put_away_event(event_id=event.pk)
        put_away_event(event_id=event.pk)
        assert event.actions.filter(kind="put_away_event").count() == 1
        bring_back_event(event_id=event.pk)
        bring_back_event(event_id=event.pk)
        assert event.actions.filter(kind="bring_back_event").count() == 1

    def test_running_event_cannot_be_archived(self) -> None:
        event = start_event(event_id=build_event().pk)
        assert get_refusal_code(put_away_event, event_id=event.pk) == "event_running"
        end_event(event_id=event.pk)
        assert put_away_event(event_id=event.pk).is_put_away

    def test_event_with_hands_cannot_be_archived(self) -> None:
        event = build_played_night()
        end_event(event_id=event.pk)
        assert get_refusal_code(put_away_event, event_id=event.pk) == "event_has_hands"
