"""The play of the cards: what may be played, who wins, who plays when (RULES §3; P, V, G, J)."""

from typing import Any

import pytest

from errors import Refusal
from rules import (
    BAS_SAINT_LAURENT,
    CANADIAN,
    MAINE,
    RULESETS,
    TWO_PLAYER,
    AuctionOutcome,
    Card,
    CardOrder,
    Dealt,
    Duty,
    Play,
    Preparation,
    Ruleset,
    Seat,
    Side,
    Suit,
    card_order,
    obligation,
    prepare,
    winner_of,
)
from tests.rules.deals import CANADIAN_DEAL, CARD_VS_1, MAINE_DEAL, cards, prepared
from tests.rules.sheets import refused
from tests.rules.vectors import Case, cases


def order_of(case: Case) -> CardOrder:
    ruleset = RULESETS[case["ruleset"]]
    return card_order(ruleset, ruleset.bid(case["contract"]), case["trump"] and Suit(case["trump"]))


def trick_of(case: Case) -> list[tuple[Seat, Card]]:
    return [(Seat(seat), Card(card)) for seat, card in case["trick"]]


@pytest.mark.parametrize("case", cases("tricks.json", with_key="legal"))
def test_what_may_be_played_is_what_the_documents_say(case: Case) -> None:
    rule = obligation(order_of(case), [Card(card) for card in case["hand"]], trick_of(case))
    assert (rule.duty, list(rule.cards)) == (case["duty"], case["legal"])


@pytest.mark.parametrize("case", cases("tricks.json", with_key="winner"))
def test_the_trick_goes_where_the_documents_say(case: Case) -> None:
    assert winner_of(order_of(case), trick_of(case)) == case["winner"]


@pytest.mark.parametrize("case", cases("tricks.json", with_key="winner"))
def test_where_people_sit_does_not_matter_only_what_was_led(case: Case) -> None:
    order, trick = order_of(case), trick_of(case)
    seats = [seat for seat, _ in trick]
    for turn in range(len(trick)):
        moved = [(seats[(place + turn) % len(seats)], card) for place, (_, card) in enumerate(trick)]
        won = next(card for seat, card in trick if seat == case["winner"])
        assert dict(moved)[winner_of(order, moved)] == won


def test_an_unfinished_trick_has_a_winner_so_far_and_an_empty_one_none() -> None:
    order = card_order(CANADIAN, CANADIAN.bid("6"), Suit.HEARTS)
    trick = [(Seat(1), Card("KS")), (Seat(2), Card("AS")), (Seat(3), Card("7H"))]
    assert [winner_of(order, trick[:count]) for count in (1, 2, 3)] == [1, 2, 3]
    assert refused(winner_of, order, []) == ("empty_trick", "trick")


def played(play: Play, *said: str) -> Play:
    """The play after these cards in turn."""
    for card in " ".join(said).split():
        play = play.after(play.turn, Card(card))
    return play


A_NUMBER: dict[str, Any] = {"mode": "kitty", "trump": Suit.SPADES, "discards": "X1 X2"}


