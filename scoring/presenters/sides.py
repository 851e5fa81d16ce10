"""The two sides of a match, as every part of the screen names them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext_lazy as _

from clubs.wording import join_names, with_partners
from rules import MatchState, Seat, Side, side_of
from scoring.models import Match
from web.names import forms_of_surname, tell_apart

COLOURS = {Side.A: "blue", Side.B: "orange"}
_CALLED = {Side.A: _("blue side"), Side.B: _("orange side")}


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


def sides_of(match: Match, state: MatchState) -> tuple[SideView, SideView]:
    names = {
        side: {
            Seat(player.seat): player.person.name
            for player in match.seated_players
            if side_of(Seat(player.seat)) is side
        }
        for side in Side
    }
    # Another Roy at the table may be anybody's partner.
    surnames = tell_apart(
        {seat: forms_of_surname(name) for those in names.values() for seat, name in those.items()}
    )
    short = tell_apart(
        {side: _forms_of_side(side, [surnames[seat] for seat in those]) for side, those in names.items()}
    )
    first_names = tell_apart(
        {seat: _forms_of_player(seat, those) for those in names.values() for seat in those}
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
                for seat, name in those.items()
            ),
            short=short[side],
            total=state.game.points[side],
            games_won=state.games_won[side],
        )
        for side, those in names.items()
    )
    return blue, orange


def _forms_of_side(side: Side, surnames: Sequence[str]) -> Iterator[str]:
    """Yield ``Roy and Dubé``, then the form with the colour, for sides with equal names."""
    short = join_names(surnames)
    yield short
    yield f"{short} ({_CALLED[side]})"


def _forms_of_player(seat: Seat, side: Mapping[Seat, str]) -> Iterator[str]:
    """Yield ``Jean``, then the full name, the name with the partner's, and the name with the colour."""
    name = side[seat]
    first = _first_name(name)
    yield first
    yield name
    yield with_partners(first, [_first_name(other) for place, other in side.items() if place != seat])
    yield f"{first} ({_CALLED[side_of(seat)]})"


def _first_name(name: str) -> str:
    return name.partition(" ")[0]
