"""The question on the ruling page: the cards in its two trays, and the effect of the next tap.

``static/js/ruling.js`` takes the same steps if scripts run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from rules import TRICKS, Card, Ruleset, pack_of

ASKS = ("winner", "play")
TRAYS = ("trick", "hand")


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingQuestion:
    """A question on the ruling page.

    ``trump`` is the key of a trump choice, or empty; ``ask`` is one of ``ASKS``: who wins, or what may be
    played. The next card goes to ``tray``; ``trick`` and ``hand`` are the cards in the order tapped.
    """

    trump: str = ""
    ask: str = "winner"
    tray: str = "trick"
    trick: tuple[Card, ...] = ()
    hand: tuple[Card, ...] = ()

    @property
    def cards_laid(self) -> tuple[Card, ...]:
        """Cards of the tray that is being filled."""
        return self.trick if self.tray == "trick" else self.hand

    def with_laid(self, cards: tuple[Card, ...]) -> Self:
        return replace(self, trick=cards) if self.tray == "trick" else replace(self, hand=cards)

    def without(self, card: Card) -> Self:
        """Remove a card, whichever tray it is in."""
        return replace(
            self,
            trick=tuple(one for one in self.trick if one != card),
            hand=tuple(one for one in self.hand if one != card),
        )

    def most(self, ruleset: Ruleset) -> int:
        """Return how many cards the tray takes. The trick has one fewer if the question is what may be
        played."""
        return TRICKS if self.tray == "hand" else ruleset.seats - (self.ask == "play")


def question_of(ruleset: Ruleset, asked: Mapping[str, str]) -> RulingQuestion:
    """Return the question in an address, after the tap. Cards that are not in the pack are left out."""
    question = _read_question(ruleset, asked)
    if "clear" in asked:
        return replace(question, trick=(), hand=(), tray="trick")
    if "undo" in asked:
        return question.with_laid(question.cards_laid[:-1])
    card = Card(asked.get("tap", ""))
    if card in question.trick + question.hand:  # a second tap removes it
        return question.without(card)
    if card in pack_of(ruleset.trump_order) and len(question.cards_laid) < question.most(ruleset):
        return question.with_laid((*question.cards_laid, card))
    return question


def _read_question(ruleset: Ruleset, asked: Mapping[str, str]) -> RulingQuestion:
    ask, tray = asked.get("ask", ""), asked.get("tray", "")
    trick = _cards(ruleset, asked.get("trick", ""), most=ruleset.seats)
    hand = _cards(ruleset, asked.get("hand", ""), most=TRICKS)
    return RulingQuestion(
        trump=asked.get("trump", ""),
        ask=ask if ask in ASKS else "winner",
        tray=tray if tray in TRAYS and ask == "play" else "trick",
        trick=trick,
        hand=tuple(card for card in hand if card not in trick),
    )


def _cards(ruleset: Ruleset, text: str, *, most: int) -> tuple[Card, ...]:
    pack = pack_of(ruleset.trump_order)
    return tuple(dict.fromkeys(Card(card) for card in text.split("-", 40) if card in pack))[:most]
