"""Table screen with plain forms: marking, undo, correction, confirmation of the result, calling the desk."""

from datetime import timedelta

import pytest
from django.utils import timezone

from clubs.models import Person
from rules import BAS_SAINT_LAURENT, CANADIAN, MAINE, MatchCriterion, MatchFormat, Side
from scoring.models import Dispute, Mark
from scoring.services.agreement import call_desk, record_agreement, settle_call, withdraw_call
from tests.builders import (
    FIFTY_MINUTES,
    TWO_GAMES,
    get_score,
    list_statuses,
    mark,
    matches_of,
    play,
    reload_match,
    start_next_round,
    win,
)
from tests.support.browser import Browser
from tests.support.hall import Hall, confirm_hand, post_form, press_kind, tap
from tournaments.rounds.services.clock import begin_round, call_last_hand
from tournaments.rounds.services.rounds import close_round

pytestmark = pytest.mark.django_db


class TestHand:
    @pytest.mark.long
    def test_hand_counts_at_the_second_tap(self) -> None:
        hall, phone = Hall(), Browser()
        page = tap(phone, phone.open(hall.table), "A-6-7")
        assert get_score(hall.match) == [6, 0]
        assert [one.text for one in page.find_all("b", class_="total")] == ["6", "0"]
        assert "Hand 2" in page.find_one("header", class_="band").text

    @pytest.mark.long
    @pytest.mark.parametrize("hand_key", ["A-6-made", "B-7-failed", "A-mulot-0", "A-mulot-failed", "B-5-8"])
    def test_any_key_of_the_page_records_a_hand(self, hand_key: str) -> None:
        hall, phone = Hall(), Browser()
        page = tap(phone, phone.open(hall.table), hand_key)
        if page.find_all(role="alertdialog"):
            confirm_hand(phone, page)
        assert list_statuses(hall.match) == [(1, "current")]

    @pytest.mark.long
    @pytest.mark.parametrize("ruleset", [CANADIAN, MAINE, BAS_SAINT_LAURENT])
    def test_page_has_a_key_for_every_possible_hand(self, ruleset: object) -> None:
        page = Browser().open(Hall(ruleset=ruleset).table)
        for side in "AB":
            for contract in ruleset.playable:  # type: ignore[attr-defined]
                link = f"#{side}-{contract.key}"
                assert page.find_one("a", href=link, class_="key")
                keys = {one.value for one in page.find_one(id=link[1:]).find_all("button", name="said")}
                assert keys >= {f"{link[1:]}-{tricks}" for tricks in range(9)}
                assert f"{link[1:]}-failed" in keys

    @pytest.mark.long
    def test_last_hand_shows_its_points_or_why_none(self) -> None:
        def get_last_hand_text(hall: Hall) -> str:
            return Browser().open(hall.table).find_one("div", class_="last").text

        hall = Hall()
        first, *_ = play(hall.match, "A mulot made", "A 6 made", "B 7 made")
        assert "+7 → 7" in get_last_hand_text(hall).replace("\xa0", " ")
        mark(hall.match, "A gros_charlemagne made", replaced=first)
        assert get_last_hand_text(hall).count("after the end, not counted") == 1
        assert "→" not in get_last_hand_text(hall)
        lines = Browser().open(f"{hall.table}/hands").find_one("section", class_="hands").text.replace("\xa0", " ")
        assert lines.count("after the end, not counted") == 2
        assert lines.count(" – ") == 1
        other = Hall()
        play(other.match, "A 6 made")
        mark(other.match, "A 7 made", number=1)
        assert "undecided" in get_last_hand_text(other)
        assert "→" not in get_last_hand_text(other)

    @pytest.mark.long
    def test_decisive_hand_is_read_back_before_recording(self) -> None:
        hall, phone = Hall(), Browser()
        confirmation = tap(phone, phone.open(hall.table), "B-mulot-0")
        assert not Mark.objects.exists()
        names = [one.text for one in confirmation.find_one(class_="panels").find_all("span", class_="whole")]
        dialog_text = confirmation.find_one(role="alertdialog").text
        assert "bid Mulot and made it. " in dialog_text
        assert "get 15 points." in dialog_text
        assert any(name in dialog_text for name in names)
        assert confirm_hand(phone, confirmation).alert == ""
        assert get_score(hall.match) == [0, 15]

    @pytest.mark.slow
    def test_rejected_confirmation_returns_to_the_tricks(self) -> None:
        hall, phone = Hall(), Browser()
        confirmation = tap(phone, phone.open(hall.table), "B-mulot-0")
        assert confirmation.find_link("No, correct it") == f"{hall.table}#B-mulot"

    @pytest.mark.slow
    def test_hand_stores_the_requested_details(self) -> None:
        hall, phone = Hall(details=("declarer", "trump", "mode")), Browser()
        typed = {"trump.A-6": "H", "declarer.A-6": "2", "trump.B-7": "C"}
        tap(phone, phone.open(hall.table), "A-6-7", **typed)
        data = Mark.objects.get().record_data
        assert (data["trump"], data["declarer"]) == ("H", 2)

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_confirmed_hand_keeps_its_details(self) -> None:
        hall, phone = Hall(details=("declarer", "trump", "mode")), Browser()
        confirmation = tap(phone, phone.open(hall.table), "A-charlemagne-8", **{"declarer.A-charlemagne": "2"})
        confirm_hand(phone, confirmation)
        assert Mark.objects.get().record_data["declarer"] == 2

    @pytest.mark.parametrize("kind", ["passed_out", "misdeal", "void"])
    def test_hand_without_points_is_one_button(self, kind: str) -> None:
        hall, phone = Hall(), Browser()
        press_kind(phone, phone.open(hall.table), kind)
        assert Mark.objects.get().record_data == {"kind": kind}

    def test_all_pass_is_not_offered_when_the_dealer_must_bid(self) -> None:
        page = Browser().open(Hall(ruleset=MAINE).table)
        assert not page.find_all("button", value="passed_out")
        assert page.find_all("button", value="misdeal")


