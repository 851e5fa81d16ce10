"""The table screen by plain forms: marked, undone, corrected, agreed to, and calling the desk."""

from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.models import Person
from rules import BAS_SAINT_LAURENT, CANADIAN, MAINE, DecidedBy, MatchFormat
from scoring.models import Dispute, Mark
from scoring.services import dispute, settle_call, withdraw_dispute
from tests.builders import (
    BY_THE_CLOCK,
    TWO_GAMES,
    fresh,
    mark,
    matches_of,
    next_round,
    play,
    score,
    statuses,
    win,
)
from tests.support.browser import Browser
from tests.support.hall import Hall, confirm, post, press, tap
from tournaments.rounds.services.rounds import close_round

pytestmark = pytest.mark.django_db


class TestAHand:
    def test_counts_at_the_second_tap(self) -> None:
        hall, phone = Hall(), Browser()
        page = tap(phone, phone.open(hall.table), "A-6-7")
        assert score(hall.match) == [6, 0]
        assert [one.text for one in page.every("b", class_="total")] == ["6", "0"]
        assert "Hand 2" in page.one("header", class_="band").text

    @pytest.mark.parametrize("said", ["A-6-made", "B-7-failed", "A-mulot-0", "A-mulot-failed", "B-5-8"])
    def test_may_be_any_key_of_the_page(self, said: str) -> None:
        hall, phone = Hall(), Browser()
        page = tap(phone, phone.open(hall.table), said)
        if page.every(role="alertdialog"):
            confirm(phone, page)
        assert statuses(hall.match) == [(1, "current")]

    @pytest.mark.parametrize("ruleset", [CANADIAN, MAINE, BAS_SAINT_LAURENT])
    def test_has_a_key_for_every_side_contract_and_number_of_tricks(self, ruleset: object) -> None:
        page = Browser().open(Hall(ruleset=ruleset).table)
        for side in "AB":
            for contract in ruleset.playable:  # type: ignore[attr-defined]
                link = f"#{side}-{contract.key}"
                assert page.one("a", href=link, class_="key")
                keys = {one.value for one in page.one(id=link[1:]).every("button", name="said")}
                assert keys >= {f"{link[1:]}-{tricks}" for tricks in range(9)}
                assert f"{link[1:]}-failed" in keys

    @pytest.mark.slow
    def test_that_is_the_last_one_says_what_it_came_to_and_where_it_counts_nothing_why(self) -> None:
        def last(hall: Hall) -> str:
            return Browser().open(hall.table).one("div", class_="last").text

        hall = Hall()
        first, *_ = play(hall.match, "A mulot made", "A 6 made", "B 7 made")
        assert "+7 → 7" in last(hall).replace("\xa0", " ")
        mark(hall.match, "A gros_charlemagne made", replacing=first)
        assert last(hall).count("after the end, not counted") == 1
        assert "→" not in last(hall)
        lines = Browser().open(f"{hall.table}/hands").one("section", class_="hands").text.replace("\xa0", " ")
        assert lines.count("after the end, not counted") == 2
        assert lines.count(" – ") == 1
        other = Hall()
        play(other.match, "A 6 made")
        mark(other.match, "A 7 made", number=1)
        assert "two scores, undecided" in last(other)
        assert "→" not in last(other)

    @pytest.mark.slow
    def test_that_ends_the_game_or_moves_much_is_read_aloud_first(self) -> None:
        hall, phone = Hall(), Browser()
        asked = tap(phone, phone.open(hall.table), "B-mulot-0")
        assert not Mark.objects.exists()
        names = [one.text for one in asked.one(class_="panels").every("span", class_="whole")]
        said = asked.one(role="alertdialog").text
        assert "bid Mulot and made it. " in said
        assert "get 15 points." in said
        assert any(name in said for name in names)
        assert confirm(phone, asked).alert == ""
        assert score(hall.match) == [0, 15]

    @pytest.mark.slow
    def test_read_aloud_and_not_right_goes_back_to_its_tricks(self) -> None:
        hall, phone = Hall(), Browser()
        asked = tap(phone, phone.open(hall.table), "B-mulot-0")
        assert asked.link("No, correct it") == f"{hall.table}#B-mulot"

    def test_carries_what_the_event_asks_for(self) -> None:
        hall, phone = Hall(details=("declarer", "trump", "mode")), Browser()
        typed = {"trump.A-6": "H", "declarer.A-6": "2", "trump.B-7": "C"}
        tap(phone, phone.open(hall.table), "A-6-7", **typed)
        data = Mark.objects.get().record_data
        assert (data["trump"], data["declarer"]) == ("H", 2)

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_keeps_its_detail_when_it_is_read_aloud(self) -> None:
        hall, phone = Hall(details=("declarer", "trump", "mode")), Browser()
        asked = tap(phone, phone.open(hall.table), "A-charlemagne-8", **{"declarer.A-charlemagne": "2"})
        confirm(phone, asked)
        assert Mark.objects.get().record_data["declarer"] == 2

    @pytest.mark.parametrize("kind", ["passed_out", "misdeal", "void"])
    def test_without_points_is_one_button(self, kind: str) -> None:
        hall, phone = Hall(), Browser()
        press(phone, phone.open(hall.table), kind)
        assert Mark.objects.get().record_data == {"kind": kind}

    def test_passed_out_is_not_offered_where_the_dealer_must_bid(self) -> None:
        page = Browser().open(Hall(ruleset=MAINE).table)
        assert not page.every("button", value="passed_out")
        assert page.every("button", value="misdeal")


