"""Links in e-mails that end alerts. They need no sign-in, as only the recipient has them."""

from django.urls import reverse

from tournaments.models import AlertSubscription
from web.letters import derive_check_letters, match_letters

SALT = "tournaments.alerts.stop"
"""Salt of the links. They are in e-mails already sent, so it must not change with module names."""

LETTER_COUNT = 16


def get_stop_path(subscription: AlertSubscription) -> str:
    letters = get_stop_letters(subscription.pk)
    return reverse("stop-mailed-alerts", args=[subscription.event.short, subscription.pk, letters])


def get_stop_letters(subscription_id: int) -> str:
    return derive_check_letters(SALT, str(subscription_id), count=LETTER_COUNT)


def can_stop(subscription_id: int, letters: str) -> bool:
    return match_letters(letters, get_stop_letters(subscription_id))
