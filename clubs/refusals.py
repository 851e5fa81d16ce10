"""Refusals about clubs, people and accounts, by code: sentence, and HTTP status if not 422."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from errors import Answer

REFUSALS: Mapping[str, str | Promise | Answer] = {
    "too_many_tries": Answer(_("Too many tries. Try again in %(minutes)s min."), 429),
    "passkey_refused": _("Passkey not accepted. Try again or use your password."),
    "passkey_unknown": _("This passkey no longer works here. Use your password, then add a new passkey."),
    "passkey_copied": _(
        "Passkey “%(name)s” may have been copied and is blocked. Use your password, then remove it."
    ),
    "passkey_too_late": _("This took too long or was sent twice. Try again."),
    "passkeys_not_here": Answer(_("Passkeys do not work at this address. Use your password."), 409),
    "too_many_passkeys": _("%(most)s passkeys at most. Remove one first."),
    "no_such_passkey": Answer(_("This passkey was removed."), 409),
    "code_wrong": _(
        "Wrong digits. Enter those shown now. If your phone does not say %(clock)s, correct the wrong clock."
    ),
    "code_used": _("These digits were already used. Wait for new ones."),
    "recovery_code_wrong": _("Wrong or used recovery code. Try another one."),
    "app_sealed_elsewhere": Answer(
        _("Your app no longer works here. Use a recovery code, then remove and re-add the app."), 409
    ),
    "app_square_over": Answer(_("This QR code has expired. Scan the new one below."), 409),
    "second_factor_there": Answer(_("Your account already has an app. Remove it first."), 409),
    "no_second_factor": Answer(_("Your account has no app. Add one first."), 409),
    "last_way_in": Answer(_("You would have no way to sign in. Choose a password first."), 409),
    "sign_in_again": Answer(_("Sign in again before making this change."), 409),
    "not_an_address": _("Enter an e-mail address. For example, rita@example.org."),
    "address_taken": _("Another account has this address. Remove it there or use another."),
    "mailed_link_over": Answer(_("This link was used or is over 15 minutes old. Ask for a new one."), 410),
    "no_mail_here": Answer(_("E-mail is not available here. Use your password."), 409),
    "no_such_usual_night": Answer(_("This night template no longer exists. Check the list."), 404),
    "usual_night_on_calendar": _(
        "“%(night)s” on the calendar uses this template. Choose another for it first."
    ),
    "no_such_recurring_night": Answer(_("This night is no longer on the calendar."), 404),
    "no_such_date": Answer(_("The night is not on that day. Check the calendar."), 404),
    "night_on_that_day": _("The night is already on that day. Choose another day."),
    "day_required": _("Choose a day."),
    "hour_required": _("Enter the start time."),
    "not_an_hour": _("“%(value)s” is not a time. Enter hours and minutes."),
    "day_out_of_range": _("Choose a date from %(first)s to %(last)s."),
    "last_before_first": _("The last day is before the first. Correct one of them."),
    "description_required": _("Describe the photo for people who cannot see it."),
    "not_a_picture": _("This file is not a picture. Choose a JPEG, PNG or WebP."),
    "picture_too_large": Answer(_("Picture too large: 15 MB and 50 million pixels at most."), 413),
    "no_office": _("“%(value)s” is incomplete. Enter the office, a colon and the name."),
    "not_a_website": _("“%(value)s” is not a website address."),
    "end_without_beginning": _("Enter the start time too."),
    "event_too_long": _("An event lasts %(most)s days at most. For longer, create a season."),
    "deadline_after_event": _("The sign-up deadline is after the event. Correct one of them."),
    "text_too_long": _("Too long: %(most)s characters at most."),
    "usual_name_taken": _("A night template “%(name)s” already exists. Choose another name."),
    "club_disk_full": Answer(
        _("The club’s disk space (%(most)s MB) is full. Wait until old files expire, or ask the operator."),
        507,
    ),
    "form_refused": _("Nothing was saved. Correct the marked fields."),
    "link_used": Answer(_("Link already used. Sign in with your name and password."), 410),
    "name_required": _("Enter a name."),
    "name_too_long": _("Name too long: at most %(most)s characters."),
    "name_taken": _("“%(name)s” is taken. Add something to it."),
    "password_of_names": _("The password has only your name or the club’s. Add other words."),
    "password_too_weak": _("Choose at least 8 characters, not all digits and not a common password."),
    "club_name_required": _("Enter the club’s name."),
    "no_such_club": Answer(_("This club no longer exists. Go to the home page."), 404),
    "no_such_house_rules": Answer(_("These house rules no longer exist. Check the list."), 404),
    "house_rules_name_taken": _("House rules “%(name)s” already exist. Choose another name."),
    "house_rules_removed": _("House rules removed. Choose others, or restore them."),
    "forced_bid_required": _("Enter the dealer’s minimum bid."),
    "way_required": _("Choose at least one way to play."),
    "wrong_password": _("Wrong name or password. Try again."),
    "name_known": _("The club already has a “%(name)s”. Same person?"),
    "no_such_family": _("This family no longer exists. Check the list."),
    "nobody_listed": _("This list is empty. Enter one name per line."),
    "nobody_new": _("The club knows everyone here. Tick new people or contact details to update."),
    "columns_unnamed": _("Column names are missing. Add them to the first line: name, telephone."),
    "two_people_in_a_line": _("“%(name)s” looks like two people. Use a line for each."),
    "both_took_part": _("Both played in %(event)s, so they are two people. Rename one."),
    "contact_too_long": _("Too long: %(most)s characters at most."),
    "label_too_long": _("A group name has %(most)s characters at most."),
    "too_many_labels": _("%(most)s groups per person at most."),
    "years_out_of_range": _("Enter 1 to %(most)s years, or leave empty."),
    "person_anonymized": Answer(_("The data of %(name)s was erased: nothing is left to change."), 409),
    "still_taking_part": Answer(
        _("%(name)s is still on the list of %(event)s. End the event or remove the name."), 409
    ),
    "too_many_at_once": _("Choose %(most)s people at a time."),
    "day_is_past": _("Choose a future date."),
    "day_to_come": _("This date is in the future. Correct it."),
    "noticed_before": _("This date is before the incident. Correct one of them."),
    "text_required": _("Enter a few words."),
    "no_such_incident": Answer(_("This incident is not in the register."), 404),
    "incident_unfinished": Answer(
        _("First enter what was done and the risk. If it is serious, also enter both notification dates."),
        409,
    ),
    "no_such_member": Answer(_("This person no longer has a role in the club."), 404),
    "last_owner": Answer(_("A club needs an owner. Make someone else an owner first."), 409),
    "note_required": _("Enter who the link is for."),
    "note_too_long": _("Too long: %(most)s characters at most."),
    "no_such_invitation": Answer(_("This link was used or withdrawn. Check the list."), 404),
    "invitation_over": Answer(_("This link was used or withdrawn, or has expired. Ask for a new one."), 410),
    "already_in_club": Answer(
        _("You already have this access in %(club)s. Leave the link for its recipient."), 409
    ),
    "member_of_other_clubs": Answer(
        _("%(name)s has a role in another club. Ask the person who runs the server."), 409
    ),
    "current_password_wrong": _("Wrong password. Try again."),
}
