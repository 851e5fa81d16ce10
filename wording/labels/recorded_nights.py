"""Preview of importing a recorded night, line by line for a terminal."""

from collections.abc import Iterator

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from clubs.day_words import day_and_year_in_words
from clubs.name_matching import Likeness
from clubs.wording import join_names
from tournaments.imports.queries.nights import MovedLine, NightPreview

LIKENESSES: dict[Likeness, str | Promise] = {
    Likeness.NEW: _("New to the club: %(names)s."),
    Likeness.THERE: _("Already in the club: %(names)s."),
    Likeness.PERHAPS: _("Possible duplicates, added anyway: %(names)s."),
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
        won = ngettext("%(number)s match won", "%(number)s matches won", wins) % {"number": wins}
        yield gettext("First: %(names)s, %(won)s.") % {"names": join_names(names), "won": won}
    for likeness, said in LIKENESSES.items():
        alike = [each.name for each in preview.people if each.likeness == likeness]
        if alike:
            yield str(said) % {"names": join_names(alike)}
    for event in preview.same_day:
        yield gettext("Another club event that day: %(name)s.") % {"name": event.name}
    for season in preview.closed:
        yield gettext("“%(name)s” is closed: its standings do not change.") % {"name": season.name}
    for ladder in preview.ladders:
        yield gettext("%(season)s, %(ladder)s:") % {"season": ladder.season.name, "ladder": ladder.name}
        yield from (f"  {_told_line(line)}" for line in ladder.lines)
    if not preview.ladders and not preview.closed:
        yield gettext("No season includes that day.")


def _told_line(line: MovedLine) -> str:
    ranks = " → ".join("–" if rank is None else str(rank) for rank in line.rank)
    totals = " → ".join(map(str, line.total))
    return gettext("%(names)s: rank %(ranks)s, total %(totals)s") % {
        "names": join_names(line.names),
        "ranks": ranks,
        "totals": totals,
    }
