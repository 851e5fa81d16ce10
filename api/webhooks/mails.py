"""What the owners of a club are written when an address is told nothing."""

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, override

from clubs.emails import NO_ANSWER
from clubs.models import Membership, Role, Webhook
from web.outgoing import host_of


def write_owners(webhook_id: int) -> None:
    """A mail to each owner who has an address, where the installation sends mail: others read it on the page.
    If the worker dies, some have it twice."""
    webhook = Webhook.objects.select_related("club").filter(pk=webhook_id).first()
    if webhook is None or not settings.MAIL_LEADS_TO:
        return
    owners = Membership.objects.filter(club=webhook.club, role=Role.OWNER).select_related("account")
    for owner in owners.exclude(account__email=""):
        with override(owner.account.language):
            page = reverse("webhook", args=[webhook.club.slug, webhook.pk])
            context = {
                "name": owner.account.name,
                "webhook": webhook,
                "host": host_of(webhook.address),
                "page": f"{settings.MAIL_LEADS_TO}{page}",
            }
            subject = (
                gettext("Webhook to %(host)s turned off")
                if not webhook.is_on
                else gettext("Webhook message to %(host)s not delivered")
            )
            body = render_to_string("api/webhook_mail.txt", context).strip() + "\n"
            said = f"Charlemagne: {subject % {'host': context['host']}}"
        EmailMessage(said, body, to=[owner.account.email], headers=NO_ANSWER).send()
