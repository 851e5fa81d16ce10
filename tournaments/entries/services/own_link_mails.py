"""The own link by mail, to whom the organizer recognized among those who signed up."""

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.utils.translation import gettext, override

from clubs.emails import NO_ANSWER, is_mailed_at
from clubs.models import Person
from jobs.services import enqueue
from tournaments.entries.own_letters import own_link
from tournaments.lifecycle import EventState
from tournaments.models import Entry, Event

MAIL_OWN_LINK = "mail_own_link"
"""The kind of the job: one mail."""


def ask_own_link_mail(entry: Entry, person_id: int) -> None:
    """Within the transaction of a change, where the installation sends mail. Safe to repeat."""
    if settings.MAIL_LEADS_TO:
        enqueue(kind=MAIL_OWN_LINK, key=f"{entry.pk}/{person_id}")


def send_own_link(key: str) -> None:
    """What the job of this key has to send, to the address that the club has of the person now;
    nothing where it has none, or where they are out of the entry. Raises what the mail's server raises."""
    entry_id, person_id = map(int, key.split("/"))
    entries = Entry.objects.select_related("event__club", "player_1", "player_2")
    entry = entries.filter(pk=entry_id).exclude(event__state=EventState.ENDED).first()
    if entry is None or not entry.event.is_public:
        return
    for person in entry.players:
        if person.pk == person_id and is_mailed_at(person.contact):
            _letter(entry.event, person).send()


def _letter(event: Event, person: Person) -> EmailMessage:
    with override(event.club.language):
        context = {"event": event, "link": own_link(event, person.pk, settings.MAIL_LEADS_TO)}
        body = render_to_string("tournaments/entries/own_link_mail.txt", context).strip() + "\n"
        subject = gettext("%(event)s: your own page") % {"event": event.name}
    return EmailMessage(subject, body, to=[person.contact], headers=NO_ANSWER)
