"""The story of an event: what its page tells in words once it is over, and while it is played, checked
against the marks that tables made."""

import json
from collections import Counter
from datetime import time, timedelta
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.translation import override

from clubs.models import Person
from engine.chances import Position, chances_in
from rules import CANADIAN, MAINE, DecidedBy, MatchFormat, PlayedHand, Side, hand_points
from scoring.log_values import MarkStatus
from scoring.models import Mark, Match
from tests.builders import (
    BY_THE_CLOCK,
    ONE_GAME,
    TWO_GAMES,
    mark,
    matches_of,
    next_round,
    play,
    play_round,
    standings_after,
    win,
)
from tests.saved_states import saved_state
from tests.support.browser import Browser, Page
from tests.support.hall import Hall
from tests.tournaments.publishing.test_publishing import correct
from tournaments.events.services.lifecycle import end_event, resume_event
from tournaments.models import Event, Seating
from tournaments.privacy.services.erasure import anonymize_people
from tournaments.publishing.services.publishing import publish_final
from tournaments.rounds.services.rounds import close_round
from tournaments.rounds.services.tables import forfeit_table
from tournaments.sharing.presenters.link_previews import event_picture
from tournaments.sharing.presenters.live_reports import live_report_of
from tournaments.sharing.presenters.press import press_report, read_event
from tournaments.sharing.press import (
    MOST_CHARLEMAGNES,
    LatestResult,
    LiveReport,
    PressReport,
    Progress,
    TurningHand,
)
from wording.labels.live_reports import KEPT, last_charlemagne, progress_in_words, result_in_words

pytestmark = pytest.mark.django_db

COMEBACK = ("B 6 made", "A 8 made", "A gros_mulot made")
"""A match that side A wins from behind, with its second hand."""


def again(hall: Hall) -> Event:
    return Event.objects.select_related("club", "terms", "night").get(pk=hall.event.pk)


def told(hall: Hall) -> PressReport:
    return press_report(again(hall))


def live(hall: Hall) -> LiveReport:
    return live_report_of(read_event(again(hall)))


def story(hall: Hall, language: str = "en", **headers: str) -> Page:
    return Browser().open(f"/{language}/e/{hall.event.short}/story", **headers)


def tag_of_part(page: Page) -> str:
    """That by which the page asks for its part."""
    headers = page.one("div", id="live").attrs["hx-headers"]
    return str(json.loads(headers)["If-None-Match"])


def ended(hall: Hall, number: int = 1) -> Hall:
    close_round(event_id=hall.event.pk, number=number)
    standings_after(hall.event)
    end_event(event_id=hall.event.pk)
    return hall


@saved_state
def a_comeback(pairs: int = 2) -> Hall:
    """A night of one round; at each table side A wins from behind, at the first one by more."""
    hall = Hall(pairs=pairs)
    first, *others = matches_of(hall.event)
    play(first, "B 6 made", "A 8 made", "A 7 made", "A gros_mulot made")
    for match in others:
        play(match, *COMEBACK)
    return ended(hall)


