"""Sentences of refusals about tournaments, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

TOURNAMENT_SENTENCES: dict[str, str | Promise] = {
    "phase_played": _("Round %(round)s is already published. Choose round %(next)s or a later one."),
    "no_such_phase": _("This stage or section no longer exists. Reload the page."),
    "wishes_unmet": _("Some wishes cannot be met. Change the marked answers or take the closest format."),
    "too_few_for_final": _(
        "A final needs %(least)s entries; you expect %(expected)s. Without one, the standings decide."
    ),
    "rounds_take_longer": _("%(expected)s entries need %(needed)s rounds, about %(minutes)s minutes."),
    "rounds_or_minutes": _("Enter rounds or minutes, not both."),
    "stage_begun": _("Stage %(stage)s has started and cannot change. Change later stages."),
    "rounds_drawn": _("%(least)s rounds are already drawn. Choose %(least)s or more."),
    "entries_of_other_size": _("The entries do not fit (pairs or single players). Remove them first."),
    "section_name_required": _("Give the section a name."),
    "section_twice": _("A section “%(name)s” already exists. Choose another name."),
    "section_tables": _("Enter the first and last table, lower number first, or neither."),
    "sections_overlap": _("Some of these tables belong to “%(section)s”. Give each section its own."),
}
