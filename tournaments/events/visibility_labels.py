"""The visibility of an event in words, and the sentences of its changes."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.visibility import Names, Ranks, RanksRelease, Release, Results, Visibility

RESULTS: Mapping[Results, str | Promise] = {
    Results.HANDS: _("All hands"),
    Results.TOTALS: _("Table scores"),
    Results.NOTHING: _("No results"),
}
RANKS_RELEASES: Mapping[RanksRelease, str | Promise] = {
    RanksRelease.LIVE: _("As results come in"),
    RanksRelease.FINAL: _("Once final"),
    RanksRelease.NEVER: _("Never"),
}
NAMES: Mapping[Names, str | Promise] = {
    Names.AGREED: _("Each person’s choice"),
    Names.SHORT: _("First name and initial only"),
    Names.NUMBERS: _("Numbers instead of names"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibilityLine:
    """A sentence, and whether its subject is visible."""

    is_visible: bool
    words: str | Promise


_RANKS_SENTENCES: Mapping[Ranks, str | Promise] = {
    Ranks.NOTHING: _("No standings."),
    Ranks.LIVE: _("Standings, as results come in."),
    Ranks.BEFORE_SILENCE: _("Standings, without the hidden rounds."),
    Ranks.FINAL: _("Final standings, as published."),
}
_RESULTS_SENTENCES: Mapping[Results, str | Promise] = {
    Results.HANDS: _("All hands at all tables."),
    Results.TOTALS: _("Table scores, without hands."),
    Results.NOTHING: _("No table results."),
}
_NAMES_SENTENCES: Mapping[Names, str | Promise] = {
    Names.AGREED: _("Names, as each person chose."),
    Names.SHORT: _("First names and initials only."),
    Names.NUMBERS: _("No names."),
}


def _describe_silence(number: int) -> str:
    return gettext("Results hidden from round %(number)s until the final standings.") % {"number": number}


def _describe_ranks(visible: Visibility) -> str | Promise:
    if visible.standings is Ranks.BEFORE_SILENCE and visible.announced_gap != visible.announced_silence:
        return gettext("Standings, without round %(number)s and later.") % {"number": visible.announced_gap}
    return _RANKS_SENTENCES[visible.standings]


def describe_release(release: Release) -> str:
    """Describe when the results and the standings of an event are public."""
    ranks = {RanksRelease.LIVE: Ranks.LIVE, RanksRelease.FINAL: Ranks.FINAL, RanksRelease.NEVER: Ranks.NOTHING}
    sentences = [_RESULTS_SENTENCES[release.results], _RANKS_SENTENCES[ranks[release.ranked]]]
    if release.silent_from is not None:
        sentences.append(_describe_silence(release.silent_from))
    return " ".join(map(str, sentences))


def describe_visibility(visible: Visibility) -> list[VisibilityLine]:
    """Describe what is public, a sentence each."""
    if not visible.is_public:
        return [VisibilityLine(is_visible=False, words=_("Nothing: the event is hidden."))]
    visibility_lines = [
        VisibilityLine(is_visible=True, words=_("Event page, listed on the club’s page.")),
        VisibilityLine(
            is_visible=visible.entries,
            words=_("List of entries.") if visible.entries else _("No list of entries before the first draw."),
        ),
        VisibilityLine(
            is_visible=visible.draw,
            words=_("Pairings, once a round is published.") if visible.draw else _("No pairings."),
        ),
        VisibilityLine(
            is_visible=visible.get_results(0) is not Results.NOTHING, words=_RESULTS_SENTENCES[visible.get_results(0)]
        ),
    ]
    if visible.announced_silence is not None:
        words: str | Promise = _describe_silence(visible.announced_silence)
        visibility_lines.append(VisibilityLine(is_visible=False, words=words))
    elif visible.silent_from is not None:
        words = _("Results of a later stage will be hidden until the final standings.")
        visibility_lines.append(VisibilityLine(is_visible=False, words=words))
    visibility_lines += [
        VisibilityLine(is_visible=visible.standings is not Ranks.NOTHING, words=_describe_ranks(visible)),
        VisibilityLine(is_visible=visible.names is not Names.NUMBERS, words=_NAMES_SENTENCES[visible.names]),
        VisibilityLine(
            is_visible=visible.counts,
            words=_("Counts in the club’s seasons, ratings and records.")
            if visible.counts
            else _("Not yet counted in seasons, ratings and records."),
        ),
    ]
    return visibility_lines
