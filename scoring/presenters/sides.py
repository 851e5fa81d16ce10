"""The two sides of a match, as every part of the screen names them."""

from dataclasses import dataclass
from functools import cached_property

from clubs.wording import by_surname, join_names
from rules import MatchState, Seat, Side, side_of
from scoring.models import Match
from web.names import first_names_apart, short_names

COLOURS = {Side.A: "blue", Side.B: "orange"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """Somebody at the table; ``surname`` with as much of the first name as tells partners apart.
    ``first_name`` is the whole name where another of the table has the same."""

    name: str
    surname: str
    first_name: str
    seat: Seat
    deals: bool


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
        return join_names(self.names)


def sides_of(match: Match, state: MatchState) -> tuple[SideView, SideView]:
    blue, orange = (
        SideView(
            side=side,
            players=_players_of(match, side, state.dealer),
            total=state.game.points[side],
            games_won=state.games_won[side],
        )
        for side in Side
    )
    return blue, orange


def _players_of(match: Match, side: Side, dealer: Seat) -> tuple[PlayerView, ...]:
    table = match.players.all()
    players = [player for player in table if side_of(Seat(player.seat)) is side]
    first_names = dict(zip(table, first_names_apart([player.person.name for player in table]), strict=True))
    surnames = short_names([player.person.name for player in players])
    return tuple(
        PlayerView(
            name=player.person.name,
            surname=surname,
            first_name=first_names[player],
            seat=Seat(player.seat),
            deals=player.seat == dealer,
        )
        for player, surname in zip(players, surnames, strict=True)
    )
