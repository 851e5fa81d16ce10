"""Refusals about rounds, draws and rulings, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    # Settings of a format
    "criterion_twice": _("A criterion appears twice. Keep one."),
    "too_many_games": _("Too many games: at most %(one)s for a side, and %(both)s in all."),
    "number_too_small": _("%(value)s is too small. Choose %(least)s or more."),
    "settings_exclude": _("This setting duplicates “%(other)s”. Remove one."),
    # A draw made by hand, and what a director asks of one
    "not_a_table": _("A table needs a number and two sides."),
    "side_size": _("Table %(table)s has a side with the wrong number of entries."),
    "table_drawn_twice": _("Table %(table)s appears twice. Give each its own number."),
    "drawn_twice": _("Entry %(entry)s is drawn twice. Remove one."),
    "no_such_entrant": _("Entry %(entry)s is not in this event. Check the list."),
    "not_present": _("Entry %(entry)s is absent this round. Remove it, or mark it present."),
    "not_drawn": _("Entry %(entry)s is not in this draw, or its table is fixed."),
    "not_one_a_side": _("Choose a format with one entry per side."),
    "not_priced": _("This format’s draws have no cost. Choose one of: %(choices)s."),
    "winner_missing": _("Enter the winner of %(slot)s first."),
    "section_tables_short": _(
        "Tables needed for section “%(section)s”: %(needed)s. Too few are free; change the tables of the sections."
    ),
    "other_tables_short": _(
        "Tables needed for entries without a section: %(needed)s. Too few are free; change the tables of the sections."
    ),
    "phase_tables_short": _(
        "Tables needed for stage %(stage)s: %(needed)s. Too few are free; change its tables in the settings."
    ),
    "table_outside_phase": _(
        "Table %(table)s is outside the tables of its stage, %(first)s to %(last)s."
        " Choose one of these, or change them in the settings."
    ),
    "table_of_other_phase": _(
        "Table %(table)s is for another stage, which has tables %(first)s to %(last)s. Choose another table."
    ),
    "held_outside_phase": _(
        "Table %(table)s is locked, but a stage has tables %(first)s to %(last)s. Unlock it, then draw again."
    ),
    # Stages
    "stages_missing": _("Add at least one stage."),
    "count_missing": _("Enter how many advance to this stage."),
    "range_empty": _("Ranks %(first)s to %(last)s: put the lower first."),
    "stage_name_taken": _("Another stage is called “%(name)s”. Choose another name."),
    "nothing_before": _("No earlier stage to follow."),
    "no_pools_before": _("No pools before this stage."),
    "takes_differ": _("Choose the same for all side-by-side groups."),
    "ranked_twice": _("Send each rank to only one group."),
    "sides_differ": _("Entries per side differ from the first stage. Choose another format."),
    "rounds_missing": _("Enter the number of rounds of this stage."),
    "play_off_not_last": _("A play-off must be the last stage. Move it, or choose other entries."),
    "no_match_ready": _("No match of the bracket is ready. Wait for a result, then call again."),
    "ends_by_the_clock": _(
        "Round %(round)s ends by the clock, for all tables at once. Close it, then draw the next round."
    ),
    "nobody_tied_for_first": _("First place is not tied, so no play-off is needed. Draw a round instead."),
    # Tournament reports (TRF)
    "section_empty": _("Section “%(value)s” has no entries yet. Choose another section."),
    "report_empty": _("This is not a chess report (TRF): it has no players."),
    "report_line": _("Line %(line)s, columns %(columns)s: “%(value)s” is not valid."),
    "report_full": _("“%(value)s” does not fit in columns %(columns)s of a report."),
    "report_opponents_differ": _("Two players name different opponents for the same round."),
    "report_points_differ": _("A player’s points do not match the results."),
    "report_pairs_mixed": _(
        "Entry %(entry)s: some entries have two names, others one. Write two names with “ / ” between them."
    ),
    "report_worth": _("A round without a match counts %(points)s points. Use the points of a win, a draw or 0."),
    "report_extension": _("The line that begins with “### charlemagne” is damaged. Delete that line."),
    "report_not_swiss": _("A chess report holds Swiss rounds only. Use the event file instead."),
    "report_forfeits": _("In a chess report a forfeit is a win. Change the ranking, or use the event file."),
    "report_averages": _("A chess report counts no averages. Change the ranking, or use the event file."),
    "report_undecided": _("Line %(line)s: add the result of round %(round)s. Only the last round may lack some."),
    "partners_need_four": _("Drawing partners needs four-player rules. Change the format or rules."),
    "no_rules_for_two": _("These rules have no game for two. Give byes, or change the rules."),
    "team_in_two_sections": Answer(
        _("%(team)s is in several sections. Name its teams differently, or put it in one section."), 409
    ),
    "no_team_match": Answer(_("Table %(table)s is not part of a team match. Choose another table."), 409),
    "match_is_played": Answer(_("This match already has its results. Choose another match."), 409),
    "boards_empty": _("Choose one entry for each board. Boards to fill: %(boards)s."),
    "chosen_twice": _("Someone is at two boards. Choose someone else for one of them."),
    "not_of_the_team": _("Choose only entries of the team that are present."),
    "nobody_can_meet": Answer(_("Nobody has an opponent. Check clubs, sections and byes."), 409),
    "nothing_left_to_draw": Answer(_("No table left to draw with those present. End the event."), 409),
    "no_such_table_now": _("Table %(table)s is not in this round. Check the page."),
    "not_in_the_round": _("Give this entry a place in the round first."),
    "same_place": _("These two are together. Choose someone from another table."),
    "needs_four": _("Tables need four people. Draw again with those present."),
    "no_entry_of_number": _("Entry %(entry)s does not exist. Check the list."),
    "table_taken": _("Table %(table)s is already in use. Choose another number."),
    "bracket_of_others": _("A bracket keeps its own entries. Choose two entries of the same stage."),
    "already_at_a_table": _("This entry already has a table. Swap it instead."),
    "changed_since": Answer(_("This has changed meanwhile. Check it, then make your change."), 409),
    "form_outdated": Answer(
        _("Somebody changed this after you opened the page. What you typed is still here: compare, then save again."),
        409,
    ),
    "cannot_be_undone": _("Nothing to undo here."),
    "later_steps_rest_on_it": Answer(_("Later steps depend on this. Undo them first, or correct one table."), 409),
    "rulings_stand": Answer(_("Round %(round)s has rulings. Undo them first."), 409),
    "somebody_goes_on": _("A bracket match needs a winner, by lot if necessary."),
    "nobody_goes_on": Answer(_("Bracket tables without a winner: %(tables)s. Correct each, by lot if necessary."), 409),
    "no_such_action": Answer(_("History line not found. Check the history."), 404),
}
