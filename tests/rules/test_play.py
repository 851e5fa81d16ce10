"""The play of the cards: legal cards, trick winners, turns (RULES §3; P, V, G, J)."""

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
    DealtCards,
    Duty,
    Play,
    Preparation,
    Ruleset,
    Seat,
    Side,
    Suit,
    get_card_order,
    get_obligation,
    get_trick_winner,
    prepare_play,
)
from tests.rules.deals import CANADIAN_DEAL, CARD_VS_1, MAINE_DEAL, parse_cards, prepared
from tests.rules.sheets import get_refusal
from tests.rules.vectors import Case, parametrize_cases


def order_of(case: Case) -> CardOrder:
    ruleset = RULESETS[case["ruleset"]]
    return get_card_order(ruleset, ruleset.get_bid(case["contract"]), case["trump"] and Suit(case["trump"]))


def build_trick(case: Case) -> list[tuple[Seat, Card]]:
    return [(Seat(seat), Card(card)) for seat, card in case["trick"]]


@pytest.mark.parametrize("case", parametrize_cases("tricks.json", with_key="legal"))
def test_legal_cards_match_the_documents(case: Case) -> None:
    rule = get_obligation(order_of(case), [Card(card) for card in case["hand"]], build_trick(case))
    assert (rule.duty, list(rule.cards)) == (case["duty"], case["legal"])


@pytest.mark.parametrize("case", parametrize_cases("tricks.json", with_key="winner"))
def test_trick_winner_matches_the_documents(case: Case) -> None:
    assert get_trick_winner(order_of(case), build_trick(case)) == case["winner"]


@pytest.mark.parametrize("case", parametrize_cases("tricks.json", with_key="winner"))
def test_trick_winner_does_not_depend_on_seats(case: Case) -> None:
    order, trick = order_of(case), build_trick(case)
    seats = [seat for seat, _ in trick]
    for turn in range(len(trick)):
        moved = [(seats[(place + turn) % len(seats)], card) for place, (_, card) in enumerate(trick)]
        won = next(card for seat, card in trick if seat == case["winner"])
        assert dict(moved)[get_trick_winner(order, moved)] == won


def test_unfinished_trick_has_a_current_winner() -> None:
    order = get_card_order(CANADIAN, CANADIAN.get_bid("6"), Suit.HEARTS)
    trick = [(Seat(1), Card("KS")), (Seat(2), Card("AS")), (Seat(3), Card("7H"))]
    assert [get_trick_winner(order, trick[:count]) for count in (1, 2, 3)] == [1, 2, 3]
    assert get_refusal(get_trick_winner, order, []) == ("empty_trick", "trick")


def play_cards(play: Play, *card_texts: str) -> Play:
    """Return the play after these cards."""
    for card in " ".join(card_texts).split():
        play = play.add_card(play.turn, Card(card))
    return play


A_NUMBER: dict[str, Any] = {"mode": "kitty", "trump": Suit.SPADES, "discards": "X1 X2"}


