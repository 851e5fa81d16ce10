"""Properties of every hand of every system, on random hands."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import (
    RULESETS,
    Auction,
    AuctionOutcome,
    Card,
    CardOrder,
    Play,
    PlayedHand,
    Ruleset,
    Seat,
    Side,
    Suit,
    card_order,
    hand_points,
    obligation,
    pack_of,
    prepare,
    side_of,
    winner_of,
)
from rules.records import check_record
from tests.rules import by_the_book
from tests.rules.hands import random_auction, random_deal, random_play, random_preparation
from tests.rules.sheets import law

rulesets = st.sampled_from(list(RULESETS.values()))
chances = st.integers(0, 2**32).map(Random)


class Table:
    """A random hand of a system as far as its first lead: what was dealt, bid and chosen."""

    def __init__(self, ruleset: Ruleset, random: Random) -> None:
        self.ruleset = ruleset
        self.dealt = random_deal(ruleset, random)
        self.outcome = random_outcome(ruleset, random)
        self.choices = random_preparation(ruleset, self.dealt, self.outcome, random)
        self.trump = self.outcome.trump or self.choices.trump

    @property
    def play(self) -> Play:
        return prepare(self.ruleset, self.dealt, self.outcome, self.choices)


def random_outcome(ruleset: Ruleset, random: Random) -> AuctionOutcome:
    """The end of an auction, each contract as likely as another."""
    contract = random.choice(ruleset.playable)
    declarer = Seat(random.randrange(ruleset.seats))
    bids = Auction(ruleset=ruleset, dealer=declarer).legal_calls()
    call = random.choice([call for call in bids if call.bid == contract.key])
    return AuctionOutcome(declarer=declarer, contract=contract, trump=call.suit)


tables = st.builds(Table, rulesets, chances)


def strengths_by_the_book(table: Table) -> list[str]:
    return [card for suit in by_the_book.suits(table.ruleset.key, table.trump) for card in suit]


@law
@given(tables, chances)
def test_every_legal_play_leaves_a_legal_state(table: Table, random: Random) -> None:
    play = table.play
    whole = Counter(card for hand in play.hands for card in hand)
    for number in range(8 * len(play.active)):
        assert not play.is_over
        assert play.turn in play.active
        after = play.after(play.turn, random.choice(play.obligation.cards))
        assert len(after.tricks) == len(after.winners) == (number + 1) // len(play.active)
        assert len(after.trick) == (number + 1) % len(play.active)
        on_the_table = [card for trick in (*after.tricks, after.trick) for _, card in trick]
        assert Counter([*on_the_table, *sum(after.hands, ())]) == whole
        assert all(
            len(after.hands[seat]) == 8 - len(after.tricks) - (seat in dict(after.trick))
            for seat in play.active
        )
        assert (after.order, after.active, after.declarer, after.contract) == (
            play.order,
            play.active,
            play.declarer,
            play.contract,
        )
        play = after
    assert play.is_over
    assert not any(play.hands)


@law
@given(tables, chances)
def test_eight_tricks_have_one_winner_each_who_leads_to_the_next(table: Table, random: Random) -> None:
    begun = table.play
    play = random_play(begun, random)
    assert len(play.tricks) == len(play.winners) == 8
    assert sum(play.tricks_won(side) for side in Side) == 8
    for trick, winner in zip(play.tricks, play.winners, strict=True):
        assert sorted(seat for seat, _ in trick) == list(play.active)
        turn = play.active.index(trick[0][0])
        assert [seat for seat, _ in trick] == [*play.active[turn:], *play.active[:turn]]
        assert winner in play.active
    leaders = [trick[0][0] for trick in play.tricks]
    assert leaders == [begun.turn, *play.winners[:-1]]


@law
@given(tables, chances)
def test_legal_cards_are_some_of_the_hand_and_exactly_those_not_refused(table: Table, random: Random) -> None:
    play = table.play
    while not play.is_over:
        legal = play.obligation.cards
        hand = play.hands[play.turn]
        assert legal
        assert set(legal) <= set(hand)
        assert list(legal) == [card for card in hand if card in legal]
        pack = pack_of(table.ruleset.trump_order)
        assert set(legal) == {card for card in pack if play.refusal(play.turn, card) is None}
        play = play.play_card(random.choice(legal))


@law
@given(tables, chances)
def test_following_suit_is_never_optional_and_otherwise_only_a_joker_is_forced(
    table: Table, random: Random
) -> None:
    play = table.play
    while not play.is_over:
        hand = list(map(str, play.hands[play.turn]))
        trick = [str(card) for _, card in play.trick]
        expected = by_the_book.legal(table.ruleset.key, play.contract.key, table.trump, hand, trick)
        assert list(play.obligation.cards) == expected
        play = play.play_card(random.choice(play.obligation.cards))


@law
@given(tables, chances)
def test_the_winning_card_is_the_strongest_by_the_book(table: Table, random: Random) -> None:
    play = random_play(table.play, random)
    for trick, winner in zip(play.tricks, play.winners, strict=True):
        strongest = by_the_book.winning_card(table.ruleset.key, table.trump, [card for _, card in trick])
        assert (winner, strongest) in trick


@law
@given(tables, chances)
def test_a_played_out_hand_scores_what_its_tricks_score_when_asked_for_directly(
    table: Table, random: Random
) -> None:
    play = random_play(table.play, random)
    contract, declarers = play.contract, side_of(play.declarer)
    tricks = sum(side_of(winner) is declarers for winner in play.winners)
    assert play.tricks_of_declarer == tricks
    record = PlayedHand(
        side=declarers,
        contract=contract.key,
        made=contract.is_made_with(play.tricks_of_declarer),
        tricks=play.tricks_of_declarer,
        trump=table.trump and Suit(table.trump),
        declarer=play.declarer,
        mode=table.choices.mode,
    )
    check_record(table.ruleset, record)
    points = hand_points(table.ruleset, record)
    if contract.number is not None:
        is_made = tricks >= contract.number
    else:
        is_made = tricks == (0 if contract.key in ("mulot", "gros_mulot", "petite") else 8)
    assert points[declarers] == (contract.made if is_made else 0)
    assert points[declarers.other] == (0 if is_made else contract.failed)


COLOUR_CHANGES = [
    dict(zip("SHDC", names, strict=True))
    for names in ("SHDC", "CHDS", "SDHC", "CDHS", "HSCD", "HCSD", "DSCH", "DCSH")
]
"""All the ways to rename the suits by which suits of one colour stay of one colour."""


def renamed(card: Card, names: dict[str, str]) -> Card:
    return card if card.startswith("X") else Card(card[:-1] + names[card[-1]])


@law
@given(tables, chances, st.sampled_from(COLOUR_CHANGES))
def test_nothing_but_the_names_changes_when_suits_are_renamed_colour_by_colour(
    table: Table, random: Random, names: dict[str, str]
) -> None:
    play = random_play(table.play, random)
    trump = Suit(names[table.trump]) if table.trump else None
    order = card_order(table.ruleset, play.contract, trump)
    other = replace(
        table.play,
        order=order,
        hands=tuple(tuple(renamed(card, names) for card in hand) for hand in table.play.hands),
    )
    again = table.play
    for trick in play.tricks:
        for seat, card in trick:
            duty, legal = again.obligation
            assert other.obligation == (duty, tuple(renamed(card, names) for card in legal))
            again, other = again.after(seat, card), other.after(seat, renamed(card, names))
    assert other.winners == play.winners


@law
@given(tables, chances, st.integers(0, 3))
def test_nothing_but_the_seats_changes_when_everybody_moves_on(
    table: Table, random: Random, turn: int
) -> None:
    seats = table.ruleset.seats

    def moved(seat: Seat | None) -> Seat | None:
        return None if seat is None else Seat((seat + turn) % seats)

    hands: list[tuple[Card, ...]] = [()] * seats
    for seat, hand in enumerate(table.dealt.hands):
        hands[(seat + turn) % seats] = hand
    outcome = replace(table.outcome, declarer=Seat((table.outcome.declarer + turn) % seats))
    choices = replace(table.choices, defender=moved(table.choices.defender))
    other = prepare(table.ruleset, replace(table.dealt, hands=tuple(hands)), outcome, choices)
    play = random_play(table.play, random)
    for trick in play.tricks:
        for seat, card in trick:
            other = other.after(Seat((seat + turn) % seats), card)
    assert other.winners == tuple(moved(winner) for winner in play.winners)
    if turn % 2 == 0:
        assert [other.tricks_won(side) for side in Side] == [play.tricks_won(side) for side in Side]
    assert other.tricks_of_declarer == play.tricks_of_declarer


@law
@given(tables, chances)
def test_the_order_in_which_a_hand_is_held_does_not_matter(table: Table, random: Random) -> None:
    play = table.play
    other = replace(play, hands=tuple(play.order.hand(hand) for hand in play.hands))
    while not play.is_over:
        assert set(play.obligation.cards) == set(other.obligation.cards)
        card = random.choice(play.obligation.cards)
        play, other = play.play_card(card), other.play_card(card)
    assert play.winners == other.winners


@st.composite
def tricks(draw: st.DrawFn) -> tuple[CardOrder, list[tuple[Seat, Card]]]:
    """Any one to four cards on a table, legally played or not."""
    ruleset = draw(rulesets)
    contract = draw(st.sampled_from(ruleset.playable))
    trump = draw(st.sampled_from(Suit)) if contract.trump == "named" else None
    pack = pack_of(ruleset.trump_order)
    cards = draw(st.lists(st.sampled_from(pack), unique=True, min_size=1, max_size=4))
    return card_order(ruleset, contract, trump), [(Seat(seat), card) for seat, card in enumerate(cards)]


@law
@given(tricks(), st.randoms(use_true_random=False))
def test_who_wins_depends_on_the_led_card_and_not_on_the_order_of_the_others(
    trick: tuple[CardOrder, list[tuple[Seat, Card]]], random: Random
) -> None:
    order, cards = trick
    led, *others = cards
    random.shuffle(others)
    winner = winner_of(order, cards)
    assert winner_of(order, [led, *others]) == winner
    assert winner_of(order, [led, *(played for played in others if played[0] == winner)]) == winner


@law
@given(tricks(), st.data())
def test_a_legal_card_stays_legal_when_other_cards_leave_the_hand(
    trick: tuple[CardOrder, list[tuple[Seat, Card]]], data: st.DataObject
) -> None:
    order, cards = trick
    rest = [card for card in order.suits if card not in [card for _, card in cards]]
    hand = data.draw(st.lists(st.sampled_from(rest), unique=True, min_size=1, max_size=8))
    legal = obligation(order, hand, cards).cards
    kept = data.draw(st.sampled_from(legal))
    less = [card for card in hand if card == kept or data.draw(st.booleans())]
    assert kept in obligation(order, less, cards).cards


@pytest.mark.slow
@pytest.mark.parametrize("key", RULESETS)
def test_a_thousand_random_deals_are_played_out_without_a_refusal(key: str) -> None:
    """Through auction, preparation and play; every call and every card is checked on its way."""
    ruleset, random = RULESETS[key], Random(key)
    ended: Counter[str] = Counter()
    for _ in range(1000):
        dealt = random_deal(ruleset, random)
        outcome = random_auction(ruleset, dealt.dealer, random).outcome
        if outcome is None:
            ended["redeal"] += 1
            continue
        choices = random_preparation(ruleset, dealt, outcome, random)
        play = prepare(ruleset, dealt, outcome, choices)
        while not play.is_over:
            play = play.after(play.turn, random.choice(play.obligation.cards))
        ended[outcome.contract.key] += 1
    assert ended.total() == 1000
    assert set(ended) - {"redeal"} == set(ruleset.played_keys)
    assert ("redeal" in ended) is (key not in ("maine", "maine-32"))