class TestAPlayedNight:
    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_opens_with_its_story_above_the_standings(self) -> None:
        hall = a_comeback(4)
        page = Browser().open(f"/en/e/{hall.event.short}")
        text = page.text
        assert text.index("Recap") < text.index("Provisional standings")
        for words in ("win with 1 match won", "Turning hand, round 1", "Highest score in a match: 45 points"):
            assert words in text
        assert page.link("Hands of round 1, table 1") == f"/en/e/{hall.event.short}/rounds/1/tables/1"
        headings = [one.text for one in story(hall).every("h2")]
        assert headings
        assert "So far" not in headings

    def test_has_none_while_it_is_played(self) -> None:
        hall = Hall()
        play_round(hall.event)
        standings_after(hall.event)
        page = Browser().open(f"/en/e/{hall.event.short}")
        assert "Recap" not in page.text
        assert page.link("Live report") == f"/en/e/{hall.event.short}/story"

    @pytest.mark.slow
    def test_is_told_to_be_sent_as_text_and_as_picture(self) -> None:
        hall = a_comeback()
        page = story(hall)
        (text,) = page.every("textarea")
        for paragraph in list(page.one("div", id="live").every("p"))[:3]:
            assert paragraph.text.replace("\xa0", " ") in text.value.replace("\xa0", " ")
        assert text.value.endswith(f"/e/{hall.event.short}")
        foot = {line.mark: (line.text, line.figure) for line in event_picture(again(hall)).foot}
        assert foot.keys() == {"Highest score", "Turning hand"}
        assert foot["Highest score"][1] == "45 points"
        assert foot["Turning hand"][0] == "round 1, hand 4 · Gros Mulot made"

    @pytest.mark.slow
    def test_at_one_table_without_a_charlemagne_is_told_without_any(self) -> None:
        report = told(a_comeback(2))
        assert report.charlemagnes == ()
        assert "Charlemagne made" not in story(a_comeback(2)).text

    @pytest.mark.slow
    def test_of_which_nobody_won_alone_has_no_turning_hand(self) -> None:
        hall = Hall()
        for match in matches_of(hall.event):
            play(match, *COMEBACK)
        ended(hall)
        assert [placed.rank for placed in told(hall).podiums[0].placed] == [1, 3]
        assert told(hall).turns == ()

    def test_won_by_a_forfeit_alone_tells_no_match(self) -> None:
        hall = Hall(pairs=2)
        play(hall.match, *COMEBACK[:1])
        forfeit_table(event_id=hall.event.pk, number=1, table=1, winner=Side.A)
        ended(hall)
        report = told(hall)
        assert (report.turns, report.high) == ((), None)
        assert report.podiums

    @pytest.mark.slow
    def test_with_an_odd_number_names_nobody_for_the_bye(self) -> None:
        hall = Hall(pairs=3)
        play(hall.match, *COMEBACK)
        ended(hall)
        report = told(hall)
        assert report.high is not None
        assert len(report.high.who) == 1
        assert report.high.points == 38


@pytest.mark.slow
class TestTheTurningHand:
    def test_is_the_largest_swing_of_the_matches_won(self) -> None:
        hall = a_comeback(2)
        (turn,) = told(hall).turns
        assert turn == TurningHand(
            who=told(hall).podiums[0].placed[0].who[0],
            round=1,
            table=1,
            hand=4,
            contract="gros_mulot",
            is_made=True,
            chances=(68, 100),
        )

    def test_follows_a_correction(self) -> None:
        hall = Hall(pairs=2)
        first = play(hall.match, "B 6 made", "A 8 made", "A gros_mulot made")[0]
        ended(hall)
        assert told(hall).turns[0].hand == 3
        mark(hall.match, "B gros_mulot made", replacing=first, director=hall.owner)
        standings_after(hall.event)
        assert told(hall).turns[0].chances[0] < 20, "they were further behind"

    def test_is_not_told_where_the_hands_are_not_released_nor_of_who_wants_no_records(self) -> None:
        hall = a_comeback(2)
        Event.objects.update(shows_results="totals")
        assert told(hall).turns == ()
        assert "Turning hand" not in story(hall).text
        Event.objects.update(shows_results="hands")
        Person.objects.update(is_rated=False)
        assert told(hall).turns == ()
        assert told(hall).podiums

    def test_is_told_of_nobody_who_was_forgotten(self) -> None:
        hall = a_comeback(2)
        names = [person.short_name for person in Person.objects.all()]
        anonymize_people(
            club_id=hall.event.club_id, person_ids=list(Person.objects.values_list("pk", flat=True))
        )
        report = told(hall)
        assert (report.turns, report.high) == ((), None)
        text = story(hall).text
        assert not [name for name in names if name in text or name.replace("\xa0", " ") in text]

    def test_waits_until_silent_rounds_are_published(self) -> None:
        hall = Hall(pairs=2)
        Event.objects.update(silent_from=1)
        play(hall.match, *COMEBACK)
        ended(hall)
        page = Browser().open(f"/en/e/{hall.event.short}")
        assert "Recap" not in page.text
        silent = story(hall).text
        assert "Turning hand" not in silent
        assert "38" not in silent
        publish_final(event_id=hall.event.pk)
        assert "Turning hand" in story(hall).text

    def test_says_that_what_was_published_was_corrected_since_until_that_is_published(self) -> None:
        hall = a_comeback()
        publish_final(event_id=hall.event.pk)
        corrected = "Results changed since;"
        assert corrected not in story(hall).text
        correct(hall.event)
        page = story(hall)
        assert page.text.count(corrected) == 2, "it is read there, and in the text that is sent"
        publish_final(event_id=hall.event.pk)
        assert corrected not in story(hall).text

    def test_nobody_has_won_while_a_round_is_played_after_the_final_standings(self) -> None:
        hall = a_comeback()
        publish_final(event_id=hall.event.pk)
        hall.event.refresh_from_db()
        assert press_report(hall.event).is_over
        resume_event(event_id=hall.event.pk)
        next_round(hall.event)
        assert not press_report(hall.event).is_over


