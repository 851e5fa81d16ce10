"""Feats told by name: the highest score, the Charlemagnes, the turning hand.

People who opted out of records are left out.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from zoneinfo import ZoneInfo

from clubs.models import Person
from engine.visibility import Results
from rules import PlayedHand, Side
from scoring.models import Match
from tournaments.models import Event
from tournaments.sharing.press import MOST_CHARLEMAGNES, Charlemagne, HighScore, TurningHand, high_score
from tournaments.sharing.queries import (
    MadeCharlemagne,
    PlayedMatch,
    Sides,
    charlemagnes_in,
    last_with_charlemagne,
    matches_with_logs,
    people_in,
    sides_of_entries,
    turn_of,
)

from .press_names import PressNames

_UNKNOWN = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Feats:
    """Feats of an event. ``charlemagnes`` are all of them with names, or only the last if there are many;
    ``charlemagnes_made`` is their number. ``turning`` is by the number of the winning entry."""

    high: HighScore | None
    charlemagnes: tuple[Charlemagne, ...]
    charlemagnes_made: int
    turning: Mapping[int, TurningHand]


def feats_of(
    event: Event, played: Sequence[PlayedMatch], names: PressNames, firsts: Collection[int]
) -> Feats:
    """Return the feats in matches whose results everybody sees. ``firsts`` are the numbers of the entries
    whose turning hands are wanted. Five queries at most."""
    shown = {one.match: one for one in played if event.visible.results_in(one.round) is Results.HANDS}
    won = _matches_won(event, shown.values(), firsts)
    with_hands = {pk for pk, one in shown.items() if one.charlemagnes}
    number_made = sum(one.charlemagnes for one in shown.values())
    if number_made > MOST_CHARLEMAGNES:
        with_hands = last_with_charlemagne(with_hands, MOST_CHARLEMAGNES)
    most = max((max(one.outcome["points"]) for one in played if one.outcome), default=0)
    best = {one.match for one in played if one.outcome and max(one.outcome["points"]) == most}
    of_winners = {one.match for _, one, _ in won}
    logs = matches_with_logs(with_hands | of_winners)
    people = people_in(best | with_hands | of_winners)
    made = charlemagnes_in(logs[pk] for pk in shown if pk in with_hands)
    turning: dict[int, TurningHand] = {}
    for number, one, side in won:
        turn = _turning_hand(one, logs[one.match], side, people[one.match][side], names)
        if turn is not None and (number not in turning or turn.swing > turning[number].swing):
            turning[number] = turn
    return Feats(
        high=_high(most, [one for one in played if one.match in best], people, names),
        charlemagnes=_charlemagnes(event, made, shown, people, names),
        charlemagnes_made=number_made,
        turning=turning,
    )


def _matches_won(
    event: Event, played: Iterable[PlayedMatch], firsts: Collection[int]
) -> list[tuple[int, PlayedMatch, Side]]:
    """Return the matches that these entries won, with their side, round by round. Without the director's
    rulings, and matches where two phones differ. One query, or none."""
    sides = sides_of_entries(event, firsts)
    return [
        (number, one, side)
        for one in played
        if one.outcome and not one.is_ruled and not one.has_rivals
        for number, side in sides.get(one.match, {}).items()
        if one.outcome["winner"] == side.name
    ]


def _turning_hand(
    played: PlayedMatch, match: Match, side: Side, seated: Sequence[Person], names: PressNames
) -> TurningHand | None:
    turn, who = turn_of(match), names.of_a_feat(seated)
    hand = None if turn is None else turn.line.record
    if turn is None or not isinstance(hand, PlayedHand) or who is None:
        return None
    before, after = (chance.percentages[2 * side] for chance in (turn.before, turn.after))
    return TurningHand(
        who=who,
        round=played.round,
        table=played.table,
        hand=turn.line.number,
        contract=hand.contract,
        is_made=hand.side is side,
        chances=(before, after),
    )


def _high(
    most: int, best: Iterable[PlayedMatch], people: Mapping[int, Sides], names: PressNames
) -> HighScore | None:
    """Return the highest score; people who made it more than once are named once, namesakes separately."""
    made = {
        frozenset(person.pk for person in side): side
        for one in best
        if one.outcome
        for points, side in zip(one.outcome["points"], people[one.match], strict=True)
        if points == most
    }
    return high_score((most, who) for side in made.values() if (who := names.of_a_feat(side)) is not None)


def _charlemagnes(
    event: Event,
    made: Iterable[MadeCharlemagne],
    played: Mapping[int, PlayedMatch],
    people: Mapping[int, Sides],
    names: PressNames,
) -> tuple[Charlemagne, ...]:
    """Return the Charlemagnes by round and time; those without a time come first."""
    zone = ZoneInfo(event.club.time_zone)
    in_order = sorted(made, key=lambda one: (played[one.match].round, one.at or _UNKNOWN))
    return tuple(
        Charlemagne(
            contract=one.contract,
            who=who,
            round=played[one.match].round,
            at=None if one.at is None else to_the_minute(one.at, zone),
        )
        for one in in_order
        if (who := names.of_a_feat(people[one.match][one.side])) is not None
    )


def to_the_minute(at: datetime, zone: ZoneInfo) -> time:
    """Return the time by the club's clock, to the minute."""
    return at.astimezone(zone).time().replace(second=0, microsecond=0)
