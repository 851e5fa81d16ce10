"""The desk's page of texts to share: their content, without anything hidden from the public."""

import re
from datetime import time

import pytest

from clubs.models import Person
from scoring.models import DESK_PREFIX, Mark, Match
from tests.builders import compute_standings, mark, matches_of, play, play_round, start_next_round, win
from tests.every_page.test_every_page import build_night
from tests.saved_states import saved_state
from tests.support.browser import Browser
from tests.support.hall import Hall
from tournaments.entries.services.entry_actions import disqualify_entry
from tournaments.events.services.lifecycle import end_event
from tournaments.models import Event
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.rounds import close_round
from tournaments.sharing.presenters.press import get_press_report
from tournaments.sharing.press.values import PressReport

pytestmark = pytest.mark.django_db


def get_report(hall: Hall) -> PressReport:
    return get_press_report(Event.objects.select_related("club", "terms", "night").get(pk=hall.event.pk))


def list_texts(hall: Hall) -> list[str]:
    page = hall.desk.open(f"/e/{hall.event.short}/desk/telling")
    assert page.status == 200
    return [one.value for one in page.find_all("textarea")]


@saved_state
def build_charlemagne_night() -> Hall:
    """Build an ended night of one round, with a Charlemagne at its first table."""
    hall = Hall()
    first, *others = matches_of(hall.event)
    mark(first, "A charlemagne made")
    for match in others:
        win(match)
    if not Match.objects.get(pk=first.pk).is_over:
        win(first)
    close_round(event_id=hall.event.pk, number=1)
    compute_standings(hall.event)
    end_event(event_id=hall.event.pk)
    return hall


class TestReportContent:
    def test_report_counts_players_and_names_the_podium(self) -> None:
        hall = build_night("ended")
        found = get_report(hall)
        assert (found.people, found.pairs, found.is_over) == (10, 5, True)
        (podium,) = found.podiums
        assert podium.metric == "match_wins"
        assert podium.ranks[0].rank == 1
        assert podium.ranks[0].figure == 2

    @pytest.mark.slow
    def test_final_of_the_report_is_that_of_the_best_of_several_side_by_side(self) -> None:
        final = {"format": "knockout", "takes": "pool_top", "count": 1}
        stages = [{"format": "pools", "settings": {"pools": 2}}, final, {**final, "first": 2, "beside": True}]
        hall = Hall(pairs=4, stages=stages)
        play_round(hall.event)
        start_next_round(hall.event)
        play_round(hall.event, 2)
        compute_standings(hall.event)
        found = get_report(hall)
        assert found.final is not None
        assert found.final.winner == found.podiums[0].ranks[0].who[0]

    def test_disqualified_pair_is_on_no_podium(self) -> None:
        hall = Hall(pairs=2)
        play_round(hall.event)
        _, loser = [row["entry"] for row in compute_standings(hall.event)]
        disqualify_entry(event_id=hall.event.pk, number=loser, disqualification="Signals")
        compute_standings(hall.event)
        (podium,) = get_report(hall).podiums
        assert [rank.rank for rank in podium.ranks] == [1]

    def test_report_has_a_podium_for_each_section(self) -> None:
        hall = build_night("ended")
        Event.objects.update(sections=[{"name": "A", "first_table": None, "last_table": None}])
        hall.event.entries.filter(number__lte=2).update(section="A")
        sections = [podium.section for podium in get_report(hall).podiums]
        assert sections == ["A"]

    @pytest.mark.long
    def test_report_names_the_deciding_tiebreak(self) -> None:
        hall = Hall(pairs=4)
        first, second = matches_of(hall.event)
        win(first)
        play(second, "A gros_charlemagne made")
        close_round(event_id=hall.event.pk, number=1)
        rows = compute_standings(hall.event)
        end_event(event_id=hall.event.pk)
        assert rows[0]["match_wins"] == rows[1]["match_wins"]
        assert get_report(hall).podiums[0].decided_by == rows[1]["decided_by"] != "match_wins"

    @pytest.mark.long
    def test_report_contains_the_highest_score(self) -> None:
        hall = build_charlemagne_night()
        high = get_report(hall).high_score
        assert high is not None
        best = max(max(match.summary["points"]) for match in matches_of(hall.event))
        assert high.points == best

    def test_report_dates_a_charlemagne_in_club_time(self) -> None:
        hall = build_charlemagne_night()
        made = get_report(hall).charlemagnes[0]
        assert (made.contract, made.round, len(made.who)) == ("charlemagne", 1, 2)
        assert isinstance(made.at, time)

    def test_report_gives_no_time_for_typed_sheets(self) -> None:
        hall = build_charlemagne_night()
        Mark.objects.update(device=f"{DESK_PREFIX}Owner")
        assert {made.at for made in get_report(hall).charlemagnes} == {None}

    @pytest.mark.slow
    def test_report_announces_the_next_night(self) -> None:
        hall = build_night("ended")
        assert get_report(hall).next is None
        assert hall.recurring_night
        found = get_report(hall).next
        assert found is not None
        assert found.day > hall.event.held_on

    @pytest.mark.long
    def test_report_knows_whether_the_event_is_over(self) -> None:
        hall = Hall()
        play_round(hall.event)
        compute_standings(hall.event)
        assert not get_report(hall).is_over
        end_event(event_id=hall.event.pk)
        assert get_report(hall).is_over

    def test_report_has_no_podium_before_a_closed_round(self) -> None:
        assert get_report(Hall()).podiums == ()