class TestNamesakes:
    def a_night(self) -> Hall:
        """Two pairs read alike, and each made the same highest score."""
        hall = Hall()
        for match in matches_of(hall.event):
            play(match, *COMEBACK)
        winners = Seating.objects.filter(side=0).select_related("entry__player_1", "entry__player_2")
        for seating in winners:
            for person, name in zip(seating.entry.players, ("Jean Roy", "Luc Roy"), strict=True):
                Person.objects.filter(pk=person.pk).update(name=name, folded_name=name.casefold())
        return ended(hall)

    @pytest.mark.slow
    def test_are_told_apart_by_their_numbers_and_are_two(self) -> None:
        high = told(self.a_night()).high
        assert high is not None
        assert len(high.who) == 2
        assert len(set(high.who)) == 2
        assert {who[0] for who in high.who} == {"Jean R."} or {who[0] for who in high.who} == {"Jean\xa0R."}
        assert all("(no." in who[1] for who in high.who)

    def test_are_so_on_the_podium(self) -> None:
        (first, *_) = told(self.a_night()).podiums[0].placed
        assert len(set(first.who)) == 2


class TestCharlemagnes:
    def test_have_the_hour_at_which_the_table_wrote_them_however_late_the_phone_sent_them(self) -> None:
        hall = Hall(pairs=2)
        made = mark(hall.match, "A charlemagne made")
        Mark.objects.filter(pk=made.pk).update(waited=1200)
        sent = made.created_at - timedelta(seconds=1200)
        (one,) = told(hall).charlemagnes
        assert one.at is not None
        assert one.at.minute == sent.minute

    @pytest.mark.slow
    def test_that_were_corrected_away_are_not_told_and_corrected_ones_have_no_hour(self) -> None:
        hall = Hall(pairs=2)
        made = mark(hall.match, "A charlemagne made")
        assert "Last Charlemagne at" in story(hall).text
        other = mark(hall.match, "A 7 made", replacing=made, director=hall.owner)
        assert told(hall).charlemagnes == ()
        assert "Last Charlemagne" not in story(hall).text
        mark(hall.match, "B charlemagne made", replacing=other, director=hall.owner)
        assert [one.at for one in told(hall).charlemagnes] == [None]

    def test_of_a_match_that_is_played_are_told_at_once_and_the_last_one_by_itself(self) -> None:
        hall = Hall()
        first, second = matches_of(hall.event)
        mark(first, "A charlemagne made")
        mark(second, "B charlemagne made")
        page = story(hall).text
        last = told(hall).charlemagnes[-1]
        with override("en"):
            assert last_charlemagne(last).replace("\xa0", " ") in page.replace("\xa0", " ")

    @pytest.mark.slow
    def test_of_many_are_told_by_their_number_and_the_last_one_by_name(self) -> None:
        hall = Hall(pairs=16)
        matches = matches_of(hall.event)
        for match in (*matches[1:], matches[0]):
            mark(match, "A charlemagne made")
        report = told(hall)
        assert report.charlemagnes_made == 8
        seated = Seating.objects.get(table__number=1, side=0).entry
        names = [person.short_name for person in seated.players]
        assert list(report.charlemagnes[-1].who) == names
        assert "Charlemagnes made: 8" not in story(hall, "fr").text
        assert "Charlemagnes made: 8" in story(hall).text


