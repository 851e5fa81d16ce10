"""The two sides of a match, as every part of the screen names them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from clubs.name_formats import add_partners, join_names
from rules import MatchState, Seat, Side, get_side
from scoring.models import Match
from web.names import disambiguate_names, list_surname_forms

COLOURS = {Side.A: "blue", Side.B: "orange"}
_SIDE_NAMES = {Side.A: _("blue side"), Side.B: _("orange side")}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerView:
    """A player at the table.

    ``surname`` has as much of the first name as tells the four apart. ``first_name`` is longer if another
    player has the same: the whole name, or the partner's too.
    """

    name: str
    surname: str
    first_name: str
    seat: Seat
    deals: bool


@dataclass(frozen=True, kw_only=True)
class SideView:
    """A side: its players and its score in the running game.

    ``short`` is ``Roy and Dubé``, or ``J. Roy and Dubé`` if another Roy sits at the table.
    """

    side: Side
    players: tuple[PlayerView, ...]
    short: str
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
    def full(self) -> str:
        """Names of the players in full: ``Jeannine Roy and Marcel Dubé``."""
        return join_names(self.names)


def build_sides(match: Match, state: MatchState) -> tuple[SideView, SideView]:
    names = {
        side: {
            Seat(player.seat): player.person.name
            for player in match.seated_players
            if get_side(Seat(player.seat)) is side
        }
        for side in Side
    }
    # Another Roy at the table may be anybody's partner.
    surnames = disambiguate_names(
        {seat: list_surname_forms(name) for players in names.values() for seat, name in players.items()}
    )
    short = disambiguate_names(
        {side: _iter_side_names(side, [surnames[seat] for seat in players]) for side, players in names.items()}
    )
    first_names = disambiguate_names(
        {seat: _iter_player_names(seat, players) for players in names.values() for seat in players}
    )
    blue, orange = (
        SideView(
            side=side,
            players=tuple(
                PlayerView(
                    name=name,
                    surname=surnames[seat],
                    first_name=first_names[seat],
                    seat=seat,
                    deals=seat == state.dealer,
                )
                for seat, name in players.items()
            ),
            short=short[side],
            total=state.game.points[side],
            games_won=state.games_won[side],
        )
        for side, players in names.items()
    )
    return blue, orange


def _iter_side_names(side: Side, surnames: Sequence[str]) -> Iterator[str]:
    """Yield ``Roy and Dubé``, then the form with the colour, for sides with equal names."""
    short = join_names(surnames)
    yield short
    yield f"{short} ({_SIDE_NAMES[side]})"


def _iter_player_names(seat: Seat, side: Mapping[Seat, str]) -> Iterator[str]:
    """Yield ``Jean``, then the full name, the name with the partner's, and the name with the colour."""
    name = side[seat]
    first_name = _get_first_name(name)
    yield first_name
    yield name
    yield add_partners(first_name, [_get_first_name(other_name) for place, other_name in side.items() if place != seat])
    yield f"{first_name} ({_SIDE_NAMES[get_side(seat)]})"


def _get_first_name(name: str) -> str:
    return name.partition(" ")[0]
