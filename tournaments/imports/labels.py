"""Preview of importing a recorded night, line by line for a terminal."""

from collections.abc import Iterator

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs.date_formats import day_and_year_in_words
from clubs.name_formats import join_names
from clubs.name_matching import MatchKind
from tournaments.imports.queries.nights import LineChange, NightPreview

MATCH_KIND_SENTENCES: dict[MatchKind, str | Promise] = {
    MatchKind.NEW: _("New to the club: %(names)s."),
    MatchKind.KNOWN: _("Already in the club: %(names)s."),
    MatchKind.UNCERTAIN: _("Possible duplicates, added anyway: %(names)s."),
}


def describe_preview(preview: NightPreview) -> Iterator[str]:
    """Yield the day, what was played, who is already known, and the changes in seasons."""
    night = preview.night
    yield day_and_year_in_words(preview.held_on)
    yield gettext("Entries: %(entries)s; rounds: %(rounds)s; hands: %(hands)s.") % {
        "entries": len(night.entries),
        "rounds": len(night.rounds),
        "hands": night.hands,
    }
    for names, wins in preview.first:
        wins_text = ngettext("%(number)s match won", "%(number)s matches won", wins) % {"number": wins}
        yield gettext("First: %(names)s, %(won)s.") % {"names": join_names(names), "won": wins_text}
    for match_kind, template in MATCH_KIND_SENTENCES.items():
        names_of_kind = [each.name for each in preview.people if each.likeness == match_kind]
        if names_of_kind:
            yield str(template) % {"names": join_names(names_of_kind)}
    for event in preview.same_day_events:
        yield gettext("Another club event that day: %(name)s.") % {"name": event.name}
    for season in preview.closed_seasons:
        yield gettext("“%(name)s” is closed: its standings do not change.") % {"name": season.name}
    for ladder in preview.ladders:
        yield gettext("%(season)s, %(ladder)s:") % {"season": ladder.season.name, "ladder": ladder.name}
        yield from (f"  {_describe_line(line)}" for line in ladder.lines)
    if not preview.ladders and not preview.closed_seasons:
        yield gettext("No season includes that day.")


def _describe_line(line: LineChange) -> str:
    ranks = " → ".join("–" if rank is None else str(rank) for rank in line.rank)
    totals = " → ".join(map(str, line.total))
    return gettext("%(names)s: rank %(ranks)s, total %(totals)s") % {
        "names": join_names(line.names),
        "ranks": ranks,
        "totals": totals,
    }
