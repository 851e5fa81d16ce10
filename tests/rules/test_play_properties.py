"""Property tests of the play, on random hands of every ruleset."""

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
    compute_hand_points,
    get_card_order,
    get_obligation,
    get_pack,
    get_side,
    get_trick_winner,
    prepare_play,
)
from rules.records import check_record
from tests.rules import rulebook
from tests.rules.hands import choose_preparation, deal_random, play_random, run_random_auction
from tests.rules.sheets import property_settings

rulesets = st.sampled_from(list(RULESETS.values()))
chances = st.integers(0, 2**32).map(Random)


class Table:
    """A random hand at its first lead: the deal, the outcome of the auction and the preparation."""

    def __init__(self, ruleset: Ruleset, random: Random) -> None:
        self.ruleset = ruleset
        self.dealt = deal_random(ruleset, random)
        self.outcome = choose_outcome(ruleset, random)
        self.choices = choose_preparation(ruleset, self.dealt, self.outcome, random)
        self.trump = self.outcome.trump or self.choices.trump

    @property
    def play(self) -> Play:
        return prepare_play(self.ruleset, self.dealt, self.outcome, self.choices)


def choose_outcome(ruleset: Ruleset, random: Random) -> AuctionOutcome:
    """Choose the outcome of an auction; each contract is equally likely."""
    contract = random.choice(ruleset.playable)
    declarer = Seat(random.randrange(ruleset.seats))
    bids = Auction(ruleset=ruleset, dealer=declarer).list_legal_calls()
    call = random.choice([call for call in bids if call.bid == contract.key])
    return AuctionOutcome(declarer=declarer, contract=contract, trump=call.suit)


tables = st.builds(Table, rulesets, chances)


def rank_by_rulebook(table: Table) -> list[str]:
    return [card for suit in rulebook.list_suits(table.ruleset.key, table.trump) for card in suit]


