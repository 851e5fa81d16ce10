"""The story of an event, after and during it, checked against the marks of the tables."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import time, timedelta
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from clubs.models import Person
from engine.chances import Position, get_chances
from rules import (
    CANADIAN,
    MAINE,
    MatchCriterion,
    MatchFormat,
    PlayedHand,
    Side,
    compute_hand_points,
    match_format_to_json,
)
from scoring.log_values import MarkStatus
from scoring.models import Mark, Match
from tests.builders import (
    FIFTY_MINUTES,
    ONE_GAME,
    TWO_GAMES,
    compute_standings,
    mark,
    matches_of,
    play,
    play_round,
    start_next_round,
    win,
)
from tests.saved_states import saved_state
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.tournaments.publishing.test_publishing import correct
from tournaments.events.services.lifecycle import end_event, resume_event
from tournaments.models import Event, Seating, Tally
from tournaments.privacy.services.erasure import anonymize_people
from tournaments.publishing.services.publishing import publish_final
from tournaments.records.services import refresh_ratings
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import forfeit_table
from tournaments.seasons.comebacks import find_comeback
from tournaments.sharing.labels import WORD_JOINER, last_charlemagne, progress_in_words, result_in_words
from tournaments.sharing.presenters.link_previews import build_event_picture
from tournaments.sharing.presenters.live_reports import build_live_report
from tournaments.sharing.presenters.press import get_press_report, load_press_data
from tournaments.sharing.press.values import (
    MAX_CHARLEMAGNES,
    ComebackStory,
    LatestResult,
    LiveReport,
    PressReport,
    Progress,
    TurningHand,
)

pytestmark = pytest.mark.django_db

COMEBACK = ("B 6 made", "A 8 made", "A gros_mulot made")
"""A match that side A wins from behind with its second hand."""


def reload_event(hall: Hall) -> Event:
    return Event.objects.select_related("club", "terms", "night").get(pk=hall.event.pk)


def get_report(hall: Hall) -> PressReport:
    return get_press_report(reload_event(hall))


def get_live_report(hall: Hall) -> LiveReport:
    return build_live_report(load_press_data(reload_event(hall)))


def open_story(hall: Hall, language: str = "en", **headers: str) -> Page:
    return Browser().open(f"/{language}/e/{hall.event.short}/story", **headers)


def tag_of_part(page: Page) -> str:
    """Return the ETag with which the page requests its live part."""
    headers = page.find_one("div", id="live").attrs["hx-headers"]
    return str(json.loads(headers)["If-None-Match"])


def end_hall_event(hall: Hall, number: int = 1) -> Hall:
    close_round(event_id=hall.event.pk, number=number)
    compute_standings(hall.event)
    end_event(event_id=hall.event.pk)
    return hall


@saved_state
def build_comeback(pairs: int = 2) -> Hall:
    """Build an ended night of one round; side A wins each table from behind, by more at the first."""
    hall = Hall(pairs=pairs)
    first, *others = matches_of(hall.event)
    play(first, "B 6 made", "A 8 made", "A 7 made", "A gros_mulot made")
    for match in others:
        play(match, *COMEBACK)
    return end_hall_event(hall)


@saved_state
def build_great_comeback() -> Hall:
    """Build an ended night of one match, which side A wins from far behind."""
    hall = Hall(pairs=2)
    play(hall.match, "B 8 made", "B 8 made", "B 8 made", "A 7 made", "A gros_charlemagne made")
    return end_hall_event(hall)


@pytest.mark.long
class TestFinishedEventStory:
    @pytest.mark.snapshot
    def test_event_page_opens_with_its_story(self) -> None:
        hall = build_comeback(4)
        page = Browser().open(f"/en/e/{hall.event.short}")
        text = page.text
        assert text.index("Recap") < text.index("Provisional standings")
        for words in ("come first with 1 win", "Turning point, round 1", "Highest score in a match: 45 points"):
            assert words in text
        assert page.find_link("Hands of round 1, table 1") == f"/en/e/{hall.event.short}/rounds/1/tables/1"
        headings = [one.text for one in open_story(hall).find_all("h2")]
        assert headings
        assert "So far" not in headings

    def test_running_event_has_a_live_report_instead_of_a_recap(self) -> None:
        hall = Hall()
        play_round(hall.event)
        compute_standings(hall.event)
        page = Browser().open(f"/en/e/{hall.event.short}")
        assert "Recap" not in page.text
        assert page.find_link("Live report") == f"/en/e/{hall.event.short}/story"

    def test_story_can_be_sent_as_text_and_picture(self) -> None:
        hall = build_comeback()
        page = open_story(hall)
        (text,) = page.find_all("textarea")
        for paragraph in list(page.find_one("div", id="live").find_all("p"))[:3]:
            assert paragraph.text.replace("\xa0", " ") in text.value.replace("\xa0", " ")
        assert text.value.endswith(f"/e/{hall.event.short}")
        foot = {line.mark: (line.text, line.figure) for line in build_event_picture(reload_event(hall)).foot}
        assert foot.keys() == {"Highest score", "Turning point"}
        assert foot["Highest score"][1] == "45 points"
        assert foot["Turning point"][0] == "round 1, hand 4 · Gros Mulot made"

    def test_story_without_a_charlemagne_mentions_none(self) -> None:
        report = get_report(build_comeback(2))
        assert report.charlemagnes == ()
        assert "Charlemagne made" not in open_story(build_comeback(2)).text

    def test_tied_first_place_has_no_turning_hand(self) -> None:
        hall = Hall()
        for match in matches_of(hall.event):
            play(match, *COMEBACK)
        end_hall_event(hall)
        assert [placed.rank for placed in get_report(hall).podiums[0].ranks] == [1, 3]
        assert get_report(hall).turning_hands == ()

    def test_event_won_by_forfeit_alone_has_no_match_story(self) -> None:
        hall = Hall(pairs=2)
        play(hall.match, *COMEBACK[:1])
        forfeit_table(event_id=hall.event.pk, number=1, table=1, winner=Side.A)
        end_hall_event(hall)
        report = get_report(hall)
        assert (report.turning_hands, report.high_score) == ((), None)
        assert report.podiums

    def test_story_of_an_odd_field_ignores_the_bye(self) -> None:
        hall = Hall(pairs=3)
        play(hall.match, *COMEBACK)
        end_hall_event(hall)
        report = get_report(hall)
        assert report.high_score is not None
        assert len(report.high_score.who) == 1
        assert report.high_score.points == 38


@pytest.mark.slow
class TestTurningHand:
    @pytest.mark.long
    def test_turning_hand_is_the_largest_swing_of_won_matches(self) -> None:
        hall = build_comeback(2)
        (turn,) = get_report(hall).turning_hands
        assert turn == TurningHand(
            who=get_report(hall).podiums[0].ranks[0].who[0],
            round=1,
            table=1,
            hand=4,
            contract="gros_mulot",
            is_made=True,
            chances=(68, 100),
        )

    @pytest.mark.long
    def test_turning_hand_follows_a_correction(self) -> None:
        hall = Hall(pairs=2)
        first = play(hall.match, "B 6 made", "A 8 made", "A gros_mulot made")[0]
        end_hall_event(hall)
        assert get_report(hall).turning_hands[0].hand == 3
        mark(hall.match, "B gros_mulot made", replaced=first, director=hall.owner)
        compute_standings(hall.event)
        assert get_report(hall).turning_hands[0].chances[0] < 20, "they were further behind"

    def test_story_names_the_match_won_from_the_lowest_chance(self) -> None:
        hall = build_great_comeback()
        assert get_report(hall).comeback is None
        refresh_ratings(club_id=hall.event.club_id)
        (winners,) = get_report(hall).podiums[0].ranks[0].who
        assert get_report(hall).comeback == ComebackStory(who=winners, round=1, hand=3, chance=15)
        assert "won with a chance of only 15% after hand 3" in open_story(hall).text

    @pytest.mark.parametrize(
        "hidden",
        [
            lambda: Event.objects.update(shows_results="totals"),
            lambda: Event.objects.update(silent_from=1),
            lambda: Event.objects.update(is_public=False),
            lambda: Person.objects.update(is_rated=False),
            lambda: Match.objects.update(has_rivals=True),
            lambda: Tally.objects.update(revision=0),
        ],
        ids=["hands", "the round", "the event", "the winners", "a result that differs", "a corrected match"],
    )
    def test_comeback_requires_released_hands_and_records(self, hidden: Callable[[], object]) -> None:
        hall = build_great_comeback()
        refresh_ratings(club_id=hall.event.club_id)
        hidden()
        assert find_comeback([hall.event.pk]) is None

    def test_tallies_of_older_versions_are_counted_again(self) -> None:
        hall = build_great_comeback()
        refresh_ratings(club_id=hall.event.club_id)
        Tally.objects.update(lowest_chance=None)
        refresh_ratings(club_id=hall.event.club_id)
        assert find_comeback([hall.event.pk]) is not None

    def test_turning_hand_requires_released_hands_and_records(self) -> None:
        hall = build_comeback(2)
        Event.objects.update(shows_results="totals")
        assert get_report(hall).turning_hands == ()
        assert "Turning point" not in open_story(hall).text
        Event.objects.update(shows_results="hands")
        Person.objects.update(is_rated=False)
        assert get_report(hall).turning_hands == ()
        assert get_report(hall).podiums

    @pytest.mark.long
    def test_erased_people_have_no_turning_hand(self) -> None:
        hall = build_comeback(2)
        names = [person.short_name for person in Person.objects.all()]
        anonymize_people(club_id=hall.event.club_id, person_ids=list(Person.objects.values_list("pk", flat=True)))
        report = get_report(hall)
        assert (report.turning_hands, report.high_score) == ((), None)
        text = open_story(hall).text
        assert not [name for name in names if name in text or name.replace("\xa0", " ") in text]

    @pytest.mark.long
    def test_turning_hand_waits_until_silent_rounds_are_published(self) -> None:
        hall = Hall(pairs=2)
        Event.objects.update(silent_from=1)
        play(hall.match, *COMEBACK)
        end_hall_event(hall)
        page = Browser().open(f"/en/e/{hall.event.short}")
        assert "Recap" not in page.text
        silent = open_story(hall).text
        assert "Turning point" not in silent
        assert "38" not in silent
        publish_final(event_id=hall.event.pk)
        assert "Turning point" in open_story(hall).text

    @pytest.mark.long
    def test_story_reports_corrections_until_republished(self) -> None:
        hall = build_comeback()
        publish_final(event_id=hall.event.pk)
        corrected = "Results changed since;"
        assert corrected not in open_story(hall).text
        correct(hall.event)
        page = open_story(hall)
        assert page.text.count(corrected) == 2, "it is read there, and in the text that is sent"
        publish_final(event_id=hall.event.pk)
        assert corrected not in open_story(hall).text

    @pytest.mark.long
    def test_resumed_event_is_not_reported_as_over(self) -> None:
        hall = build_comeback()
        publish_final(event_id=hall.event.pk)
        hall.event.refresh_from_db()
        assert get_press_report(hall.event).is_over
        resume_event(event_id=hall.event.pk)
        start_next_round(hall.event)
        assert not get_press_report(hall.event).is_over


@pytest.mark.slow
class TestNamesakes:
    def build_night(self) -> Hall:
        """Build an ended night where two winning pairs have identical names and an equal highest score."""
        hall = Hall()
        for match in matches_of(hall.event):
            play(match, *COMEBACK)
        winners = Seating.objects.filter(side=0).select_related("entry__player_1", "entry__player_2")
        for seating in winners:
            for person, name in zip(seating.entry.players, ("Jean Roy", "Luc Roy"), strict=True):
                Person.objects.filter(pk=person.pk).update(name=name, folded_name=name.casefold())
        return end_hall_event(hall)

    @pytest.mark.long
    def test_high_score_distinguishes_namesakes_by_number(self) -> None:
        high = get_report(self.build_night()).high_score
        assert high is not None
        assert len(high.who) == 2
        assert len(set(high.who)) == 2
        assert {who[0] for who in high.who} == {"Jean R."} or {who[0] for who in high.who} == {"Jean\xa0R."}
        assert all("(no." in who[1] for who in high.who)

    @pytest.mark.slow
    def test_podium_distinguishes_two_namesakes(self) -> None:
        (first, *_) = get_report(self.build_night()).podiums[0].ranks
        assert len(set(first.who)) == 2


class TestCharlemagnes:
    def test_charlemagne_keeps_its_time_despite_a_late_phone(self) -> None:
        hall = Hall(pairs=2)
        made = mark(hall.match, "A charlemagne made")
        Mark.objects.filter(pk=made.pk).update(waited=1200)
        sent = made.created_at - timedelta(seconds=1200)
        (one,) = get_report(hall).charlemagnes
        assert one.at is not None
        assert one.at.minute == sent.minute

    @pytest.mark.long
    def test_corrected_charlemagne_is_removed_or_loses_its_time(self) -> None:
        hall = Hall(pairs=2)
        made = mark(hall.match, "A charlemagne made")
        assert "Last Charlemagne at" in open_story(hall).text
        other = mark(hall.match, "A 7 made", replaced=made, director=hall.owner)
        assert get_report(hall).charlemagnes == ()
        assert "Last Charlemagne" not in open_story(hall).text
        mark(hall.match, "B charlemagne made", replaced=other, director=hall.owner)
        assert [one.at for one in get_report(hall).charlemagnes] == [None]

    @pytest.mark.long
    def test_charlemagne_of_a_running_match_is_reported_at_once(self) -> None:
        hall = Hall()
        first, second = matches_of(hall.event)
        mark(first, "A charlemagne made")
        mark(second, "B charlemagne made")
        page = open_story(hall).text
        last = get_report(hall).charlemagnes[-1]
        with override("en"):
            assert last_charlemagne(last).replace("\xa0", " ") in page.replace("\xa0", " ")

    @pytest.mark.slow
    def test_many_charlemagnes_are_counted_with_the_last_named(self) -> None:
        hall = Hall(pairs=16)
        matches = matches_of(hall.event)
        for match in (*matches[1:], matches[0]):
            mark(match, "A charlemagne made")
        report = get_report(hall)
        assert report.charlemagne_count == 8
        seated = Seating.objects.get(table__number=1, side=0).entry
        names = [person.short_name for person in seated.players]
        assert list(report.charlemagnes[-1].who) == names
        assert "Charlemagnes made: 8" not in open_story(hall, "fr").text
        assert "Charlemagnes made: 8" in open_story(hall).text


class TestLiveReport:
    def test_live_report_shows_progress_and_latest_results(self) -> None:
        hall = Hall(pairs=4)
        win(hall.match)
        found = get_live_report(hall)
        assert found.progress == Progress(round=1, rounds=None, is_playing=True, tables=2, results=1)
        (result,) = found.latest
        assert (result.table, result.score) == (1, (32, 6))
        text = open_story(hall).text
        assert "Round 1 in progress at 2 tables: 1 finished." in text
        assert "round 1, table 1" in text

    def test_newest_result_and_its_winner_come_first(self) -> None:
        hall = Hall(pairs=4)
        one, two = matches_of(hall.event)
        win(two, "B")
        win(one)
        assert [each.table for each in get_live_report(hall).latest] == [1, 2]
        assert {each.score for each in get_live_report(hall).latest} == {(32, 6)}

    @pytest.mark.long
    def test_match_of_several_games_is_reported_in_games(self) -> None:
        hall = Hall(pairs=2, match_format=TWO_GAMES)
        play(hall.match, "A gros_charlemagne made", "B gros_charlemagne made", "B gros_charlemagne made")
        assert get_live_report(hall).latest[0].score == (2, 1)

    @pytest.mark.long
    def test_match_of_a_phase_is_reported_by_its_own_length(self) -> None:
        hall = Hall(pairs=2)
        Match.objects.filter(pk=hall.match.pk).update(own_terms={"match_format": match_format_to_json(TWO_GAMES)})
        play(hall.match, "A gros_charlemagne made", "B gros_charlemagne made", "B gros_charlemagne made")
        assert get_live_report(hall).latest[0].score == (2, 1)

    @pytest.mark.long
    def test_match_decided_by_points_is_reported_in_points(self) -> None:
        by_points = Hall(pairs=2, match_format=MatchFormat(hands=3, decided_by=MatchCriterion.POINTS))
        play(by_points.match, "A gros_charlemagne made", "A 6 made", "B gros_charlemagne made")
        stopped = Hall(pairs=2, match_format=FIFTY_MINUTES)
        play(stopped.match, "B 6 made", "time_called")
        (one,), (other,) = get_live_report(by_points).latest, get_live_report(stopped).latest
        assert (one.score, one.is_drawn) == ((38, 32), False)
        assert (other.score, other.is_drawn) == ((6, 0), False)

    @pytest.mark.long
    def test_charlemagne_at_equal_points_is_not_a_draw(self) -> None:
        hall = Hall(pairs=2, ruleset=MAINE)
        play(hall.match, "A charlemagne made")
        (result,) = get_live_report(hall).latest
        assert (result.score, result.is_drawn) == ((0, 0), False)
        assert "Drawn" not in open_story(hall).text

    @pytest.mark.long
    def test_silent_round_is_reported_without_results(self) -> None:
        hall = Hall(pairs=4)
        Event.objects.update(silent_from=1)
        win(hall.match)
        assert get_live_report(hall).latest == ()
        assert get_live_report(hall).progress == Progress(round=1, rounds=None, is_playing=True, tables=2, results=None)
        text = open_story(hall).text
        assert "results are hidden" in text
        assert "finished" not in text

    def test_unreleased_draw_is_not_reported(self) -> None:
        hall = Hall()
        Event.objects.update(shows_draw=False)
        assert get_live_report(hall) == LiveReport()
        assert "Round 1" not in open_story(hall).text

    @pytest.mark.long
    def test_page_polls_its_changing_part_by_revision(self) -> None:
        hall = Hall()
        headers = {"HX-Request": "true", "If-None-Match": tag_of_part(open_story(hall))}
        assert open_story(hall, **headers).status == 304
        mark(hall.match, "A charlemagne made")
        part = open_story(hall, **headers)
        assert part.status == 200
        assert "Last Charlemagne" in part.html
        assert "<html" not in part.html

    @pytest.mark.slow
    def test_ended_event_reloads_the_whole_page(self) -> None:
        hall = Hall(pairs=2)
        play(hall.match, *COMEBACK)
        headers = {"HX-Request": "true", "If-None-Match": tag_of_part(open_story(hall))}
        end_hall_event(hall)
        answer = Browser().client.get(f"/en/e/{hall.event.short}/story", headers=headers)
        assert answer.headers["HX-Refresh"] == "true"
        headers["If-None-Match"] = tag_of_part(open_story(hall))
        assert open_story(hall, **headers).status == 304, "what is given then is not asked for again"


@pytest.mark.long
def test_query_count_does_not_grow_with_the_event() -> None:
    counts = []
    for pairs in (4, 12):
        hall = Hall(pairs=pairs)
        for match in matches_of(hall.event):
            play(match, "B 6 made", "A charlemagne made", "A gros_charlemagne made")
        end_hall_event(hall)
        with CaptureQueriesContext(connection) as made:
            get_report(hall)
        counts.append(len(made))
    small, large = counts
    assert small <= 13
    assert large <= small + 1, "of more than some Charlemagnes it is asked which were the last"


def build_random_night(seed: int) -> tuple[Hall, int]:
    """Play two rounds of random hands, some corrected; return the hall and the winner's number."""
    chance = Random(seed)
    hall = Hall(pairs=6)
    for number in (1, 2):
        for match in matches_of(hall.event, number):
            while not Match.objects.get(pk=match.pk).is_over:
                hand = f"{chance.choice('AB')} {chance.choice(CANADIAN.played_keys)} made"
                marked = mark(match, hand)
                if chance.random() < 0.2 and not Match.objects.get(pk=match.pk).is_over:
                    mark(match, hand.replace("made", "failed"), replaced=marked)
        close_round(event_id=hall.event.pk, number=number)
        if number == 1:
            start_next_round(hall.event)
    first = compute_standings(hall.event)[0]["entry"]
    end_event(event_id=hall.event.pk)
    return hall, first


