"""The first illegal play of a hand: found from the known hands, or from cards that are played later."""

from random import Random

import pytest
from hypothesis import assume, given

from rules import (
    BAS_SAINT_LAURENT_JOKERS,
    CANADIAN,
    MAINE,
    BrokenRule,
    Card,
    CardOrder,
    IllegalPlay,
    Play,
    Ruleset,
    Seat,
    Suit,
    Trick,
    find_first_illegal_play,
    get_card_order,
    get_obligation,
)
from rules.cards import PACK_32
from tests.rules.endings import build_first_lead, chances, rulesets
from tests.rules.hands import play_random
from tests.rules.sheets import get_refusal, property_settings

HEARTS = get_card_order(MAINE, MAINE.get_contract("6"), Suit.HEARTS)
MULOT = get_card_order(CANADIAN, CANADIAN.get_contract("mulot"), None)
GROSSE = get_card_order(BAS_SAINT_LAURENT_JOKERS, BAS_SAINT_LAURENT_JOKERS.get_contract("grosse"), None)

FOUR = tuple(map(Seat, range(4)))
LONE_DECLARER_SEATS = (Seat(0), Seat(1), Seat(3))


def parse_trick(text: str) -> Trick:
    """Parse ``0:AS 1:KS``: seats and cards, in order of play."""
    return tuple((Seat(int(play[0])), Card(play[2:])) for play in text.split())


def find_illegal_play(
    order: CardOrder,
    text: str,
    *,
    active: tuple[Seat, ...] = FOUR,
    hands: tuple[tuple[Card, ...], ...] | None = None,
) -> IllegalPlay | None:
    return find_first_illegal_play(order, parse_trick(text), active=active, leader=Seat(0), hands=hands)


@pytest.mark.parametrize(
    ("order", "active", "text", "rule", "trick", "card", "withheld"),
    [
        pytest.param(
            HEARTS,
            FOUR,
            "0:AS 1:KD 2:QS 3:JS 0:AC 1:KS",
            "must_follow",
            1,
            "KD",
            [("KS", 2)],
            id="P V J a spade that comes out in the next trick",
        ),
        pytest.param(
            HEARTS,
            FOUR,
            "0:AS 1:7H 2:QS 3:JS 1:8S 2:9S 3:10S 0:KS",
            "must_follow",
            1,
            "7H",
            [("8S", 2)],
            id="P V J a ruff by who held the suit",
        ),
        pytest.param(
            HEARTS,
            FOUR,
            "0:AS 1:KS 2:QS 3:JS 0:AH 1:KD 2:QH 3:7H 0:AC 1:JD",
            "must_follow",
            2,
            "KD",
            [("JD", 3)],
            id="P the little jack is a trump",
        ),
        pytest.param(
            MULOT,
            LONE_DECLARER_SEATS,
            "0:7S 1:AH 3:8S 3:9S 0:10S 1:X1",
            "must_play_joker",
            1,
            "AH",
            [("X1", 2)],
            id="P Mulot: a Joker is forced",
        ),
        pytest.param(
            MULOT,
            LONE_DECLARER_SEATS,
            "0:X2 1:AH 3:8S 0:9H 1:X1",
            "must_follow",
            1,
            "AH",
            [("X1", 2)],
            id="P Mulot: a led Joker is followed by the other",
        ),
    ],
)
def test_withheld_card_reveals_the_renege_when_played(
    order: CardOrder,
    active: tuple[Seat, ...],
    text: str,
    rule: str,
    trick: int,
    card: str,
    withheld: list[tuple[str, int]],
) -> None:
    illegal = find_illegal_play(order, text, active=active)
    assert illegal is not None
    assert (illegal.rule, illegal.trick, illegal.seat, illegal.card) == (rule, trick, 1, card)
    assert list(illegal.withheld) == withheld


@pytest.mark.parametrize(
    ("order", "text"),
    [
        pytest.param(HEARTS, "0:AS 1:KD 2:QS 3:JS 0:AC 1:KC", id="nothing came out"),
        pytest.param(HEARTS, "0:AD 1:KS 2:QD 3:7D 0:AC 1:JD", id="P the little jack is no diamond"),
        pytest.param(GROSSE, "0:AS 1:AH 2:8S 3:9S 0:KS 1:X1", id="D4 no Joker is forced in a Grosse"),
        pytest.param(HEARTS, "0:AS 1:KD 2:QS 3:JS 0:AC 1:KC 2:KS", id="the spade is somebody else's"),
    ],
)
def test_play_without_evidence_has_no_renege(order: CardOrder, text: str) -> None:
    assert find_illegal_play(order, text) is None


@pytest.mark.parametrize(
    ("text", "rule", "turn"),
    [
        pytest.param("0:AS 3:KS", "out_of_turn", 1, id="RULES 1 clockwise"),
        pytest.param("1:AS", "out_of_turn", 0, id="RULES 1 the wrong first leader"),
        pytest.param("0:KS 1:AS 3:JS 0:AC", "out_of_turn", 1, id="RULES 3 the winner leads"),
        pytest.param("0:AS 1:AS", "card_played_twice", 1, id="a card twice in a trick"),
        pytest.param("0:AS 1:KS 2:9S", "seat_sits_out", 3, id="RULES 3 who is out plays no card"),
    ],
)
def test_play_out_of_turn_is_illegal_with_any_hand(text: str, rule: str, turn: int) -> None:
    illegal = find_illegal_play(HEARTS, text, active=LONE_DECLARER_SEATS)
    assert illegal is not None
    assert (illegal.rule, illegal.turn, illegal.place) == (rule, turn, len(parse_trick(text)) - 1)
    assert illegal.withheld == ()


