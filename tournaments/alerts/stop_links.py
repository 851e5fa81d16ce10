"""Links in e-mails that end alerts. They need no sign-in, as only the recipient has them."""

from django.urls import reverse

from tournaments.models import AlertSubscription
from web.letters import are_letters, letters_for

SALT = "tournaments.alerts.stop"
"""Salt of the links. They are in e-mails already sent, so it must not change with module names."""

COUNT = 16


def stop_path(subscription: AlertSubscription) -> str:
    letters = stop_letters(subscription.pk)
    return reverse("stop-mailed-alerts", args=[subscription.event.short, subscription.pk, letters])


def stop_letters(subscription_id: int) -> str:
    return letters_for(SALT, str(subscription_id), count=COUNT)


def may_stop(subscription_id: int, letters: str) -> bool:
    return are_letters(letters, stop_letters(subscription_id))
