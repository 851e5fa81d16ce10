"""The place of a match in its bracket or pool, in words: for its line, its round's title, and the draw
button."""

from collections.abc import Iterable, Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from clubs.name_formats import join_names
from engine.charts import MatchPlace, MeetingResult, PartKind, RoundKind, get_stage_place
from engine.draws.stages import StagePlan
from engine.ranking import ClubMeeting
from tournaments.rounds.chart_labels import RESULTS, ROUNDS, get_chart_part_name
from tournaments.standings.labels import format_halves

MATCHES: Mapping[RoundKind, str | Promise] = {
    RoundKind.ROUND_OF_32: pgettext_lazy("one match", "Round of 32"),
    RoundKind.ROUND_OF_16: pgettext_lazy("one match", "Round of 16"),
    RoundKind.QUARTER_FINAL: _("Quarter-final"),
    RoundKind.SEMI_FINAL: _("Semifinal"),
    RoundKind.FINAL: ROUNDS[RoundKind.FINAL],
    RoundKind.SECOND_FINAL: ROUNDS[RoundKind.SECOND_FINAL],
}
"""Names of one match of a round that has a name."""

DRAWN_ROUNDS: Mapping[RoundKind, str | Promise] = {
    RoundKind.ROUND_OF_32: _("the round of 32"),
    RoundKind.ROUND_OF_16: _("the round of 16"),
    RoundKind.QUARTER_FINAL: _("the quarter-finals"),
    RoundKind.SEMI_FINAL: _("the semifinals"),
    RoundKind.FINAL: _("the final"),
    RoundKind.SECOND_FINAL: _("the second final"),
}
DRAWN_PARTS: Mapping[PartKind, str | Promise] = {
    PartKind.WINNERS: _("the winners’ bracket"),
    PartKind.LOSERS: _("the losers’ bracket"),
    PartKind.GROUP_A: _("group A"),
    PartKind.GROUP_B: _("group B"),
}
"""Names after the verb on the draw button."""

ROUND_NAMED_PARTS = frozenset({PartKind.KNOCKOUT, PartKind.FINAL})
"""Parts named by their rounds; the others have the name of the part."""
PART_AND_ROUND_PARTS = frozenset({PartKind.GROUP_A, PartKind.GROUP_B})

MAX_NAMES = 2
"""Number of kinds of matches that a button names; with more in a round, it names only the first."""


def place_name(place: MatchPlace | None) -> str:
    """Name the place of a match: ``Semifinal``, ``Losers’ bracket``, ``Pool A``, ``Matane – Rimouski``; ""
    for None."""
    return "" if place is None else _add_stage(place, _get_name_with_stage(place, MATCHES))


def stage_title(plan: StagePlan, stage: int) -> str:
    """Name a stage: as the director named it, ``Final A`` beside another one; "" for any other."""
    return format_stage_name(get_stage_place(plan, stage))


def format_stage_name(place: MatchPlace) -> str:
    """Name the stage of a place; "" for the only one that is played at that time without a name."""
    if not place.letter:
        return place.stage or (gettext("Play-off") if place.is_play_off else "")
    text = gettext("Final %(letter)s") if place.is_final else gettext("Group %(letter)s")
    return text % {"letter": place.letter}


def _add_stage(place: MatchPlace, name: str) -> str:
    """Add the stage to the name of a place: ``Semifinal A``, ``Gold · Semifinal``."""
    if name and place.letter and place.part in ROUND_NAMED_PARTS:
        return f"{name} {place.letter}"
    return " · ".join(filter(None, (format_stage_name(place), name)))


def _get_name_with_stage(place: MatchPlace, rounds: Mapping[RoundKind, str | Promise]) -> str:
    if place.pool:
        return gettext("Pool %(name)s") % {"name": place.pool}
    if place.has_home:
        return gettext("%(home)s (home) – %(away)s") % dict(zip(("home", "away"), place.clubs, strict=True))
    return " – ".join(place.clubs) if place.clubs else _get_bracket_name(place, rounds)


def round_title(places: Iterable[MatchPlace | None]) -> str:
    """Return the title of a round: ``Semifinals``, ``Pool A``.

    It names the matches at its tables if all are of one kind, or the first kind if that is a named round of
    the only bracket; the other matches have their place in their lines, as do those of stages side by side.
    """
    found = _sort_places(places)
    if not found or (len(found) > 1 and found[0].part is None):
        return ""
    names = [*dict.fromkeys(_get_name_with_stage(place, ROUNDS) for place in found)]
    if len({(place.stage, place.letter) for place in found}) > 1:
        return names[0] if len(names) == 1 else ""
    has_title = len(names) == 1 or found[0].part in ROUND_NAMED_PARTS
    return _add_stage(found[0], names[0]) if has_title else ""


def draw_button(number: int, places: Iterable[MatchPlace | None]) -> str:
    """Return the label of the draw button: ``Draw the semifinals``, else ``Draw round 3``."""
    found = dict.fromkeys(_get_draw_name(place) for place in _sort_places(places))
    labels = [label for label in found if label]
    if labels:
        labels = labels if len(labels) <= MAX_NAMES else labels[:1]
        return gettext("Draw %(what)s") % {"what": join_names(labels)}
    return gettext("Draw round %(number)s") % {"number": number}


def _sort_places(places: Iterable[MatchPlace | None]) -> list[MatchPlace]:
    """Return each kind of place once, in bracket order; none if some match has no place."""
    kinds = list(dict.fromkeys(places))
    parts = list(PartKind)
    match_places = [place for place in kinds if place is not None]
    if len(match_places) < len(kinds):
        return []
    return sorted(match_places, key=lambda place: (parts.index(place.part) if place.part else 0, place.first_place))


def _get_bracket_name(place: MatchPlace, rounds: Mapping[RoundKind, str | Promise]) -> str:
    if place.part is None or place.is_play_off:
        return ""
    name = str(rounds[place.round]) if place.round is not RoundKind.ROUND else ""
    if place.part in ROUND_NAMED_PARTS:
        return name
    part = get_chart_part_name(place.part, place.first_place, place.last_place)
    return f"{part}, {name.lower()}" if name and place.part in PART_AND_ROUND_PARTS else part


def _get_draw_name(place: MatchPlace) -> str:
    if place.part is None or place.stage:
        return place.stage
    if place.is_play_off:
        return gettext("the play-off")
    if place.part in DRAWN_PARTS:
        return str(DRAWN_PARTS[place.part])
    if place.part in ROUND_NAMED_PARTS:
        return f"{DRAWN_ROUNDS.get(place.round, '')} {place.letter}".strip()
    if place.part is PartKind.PLACES and (place.first_place, place.last_place) == (3, 4):
        return gettext("the third-place match")
    return ""


def meeting_score(meeting: ClubMeeting) -> str:
    """Return the game points of a meeting of clubs: ``3–1``, ``2½–1½``."""
    return f"{format_halves(meeting.game_points)}–{format_halves(meeting.game_points_against)}"


def meeting_outcome(meeting: ClubMeeting) -> str:
    return str(RESULTS[MeetingResult(meeting.outcome.value)]) if meeting.is_decided else gettext("in progress")
