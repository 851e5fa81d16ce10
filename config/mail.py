"""Django's settings of outgoing mail, from the environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from operations.terminal import Stop, terminal_text

SERVER, SENDER, ADDRESS = "CHARLEMAGNE_MAIL", "CHARLEMAGNE_MAIL_FROM", "CHARLEMAGNE_ADDRESS"
BACKENDS = "django.core.mail.backends"
PORTS = {"smtp": 587, "smtps": 465}


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSettings:
    """Settings of outgoing mail. ``leads_to`` is what links in mails begin with; "" if no mail is sent."""

    leads_to: str = ""
    sender: str = ""
    backend: str = f"{BACKENDS}.dummy.EmailBackend"
    folder: str = ""
    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    is_tls_from_the_start: bool = False
    is_tls_asked_for: bool = False


def mail_in(environment: Mapping[str, str]) -> MailSettings:
    """Return the settings. Stops with a sentence if they cannot send mail, or would send a secret
    unencrypted."""
    given = [environment.get(name, "").strip() for name in (SERVER, SENDER, ADDRESS)]
    if not given[0]:
        return MailSettings()
    if not all(given):
        raise Stop(terminal_text("mail-incomplete", server=SERVER, sender=SENDER, address=ADDRESS))
    url, sender, address = given
    leads_to = _origin(address)
    parts = urlsplit(url)
    if parts.scheme == "file":
        backend = f"{BACKENDS}.filebased.EmailBackend"
        return MailSettings(leads_to=leads_to, sender=sender, backend=backend, folder=unquote(parts.path))
    if parts.scheme not in PORTS or not parts.hostname:
        raise Stop(terminal_text("mail-server", server=SERVER))
    is_here = parts.hostname in {"localhost", "127.0.0.1", "::1"}
    return MailSettings(
        leads_to=leads_to,
        sender=sender,
        backend=f"{BACKENDS}.smtp.EmailBackend",
        host=parts.hostname,
        port=parts.port or (25 if is_here and parts.scheme == "smtp" else PORTS[parts.scheme]),
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        is_tls_from_the_start=parts.scheme == "smtps",
        is_tls_asked_for=parts.scheme == "smtp" and not is_here,
    )


def site_address_in(environment: Mapping[str, str]) -> str:
    """Return the public address of the installation; "" if none is set.

    Stops with a sentence if it is not an address.
    """
    address = environment.get(ADDRESS, "").strip()
    return _origin(address) if address else ""


def _origin(address: str) -> str:
    """Return scheme and host of the installation.

    They are configured: the host of a request can be forged, and a secret link would lead there.
    """
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/") or parts.query:
        raise Stop(terminal_text("site-address", variable=ADDRESS, address=address))
    return f"{parts.scheme}://{parts.netloc}"