class TestTwoPhones:
    @pytest.mark.slow
    @pytest.mark.snapshot
    @pytest.mark.parametrize(("answer", "marks"), [("give", "second"), ("keep", "first")])
    def test_scorekeeper_gives_or_keeps_the_role(self, answer: str, marks: str) -> None:
        hall = Hall()
        phones = {"first": Browser(), "second": Browser()}
        tap(phones["first"], phones["first"].open(hall.table), "A-6-7")
        page = phones["second"].open(hall.table)
        phones["second"].send(page, page.find_form("/pencil"), ("act", "ask"))
        page = phones["first"].open(hall.table)
        (button,) = (one for one in page.find_all("button", name="act") if one.value == answer)
        phones["first"].send(page, page.find_form("/pencil"), (button.attrs["name"], button.value))
        able = [name for name, phone in phones.items() if phone.open(hall.table).find_all(id="lanes")]
        assert able == [marks]


@pytest.mark.slow
class TestUndoAndCorrection:
    def test_last_hand_can_be_undone_and_restored(self) -> None:
        hall, phone = Hall(), Browser()
        page = tap(phone, phone.open(hall.table), "A-6-7")
        page = press_kind(phone, page, "undone")
        assert "Hand 1 undone" in page.text
        assert get_score(hall.match) == [0, 0]
        page = phone.send(page, page.find_one("div", class_="last").find_one("form"))
        assert get_score(hall.match) == [6, 0]

    @pytest.mark.long
    def test_newly_marked_hand_can_be_undone_again(self) -> None:
        hall, phone = Hall(), Browser()
        page = phone.open(hall.table)
        for hand_key in ("A-6-7", "B-5-5"):
            page = press_kind(phone, tap(phone, page, hand_key), "undone")
            assert "Hand 1 undone" in page.text
        assert (get_score(hall.match), reload_match(hall.match).has_rivals) == ([0, 0], False)

    @pytest.mark.long
    def test_earlier_hand_can_be_corrected(self) -> None:
        hall, phone = Hall(), Browser()
        play(hall.match, "A 6 7", "B 5 made")
        page = phone.open(hall.table)
        page = phone.open(page.find_one("section", id="hands").find_all("a").__next__().attrs["href"])
        assert "Correct hand 2" in page.text
        page = phone.open(f"{hall.table}/hands/1")
        assert page.find_link("Keep") == hall.table
        page = tap(phone, page, "A-7-7")
        assert get_score(hall.match) == [7, 5]
        assert "corrected" in page.text
        assert list_statuses(hall.match) == [(1, "superseded"), (2, "current"), (1, "current")]

    def test_unknown_hand_cannot_be_corrected(self) -> None:
        page = Browser().open(f"{Hall().table}/hands/{'9' * 15}")
        assert page.status == 409
        assert "This hand has changed." in page.text

    @pytest.mark.long
    def test_outdated_undo_is_refused(self) -> None:
        hall, phone = Hall(), Browser()
        page = tap(phone, phone.open(hall.table), "A-6-7")
        mark(hall.match, "B 5 made")
        page = press_kind(phone, page, "undone")
        assert page.status == 409
        assert "Only the last hand (2) can be undone." in page.alert
        assert get_score(hall.match) == [6, 5]


