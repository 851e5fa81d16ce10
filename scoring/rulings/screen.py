"""The ruling page: its cards and its answer. Scripts on the phone use the same sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise, cached_property
from django.utils.translation import gettext_lazy as _

from clubs.game_words import SUITS
from rules import Card, Ruleset, get_pack
from scoring.playing_cards import CardView, build_card_view

from .answers import TrumpChoice, find_legal_cards, find_winner, list_trump_choices
from .question import RulingQuestion, parse_question

SENTENCES: dict[str, str | Promise] = {
    "choose": _("Choose trump first."),
    "no_trick": _("Tap the cards in the order played."),
    "no_hand": _("Tap the cards in hand."),
    "full": _("Full. Remove the last card or clear."),
    "trick_full": _("Trick complete. Remove the last card or clear."),
    # Who wins
    "only_card": _("One card so far: %(card)s. Tap the next."),
    "only_trump": _("Card %(place)s (%(card)s) wins: the only trump."),
    "highest_trump": _("Card %(place)s (%(card)s) wins: the highest trump."),
    "only_of_suit": _("Card %(place)s (%(card)s) wins: %(led)s led, no trump, no other %(led)s."),
    "highest_of_suit": _("Card %(place)s (%(card)s) wins: %(led)s led, no trump, highest card."),
    # What may be played
    "lead": _("This hand leads: play any card."),
    "follow": _("Follow suit: %(led)s."),
    "follow_trump": _("Trump was led: play a trump."),
    "follow_joker": _("A Joker was led: play your Joker."),
    "play_joker": _("Cannot follow suit: play a Joker."),
    "any": _("Cannot follow suit: play any card."),
    "any_joker_led": _("A Joker was led, none in hand: play any card."),
    # Notes on a card
    "counts_as": _("counts as %(suit)s"),
    "wins": _("wins"),
    "may": _("allowed"),
    "may_not": _("not allowed"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TrayCard:
    """A card in a tray; ``is_legal`` is None if it is not known yet."""

    card: CardView
    wins: bool = False
    is_legal: bool | None = None


@dataclass(frozen=True, kw_only=True)
class RulingScreen:
    """Everything on the ruling page of one ruleset."""

    ruleset: Ruleset
    question: RulingQuestion

    @cached_property
    def choices(self) -> tuple[TrumpChoice, ...]:
        return list_trump_choices(self.ruleset)

    @cached_property
    def trump_choice(self) -> TrumpChoice | None:
        return next((choice for choice in self.choices if choice.key == self.question.trump), None)

    @property
    def suits(self) -> list[list[CardView]]:
        """All cards of the pack, one row per suit, always in the same place."""
        pack = get_pack(self.ruleset.trump_order)
        return [[self._build_card_view(card) for card in pack[start : start + 8]] for start in range(0, len(pack), 8)]

    @property
    def used_cards(self) -> tuple[Card, ...]:
        return self.question.trick + self.question.hand

    @property
    def is_full(self) -> bool:
        return len(self.question.tray_cards) >= self.question.most(self.ruleset)

    @cached_property
    def trick(self) -> list[TrayCard]:
        wins = None
        if self.trump_choice and self.question.ask == "winner" and self.question.trick:
            wins = find_winner(self.trump_choice.order, self.question.trick).place
        cards = enumerate(self.question.trick)
        return [TrayCard(card=self._build_card_view(card), wins=place == wins) for place, card in cards]

    @cached_property
    def hand(self) -> list[TrayCard]:
        legal = None
        if self.trump_choice and not self._is_trick_complete:
            legal = find_legal_cards(self.trump_choice.order, self.question.trick, self.question.hand).cards
        return [
            TrayCard(card=self._build_card_view(card), is_legal=None if legal is None else card in legal)
            for card in self.question.hand
        ]

    @property
    def answer(self) -> str:
        """The ruling, or what is still missing for one."""
        if self.trump_choice is None:
            return str(SENTENCES["choose"])
        answer = self._format_winner if self.question.ask == "winner" else self._format_legal_cards
        return answer(self.trump_choice)

    def _format_winner(self, chosen: TrumpChoice) -> str:
        trick = self.question.trick
        if not trick:
            return str(SENTENCES["no_trick"])
        place, reason = find_winner(chosen.order, trick)
        values = {"place": place + 1, "card": CardView(trick[place]).name, "led": self._format_suit_led(chosen)}
        return str(SENTENCES[reason]) % values

    def _format_legal_cards(self, chosen: TrumpChoice) -> str:
        if self._is_trick_complete:
            return str(SENTENCES["trick_full"])
        if not self.question.hand:
            return str(SENTENCES["no_hand"])
        rule = find_legal_cards(chosen.order, self.question.trick, self.question.hand).rule
        return str(SENTENCES[rule]) % {"led": self._format_suit_led(chosen)}

    def _format_suit_led(self, chosen: TrumpChoice) -> str:
        """Return the name of the suit led; Jokers of no suit have their own sentence."""
        if not self.question.trick:
            return ""
        return str(SUITS.get(chosen.order.suits[self.question.trick[0]], ""))

    @property
    def _is_trick_complete(self) -> bool:
        return len(self.question.trick) >= self.ruleset.seats

    def _build_card_view(self, card: Card) -> CardView:
        return build_card_view(self.trump_choice.order if self.trump_choice else None, card)

    @property
    def terms(self) -> dict[str, Any]:
        """Everything the phone needs to answer without the server."""
        return {
            "seats": self.ruleset.seats,
            "orders": {choice.key: choice.plain() for choice in self.choices},
            "suits": SUITS,
            "sentences": SENTENCES,
        }


def build_ruling_screen(ruleset: Ruleset, params: Mapping[str, str]) -> RulingScreen:
    """Return the screen for an address."""
    return RulingScreen(ruleset=ruleset, question=parse_question(ruleset, params))
