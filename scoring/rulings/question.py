"""The question on the ruling page: the cards in its two trays, and the effect of the next tap.

``static/js/ruling.js`` takes the same steps if scripts run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from rules import TRICKS, Card, Ruleset, get_pack

QUESTION_KINDS = ("winner", "play")
TRAYS = ("trick", "hand")


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingQuestion:
    """A question on the ruling page.

    ``trump`` is the key of a trump choice, or empty; ``ask`` is one of ``QUESTION_KINDS``: who wins, or what may be
    played. The next card goes to ``tray``; ``trick`` and ``hand`` are the cards in the order tapped.
    """

    trump: str = ""
    ask: str = "winner"
    tray: str = "trick"
    trick: tuple[Card, ...] = ()
    hand: tuple[Card, ...] = ()

    @property
    def tray_cards(self) -> tuple[Card, ...]:
        """Cards of the tray that is being filled."""
        return self.trick if self.tray == "trick" else self.hand

    def replace_tray(self, cards: tuple[Card, ...]) -> Self:
        return replace(self, trick=cards) if self.tray == "trick" else replace(self, hand=cards)

    def remove_card(self, card: Card) -> Self:
        """Remove a card, whichever tray it is in."""
        return replace(
            self,
            trick=tuple(other for other in self.trick if other != card),
            hand=tuple(other for other in self.hand if other != card),
        )

    def most(self, ruleset: Ruleset) -> int:
        """Return how many cards the tray takes. The trick has one fewer if the question is what may be
        played."""
        return TRICKS if self.tray == "hand" else ruleset.seats - (self.ask == "play")


def parse_question(ruleset: Ruleset, params: Mapping[str, str]) -> RulingQuestion:
    """Return the question in an address, after the tap. Cards that are not in the pack are left out."""
    question = _read_question(ruleset, params)
    if "clear" in params:
        return replace(question, trick=(), hand=(), tray="trick")
    if "undo" in params:
        return question.replace_tray(question.tray_cards[:-1])
    card = Card(params.get("tap", ""))
    if card in question.trick + question.hand:  # a second tap removes it
        return question.remove_card(card)
    if card in get_pack(ruleset.trump_order) and len(question.tray_cards) < question.most(ruleset):
        return question.replace_tray((*question.tray_cards, card))
    return question


def _read_question(ruleset: Ruleset, params: Mapping[str, str]) -> RulingQuestion:
    ask, tray = params.get("ask", ""), params.get("tray", "")
    trick = _parse_cards(ruleset, params.get("trick", ""), limit=ruleset.seats)
    hand = _parse_cards(ruleset, params.get("hand", ""), limit=TRICKS)
    return RulingQuestion(
        trump=params.get("trump", ""),
        ask=ask if ask in QUESTION_KINDS else "winner",
        tray=tray if tray in TRAYS and ask == "play" else "trick",
        trick=trick,
        hand=tuple(card for card in hand if card not in trick),
    )


def _parse_cards(ruleset: Ruleset, text: str, *, limit: int) -> tuple[Card, ...]:
    pack = get_pack(ruleset.trump_order)
    return tuple(dict.fromkeys(Card(card) for card in text.split("-", 40) if card in pack))[:limit]