class TestEndOfGame:
    def test_each_side_confirms_the_result(self) -> None:
        hall, phone = Hall(), Browser()
        win(hall.match)
        page = phone.open(hall.table)
        page = phone.send(page, page.find_form("/agree"), ("side", "A"))
        assert ": confirmed" in page.text
        page = phone.send(page, page.find_form("/agree"), ("side", "B"))
        assert "Both sides have confirmed." in page.text

    @pytest.mark.long
    def test_closed_round_offers_no_correction_to_phones(self) -> None:
        hall, phone = Hall(), Browser()
        win(hall.match)
        page = phone.open(phone.open(hall.table).find_link("See or correct hands"))
        assert "Tap a hand to correct it." in page.text
        win_elsewhere(hall)
        page = phone.open(phone.open(hall.table).find_link("View hands"))
        assert "Round closed: corrections at the desk." in page.text
        assert "Tap a hand" not in page.text

    @pytest.mark.slow
    def test_table_announces_no_hand_after_the_last_one(self) -> None:
        hall, phone = Hall(), Browser()
        begin_round(event_id=hall.event.pk, number=1, minutes=20)
        call_last_hand(event_id=hall.event.pk, number=1)
        page = tap(phone, phone.open(hall.table), "A-6-7")
        assert "Last hand played" in page.find_one("header").text
        assert "Hand 2" not in page.find_one("header").text + page.find_one("p", id="news").text

    @pytest.mark.long
    def test_sheet_typed_at_the_desk_is_not_to_be_confirmed(self) -> None:
        hall, phone = Hall(), Browser()
        play(hall.match, "B 6 made", "totals 32 12")
        page = phone.open(hall.table)
        assert not page.find_all("button", name="side")
        assert "onfirm" not in page.find_one("main").text + page.find_one("p", id="news").text
        assert "Result entered by the desk." in page.find_one("main").text
        assert "Hand 2" not in page.find_one("main").text + page.find_one("p", id="news").text
        for side in Side:
            record_agreement(match_id=hall.match.pk, side=side, game=1)
        assert "Result confirmed." in phone.open(hall.table).text

    @pytest.mark.long
    def test_outdated_page_does_not_confirm_the_next_match(self) -> None:
        hall, phone = Hall(), Browser()
        win(hall.match)
        old = phone.open(hall.table)
        win_elsewhere(hall)
        start_next_round(hall.event)
        second = matches_of(hall.event, 2)[0]
        win(second)
        page = phone.send(old, old.find_form("/agree"), ("side", "A"))
        assert not second.agreements.exists()
        assert page.status in (200, 409)

    def test_outdated_result_is_not_confirmed(self) -> None:
        hall, phone = Hall(), Browser()
        first, _ = win(hall.match)
        old = phone.open(hall.table)
        mark(hall.match, "B 8 made", replaced=first)
        page = phone.send(old, old.find_form("/agree"), ("side", "A"))
        assert not hall.match.agreements.exists()
        assert page.status == 409

    @pytest.mark.parametrize("winner", ["A", "B"])
    def test_announcement_gives_the_winner_points_first(self, winner: str) -> None:
        hall = Hall()
        for _ in range(2):
            mark(hall.match, f"{winner} charlemagne made")
        assert "win the game, 32 to 0." in Browser().open(hall.table).find_one("p", id="news").text

    @pytest.mark.slow
    def test_game_end_names_the_winner_and_starts_the_next(self) -> None:
        hall, phone = Hall(match_format=TWO_GAMES), Browser()
        win(hall.match)
        page = phone.open(hall.table)
        assert "win the game" in page.find_one("h2").text
        page = phone.open(page.find_link("Start game 2"))
        page = tap(phone, page, "A-6-7")
        assert get_score(hall.match) == [6, 0]

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("match_format", "expected_text"),
        [
            (MatchFormat(hands=3, decided_by=MatchCriterion.POINTS), "This win adds 15 points to the match."),
            (TWO_GAMES, "Decided by a Charlemagne; points unchanged."),
        ],
    )
    def test_charlemagne_win_explains_its_points(self, match_format: MatchFormat, expected_text: str) -> None:
        hall = Hall(ruleset=MAINE, match_format=match_format)
        play(hall.match, "A 6 made", "A charlemagne made")
        pages = [Browser().open(hall.table), Browser().open(f"/e/{hall.event.short}/rounds/1/tables/1")]
        assert expected_text in pages[0].text
        is_worth_points = match_format.decided_by is MatchCriterion.POINTS
        assert reload_match(hall.match).summary["points"] == [21 if is_worth_points else 6, 0]
        assert ("This win adds 15 points to the match." in pages[1].text) == is_worth_points

    @pytest.mark.parametrize(
        ("second", "winner", "game"),
        [("A 6 made", 0, "32 to 6"), ("B 6 made", 1, "38 to 0"), ("passed_out", None, "32 to 0")],
    )
    def test_match_end_names_the_winner_and_points(self, second: str, winner: int | None, game: str) -> None:
        hall = Hall(match_format=MatchFormat(hands=3, decided_by=MatchCriterion.POINTS))
        play(hall.match, "A gros_charlemagne made", second, "B gros_charlemagne made")
        page = Browser().open(hall.table)
        sides = page.response.context_data["screen"].sides
        heading = "The match is drawn" if winner is None else f"{sides[winner].full} win the match"
        assert page.find_one("h2").text == heading
        shown = [total.text for total in page.find_all("b", class_="total")]
        assert shown == [str(points) for points in reload_match(hall.match).summary["points"]]
        assert f"win the game, {game}." in page.find_one("main").text

    @pytest.mark.parametrize("side", ["", "C", "a"])
    def test_third_side_cannot_confirm_the_result(self, side: str) -> None:
        hall, phone = Hall(), Browser()
        win(hall.match)
        page = post_form(phone, f"{hall.table}/agree", {"side": side, "game": "1"})
        assert page.status == 422
        assert page.alert == "Choose a side, A or B."

    @pytest.mark.parametrize(("game", "status"), [("2", 422), ("x", 422), ("", 422)])
    def test_unfinished_game_cannot_be_confirmed(self, game: str, status: int) -> None:
        hall, phone = Hall(), Browser()
        assert post_form(phone, f"{hall.table}/agree", {"side": "A", "game": game}).status == status
        assert not hall.match.agreements.exists()