def sum_hands(match: Match) -> tuple[list[tuple[int, int]], int]:
    """Return the totals after each current hand, from 0–0, and the number of Charlemagnes made."""
    totals, charlemagnes = [(0, 0)], 0
    for each in match.marks.filter(status=MarkStatus.CURRENT).order_by("number"):
        hand = each.record(CANADIAN)
        assert isinstance(hand, PlayedHand)
        a, b = compute_hand_points(CANADIAN, hand)
        totals.append((totals[-1][0] + a, totals[-1][1] + b))
        charlemagnes += hand.made and "charlemagne" in hand.contract
    return totals, charlemagnes


def get_chance_after(totals: list[tuple[int, int]], hands: int, side: int) -> int:
    """Return a side's chance of winning after so many hands, in percent; seat 0 deals first."""
    a, b = totals[hands]
    if max(a, b) >= CANADIAN.target:
        return 100 * ((a, b)[side] >= CANADIAN.target)
    position = Position((a, b), (0, 0), a - b, Side(hands % 2), hands)
    found = get_chances(CANADIAN, ONE_GAME).get_chance(position)
    assert found is not None
    return found.percentages[2 * side]


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_story_matches_a_recount_of_the_marks(seed: int) -> None:
    hall, first = build_random_night(seed)
    report = get_report(hall)
    highest, charlemagnes, wins = 0, Counter[int](), Counter[int]()
    rises: dict[tuple[int, int], int] = {}
    for match in Match.objects.select_related("table__round").order_by("table__round__number"):
        totals, made = sum_hands(match)
        drawn = match.table.round.number
        highest = max(highest, *totals[-1])
        charlemagnes[drawn] += made
        side = 0 if totals[-1][0] > totals[-1][1] else 1
        winner = match.table.seatings.get(side=side).entry.number
        wins[winner] += 1
        if winner == first:
            chances = [get_chance_after(totals, hands, side) for hands in range(len(totals))]
            rises |= {(drawn, hand): after - before for hand, (before, after) in enumerate(pairwise(chances), start=1)}
    assert report.high_score is not None
    assert report.high_score.points == highest
    assert report.charlemagne_count == charlemagnes.total()
    if charlemagnes.total() <= MAX_CHARLEMAGNES:
        assert Counter(one.round for one in report.charlemagnes) == +charlemagnes
    (podium,) = report.podiums
    assert podium.ranks[0].figure == max(wins.values())
    is_alone = len(podium.ranks[0].who) == 1
    assert len(report.turning_hands) == is_alone
    for turn in report.turning_hands:
        assert turn.swing == rises[turn.round, turn.hand]
        assert turn.swing >= max(rises.values()) - 1, "the largest, before it was rounded"


