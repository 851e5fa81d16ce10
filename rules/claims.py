"""Claims: the tricks that a side can still take if every card is known and both sides play their best.

The search represents cards as bits, each suit a run of them, low to high, and the trumps above the others. It
answers one question: can the seats that want it make the declaring side take so many of the tricks left?
Results between two tricks are cached.

=========  =============================  ===========================================================
document   section                        here
=========  =============================  ===========================================================
RULES §3   following suit, Mulot, tricks  ``_Search``: as ``get_obligation`` and ``get_trick_winner``
RULES §2   contracts to take no trick     each side wants few tricks: ``_is_avoidance_contract``
RULES D9   irregularities                 no document rules on claims: advice for a ruling
=========  =============================  ===========================================================
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from errors import Refusal

from .cards import Card, CardOrder
from .contracts import TRICKS
from .play import Play, Trick
from .seats import Seat, Side, get_side


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The answer to a claim. If it fails against the best defence, ``line`` shows how: the cards with their
    seats, from here on, both sides playing their best, to the end of the trick that decides."""

    is_certain: bool
    line: Trick = ()


def count_sure_tricks(play: Play) -> int:
    """Return how many of the tricks left the declaring side takes if both sides play their best, all hands
    open.

    The trick on the table is one of them. In a contract to take none, the declaring side plays for few
    tricks, and the others to have it take many.
    """
    return _Search.from_play(play).count_best_tricks(play)


def decide_claim(play: Play, side: Side, *, tricks: int | None = None) -> Claim:
    """Decide whether this side is certain to take at least so many of the tricks left (None: all of them); in
    a contract to take none, at most so many (None: none of them). The side that claims plays its best.

    Refuses: tricks_out_of_range.
    """
    remaining, few, declares = count_tricks_left(play), _is_avoidance_contract(play), side is get_side(play.declarer)
    if tricks is None:
        tricks = 0 if few else remaining
    if not 0 <= tricks <= remaining:
        raise Refusal("tricks_out_of_range", field="tricks", most=remaining)
    goal = tricks if declares else remaining - tricks
    search = _Search.from_play(play)
    if declares is not few:
        is_certain, deciding_range = search.can_reach(play, goal), range(goal)
    else:
        is_certain, deciding_range = not search.can_reach(play, goal + 1), range(goal + 1, remaining + 1)
    return Claim(
        is_certain=is_certain, line=() if is_certain else tuple(_iterate_best_line(search, play, deciding_range))
    )


def count_tricks_left(play: Play) -> int:
    """Return the number of tricks to come, including the one on the table."""
    return (sum(len(hand) for hand in play.hands) + len(play.trick)) // len(play.active)


def _is_avoidance_contract(play: Play) -> bool:
    return play.contract.most < TRICKS


def _iterate_best_line(search: "_Search", play: Play, results: range) -> Iterator[tuple[Seat, Card]]:
    """Yield the cards of best play by both sides. It stops once the declaring side is certain to take one of
    these numbers of tricks, whatever is played."""
    start_tricks = play.declarer_tricks
    while True:
        taken = play.declarer_tricks - start_tricks
        if taken in results and taken + count_tricks_left(play) in results:
            return
        card = search.find_best_card(play)
        yield play.turn, card
        play = play.play_legal_card(card)


