"""Django's settings of outgoing mail, from the environment."""

from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import getaddresses
from urllib.parse import unquote, urlsplit

from operations.terminal import Stop, format_terminal_text

SERVER_VARIABLE, SENDER_VARIABLE, ADDRESS_VARIABLE = "CHARLEMAGNE_MAIL", "CHARLEMAGNE_MAIL_FROM", "CHARLEMAGNE_ADDRESS"
BACKENDS = "django.core.mail.backends"
PORTS = {"smtp": 587, "smtps": 465}


@dataclass(frozen=True, slots=True, kw_only=True)
class MailSettings:
    """Settings of outgoing mail. ``link_origin`` is what links in mails begin with; "" if no mail is sent."""

    link_origin: str = ""
    sender: str = ""
    backend: str = f"{BACKENDS}.dummy.EmailBackend"
    folder: str = ""
    host: str = ""
    port: int = 0
    user: str = ""
    password: str = ""
    is_tls_implicit: bool = False
    is_starttls: bool = False


def parse_mail_settings(environment: Mapping[str, str]) -> MailSettings:
    """Return the settings. Stops with a sentence if they cannot send mail, or would send a secret
    unencrypted."""
    values = [environment.get(name, "").strip() for name in (SERVER_VARIABLE, SENDER_VARIABLE, ADDRESS_VARIABLE)]
    if not values[0]:
        return MailSettings()
    if not all(values):
        raise Stop(
            format_terminal_text(
                "mail-incomplete", server=SERVER_VARIABLE, sender=SENDER_VARIABLE, address=ADDRESS_VARIABLE
            )
        )
    url, sender, address = values
    senders = getaddresses([sender])
    if len(senders) != 1 or not all(senders[0][1].partition("@")):
        raise Stop(format_terminal_text("mail-sender", variable=SENDER_VARIABLE, sender=sender))
    link_origin = _parse_origin(address)
    parts = urlsplit(url)
    if parts.scheme == "file":
        backend = f"{BACKENDS}.filebased.EmailBackend"
        return MailSettings(link_origin=link_origin, sender=sender, backend=backend, folder=unquote(parts.path))
    if parts.scheme not in PORTS or not parts.hostname:
        raise Stop(format_terminal_text("mail-server", server=SERVER_VARIABLE))
    is_local = parts.hostname in {"localhost", "127.0.0.1", "::1"}
    return MailSettings(
        link_origin=link_origin,
        sender=sender,
        backend=f"{BACKENDS}.smtp.EmailBackend",
        host=parts.hostname,
        port=parts.port or (25 if is_local and parts.scheme == "smtp" else PORTS[parts.scheme]),
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        is_tls_implicit=parts.scheme == "smtps",
        is_starttls=parts.scheme == "smtp" and not is_local,
    )


def parse_site_address(environment: Mapping[str, str]) -> str:
    """Return the public address of the installation; "" if none is set.

    Stops with a sentence if it is not an address.
    """
    address = environment.get(ADDRESS_VARIABLE, "").strip()
    return _parse_origin(address) if address else ""


def _parse_origin(address: str) -> str:
    """Return scheme and host of the installation.

    They are configured: the host of a request can be forged, and a secret link would lead there.
    """
    parts = urlsplit(address)
    try:
        host = parts.netloc.encode("idna").decode()
    except UnicodeError:
        host = ""
    if parts.scheme not in {"http", "https"} or not host or not parts.hostname or parts.path.strip("/") or parts.query:
        raise Stop(format_terminal_text("site-address", variable=ADDRESS_VARIABLE, address=address))
    return f"{parts.scheme}://{host}"
