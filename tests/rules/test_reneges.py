"""The first illegal play of a hand: found by the hands where they are known, else by what is played later."""

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
    card_order,
    first_illegal_play,
    obligation,
)
from rules.cards import PACK_32
from tests.rules.endings import chances, first_lead, rulesets
from tests.rules.hands import random_play
from tests.rules.sheets import law, refused

HEARTS = card_order(MAINE, MAINE.contract("6"), Suit.HEARTS)
MULOT = card_order(CANADIAN, CANADIAN.contract("mulot"), None)
GROSSE = card_order(BAS_SAINT_LAURENT_JOKERS, BAS_SAINT_LAURENT_JOKERS.contract("grosse"), None)

FOUR = tuple(map(Seat, range(4)))
DECLARER_ALONE = (Seat(0), Seat(1), Seat(3))


def said(text: str) -> Trick:
    """``0:AS 1:KS``: seat and card, in order."""
    return tuple((Seat(int(play[0])), Card(play[2:])) for play in text.split())


def found(
    order: CardOrder,
    text: str,
    *,
    active: tuple[Seat, ...] = FOUR,
    hands: tuple[tuple[Card, ...], ...] | None = None,
) -> IllegalPlay | None:
    return first_illegal_play(order, said(text), active=active, leader=Seat(0), hands=hands)


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
            DECLARER_ALONE,
            "0:7S 1:AH 3:8S 3:9S 0:10S 1:X1",
            "must_play_joker",
            1,
            "AH",
            [("X1", 2)],
            id="P Mulot: a Joker is forced",
        ),
        pytest.param(
            MULOT,
            DECLARER_ALONE,
            "0:X2 1:AH 3:8S 0:9H 1:X1",
            "must_follow",
            1,
            "AH",
            [("X1", 2)],
            id="P Mulot: a led Joker is followed by the other",
        ),
    ],
)
def test_a_card_that_was_withheld_tells_when_it_comes_out(
    order: CardOrder,
    active: tuple[Seat, ...],
    text: str,
    rule: str,
    trick: int,
    card: str,
    withheld: list[tuple[str, int]],
) -> None:
    illegal = found(order, text, active=active)
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
def test_without_evidence_there_is_no_renege(order: CardOrder, text: str) -> None:
    assert found(order, text) is None


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
def test_a_play_can_be_illegal_whatever_is_held(text: str, rule: str, turn: int) -> None:
    illegal = found(HEARTS, text, active=DECLARER_ALONE)
    assert illegal is not None
    assert (illegal.rule, illegal.turn, illegal.place) == (rule, turn, len(said(text)) - 1)
    assert illegal.withheld == ()


def test_a_ninth_trick_is_not_played() -> None:
    two = (Seat(0), Seat(1))
    spades_and_clubs = " ".join(f"0:{card} 1:{card[:-1]}C" for card in PACK_32[:8])
    assert found(HEARTS, spades_and_clubs, active=two) is None
    illegal = found(HEARTS, f"{spades_and_clubs} 0:AH", active=two)
    assert illegal is not None
    assert (illegal.rule, illegal.trick, illegal.turn) == (BrokenRule.PLAY_IS_OVER, 9, None)


class TestWithTheHandsThatWereDealt:
    HANDS = (said("0:AS 0:AC"), said("1:KS 1:KD 1:QS"), (), ())
    KNOWN = tuple(tuple(card for _, card in hand) for hand in HANDS)

    def test_a_renege_is_seen_at_once(self) -> None:
        illegal = found(HEARTS, "0:AS 1:KD", hands=self.KNOWN)
        assert illegal is not None
        assert (illegal.rule, illegal.withheld) == (BrokenRule.MUST_FOLLOW, (("KS", None), ("QS", None)))

    def test_a_card_that_came_out_stands_before_one_that_did_not(self) -> None:
        illegal = found(HEARTS, "0:AS 1:KD 2:7D 3:8D 0:AC 1:QS", hands=self.KNOWN)
        assert illegal is not None
        assert illegal.withheld == (("QS", 2), ("KS", None))

    def test_a_card_of_another_hand_is_not_held(self) -> None:
        illegal = found(HEARTS, "0:AS 1:AC", hands=self.KNOWN)
        assert illegal is not None
        assert illegal.rule is BrokenRule.CARD_NOT_HELD


def test_a_question_that_makes_no_sense_is_refused() -> None:
    def ask(leader: int, text: str) -> object:
        return first_illegal_play(HEARTS, said(text), active=DECLARER_ALONE, leader=Seat(leader))

    assert refused(ask, 2, "") == ("seat_sits_out", "leader")
    assert refused(ask, 0, "0:X1") == ("no_such_card", "played")


def played_out(lead: Play, random: Random) -> Trick:
    return tuple(play for trick in random_play(lead, random).tricks for play in trick)


@law
@given(ruleset=rulesets, random=chances)
def test_a_legal_hand_has_no_illegal_play(ruleset: Ruleset, random: Random) -> None:
    lead = first_lead(ruleset, random)
    played = played_out(lead, random)
    for hands in (None, lead.hands):
        for cards in (len(played), random.randrange(len(played))):
            assert (
                first_illegal_play(
                    lead.order, played[:cards], active=lead.active, leader=lead.first_leader, hands=hands
                )
                is None
            )


def swaps(lead: Play, played: Trick) -> list[tuple[int, int]]:
    """Places of a bound card and of a later card of the same seat that was not allowed instead of it."""
    found = []
    play = lead
    for place, (seat, card) in enumerate(played):
        allowed = play.obligation.cards
        found += [
            (place, later)
            for later in range(place + 1, len(played))
            if played[later][0] == seat and played[later][1] not in allowed
        ]
        play = play.after(seat, card)
    return found


@law
@given(ruleset=rulesets, random=chances)
def test_a_bound_card_changed_for_a_later_one_is_found_in_its_trick(ruleset: Ruleset, random: Random) -> None:
    lead = first_lead(ruleset, random)
    played = list(played_out(lead, random))
    places = swaps(lead, tuple(played))
    assume(places)
    early, late = random.choice(places)
    played[early], played[late] = played[late], played[early]
    seat, card = played[early]
    illegal = first_illegal_play(lead.order, tuple(played), active=lead.active, leader=lead.first_leader)
    assert illegal is not None
    assert (illegal.place, illegal.seat, illegal.card) == (early, seat, card)
    assert illegal.rule in {BrokenRule.MUST_FOLLOW, BrokenRule.MUST_PLAY_JOKER}
    assert (played[late][1], late // len(lead.active) + 1) in illegal.withheld


@law
@given(ruleset=rulesets, random=chances)
def test_with_the_hands_known_it_judges_as_the_play_does(ruleset: Ruleset, random: Random) -> None:
    """Any card from any seat, legal or not, is judged by the same rule on both ways."""
    lead = first_lead(ruleset, random)
    played = played_out(lead, random)
    cards = random.randrange(len(played))
    play = lead
    for seat, card in played[:cards]:
        play = play.after(seat, card)
    seat = random.choice([play.turn, play.turn, Seat(random.randrange(ruleset.seats))])
    card = random.choice([card for hand in play.hands for card in hand])
    refusal = play.refusal(seat, card)
    illegal = first_illegal_play(
        lead.order,
        (*played[:cards], (seat, card)),
        active=lead.active,
        leader=lead.first_leader,
        hands=lead.hands,
    )
    assert (illegal and illegal.rule.value) == (refusal and refusal.code)
    if illegal is not None and illegal.withheld:
        bound = obligation(lead.order, play.hands[seat], play.trick).cards
        assert {withheld.card for withheld in illegal.withheld} == set(bound)
