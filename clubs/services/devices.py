"""Signing out on other devices."""

from clubs.models import DeviceSession


def sign_out_device(*, account_id: int, digest: str) -> None:
    """End that session of the account. Safe to repeat."""
    DeviceSession.objects.filter(account=account_id, session_key=digest).delete()


def sign_out_others(*, account_id: int, digest: str) -> None:
    """End all sessions of the account except that one. Safe to repeat."""
    DeviceSession.objects.filter(account=account_id).exclude(session_key=digest).delete()
