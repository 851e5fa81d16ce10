"""Questions about the play of the cards.

=========  =========================  =================================================================
document   section                    here
=========  =========================  =================================================================
RULES §3   following suit, Mulot      ``answer_legal_cards``: see ``get_obligation``
RULES §3   who wins a trick           ``answer_trick_winner``: see ``get_trick_winner``
RULES §1   trump order, other suits   ``answer_order``
=========  =========================  =================================================================
"""

from rules.play import get_obligation, get_trick_winner

from .fields import CONTRACT, RULESET, SEAT, TRICK, TRUMP, Answer, FieldReader, Question


def answer_legal_cards(reader: FieldReader) -> Answer:
    order, hand, seat = reader.order, reader.read_cards("hand"), reader.read_seat("seat")
    trick = reader.read_trick("trick", held=hand, turn=(seat,))
    return {"legal": sorted(get_obligation(order, hand, trick).cards)}


def answer_trick_winner(reader: FieldReader) -> Answer:
    return {"winner": get_trick_winner(reader.order, reader.read_trick("trick"))}


def answer_order(reader: FieldReader) -> Answer:
    """Return every card under a contract: the trumps, and the other suits, each high to low."""
    found = reader.order
    suits = sorted(set(found.suits.values()) - {found.trumps})
    return {
        "trumps": [] if found.trumps is None else list(found.list_cards(found.trumps)),
        "suits": {suit: list(found.list_cards(suit)) for suit in suits},
    }


_CONTRACT_FIELDS = {"ruleset": RULESET, "contract": CONTRACT}

QUESTIONS = {
    "legal_cards": Question(
        description="Which cards of a hand may be played to a trick.",
        fields={
            **_CONTRACT_FIELDS,
            "seat": SEAT,
            "hand": "the cards that this seat holds",
            "trick": f"{TRICK}; empty to lead",
        },
        optional={"trump": TRUMP},
        answer={"legal": "the cards, sorted as texts"},
        handler=answer_legal_cards,
    ),
    "trick_winner": Question(
        description="Who wins a trick, of as many cards as were played to it.",
        fields={**_CONTRACT_FIELDS, "trick": TRICK},
        optional={"trump": TRUMP},
        answer={"winner": "the seat that wins it"},
        handler=answer_trick_winner,
    ),
    "order": Question(
        description="What beats what under a contract.",
        fields=_CONTRACT_FIELDS,
        optional={"trump": TRUMP},
        answer={
            "trumps": "the cards of the trump suit, or Jokers that are the only trumps, high to low",
            "suits": "by S H D C, the cards of each suit that is not trump, high to low",
        },
        handler=answer_order,
    ),
}
