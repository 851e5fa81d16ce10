"""Headers of e-mails: what mail servers and spam filters check."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage as ParsedEmail
from pathlib import Path

import pytest

from clubs.emails import build_email
from clubs.models import Club
from operations.data_dir import PROJECT
from tests.operations.up.test_mail_settings import build_mail_settings
from tests.support.mailbox import MAIL_SETTINGS

LONG_NAME = "Coupe de l’Érable, édition d’été à Saint-Félix-de-Valois, ronde préliminaire et finale du dimanche soir"


@pytest.fixture(autouse=True)
def mail_settings(settings: pytest.FixtureRequest) -> None:
    for name, value in MAIL_SETTINGS.items():
        setattr(settings, name, value)


def send(subject: str, body: str = "Bonjour\n", *, club: Club | None = None) -> ParsedEmail:
    """Return an e-mail as its recipient's server parses it."""
    sent = build_email(subject, body, to="jeannine@example.org", club=club).message().as_bytes()
    assert max(map(len, sent.split(b"\n"))) <= 998
    assert sent.partition(b"\n\n")[0].isascii()
    return message_from_bytes(sent, policy=policy.default)


def test_message_id_names_the_senders_domain(settings: pytest.FixtureRequest) -> None:
    settings.DEFAULT_FROM_EMAIL = build_mail_settings(  # type: ignore[attr-defined]
        "smtp://localhost", sender='"Cartes, Érable" <cartes@érable.example>'
    ).sender
    message = send("Bonjour")
    assert message["Message-ID"].endswith("@xn--rable-9ra.example>")
    sender = message["From"].addresses[0]
    assert (sender.display_name, sender.domain) == ("Cartes, Érable", "xn--rable-9ra.example")
    assert message["Date"].datetime is not None
    assert message["Auto-Submitted"] == "auto-generated"


def test_subject_is_one_line_in_any_language() -> None:
    message = send(f"{LONG_NAME}\r\nBcc: evil@example.org\u2028fin", f"{'é' * 2_000}\n")
    assert message["Subject"].strip() == f"{LONG_NAME} Bcc: evil@example.org fin"
    assert message["Bcc"] is None


@pytest.mark.parametrize(("contact", "reply_to"), [("club@example.org", "club@example.org"), ("418 555-0123", None)])
def test_replies_reach_the_club(contact: str, reply_to: str | None) -> None:
    assert send("Bonjour", club=Club(contact=contact))["Reply-To"] == reply_to


def test_every_email_has_these_headers() -> None:
    folders = ("api", "clubs", "federations", "jobs", "server", "tournaments", "web")
    sources = (path for folder in folders for path in Path(PROJECT, folder).rglob("*.py"))
    builders = [str(path.relative_to(PROJECT)) for path in sources if "EmailMessage(" in path.read_text("utf-8")]
    assert builders == ["clubs/emails.py"]
