"""The address that ends the messages to somebody, as it stands in a mail: whoever has the mail has it."""

from django.urls import reverse

from tournaments.models import AlertSubscription
from web.letters import are_letters, letters_for

SALT = "tournaments.alerts.stop"
"""The address stands in mails that were sent: the salt is data, and no name of a module."""

COUNT = 16


def stop_path(subscription: AlertSubscription) -> str:
    letters = stop_letters(subscription.pk)
    return reverse("stop-mailed-alerts", args=[subscription.event.short, subscription.pk, letters])


def stop_letters(subscription_id: int) -> str:
    return letters_for(SALT, str(subscription_id), count=COUNT)


def may_stop(subscription_id: int, letters: str) -> bool:
    return are_letters(letters, stop_letters(subscription_id))
