"""Labels of brackets and cross tables: parts, rounds and matches, where a side comes from, how it ended."""

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from engine.charts import (
    BracketChart,
    ChartMeeting,
    ChartPart,
    ChartRound,
    ChartSide,
    ChartSlot,
    MeetingResult,
    PartKind,
    RoundKind,
    SlotState,
)
from engine.draws.brackets.structure import SlotLoser

PARTS: dict[PartKind, str | Promise] = {
    PartKind.KNOCKOUT: _("Bracket"),
    PartKind.WINNERS: _("Winners’ bracket"),
    PartKind.LOSERS: _("Losers’ bracket"),
    PartKind.FINAL: _("Finals"),
    PartKind.GROUP_A: _("Group A"),
    PartKind.GROUP_B: _("Group B"),
    PartKind.PLACES: _("For places %(first)s to %(last)s"),
}

SINGLE_MATCHES: dict[int, str | Promise] = {3: _("Third-place match")}
"""Names of bracket parts with one match, by the better place played for; few have one."""

ROUNDS: dict[RoundKind, str | Promise] = {
    RoundKind.ROUND: _("Round %(number)s"),
    RoundKind.ROUND_OF_32: _("Round of 32"),
    RoundKind.ROUND_OF_16: _("Round of 16"),
    RoundKind.QUARTER_FINAL: _("Quarter-finals"),
    RoundKind.SEMI_FINAL: _("Semifinals"),
    RoundKind.FINAL: pgettext_lazy("the last match", "Final"),
    RoundKind.SECOND_FINAL: _("Second final"),
}

STATES: dict[SlotState, str | Promise] = {
    SlotState.IF_NEEDED: _("if needed"),
    SlotState.WALKOVER: _("by forfeit"),
    SlotState.BYE: _("bye"),
    SlotState.NOT_NEEDED: pgettext_lazy("a match", "not played"),
}
"""Words for a match that is neither simply played, nor still to be."""

RESULTS: dict[MeetingResult, str | Promise] = {
    MeetingResult.WON: pgettext_lazy("a match", "won"),
    MeetingResult.DRAWN: pgettext_lazy("a match", "drawn"),
    MeetingResult.LOST: pgettext_lazy("a match", "lost"),
    MeetingResult.PENDING: pgettext_lazy("a match", "to play"),
}

LETTERS: dict[MeetingResult, str | Promise] = {
    MeetingResult.WON: pgettext_lazy("won, as one letter", "W"),
    MeetingResult.DRAWN: pgettext_lazy("drawn, as one letter", "D"),
    MeetingResult.LOST: pgettext_lazy("lost, as one letter", "L"),
}


def part_name(part: ChartPart) -> str:
    """Name a part of a chart: ``Losers’ bracket``, ``For third place``."""
    return get_chart_part_name(part.kind, part.first_place, part.last_place)


def get_chart_part_name(kind: PartKind, first_place: int, last_place: int) -> str:
    """Name a part of a bracket by its kind and the places that are played for in it."""
    is_single = last_place == first_place + 1
    if kind is PartKind.PLACES and is_single and first_place in SINGLE_MATCHES:
        return str(SINGLE_MATCHES[first_place])
    return str(PARTS[kind]) % {"first": first_place, "last": last_place}


def get_chart_round_name(column: ChartRound) -> str:
    """Name a round of a chart: ``Quarter-finals``, else ``Round 2``, the round of the event."""
    return str(ROUNDS[column.kind]) % {"number": column.round}


def state_name(slot: ChartSlot) -> str:
    """Name the state of a match: ``by forfeit``; "" if it is simply played."""
    return str(STATES.get(slot.state, ""))


def source_name(side: ChartSide) -> str:
    """Name the source of a side that is not known yet: ``Winner of match 3``."""
    if isinstance(side.source, SlotLoser):
        return gettext("Loser of match %(number)s") % {"number": side.match}
    return gettext("Winner of match %(number)s") % {"number": side.match}


def slot_name(chart: BracketChart, key: str) -> str:
    """Name a slot of a bracket: ``Winners’ bracket · Round 2 · Match 5``; "" if the chart has no such
    slot."""
    place = chart.find_place(key)
    if place is None:
        return ""
    part, column, slot = place
    match = gettext("Match %(number)s") % {"number": slot.number}
    return " · ".join((part_name(part), get_chart_round_name(column), match))


def meeting_words(meeting: ChartMeeting) -> str:
    """Describe a meeting: ``lost 12–32, round 3``; ``lost, round 3, by forfeit``."""
    parts = [" ".join(filter(None, (str(RESULTS[meeting.result]), score_of_row(meeting))))]
    if meeting.round is not None:
        parts.append(gettext("round %(number)s") % {"number": meeting.round})
    if meeting.is_forfeit:
        parts.append(str(STATES[SlotState.WALKOVER]))
    return ", ".join(parts)


def score_of_row(meeting: ChartMeeting) -> str:
    """Return the score: ``12–32``; "" if nothing was played."""
    return "" if meeting.score is None else "{}–{}".format(*meeting.score)


def meeting_letter(meeting: ChartMeeting) -> str:
    """Return the result as a letter: ``W``, ``D``, ``L``; "" for a match to play."""
    return str(LETTERS.get(meeting.result, ""))
