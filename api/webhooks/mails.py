"""E-mails to the owners of a club whose webhook fails."""

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, override

from clubs.emails import AUTO_REPLY_HEADERS, build_subject
from clubs.models import Membership, Role, Webhook
from web.outgoing import get_url_host


def write_owners(webhook_id: int) -> None:
    """Write to each owner with an e-mail address, if the installation sends e-mail. If the worker dies, some
    owners get it twice."""
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
                "host": get_url_host(webhook.address),
                "page": f"{settings.MAIL_LEADS_TO}{page}",
            }
            subject = (
                gettext("Webhook to %(host)s turned off")
                if not webhook.is_on
                else gettext("Webhook message to %(host)s not delivered")
            )
            body = render_to_string("api/webhook_mail.txt", context).strip() + "\n"
            subject = build_subject(subject % {"host": context["host"]})
        EmailMessage(subject, body, to=[owner.account.email], headers=AUTO_REPLY_HEADERS).send()
