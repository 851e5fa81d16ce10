"""The life of an event: prepared, started, ended, and resumed."""

import pytest

from engine.draws import FORMATS
from errors import Refusal
from live.revisions import revision_of
from rules import BAS_SAINT_LAURENT, CANADIAN, RULESETS, MatchFormat, Ruleset, with_house_rules
from scoring.models import TableCard, Terms
from tests.builders import (
    ONE_GAME,
    TUESDAY,
    a_club,
    a_played_night,
    a_running_night,
    an_event,
    code_of,
    next_round,
    player_names,
    refusal_of,
)
from tournaments.entries.services.check_in import leave_out_entry
from tournaments.entries.services.entries import add_entries
from tournaments.events.queries import public_event
from tournaments.events.services.lifecycle import (
    bring_back_event,
    create_event,
    end_event,
    put_away_event,
    resume_event,
    start_event,
)
from tournaments.lifecycle import STEPS, EventState, RoundState, after_step
from tournaments.models import Event
from tournaments.rounds.services.rounds import draw_round, publish_round

pytestmark = pytest.mark.django_db


@pytest.mark.postgresql("an address that is taken gets the next number")
class TestANewEvent:
    def test_is_in_preparation_under_a_short_name_of_its_own(self) -> None:
        event = an_event()
        assert (event.state, event.short) == ("preparing", "soiree-du-mardi")
        assert an_event().short == "soiree-du-mardi-2"

    def test_keeps_its_rules_and_its_match_length_whole(self) -> None:
        house = with_house_rules(CANADIAN, {"target": 52})
        event = an_event(ruleset=house, match_format=MatchFormat(hands=12))
        kept = Terms.objects.get(events=event)
        assert kept.ruleset == house
        assert kept.match_format == MatchFormat(hands=12)

    @pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
    def test_may_be_played_by_every_system(self, ruleset: Ruleset) -> None:
        event = an_event(ruleset=ruleset)
        assert Terms.objects.get(events=event).ruleset == ruleset

    def test_asks_for_details_in_the_order_of_the_screen(self) -> None:
        assert an_event(details=["mode", "declarer"]).terms.details == ["declarer", "mode"]

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
    def test_with_settings_that_cannot_be_is_refused(
        self, changed: dict[str, object], code: str, field: str
    ) -> None:
        settings = {
            "club": a_club(),
            "name": "Soirée",
            "held_on": TUESDAY,
            "ruleset": CANADIAN,
            "match_format": ONE_GAME,
            "table_count": 4,
        }
        refusal = refusal_of(create_event, **(settings | changed))
        assert (refusal.code, refusal.field) == (code, field)
        assert not Event.objects.exists()
        assert not Terms.objects.exists()

    def test_has_a_name_that_ends(self) -> None:
        event = create_event(
            club=a_club(),
            name="Soirée " * 40,
            held_on=TUESDAY,
            ruleset=BAS_SAINT_LAURENT,
            match_format=ONE_GAME,
            table_count=4,
        )
        event.refresh_from_db()
        assert len(event.name) <= 80
        assert len(event.short) <= 60

    def test_without_a_letter_in_its_name_has_an_address_all_the_same(self) -> None:
        event = create_event(
            club=a_club("♠♥"),
            name="♠♥",
            held_on=TUESDAY,
            ruleset=CANADIAN,
            match_format=ONE_GAME,
            table_count=4,
        )
        assert event.short
        assert event.club.slug


class TestStarting:
    def test_puts_a_card_on_every_table(self) -> None:
        event = start_event(event_id=an_event(pairs=4, tables=3).pk)
        assert event.state == "running"
        cards = TableCard.objects.filter(topic=event.topic)
        assert [card.number for card in cards] == [1, 2, 3]
        assert {card.public_page for card in cards} == {event.get_absolute_url()}

    @pytest.mark.parametrize("pairs", [0, 1])
    def test_without_entries_is_refused(self, pairs: int) -> None:
        refusal = refusal_of(start_event, event_id=an_event(pairs=pairs).pk)
        assert (refusal.code, refusal.details) == ("too_few_entries", {"entries": pairs, "least": 2})
        assert not TableCard.objects.exists()

    def test_with_all_but_one_left_out_at_the_door_is_refused(self) -> None:
        event = an_event(pairs=2)
        leave_out_entry(event_id=event.pk, number=2, is_coming=True)
        assert refusal_of(start_event, event_id=event.pk).details == {"entries": 1, "least": 2}

    @pytest.mark.parametrize("draw_format", [key for key, each in FORMATS.items() if each.draws_partners])
    def test_of_people_of_whom_partners_are_drawn_takes_the_four_of_a_table(self, draw_format: str) -> None:
        event = an_event(3, draw_format=draw_format)
        refusal = refusal_of(start_event, event_id=event.pk)
        assert (refusal.code, refusal.details) == ("too_few_entries", {"entries": 3, "least": 4})
        add_entries(event_id=event.pk, entries={4: player_names(4, size=1)[4]})
        start_event(event_id=event.pk)
        assert next_round(event).tables.count() == 1

    def test_of_people_takes_two_where_two_left_over_play_each_other(self) -> None:
        event = an_event(1, stages=[{"format": "rotation", "settings": {"odd": "two_player_table"}}])
        assert refusal_of(start_event, event_id=event.pk).details["least"] == 2
        add_entries(event_id=event.pk, entries={2: player_names(2, size=1)[2]})
        start_event(event_id=event.pk)
        assert next_round(event).tables.count() == 1

    def test_with_too_few_tables_is_refused(self) -> None:
        event = an_event(pairs=7, tables=2)
        refusal = refusal_of(start_event, event_id=event.pk)
        assert (refusal.code, refusal.details) == ("too_few_tables", {"needed": 3, "tables": 2})
        event.refresh_from_db()
        assert event.state == "preparing"

    def test_with_one_entry_too_many_for_the_tables_gives_a_bye(self) -> None:
        assert start_event(event_id=an_event(pairs=5, tables=2).pk).state == "running"

    def test_by_a_double_click_starts_once(self) -> None:
        event = an_event()
        start_event(event_id=event.pk)
        before = revision_of(event.topic)
        assert start_event(event_id=event.pk).state == "running"
        assert revision_of(event.topic) == before

    def test_is_refused_once_it_has_ended(self) -> None:
        event = start_event(event_id=an_event().pk)
        end_event(event_id=event.pk)
        assert code_of(start_event, event_id=event.pk) == "step_not_allowed"


