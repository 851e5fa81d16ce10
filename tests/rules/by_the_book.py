"""The play once more, naively: orders written out as the documents print them, nothing shared with ``rules``.

What the package computes from its values is compared with this, as a chess program is with a slow one.
"""

from functools import cache

PLAIN = ["A", "K", "Q", "J", "10", "9", "8", "7"]
SUITS = "SHDC"
COLOUR = {"S": "black", "C": "black", "H": "red", "D": "red"}

JOKERS_HIGH = {"canadian", "bas-saint-laurent-jokers", "two-player-jokers"}
FORCED_JOKERS = {
    ("canadian", "mulot"),
    ("canadian", "gros_mulot"),
    ("bas-saint-laurent-jokers", "petite"),
    ("two-player-jokers", "petite"),
}
"""Where a Joker must be played by whoever cannot follow suit (P, Mulot; D4)."""


Ladder = list[tuple[str, int]]
"""The bids of a system, low to high, each with the number of suits in which it can be made."""

CANADIAN = [(bid, 1) for bid in (*"5678", "mulot", "charlemagne", "gros_mulot", "gros_charlemagne")]
ABOVE_THE_NUMBERS = [("petite", 1), ("grosse", 1), ("charlemagne", 4)]
TO_SEVEN = [*((number, 4) for number in "1234567"), *ABOVE_THE_NUMBERS]
TO_EIGHT = [*((number, 4) for number in "12345678"), *ABOVE_THE_NUMBERS]

LADDERS: dict[str, Ladder] = {
    "canadian": CANADIAN,
    "maine": TO_SEVEN,
    "maine-32": TO_SEVEN,
    "bas-saint-laurent": TO_EIGHT,
    "bas-saint-laurent-jokers": TO_EIGHT,
    "two-player": TO_EIGHT,
    "two-player-jokers": TO_EIGHT,
}
DEALER_MUST_BID = {"maine", "maine-32"}
COUNTERED = set(LADDERS) - DEALER_MUST_BID - {"canadian"}
"""Where an opponent may declare Charlemagne over Charlemagne (D7)."""


def little_jack(trump: str) -> str:
    (other,) = (suit for suit in SUITS if suit != trump and COLOUR[suit] == COLOUR[trump])
    return f"J{other}"


def trumps(system: str, trump: str | None) -> list[str]:
    """High to low; the Jokers alone where no suit is trump."""
    if trump is None:
        return ["X1", "X2"] if system in JOKERS_HIGH else []
    if system in JOKERS_HIGH:
        highest, rest = ["X1", "X2", f"J{trump}", little_jack(trump)], "A K Q 10 9 8 7"
    else:
        highest, rest = [f"9{trump}", f"J{trump}", little_jack(trump)], "A K Q 10 8 7"
    return highest + [f"{rank}{trump}" for rank in rest.split()]


@cache
def suits(system: str, trump: str | None) -> list[list[str]]:
    """Every suit that there is, the trumps first, each high to low."""
    high = trumps(system, trump)
    plain = [[f"{rank}{suit}" for rank in PLAIN if f"{rank}{suit}" not in high] for suit in SUITS]
    return [high] + [cards for cards in plain if cards]


def suit_of(system: str, trump: str | None, card: str) -> list[str]:
    (suit,) = (suit for suit in suits(system, trump) if card in suit)
    return suit


def legal(system: str, contract: str, trump: str | None, hand: list[str], trick: list[str]) -> list[str]:
    """Return what this hand may play to the cards on the table."""
    if not trick:
        return hand
    led = suit_of(system, trump, trick[0])
    following = [card for card in hand if card in led]
    forced = [card for card in hand if card in ("X1", "X2") and (system, contract) in FORCED_JOKERS]
    return following or forced or hand


def winning_card(system: str, trump: str | None, trick: list[str]) -> str:
    """The first of the trumps, from the top, that lies on the table; else the first of the suit led."""
    ranking = trumps(system, trump) + suit_of(system, trump, trick[0])
    return next(card for card in ranking if card in trick)