class TestTwoPhones:
    @pytest.mark.slow
    @pytest.mark.snapshot
    @pytest.mark.parametrize(("answer", "marks"), [("give", "second"), ("keep", "first")])
    def test_the_one_that_marks_gives_it_to_the_other_or_goes_on(self, answer: str, marks: str) -> None:
        hall = Hall()
        phones = {"first": Browser(), "second": Browser()}
        tap(phones["first"], phones["first"].open(hall.table), "A-6-7")
        page = phones["second"].open(hall.table)
        phones["second"].send(page, page.form("/pencil"), ("act", "ask"))
        page = phones["first"].open(hall.table)
        (button,) = (one for one in page.every("button", name="act") if one.value == answer)
        phones["first"].send(page, page.form("/pencil"), (button.attrs["name"], button.value))
        able = [name for name, phone in phones.items() if phone.open(hall.table).every(id="lanes")]
        assert able == [marks]


@pytest.mark.slow
class TestUndoAndCorrection:
    def test_the_last_hand_is_undone_and_put_back(self) -> None:
        hall, phone = Hall(), Browser()
        page = tap(phone, phone.open(hall.table), "A-6-7")
        page = press(phone, page, "undone")
        assert "Hand 1 undone" in page.text
        assert score(hall.match) == [0, 0]
        page = phone.send(page, page.one("div", class_="last").one("form"))
        assert score(hall.match) == [6, 0]

    def test_a_hand_marked_anew_is_undone_like_the_one_before(self) -> None:
        hall, phone = Hall(), Browser()
        page = phone.open(hall.table)
        for said in ("A-6-7", "B-5-5"):
            page = press(phone, tap(phone, page, said), "undone")
            assert "Hand 1 undone" in page.text
        assert (score(hall.match), fresh(hall.match).has_rivals) == ([0, 0], False)

    def test_an_earlier_hand_is_opened_and_corrected(self) -> None:
        hall, phone = Hall(), Browser()
        play(hall.match, "A 6 7", "B 5 made")
        page = phone.open(hall.table)
        page = phone.open(page.one("section", id="hands").every("a").__next__().attrs["href"])
        assert "Correct hand 2" in page.text
        page = phone.open(f"{hall.table}/hands/1")
        assert page.link("Keep") == hall.table
        page = tap(phone, page, "A-7-7")
        assert score(hall.match) == [7, 5]
        assert "corrected" in page.text
        assert statuses(hall.match) == [(1, "superseded"), (2, "current"), (1, "current")]

    def test_a_hand_that_is_not_there_cannot_be_corrected(self) -> None:
        page = Browser().open(f"{Hall().table}/hands/{'9' * 40}")
        assert page.status == 409
        assert "This hand has changed." in page.text

    def test_an_undo_after_another_phone_marked_on_is_refused(self) -> None:
        hall, phone = Hall(), Browser()
        page = tap(phone, phone.open(hall.table), "A-6-7")
        mark(hall.match, "B 5 made")
        page = press(phone, page, "undone")
        assert page.status == 409
        assert "Only the last hand (2) can be undone." in page.alert
        assert score(hall.match) == [6, 5]


