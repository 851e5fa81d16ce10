"""Questions about the deal, the auction, and the preparation before the first lead.

=========  ==============================  ============================================================
document   section                         here
=========  ==============================  ============================================================
RULES §1   the auction                     ``answer_auction``, ``answer_legal_calls``: see ``Auction``
RULES D1   nobody makes a playable bid     ``answer_auction``: the result is ``redeal``
RULES D12  ways of playing a contract      ``answer_setup``
RULES §6   two players draw their hands    ``answer_two_player_deal``: see ``PackDraw``
RULES §1   how the cards are dealt         ``answer_shuffle``, ``answer_deal``
=========  ==============================  ============================================================
"""

from dataclasses import asdict
from itertools import chain

from errors import Refusal
from rules.auction import Auction, read_call
from rules.contracts import TRICKS
from rules.dealing import PackDraw, shuffle_pack
from rules.dealing import deal as dealt
from rules.preparation import build_setup as setup_of
from rules.seats import Seat, get_next_seat

from .fields import CONTRACT, RULESET, SEAT, Answer, FieldReader, Question

_DECISIONS = 2 * TRICKS
_CALLS = "a list of [seat, call]; a call is pass, a bid, or a bid and its suit: 6, 6 H, petite, charlemagne D"
_PACK = "every card of the pack, top card first"


def answer_auction(reader: FieldReader) -> Answer:
    """Return whether every call was legal in its place, and the result of the auction."""
    state, illegal = _apply_calls(reader)
    return illegal or {"legal": True, "complete": state.is_over, "result": _get_result(state)}


def answer_legal_calls(reader: FieldReader) -> Answer:
    """Return the seat in turn and its legal calls; after an illegal call, the answer of ``answer_auction``."""
    state, illegal = _apply_calls(reader)
    if illegal:
        return illegal
    turn = None if state.is_over else state.turn
    return {"legal": True, "turn": turn, "calls": [str(call) for call in state.list_legal_calls()]}


def _apply_calls(reader: FieldReader) -> tuple[Auction, Answer | None]:
    """Return the auction so far, and the answer that names its first illegal call."""
    state = Auction(ruleset=reader.ruleset, dealer=reader.read_seat("dealer"))
    for place, (seat, text) in enumerate(reader.read_values_by_seat("calls")):
        try:
            state = state.add_call(seat, read_call(text))
        except Refusal as refusal:
            return state, {"legal": False, "at": place, "reason": refusal.code}
    return state, None


def _get_result(state: Auction) -> Answer | str | None:
    if state.is_passed_out:
        return "redeal"
    if state.outcome is None:
        return None
    outcome = state.outcome
    trump = outcome.trump and outcome.trump.value
    return {"declarer": outcome.declarer, "contract": outcome.contract.key, "trump": trump}


def answer_setup(reader: FieldReader) -> Answer:
    defender = reader.fields.get_optional_number("defender")
    found = setup_of(
        reader.ruleset,
        reader.contract,
        declarer=reader.read_seat("declarer"),
        mode=reader.fields.get_text("mode"),
        defender=None if defender is None else Seat(defender),
    )
    return asdict(found) | {"active": list(found.active)}


def answer_two_player_deal(reader: FieldReader) -> Answer:
    dealer = reader.read_seat("dealer")
    draw = PackDraw.begin(reader.ruleset, reader.read_cards("cards"), dealer=dealer)
    decisions = reader.fields.get_booleans("keep_first")
    if len(decisions) != _DECISIONS:
        raise Refusal("wrong_number_of_decisions", field="keep_first", decisions=_DECISIONS)
    for keeps_first in decisions:
        draw = draw.add_decision(keeps_first=keeps_first)
    first = get_next_seat(dealer, seats=reader.ruleset.seats)
    discards = zip(draw.discards[first], draw.discards[dealer], strict=True)
    hands = draw.deal()
    return {
        "hands": [list(hand) for hand in hands.hands],
        "discards": list(chain.from_iterable(discards)),
        "reserve": list(hands.kitty),
    }


