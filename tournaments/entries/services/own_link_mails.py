"""E-mails to players: the link to their own page once the organizer has identified them, and news about their
partner."""

from collections.abc import Iterator

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils.translation import gettext, override

from clubs.emails import NO_ANSWER, is_mailed_at
from clubs.models import Person
from jobs.services import enqueue
from tournaments.entries.badge_codes import own_link
from tournaments.lifecycle import EventState
from tournaments.models import Entry

MAIL_OWN_LINK = "mail_own_link"
MAIL_PARTNER = "mail_partner"
"""Kinds of jobs; each job sends one e-mail."""


def ask_own_link_mail(entry: Entry, person_id: int) -> None:
    """Queue the e-mail with the own link, if the installation sends mail. Call within the transaction of the
    change. Safe to repeat."""
    if settings.MAIL_LEADS_TO:
        enqueue(kind=MAIL_OWN_LINK, key=f"{entry.pk}/{person_id}", club_id=entry.event.club_id)


def ask_partner_mail(entry: Entry, person: Person) -> None:
    """Queue an e-mail about a partner gained or lost, if the installation sends mail. Call within that
    transaction."""
    if settings.MAIL_LEADS_TO:
        enqueue(kind=MAIL_PARTNER, key=f"{entry.pk}/{person.pk}", club_id=person.club_id)


def send_own_link(key: str) -> None:
    """Send the own link to the address that the club now has of the person. Nothing is sent if there is none,
    or if they left the entry. Raises what the mail's server raises."""
    for entry, person in _addressees(key):
        with override(entry.event.club.language):
            subject = gettext("%(event)s: your page") % {"event": entry.event.name}
            _letter(entry, person, subject, "tournaments/entries/own_link_mail.txt").send()


def send_partner(key: str) -> None:
    """Send the name of the current partner, or that there is none any more. Addressees are as in
    ``send_own_link``."""
    for entry, person in _addressees(key):
        with override(entry.event.club.language):
            subject = gettext("%(event)s: your partner") % {"event": entry.event.name}
            _letter(entry, person, subject, "tournaments/entries/partner_mail.txt").send()


def _addressees(key: str) -> Iterator[tuple[Entry, Person]]:
    """Yield the entry and the person of a job's key, if they are in it and have an address. One query."""
    entry_id, person_id = map(int, key.split("/"))
    entries = Entry.objects.select_related("event__club", "event__terms", "player_1", "player_2")
    entry = entries.filter(pk=entry_id).exclude(event__state=EventState.ENDED).first()
    if entry is not None and entry.event.is_public:
        for person in entry.players:
            if person.pk == person_id and is_mailed_at(person.contact):
                yield entry, person


def _letter(entry: Entry, person: Person, subject: str, template: str) -> EmailMessage:
    """Build the e-mail in the active language."""
    context = {
        "event": entry.event,
        "entry": entry,
        "partner": next((each for each in entry.players if each != person), None),
        "link": own_link(entry.event, person.pk, settings.MAIL_LEADS_TO),
    }
    body = render_to_string(template, context).strip() + "\n"
    return EmailMessage(subject, body, to=[person.contact], headers=NO_ANSWER)