@dataclass(slots=True)
class _Search:
    """A search over the positions of one hand. ``declares`` and ``pushes`` tell of each active seat whether
    it is on the declaring side, and whether it wants that side to take many tricks; ``few`` whether both want
    few for themselves. ``bounds`` holds, by the leader and the cards left, the fewest and the most tricks
    that the declaring side can still be found to take."""

    bits: dict[Card, int]
    suits: dict[int, int]
    trumps: int
    must_trump: bool
    active: tuple[Seat, ...]
    declares: tuple[bool, ...]
    pushes: tuple[bool, ...]
    few: bool
    bounds: dict[tuple[int, ...], tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def from_play(cls, play: Play) -> "_Search":
        order = play.order
        bits = _assign_bits(order)
        masks: dict[str, int] = {}
        for card, bit in bits.items():
            masks[order.suits[card]] = masks.get(order.suits[card], 0) | bit
        declares = tuple(get_side(seat) is get_side(play.declarer) for seat in play.active)
        few = _is_avoidance_contract(play)
        return cls(
            bits=bits,
            suits={bit: masks[order.suits[card]] for card, bit in bits.items()},
            trumps=masks[order.trumps] if order.trumps else 0,
            must_trump=order.must_trump,
            active=play.active,
            declares=declares,
            pushes=tuple(declaring is not few for declaring in declares),
            few=few,
        )

    def count_best_tricks(self, play: Play) -> int:
        """Return how many of the tricks left the declaring side takes, both sides playing their best."""
        remaining = count_tricks_left(play)
        return next(goal for goal in range(remaining, -1, -1) if self.can_reach(play, goal))

    def find_best_card(self, play: Play) -> Card:
        """Return a card with which the seat in turn gets its best result."""
        pushes = self.pushes[self.active.index(play.turn)]
        start_tricks = play.declarer_tricks

        def get_value(card: Card) -> int:
            next_play = play.play_legal_card(card)
            value = next_play.declarer_tricks - start_tricks + self.count_best_tricks(next_play)
            return value if pushes else -value

        return max(play.obligation.cards, key=get_value)

    def can_reach(self, play: Play, goal: int) -> bool:
        """Return whether the declaring side can be made to take so many of the tricks left."""
        hands = [sum(self.bits[card] for card in play.hands[seat]) for seat in self.active]
        table = [(self.active.index(seat), self.bits[card]) for seat, card in play.trick]
        place, remaining = self.active.index(play.turn), count_tricks_left(play)
        if not table:
            return self._can_reach_from(hands, place, goal, remaining)
        led_suit = self.suits[table[0][1]]
        best, winner = max((bit, place) for place, bit in table if bit & (led_suit | self.trumps))
        table_cards = sum(bit for _, bit in table)
        return self._can_reach_in_trick(hands, place, goal, remaining, led_suit, best, winner, table_cards)

    def _can_reach_from(self, hands: list[int], leader: int, goal: int, remaining: int) -> bool:
        """Return whether the goal can be reached from a position between two tricks."""
        if goal <= 0 or goal > remaining:
            return goal <= 0
        key = (leader, *hands)
        least, most = self.bounds.get(key, (0, remaining))
        if goal <= least or goal > most:
            return goal <= least
        found = self._can_reach_in_trick(hands, leader, goal, remaining, 0, 0, leader, 0)
        self.bounds[key] = (goal, most) if found else (least, goal - 1)
        return found

    def _can_reach_in_trick(
        self, hands: list[int], place: int, goal: int, remaining: int, led_suit: int, best: int, winner: int, table: int
    ) -> bool:
        """Return whether the goal can be reached within a trick: ``led_suit`` is the suit led, ``best`` the card
        that wins so far."""
        mine = hands[place]
        pushes = self.pushes[place]
        is_last = table.bit_count() == len(hands) - 1
        next_place = place + 1 if place + 1 < len(hands) else 0
        for bit in self._list_candidates(hands, place, led_suit, best, winner, table):
            suit = led_suit or self.suits[bit]
            wins = bit > best and bit & (suit | self.trumps)
            best_now, winner_now = (bit, place) if wins else (best, winner)
            hands[place] = mine ^ bit
            if is_last:
                found = self._can_reach_from(hands, winner_now, goal - self.declares[winner_now], remaining - 1)
            else:
                found = self._can_reach_in_trick(
                    hands, next_place, goal, remaining, suit, best_now, winner_now, table | bit
                )
            hands[place] = mine
            if found is pushes:
                return found
        return not pushes

    def _list_candidates(
        self, hands: list[int], place: int, led_suit: int, best: int, winner: int, table: int
    ) -> list[int]:
        """Return legal cards, one of each run of equivalent cards, the most promising first."""
        mine = hands[place]
        legal = mine
        if led_suit:
            legal = mine & led_suit or (self.must_trump and mine & self.trumps) or mine
        others = table
        for hand in hands:
            others |= hand
        others ^= mine
        found, above = [], 0
        while legal:
            bit = 1 << (legal.bit_length() - 1)
            legal ^= bit
            if not (above and bit & self.suits[above] and not (above - bit) & ~bit & others):
                found.append(bit)
            above = bit
        is_own_trick = led_suit and self.declares[winner] is self.declares[place]
        if self.few or is_own_trick:
            found.reverse()
        return found


def _assign_bits(order: CardOrder) -> dict[Card, int]:
    """Return each card's bit: suit by suit, rising in strength, trumps last."""
    suits = order.suits
    cards = sorted(suits, key=lambda card: (suits[card] == order.trumps, suits[card], order.strengths[card]))
    return {card: 1 << place for place, card in enumerate(cards)}