class TestTurns:
    def test_left_of_the_declarer_leads_and_play_goes_clockwise(self) -> None:
        play = prepared(CANADIAN, "6", **A_NUMBER)
        turns = []
        for card in ["KH", "9H", "8H", "AH"]:
            turns.append(play.turn)
            play = play.add_card(play.turn, Card(card))
        assert turns == [1, 2, 3, 0]

    def test_trick_winner_leads_to_the_next_trick(self) -> None:
        play = play_cards(prepared(CANADIAN, "6", **A_NUMBER), "KH 9H 8H AH")
        assert (play.winners, play.turn, play.trick) == ((0,), 0, ())
        assert play.tricks == (((1, "KH"), (2, "9H"), (3, "8H"), (0, "AH")),)
        play = play_cards(play, "7H JH AD AC")
        assert (play.winners, play.turn) == ((0, 1), 1)

    def test_trick_without_the_partner_has_three_cards(self) -> None:
        play = play_cards(prepared(CANADIAN, "mulot", mode="alone"), "7S JS AC")
        assert play.tricks == (((0, "7S"), (1, "JS"), (3, "AC")),)
        assert play.turn == 1

    def test_trick_has_two_cards_if_an_opponent_also_sits_out(self) -> None:
        play = prepared(MAINE, "charlemagne", Suit.SPADES, dealt=MAINE_DEAL, **CARD_VS_1)
        play = play_cards(play, "AS JS KH AH")
        assert [len(trick) for trick in play.tricks] == [2, 2]
        assert (play.winners, play.turn) == ((1, 0), 0)

    def test_lone_defender_may_be_either_opponent(self) -> None:
        other = CARD_VS_1 | {"defender": Seat(3), "opponent_card": Card("JS"), "opponent_discard": Card("8H")}
        play = prepared(MAINE, "charlemagne", Suit.SPADES, dealt=MAINE_DEAL, **other)
        assert play_cards(play, "AS JS").winners == (3,)

    def test_two_players_play_two_cards_to_a_trick(self) -> None:
        dealt = DealtCards(dealer=Seat(0), hands=CANADIAN_DEAL.hands[:2])
        play = prepared(TWO_PLAYER, "5", Suit.SPADES, dealt=dealt, mode="two_player")
        assert play_cards(play, "AS JS JH AH").winners == (1, 0)


class TestRefusedCards:
    def get_refusal(self, play: Play, seat: int, card: str) -> Refusal:
        refusal = play.find_refusal(Seat(seat), Card(card))
        assert refusal is not None
        assert refusal.field == "play"
        assert get_refusal(play.add_card, Seat(seat), Card(card)) == (refusal.code, "play")
        return refusal

    def test_card_out_of_turn_is_refused(self) -> None:
        play = prepared(CANADIAN, "6", **A_NUMBER)
        refusal = self.get_refusal(play, 2, "AD")
        assert (refusal.code, refusal.details) == ("out_of_turn", {"seat": 2, "turn": 1})

    def test_card_of_another_player_is_refused(self) -> None:
        refusal = self.get_refusal(prepared(CANADIAN, "6", **A_NUMBER), 1, "AD")
        assert (refusal.code, refusal.details) == ("card_not_held", {"seat": 1, "card": "AD"})

    def test_card_already_played_is_refused(self) -> None:
        play = play_cards(prepared(CANADIAN, "6", **A_NUMBER), "KH 9H 8H AH")
        assert self.get_refusal(play, 0, "AH").code == "card_not_held"

    def test_discarded_card_is_refused(self) -> None:
        play = prepared(CANADIAN, "6", mode="kitty", trump=Suit.SPADES, discards="AS KS")
        assert self.get_refusal(play_cards(play, "KH 9H 8H"), 0, "AS").code == "card_not_held"

    def test_other_suit_is_refused_if_the_player_can_follow(self) -> None:
        refusal = self.get_refusal(play_cards(prepared(CANADIAN, "6", **A_NUMBER), "KH"), 2, "AD")
        assert refusal.code == "must_follow"
        assert refusal.details == {"seat": 2, "card": "AD", "legal": ("9H",)}

    def test_holding_back_the_little_jack_on_a_trump_lead_is_refused(self) -> None:
        play = prepared(CANADIAN, "6", **(A_NUMBER | {"trump": Suit.CLUBS}))
        refusal = self.get_refusal(play_cards(play, "KH 9H 8H AH 9C"), 1, "QH")
        assert (refusal.code, refusal.details["legal"]) == ("must_follow", ("JS",))

    def test_holding_back_a_joker_in_mulot_is_refused(self) -> None:
        dealt = DealtCards(
            dealer=Seat(0),
            hands=(*CANADIAN_DEAL.hands[:3], parse_cards("AC KC QC JC 10C 8C 7C X2")),
            kitty=parse_cards("8H X1"),
        )
        play = play_cards(prepared(CANADIAN, "mulot", dealt=dealt, mode="alone"), "7S JS")
        refusal = self.get_refusal(play, 3, "7C")
        assert refusal.code == "must_play_joker"
        assert refusal.details == {"seat": 3, "card": "7C", "legal": ("X2",)}

    def test_card_from_a_seat_out_of_the_hand_is_refused(self) -> None:
        play = prepared(CANADIAN, "mulot", mode="alone")
        refusal = self.get_refusal(play, 2, "AD")
        assert (refusal.code, refusal.details) == ("seat_sits_out", {"seat": 2})

    def test_card_after_the_last_trick_is_refused(self) -> None:
        play = prepared(MAINE, "5", Suit.SPADES, dealt=MAINE_DEAL, mode="partner")
        while not play.is_over:
            play = play.add_card(play.turn, play.obligation.cards[0])
        assert play.obligation == (Duty.LEAD, ())
        assert self.get_refusal(play, play.turn, "AS").code == "play_is_over"