class TestTheEndOfAGame:
    def test_is_agreed_to_by_each_side(self) -> None:
        hall, phone = Hall(), Browser()
        win(hall.match)
        page = phone.open(hall.table)
        page = phone.send(page, page.form("/agree"), ("side", "A"))
        assert ": confirmed" in page.text
        page = phone.send(page, page.form("/agree"), ("side", "B"))
        assert "Both sides have confirmed." in page.text

    @pytest.mark.slow
    def test_agreed_to_on_a_page_of_the_match_before_does_not_touch_the_next_one(self) -> None:
        hall, phone = Hall(), Browser()
        win(hall.match)
        old = phone.open(hall.table)
        win_elsewhere(hall)
        next_round(hall.event)
        second = matches_of(hall.event, 2)[0]
        win(second)
        page = phone.send(old, old.form("/agree"), ("side", "A"))
        assert not second.agreements.exists()
        assert page.status in (200, 409)

    def test_agreed_to_on_a_page_that_shows_another_result_is_not_agreed(self) -> None:
        hall, phone = Hall(), Browser()
        first, _ = win(hall.match)
        old = phone.open(hall.table)
        mark(hall.match, "B 8 made", replacing=first)
        page = phone.send(old, old.form("/agree"), ("side", "A"))
        assert not hall.match.agreements.exists()
        assert page.status == 409

    @pytest.mark.parametrize("winner", ["A", "B"])
    def test_is_heard_with_the_points_of_the_winner_first(self, winner: str) -> None:
        hall = Hall()
        for _ in range(2):
            mark(hall.match, f"{winner} charlemagne made")
        assert "win the game, 32 to 0." in Browser().open(hall.table).one("p", id="news").text

    def test_says_who_won_and_goes_on_to_the_next_game(self) -> None:
        hall, phone = Hall(match_format=TWO_GAMES), Browser()
        win(hall.match)
        page = phone.open(hall.table)
        assert "win the game" in page.one("h2").text
        page = phone.open(page.link("Start game 2"))
        page = tap(phone, page, "A-6-7")
        assert score(hall.match) == [6, 0]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("match_format", "said"),
        [
            (MatchFormat(hands=3, decided_by=DecidedBy.POINTS), "This win adds 15 points to the match."),
            (TWO_GAMES, "Won by a Charlemagne; points unchanged."),
        ],
    )
    def test_won_by_a_charlemagne_says_what_that_does_to_the_points(
        self, match_format: MatchFormat, said: str
    ) -> None:
        hall = Hall(ruleset=MAINE, match_format=match_format)
        play(hall.match, "A 6 made", "A charlemagne made")
        pages = [Browser().open(hall.table), Browser().open(f"/e/{hall.event.short}/rounds/1/tables/1")]
        assert said in pages[0].text
        is_worth_points = match_format.decided_by is DecidedBy.POINTS
        assert fresh(hall.match).summary["points"] == [21 if is_worth_points else 6, 0]
        assert ("This win adds 15 points to the match." in pages[1].text) == is_worth_points

    @pytest.mark.parametrize(
        ("second", "winner", "game"),
        [("A 6 made", 0, "32 to 6"), ("B 6 made", 1, "38 to 0"), ("passed_out", None, "32 to 0")],
    )
    def test_that_is_the_end_of_the_match_says_who_won_that_and_with_which_points(
        self, second: str, winner: int | None, game: str
    ) -> None:
        hall = Hall(match_format=MatchFormat(hands=3, decided_by=DecidedBy.POINTS))
        play(hall.match, "A gros_charlemagne made", second, "B gros_charlemagne made")
        page = Browser().open(hall.table)
        sides = page.response.context_data["screen"].sides
        said = "The match is drawn" if winner is None else f"{sides[winner].full} win the match"
        assert page.one("h2").text == said
        shown = [total.text for total in page.every("b", class_="total")]
        assert shown == [str(points) for points in fresh(hall.match).summary["points"]]
        assert f"win the game, {game}." in page.one("main").text

    @pytest.mark.parametrize("side", ["", "C", "a"])
    def test_is_agreed_to_by_no_third_side(self, side: str) -> None:
        hall, phone = Hall(), Browser()
        win(hall.match)
        page = post(phone, f"{hall.table}/agree", {"side": side, "game": "1"})
        assert page.status == 422
        assert page.alert == "Choose a side, A or B."

    @pytest.mark.parametrize(("game", "status"), [("2", 422), ("x", 422), ("", 422)])
    def test_is_agreed_to_for_no_game_that_is_not_over(self, game: str, status: int) -> None:
        hall, phone = Hall(), Browser()
        assert post(phone, f"{hall.table}/agree", {"side": "A", "game": game}).status == status
        assert not hall.match.agreements.exists()


