"""Random hands of a ruleset, either at the first lead or near the last trick."""

from random import Random

from hypothesis import strategies as st

from rules import RULESETS, TRICKS, AuctionOutcome, Play, Ruleset, Seat, Suit, TrumpRule, prepare_play
from tests.rules.hands import choose_preparation, deal_random, play_random

rulesets = st.sampled_from(list(RULESETS.values()))
chances = st.integers(0, 2**32).map(Random)


def build_first_lead(ruleset: Ruleset, random: Random) -> Play:
    """Build a hand at the first lead; each contract of the ruleset is equally likely."""
    contract = random.choice(ruleset.playable)
    names_trump = ruleset.names_trump_in_bid and contract.trump is TrumpRule.NAMED
    outcome = AuctionOutcome(
        declarer=Seat(random.randrange(ruleset.seats)),
        contract=contract,
        trump=random.choice(tuple(Suit)) if names_trump else None,
    )
    dealt = deal_random(ruleset, random)
    return prepare_play(ruleset, dealt, outcome, choose_preparation(ruleset, dealt, outcome, random))


def build_ending(ruleset: Ruleset, random: Random, *, tricks: int) -> Play:
    """Build a hand with this number of tricks left and zero or more cards of the current trick played."""
    play = play_random(build_first_lead(ruleset, random), random, tricks=TRICKS - tricks)
    for _ in range(random.randrange(len(play.active))):
        play = play.play_legal_card(random.choice(play.obligation.cards))
    return play