class TestDeskCall:
    @pytest.mark.slow
    def test_call_is_shown_until_the_director_settles_it(self) -> None:
        hall, phone = Hall(), Browser()
        page = phone.open(hall.table)
        page = phone.send(page, page.find_form("/dispute"))
        assert "The desk was notified." in page.text
        desk = hall.desk.open(hall.desk_match)
        assert "Call from this table." in desk.text
        assert "Someone is coming." not in desk.text
        refused = hall.desk.send(desk, desk.find_form("/settle"), ruling="  ")
        assert refused.status == 422
        assert refused.get_field_error("ruling") == "Enter a reason."
        hall.desk.send(desk, desk.find_form("/settle"), ruling="The hand stands.")
        assert Dispute.objects.get().ruling == "The hand stands."
        assert "Someone is coming" not in phone.open(hall.table).text

    @pytest.mark.slow
    def test_table_learns_when_the_desk_opens_the_call(self) -> None:
        hall, phone = Hall(), Browser()
        call_desk(match_id=hall.match.pk)
        assert "The desk was notified." in phone.open(hall.table).text
        before = reload_match(hall.match).revision
        for _ in range(2):
            hall.desk.open(hall.desk_match)
        assert "Someone is coming." in phone.open(hall.table).text
        assert reload_match(hall.match).revision == before + 1, "its phones hear of it, once"

    @pytest.mark.slow
    def test_call_is_settled_with_a_preset_and_own_words(self) -> None:
        hall = Hall()
        call_desk(match_id=hall.match.pk)
        desk = hall.desk.open(hall.desk_match)
        assert "Your ruling required" in desk.text
        hall.desk.send(desk, desk.find_form("/settle"), ready="Score upheld", ruling="All four agree")
        assert Dispute.objects.get().ruling == "Score upheld: All four agree"

    @pytest.mark.slow
    def test_ruling_is_shown_for_fifteen_minutes(self) -> None:
        hall, phone = Hall(), Browser()
        call_desk(match_id=hall.match.pk)
        settle_call(match_id=hall.match.pk, account=hall.owner, ruling="The hand stands.")
        assert "The desk: The hand stands." in phone.open(hall.table).text
        hall.match.disputes.update(settled_at=timezone.now() - timedelta(minutes=15))
        assert "The hand stands." not in phone.open(hall.table).text

    def test_withdrawn_call_has_no_answer(self) -> None:
        hall, phone = Hall(), Browser()
        call_desk(match_id=hall.match.pk)
        withdraw_call(match_id=hall.match.pk)
        assert "The desk:" not in phone.open(hall.table).text

    def test_desk_can_record_a_call_too(self) -> None:
        hall = Hall()
        page = post_form(hall.desk, f"{hall.desk_match}/dispute", {"note": "Who dealt?"})
        assert page.path == hall.desk_match
        assert Dispute.objects.get().note == "Who dealt?"

    @pytest.mark.slow
    @pytest.mark.snapshot
    def test_withdrawn_call_stays_in_the_desk_history(self) -> None:
        hall, phone = Hall(), Browser()
        page = phone.open(hall.table)
        page = phone.send(page, page.find_form("/dispute"))
        assert "The desk was notified." not in phone.send(page, page.find_form("/withdraw")).text
        assert not list(hall.desk.open(hall.desk_match).find_all("form", action=f"{hall.desk_match}/settle"))
        assert "withdrawn by the table" in hall.desk.open(f"{hall.desk_match}/hands").text

    @pytest.mark.long
    @pytest.mark.snapshot
    def test_overlong_ruling_stays_in_the_field(self) -> None:
        hall = Hall()
        post_form(Browser(), f"{hall.table}/dispute", {})
        desk = hall.desk.open(hall.desk_match)
        page = hall.desk.send(desk, desk.find_form("/settle"), ruling="x" * 201)
        assert page.status == 422
        assert page.get_field_error("ruling") == "Too long: 200 characters at most."
        assert page.find_field("ruling").value == "x" * 201

    @pytest.mark.long
    def test_second_ruling_is_refused_with_both_texts(
        self,
    ) -> None:
        hall = Hall()
        post_form(Browser(), f"{hall.table}/dispute", {})
        first, second = hall.desk.open(hall.desk_match), Browser(account=hall.owner)
        late = second.open(hall.desk_match)
        hall.desk.send(first, first.find_form("/settle"), ruling="Play on.")
        page = second.send(late, late.find_form("/settle"), ruling="Deal again.")
        assert page.status == 409
        assert f"{hall.owner.name} already settled this call (“Play on.”)." in page.alert
        assert "Your ruling was not saved (“Deal again.”)." in page.alert
        assert Dispute.objects.get().ruling == "Play on."

    @pytest.mark.slow
    def test_repeated_call_is_stored_once(self) -> None:
        hall = Hall()
        for _ in range(2):
            assert post_form(Browser(), f"{hall.table}/dispute", {"note": "Renege?"}).status == 200
        assert Dispute.objects.get().note == "Renege?"


