"""E-mails to players: the link to their own page once the organizer has identified them, and news about their
partner."""

from collections.abc import Iterator

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils.translation import gettext, override

from clubs.emails import build_email, can_receive_email
from clubs.models import Person
from jobs.services import enqueue
from tournaments.entries.badge_codes import build_player_link
from tournaments.lifecycle import EventState
from tournaments.models import Entry

OWN_LINK_JOB = "mail_own_link"
PARTNER_JOB = "mail_partner"
"""Kinds of jobs; each job sends one e-mail."""


def enqueue_player_link_mail(entry: Entry, person_id: int) -> None:
    """Queue the e-mail with the own link, if the installation sends mail. Call within the transaction of the
    change. Safe to repeat."""
    if settings.MAIL_ORIGIN:
        enqueue(kind=OWN_LINK_JOB, key=f"{entry.pk}/{person_id}", club_id=entry.event.club_id)


def enqueue_partner_mail(entry: Entry, person: Person) -> None:
    """Queue an e-mail about a partner gained or lost, if the installation sends mail. Call within that
    transaction."""
    if settings.MAIL_ORIGIN:
        enqueue(kind=PARTNER_JOB, key=f"{entry.pk}/{person.pk}", club_id=person.club_id)


def send_player_link_mail(key: str) -> None:
    """Send the own link to the address that the club now has of the person. Nothing is sent if there is none,
    or if they left the entry. Raises what the mail's server raises."""
    for entry, person in _list_recipients(key):
        with override(entry.event.club.language):
            subject = gettext("%(event)s: your page") % {"event": entry.event.name}
            _build_email(entry, person, subject, "tournaments/entries/player_page_mail.txt").send()


def send_partner_mail(key: str) -> None:
    """E-mail the name of the current partner, or that there is none any more. The recipients are those of
    ``send_player_link_mail``."""
    for entry, person in _list_recipients(key):
        with override(entry.event.club.language):
            subject = gettext("%(event)s: your partner") % {"event": entry.event.name}
            _build_email(entry, person, subject, "tournaments/entries/partner_mail.txt").send()


def _list_recipients(key: str) -> Iterator[tuple[Entry, Person]]:
    """Yield the entry and the person of a job's key, if they are in it and have an address. One query."""
    entry_id, person_id = map(int, key.split("/"))
    entries = Entry.objects.select_related("event__club", "event__terms", "player_1", "player_2")
    entry = entries.filter(pk=entry_id).exclude(event__state=EventState.ENDED).first()
    if entry is not None and entry.event.is_public:
        for person in entry.players:
            if person.pk == person_id and can_receive_email(person.contact):
                yield entry, person


def _build_email(entry: Entry, person: Person, subject: str, template: str) -> EmailMessage:
    """Build the e-mail in the active language."""
    context = {
        "event": entry.event,
        "entry": entry,
        "partner": next((player for player in entry.players if player != person), None),
        "link": build_player_link(entry.event, person.pk, settings.MAIL_ORIGIN),
    }
    body = render_to_string(template, context).strip() + "\n"
    return build_email(subject, body, to=person.contact, club=entry.event.club)
