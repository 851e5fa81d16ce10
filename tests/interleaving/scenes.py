"""The moments at which any two services meet."""

from collections.abc import Callable

from tests.interleaving.calls import Scene
from tests.interleaving.moments_of_a_club import people_come_in, the_club_is_kept
from tests.interleaving.moments_of_a_federation import a_federation_is_kept
from tests.interleaving.moments_of_a_night import (
    a_round_is_played,
    all_tables_are_over,
    between_two_rounds,
    the_event_is_over,
)
from tests.interleaving.moments_of_a_phone import a_phone_is_told_its_table

SCENES: tuple[Callable[[], Scene], ...] = (
    a_round_is_played,
    all_tables_are_over,
    between_two_rounds,
    the_event_is_over,
    people_come_in,
    the_club_is_kept,
    a_federation_is_kept,
    a_phone_is_told_its_table,
)