def answer_shuffle(reader: FieldReader) -> Answer:
    seed = reader.fields.get_text("seed")
    try:
        return {"cards": list(shuffle_pack(reader.ruleset, seed=seed))}
    except UnicodeEncodeError:
        # JSON can hold half a character, which has no bytes to be hashed.
        raise Refusal("not_text", field="seed", value=seed) from None


def answer_deal(reader: FieldReader) -> Answer:
    found = dealt(reader.ruleset, reader.read_cards("cards"), dealer=reader.read_seat("dealer"))
    return {"hands": [list(hand) for hand in found.hands], "kitty": list(found.kitty)}


_ILLEGAL_FIELDS = {"at": "after an illegal call: its place, from 0", "reason": "why: the code of a refusal"}

QUESTIONS = {
    "auction": Question(
        description="Whether the calls of an auction are legal, and what it has come to.",
        fields={"ruleset": RULESET, "dealer": SEAT, "calls": _CALLS},
        answer={
            "legal": "true; false after an illegal call",
            "complete": "whether everybody has called",
            "result": 'null before the end; "redeal" where nobody made a bid that is played; else an object '
            '{"declarer": a seat, "contract": its key, "trump": S H D C, or null where the bid names none}',
            **_ILLEGAL_FIELDS,
        },
        handler=answer_auction,
    ),
    "legal_calls": Question(
        description="What the seat in turn may call.",
        fields={"ruleset": RULESET, "dealer": SEAT, "calls": _CALLS},
        answer={
            "legal": "true; false after an illegal call",
            "turn": "the seat in turn; null once the auction is over",
            "calls": "the calls that it may make: pass, then bids low to high",
            **_ILLEGAL_FIELDS,
        },
        handler=answer_legal_calls,
    ),
    "setup": Question(
        description="Who plays a contract, who leads, and how many cards change hands before.",
        fields={
            "ruleset": RULESET,
            "contract": CONTRACT,
            "declarer": SEAT,
            "mode": "a way of playing: one of the modes of the contract",
        },
        optional={"defender": "where one of two opponents plays: that seat; looked at nowhere else"},
        answer={
            "active": "the seats that play, rising",
            "leader": "the seat that leads to the first trick",
            "kitty": "cards that the declarer takes from the kitty or the réserve",
            "partner_card": "cards that the declarer gets from the partner",
            "discards": "cards that the declarer lays down",
            "opponent_card": "cards that a lone defender gets from the other opponent, and lays down",
            "open_after": "tricks after which the declarer's hand is laid open; null: never",
        },
        handler=answer_setup,
    ),
    "two_player_deal": Question(
        description="The draw of two players: two cards to a decision, the dealer's opponent begins.",
        fields={
            "ruleset": "a key of rulesets, with two seats",
            "cards": _PACK,
            "dealer": SEAT,
            "keep_first": "16 times true or false: whether the first of the two cards is kept",
        },
        answer={
            "hands": "eight cards to each seat, in the order in which they were kept",
            "discards": "sixteen cards, in the order in which they were thrown",
            "reserve": "the cards laid aside first, from the top",
        },
        handler=answer_two_player_deal,
    ),
    "shuffle": Question(
        description="The pack in the order that belongs to a seed, the same on every machine.",
        fields={"ruleset": RULESET, "seed": "any text"},
        answer={"cards": _PACK},
        handler=answer_shuffle,
    ),
    "deal": Question(
        description="The pack dealt out as the system has it, beginning left of the dealer.",
        fields={"ruleset": "a key of rulesets, with four seats", "cards": _PACK, "dealer": SEAT},
        answer={"hands": "eight cards to each seat", "kitty": "the cards laid aside: kitty or réserve"},
        handler=answer_deal,
    ),
}
