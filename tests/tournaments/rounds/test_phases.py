"""Phases: stages, sections and later rounds that are played by settings of their own."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.phases import (
    Phase,
    PhasePlace,
    PhaseSettings,
    changes_played,
    own_settings,
    phases_from_json,
    phases_to_json,
    settings_at,
    tidy_phases,
    with_change,
)
from engine.ranking import Bye, RankingRules
from rules import CANADIAN, MAINE, TWO_PLAYER, DecidedBy, MatchFormat, TieRule
from tests.builders import (
    ONE_GAME,
    TWO_GAMES,
    a_running_night,
    an_event,
    code_of,
    fresh,
    mark,
    matches_of,
    next_round,
    play,
    play_round,
    refusal_of,
    standings_after,
    win,
)
from tests.rules.sheets import law
from tests.support.event_files import assert_the_same, differences, file_of, with_right_sums
from tests.support.hall import Hall, confirm
from tournaments.entries.services.entry_actions import describe_entry
from tournaments.events.services.lifecycle import start_event
from tournaments.events.services.settings import (
    change_phase,
    change_ranking,
    change_sections,
    change_stages,
)
from tournaments.history.services.undo import undo_action
from tournaments.models import Event
from tournaments.papers.contents.names import certificates_document
from tournaments.papers.orders import Order, Paper
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import count_unfinished, swap_entries

pytestmark = pytest.mark.django_db

FOUR_HANDS, TWO_HANDS = MatchFormat(hands=4), MatchFormat(hands=2)
SWISS = {"format": "swiss", "rounds": 1}
FINALS = [
    SWISS,
    {"format": "knockout", "takes": "ranked", "first": 1, "last": 4},
    {"format": "knockout", "takes": "ranked", "first": 5, "last": 8, "beside": True},
]


def a_day(*stages: dict[str, Any], pairs: int = 8, **settings: Any) -> Event:
    return a_running_night(pairs, stages=stages, **settings)


def phase(event: Event, **values: Any) -> None:
    where = {name: values.pop(name) for name in ("stage", "section", "since") if name in values}
    change_phase(event_id=event.pk, settings=PhaseSettings(**values), **where)
    event.refresh_from_db()


def lengths(event: Event, number: int) -> list[MatchFormat]:
    return [match.match_format for match in matches_of(event, number)]


class TestAPhase:
    def test_of_a_stage_sets_the_length_of_its_matches_only(self) -> None:
        event = a_day(*FINALS)
        phase(event, stage=1, match_format=TWO_GAMES)
        play_round(event)
        next_round(event)
        assert lengths(event, 1) == [ONE_GAME] * 4
        assert sorted(lengths(event, 2), key=str) == [ONE_GAME] * 2 + [TWO_GAMES] * 2
        final = next(match for match in matches_of(event, 2) if match.match_format == TWO_GAMES)
        win(final)
        assert not fresh(final).is_over
        win(final)
        assert fresh(final).is_over

    def test_from_a_round_on_leaves_earlier_rounds_as_they_were(self) -> None:
        event = a_running_night(draw_format="swiss")
        phase(event, since=2, match_format=TWO_HANDS)
        play_round(event)
        next_round(event)
        assert (lengths(event, 1), lengths(event, 2)) == ([ONE_GAME] * 2, [TWO_HANDS] * 2)

    def test_cannot_change_a_round_that_is_published(self) -> None:
        event = a_running_night(draw_format="swiss")
        refused = refusal_of(change_phase, event_id=event.pk, settings=PhaseSettings(match_format=TWO_GAMES))
        assert (refused.code, refused.field, refused.details["next"]) == ("phase_played", "since", 2)

    def test_is_undone_until_a_round_was_published_by_it(self) -> None:
        event = a_running_night(draw_format="swiss")
        phase(event, since=2, match_format=TWO_HANDS)
        changed = event.actions.latest("pk")
        undone = undo_action(event_id=event.pk, action_id=changed.pk)
        event.refresh_from_db()
        assert event.phases == ()
        redone = undo_action(event_id=event.pk, action_id=undone.pk)
        play_round(event)
        next_round(event)
        code = code_of(undo_action, event_id=event.pk, action_id=redone.pk)
        assert code == "later_steps_rest_on_it"

    def test_has_rules_of_its_own_for_as_many_players(self) -> None:
        event = a_day(*FINALS)
        phase(event, stage=1, ruleset=MAINE, rules_name="Nos finales")
        assert code_of(
            change_phase, event_id=event.pk, stage=2, settings=PhaseSettings(ruleset=TWO_PLAYER)
        ) == ("entries_of_other_size")
        play_round(event)
        next_round(event)
        names = {(match.ruleset, match.rules_name) for match in matches_of(event, 2)}
        assert names == {(CANADIAN, ""), (MAINE, "Nos finales")}

    def test_of_a_section_follows_its_new_name_and_goes_with_it(self) -> None:
        event = an_event(8, draw_format="swiss")
        line = {"first_table": None, "last_table": None}
        change_sections(event_id=event.pk, sections=[{"name": "Or", **line}, {"name": "Argent", **line}])
        for number in range(1, 9):
            describe_entry(event_id=event.pk, number=number, section="Or" if number < 5 else "Argent")
        phase(event, section="Or", match_format=TWO_GAMES)
        change_sections(
            event_id=event.pk,
            sections=[{"name": "Élite", **line}, {"name": "Argent", **line}],
            renamed={"Or": "Élite"},
        )
        start_event(event_id=event.pk)
        next_round(event)
        assert sorted(lengths(event, 1), key=str) == [ONE_GAME] * 2 + [TWO_GAMES] * 2
        change_sections(event_id=event.pk, sections=[{"name": "Argent", **line}])
        event.refresh_from_db()
        assert event.phases == ()

    def test_goes_with_its_stage(self) -> None:
        event = a_day(*FINALS)
        phase(event, stage=2, match_format=TWO_GAMES)
        change_stages(event_id=event.pk, stages=FINALS[:2])
        event.refresh_from_db()
        assert event.phases == ()
        assert code_of(
            change_phase, event_id=event.pk, stage=2, settings=PhaseSettings(match_format=TWO_GAMES)
        ) == ("no_such_phase")


class TestALevelMatch:
    """Two hands each, 6 to 6, in a knockout of pairs 1 to 4: pair 1 meets pair 4."""

    def played(self, tie: TieRule | None, *hands: str) -> tuple[Event, Any]:
        event = an_event(4, draw_format="knockout", match_format=TWO_HANDS)
        if tie is not None:
            phase(event, stage=0, tie=tie)
        start_event(event_id=event.pk)
        next_round(event)
        match = matches_of(event)[0]
        play(match, *hands or ("A 6 made", "B 6 made"))
        return event, fresh(match)

    def test_goes_on_for_an_extra_hand_if_nothing_else_is_set(self) -> None:
        _, match = self.played(None)
        assert not match.is_over
        mark(match, "B 5 made")
        assert (fresh(match).is_over, fresh(match).summary["winner"]) == (True, "B")

    def test_goes_to_the_side_that_was_last_ahead(self) -> None:
        _, match = self.played(TieRule.LAST_TO_LEAD, "B 6 made", "A 6 made")
        assert match.summary["winner"] == "B"

    def test_goes_to_the_higher_seed_whichever_side_it_sits_on(self) -> None:
        event, match = self.played(TieRule.HIGHER_SEED)
        seats = {seat.entry.number: seat.side for seat in match.table.seatings.select_related("entry")}
        assert match.summary["winner"] == "AB"[seats[min(seats)]]
        swap_entries(event_id=event.pk, number=1, one=min(seats), other=max(seats))
        assert fresh(match).summary["winner"] == "AB"[seats[max(seats)]]

    def test_goes_by_a_lot_that_anybody_can_draw_again(self) -> None:
        event, match = self.played(TieRule.LOT)
        _, other = self.played(TieRule.LOT)
        assert match.summary["winner"] == other.summary["winner"]
        assert match.summary["winner"] is not None
        assert differences(file_of(event)) == []

    def test_of_a_timed_knockout_gets_its_extra_hand_after_the_time(self) -> None:
        event = an_event(4, draw_format="knockout", match_format=MatchFormat(minutes=40))
        start_event(event_id=event.pk)
        next_round(event)
        level, other = matches_of(event)
        play(level, "A 6 made", "B 6 made")
        play(other, "A 6 made")
        count_unfinished(event_id=event.pk, number=1)
        assert (fresh(level).is_over, fresh(other).is_over) == (False, True)
        assert code_of(close_round, event_id=event.pk, number=1) == "tables_missing"
        mark(level, "A 5 made")
        close_round(event_id=event.pk, number=1)
        next_round(event)
        assert differences(file_of(event)) == []


class TestABye:
    def test_is_worth_a_match_of_the_length_of_its_round(self) -> None:
        event = a_running_night(5, draw_format="swiss")
        phase(event, since=2, match_format=TWO_GAMES)
        play_round(event)
        next_round(event)
        for match in matches_of(event, 2):
            win(match)
            win(match)
        close_round(event_id=event.pk, number=2)
        counted = standings_after(event)
        games = {row["entry"]: row["games_won"] for row in counted}
        byes = dict(
            event.rounds.filter(seatings__table=None).values_list("number", "seatings__entry__number")
        )
        won = {1: 1, 2: 2}
        for number, entry in byes.items():
            other = next(each for each in (1, 2) if each != number)
            table = event.rounds.get(number=other).tables.filter(seatings__entry__number=entry).get()
            side = table.seatings.get(entry__number=entry).side
            assert games[entry] == won[number] + (won[other] if side == 0 else 0)

    def test_of_an_average_is_that_of_rounds_of_its_length(self) -> None:
        event = an_event(5, draw_format="swiss")
        rules = RankingRules(bye=Bye.AVERAGE, bye_points="own")  # type: ignore[arg-type]
        change_ranking(event_id=event.pk, rules=rules)
        start_event(event_id=event.pk)
        phase(event, since=2, match_format=TWO_GAMES)
        for number in (1, 2, 3):
            next_round(event)
            for match in matches_of(event, number):
                for _ in range(1 if number == 1 else 2):
                    win(match)
            close_round(event_id=event.pk, number=number)
        content = file_of(event)
        counted = content["standings"]["counted"]
        for count in counted.values():
            for each in count["rounds"]:
                if each.get("kind") == "bye" and each["round"] > 1:
                    (alike,) = (one for one in count["rounds"] if one["round"] > 1 and one is not each)
                    assert each["points"][0] == alike["points"][0]


class TestTheFile:
    def a_day_of_finals(self) -> Event:
        event = a_day(*FINALS)
        phase(event, stage=1, match_format=TWO_GAMES)
        phase(event, stage=2, match_format=TWO_HANDS, tie=TieRule.HIGHER_SEED, ruleset=MAINE, rules_name="")
        play_round(event)
        next_round(event)
        for match in matches_of(event, 2):
            if match.match_format == TWO_GAMES:
                win(match)
                win(match)
            else:
                play(match, "A 6 made", "B 6 made")
        close_round(event_id=event.pk, number=2)
        return event

    def test_of_a_day_with_phases_is_the_same_on_another_installation(self) -> None:
        content = file_of(self.a_day_of_finals())
        assert differences(content) == []
        assert_the_same(content)

    def test_with_terms_of_no_phase_is_found_out(self) -> None:
        content = file_of(self.a_day_of_finals())
        table = next(each for each in content["rounds"][1]["tables"] if "own_terms" in each["match"])
        del table["match"]["own_terms"]
        found = differences(with_right_sums(content))
        assert "terms_of_no_phase" in [code for _, code, _ in found]


class TestTwoFinals:
    @pytest.mark.slow
    def test_are_told_apart_wherever_they_are_shown(self) -> None:
        hall = Hall(8, stages=FINALS)
        short = hall.event.short
        phase(hall.event, stage=2, match_format=FOUR_HANDS)
        for number in (1, 2):
            play_round(hall.event, number)
            next_round(hall.event)
            hall.event.refresh_from_db()
            if number == 1:
                for match in matches_of(hall.event, 2)[2:]:
                    play(match, "A 6 made", "A 6 made")
        standings_after(hall.event)
        pages = {
            "desk": "Final A",
            "rounds/3": "Final B",
            "charts": "Final B",
            "standings": "Final B: A match: 4 hands.",
            "story": "round 2, table 4 · Final B",
            "desk/print/sheets?round=3": "Final B · Canadian, to 32 · A match: 4 hands. Tied: extra hand.",
            "desk/print/round?round=3": "Final A",
        }
        for path, said in pages.items():
            page = hall.desk.open(f"/e/{short}/{path}")
            assert said in " ".join(page.text.split()), path
            found = [element.attrs["id"] for element in page.document.every() if "id" in element.attrs]
            assert len(found) == len(set(found)), path
        charts = hall.desk.open(f"/e/{short}/charts").text
        assert charts.index("Final A") < charts.index("Final B")

    @pytest.mark.slow
    def test_have_first_places_of_their_own_on_certificates(self) -> None:
        hall = Hall(8, stages=FINALS)
        for number in (1, 2, 3):
            play_round(hall.event, number)
            if number < 3:
                next_round(hall.event)
        hall.event.refresh_from_db()
        standings_after(hall.event)
        document = certificates_document(
            hall.event, Order(paper=Paper.PODIUM, of=hall.event.pk, language="en")
        )
        told = [item["for_what"] for item in document.items]
        assert told.count("First place · Final A") == told.count("First place · Final B") == 2


class TestThePage:
    @pytest.mark.snapshot
    def test_shows_what_is_inherited_and_changes_it_from_a_round_on(self) -> None:
        hall = Hall(8, stages=FINALS)
        here = f"/e/{hall.event.short}/desk/phases/0/0"
        page = hall.desk.open(here)
        assert "Original setting A match: 1 game won." in " ".join(page.text.split())
        assert "changes apply from round 2" in page.text
        page = hall.desk.send(page, page.form(having="since"), length="hands", hands="4", since="1")
        assert "Choose round 2 or a later one." in page.text
        page = hall.desk.send(page, page.form(having="since"), since="2")
        assert "Whole event, from round 2: A match: 4 hands." in page.text
        page = confirm(hall.desk, page)
        hall.event.refresh_from_db()
        (changed,) = hall.event.phases
        assert (changed.since, changed.settings.match_format) == (
            2,
            MatchFormat(hands=4, decided_by=DecidedBy.POINTS),
        )
        assert "Whole event, from round 2: A match: 4 hands." in page.text


# Laws of the fold of phases

places = st.builds(PhasePlace, stage=st.none() | st.integers(0, 2), section=st.none() | st.sampled_from("AB"))
settings = st.builds(
    PhaseSettings,
    match_format=st.none() | st.sampled_from([ONE_GAME, TWO_GAMES, FOUR_HANDS]),
    tie=st.none() | st.sampled_from(TieRule),
)
some_phases = st.lists(
    st.builds(Phase, place=places, since=st.integers(1, 5), settings=settings),
    max_size=6,
    unique_by=lambda phase: (phase.place, phase.since),
).map(tidy_phases)


@law
@given(some_phases)
def test_stored_phases_are_read_as_they_were(phases: tuple[Phase, ...]) -> None:
    assert phases_from_json(phases_to_json(phases)) == phases


@law
@given(some_phases, places, st.integers(1, 5), settings, places, st.integers(1, 6))
def test_a_change_holds_in_its_place_from_its_round_until_the_next_one(
    before: tuple[Phase, ...],
    place: PhasePlace,
    since: int,
    own: PhaseSettings,
    seen: PhasePlace,
    number: int,
) -> None:
    after = with_change(before, Phase(place=place, since=since, settings=own))
    assert own_settings(after, place, since) == own
    if number < since or not place.holds(seen):
        assert settings_at(after, seen, number) == settings_at(before, seen, number)
    is_other = settings_at(after, seen, number) != settings_at(before, seen, number)
    assert (changes_played(before, after, [(seen, number)]) == number) is is_other
    assert tidy_phases(after) == after
