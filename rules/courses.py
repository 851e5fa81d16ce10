"""The course of a hand, in as much detail as was written down: deal, calls, preparation, cards played.

=========  =============================  =============================================================
document   section                        here
=========  =============================  =============================================================
P, G, J    the order of a hand            deal, auction, preparation, play: ``HandCourse``
J          Variante à deux joueurs        the deal of two is the hands that they drew
RULES §3   who plays when                 follows from the rules: ``HandCourse.plays`` holds only cards
RULES D8   play stops once it is decided  ``CourseState.possible_tricks``
=========  =============================  =============================================================
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from errors import Refusal

from .auction import Auction, AuctionOutcome, Call
from .cards import Card, get_pack
from .contracts import TRICKS
from .dealing import DealtCards, check_seat
from .play import Play
from .preparation import Preparation, prepare_play
from .rulesets import Ruleset
from .seats import Seat, Suit


@dataclass(frozen=True, slots=True, kw_only=True)
class HandCourse:
    """The course of one hand. Each part needs the ones before it, but the calls may be given without the
    deal.

    ``plays`` are the cards in the order in which they were played; they may stop early, if the contract was
    decided, claimed or conceded. A hand with a renege is written down without its plays.
    """

    dealt: DealtCards | None = None
    calls: tuple[Call, ...] | None = None
    preparation: Preparation | None = None
    plays: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseState:
    """The result of a course: its auction, and its play as far as the cards are given."""

    auction: Auction | None = None
    play: Play | None = None

    @property
    def outcome(self) -> AuctionOutcome | None:
        """The result of the auction; None if the calls are not given, and if it is passed out."""
        return None if self.auction is None else self.auction.outcome

    @property
    def trump(self) -> Suit | None:
        """The trump suit, as far as the course tells it; None if there is none."""
        if self.play is None:
            return None if self.outcome is None else self.outcome.trump
        return next((suit for suit in Suit if suit == self.play.order.trumps), None)

    @property
    def possible_tricks(self) -> range:
        """The possible final tricks of the declaring side: those it has, and those left."""
        if self.play is None:
            return range(TRICKS + 1)
        remaining = TRICKS - len(self.play.tricks)
        return range(self.play.declarer_tricks, self.play.declarer_tricks + remaining + 1)


def follow_course(ruleset: Ruleset, course: HandCourse, *, dealer: Seat) -> CourseState:
    """Follow the course, if every step of it is legal, and return its auction and play.

    Refuses, with the part as the field (``course.dealt``, ``course.calls``, ``course.preparation``,
    ``course.plays``) and ``at`` for the place of a call or a card, from 0: course_is_empty, part_missing,
    no_such_seat, wrong_deal, no_such_card, card_twice, auction_not_over, passed_out, and what ``Auction``,
    ``prepare_play`` and ``Play`` refuse.
    """
    _check_parts(course)
    check_seat(ruleset, dealer, field="dealer")
    if course.dealt is not None:
        _check_deal(ruleset, course.dealt)
    auction = None if course.calls is None else _build_auction(ruleset, course.calls, dealer=dealer)
    dealt, choices = course.dealt, course.preparation
    if auction is None or dealt is None or choices is None:
        return CourseState(auction=auction)
    if auction.outcome is None:
        raise Refusal("passed_out", field="course.preparation")
    play = _prepare_play(ruleset, dealt, auction.outcome, choices)
    for place, card in enumerate(course.plays):
        with _locate_refusal("plays", at=place):
            play = play.add_card(play.turn, card)
    return CourseState(auction=auction, play=play)


def _check_parts(course: HandCourse) -> None:
    missing = [part for part in ("dealt", "calls", "preparation") if getattr(course, part) is None]
    if len(missing) == 3 and not course.plays:
        raise Refusal("course_is_empty", field="course")
    needed = ("dealt", "calls", "preparation") if course.plays else ("dealt", "calls")
    if course.plays or course.preparation is not None:
        for part in needed:
            if part in missing:
                raise Refusal("part_missing", field=f"course.{part}", part=part)


def _check_deal(ruleset: Ruleset, dealt: DealtCards) -> None:
    """Check the deal: the whole pack, or in a game of two without the cards out of play."""
    sizes = [len(hand) for hand in (*dealt.hands, dealt.kitty)]
    if sizes != [TRICKS] * ruleset.seats + [ruleset.kitty]:
        raise Refusal("wrong_deal", field="course.dealt", hands=ruleset.seats, cards=TRICKS, kitty=ruleset.kitty)
    undealt = set(get_pack(ruleset.trump_order))
    for card in (card for hand in (*dealt.hands, dealt.kitty) for card in hand):
        if card not in undealt:
            is_twice = card in get_pack(ruleset.trump_order)
            raise Refusal("card_twice" if is_twice else "no_such_card", field="course.dealt", card=card)
        undealt.remove(card)


def _build_auction(ruleset: Ruleset, calls: tuple[Call, ...], *, dealer: Seat) -> Auction:
    auction = Auction(ruleset=ruleset, dealer=dealer)
    for place, call in enumerate(calls):
        with _locate_refusal("calls", at=place):
            auction = auction.add_call(auction.turn, call)
    if not auction.is_over:
        raise Refusal("auction_not_over", field="course.calls", calls=len(calls), seats=ruleset.seats)
    return auction


def _prepare_play(ruleset: Ruleset, dealt: DealtCards, outcome: AuctionOutcome, choices: Preparation) -> Play:
    with _locate_refusal("preparation"):
        play = prepare_play(ruleset, dealt, outcome, choices)
    if choices.defender is not None and choices.defender not in play.active:
        raise Refusal("no_such_seat", field="course.preparation", seats=ruleset.seats)
    return play


@contextmanager
def _locate_refusal(part: str, **details: Any) -> Iterator[None]:
    """Add to a refusal the part of the course, and the place in it."""
    try:
        yield
    except Refusal as refusal:
        raise Refusal(refusal.code, field=f"course.{part}", **refusal.details | details) from None
