"""What an event lets everybody see, in words; and what publishing refuses."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.visibility import Names, Ranks, RanksRelease, Results, Visible

RESULTS: Mapping[Results, str | Promise] = {
    Results.HANDS: _("Every hand"),
    Results.TOTALS: _("The score of each table"),
    Results.NOTHING: _("No result"),
}
RANKED: Mapping[RanksRelease, str | Promise] = {
    RanksRelease.LIVE: _("As results come in"),
    RanksRelease.FINAL: _("Once they are published as final"),
    RanksRelease.NEVER: _("Never"),
}
NAMES: Mapping[Names, str | Promise] = {
    Names.AGREED: _("As each agreed"),
    Names.SHORT: _("First name and initial at most"),
    Names.NUMBERS: _("No name: a number each"),
}


PUBLISHING_DEEDS: dict[str, str | Promise] = {
    "change_release": _("What everybody sees was changed"),
    "publish_final": _("Final standings published"),
    "publish_correction": _("Correction of the final standings published"),
    "unpublish_final": _("Final standings taken back"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibilityLine:
    """A sentence, and whether what it speaks of is seen."""

    is_seen: bool
    words: str | Promise


_RANKS_TOLD: Mapping[Ranks, str | Promise] = {
    Ranks.NOTHING: _("No standings."),
    Ranks.LIVE: _("The standings, as results come in."),
    Ranks.BEFORE_SILENCE: _("The standings, without the rounds that are kept back."),
    Ranks.FINAL: _("The final standings, as they were published."),
}
_RESULTS_TOLD: Mapping[Results, str | Promise] = {
    Results.HANDS: _("Every hand of every table."),
    Results.TOTALS: _("The score of every table, not its hands."),
    Results.NOTHING: _("No result table by table."),
}
_NAMES_TOLD: Mapping[Names, str | Promise] = {
    Names.AGREED: _("Names as each person agreed."),
    Names.SHORT: _("First names and initials, nobody’s full name."),
    Names.NUMBERS: _("No names."),
}


def describe_visibility(seen: Visible) -> list[VisibilityLine]:
    """What everybody sees, a sentence each."""
    if not seen.is_public:
        return [
            VisibilityLine(
                is_seen=False, words=_("Nothing: its address leads nowhere, and no page tells of it.")
            )
        ]
    told = [
        VisibilityLine(
            is_seen=True, words=_("The page of the event, and its place on the page of the club.")
        ),
        VisibilityLine(
            is_seen=seen.entries,
            words=_("Who takes part.") if seen.entries else _("Not who takes part, before the first draw."),
        ),
        VisibilityLine(
            is_seen=seen.draw,
            words=_("Who plays whom, as soon as a round is published.")
            if seen.draw
            else _("Not who plays whom."),
        ),
        VisibilityLine(
            is_seen=seen.results_in(0) is not Results.NOTHING, words=_RESULTS_TOLD[seen.results_in(0)]
        ),
    ]
    if seen.silent_from is not None:
        words = gettext("From round %(number)s on, no result until the final standings are published.")
        told.append(VisibilityLine(is_seen=False, words=words % {"number": seen.silent_from}))
    told += [
        VisibilityLine(is_seen=seen.standings is not Ranks.NOTHING, words=_RANKS_TOLD[seen.standings]),
        VisibilityLine(is_seen=seen.names is not Names.NUMBERS, words=_NAMES_TOLD[seen.names]),
        VisibilityLine(
            is_seen=seen.counts,
            words=_("It counts in the seasons, ratings and records of the club.")
            if seen.counts
            else _("It does not count yet in seasons, ratings and records: they would tell of it."),
        ),
    ]
    return told
