"""Sentences of refusals about events, their entries and rounds, by code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

EVENT_SENTENCES: dict[str, str | Promise] = {
    "event_name_required": _("Enter a name."),
    "no_such_address": _("Could not turn on notifications. Reload the page."),
    "too_many_in_a_row": _("Enter %(most)s tables per row at most, or leave empty."),
    "tables_out_of_range": _("Enter 1 to %(most)s tables."),
    "not_a_date": _("“%(value)s” is not a date. Enter one like 2026-11-17."),
    "no_such_detail": _("Unknown option. Use declarer, trump, mode or result_only."),
    "too_few_entries": _("At least %(least)s entries are needed. Add entries first."),
    "too_few_tables": _("%(needed)s tables needed, %(tables)s available. Add tables."),
    "event_called_off": _("This event is cancelled. Reinstate it in its settings first."),
    "event_started": _("The event has started: entries can no longer change."),
    "matches_opened": _("Matches have started. Unpublish the round first, if no hand is recorded."),
    "event_not_running": _("Start the event first."),
    "list_refused": _("Nothing was added. Correct these lines and try again."),
    "lines_held_back": _("Entries added: %(count)s. Correct these lines, which were not added."),
    "list_empty": _("Enter one entry per line, like Jeannine Roy and Marcel Dubé."),
    "one_name_missing": _("“%(text)s”: a name is missing. Put “and” between the two names."),
    "too_many_names": _("“%(text)s”: too many names. Enter one entry per line."),
    "strange_character": _("“%(name)s” cannot contain “%(character)s”. Remove it."),
    "has_withdrawn": _("Entry %(entry)s (%(names)s) has withdrawn. Reinstate it."),
    "is_disqualified": _("Entry %(entry)s (%(names)s) is disqualified. Open its page to reinstate it."),
    "entered_twice": _("%(name)s is already entered. Someone else? Add a detail: “(Matane)”."),
    "same_name_twice": _("%(name)s appears twice. Enter the partner’s name, or add a detail: “(Matane)”."),
    "step_not_allowed": _("This is not possible now. Reload the page."),
    "event_running": _("The event is in progress. End it before archiving it."),
    "event_has_hands": _("This event has recorded hands and cannot be archived."),
    "round_not_closed": _("Close round %(round)s first."),
    "tables_missing": _(
        "The round isn’t over at these tables: %(tables)s. Close it once they have finished."
    ),
    "tables_undecided": _(
        "Round %(round)s has tables without a result: no. %(tables)s. Enter their results first."
    ),
    "drawn_but_away": _("Entries drawn but not playing: no. %(entries)s. Draw again or swap them."),
    "rank_changed": _("Results changed: these winners no longer have rank %(rank)s. Check the standings."),
    "draft_outdated": _("The draw of round %(round)s is outdated. Draw again or publish as is."),
    "no_such_round": _("Round %(round)s does not exist. Reload the page."),
    "no_such_event": _("This event does not exist."),
    "later_round_published": _("A later round is published. Correct a single table instead."),
}