class TestEnding:
    def test_closes_the_cards(self) -> None:
        event = a_played_night()
        assert end_event(event_id=event.pk).state == "ended"
        assert not TableCard.objects.filter(closed_at=None).exists()

    def test_twice_ends_once(self) -> None:
        event = start_event(event_id=an_event().pk)
        end_event(event_id=event.pk)
        before = revision_of(event.topic)
        assert end_event(event_id=event.pk).state == "ended"
        assert revision_of(event.topic) == before

    def test_while_a_round_is_played_is_refused(self) -> None:
        event = a_running_night()
        refusal = refusal_of(end_event, event_id=event.pk)
        assert (refusal.code, refusal.details) == ("round_not_closed", {"round": 1})

    def test_before_it_began_is_refused(self) -> None:
        assert code_of(end_event, event_id=an_event().pk) == "step_not_allowed"

    def test_leaves_a_draft_that_cannot_be_published_until_the_evening_goes_on(self) -> None:
        event = a_played_night()
        draw_round(event_id=event.pk)
        end_event(event_id=event.pk)
        assert code_of(publish_round, event_id=event.pk, number=2) == "event_not_running"
        resume_event(event_id=event.pk)
        assert publish_round(event_id=event.pk, number=2).state == "published"

    def test_is_undone_by_resuming(self) -> None:
        event = a_played_night()
        end_event(event_id=event.pk)
        assert resume_event(event_id=event.pk).state == "running"
        assert not TableCard.objects.exclude(closed_at=None).exists()
        assert next_round(event).number == 2

    def test_and_resuming_twice_resumes_once(self) -> None:
        event = start_event(event_id=an_event().pk)
        end_event(event_id=event.pk)
        resume_event(event_id=event.pk)
        before = revision_of(event.topic)
        resume_event(event_id=event.pk)
        assert revision_of(event.topic) == before

    def test_ends_only_its_own_cards(self) -> None:
        event, other = start_event(event_id=an_event().pk), a_running_night()
        end_event(event_id=event.pk)
        assert not TableCard.objects.filter(topic=other.topic).exclude(closed_at=None).exists()


def test_resuming_what_never_began_is_refused() -> None:
    assert code_of(resume_event, event_id=an_event().pk) == "step_not_allowed"


@pytest.mark.parametrize("service", [start_event, end_event, resume_event])
def test_an_event_that_does_not_exist_takes_no_step(service: object) -> None:
    assert callable(service)
    assert code_of(service, event_id=0) == "no_such_event"


@pytest.mark.parametrize("state", [*EventState, *RoundState])
def test_every_step_that_is_not_in_the_table_is_refused(state: str) -> None:
    for step in {step for _, step in STEPS}:
        if (state, step) in STEPS:
            assert after_step(state, step) == STEPS[state, step]
            continue
        with pytest.raises(Refusal) as caught:
            after_step(state, step)
        assert caught.value.details == {"state": state, "step": step}


class TestAnEventMadeByMistake:
    def test_is_put_away_and_brought_back_as_it_was(self) -> None:
        event = an_event()
        put_away_event(event_id=event.pk)
        assert public_event(event.short) is None
        assert bring_back_event(event_id=event.pk).state == "preparing"
        assert public_event(event.short) == event
        assert [action.kind for action in event.actions.all()[:2]] == ["bring_back_event", "put_away_event"]

    def test_twice_is_put_away_once(self) -> None:
        event = an_event()
        put_away_event(event_id=event.pk)
        put_away_event(event_id=event.pk)
        assert event.actions.filter(kind="put_away_event").count() == 1
        bring_back_event(event_id=event.pk)
        bring_back_event(event_id=event.pk)
        assert event.actions.filter(kind="bring_back_event").count() == 1

    def test_stays_while_it_is_under_way_and_goes_once_it_was_ended(self) -> None:
        event = start_event(event_id=an_event().pk)
        assert code_of(put_away_event, event_id=event.pk) == "event_running"
        end_event(event_id=event.pk)
        assert put_away_event(event_id=event.pk).is_put_away

    def test_stays_for_good_once_a_hand_was_marked(self) -> None:
        event = a_played_night()
        end_event(event_id=event.pk)
        assert code_of(put_away_event, event_id=event.pk) == "event_has_hands"
