"""The visibility of an event in words, and the sentences of its changes."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.visibility import Names, Ranks, RanksRelease, Results, Visible

RESULTS: Mapping[Results, str | Promise] = {
    Results.HANDS: _("All hands"),
    Results.TOTALS: _("Table scores"),
    Results.NOTHING: _("No results"),
}
RANKED: Mapping[RanksRelease, str | Promise] = {
    RanksRelease.LIVE: _("As results come in"),
    RanksRelease.FINAL: _("Once final"),
    RanksRelease.NEVER: _("Never"),
}
NAMES: Mapping[Names, str | Promise] = {
    Names.AGREED: _("Each person’s choice"),
    Names.SHORT: _("First name and initial only"),
    Names.NUMBERS: _("Numbers instead of names"),
}


PUBLISHING_DEEDS: dict[str, str | Promise] = {
    "change_release": _("Visibility changed"),
    "publish_final": _("Final standings published"),
    "publish_correction": _("Corrected final standings published"),
    "unpublish_final": _("Final standings withdrawn"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibilityLine:
    """A sentence, and whether its subject is visible."""

    is_seen: bool
    words: str | Promise


_RANKS_TOLD: Mapping[Ranks, str | Promise] = {
    Ranks.NOTHING: _("No standings."),
    Ranks.LIVE: _("Standings, as results come in."),
    Ranks.BEFORE_SILENCE: _("Standings, without the hidden rounds."),
    Ranks.FINAL: _("Final standings, as published."),
}
_RESULTS_TOLD: Mapping[Results, str | Promise] = {
    Results.HANDS: _("All hands at all tables."),
    Results.TOTALS: _("Table scores, without hands."),
    Results.NOTHING: _("No table results."),
}
_NAMES_TOLD: Mapping[Names, str | Promise] = {
    Names.AGREED: _("Names, as each person chose."),
    Names.SHORT: _("First names and initials only."),
    Names.NUMBERS: _("No names."),
}


def describe_visibility(seen: Visible) -> list[VisibilityLine]:
    """Describe what is public, a sentence each."""
    if not seen.is_public:
        return [VisibilityLine(is_seen=False, words=_("Nothing: the event is hidden."))]
    told = [
        VisibilityLine(is_seen=True, words=_("Event page, listed on the club’s page.")),
        VisibilityLine(
            is_seen=seen.entries,
            words=_("List of entries.") if seen.entries else _("No list of entries before the first draw."),
        ),
        VisibilityLine(
            is_seen=seen.draw,
            words=_("Pairings, once a round is published.") if seen.draw else _("No pairings."),
        ),
        VisibilityLine(
            is_seen=seen.results_in(0) is not Results.NOTHING, words=_RESULTS_TOLD[seen.results_in(0)]
        ),
    ]
    if seen.silent_from is not None:
        words = gettext("Results hidden from round %(number)s until the final standings.")
        told.append(VisibilityLine(is_seen=False, words=words % {"number": seen.silent_from}))
    told += [
        VisibilityLine(is_seen=seen.standings is not Ranks.NOTHING, words=_RANKS_TOLD[seen.standings]),
        VisibilityLine(is_seen=seen.names is not Names.NUMBERS, words=_NAMES_TOLD[seen.names]),
        VisibilityLine(
            is_seen=seen.counts,
            words=_("Counts in the club’s seasons, ratings and records.")
            if seen.counts
            else _("Not yet counted in seasons, ratings and records."),
        ),
    ]
    return told
