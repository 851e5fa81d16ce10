"""What refusals about tournaments say, by their codes."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TOURNAMENT_SENTENCES: dict[str, str | Promise] = {
    "winner_needed": _(
        "Here somebody must win each match, and by hands or minutes a match can end level. Let a match end"
        " after games won, or choose another format."
    ),
    "wishes_unmet": _(
        "Not all of it can be as you wish. Change the marked answers, or take what comes nearest."
    ),
    "too_few_for_final": _(
        "A final takes %(least)s entries at least, and you expect %(expected)s: without one, the standings"
        " decide."
    ),
    "rounds_take_longer": _(
        "With %(expected)s entries it takes %(needed)s rounds, some %(minutes)s minutes: so many would be"
        " played, and not fewer."
    ),
    "rounds_or_minutes": _("Say how many rounds or how many minutes, not both: leave one of them empty."),
    "stage_begun": _("Stage %(stage)s has begun: it stays as it is. Change those that come after it."),
    "rounds_drawn": _("%(least)s rounds of this stage are drawn. Choose %(least)s or more."),
    "entries_of_other_size": _(
        "The entries would not fit: they are pairs, or people whose partners are drawn. Take them off first."
    ),
    "section_name_required": _("Give the section a name."),
    "section_twice": _("There is a section “%(name)s” already. Choose another name."),
    "section_tables": _("Write the first and the last table, the lower number first; or neither."),
    "sections_overlap": _("Some of these tables are those of “%(section)s”. Give each section its own."),
}
