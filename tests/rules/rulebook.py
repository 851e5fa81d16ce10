"""A naive second implementation of the play: card orders copied from the documents, no code shared with ``rules``.

Tests compare the results of ``rules`` with it, as a chess program is compared with a slow move generator.
"""

from functools import cache

PLAIN_RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7"]
SUITS = "SHDC"
COLOUR = {"S": "black", "C": "black", "H": "red", "D": "red"}

JOKERS_HIGH = {"canadian", "bas-saint-laurent-jokers", "two-player-jokers"}
FORCED_JOKERS = {
    ("canadian", "mulot"),
    ("canadian", "gros_mulot"),
    ("bas-saint-laurent-jokers", "petite"),
    ("two-player-jokers", "petite"),
}
"""Contracts in which a player who cannot follow suit must play a Joker (P, Mulot; D4)."""


Ladder = list[tuple[str, int]]
"""The bids of a ruleset, low to high, each with the number of suits in which it can be made."""

CANADIAN = [(bid, 1) for bid in (*"5678", "mulot", "charlemagne", "gros_mulot", "gros_charlemagne")]
ABOVE_THE_NUMBERS = [("petite", 1), ("grosse", 1), ("charlemagne", 4)]
LADDER_TO_SEVEN = [*((number, 4) for number in "1234567"), *ABOVE_THE_NUMBERS]
LADDER_TO_EIGHT = [*((number, 4) for number in "12345678"), *ABOVE_THE_NUMBERS]

LADDERS: dict[str, Ladder] = {
    "canadian": CANADIAN,
    "maine": LADDER_TO_SEVEN,
    "maine-32": LADDER_TO_SEVEN,
    "bas-saint-laurent": LADDER_TO_EIGHT,
    "bas-saint-laurent-jokers": LADDER_TO_EIGHT,
    "two-player": LADDER_TO_EIGHT,
    "two-player-jokers": LADDER_TO_EIGHT,
}
FORCED_DEALER_SYSTEMS = {"maine", "maine-32"}
COUNTER_SYSTEMS = set(LADDERS) - FORCED_DEALER_SYSTEMS - {"canadian"}
"""Rulesets in which an opponent may bid Charlemagne over Charlemagne (D7)."""


def get_little_jack(trump: str) -> str:
    (other,) = (suit for suit in SUITS if suit != trump and COLOUR[suit] == COLOUR[trump])
    return f"J{other}"


def list_trumps(system: str, trump: str | None) -> list[str]:
    """Return the trumps, high to low; without a trump suit, only the Jokers that count as trumps."""
    if trump is None:
        return ["X1", "X2"] if system in JOKERS_HIGH else []
    if system in JOKERS_HIGH:
        highest, rest = ["X1", "X2", f"J{trump}", get_little_jack(trump)], "A K Q 10 9 8 7"
    else:
        highest, rest = [f"9{trump}", f"J{trump}", get_little_jack(trump)], "A K Q 10 8 7"
    return highest + [f"{rank}{trump}" for rank in rest.split()]


@cache
def list_suits(system: str, trump: str | None) -> list[list[str]]:
    """Return the trumps, then each side suit, each high to low."""
    high = list_trumps(system, trump)
    side_suits = [[f"{rank}{suit}" for rank in PLAIN_RANKS if f"{rank}{suit}" not in high] for suit in SUITS]
    return [high] + [cards for cards in side_suits if cards]


def suit_of(system: str, trump: str | None, card: str) -> list[str]:
    (suit,) = (suit for suit in list_suits(system, trump) if card in suit)
    return suit


def list_legal_cards(system: str, contract: str, trump: str | None, hand: list[str], trick: list[str]) -> list[str]:
    """Return the cards of the hand that may be played to the trick."""
    if not trick:
        return hand
    led = suit_of(system, trump, trick[0])
    following = [card for card in hand if card in led]
    forced = [card for card in hand if card in ("X1", "X2") and (system, contract) in FORCED_JOKERS]
    return following or forced or hand


def find_winning_card(system: str, trump: str | None, trick: list[str]) -> str:
    """Return the highest trump in the trick or, without a trump, the highest card of the suit led."""
    ranking = list_trumps(system, trump) + suit_of(system, trump, trick[0])
    return next(card for card in ranking if card in trick)
