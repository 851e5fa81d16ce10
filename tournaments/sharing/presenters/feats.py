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
from tournaments.sharing.press.values import MAX_CHARLEMAGNES, Charlemagne, HighScore, TurningHand, find_high_score
from tournaments.sharing.queries import (
    MatchCharlemagne,
    PlayedMatch,
    Sides,
    find_last_charlemagnes,
    find_turning_swing,
    get_entry_sides,
    get_people_by_match,
    list_charlemagnes,
    load_matches_with_logs,
)

from .press_names import PressNames

_UNKNOWN_TIME = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Feats:
    """Feats of an event. ``charlemagnes`` are all of them with names, or only the last if there are many;
    ``charlemagne_count`` is their number. ``turning_hands`` are by the number of the winning entry."""

    high_score: HighScore | None
    charlemagnes: tuple[Charlemagne, ...]
    charlemagne_count: int
    turning_hands: Mapping[int, TurningHand]


def find_feats(
    event: Event, matches: Sequence[PlayedMatch], names: PressNames, winner_numbers: Collection[int]
) -> Feats:
    """Return the feats in matches with public results. ``winner_numbers`` are the numbers of the entries whose
    turning hands are wanted. At most five queries."""
    visible_matches = {
        match.match: match for match in matches if event.visible.get_results(match.round) is Results.HANDS
    }
    matches_won = _find_matches_won(event, visible_matches.values(), winner_numbers)
    charlemagne_matches = {pk for pk, match in visible_matches.items() if match.charlemagnes}
    charlemagne_count = sum(match.charlemagnes for match in visible_matches.values())
    if charlemagne_count > MAX_CHARLEMAGNES:
        charlemagne_matches = find_last_charlemagnes(charlemagne_matches, MAX_CHARLEMAGNES)
    max_points = max((max(match.outcome["points"]) for match in matches if match.outcome), default=0)
    high_score_matches = {
        match.match for match in matches if match.outcome and max(match.outcome["points"]) == max_points
    }
    winner_matches = {match.match for _, match, _ in matches_won}
    logs = load_matches_with_logs(charlemagne_matches | winner_matches)
    people = get_people_by_match(high_score_matches | charlemagne_matches | winner_matches)
    charlemagnes = list_charlemagnes(logs[pk] for pk in visible_matches if pk in charlemagne_matches)
    turning_hands: dict[int, TurningHand] = {}
    for number, match, side in matches_won:
        turning_hand_found = _build_turning_hand(
            event, match, logs[match.match], side, people[match.match][side], names
        )
        if turning_hand_found is not None and (
            number not in turning_hands or turning_hand_found.swing > turning_hands[number].swing
        ):
            turning_hands[number] = turning_hand_found
    return Feats(
        high_score=_build_high_score(
            max_points, [match for match in matches if match.match in high_score_matches], people, names
        ),
        charlemagnes=_build_charlemagnes(event, charlemagnes, visible_matches, people, names),
        charlemagne_count=charlemagne_count,
        turning_hands=turning_hands,
    )


def _find_matches_won(
    event: Event, matches: Iterable[PlayedMatch], winner_numbers: Collection[int]
) -> list[tuple[int, PlayedMatch, Side]]:
    """Return the matches that these entries won, with their side, round by round. Without the director's
    rulings, and matches where two phones differ. One query, or none."""
    sides = get_entry_sides(event, winner_numbers)
    return [
        (number, match, side)
        for match in matches
        if match.outcome and not match.is_ruled and not match.has_rivals
        for number, side in sides.get(match.match, {}).items()
        if match.outcome["winner"] == side.name
    ]


def _build_turning_hand(
    event: Event, played_match: PlayedMatch, match: Match, side: Side, players: Sequence[Person], names: PressNames
) -> TurningHand | None:
    swing, player_names = find_turning_swing(event, match), names.format_feat_names(players)
    hand = None if swing is None else swing.line.record
    if swing is None or not isinstance(hand, PlayedHand) or player_names is None:
        return None
    chance_before, chance_after = (chance.percentages[2 * side] for chance in (swing.before, swing.after))
    return TurningHand(
        who=player_names,
        round=played_match.round,
        table=played_match.table,
        hand=swing.line.number,
        contract=hand.contract,
        is_made=hand.side is side,
        chances=(chance_before, chance_after),
    )


def _build_high_score(
    max_points: int, matches: Iterable[PlayedMatch], people: Mapping[int, Sides], names: PressNames
) -> HighScore | None:
    """Return the highest score; people who made it more than once are named once, namesakes separately."""
    sides_by_players = {
        frozenset(person.pk for person in side): side
        for match in matches
        if match.outcome
        for points, side in zip(match.outcome["points"], people[match.match], strict=True)
        if points == max_points
    }
    return find_high_score(
        (max_points, side_names)
        for side in sides_by_players.values()
        if (side_names := names.format_feat_names(side)) is not None
    )


def _build_charlemagnes(
    event: Event,
    charlemagnes: Iterable[MatchCharlemagne],
    matches: Mapping[int, PlayedMatch],
    people: Mapping[int, Sides],
    names: PressNames,
) -> tuple[Charlemagne, ...]:
    """Return the Charlemagnes by round and time; those without a time come first."""
    zone = ZoneInfo(event.club.time_zone)
    sorted_charlemagnes = sorted(
        charlemagnes, key=lambda one: (matches[one.match].round, one.recorded_at or _UNKNOWN_TIME)
    )
    return tuple(
        Charlemagne(
            contract=charlemagne.contract,
            who=maker_names,
            round=matches[charlemagne.match].round,
            at=None if charlemagne.recorded_at is None else truncate_to_minute(charlemagne.recorded_at, zone),
        )
        for charlemagne in sorted_charlemagnes
        if (maker_names := names.format_feat_names(people[charlemagne.match][charlemagne.side])) is not None
    )


def truncate_to_minute(moment: datetime, zone: ZoneInfo) -> time:
    """Return the time by the club's clock, to the minute."""
    return moment.astimezone(zone).time().replace(second=0, microsecond=0)
