"""Exhaustive counts, like perft in chess: auctions of each ruleset, and plays of fixed deals.

The counts are in ``tests/vectors/counts.json``, for other implementations to compare with. The tests compute
them twice: with the package, and naively with ``rulebook``.
"""

from dataclasses import dataclass
from itertools import pairwise, product
from math import prod

import pytest

from rules import (
    RULESETS,
    Auction,
    AuctionOutcome,
    Card,
    DealtCards,
    PackDraw,
    Play,
    Preparation,
    Ruleset,
    Seat,
    Suit,
    build_auction,
    deal,
    prepare_play,
    shuffle_pack,
)
from tests.rules import rulebook, vectors
from tests.rules.vectors import Case

COUNTS = vectors.read("counts.json")
AUCTIONS = [pytest.param(case, id=case["ruleset"]) for case in COUNTS["auctions"]]
SMALL = ["canadian", "two-player", "two-player-jokers"]
PLAYS = [pytest.param(case, id=f"{case['ruleset']} {case['name']}") for case in COUNTS["plays"]]

_Count = tuple[int, int]
"""Numbers of complete auctions and of passed-out auctions."""


def count_by_states(ruleset: Ruleset) -> _Count:
    """Count auctions by state: those with the same highest bid by the same seat continue alike."""
    reached: dict[object, tuple[Auction, int]] = {None: (build_auction(ruleset, (), dealer=Seat(0)), 1)}
    for _ in range(ruleset.seats):
        after: dict[object, tuple[Auction, int]] = {}
        for auction, ways in reached.values():
            for call in auction.list_legal_calls():
                longer = auction.add_call(auction.turn, call)
                state = longer.last_bid and (longer.last_bid[0], longer.last_bid[1].bid)
                one, others = after.get(state, (longer, 0))
                after[state] = one, others + ways
        reached = after
    passed_out = sum(ways for auction, ways in reached.values() if auction.is_passed_out)
    return sum(ways for _, ways in reached.values()), passed_out


def count_one_by_one(auction: Auction) -> _Count:
    if auction.is_over:
        return 1, int(auction.is_passed_out)
    counts = [count_one_by_one(auction.add_call(auction.turn, call)) for call in auction.list_legal_calls()]
    return sum(complete for complete, _ in counts), sum(passed_out for _, passed_out in counts)


def count_by_rulebook(system: str) -> _Count:
    """Count the sequences of bids and passes that the documents allow, once for each suit of a bid."""
    ladder = rulebook.LADDERS[system]
    rows = product([None, *range(len(ladder))], repeat=2 if system.startswith("two") else 4)
    legal = [row for row in rows if is_legal_by_the_book(system, row)]
    suits = [prod(ladder[rung][1] for rung in row if rung is not None) for row in legal]
    is_played = [any(rung is not None and ladder[rung][0] not in "1234" for rung in row) for row in legal]
    return sum(suits), sum(ways for ways, played in zip(suits, is_played, strict=True) if not played)


def is_legal_by_the_book(system: str, row: tuple[int | None, ...]) -> bool:
    ladder = rulebook.LADDERS[system]
    bids = [(turn, rung) for turn, rung in enumerate(row) if rung is not None]
    for (turn, low), (later, high) in pairwise(bids):
        is_countered = low == high == len(ladder) - 1 and system in rulebook.COUNTER_SYSTEMS
        if not (low < high or (is_countered and (turn + later) % 2)):
            return False
    return system not in rulebook.FORCED_DEALER_SYSTEMS or any(ladder[rung][0] not in "1234" for _, rung in bids)


@pytest.mark.parametrize("case", AUCTIONS)
def test_auction_counts_by_state_match_the_rulebook_count(case: Case) -> None:
    counted = case["complete"], case["passed_out"]
    assert count_by_states(RULESETS[case["ruleset"]]) == counted
    assert count_by_rulebook(case["ruleset"]) == counted


@pytest.mark.parametrize("key", SMALL)
def test_enumerated_auctions_of_small_rulesets_match_the_state_count(key: str) -> None:
    auction = build_auction(RULESETS[key], (), dealer=Seat(1))
    assert count_one_by_one(auction) == count_by_states(RULESETS[key])


