"""Publishing in words."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.visibility import Names, Ranks, Results, Visibility
from tournaments.events.visibility_labels import RANKS_SENTENCES, RESULTS_SENTENCES, describe_silence

RELEASE_ACTIONS: dict[str, str | Promise] = {
    "change_release": _("Visibility changed"),
    "publish_final": _("Final standings published"),
    "publish_correction": _("Corrected final standings published"),
    "unpublish_final": _("Final standings withdrawn"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibilityLine:
    """A sentence, and whether its subject is visible."""

    is_visible: bool
    words: str | Promise


_NAMES_SENTENCES: Mapping[Names, str | Promise] = {
    Names.AGREED: _("Names, as each person chose."),
    Names.SHORT: _("First names and initials only."),
    Names.NUMBERS: _("No names."),
}


def _describe_ranks(visible: Visibility) -> str | Promise:
    if visible.standings is Ranks.BEFORE_SILENCE and visible.announced_gap != visible.announced_silence:
        return gettext("Standings, without round %(number)s and later.") % {"number": visible.announced_gap}
    return RANKS_SENTENCES[visible.standings]


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
            is_visible=visible.get_results(0) is not Results.NOTHING, words=RESULTS_SENTENCES[visible.get_results(0)]
        ),
    ]
    if visible.announced_silence is not None:
        words: str | Promise = describe_silence(visible.announced_silence)
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
