"""Questions about the play of the cards.

=========  =========================  =================================================================
document   section                    here
=========  =========================  =================================================================
RULES §3   following suit, Mulot      ``legal_cards``: see ``obligation``
RULES §3   who wins a trick           ``trick_winner``: see ``winner_of``
RULES §1   trump order, other suits   ``order``
=========  =========================  =================================================================
"""

from rules.play import obligation, winner_of

from .fields import CONTRACT, RULESET, SEAT, TRICK, TRUMP, Answer, FieldReader, Question


def legal_cards(asked: FieldReader) -> Answer:
    order, hand, seat = asked.order, asked.cards("hand"), asked.seat("seat")
    trick = asked.trick("trick", held=hand, turn=(seat,))
    return {"legal": sorted(obligation(order, hand, trick).cards)}


def trick_winner(asked: FieldReader) -> Answer:
    return {"winner": winner_of(asked.order, asked.trick("trick"))}


def order(asked: FieldReader) -> Answer:
    """Return every card under a contract: the trumps, and the other suits, each high to low."""
    found = asked.order
    suits = sorted(set(found.suits.values()) - {found.trumps})
    return {
        "trumps": [] if found.trumps is None else list(found.high_to_low(found.trumps)),
        "suits": {suit: list(found.high_to_low(suit)) for suit in suits},
    }


_UNDER_CONTRACT = {"ruleset": RULESET, "contract": CONTRACT}

QUESTIONS = {
    "legal_cards": Question(
        about="Which cards of a hand may be played to a trick.",
        fields={
            **_UNDER_CONTRACT,
            "seat": SEAT,
            "hand": "the cards that this seat holds",
            "trick": f"{TRICK}; empty to lead",
        },
        optional={"trump": TRUMP},
        answer={"legal": "the cards, sorted as texts"},
        answered_by=legal_cards,
    ),
    "trick_winner": Question(
        about="Who wins a trick, of as many cards as were played to it.",
        fields={**_UNDER_CONTRACT, "trick": TRICK},
        optional={"trump": TRUMP},
        answer={"winner": "the seat that wins it"},
        answered_by=trick_winner,
    ),
    "order": Question(
        about="What beats what under a contract.",
        fields=_UNDER_CONTRACT,
        optional={"trump": TRUMP},
        answer={
            "trumps": "the cards of the trump suit, or Jokers that are the only trumps, high to low",
            "suits": "by S H D C, the cards of each suit that is not trump, high to low",
        },
        answered_by=order,
    ),
}
