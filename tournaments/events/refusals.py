"""Refusals about events, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    "event_name_required": _("Enter a name."),
    "no_such_address": _("Could not turn on notifications. Reload the page."),
    "too_many_in_a_row": _("Enter %(most)s tables per row at most, or leave empty."),
    "tables_out_of_range": _("Enter 1 to %(most)s tables."),
    "not_a_date": _("“%(value)s” is not a date. Enter one like 2026-11-17."),
    "no_such_detail": _("Unknown option. Use declarer, trump, mode or result_only."),
    "too_few_entries": _("At least %(least)s entries are needed. Add entries first."),
    "too_few_tables": _("%(needed)s tables needed, %(tables)s available. Add tables."),
    "event_called_off": Answer(_("This event is cancelled. Reinstate it in its settings first."), 409),
    "event_started": Answer(_("The event has started: entries can no longer change."), 409),
    "matches_opened": _("Matches have started. Unpublish the round first, if no hand is recorded."),
    "event_not_running": Answer(_("Start the event first."), 409),
    "list_refused": _("Nothing was added. Correct these lines and try again."),
    "lines_held_back": _("Entries added: %(count)s. Correct the lines below."),
    "list_empty": _("Enter one entry per line, like Jeannine Roy and Marcel Dubé."),
    "one_name_missing": _("“%(text)s”: a name is missing. Put “and” between the two names."),
    "too_many_names": _("“%(text)s”: too many names. Enter one entry per line."),
    "strange_character": _("“%(name)s” cannot contain “%(character)s”. Remove it."),
    "nobody_named": _("“%(name)s” is not a person’s name. Enter a name, or wait until you know it."),
    "has_withdrawn": _("Entry %(entry)s (%(names)s) has withdrawn. Reinstate it."),
    "is_disqualified": _("Entry %(entry)s (%(names)s) is disqualified. Open its page to reinstate it."),
    "entered_twice": _("%(name)s is already entered. A different person? Add a detail, like “(Matane)”."),
    "same_name_twice": _("%(name)s appears twice. Enter the partner’s name, or add a detail, like “(Matane)”."),
    "step_not_allowed": Answer(_("This is not possible now. Reload the page."), 409),
    "event_running": Answer(_("The event is in progress. End it before archiving it."), 409),
    "event_has_hands": Answer(_("This event has recorded hands and cannot be archived."), 409),
    "round_not_closed": Answer(_("Close round %(round)s first."), 409),
    "tables_missing": Answer(_("These tables have not finished: %(tables)s. Close the round once they have."), 409),
    "tables_undecided": Answer(
        _("Round %(round)s has tables without a result: no. %(tables)s. Enter their results first."), 409
    ),
    "matches_postponed": Answer(
        _("A match of round %(round)s is postponed, tables: %(tables)s. Enter its results or forfeits first."), 409
    ),
    "drawn_but_away": _("Entries drawn but not playing: no. %(entries)s. Draw again or swap them."),
    "rank_changed": Answer(_("Results changed: these winners no longer have rank %(rank)s. Check the standings."), 409),
    "draft_outdated": _("The draw of round %(round)s is outdated. Draw again or publish as is."),
    "no_such_round": Answer(_("Round %(round)s does not exist. Reload the page."), 404),
    "no_such_event": Answer(_("This event does not exist."), 404),
    "later_round_published": Answer(_("A later round is published. Correct a single table instead."), 409),
    "phase_played": _("Round %(round)s is already published. Choose round %(next)s or a later one."),
    "no_such_phase": _("This stage or section no longer exists. Reload the page."),
    "release_of_section": _("Sections play the same rounds. Choose this for a stage, or for the whole event."),
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
