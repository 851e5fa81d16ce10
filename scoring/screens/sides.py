"""The two sides of a match, as every part of the screen names them."""

from dataclasses import dataclass
from functools import cached_property

from clubs.names import short_names
from clubs.wording import by_surname, joined
from rules import MatchState, Seat, Side, side_of
from scoring.models import Match

COLOURS = {Side.A: "blue", Side.B: "orange"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    name: str
    seat: Seat
    deals: bool

    @property
    def first_name(self) -> str:
        return self.name.partition(" ")[0]


@dataclass(frozen=True, kw_only=True)
class SideView:
    """One side: who they are, and where they stand in the running game."""

    side: Side
    players: tuple[PlayerView, ...]
    total: int
    games_won: int

    @property
    def letter(self) -> str:
        return self.side.name

    @property
    def colour(self) -> str:
        return COLOURS[self.side]

    @cached_property
    def names(self) -> list[str]:
        return [player.name for player in self.players]

    @cached_property
    def short(self) -> str:
        """``Roy and Dubé``."""
        return by_surname(self.names)

    @cached_property
    def full(self) -> str:
        """``Jeannine Roy and Marcel Dubé``."""
        return joined(self.names)

    @cached_property
    def surnames(self) -> list[str]:
        return short_names(self.names)


def sides_of(match: Match, state: MatchState) -> tuple[SideView, SideView]:
    players = [
        PlayerView(name=player.person.name, seat=Seat(player.seat), deals=player.seat == state.dealer)
        for player in match.players.all()
    ]
    blue, orange = (
        SideView(
            side=side,
            players=tuple(player for player in players if side_of(player.seat) is side),
            total=state.game.points[side],
            games_won=state.games_won[side],
        )
        for side in Side
    )
    return blue, orange