ROY, DUMONT = ("Jeannine R.", "Marcel D."), ("Édith É.",)
QUARTER_PAST_NINE = time(21, 14)


@pytest.mark.parametrize(
    ("progress", "french", "english"),
    [
        (
            Progress(round=3, rounds=5, is_playing=True, tables=12, results=7),
            "Ronde 3 de 5 en cours, 12 tables~: 7 ont terminé.",
            "Round 3 of 5 in progress at 12 tables: 7 finished.",
        ),
        (
            Progress(round=1, rounds=None, is_playing=True, tables=1, results=1),
            "Ronde 1 en cours, 1 table~: 1 a terminé.",
            "Round 1 in progress at 1 table: 1 finished.",
        ),
        (
            Progress(round=1, rounds=None, is_playing=True, tables=1, results=0),
            "Ronde 1 en cours, 1 table.",
            "Round 1 in progress at 1 table.",
        ),
        (
            Progress(round=5, rounds=5, is_playing=True, tables=2, results=None),
            "Ronde 5 de 5 en cours, 2 tables; résultats cachés pour l’instant.",
            "Round 5 of 5 in progress at 2 tables; results are hidden.",
        ),
        (
            Progress(round=5, rounds=5, is_playing=False, tables=2, results=2),
            "Ronde 5 de 5~: terminée.",
            "Round 5 of 5 is over.",
        ),
    ],
)
def test_progress_reads_as_expected_in_both_languages(progress: Progress, french: str, english: str) -> None:
    for language, expected in (("fr", french), ("en", english)):
        with override(language):
            assert progress_in_words(progress).replace("\xa0", "~") == expected


@pytest.mark.parametrize(
    ("sides", "score", "is_drawn", "french"),
    [
        ((ROY, DUMONT), (32, 12), False, "Jeannine R. et Marcel D. l’emportent 32–12 contre Édith É."),
        ((DUMONT, ROY), (2, 1), False, "Édith É. l’emporte 2–1 contre Jeannine R. et Marcel D."),
        ((ROY, DUMONT), (20, 20), True, "Match nul, 20–20~: Jeannine R. et Marcel D. contre Édith É."),
    ],
)
def test_result_reads_as_expected_in_french(sides: Any, score: tuple[int, int], is_drawn: bool, french: str) -> None:
    result = LatestResult(round=1, table=1, sides=sides, score=score, is_drawn=is_drawn, at=QUARTER_PAST_NINE)
    with override("fr"):
        assert result_in_words(result).replace("\xa0", "~").replace(WORD_JOINER, "") == french
