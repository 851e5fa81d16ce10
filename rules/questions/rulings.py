"""Questions for rulings on a hand: its first illegal play, and the outcome of a claim.

=========  =========================  =================================================================
document   section                    here
=========  =========================  =================================================================
RULES §3   following suit, Mulot      ``answer_renege``: see ``find_first_illegal_play``
RULES D9   irregularities             the facts for the director; no penalty
RULES §2   tricks to be taken         ``answer_claim``, ``answer_sure_tricks``
=========  =========================  =================================================================
"""

from errors import Refusal
from rules.cards import Card
from rules.claims import count_sure_tricks as tricks_for_sure
from rules.claims import decide_claim as claimed
from rules.contracts import TRICKS
from rules.play import Play
from rules.reneges import find_first_illegal_play
from rules.seats import Seat, Side

from .fields import CONTRACT, RULESET, SEAT, TRICK, TRUMP, Answer, FieldReader, Question


def answer_renege(reader: FieldReader) -> Answer:
    hands = reader.read_hands("hands") if "hands" in reader.fields else None
    found = find_first_illegal_play(
        reader.order,
        reader.read_cards_with_seats("played"),
        active=reader.read_seats("active"),
        leader=reader.read_seat("leader"),
        hands=hands,
    )
    if found is None:
        return {"illegal": None}
    illegal = {
        "at": found.place,
        "trick": found.trick,
        "seat": found.seat,
        "card": found.card,
        "rule": found.rule.value,
        "turn": found.turn,
        "withheld": [list(withheld) for withheld in found.withheld],
    }
    return {"illegal": illegal}


def answer_claim(reader: FieldReader) -> Answer:
    side = reader.fields.get_number("side")
    if side not in tuple(Side):
        raise Refusal("no_such_side", field="side", value=side, choices=tuple(map(int, Side)))
    found = claimed(_build_play(reader), Side(side), tricks=reader.fields.get_optional_number("tricks"))
    return {"certain": found.is_certain, "line": [list(played) for played in found.line]}


def answer_sure_tricks(reader: FieldReader) -> Answer:
    return {"tricks": tricks_for_sure(_build_play(reader))}


def _build_play(reader: FieldReader) -> Play:
    """Return the play in progress. The cards on the table go back into the hands and are played again, so
    that anything wrong with them is refused.

    Refuses: seat_sits_out, wrong_number_of_cards, card_twice, and the codes of ``Play.find_refusal``.
    """
    active, declarer, leader = reader.read_seats("active"), reader.read_seat("declarer"), reader.read_seat("leader")
    for name, seat in (("declarer", declarer), ("leader", leader)):
        if seat not in active:
            raise Refusal("seat_sits_out", field=name, seat=seat)
    held_hands = reader.read_hands("hands")
    trick = reader.read_trick("trick", held=tuple(card for hand in held_hands for card in hand))
    hands = [list(hand) for hand in held_hands]
    for seat, card in trick:
        hands[seat].append(card)
    _check_sizes(hands, active)
    play = Play(
        contract=reader.contract,
        declarer=declarer,
        order=reader.order,
        active=active,
        first_leader=leader,
        hands=tuple(map(tuple, hands)),
    )
    for seat, card in trick:
        play = play.add_card(seat, card)
    return play


def _check_sizes(hands: list[list[Card]], active: tuple[Seat, ...]) -> None:
    """Check that active seats have equal numbers of cards, and others none. Refuses:
    wrong_number_of_cards."""
    expected = len(hands[active[0]])
    for seat, hand in enumerate(hands):
        if len(hand) != (expected if seat in active else 0) or len(hand) > TRICKS:
            raise Refusal("wrong_number_of_cards", field="hands", seat=seat, cards=len(hand))


_HANDS_BY_SEAT = "by seat, the cards held; none where a seat sits out"
_ACTIVE = "the seats that play: see setup"
_ILLEGAL = (
    'null; or an object {"at": the place of the play, from 0, "trick": from 1, "seat", "card", '
    '"rule": a code, "turn": whose turn it was, or null, "withheld": a list of [card, trick]: cards that '
    "should have been played, and the trick in which each came out later, or null}"
)
_POSITION = {
    "ruleset": RULESET,
    "contract": CONTRACT,
    "declarer": SEAT,
    "active": _ACTIVE,
    "leader": "the seat that leads, or has led, to this trick",
    "hands": _HANDS_BY_SEAT,
    "trick": f"{TRICK}: what lies on the table",
}

QUESTIONS = {
    "renege": Question(
        description="The first illegal play of a hand, and the rule that it broke.",
        fields={
            "ruleset": RULESET,
            "contract": CONTRACT,
            "active": _ACTIVE,
            "leader": "the seat that led to the first trick",
            "played": "a list of [seat, card]: all tricks, one after the other",
        },
        optional={"trump": TRUMP, "hands": "by seat, the cards before the first lead, where they are known"},
        answer={"illegal": _ILLEGAL},
        handler=answer_renege,
    ),
    "claim": Question(
        description="Whether a side is certain of the tricks left, every card known and both sides playing best.",
        fields={**_POSITION, "side": "the side that claims: 0 (seats 0 and 2) or 1 (seats 1 and 3)"},
        optional={
            "trump": TRUMP,
            "tricks": "how many of the tricks left, at least; in a contract to take none, at most; "
            "left out or null: all of them; in such a contract, none",
        },
        answer={
            "certain": "true or false",
            "line": "a list of [seat, card]: how a claim is defeated; empty for one that is certain",
        },
        handler=answer_claim,
    ),
    "sure_tricks": Question(
        description="How many of the tricks left the declaring side takes, both sides playing their best.",
        fields=_POSITION,
        optional={"trump": TRUMP},
        answer={"tricks": "a number"},
        handler=answer_sure_tricks,
    ),
}