class TestTurns:
    def test_p_the_left_of_the_bidder_leads_a_number_and_the_turn_goes_clockwise(self) -> None:
        play = prepared(CANADIAN, "6", **A_NUMBER)
        turns = []
        for card in ["KH", "9H", "8H", "AH"]:
            turns.append(play.turn)
            play = play.after(play.turn, Card(card))
        assert turns == [1, 2, 3, 0]

    def test_p_the_winner_of_a_trick_leads_to_the_next(self) -> None:
        play = played(prepared(CANADIAN, "6", **A_NUMBER), "KH 9H 8H AH")
        assert (play.winners, play.turn, play.trick) == ((0,), 0, ())
        assert play.tricks == (((1, "KH"), (2, "9H"), (3, "8H"), (0, "AH")),)
        play = played(play, "7H JH AD AC")
        assert (play.winners, play.turn) == ((0, 1), 1)

    def test_rules_3_a_trick_without_the_partner_has_three_cards(self) -> None:
        play = played(prepared(CANADIAN, "mulot", mode="alone"), "7S JS AC")
        assert play.tricks == (((0, "7S"), (1, "JS"), (3, "AC")),)
        assert play.turn == 1

    def test_rules_3_a_trick_has_two_cards_when_an_opponent_sits_out_as_well(self) -> None:
        play = prepared(MAINE, "charlemagne", Suit.SPADES, dealt=MAINE_DEAL, **CARD_VS_1)
        play = played(play, "AS JS KH AH")
        assert [len(trick) for trick in play.tricks] == [2, 2]
        assert (play.winners, play.turn) == ((1, 0), 0)

    def test_p_g_the_lone_defender_may_be_the_other_one(self) -> None:
        other = CARD_VS_1 | {"defender": Seat(3), "opponent_card": Card("JS"), "opponent_discard": Card("8H")}
        play = prepared(MAINE, "charlemagne", Suit.SPADES, dealt=MAINE_DEAL, **other)
        assert played(play, "AS JS").winners == (3,)

    def test_rules_6_two_people_play_two_cards_to_a_trick(self) -> None:
        dealt = Dealt(dealer=Seat(0), hands=CANADIAN_DEAL.hands[:2])
        play = prepared(TWO_PLAYER, "5", Suit.SPADES, dealt=dealt, mode="two_player")
        assert played(play, "AS JS JH AH").winners == (1, 0)


class TestRefusedCards:
    def refusal(self, play: Play, seat: int, card: str) -> Refusal:
        refusal = play.refusal(Seat(seat), Card(card))
        assert refusal is not None
        assert refusal.field == "play"
        assert refused(play.after, Seat(seat), Card(card)) == (refusal.code, "play")
        return refusal

    def test_out_of_turn(self) -> None:
        play = prepared(CANADIAN, "6", **A_NUMBER)
        refusal = self.refusal(play, 2, "AD")
        assert (refusal.code, refusal.details) == ("out_of_turn", {"seat": 2, "turn": 1})

    def test_a_card_of_somebody_else(self) -> None:
        refusal = self.refusal(prepared(CANADIAN, "6", **A_NUMBER), 1, "AD")
        assert (refusal.code, refusal.details) == ("card_not_held", {"seat": 1, "card": "AD"})

    def test_a_card_that_was_played_before(self) -> None:
        play = played(prepared(CANADIAN, "6", **A_NUMBER), "KH 9H 8H AH")
        assert self.refusal(play, 0, "AH").code == "card_not_held"

    def test_a_card_that_was_discarded(self) -> None:
        play = prepared(CANADIAN, "6", mode="kitty", trump=Suit.SPADES, discards="AS KS")
        assert self.refusal(played(play, "KH 9H 8H"), 0, "AS").code == "card_not_held"

    def test_another_suit_by_somebody_who_can_follow(self) -> None:
        refusal = self.refusal(played(prepared(CANADIAN, "6", **A_NUMBER), "KH"), 2, "AD")
        assert refusal.code == "must_follow"
        assert refusal.details == {"seat": 2, "card": "AD", "legal": ("9H",)}

    def test_the_little_jack_kept_back_when_trump_is_led(self) -> None:
        play = prepared(CANADIAN, "6", **(A_NUMBER | {"trump": Suit.CLUBS}))
        refusal = self.refusal(played(play, "KH 9H 8H AH 9C"), 1, "QH")
        assert (refusal.code, refusal.details["legal"]) == ("must_follow", ("JS",))

    def test_a_joker_kept_back_in_mulot(self) -> None:
        dealt = Dealt(
            dealer=Seat(0),
            hands=(*CANADIAN_DEAL.hands[:3], cards("AC KC QC JC 10C 8C 7C X2")),
            kitty=cards("8H X1"),
        )
        play = played(prepared(CANADIAN, "mulot", dealt=dealt, mode="alone"), "7S JS")
        refusal = self.refusal(play, 3, "7C")
        assert refusal.code == "must_play_joker"
        assert refusal.details == {"seat": 3, "card": "7C", "legal": ("X2",)}

    def test_a_seat_that_is_out_of_the_hand(self) -> None:
        play = prepared(CANADIAN, "mulot", mode="alone")
        refusal = self.refusal(play, 2, "AD")
        assert (refusal.code, refusal.details) == ("seat_sits_out", {"seat": 2})

    def test_a_card_after_the_last(self) -> None:
        play = prepared(MAINE, "5", Suit.SPADES, dealt=MAINE_DEAL, mode="partner")
        while not play.is_over:
            play = play.after(play.turn, play.obligation.cards[0])
        assert play.obligation == (Duty.LEAD, ())
        assert self.refusal(play, play.turn, "AS").code == "play_is_over"


