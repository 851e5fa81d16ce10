"""Claims: the tricks that a side can still take if every card is known and both sides play their best.

The search represents cards as bits, each suit a run of them, low to high, and the trumps above the others. It
answers one question: can the seats that want it make the declaring side take so many of the tricks left?
Results between two tricks are cached.

=========  =============================  ===========================================================
document   section                        here
=========  =============================  ===========================================================
RULES §3   following suit, Mulot, tricks  ``_Search``: the same as ``obligation`` and ``winner_of``
RULES §2   contracts to take no trick     each side wants few tricks: ``_wants_few``
RULES D9   irregularities                 no document rules on claims: an answer for whoever does
=========  =============================  ===========================================================
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from errors import Refusal

from .cards import Card, CardOrder
from .contracts import TRICKS
from .play import Play, Trick
from .seats import Seat, Side, side_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The answer to a claim. If it fails against the best defence, ``line`` shows how: the cards with their
    seats, from here on, both sides playing their best, to the end of the trick that decides."""

    is_certain: bool
    line: Trick = ()


def sure_tricks(play: Play) -> int:
    """Return how many of the tricks left the declaring side takes if both sides play their best, all hands
    open.

    The trick on the table is one of them. In a contract to take none, the declaring side plays for few
    tricks, and the others to have it take many.
    """
    return _Search.of(play).value(play)


def claim(play: Play, side: Side, *, tricks: int | None = None) -> Claim:
    """Decide whether this side is certain to take at least so many of the tricks left (None: all of them); in
    a contract to take none, at most so many (None: none of them). The side that claims plays its best.

    Refuses: tricks_out_of_range.
    """
    left, few, declares = tricks_left(play), _wants_few(play), side is side_of(play.declarer)
    if tricks is None:
        tricks = 0 if few else left
    if not 0 <= tricks <= left:
        raise Refusal("tricks_out_of_range", field="tricks", most=left)
    goal = tricks if declares else left - tricks
    search = _Search.of(play)
    if declares is not few:
        is_certain, deciding = search.reaches(play, goal), range(goal)
    else:
        is_certain, deciding = not search.reaches(play, goal + 1), range(goal + 1, left + 1)
    return Claim(is_certain=is_certain, line=() if is_certain else tuple(_line(search, play, deciding)))


def tricks_left(play: Play) -> int:
    """Return the number of tricks to come, including the one on the table."""
    return (sum(len(hand) for hand in play.hands) + len(play.trick)) // len(play.active)


def _wants_few(play: Play) -> bool:
    return play.contract.most < TRICKS


def _line(search: "_Search", play: Play, results: range) -> Iterator[tuple[Seat, Card]]:
    """Yield the cards of best play by both sides. It stops once the declaring side is certain to take one of
    these numbers of tricks, whatever is played."""
    before = play.tricks_of_declarer
    while True:
        taken = play.tricks_of_declarer - before
        if taken in results and taken + tricks_left(play) in results:
            return
        card = search.best_card(play)
        yield play.turn, card
        play = play.play_card(card)


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
    def of(cls, play: Play) -> "_Search":
        order = play.order
        bits = _bits(order)
        masks: dict[str, int] = {}
        for card, bit in bits.items():
            masks[order.suits[card]] = masks.get(order.suits[card], 0) | bit
        declares = tuple(side_of(seat) is side_of(play.declarer) for seat in play.active)
        few = _wants_few(play)
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

    def value(self, play: Play) -> int:
        """Return how many of the tricks left the declaring side takes, both sides playing their best."""
        left = tricks_left(play)
        return next(goal for goal in range(left, -1, -1) if self.reaches(play, goal))

    def best_card(self, play: Play) -> Card:
        """Return a card with which the seat in turn gets its best result."""
        pushes = self.pushes[self.active.index(play.turn)]
        before = play.tricks_of_declarer

        def worth(card: Card) -> int:
            after = play.play_card(card)
            value = after.tricks_of_declarer - before + self.value(after)
            return value if pushes else -value

        return max(play.obligation.cards, key=worth)

    def reaches(self, play: Play, goal: int) -> bool:
        """Return whether the declaring side can be made to take so many of the tricks left."""
        hands = [sum(self.bits[card] for card in play.hands[seat]) for seat in self.active]
        table = [(self.active.index(seat), self.bits[card]) for seat, card in play.trick]
        place, left = self.active.index(play.turn), tricks_left(play)
        if not table:
            return self._from(hands, place, goal, left)
        led = self.suits[table[0][1]]
        best, winner = max((bit, place) for place, bit in table if bit & (led | self.trumps))
        on_table = sum(bit for _, bit in table)
        return self._within(hands, place, goal, left, led, best, winner, on_table)

    def _from(self, hands: list[int], leader: int, goal: int, left: int) -> bool:
        """Return whether the goal can be reached from a position between two tricks."""
        if goal <= 0 or goal > left:
            return goal <= 0
        key = (leader, *hands)
        least, most = self.bounds.get(key, (0, left))
        if goal <= least or goal > most:
            return goal <= least
        found = self._within(hands, leader, goal, left, 0, 0, leader, 0)
        self.bounds[key] = (goal, most) if found else (least, goal - 1)
        return found

    def _within(
        self, hands: list[int], place: int, goal: int, left: int, led: int, best: int, winner: int, table: int
    ) -> bool:
        """Return whether the goal can be reached within a trick: ``led`` is the suit led, ``best`` the card
        that wins so far."""
        mine = hands[place]
        pushes = self.pushes[place]
        is_last = table.bit_count() == len(hands) - 1
        after = place + 1 if place + 1 < len(hands) else 0
        for bit in self._candidates(hands, place, led, best, winner, table):
            suit = led or self.suits[bit]
            wins = bit > best and bit & (suit | self.trumps)
            best_now, winner_now = (bit, place) if wins else (best, winner)
            hands[place] = mine ^ bit
            if is_last:
                found = self._from(hands, winner_now, goal - self.declares[winner_now], left - 1)
            else:
                found = self._within(hands, after, goal, left, suit, best_now, winner_now, table | bit)
            hands[place] = mine
            if found is pushes:
                return found
        return not pushes

    def _candidates(
        self, hands: list[int], place: int, led: int, best: int, winner: int, table: int
    ) -> list[int]:
        """Return legal cards, one of each run of equivalent cards, the most promising first."""
        mine = hands[place]
        legal = mine
        if led:
            legal = mine & led or (self.must_trump and mine & self.trumps) or mine
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
        own_wins = led and self.declares[winner] is self.declares[place]
        if self.few or own_wins:
            found.reverse()
        return found


def _bits(order: CardOrder) -> dict[Card, int]:
    """Return each card's bit: suit by suit, rising in strength, trumps last."""
    suits = order.suits
    cards = sorted(suits, key=lambda card: (suits[card] == order.trumps, suits[card], order.strengths[card]))
    return {card: 1 << place for place, card in enumerate(cards)}
