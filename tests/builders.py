"""Build clubs, nights and matches for tests, through the services that the pages call."""

import datetime
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import count
from typing import Any
from uuid import UUID, uuid4

import pytest

from clubs.models import Account, Club
from clubs.services.accounts import create_account, make_owner
from clubs.services.clubs import create_club
from clubs.services.people import find_or_add_people
from clubs.services.people_import import IMPORT, run_people_import, start_people_import
from engine.draws import DrawInput
from engine.results import build_draw_input
from errors import Refusal
from jobs.models import Job
from jobs.pieces import ignore_progress
from rules import CANADIAN, MatchFormat, Ruleset, match_format_to_json, ruleset_to_json
from scoring.models import Mark, Match, Terms
from scoring.services.cards import issue_cards
from scoring.services.marks import record_hand
from scoring.services.matches import Seats, open_matches
from tests.saved_states import saved_state
from tournaments.entries.services.check_in import leave_out_entry
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.creation import create_event
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event, Round
from tournaments.rounds.queries.event_snapshot import read_event_snapshot
from tournaments.rounds.services.rounds import close_round, draw_round, publish_round
from tournaments.standings.services import refresh_standings

ONE_GAME = MatchFormat(games_to_win=1)
TWO_GAMES = MatchFormat(games_to_win=2)
FIFTY_MINUTES = MatchFormat(minutes=50)
PASSWORD = "trente-deux points"
TUESDAY = datetime.date(2026, 11, 17)

FIRST_NAMES = ("Agathe", "Bruno", "Cécile", "Donat", "Édith", "Fernand", "Ghislaine", "Hervé")
SURNAMES = ("Albert", "Bérubé", "Caron", "Dumont", "Émond", "Fortin", "Gagnon", "Hudon", "Isabelle", "Jean")

_numbers = count(os.getpid() * 10_000)
"""Different in each process: saved states pass from one process to another, and names must differ."""


def build_account(name: str = "") -> Account:
    """Create an account, under a name that no other account has."""
    return create_account(name=name or f"Director {next(_numbers)}", password=PASSWORD, language="en")


def build_club(name: str = "Les Joyeux Atouts", *, owner: Account | None = None) -> Club:
    club = create_club(name=name, language="en")
    if owner is not None:
        make_owner(club=club, account=owner)
    return club


def import_people(**values: Any) -> int:
    """Import people from a list at once, however many there are; return how many are new."""
    started = start_people_import(**values)
    if isinstance(started, int):
        return started
    started.delete()
    club = run_people_import(started.key, ignore_progress)
    assert club is not None
    return int(club.actions.filter(kind=IMPORT).latest("pk").details["count"])