class TestTricksWon:
    def test_tricks_of_a_side_are_those_of_both_partners(self) -> None:
        play = played(prepared(CANADIAN, "6", **A_NUMBER), "KH 9H 8H AH", "8D JS AD AC", "10S KD JC AS")
        assert play.winners == (0, 1, 3)
        assert (play.tricks_won(Side.A), play.tricks_won(Side.B), play.tricks_of_declarer) == (1, 2, 1)

    @pytest.mark.parametrize("declarer", [1, 3])
    def test_the_declaring_side_may_be_either(self, declarer: int) -> None:
        outcome = AuctionOutcome(declarer=Seat(declarer), contract=MAINE.bid("6"), trump=Suit.CLUBS)
        play = prepare(MAINE, MAINE_DEAL, outcome, Preparation(mode="partner"))
        while not play.is_over:
            play = play.after(play.turn, play.obligation.cards[0])
        assert play.tricks_of_declarer == play.tricks_won(Side.B) == 8 - play.tricks_won(Side.A)


OPEN_HANDS = [
    pytest.param(CANADIAN, "gros_mulot", [False, True, True], id="P Gros Mulot: after the first trick"),
    pytest.param(CANADIAN, "mulot", [False, False, False], id="P Mulot: never"),
    pytest.param(BAS_SAINT_LAURENT, "petite", [False, False, False], id="J Petite: never"),
]


@pytest.mark.parametrize(("ruleset", "contract", "is_open"), OPEN_HANDS)
def test_a_hand_is_laid_open_after_the_first_trick_of_a_gros_mulot(
    ruleset: Ruleset, contract: str, is_open: list[bool]
) -> None:
    dealt = CANADIAN_DEAL if ruleset.kitty else MAINE_DEAL
    play = prepared(ruleset, contract, dealt=dealt, mode="alone")
    for tricks, expected in enumerate(is_open):
        while len(play.tricks) < tricks:
            play = play.after(play.turn, play.obligation.cards[0])
        assert play.is_open is expected
        half = play.after(play.turn, play.obligation.cards[0])
        assert half.is_open is expected


def test_the_coloured_joker_led_in_mulot_loses_to_the_other_but_for_the_kitty_p() -> None:
    """P: "forcing the holder of the other Joker to take the trick (but failing if it was in the kitty)"."""
    first = cards("X2 7S 7H 7D 7C 8S 8H 8D")
    for other, winner in ((cards("X1 AS KS QS AH KH QH JH"), 1), (cards("JS AS KS QS AH KH QH JH"), 0)):
        dealt = Dealt(dealer=Seat(0), hands=(first, other, (), cards("AC KC QC JC AD KD QD JD")), kitty=())
        play = prepared(CANADIAN, "mulot", dealt=dealt, mode="alone")
        play = play.after(Seat(0), Card("X2"))
        legal = play.obligation.cards
        assert legal == (cards("X1") if winner == 1 else other)
        play = played(play, other[0], "AC")
        assert play.winners == (winner,)
