"""From code to sentence: what a refusal says, in the reader's language. Fact first, then what to do."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.text import get_text_list
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.game_words import contract_name
from rules import Refusal
from wording.labels.draws import DRAW_SENTENCES
from wording.labels.event_files import EVENT_FILE_SENTENCES
from wording.labels.interclub import INTERCLUB_SENTENCES
from wording.labels.jobs import JOB_SENTENCES
from wording.labels.money import MONEY_SENTENCES
from wording.labels.nights import NIGHT_SENTENCES
from wording.labels.people import PEOPLE_SENTENCES
from wording.labels.planning import PLANNING_SENTENCES
from wording.labels.privacy import PRIVACY_SENTENCES
from wording.labels.publishing import PUBLISHING_SENTENCES
from wording.labels.seasons import SEASON_SENTENCES
from wording.labels.standings import STANDINGS_SENTENCES
from wording.labels.team import TEAM_SENTENCES
from wording.labels.tournaments import TOURNAMENT_SENTENCES
from wording.refusals.backups import BACKUP_SENTENCES
from wording.refusals.cards import CARD_SENTENCES
from wording.refusals.directing import DIRECTOR_SENTENCES
from wording.refusals.entries import ENTRY_SENTENCES
from wording.refusals.halls import HALL_SENTENCES
from wording.refusals.hand_imports import HAND_SHEET_SENTENCES
from wording.refusals.outages import OUTAGE_SENTENCES
from wording.refusals.sheets import SHEET_SENTENCES
from wording.refusals.signing_in import SIGNING_IN_SENTENCES

OWN_SENTENCES: dict[str, str | Promise] = {
    # Rules: what a hand, a game or a ruleset may be
    "no_such_bid": _("These rules have no bid “%(contract)s”. Choose one of: %(ladder)s."),
    "below_minimum": _("A bid of %(contract)s is not played by these rules. Choose %(minimum)s or more."),
    "trump_not_allowed": _("This contract has no trump. Leave the trump empty."),
    "tricks_out_of_range": _("There are eight tricks. Enter a number from 0 to %(most)s."),
    "tricks_contradict_outcome": _(
        "With %(tricks)s tricks this contract cannot end so. Correct the tricks or the result."
    ),
    "no_such_seat": _("There are %(seats)s seats, numbered from 0. Choose one of them."),
    "declarer_of_other_side": _("The declarer sits on the other side. Choose a player of the side that bid."),
    "no_such_mode": _("This contract is not played that way. Choose one of the ways offered."),
    "cannot_be_passed_out": _(
        "By these rules the dealer must bid %(minimum)s or more. Enter the dealer's bid."
    ),
    "totals_out_of_range": _("A total lies between 0 and %(most)s here. Look at the sheet again."),
    "totals_both_reach_target": _(
        "Only one side can reach %(target)s: the game ends there. Look at the sheet again."
    ),
    "totals_winner_contradicts": _(
        "The side with %(target)s or more wins. Correct the totals or the winner."
    ),
    "totals_game_not_finished": _("Neither side has %(target)s points, so the game has no winner yet."),
    "game_not_won": _(
        "Nobody has %(target)s points. Look at the sheet again; if they stopped there, say below that the"
        " game is not over."
    ),
    "totals_required": _("Enter the total."),
    "totals_winner_required": _("Say which side the game is awarded to."),
    "no_such_kind": _("A hand is played, passed out, misdealt or void. Choose one of them."),
    "side_required": _("Say which side bid."),
    "no_such_side": _("There are two sides, A and B. Choose one of them."),
    "contract_required": _("Say what was bid."),
    "result_required": _("Say how many tricks were won, or whether the contract was made."),
    "no_such_outcome": _("A contract is made or failed. Choose one of them."),
    "no_such_suit": _("“%(value)s” is no suit. Choose S, H, D or C."),
    "not_a_number": _("“%(value)s” is not a whole number. Use digits."),
    "not_text": _("This cannot be read as text. Write letters and digits only."),
    "not_yes_or_no": _("Answer yes or no."),
    "not_a_list": _("This must be a list."),
    "no_such_choice": _("“%(value)s” is not possible here. Choose one of: %(choices)s."),
    "no_such_setting": _("There is no such setting."),
    "value_of_game_end": _("This contract wins or loses the game itself. It has no points."),
    "no_way_to_win": _("No contract left scores anything. Give one at least a value."),
    "no_such_house_rule": _("There is no such house rule."),
    "no_such_ruleset": _("There are no rules named “%(ruleset)s”. Choose one of: %(known)s."),
    "target_not_positive": _("A game is played to 1 point or more."),
    "games_not_positive": _("A match has 1 game or more."),
    "ladder_does_not_rise": _("Each bid must be higher than the one before it. Put the ladder in order."),
    "empty_ladder": _("No bid is left that can be played. Keep one at least."),
    "value_negative": _("Points are 0 or more."),
    "forced_bid_not_in_ladder": _("The dealer's forced bid of %(bid)s is not in the ladder."),
    "no_match_length": _("Say how long a match is: games to win, hands, or minutes."),
    "length_not_positive": _("Enter 1 or more."),
    # Scoring: a match at a table
    "entry_key_reused": _("This was sent before with other values. Open the table again and mark the hand."),
    "match_closed": _("The round is closed: the desk corrects it now."),
    "match_over": _(
        "The match is over, this hand has no place in it. Correct an earlier hand, or call the desk."
    ),
    "number_skips": _("Hand %(expected)s comes next. Mark it first."),
    "not_last_hand": _("Only the last hand, %(last)s, can be undone. Correct this one instead."),
    "no_such_mark": _("This hand has changed meanwhile. Look at it again."),
    "no_such_match": _("This match is no longer there. Open the table again."),
    "code_has_six_digits": _("A code has six digits. Read them on the card in the middle of the table."),
    "unknown_code": _("No table has this code. Read the six digits on the card again."),
    "evening_over": _("This card is from an event that has ended. Ask for a new one."),
    "no_match_yet": _("Nobody plays at this table yet. Wait for the draw."),
    "too_many_guesses": _(
        "Many wrong codes have come from here. Type the five letters of the card too, or scan its square."
    ),
    "letters_are_others": _("These letters and this code are not of one card. Read both again."),
    "reason_required": _("Write the reason: it is kept with the change."),
    "reason_too_long": _("Write %(most)s characters at most."),
    "past_night": _("This event is over: only a director opens it now. Ask the director."),
    "director_only": _("Only the director can do this. Ask the director."),
    "owner_only": _("Only an owner of the club can do this. Ask the owner."),
    "game_not_over": _("This game is not over yet. Mark its last hand first."),
    "game_changed": _("This result has changed meanwhile. Look at it again, then agree."),
    "no_such_key": _("The entry key must be a UUID made by the phone."),
    "not_an_object": _("Send one JSON object."),
    "body_too_large": _("This is too much at once: %(most)s MB at most."),
    # Clubs and people
    "form_refused": _("Nothing was changed. Correct the marked fields."),
    "link_used": _("This link has served already. Sign in with your name and password."),
    "name_required": _("Write the name."),
    "name_too_long": _("This name is too long: %(most)s characters at most."),
    "name_taken": _("Somebody signs in as “%(name)s” already. Add something to tell you apart."),
    "password_too_weak": _("Choose a password of 8 characters or more, not all digits and not a common one."),
    "club_name_required": _("Write the name of the club."),
    "no_such_club": _("This club is no longer there. Look at the first page."),
    "no_such_house_rules": _("These house rules are no longer there. Look at the list again."),
    "house_rules_name_taken": _("There are house rules named “%(name)s” already. Give these another name."),
    "house_rules_removed": _("These house rules were removed meanwhile. Choose others, or put them back."),
    "forced_bid_required": _("Write the least number that the dealer must bid."),
    "way_required": _("Keep one way of playing this contract at least."),
    "wrong_password": _("Name and password do not go together. Try again."),
    # Events: entries, rounds
    "event_name_required": _("Write a name for it."),
    "tables_out_of_range": _("Enter a number of tables from 1 to %(most)s."),
    "not_a_date": _("“%(value)s” is not a date. Write it like 2026-11-17."),
    "no_such_detail": _("A hand can ask for the declarer, the trump and the way of playing only."),
    "too_few_entries": _("It takes two entries at least to play. Add entries first."),
    "too_few_tables": _("These entries need %(needed)s tables and there are %(tables)s. Add tables."),
    "event_started": _("It has begun: entries cannot change any more."),
    "event_not_running": _("The event is not under way. Start it first."),
    "list_refused": _("Nothing was added. Correct these lines, then add them again."),
    "lines_held_back": _(
        "Entries added: %(count)s. These lines were not: correct them, then add them again."
    ),
    "list_empty": _("Write one entry a line, such as: Jeannine Roy and Marcel Dubé."),
    "one_name_missing": _("“%(text)s”: one name is missing. Write the two names with “and” between them."),
    "too_many_names": _("“%(text)s”: too many names. Write one entry a line."),
    "strange_character": _("“%(name)s”: take out “%(character)s”, no name has it."),
    "entered_twice": _("%(name)s is entered already. Add something to tell them apart."),
    "step_not_allowed": _("This cannot be done now. Look at the page again."),
    "event_running": _("The event is under way. End it first, then it can be put away."),
    "event_has_hands": _("Hands were marked in this event. What was played is never thrown away."),
    "round_not_closed": _("Round %(round)s is not closed. Close it first."),
    "tables_missing": _("Tables without a result: %(tables)s. Close the round once they have one."),
    "tables_undecided": _(
        "Round %(round)s is closed, but these tables have no result any more: %(tables)s. "
        "Say at them first what counts."
    ),
    "no_such_round": _("There is no round %(round)s. Look at the page again."),
    "no_such_event": _("There is no such event."),
    "later_round_published": _("A later round has been published. Correct a single table instead."),
    # Recorded nights
    "night_refused": _("Nothing was imported. Correct these lines, then try again."),
    "no_such_folder": _("There is no folder %(folder)s."),
    "file_missing": _("The file %(file)s is missing."),
    "file_twice": _("The file %(file)s is in the zip twice. Keep one of them."),
    "file_too_large": _("The file %(file)s is too large."),
    "files_too_large": _("These files are too large: %(most)s MB at most. A night has less than one."),
    "not_a_zip": _("This zip file cannot be opened. Choose the night's four files instead."),
    "files_required": _("Choose the night's files: night.json, entries.csv, tables.csv and hands.csv."),
    "not_utf8": _("A letter here is not UTF-8. Save the file as CSV UTF-8, then try again."),
    "not_json": _("This is not JSON."),
    "malformed_csv": _("This line cannot be read: look at its quotation marks."),
    "column_missing": _("The column is missing. Name it in the first line."),
    "column_twice": _("The column is there twice. Keep one of them."),
    "entry_twice": _("Entry %(entry)s is there twice."),
    "no_such_entry": _("There is no entry %(entry)s in entries.csv."),
    "seated_twice": _("Entry %(entry)s sits twice in round %(round)s."),
    "table_twice": _("Table %(table)s is there twice in round %(round)s."),
    "no_such_table": _("Table %(table)s of round %(round)s is not in tables.csv."),
    "round_missing": _("Round %(round)s is missing."),
    "match_not_over": _("The hands do not end the match, and a later round was played."),
}


def joined_tables(*tables: Mapping[str, str | Promise]) -> dict[str, str | Promise]:
    """One table of them all. A code that stands in two of them is a bug: ValueError."""
    joined: dict[str, str | Promise] = {}
    for table in tables:
        twice = joined.keys() & table.keys()
        if twice:
            raise ValueError(f"two sentences for {', '.join(sorted(twice))}")
        joined |= table
    return joined


SENTENCES = joined_tables(
    OWN_SENTENCES,
    BACKUP_SENTENCES,
    CARD_SENTENCES,
    DIRECTOR_SENTENCES,
    DRAW_SENTENCES,
    ENTRY_SENTENCES,
    EVENT_FILE_SENTENCES,
    HALL_SENTENCES,
    HAND_SHEET_SENTENCES,
    INTERCLUB_SENTENCES,
    JOB_SENTENCES,
    MONEY_SENTENCES,
    NIGHT_SENTENCES,
    OUTAGE_SENTENCES,
    PEOPLE_SENTENCES,
    PLANNING_SENTENCES,
    PRIVACY_SENTENCES,
    PUBLISHING_SENTENCES,
    SEASON_SENTENCES,
    SHEET_SENTENCES,
    SIGNING_IN_SENTENCES,
    STANDINGS_SENTENCES,
    TEAM_SENTENCES,
    TOURNAMENT_SENTENCES,
)
"""What every refusal says, by its code."""


def sentence(refusal: Refusal) -> str:
    """What this refusal says to the reader. A code without a sentence is a bug: KeyError."""
    return str(SENTENCES[refusal.code]) % {
        name: _shown(_named(value) if name in CONTRACTS else value) for name, value in refusal.details.items()
    }


def located(refusal: Refusal) -> str:
    """The same with the place it concerns in front: ``hands.csv, line 12, column tricks: …``."""
    details: Mapping[str, Any] = refusal.details
    place = [str(details["file"])] if details.get("file") else []
    if details.get("line"):
        place.append(gettext("line %(line)s") % {"line": details["line"]})
    if refusal.field and details.get("file") and refusal.field != details["file"]:
        place.append(gettext("column %(column)s") % {"column": refusal.field})
    return gettext("%(place)s: %(sentence)s") % {"place": ", ".join(place), "sentence": sentence(refusal)}


CONTRACTS = frozenset({"contract", "minimum", "ladder", "bid"})
"""Details that are contracts, or what somebody took for one."""


def _named(value: Any) -> Any:
    """Contracts as the reader's language calls them."""
    return [contract_name(key) for key in value] if isinstance(value, list | tuple) else contract_name(value)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return get_text_list([str(item) for item in value], gettext("and"))
    return str(value).encode(errors="replace").decode()  # half a character, which JSON can hold, has no bytes
