"""Mail settings from the environment; unsafe or incomplete ones are refused."""

import pytest

from config.mail import MailSettings, parse_mail_settings
from operations.terminal import Stop

SENDER, ADDRESS = "Cards <cards@example.org>", "https://cards.example.org"


def build_mail_settings(url: str, *, sender: str = SENDER, address: str = ADDRESS) -> MailSettings:
    environment = {"CHARLEMAGNE_MAIL": url, "CHARLEMAGNE_MAIL_FROM": sender, "CHARLEMAGNE_ADDRESS": address}
    return parse_mail_settings(environment)


def test_no_mail_is_sent_without_a_server() -> None:
    assert parse_mail_settings({}) == build_mail_settings("") == MailSettings()
    assert MailSettings().link_origin == ""
    assert MailSettings().backend.endswith(".dummy.EmailBackend")


def test_url_names_the_server_and_its_credentials() -> None:
    found = build_mail_settings("smtps://an%40a:p%2Fw@mail.example.org")
    assert (found.host, found.port, found.user, found.password) == ("mail.example.org", 465, "an@a", "p/w")
    assert (found.link_origin, found.sender) == (ADDRESS, SENDER)


@pytest.mark.parametrize(
    ("url", "port", "from_the_start", "asked_for"),
    [
        ("smtps://mail.example.org", 465, True, False),
        ("smtp://mail.example.org", 587, False, True),
        ("smtp://mail.example.org:2525", 2525, False, True),
        ("smtp://localhost", 25, False, False),
        ("smtp://127.0.0.1:1025", 1025, False, False),
        ("smtps://localhost", 465, True, False),
    ],
)
def test_remote_server_requires_encryption(url: str, port: int, from_the_start: bool, asked_for: bool) -> None:
    found = build_mail_settings(url)
    assert (found.port, found.is_tls_implicit, found.is_starttls) == (
        port,
        from_the_start,
        asked_for,
    )


def test_file_url_stores_mails_in_a_folder() -> None:
    found = build_mail_settings("file:///some%20mails")
    assert (found.backend.rpartition(".")[2], found.folder) == ("EmailBackend", "/some mails")
    assert ".filebased." in found.backend


@pytest.mark.parametrize("url", ["mail.example.org", "imap://mail.example.org", "smtp://", "smtp:mail"])
def test_mail_url_of_another_kind_is_refused(url: str) -> None:
    with pytest.raises(Stop, match="CHARLEMAGNE_MAIL must begin"):
        build_mail_settings(url)


@pytest.mark.parametrize("lacking", [{"sender": ""}, {"address": " "}])
def test_mail_server_without_sender_or_address_is_refused(lacking: dict[str, str]) -> None:
    with pytest.raises(Stop, match="CHARLEMAGNE_MAIL also needs CHARLEMAGNE_MAIL_FROM"):
        build_mail_settings("smtp://localhost", **lacking)


@pytest.mark.parametrize(
    "sender", ["cards", "Cards, club <cards@example.org>", "a@example.org, b@example.org", "Cards <>"]
)
def test_sender_that_is_not_one_address_is_refused(sender: str) -> None:
    with pytest.raises(Stop, match="CHARLEMAGNE_MAIL_FROM must look like"):
        build_mail_settings("smtp://localhost", sender=sender)


def test_link_address_with_accents_fits_a_header() -> None:
    assert (
        build_mail_settings("smtp://localhost", address="https://érable.ca").link_origin == "https://xn--rable-9ra.ca"
    )


@pytest.mark.parametrize("address", ["cards.example.org", "ftp://a", "https://", "https://a.org/club", "https://é..ca"])
def test_invalid_link_address_is_refused(address: str) -> None:
    with pytest.raises(Stop, match="CHARLEMAGNE_ADDRESS must look like"):
        build_mail_settings("smtp://localhost", address=address)


def test_link_address_may_have_a_port_and_trailing_slash() -> None:
    assert (
        build_mail_settings("smtp://localhost", address="http://localhost:8000/").link_origin == "http://localhost:8000"
    )
