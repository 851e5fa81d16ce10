"""E-mails to the owners of a club whose webhook fails."""

from django.urls import reverse
from django.utils.translation import gettext

from clubs.emails import mail_owners
from clubs.models import Webhook
from web.outgoing import get_url_host


def mail_webhook_failure(webhook_id: int) -> None:
    """Write to the owners that a webhook is off, or that a message was dropped."""
    webhook = Webhook.objects.select_related("club").filter(pk=webhook_id).first()
    if webhook is None:
        return
    host = get_url_host(webhook.address)

    def get_subject() -> str:
        if webhook.is_on:
            return gettext("Webhook message to %(host)s not delivered") % {"host": host}
        return gettext("Webhook to %(host)s turned off") % {"host": host}

    mail_owners(
        webhook.club,
        template="api/webhook_mail.txt",
        get_subject=get_subject,
        page=reverse("webhook", args=[webhook.club.slug, webhook.pk]),
        webhook=webhook,
        host=host,
    )