def build_player_names(pairs: int, *, size: int = 2) -> dict[int, tuple[str, ...]]:
    """Return names for the entries 1 to ``pairs``, all different."""

    def name(number: int, place: int) -> str:
        first, second = FIRST_NAMES[place + 2 * (number % 4)], FIRST_NAMES[number // 40]
        return f"{first}-{second} {SURNAMES[number // 4 % 10]}"

    return {number: tuple(name(number, place) for place in range(size)) for number in range(1, pairs + 1)}


@saved_state
def build_event(
    pairs: int = 4,
    *,
    club: Club | None = None,
    ruleset: Ruleset = CANADIAN,
    match_format: MatchFormat = ONE_GAME,
    tables: int | None = None,
    details: Collection[str] = (),
    draw_format: str = "random",
    stages: Sequence[Mapping[str, Any]] = (),
) -> Event:
    """Create a club night in preparation, with pairs, or with people where the format draws partners."""
    event = create_event(
        club=club or build_club(),
        name="Soirée du mardi",
        held_on=TUESDAY,
        ruleset=ruleset,
        match_format=match_format,
        table_count=max(1, pairs // 2) if tables is None else tables,
        details=details,
        stages=stages or [{"format": draw_format}],
    )
    add_entries(event_id=event.pk, entries=build_player_names(pairs, size=event.entry_size))
    return event


@saved_state
def build_running_night(pairs: int = 4, **settings: Any) -> Event:
    """Create a club night in the middle of its first round."""
    event = start_event(event_id=build_event(pairs, **settings).pk)
    start_next_round(event)
    return event


@saved_state
def build_played_night(pairs: int = 4, **settings: Any) -> Event:
    """Create a club night whose first round is played and closed."""
    event = build_running_night(pairs, **settings)
    play_round(event)
    return event


def build_night_with_absentee(number: int) -> Event:
    """Play a round of a night of five pairs without pair ``number``, which is late."""
    event = build_event(5)
    leave_out_entry(event_id=event.pk, number=number, is_coming=True)
    start_event(event_id=event.pk)
    start_next_round(event)
    play_round(event)
    return event


def start_next_round(event: Event, *, seed: int = 1) -> Round:
    """Draw and publish the next round."""
    drawn = draw_round(event_id=event.pk, seed=seed)
    return publish_round(event_id=event.pk, number=drawn.number)


def matches_of(event: Event, number: int = 1) -> list[Match]:
    """Return the matches of a round, by table."""
    return list(Match.objects.filter(table__round__event=event, table__round__number=number).order_by("table__number"))


def play_round(event: Event, number: int = 1) -> None:
    """Let side A win at every table, then close the round."""
    for match in matches_of(event, number):
        win(match)
    close_round(event_id=event.pk, number=number)


def get_draw_input(event: Event, *, seed: int = 1) -> DrawInput:
    """Return the input of a draw of the next round."""
    return build_draw_input(read_event_snapshot(event), seed=seed)


def compute_standings(event: Event) -> list[dict[str, Any]]:
    """Compute the standings at once, as the worker would, and return their rows."""
    Job.objects.filter(kind="refresh_standings", key=str(event.pk)).delete()
    rows: list[dict[str, Any]] = refresh_standings(event_id=event.pk).rows
    return rows


@saved_state
def build_match(ruleset: Ruleset = CANADIAN, match_format: MatchFormat = ONE_GAME) -> Match:
    """Open a match at a table of its own, outside any event."""
    club = build_club()
    (card,) = issue_cards(club=club, topic=f"evening:{club.pk}", count=1)
    terms = Terms.objects.create(ruleset_data=ruleset_to_json(ruleset), format_data=match_format_to_json(match_format))
    people = find_or_add_people(club=club, full_names=FIRST_NAMES[: ruleset.seats])
    seats = Seats(card=card, players=[person.pk for person in people])
    return open_matches(terms=terms, round_number=1, seats=[seats])[0]


def parse_hand(text: str) -> dict[str, Any]:
    """Parse a hand as people say it.

    Examples: ``A 6 7`` (tricks), ``B mulot failed``, ``A 6 made awarded``, ``misdeal``, ``totals 34 12``, ``totals 20
    12 A`` (side A won).
    """
    words = text.removesuffix(" awarded").split()
    ruling = {"awarded": "true"} if text.endswith(" awarded") else {}
    if words[0] == "totals":
        return dict(zip(("kind", "points_a", "points_b", "winner"), words, strict=False)) | ruling
    if len(words) == 1:
        return {"kind": words[0]}
    side, contract, result = words
    return {"side": side, "contract": contract, "tricks" if result.isdigit() else "outcome": result} | ruling


def mark(
    match: Match,
    text: str,
    *,
    number: int | None = None,
    key: UUID | None = None,
    replaced: Mark | None = None,
    director: Account | None = None,
    **options: Any,
) -> Mark:
    """Record a hand in the next place, at ``number`` or in place of ``replaced``. A director gives a reason."""
    if number is None:
        number = get_next_number(match) if replaced is None else replaced.number
    if director is not None:
        options = {"reason": "The table asked."} | options
    return record_hand(
        match_id=match.pk,
        entry_key=key or uuid4(),
        number=number,
        hand=parse_hand(text),
        supersedes=None if replaced is None else replaced.entry_key,
        account=director,
        **options,
    )


def play(match: Match, *hands: str) -> list[Mark]:
    """Record the hands one after the other."""
    return [mark(match, text) for text in hands]


def win(match: Match, side: str = "A") -> list[Mark]:
    """Let ``side`` win a match of one game by the Canadian rules, in two hands: 32 to 6."""
    return play(match, f"{'B' if side == 'A' else 'A'} 6 made", f"{side} gros_charlemagne made")


def get_next_number(match: Match) -> int:
    return int(reload_match(match).summary["next"])


def reload_match(match: Match) -> Match:
    """Return the match as the database has it now."""
    return Match.objects.select_related("terms", "card").get(pk=match.pk)


def get_score(match: Match) -> list[int]:
    """Return the totals of the running game, side A first."""
    running: list[int] = reload_match(match).summary["running"]
    return running


def list_statuses(match: Match) -> list[tuple[int, str]]:
    """Return the number and status of each mark, in the order in which they were written."""
    return list(match.marks.order_by("pk").values_list("number", "status"))


def get_refusal(call: Callable[..., object], *arguments: Any, **kwargs: Any) -> Refusal:
    """Call the function and return the refusal that it raises."""
    with pytest.raises(Refusal) as caught:
        call(*arguments, **kwargs)
    return caught.value


def get_refusal_code(call: Callable[..., object], *arguments: Any, **kwargs: Any) -> str:
    """Call the function and return the code of the refusal that it raises."""
    return get_refusal(call, *arguments, **kwargs).code