def seat(hall: Hall, *names: str) -> None:
    """Name the players by seat, from the dealer on: blue and orange in turn."""
    for player, name in zip(hall.match.players.order_by("seat"), names, strict=False):
        Person.objects.filter(pk=player.person_id).update(name=name)


@pytest.mark.parametrize(
    ("names", "dealer_text"),
    [
        (("Jean Roy", "Lise Cyr"), "Jean deals"),
        (("Jean Roy", "Jean Cyr"), "Jean Roy deals"),
        (("Jean Roy", "Jean Roy", "Lise Cyr", "Anne Cyr"), "Jean (with Lise) deals"),
        (("Jean Roy", "Jean Roy", "Lise Cyr", "Lise Roy"), "Jean (blue side) deals"),
    ],
)
def test_dealer_is_distinguished_from_namesakes(names: tuple[str, ...], dealer_text: str) -> None:
    hall = Hall()
    seat(hall, *names)
    assert f"Hand 1, {dealer_text}" in Browser().open(hall.table).text


@pytest.mark.parametrize(
    ("names", "expected_names"),
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
def test_players_of_one_surname_are_distinguished(names: tuple[str, ...], expected_names: list[str]) -> None:
    hall = Hall()
    seat(hall, *names)
    page = Browser().open(hall.table)
    lanes = [one.text for one in page.find_one(class_="lanes").find_all("p")]
    assert lanes == expected_names
    assert all(f"{who} bid 6" in page.text for who in expected_names)


@pytest.mark.long
def test_deal_advances_while_marks_conflict() -> None:
    hall, other = Hall(), Hall()
    for each in (hall, other):
        mark(each.match, "A 6 made")
    mark(other.match, "A 7 made", number=1)
    for each in (hall, other):
        players = each.match.players.order_by("seat")
        for player, name in zip(players, ("Anne A", "Bruno B", "Céline C", "Denis D"), strict=False):
            Person.objects.filter(pk=player.person_id).update(name=name)
        assert "Hand 2, Bruno deals" in Browser().open(each.table).text
    assert reload_match(other.match).has_rivals


class TestFirstDealer:
    def test_first_dealer_is_named_at_the_table(self) -> None:
        hall, phone = Hall(), Browser()
        page = phone.open(hall.table)
        phone.send(page, page.find_form("/dealer"), ("seat", "2"))
        assert reload_match(hall.match).first_dealer == 2

    @pytest.mark.parametrize("seat", ["4", "x", "-1", "99999999999"])
    def test_first_dealer_must_sit_at_the_table(self, seat: str) -> None:
        hall = Hall()
        page = post_form(Browser(), f"{hall.table}/dealer", {"seat": seat})
        assert page.status == 422
        assert page.alert
        assert reload_match(hall.match).first_dealer is None


@pytest.mark.parametrize("match_format", [MatchFormat(hands=2), FIFTY_MINUTES, TWO_GAMES])
@pytest.mark.long
def test_every_match_length_can_be_played_to_its_end(match_format: MatchFormat) -> None:
    hall, phone = Hall(match_format=match_format), Browser()
    page = phone.open(hall.table)
    for hand_key in ("A-6-7", "B-5-5"):
        page = tap(phone, page, hand_key)
    if match_format.minutes:
        page = press_kind(phone, page, "time_called")
    if match_format.games_to_win:
        play(hall.match, "A gros_charlemagne made", "A gros_charlemagne made")
        page = phone.open(hall.table)
    else:
        assert "The match is over." in page.find_one(role="alertdialog").text
        page = confirm_hand(phone, page)
    assert "win the match" in page.text
    assert page.find_link("My page").startswith(f"/e/{hall.event.short}/mine?at=")
    assert reload_match(hall.match).is_over


@pytest.mark.long
def test_marking_phone_shows_where_its_players_move() -> None:
    hall, phone, other = Hall(), Browser(), Browser()
    tap(phone, phone.open(hall.table), "A-6-7")
    who = [player.person.name for player in hall.match.players.all()]
    win(hall.match)
    win_elsewhere(hall)
    start_next_round(hall.event)
    page = phone.open(hall.table)
    assert "Round 2: your new tables" in page.text
    assert "Declarer’s name" not in page.text
    move_text = page.text.partition("your new tables")[2]
    assert all(name in move_text for name in who)
    assert "table 2" in move_text
    assert "your new tables" not in other.open(hall.table).text
    page = phone.open(page.find_link("Stay at this table"))
    assert "your new tables" not in tap(phone, page, "A-6-7").text


def win_elsewhere(hall: Hall) -> None:
    """Finish the match at the other table and close the round."""
    win(matches_of(hall.event)[1])
    close_round(event_id=hall.event.pk, number=1)