def test_canadian_auction_count_matches_the_closed_formula() -> None:
    """Each of k bidders makes one of eight rising bids: Σ C(4, k) · C(8, k) = C(12, 4)."""
    assert count_by_states(RULESETS["canadian"]) == (495, 1)


def test_every_ruleset_has_auction_and_play_counts() -> None:
    assert [case["ruleset"] for case in COUNTS["auctions"]] == list(RULESETS)
    assert {case["ruleset"] for case in COUNTS["plays"]} == set(RULESETS)


def build_play(case: Case) -> Play:
    """Build the play of a case after its opening cards, from which the count starts."""
    ruleset, trump, choices = RULESETS[case["ruleset"]], case["trump"], case["preparation"]
    in_bid = ruleset.names_trump_in_bid
    outcome = AuctionOutcome(
        declarer=Seat(case["declarer"]),
        contract=ruleset.get_bid(case["contract"]),
        trump=Suit(trump) if trump and in_bid else None,
    )
    named_later = Suit(trump) if trump and not in_bid else None
    play = prepare_play(ruleset, deal_case(case), outcome, Preparation(trump=named_later, **choices))
    for card in case["opening"]:
        play = play.add_card(play.turn, Card(card))
    return play


def deal_case(case: Case) -> DealtCards:
    """Deal from the seed of the case; two players alternate between keeping and discarding the first card."""
    ruleset = RULESETS[case["ruleset"]]
    pack = shuffle_pack(ruleset, seed=case["seed"])
    if ruleset.seats == 4:
        return deal(ruleset, pack, dealer=Seat(0))
    draw = PackDraw.begin(ruleset, pack, dealer=Seat(0))
    while not draw.is_over:
        draw = draw.add_decision(keeps_first=draw.decisions % 4 < 2)
    return draw.deal()


def play_outs(play: Play, depth: int) -> list[int]:
    """Return the number of legal ways to play one card, two cards, … up to ``depth`` cards."""
    counts, plays = [], [play]
    for _ in range(depth):
        plays = [play.add_card(play.turn, card) for play in plays for card in play.obligation.cards]
        counts.append(len(plays))
    return counts


@dataclass(frozen=True)
class NaivePlay:
    """A naive play: hands, table and turn, with the legal cards and winners of ``rulebook``."""

    hands: dict[int, list[str]]
    table: dict[int, str]
    turn: int

    def list_legal_cards(self, case: Case) -> list[str]:
        hand, trick = self.hands[self.turn], list(self.table.values())
        return rulebook.list_legal_cards(case["ruleset"], case["contract"], case["trump"], hand, trick)

    def play_card(self, case: Case, card: str) -> "NaivePlay":
        hands = self.hands | {self.turn: [held for held in self.hands[self.turn] if held != card]}
        table = self.table | {self.turn: card}
        if len(table) < len(hands):
            seats = sorted(hands) * 2
            return NaivePlay(hands, table, seats[seats.index(self.turn) + 1])
        winning = rulebook.find_winning_card(case["ruleset"], case["trump"], list(table.values()))
        (winner,) = (seat for seat, played in table.items() if played == winning)
        return NaivePlay(hands, {}, winner)


def play_outs_by_the_book(case: Case, play: Play, depth: int) -> list[int]:
    hands: dict[int, list[str]] = {seat: list(play.hands[seat]) for seat in play.active}
    counts, plays = [], [NaivePlay(hands, {int(seat): card for seat, card in play.trick}, play.turn)]
    for _ in range(depth):
        plays = [naive.play_card(case, card) for naive in plays for card in naive.list_legal_cards(case)]
        counts.append(len(plays))
    return counts


@pytest.mark.slow
@pytest.mark.parametrize("case", PLAYS)
def test_legal_play_counts_of_a_fixed_deal_match_the_vectors(case: Case) -> None:
    depth = len(case["counts"])
    assert play_outs(build_play(case), depth) == case["counts"]


@pytest.mark.parametrize("case", PLAYS)
def test_rulebook_play_counts_match_the_vectors(case: Case) -> None:
    depth = len(case["counts"])
    assert play_outs_by_the_book(case, build_play(case), depth) == case["counts"]