def test_ninth_trick_is_illegal() -> None:
    two = (Seat(0), Seat(1))
    spades_and_clubs = " ".join(f"0:{card} 1:{card[:-1]}C" for card in PACK_32[:8])
    assert find_illegal_play(HEARTS, spades_and_clubs, active=two) is None
    illegal = find_illegal_play(HEARTS, f"{spades_and_clubs} 0:AH", active=two)
    assert illegal is not None
    assert (illegal.rule, illegal.trick, illegal.turn) == (BrokenRule.PLAY_IS_OVER, 9, None)


class TestRenegesWithKnownHands:
    HANDS = (parse_trick("0:AS 0:AC"), parse_trick("1:KS 1:KD 1:QS"), (), ())
    DEALT_HANDS = tuple(tuple(card for _, card in hand) for hand in HANDS)

    def test_renege_is_detected_at_once(self) -> None:
        illegal = find_illegal_play(HEARTS, "0:AS 1:KD", hands=self.DEALT_HANDS)
        assert illegal is not None
        assert (illegal.rule, illegal.withheld) == (BrokenRule.MUST_FOLLOW, (("KS", None), ("QS", None)))

    def test_withheld_card_played_later_is_listed_first(self) -> None:
        illegal = find_illegal_play(HEARTS, "0:AS 1:KD 2:7D 3:8D 0:AC 1:QS", hands=self.DEALT_HANDS)
        assert illegal is not None
        assert illegal.withheld == (("QS", 2), ("KS", None))

    def test_card_of_another_hand_is_reported_as_not_held(self) -> None:
        illegal = find_illegal_play(HEARTS, "0:AS 1:AC", hands=self.DEALT_HANDS)
        assert illegal is not None
        assert illegal.rule is BrokenRule.CARD_NOT_HELD


def test_invalid_question_is_refused() -> None:
    def ask(leader: int, text: str) -> object:
        return find_first_illegal_play(HEARTS, parse_trick(text), active=LONE_DECLARER_SEATS, leader=Seat(leader))

    assert get_refusal(ask, 2, "") == ("seat_sits_out", "leader")
    assert get_refusal(ask, 0, "0:X1") == ("no_such_card", "played")


def play_out(lead: Play, random: Random) -> Trick:
    return tuple(play for trick in play_random(lead, random).tricks for play in trick)


@pytest.mark.slow
@property_settings
@given(ruleset=rulesets, random=chances)
def test_legal_play_has_no_renege(ruleset: Ruleset, random: Random) -> None:
    lead = build_first_lead(ruleset, random)
    played = play_out(lead, random)
    for hands in (None, lead.hands):
        for cards in (len(played), random.randrange(len(played))):
            assert (
                find_first_illegal_play(
                    lead.order, played[:cards], active=lead.active, leader=lead.first_leader, hands=hands
                )
                is None
            )


def list_swaps(lead: Play, played: Trick) -> list[tuple[int, int]]:
    """Return pairs of positions: an obligatory card, and a later card of the seat that was illegal in its place."""
    found = []
    play = lead
    for place, (seat, card) in enumerate(played):
        allowed = play.obligation.cards
        found += [
            (place, later)
            for later in range(place + 1, len(played))
            if played[later][0] == seat and played[later][1] not in allowed
        ]
        play = play.add_card(seat, card)
    return found


@property_settings
@given(ruleset=rulesets, random=chances)
def test_swapped_obligatory_card_is_found_in_its_trick(ruleset: Ruleset, random: Random) -> None:
    lead = build_first_lead(ruleset, random)
    played = list(play_out(lead, random))
    places = list_swaps(lead, tuple(played))
    assume(places)
    early, late = random.choice(places)
    played[early], played[late] = played[late], played[early]
    seat, card = played[early]
    illegal = find_first_illegal_play(lead.order, tuple(played), active=lead.active, leader=lead.first_leader)
    assert illegal is not None
    assert (illegal.place, illegal.seat, illegal.card) == (early, seat, card)
    assert illegal.rule in {BrokenRule.MUST_FOLLOW, BrokenRule.MUST_PLAY_JOKER}
    assert (played[late][1], late // len(lead.active) + 1) in illegal.withheld


@property_settings
@given(ruleset=rulesets, random=chances)
def test_known_hands_give_the_same_verdict_as_the_play(ruleset: Ruleset, random: Random) -> None:
    """Any card from any seat, legal or not, gets the same verdict from both checks."""
    lead = build_first_lead(ruleset, random)
    played = play_out(lead, random)
    cards = random.randrange(len(played))
    play = lead
    for seat, card in played[:cards]:
        play = play.add_card(seat, card)
    seat = random.choice([play.turn, play.turn, Seat(random.randrange(ruleset.seats))])
    card = random.choice([card for hand in play.hands for card in hand])
    refusal = play.find_refusal(seat, card)
    illegal = find_first_illegal_play(
        lead.order,
        (*played[:cards], (seat, card)),
        active=lead.active,
        leader=lead.first_leader,
        hands=lead.hands,
    )
    assert (illegal and illegal.rule.value) == (refusal and refusal.code)
    if illegal is not None and illegal.withheld:
        bound = get_obligation(lead.order, play.hands[seat], play.trick).cards
        assert {withheld.card for withheld in illegal.withheld} == set(bound)