class TestOmittedContent:
    @pytest.mark.snapshot
    def test_report_of_a_private_event_is_empty(self) -> None:
        hall = build_night("ended")
        Event.objects.update(is_public=False)
        assert list_texts(hall) == []
        assert get_report(hall) == PressReport(club=hall.event.club.name, event=hall.event.name, days=hall.event.days)

    @pytest.mark.parametrize(
        "release",
        [{"shows_standings": "never"}, {"shows_standings": "final"}],
        ids=["never", "only once final"],
    )
    def test_report_omits_winners_of_hidden_standings(self, release: dict[str, str]) -> None:
        hall = build_charlemagne_night()
        Event.objects.update(**release)
        assert get_report(hall).podiums == ()

    @pytest.mark.slow
    def test_report_omits_silent_rounds(self) -> None:
        hall = Hall()
        Event.objects.update(silent_from=2)
        play_round(hall.event)
        compute_standings(hall.event)
        before = get_report(hall)
        start_next_round(hall.event)
        mark(matches_of(hall.event, 2)[0], "B charlemagne made")
        for match in matches_of(hall.event, 2):
            win(match, "B")
        close_round(event_id=hall.event.pk, number=2)
        compute_standings(hall.event)
        end_event(event_id=hall.event.pk)
        silent = get_report(hall)
        assert (silent.podiums, silent.high_score, silent.charlemagnes) == (
            before.podiums,
            before.high_score,
            before.charlemagnes,
        )
        assert not silent.is_over
        publish_final(event_id=hall.event.pk)
        final = get_report(hall)
        assert final.is_over
        assert {made.round for made in final.charlemagnes} == {1, 2}

    @pytest.mark.long
    def test_report_omits_hidden_scores(self) -> None:
        hall = build_charlemagne_night()
        Event.objects.update(shows_results="nothing")
        assert (get_report(hall).high_score, get_report(hall).charlemagnes) == (None, ())
        Event.objects.update(shows_results="totals")
        assert get_report(hall).high_score is not None
        assert get_report(hall).charlemagnes == ()

    @pytest.mark.long
    def test_report_uses_full_names_only_with_consent(self) -> None:
        hall = build_charlemagne_night()
        for text in list_texts(hall):
            assert not [name for name in Person.objects.values_list("name", flat=True) if name in text]

    @pytest.mark.slow
    def test_report_names_no_one_when_players_are_numbers(self) -> None:
        hall = build_charlemagne_night()
        Event.objects.update(shows_names="numbers")
        for text in list_texts(hall):
            firsts = {name.split()[0] for name in Person.objects.values_list("name", flat=True)}
            assert not [name for name in firsts if name in text]
            assert re.search(r"(Player|Joueur\w*) [0-9]", text)

    @pytest.mark.long
    def test_report_omits_feats_of_people_without_records(self) -> None:
        hall = build_charlemagne_night()
        Person.objects.update(is_rated=False)
        assert (get_report(hall).high_score, get_report(hall).charlemagnes) == (None, ())
        assert get_report(hall).podiums


class TestPressPage:
    @pytest.mark.long
    def test_press_page_shows_both_texts_in_both_languages(self) -> None:
        hall = build_night("ended")
        english, short_english, french, short_french = list_texts(hall)
        assert "took part in" in english
        assert "pris part" in french
        assert short_english.endswith(f"http://testserver/en/e/{hall.event.short}")
        assert short_french.endswith(f"http://testserver/fr/e/{hall.event.short}")

    @pytest.mark.long
    def test_press_page_is_linked_from_desk_and_publishing(self) -> None:
        hall = build_night("ended")
        for page in ("desk", "desk/publishing"):
            links = [one.attrs.get("href") for one in hall.desk.open(f"/e/{hall.event.short}/{page}").find_all("a")]
            assert f"/e/{hall.event.short}/desk/telling" in links

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_press_page_warns_about_incomplete_or_hidden_results(self) -> None:
        playing = Hall()
        page = playing.desk.open(f"/e/{playing.event.short}/desk/telling")
        assert "the texts give the current standings" in page.text
        Event.objects.update(shows_standings="final")
        page = playing.desk.open(f"/e/{playing.event.short}/desk/telling")
        assert "the texts leave out unpublished results" in page.text

    def test_press_page_requires_sign_in(self) -> None:
        hall = build_night("ended")
        assert Browser().open(f"/e/{hall.event.short}/desk/telling").path.startswith("/sign-in")
