"""The knowledge of a player who remembers every card that was played."""

from dataclasses import dataclass

from rules.cards import Card, CardOrder
from rules.dealing import Hand
from rules.play import Play, get_trick_winner
from rules.seats import Seat, get_side


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """The situation of a seat in turn: the cards that it may play, and those that others may still hold."""

    play: Play
    seat: Seat
    legal: Hand
    unseen: Hand

    @classmethod
    def from_play(cls, play: Play, *, aside: Hand) -> "Moment":
        """Return the moment of the seat in turn, which knows that the cards ``aside`` are out of play."""
        seat = play.turn
        known_cards = {card for trick in (*play.tricks, play.trick) for _, card in trick}
        known_cards.update(aside, play.hands[seat])
        return cls(
            play=play,
            seat=seat,
            legal=play.obligation.cards,
            unseen=tuple(card for card in play.order.suits if card not in known_cards),
        )

    @property
    def order(self) -> CardOrder:
        return self.play.order

    @property
    def hand(self) -> Hand:
        return self.play.hands[self.seat]

    @property
    def is_declaring(self) -> bool:
        """Whether this seat is on the declarer's side."""
        return get_side(self.seat) is get_side(self.play.declarer)

    @property
    def best(self) -> tuple[Seat, Card]:
        """The seat that is winning the trick, and its card."""
        winner = get_trick_winner(self.order, self.play.trick)
        return winner, dict(self.play.trick)[winner]

    @property
    def remaining_seats(self) -> tuple[Seat, ...]:
        """The seats that play to this trick after this one, in no particular order."""
        played = {seat for seat, _ in self.play.trick}
        return tuple(seat for seat in self.play.active if seat not in played and seat != self.seat)

    @property
    def opponents(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.play.active if get_side(seat) is not get_side(self.seat))

    def is_trump(self, card: Card) -> bool:
        return self.order.suits[card] == self.order.trumps

    def beats(self, card: Card, other: Card) -> bool:
        """Return whether this card, played later to the trick, beats the other one."""
        suits, strengths = self.order.suits, self.order.strengths
        if suits[card] == suits[other]:
            return strengths[card] > strengths[other]
        return self.is_trump(card)

    def count_higher_unseen(self, card: Card) -> int:
        """Count the unseen cards of its suit that are higher."""
        suits, strengths = self.order.suits, self.order.strengths
        return sum(suits[other] == suits[card] and strengths[other] > strengths[card] for other in self.unseen)

    def count_lower_unseen(self, card: Card) -> int:
        """Count the unseen cards of its suit that are lower."""
        suits, strengths = self.order.suits, self.order.strengths
        return sum(suits[other] == suits[card] and strengths[other] < strengths[card] for other in self.unseen)

    def can_hold(self, seat: Seat, suit: str | None) -> bool:
        """Return whether a seat may have cards of this suit: some are unseen, and it has followed suit so
        far."""
        suits = self.order.suits
        if not any(suits[card] == suit for card in self.unseen):
            return False
        return all(
            suits[card] == suit
            for trick in self.play.tricks
            for player, card in trick
            if player == seat and suits[trick[0][1]] == suit
        )