class TestACall:
    @pytest.mark.slow
    def test_is_shown_until_the_director_settles_it_in_words(self) -> None:
        hall, phone = Hall(), Browser()
        page = phone.open(hall.table)
        page = phone.send(page, page.form("/dispute"))
        assert "The desk was notified." in page.text
        desk = hall.desk.open(hall.ruled)
        assert "Call from this table." in desk.text
        assert "Someone is coming." not in desk.text
        refused = hall.desk.send(desk, desk.form("/settle"), ruling="  ")
        assert refused.status == 422
        assert refused.said_at("ruling") == "Enter a reason."
        hall.desk.send(desk, desk.form("/settle"), ruling="The hand stands.")
        assert Dispute.objects.get().ruling == "The hand stands."
        assert "Someone is coming" not in phone.open(hall.table).text

    @pytest.mark.slow
    def test_says_that_somebody_is_coming_once_the_desk_has_opened_the_table(self) -> None:
        hall, phone = Hall(), Browser()
        dispute(match_id=hall.match.pk)
        assert "The desk was notified." in phone.open(hall.table).text
        before = fresh(hall.match).revision
        for _ in range(2):
            hall.desk.open(hall.ruled)
        assert "Someone is coming." in phone.open(hall.table).text
        assert fresh(hall.match).revision == before + 1, "its phones hear of it, once"

    def test_is_settled_with_a_ready_made_reason_and_own_words_beside_it(self) -> None:
        hall = Hall()
        dispute(match_id=hall.match.pk)
        desk = hall.desk.open(hall.ruled)
        assert "Your ruling required" in desk.text
        hall.desk.send(desk, desk.form("/settle"), ready="Score upheld", ruling="All four agree")
        assert Dispute.objects.get().ruling == "Score upheld: All four agree"

    def test_has_what_the_desk_ruled_at_the_table_for_a_quarter_of_an_hour(self) -> None:
        hall, phone = Hall(), Browser()
        dispute(match_id=hall.match.pk)
        settle_call(match_id=hall.match.pk, account=hall.owner, ruling="The hand stands.")
        assert "The desk: The hand stands." in phone.open(hall.table).text
        hall.match.disputes.update(settled_at=timezone.now() - timedelta(minutes=15))
        assert "The hand stands." not in phone.open(hall.table).text

    def test_that_the_table_took_back_has_no_answer(self) -> None:
        hall, phone = Hall(), Browser()
        dispute(match_id=hall.match.pk)
        withdraw_dispute(match_id=hall.match.pk)
        assert "The desk:" not in phone.open(hall.table).text

    def test_is_noted_at_the_desk_too(self) -> None:
        hall = Hall()
        page = post(hall.desk, f"{hall.ruled}/dispute", {"note": "Who dealt?"})
        assert page.path == hall.ruled
        assert Dispute.objects.get().note == "Who dealt?"

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_is_taken_back_by_the_table_and_the_desk_still_reads_of_it(self) -> None:
        hall, phone = Hall(), Browser()
        page = phone.open(hall.table)
        page = phone.send(page, page.form("/dispute"))
        assert "The desk was notified." not in phone.send(page, page.form("/withdraw")).text
        assert not list(hall.desk.open(hall.ruled).every("form", action=f"{hall.ruled}/settle"))
        assert "withdrawn by the table" in hall.desk.open(f"{hall.ruled}/hands").text

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_with_a_ruling_that_is_too_long_keeps_it_in_the_field(self) -> None:
        hall = Hall()
        post(Browser(), f"{hall.table}/dispute", {})
        desk = hall.desk.open(hall.ruled)
        page = hall.desk.send(desk, desk.form("/settle"), ruling="x" * 201)
        assert page.status == 422
        assert page.said_at("ruling") == "Too long: 200 characters at most."
        assert page.field("ruling").value == "x" * 201

    @pytest.mark.slow
    def test_that_another_desk_has_settled_meanwhile_says_what_counts_and_what_was_written_in_vain(
        self,
    ) -> None:
        hall = Hall()
        post(Browser(), f"{hall.table}/dispute", {})
        first, second = hall.desk.open(hall.ruled), Browser(account=hall.owner)
        late = second.open(hall.ruled)
        hall.desk.send(first, first.form("/settle"), ruling="Play on.")
        page = second.send(late, late.form("/settle"), ruling="Deal again.")
        assert page.status == 409
        assert f"{hall.owner.name} already settled this call (“Play on.”)." in page.alert
        assert "Your ruling was not saved (“Deal again.”)." in page.alert
        assert Dispute.objects.get().ruling == "Play on."

    def test_twice_is_one_call(self) -> None:
        hall = Hall()
        for _ in range(2):
            assert post(Browser(), f"{hall.table}/dispute", {"note": "Renege?"}).status == 200
        assert Dispute.objects.get().note == "Renege?"