class TestWhileItIsPlayed:
    def test_the_page_says_how_far_it_is_and_what_came_in_last(self) -> None:
        hall = Hall(pairs=4)
        win(hall.match)
        found = live(hall)
        assert found.progress == Progress(round=1, rounds=None, is_playing=True, tables=2, results=1)
        (result,) = found.latest
        assert (result.table, result.score) == (1, (32, 6))
        text = story(hall).text
        assert "Round 1 in progress at 2 tables: 1 finished." in text
        assert "round 1, table 1" in text

    def test_the_newest_result_stands_first_with_its_winner_first(self) -> None:
        hall = Hall(pairs=4)
        one, two = matches_of(hall.event)
        win(two, "B")
        win(one)
        assert [each.table for each in live(hall).latest] == [1, 2]
        assert {each.score for each in live(hall).latest} == {(32, 6)}

    def test_matches_of_several_games_are_told_by_games(self) -> None:
        hall = Hall(pairs=2, match_format=TWO_GAMES)
        play(hall.match, "A gros_charlemagne made", "B gros_charlemagne made", "B gros_charlemagne made")
        assert live(hall).latest[0].score == (2, 1)

    @pytest.mark.slow
    def test_a_match_that_no_games_decided_is_told_by_the_points_that_did(self) -> None:
        by_points = Hall(pairs=2, match_format=MatchFormat(hands=3, decided_by=DecidedBy.POINTS))
        play(by_points.match, "A gros_charlemagne made", "A 6 made", "B gros_charlemagne made")
        stopped = Hall(pairs=2, match_format=BY_THE_CLOCK)
        play(stopped.match, "B 6 made", "time_called")
        (one,), (other,) = live(by_points).latest, live(stopped).latest
        assert (one.score, one.is_drawn) == ((38, 32), False)
        assert (other.score, other.is_drawn) == ((6, 0), False)

    @pytest.mark.slow
    def test_a_charlemagne_wins_at_equal_points_too(self) -> None:
        hall = Hall(pairs=2, ruleset=MAINE)
        play(hall.match, "A charlemagne made")
        (result,) = live(hall).latest
        assert (result.score, result.is_drawn) == ((0, 0), False)
        assert "Drawn" not in story(hall).text

    def test_a_silent_round_is_told_without_results(self) -> None:
        hall = Hall(pairs=4)
        Event.objects.update(silent_from=1)
        win(hall.match)
        assert live(hall).latest == ()
        assert live(hall).progress == Progress(round=1, rounds=None, is_playing=True, tables=2, results=None)
        text = story(hall).text
        assert "results are hidden" in text
        assert "finished" not in text

    def test_nothing_is_told_of_a_draw_that_is_not_released(self) -> None:
        hall = Hall()
        Event.objects.update(shows_draw=False)
        assert live(hall) == LiveReport()
        assert "Round 1" not in story(hall).text

    def test_the_part_that_changes_is_asked_for_by_its_revision(self) -> None:
        hall = Hall()
        asked = {"HX-Request": "true", "If-None-Match": tag_of_part(story(hall))}
        assert story(hall, **asked).status == 304
        mark(hall.match, "A charlemagne made")
        part = story(hall, **asked)
        assert part.status == 200
        assert "Last Charlemagne" in part.html
        assert "<html" not in part.html

    @pytest.mark.slow
    def test_who_has_it_open_at_the_end_is_given_the_whole_page(self) -> None:
        hall = Hall(pairs=2)
        play(hall.match, *COMEBACK)
        asked = {"HX-Request": "true", "If-None-Match": tag_of_part(story(hall))}
        ended(hall)
        answer = Browser().client.get(f"/en/e/{hall.event.short}/story", headers=asked)
        assert answer.headers["HX-Refresh"] == "true"
        asked["If-None-Match"] = tag_of_part(story(hall))
        assert story(hall, **asked).status == 304, "what is given then is not asked for again"


