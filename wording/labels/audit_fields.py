"""What a history tells of each field of each kind of row; None for a field that says nothing to people."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from . import audit_values as values
from .audit_values import Told


@dataclass(frozen=True, slots=True)
class Word:
    label: str | Promise
    told: Told = values.as_text


Fields = Mapping[str, Word | None]

PERSON: Fields = {
    "club_id": None,
    "name": Word(_("Name")),
    "folded_name": None,
    "shows_full_name": Word(_("Full name on public pages"), values.yes_or_no),
    "is_guest": Word(_("Guest"), values.yes_or_no),
    "is_active": Word(_("Still comes"), values.yes_or_no),
    "family_id": Word(_("Family"), values.name_of_value("family")),
    "contact": Word(_("Telephone or e-mail")),
    "labels": Word(_("Groups of the club"), values.as_list),
    "merged_ids": None,
    "is_rated": Word(_("In the ratings and the records of the club"), values.yes_or_no),
    "is_hidden": Word(_("Hidden from public pages"), values.yes_or_no),
    "added_at": None,
    "kept_until": Word(_("Kept until"), values.as_day),
    "anonymized_at": Word(_("Forgotten on"), values.as_moment),
}
CLUB: Fields = {
    "name": Word(_("Name of the club")),
    "slug": None,
    "language": Word(_("Language of the club"), values.as_language),
    "time_zone": Word(_("Time zone"), values.as_time_zone),
    "usual_ruleset": Word(_("Usual rules"), values.as_ruleset),
    "has_ratings": Word(_("Ratings and records"), values.yes_or_no),
    "public_names": Word(_("Names on public pages"), values.as_public_names),
    "has_public_people": Word(_("Everybody has a public page"), values.yes_or_no),
    "responsible_name": Word(_("Person responsible")),
    "responsible_contact": Word(_("How to reach them")),
    "hall": Word(_("Hall")),
    "hall_address": Word(_("Address of the hall")),
    "about": Word(_("About the club")),
    "officers": Word(_("Officers")),
    "contact": Word(_("How to reach the club")),
    "website": Word(_("Website")),
    "forget_after": Word(_("Years before somebody is proposed to be forgotten")),
}
RECURRING_NIGHT: Fields = {
    "club_id": None,
    "name": Word(_("Name")),
    "usual_id": Word(_("Played like"), values.name_of_value("usualnight")),
    "pattern": Word(_("How often"), values.as_pattern),
    "first_on": Word(_("First day"), values.as_day),
    "last_on": Word(_("Last day"), values.as_day),
    "starts_at": Word(_("Begins at"), values.as_hour),
    "ends_at": Word(_("Ends at"), values.as_hour),
    "place": Word(_("Place")),
}
SEASON: Fields = {
    "club_id": None,
    "name": Word(_("Name")),
    "starts": Word(_("First day"), values.as_day),
    "ends": Word(_("Last day"), values.as_day),
    "is_shared": Word(_("Series of several clubs"), values.yes_or_no),
    "ladders": Word(_("Ladders"), values.as_named),
    "left_out": Word(_("Nights that do not count"), values.as_nights),
    "closed_at": Word(pgettext_lazy("a season or a round", "Closed"), values.as_moment),
}
ENTRY: Fields = {
    "event_id": None,
    "number": Word(_("Place in the starting list")),
    "player_1_id": Word(_("First player"), values.name_of_value("person")),
    "player_2_id": Word(_("Second player"), values.name_of_value("person")),
    "section": Word(_("Section")),
    "team": Word(pgettext_lazy("a club against clubs", "Plays for")),
    "rating": Word(_("Rating")),
    "table": Word(_("Always at table")),
    "family": Word(_("Family")),
    "car": Word(_("Car")),
    "labels": Word(_("Category")),
    "side": Word(_("Always on side"), values.as_side),
    "is_waiting": Word(_("On the waiting list"), values.yes_or_no),
    "signed_up_at": Word(_("Signed up by themselves"), values.as_moment),
    "present_at": Word(_("Checked in"), values.as_moment),
    "arrives": Word(_("Plays from"), values.as_arrival),
    "leaves_after": Word(_("Last one before leaving"), values.as_round),
    "absent": Word(_("Absent in the rounds"), values.as_list),
    "byes_asked": Word(_("Asked to sit out in the rounds"), values.as_list),
}
EVENT: Fields = {
    "club_id": None,
    "short": None,
    "name": Word(_("Name")),
    "held_on": Word(_("Day"), values.as_day),
    "terms_id": None,
    "table_count": Word(_("Tables")),
    "stages": Word(_("Stages"), values.as_stages),
    "sections": Word(_("Sections"), values.as_named),
    "boards": Word(_("Boards"), values.as_named),
    "messages": Word(_("Messages"), values.as_messages),
    "announcement_data": Word(_("What the poster says"), values.as_announcement),
    "hall_row": Word(_("Tables in a row")),
    "hall_snakes": Word(_("Every other row is counted back"), values.yes_or_no),
    "ranking": Word(_("What ranks"), values.as_ranking),
    "lot": None,
    "is_seeded": Word(_("The starting list goes by strength"), values.yes_or_no),
    "kept_apart": None,
    "signs_up": Word(_("Public sign-up"), values.yes_or_no),
    "member_fee": Word(_("Fee of a member"), values.as_amount),
    "guest_fee": Word(_("Fee of a guest"), values.as_amount),
    "prizes_add_up": Word(_("One entry may win several prizes"), values.yes_or_no),
    "night_id": Word(_("Night of the calendar"), values.name_of_value("recurringnight")),
    "is_put_away": Word(_("Put away"), values.yes_or_no),
    "is_arriving": Word(_("Being brought in"), values.yes_or_no),
    "is_public": Word(_("Everybody sees it"), values.yes_or_no),
    "shows_entries": Word(_("Everybody sees who takes part"), values.yes_or_no),
    "shows_draw": Word(_("Everybody sees who plays whom"), values.yes_or_no),
    "shows_results": Word(_("Results that everybody sees"), values.as_results),
    "silent_from": Word(_("Results kept back from"), values.as_round),
    "shows_standings": Word(_("Standings that everybody sees"), values.as_ranked),
    "shows_names": Word(_("Names that everybody sees"), values.as_names),
    "final": Word(_("Final standings published")),
    "most_entries": Word(_("As many entries as there is room for")),
    "state": Word(_("Where it stands"), values.as_event_state),
    "created_at": None,
    "key": None,
}
ROUND: Fields = {
    "event_id": None,
    "number": Word(_("Number")),
    "state": Word(_("Where it stands"), values.as_round_state),
    "draw_format": Word(_("Drawn by"), values.as_format),
    "settings": None,
    "seed": Word(_("Lot")),
    "order": Word(_("Drawn from"), values.as_entries),
    "drawn_from": None,
    "price": None,
    "certificate": None,
    "held": Word(_("Tables held"), values.as_list),
    "published_at": Word(_("Published"), values.as_moment),
    "started_at": Word(_("Begun"), values.as_moment),
    "clock_minutes": Word(_("Minutes to count down")),
    "added_minutes": Word(_("Minutes added")),
    "paused_at": Word(_("Clock stopped"), values.as_moment),
    "paused_seconds": Word(_("Seconds the clock stood")),
    "last_hand_at": Word(_("Last hand called"), values.as_moment),
    "closed_at": Word(pgettext_lazy("a season or a round", "Closed"), values.as_moment),
}

FIELDS: Mapping[str, Fields] = {
    "person": PERSON,
    "family": {"club_id": None, "name": Word(_("Name"))},
    "membership": {
        "club_id": None,
        "account_id": Word(_("Name"), values.name_of_value("account")),
        "role": Word(_("Role"), values.as_role),
        "since": Word(_("Since"), values.as_moment),
    },
    "club": CLUB,
    "usualnight": {
        "club_id": None,
        "name": Word(_("Name")),
        "folded_name": None,
        "settings": Word(_("How it is played"), values.as_usual),
    },
    "recurringnight": RECURRING_NIGHT,
    "changeddate": {
        "night_id": Word(_("Night"), values.name_of_value("recurringnight")),
        "on": Word(_("Day"), values.as_day),
        "moved_to": Word(_("Put off to"), values.as_day),
        "reason": Word(_("Reason")),
    },
    "season": SEASON,
    "duesperiod": {
        "club_id": None,
        "name": Word(_("Name")),
        "amount": Word(_("Amount"), values.as_amount),
        "starts": Word(_("First day"), values.as_day),
        "ends": Word(_("Last day"), values.as_day),
    },
    "dues": {
        "period_id": Word(_("Dues"), values.name_of_value("duesperiod")),
        "person_id": Word(_("Name"), values.name_of_value("person")),
        "other": Word(_("Another amount"), values.as_amount),
        "paid": Word(_("Paid"), values.as_amount),
    },
    "fee": {
        "event_id": None,
        "person_id": Word(_("Name"), values.name_of_value("person")),
        "other": Word(_("Another amount"), values.as_amount),
        "paid": Word(_("Paid"), values.as_amount),
    },
    "prize": {
        "event_id": None,
        "name": Word(_("Prize")),
        "amount": Word(_("Amount"), values.as_amount),
        "winner_1_id": Word(_("Won by"), values.name_of_value("person")),
        "winner_2_id": Word(_("With"), values.name_of_value("person")),
        "is_public": Word(_("On public pages"), values.yes_or_no),
        "shows_amount": Word(_("With its amount"), values.yes_or_no),
    },
    "prizecategory": {
        "event_id": None,
        "name": Word(_("Category")),
        "among": Word(_("Who competes"), values.as_among),
        "group": Word(_("Which one")),
        "lowest": Word(_("Rating from")),
        "highest": Word(_("Rating to")),
        "prize": Word(_("Prize")),
        "amounts": Word(_("Amounts"), values.as_amounts),
        "is_public": Word(_("On public pages"), values.yes_or_no),
        "shows_amount": Word(_("With its amount"), values.yes_or_no),
    },
    "incident": {
        "club_id": None,
        "happened_on": Word(_("Happened on"), values.as_day),
        "noticed_on": Word(_("Noticed on"), values.as_day),
        "what": Word(_("What happened")),
        "information": Word(_("Which information")),
        "people": Word(_("How many people")),
        "risk": Word(_("Risk of serious injury"), values.as_risk),
        "done": Word(_("What was done")),
        "commission_told_on": Word(_("The Commission was told on"), values.as_day),
        "people_told_on": Word(_("The people were told on"), values.as_day),
        "closed_at": Word(pgettext_lazy("a season or a round", "Closed"), values.as_moment),
        "created_at": None,
    },
    "visitor": {
        "person_id": Word(_("Name"), values.name_of_value("person")),
        "known_as_id": None,
    },
    "sharednight": {
        "season_id": Word(_("Series"), values.name_of_value("season")),
        "event_id": None,
    },
    "player": {"match_id": None, "seat": None, "person_id": None},
    "entry": ENTRY,
    "event": EVENT,
    "round": ROUND,
    "adjustment": {
        "event_id": None,
        "entry_id": Word(_("Entry"), values.name_of_value("entry")),
        "round": Word(_("Round"), values.as_round),
        "metric": Word(_("What is adjusted"), values.as_metric),
        "amount": Word(_("Amount"), values.as_signed),
        "reason": Word(_("Reason")),
    },
}
"""By kind of row and name of the field, as a history keeps them."""