def seat(hall: Hall, *names: str) -> None:
    """Blue and orange in turn, from the one who deals."""
    for player, name in zip(hall.match.players.order_by("seat"), names, strict=False):
        Person.objects.filter(pk=player.person_id).update(name=name)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("Jean Roy", "Lise Cyr"), "Jean deals"),
        (("Jean Roy", "Jean Cyr"), "Jean Roy deals"),
        (("Jean Roy", "Jean Roy", "Lise Cyr", "Anne Cyr"), "Jean (with Lise) deals"),
        (("Jean Roy", "Jean Roy", "Lise Cyr", "Lise Roy"), "Jean (blue side) deals"),
    ],
)
def test_whoever_deals_is_told_apart_from_others_of_the_same_name(names: tuple[str, ...], said: str) -> None:
    hall = Hall()
    seat(hall, *names)
    assert f"Hand 1, {said}" in Browser().open(hall.table).text


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("Marc Roy", "Paul Roy", "Luc Dubé", "Guy Côté"), ["M. Roy and Dubé", "P. Roy and Côté"]),
        (("Anne Cyr", "Lise Roy", "Jean Roy", "Guy Côté"), ["Cyr and J. Roy", "L. Roy and Côté"]),
        (("Marc Roy", "Guy Côté", "Paul Roy", "Luc Dubé"), ["M. Roy and P. Roy", "Côté and Dubé"]),
        (
            ("Marc Roy", "Paul Roy", "Luc Dubé", "Guy Dubé"),
            ["M. Roy and L. Dubé", "P. Roy and G. Dubé"],
        ),
        (
            ("Marc Roy", "Michel Roy", "Luc Dubé", "Lise Dubé"),
            ["Marc Roy and Luc Dubé", "Michel Roy and Lise Dubé"],
        ),
        (
            ("Marc Roy", "Marc Roy", "Luc Dubé", "Luc Dubé"),
            ["Marc Roy and Luc Dubé (blue side)", "Marc Roy and Luc Dubé (orange side)"],
        ),
    ],
)
def test_whoever_shares_a_surname_with_another_of_the_table_is_told_apart_on_either_side(
    names: tuple[str, ...], said: list[str]
) -> None:
    hall = Hall()
    seat(hall, *names)
    page = Browser().open(hall.table)
    lanes = [one.text for one in page.one(class_="lanes").every("p")]
    assert lanes == said
    assert all(f"{who} bid 6" in page.text for who in said)