@pytest.mark.slow
def test_a_large_night_asks_no_more_of_the_database_than_a_small_one() -> None:
    counts = []
    for pairs in (4, 12):
        hall = Hall(pairs=pairs)
        for match in matches_of(hall.event):
            play(match, "B 6 made", "A charlemagne made", "A gros_charlemagne made")
        ended(hall)
        with CaptureQueriesContext(connection) as made:
            told(hall)
        counts.append(len(made))
    small, large = counts
    assert small <= 13
    assert large <= small + 1, "of more than some Charlemagnes it is asked which were the last"


def a_random_night(seed: int) -> tuple[Hall, int]:
    """Two rounds of random hands, some of them corrected; and the number of the entry that came first."""
    chance = Random(seed)
    hall = Hall(pairs=6)
    for number in (1, 2):
        for match in matches_of(hall.event, number):
            while not Match.objects.get(pk=match.pk).is_over:
                said = f"{chance.choice('AB')} {chance.choice(CANADIAN.played_keys)} made"
                marked = mark(match, said)
                if chance.random() < 0.2 and not Match.objects.get(pk=match.pk).is_over:
                    mark(match, said.replace("made", "failed"), replacing=marked)
        close_round(event_id=hall.event.pk, number=number)
        if number == 1:
            next_round(hall.event)
    first = standings_after(hall.event)[0]["entry"]
    end_event(event_id=hall.event.pk)
    return hall, first


def added_up(match: Match) -> tuple[list[tuple[int, int]], int]:
    """The totals after each hand that stands, from 0–0, and the Charlemagnes among them."""
    totals, charlemagnes = [(0, 0)], 0
    for each in match.marks.filter(status=MarkStatus.CURRENT).order_by("number"):
        hand = each.record(CANADIAN)
        assert isinstance(hand, PlayedHand)
        a, b = hand_points(CANADIAN, hand)
        totals.append((totals[-1][0] + a, totals[-1][1] + b))
        charlemagnes += hand.made and "charlemagne" in hand.contract
    return totals, charlemagnes


def chance_after(totals: list[tuple[int, int]], hands: int, side: int) -> int:
    """The chance of a side after so many hands, in percent; the deal passes from seat 0."""
    a, b = totals[hands]
    if max(a, b) >= CANADIAN.target:
        return 100 * ((a, b)[side] >= CANADIAN.target)
    position = Position((a, b), (0, 0), a - b, Side(hands % 2), hands)
    found = chances_in(CANADIAN, ONE_GAME).at(position)
    assert found is not None
    return found.percentages[2 * side]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_every_claim_of_a_night_is_counted_again_from_the_marks_that_stand(seed: int) -> None:
    hall, first = a_random_night(seed)
    report = told(hall)
    highest, charlemagnes, wins = 0, Counter[int](), Counter[int]()
    rises: dict[tuple[int, int], int] = {}
    for match in Match.objects.select_related("table__round").order_by("table__round__number"):
        totals, made = added_up(match)
        drawn = match.table.round.number
        highest = max(highest, *totals[-1])
        charlemagnes[drawn] += made
        side = 0 if totals[-1][0] > totals[-1][1] else 1
        winner = match.table.seatings.get(side=side).entry.number
        wins[winner] += 1
        if winner == first:
            chances = [chance_after(totals, hands, side) for hands in range(len(totals))]
            rises |= {
                (drawn, hand): after - before
                for hand, (before, after) in enumerate(pairwise(chances), start=1)
            }
    assert report.high is not None
    assert report.high.points == highest
    assert report.charlemagnes_made == charlemagnes.total()
    if charlemagnes.total() <= MOST_CHARLEMAGNES:
        assert Counter(one.round for one in report.charlemagnes) == +charlemagnes
    (podium,) = report.podiums
    assert podium.placed[0].figure == max(wins.values())
    is_alone = len(podium.placed[0].who) == 1
    assert len(report.turns) == is_alone
    for turn in report.turns:
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
def test_how_far_it_is_reads_like_this(progress: Progress, french: str, english: str) -> None:
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
def test_a_result_reads_like_this(sides: Any, score: tuple[int, int], is_drawn: bool, french: str) -> None:
    result = LatestResult(round=1, table=1, sides=sides, score=score, is_drawn=is_drawn, at=QUARTER_PAST_NINE)
    with override("fr"):
        assert result_in_words(result).replace("\xa0", "~").replace(KEPT, "") == french
