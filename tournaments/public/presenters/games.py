"""Hands played at a table, by game."""

from collections import defaultdict
from dataclasses import dataclass

from rules import Pair, Record
from scoring.models import Match
from scoring.presenters.lines import HandLineView
from scoring.presenters.sides import COLOURS
from scoring.presenters.table import table_screen


@dataclass(frozen=True, slots=True, kw_only=True)
class HandView:
    """A line of the score sheet: the bidder and the side that gains, by colour, "" for none.

    The side that gains by a contract that ``ends_game`` wins the game. ``points`` are those of the game after
    the hand, None while two marks for it differ.
    """

    number: int
    record: Record
    bidder: str
    gainer: str
    gained: int
    ends_game: bool
    points: Pair | None
    is_corrected: bool
    is_surplus: bool

    @property
    def is_contested(self) -> bool:
        return self.points is None

    @property
    def counts(self) -> bool:
        """Whether the hand counts: the phones agree on it, and it comes before the end of the match."""
        return not (self.is_contested or self.is_surplus)


@dataclass(frozen=True, slots=True, kw_only=True)
class GameHands:
    """A game with its hands in order. ``winner`` is a colour, "" while it is played, and ``bonus_points`` are the
    points that winning it adds."""

    number: int
    hands: tuple[HandView, ...]
    points: Pair
    winner: str
    bonus_points: int


def list_games(match: Match | None) -> tuple[GameHands, ...]:
    """Return the hands of a match by game, first to last; none without a match. No query."""
    if match is None:
        return ()
    screen = table_screen(match)
    hands_by_game: dict[int, list[HandView]] = defaultdict(list)
    games = {game.number: game for game in (*screen.state.games, screen.state.game)}
    number, has_ended = 1, False
    for hand, line in ((_build_hand_view(line), line.line) for line in screen.lines):
        if has_ended and not hand.is_surplus:
            number, has_ended = number + 1, False
        hands_by_game[number].append(hand)
        has_ended = has_ended or (line is not None and line.ends_game)
    return tuple(
        GameHands(
            number=number,
            hands=tuple(hands),
            points=games[number].points,
            winner="" if (winning_side := games[number].winner) is None else COLOURS[winning_side],
            bonus_points=max(screen.state.get_bonus_points(games[number])),
        )
        for number, hands in hands_by_game.items()
    )


def _build_hand_view(line: HandLineView) -> HandView:
    is_surplus = line.line is not None and line.line.is_surplus
    gains = (line.gained or line.ends_game) and not is_surplus
    return HandView(
        number=line.number,
        record=line.record,
        bidder=line.bidder.colour if line.bidder else "",
        gainer=line.gainer.colour if line.gainer and gains else "",
        gained=line.gained,
        ends_game=line.ends_game,
        points=line.line.game.points if line.line else None,
        is_corrected=line.is_corrected,
        is_surplus=is_surplus,
    )
