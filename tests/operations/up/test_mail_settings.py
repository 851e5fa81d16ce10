"""Mail settings from the environment, and harmful ones that are refused."""

import pytest

from config.mail import MailSettings, mail_in
from operations.terminal import Stop

SENDER, ADDRESS = "Cards <cards@example.org>", "https://cards.example.org"


def mail(url: str, *, sender: str = SENDER, address: str = ADDRESS) -> MailSettings:
    environment = {"CHARLEMAGNE_MAIL": url, "CHARLEMAGNE_MAIL_FROM": sender, "CHARLEMAGNE_ADDRESS": address}
    return mail_in(environment)


def test_without_a_server_no_mail_is_sent() -> None:
    assert mail_in({}) == mail("") == MailSettings()
    assert MailSettings().leads_to == ""
    assert MailSettings().backend.endswith(".dummy.EmailBackend")


def test_a_url_names_the_server_and_who_signs_in_there() -> None:
    found = mail("smtps://an%40a:p%2Fw@mail.example.org")
    assert (found.host, found.port, found.user, found.password) == ("mail.example.org", 465, "an@a", "p/w")
    assert (found.leads_to, found.sender) == (ADDRESS, SENDER)


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
def test_a_link_leaves_the_computer_encrypted_only(
    url: str, port: int, from_the_start: bool, asked_for: bool
) -> None:
    found = mail(url)
    assert (found.port, found.is_tls_from_the_start, found.is_tls_asked_for) == (
        port,
        from_the_start,
        asked_for,
    )


def test_mails_can_be_kept_in_a_folder_to_be_looked_at() -> None:
    found = mail("file:///some%20mails")
    assert (found.backend.rpartition(".")[2], found.folder) == ("EmailBackend", "/some mails")
    assert ".filebased." in found.backend


@pytest.mark.parametrize("url", ["mail.example.org", "imap://mail.example.org", "smtp://", "smtp:mail"])
def test_a_url_of_another_kind_is_refused(url: str) -> None:
    with pytest.raises(Stop, match="CHARLEMAGNE_MAIL must begin"):
        mail(url)


@pytest.mark.parametrize("lacking", [{"sender": ""}, {"address": " "}])
def test_a_server_without_a_sender_or_an_address_is_refused(lacking: dict[str, str]) -> None:
    with pytest.raises(Stop, match="CHARLEMAGNE_MAIL also needs CHARLEMAGNE_MAIL_FROM"):
        mail("smtp://localhost", **lacking)


@pytest.mark.parametrize("address", ["cards.example.org", "ftp://a", "https://", "https://a.org/club"])
def test_an_address_that_links_cannot_begin_with_is_refused(address: str) -> None:
    with pytest.raises(Stop, match="CHARLEMAGNE_ADDRESS must look like"):
        mail("smtp://localhost", address=address)


def test_an_address_may_have_a_port_and_a_last_stroke() -> None:
    assert mail("smtp://localhost", address="http://localhost:8000/").leads_to == "http://localhost:8000"