@pytest.mark.slow
@property_settings
@given(tables, chances)
def test_every_legal_card_leaves_a_legal_state(table: Table, random: Random) -> None:
    play = table.play
    whole = Counter(card for hand in play.hands for card in hand)
    for number in range(8 * len(play.active)):
        assert not play.is_over
        assert play.turn in play.active
        after = play.add_card(play.turn, random.choice(play.obligation.cards))
        assert len(after.tricks) == len(after.winners) == (number + 1) // len(play.active)
        assert len(after.trick) == (number + 1) % len(play.active)
        on_the_table = [card for trick in (*after.tricks, after.trick) for _, card in trick]
        assert Counter([*on_the_table, *sum(after.hands, ())]) == whole
        assert all(
            len(after.hands[seat]) == 8 - len(after.tricks) - (seat in dict(after.trick)) for seat in play.active
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


@property_settings
@given(tables, chances)
def test_each_of_eight_tricks_has_a_winner_who_leads_next(table: Table, random: Random) -> None:
    begun = table.play
    play = play_random(begun, random)
    assert len(play.tricks) == len(play.winners) == 8
    assert sum(play.count_tricks_won(side) for side in Side) == 8
    for trick, winner in zip(play.tricks, play.winners, strict=True):
        assert sorted(seat for seat, _ in trick) == list(play.active)
        turn = play.active.index(trick[0][0])
        assert [seat for seat, _ in trick] == [*play.active[turn:], *play.active[:turn]]
        assert winner in play.active
    leaders = [trick[0][0] for trick in play.tricks]
    assert leaders == [begun.turn, *play.winners[:-1]]


@pytest.mark.slow
@property_settings
@given(tables, chances)
def test_legal_cards_are_exactly_those_not_refused(table: Table, random: Random) -> None:
    play = table.play
    while not play.is_over:
        legal = play.obligation.cards
        hand = play.hands[play.turn]
        assert legal
        assert set(legal) <= set(hand)
        assert list(legal) == [card for card in hand if card in legal]
        pack = get_pack(table.ruleset.trump_order)
        assert set(legal) == {card for card in pack if play.find_refusal(play.turn, card) is None}
        play = play.play_legal_card(random.choice(legal))


@pytest.mark.slow
@property_settings
@given(tables, chances)
def test_player_must_follow_suit_and_only_jokers_are_forced(table: Table, random: Random) -> None:
    play = table.play
    while not play.is_over:
        hand = list(map(str, play.hands[play.turn]))
        trick = [str(card) for _, card in play.trick]
        expected = rulebook.list_legal_cards(table.ruleset.key, play.contract.key, table.trump, hand, trick)
        assert list(play.obligation.cards) == expected
        play = play.play_legal_card(random.choice(play.obligation.cards))


@pytest.mark.slow
@property_settings
@given(tables, chances)
def test_winning_card_is_the_strongest_by_the_rulebook(table: Table, random: Random) -> None:
    play = play_random(table.play, random)
    for trick, winner in zip(play.tricks, play.winners, strict=True):
        strongest = rulebook.find_winning_card(table.ruleset.key, table.trump, [card for _, card in trick])
        assert (winner, strongest) in trick


@property_settings
@given(tables, chances)
def test_played_hand_scores_like_a_recorded_result(table: Table, random: Random) -> None:
    play = play_random(table.play, random)
    contract, declarers = play.contract, get_side(play.declarer)
    tricks = sum(get_side(winner) is declarers for winner in play.winners)
    assert play.declarer_tricks == tricks
    record = PlayedHand(
        side=declarers,
        contract=contract.key,
        made=contract.is_made_with(play.declarer_tricks),
        tricks=play.declarer_tricks,
        trump=table.trump and Suit(table.trump),
        declarer=play.declarer,
        mode=table.choices.mode,
    )
    check_record(table.ruleset, record)
    points = compute_hand_points(table.ruleset, record)
    if contract.number is not None:
        is_made = tricks >= contract.number
    else:
        is_made = tricks == (0 if contract.key in ("mulot", "gros_mulot", "petite") else 8)
    assert points[declarers] == (contract.made if is_made else 0)
    assert points[declarers.other] == (0 if is_made else contract.failed)


COLOUR_CHANGES = [
    dict(zip("SHDC", names, strict=True)) for names in ("SHDC", "CHDS", "SDHC", "CDHS", "HSCD", "HCSD", "DSCH", "DCSH")
]
"""Every renaming of suits after which suits of one colour still share a colour."""


def rename_suit(card: Card, names: dict[str, str]) -> Card:
    return card if card.startswith("X") else Card(card[:-1] + names[card[-1]])


@pytest.mark.slow
@property_settings
@given(tables, chances, st.sampled_from(COLOUR_CHANGES))
def test_renaming_suits_by_colour_changes_only_names(table: Table, random: Random, names: dict[str, str]) -> None:
    play = play_random(table.play, random)
    trump = Suit(names[table.trump]) if table.trump else None
    order = get_card_order(table.ruleset, play.contract, trump)
    other = replace(
        table.play,
        order=order,
        hands=tuple(tuple(rename_suit(card, names) for card in hand) for hand in table.play.hands),
    )
    again = table.play
    for trick in play.tricks:
        for seat, card in trick:
            duty, legal = again.obligation
            assert other.obligation == (duty, tuple(rename_suit(card, names) for card in legal))
            again, other = again.add_card(seat, card), other.add_card(seat, rename_suit(card, names))
    assert other.winners == play.winners


@property_settings
@given(tables, chances, st.integers(0, 3))
def test_rotating_seats_changes_only_seats(table: Table, random: Random, turn: int) -> None:
    seats = table.ruleset.seats

    def move_seat(seat: Seat | None) -> Seat | None:
        return None if seat is None else Seat((seat + turn) % seats)

    hands: list[tuple[Card, ...]] = [()] * seats
    for seat, hand in enumerate(table.dealt.hands):
        hands[(seat + turn) % seats] = hand
    outcome = replace(table.outcome, declarer=Seat((table.outcome.declarer + turn) % seats))
    choices = replace(table.choices, defender=move_seat(table.choices.defender))
    other = prepare_play(table.ruleset, replace(table.dealt, hands=tuple(hands)), outcome, choices)
    play = play_random(table.play, random)
    for trick in play.tricks:
        for seat, card in trick:
            other = other.add_card(Seat((seat + turn) % seats), card)
    assert other.winners == tuple(move_seat(winner) for winner in play.winners)
    if turn % 2 == 0:
        assert [other.count_tricks_won(side) for side in Side] == [play.count_tricks_won(side) for side in Side]
    assert other.declarer_tricks == play.declarer_tricks


@property_settings
@given(tables, chances)
def test_order_of_cards_in_hand_does_not_matter(table: Table, random: Random) -> None:
    play = table.play
    other = replace(play, hands=tuple(play.order.sort_hand(hand) for hand in play.hands))
    while not play.is_over:
        assert set(play.obligation.cards) == set(other.obligation.cards)
        card = random.choice(play.obligation.cards)
        play, other = play.play_legal_card(card), other.play_legal_card(card)
    assert play.winners == other.winners


@st.composite
def tricks(draw: st.DrawFn) -> tuple[CardOrder, list[tuple[Seat, Card]]]:
    """Generate one to four cards as a trick, legal or not."""
    ruleset = draw(rulesets)
    contract = draw(st.sampled_from(ruleset.playable))
    trump = draw(st.sampled_from(Suit)) if contract.trump == "named" else None
    pack = get_pack(ruleset.trump_order)
    cards = draw(st.lists(st.sampled_from(pack), unique=True, min_size=1, max_size=4))
    return get_card_order(ruleset, contract, trump), [(Seat(seat), card) for seat, card in enumerate(cards)]


@pytest.mark.slow
@property_settings
@given(tricks(), st.randoms(use_true_random=False))
def test_trick_winner_depends_on_the_led_card_only(
    trick: tuple[CardOrder, list[tuple[Seat, Card]]], random: Random
) -> None:
    order, cards = trick
    led, *others = cards
    random.shuffle(others)
    winner = get_trick_winner(order, cards)
    assert get_trick_winner(order, [led, *others]) == winner
    assert get_trick_winner(order, [led, *(played for played in others if played[0] == winner)]) == winner


@pytest.mark.slow
@property_settings
@given(tricks(), st.data())
def test_legal_card_stays_legal_in_a_smaller_hand(
    trick: tuple[CardOrder, list[tuple[Seat, Card]]], data: st.DataObject
) -> None:
    order, cards = trick
    rest = [card for card in order.suits if card not in [card for _, card in cards]]
    hand = data.draw(st.lists(st.sampled_from(rest), unique=True, min_size=1, max_size=8))
    legal = get_obligation(order, hand, cards).cards
    legal_card = data.draw(st.sampled_from(legal))
    less = [card for card in hand if card == legal_card or data.draw(st.booleans())]
    assert legal_card in get_obligation(order, less, cards).cards


@pytest.mark.long
@pytest.mark.parametrize("key", RULESETS)
def test_thousand_random_deals_are_played_without_a_refusal(key: str) -> None:
    """Play through auction, preparation and tricks; the package checks every call and every card."""
    ruleset, random = RULESETS[key], Random(key)
    ended: Counter[str] = Counter()
    for _ in range(1000):
        dealt = deal_random(ruleset, random)
        outcome = run_random_auction(ruleset, dealt.dealer, random).outcome
        if outcome is None:
            ended["redeal"] += 1
            continue
        choices = choose_preparation(ruleset, dealt, outcome, random)
        play = prepare_play(ruleset, dealt, outcome, choices)
        while not play.is_over:
            play = play.add_card(play.turn, random.choice(play.obligation.cards))
        ended[outcome.contract.key] += 1
    assert ended.total() == 1000
    assert set(ended) - {"redeal"} == set(ruleset.played_keys)
    assert ("redeal" in ended) is (key not in ("maine", "maine-32"))