class TestTricksWon:
    def test_side_tricks_are_those_of_both_partners(self) -> None:
        play = play_cards(prepared(CANADIAN, "6", **A_NUMBER), "KH 9H 8H AH", "8D JS AD AC", "10S KD JC AS")
        assert play.winners == (0, 1, 3)
        assert (play.count_tricks_won(Side.A), play.count_tricks_won(Side.B), play.declarer_tricks) == (1, 2, 1)

    @pytest.mark.parametrize("declarer", [1, 3])
    def test_either_side_may_declare(self, declarer: int) -> None:
        outcome = AuctionOutcome(declarer=Seat(declarer), contract=MAINE.get_bid("6"), trump=Suit.CLUBS)
        play = prepare_play(MAINE, MAINE_DEAL, outcome, Preparation(mode="partner"))
        while not play.is_over:
            play = play.add_card(play.turn, play.obligation.cards[0])
        assert play.declarer_tricks == play.count_tricks_won(Side.B) == 8 - play.count_tricks_won(Side.A)


OPEN_HANDS = [
    pytest.param(CANADIAN, "gros_mulot", [False, True, True], id="P Gros Mulot: after the first trick"),
    pytest.param(CANADIAN, "mulot", [False, False, False], id="P Mulot: never"),
    pytest.param(BAS_SAINT_LAURENT, "petite", [False, False, False], id="J Petite: never"),
]


@pytest.mark.parametrize(("ruleset", "contract", "is_open"), OPEN_HANDS)
def test_gros_mulot_hand_is_laid_open_after_the_first_trick(
    ruleset: Ruleset, contract: str, is_open: list[bool]
) -> None:
    dealt = CANADIAN_DEAL if ruleset.kitty else MAINE_DEAL
    play = prepared(ruleset, contract, dealt=dealt, mode="alone")
    for tricks, expected in enumerate(is_open):
        while len(play.tricks) < tricks:
            play = play.add_card(play.turn, play.obligation.cards[0])
        assert play.is_open is expected
        half = play.add_card(play.turn, play.obligation.cards[0])
        assert half.is_open is expected


def test_led_coloured_joker_loses_to_the_other_in_mulot() -> None:
    """P: "forcing the holder of the other Joker to take the trick (but failing if it was in the kitty)"."""
    first = parse_cards("X2 7S 7H 7D 7C 8S 8H 8D")
    for other, winner in ((parse_cards("X1 AS KS QS AH KH QH JH"), 1), (parse_cards("JS AS KS QS AH KH QH JH"), 0)):
        dealt = DealtCards(dealer=Seat(0), hands=(first, other, (), parse_cards("AC KC QC JC AD KD QD JD")), kitty=())
        play = prepared(CANADIAN, "mulot", dealt=dealt, mode="alone")
        play = play.add_card(Seat(0), Card("X2"))
        legal = play.obligation.cards
        assert legal == (parse_cards("X1") if winner == 1 else other)
        play = play_cards(play, other[0], "AC")
        assert play.winners == (winner,)