@pytest.mark.slow
def test_the_deal_goes_on_while_two_marks_of_a_hand_wait_to_be_chosen() -> None:
    hall, other = Hall(), Hall()
    for each in (hall, other):
        mark(each.match, "A 6 made")
    mark(other.match, "A 7 made", number=1)
    for each in (hall, other):
        players = each.match.players.order_by("seat")
        for player, name in zip(players, ("Anne A", "Bruno B", "Céline C", "Denis D"), strict=False):
            Person.objects.filter(pk=player.person_id).update(name=name)
        assert "Hand 2, Bruno deals" in Browser().open(each.table).text
    assert fresh(other.match).has_rivals


class TestTheFirstDealer:
    def test_is_named_at_the_table(self) -> None:
        hall, phone = Hall(), Browser()
        page = phone.open(hall.table)
        phone.send(page, page.form("/dealer"), ("seat", "2"))
        assert fresh(hall.match).first_dealer == 2

    @pytest.mark.parametrize("seat", ["4", "x", "-1", "99999999999"])
    def test_is_somebody_who_sits_there(self, seat: str) -> None:
        hall = Hall()
        page = post(Browser(), f"{hall.table}/dealer", {"seat": seat})
        assert page.status == 422
        assert page.alert
        assert fresh(hall.match).first_dealer is None


@pytest.mark.slow
@pytest.mark.parametrize("match_format", [MatchFormat(hands=2), BY_THE_CLOCK, TWO_GAMES])
def test_every_length_of_match_can_be_played_to_its_end(match_format: MatchFormat) -> None:
    hall, phone = Hall(match_format=match_format), Browser()
    page = phone.open(hall.table)
    for said in ("A-6-7", "B-5-5"):
        page = tap(phone, page, said)
    if match_format.minutes:
        page = press(phone, page, "time_called")
    if match_format.games_to_win:
        play(hall.match, "A gros_charlemagne made", "A gros_charlemagne made")
        page = phone.open(hall.table)
    else:
        assert "The match is over." in page.one(role="alertdialog").text
        page = confirm(phone, page)
    assert "win the match" in page.text
    assert page.link("My page").startswith(f"/e/{hall.event.short}/mine?at=")
    assert fresh(hall.match).is_over


@pytest.mark.slow
def test_the_phone_that_marked_here_is_told_where_its_four_play_the_next_round() -> None:
    hall, phone, other = Hall(), Browser(), Browser()
    tap(phone, phone.open(hall.table), "A-6-7")
    who = [player.person.name for player in hall.match.players.all()]
    win(hall.match)
    win_elsewhere(hall)
    next_round(hall.event)
    page = phone.open(hall.table)
    assert "Round 2: your new tables" in page.text
    assert "Declarer’s name" not in page.text
    told = page.text.partition("your new tables")[2]
    assert all(name in told for name in who)
    assert "table 2" in told
    assert "your new tables" not in other.open(hall.table).text
    page = phone.open(page.link("Stay at this table"))
    assert "your new tables" not in tap(phone, page, "A-6-7").text


def win_elsewhere(hall: Hall) -> None:
    """The other table ends too, and the round is closed."""
    win(matches_of(hall.event)[1])
    close_round(event_id=hall.event.pk, number=1)
