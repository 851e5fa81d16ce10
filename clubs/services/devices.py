"""Where an account is signed in, and how that ends."""

from clubs.models import DeviceSession


def sign_out_device(*, account_id: int, digest: str) -> None:
    """That session of the account ends. Safe to repeat."""
    DeviceSession.objects.filter(account=account_id, session_key=digest).delete()


def sign_out_others(*, account_id: int, digest: str) -> None:
    """All sessions of the account end but that one. Safe to repeat."""
    DeviceSession.objects.filter(account=account_id).exclude(session_key=digest).delete()
