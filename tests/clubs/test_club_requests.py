"""Requests for a club on a shared server, approved or refused by its operator."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.core import mail
from pytest_django.fixtures import Settings

from clubs.models import Club, ClubRequest
from clubs.services.club_requests import MAX_WAITING
from jobs.models import Job
from jobs.services import run_job
from tests.support.browser import Browser, Page
from tests.support.hall import Hall

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
ADDRESS = "https://cards.example.org"


@pytest.fixture(autouse=True)
def _requests(settings: Settings) -> None:
    settings.MAIL_ORIGIN = ADDRESS
    settings.TAKES_CLUB_REQUESTS = True


def sent(email: str = "Rita@Example.org", language: str = "fr", *, terms: str | None = "on") -> Page:
    browser = Browser()
    page = browser.open("/clubs/request")
    typed: Any = {"club_name": "Rimouski", "email": email, "language": language}
    tick: Any = {"terms": terms} if terms else {}
    return browser.send(page, page.find_form(control_name="club_name"), **typed, **tick)


def answered(choice: str) -> None:
    hall = Hall()
    page = hall.desk.open(f"/club/{hall.event.club.slug}/installation")
    assert "rita@example.org" in page.text
    page = hall.desk.send(page, page.find_form(control_name="choice"), ("choice", choice))
    assert "rita@example.org" not in page.text
    run_job(Job.objects.get(kind="mail_club_answer").pk)


def test_approved_request_creates_a_club_and_mails_an_invitation() -> None:
    page = sent()
    assert "Request sent. You will get an answer by e-mail." in page.text
    assert page.find_link("Go to home page") == "/"
    answered("approve")
    club = Club.objects.get(name="Rimouski")
    (letter,) = mail.outbox
    assert letter.to == ["rita@example.org"]
    assert letter.subject == "Charlemagne\N{NO-BREAK SPACE}: Votre demande de club"
    link = re.search(rf"{ADDRESS}(/invitation/\S+)", str(letter.body))
    assert link is not None
    browser = Browser()
    page = browser.open(link[1])
    browser.send(
        page, page.find_form(control_name="password"), ("choice", "join"), name="Rita", password="kitty and mulot"
    )
    assert browser.open(f"/club/{club.slug}/team").status == 200
    assert not ClubRequest.objects.exists()


@pytest.mark.long
def test_a_refused_request_is_answered_and_deleted() -> None:
    sent(language="en")
    answered("refuse")
    (letter,) = mail.outbox
    assert "was not approved" in letter.body
    assert "invitation" not in letter.body
    assert not ClubRequest.objects.exists()
    assert Club.objects.count() == 1


def test_club_request_requires_an_address_and_accepted_terms() -> None:
    assert "Accept the terms to send the request." in sent(terms=None).text
    assert "Enter an e-mail address." in sent(email="rita").text
    sent(), sent()
    assert ClubRequest.objects.count() == 1


def test_requests_are_refused_once_too_many_wait() -> None:
    waiting = (ClubRequest(name="Matane", email="guy@example.org", language="fr") for _ in range(MAX_WAITING))
    ClubRequest.objects.bulk_create(waiting)
    assert "Too many requests are waiting." in sent().text


@pytest.mark.long
def test_club_requests_are_rate_limited_by_network() -> None:
    pages = [sent(email=f"rita{number}@example.org") for number in range(40)]
    assert pages[-1].status == 429
    assert ClubRequest.objects.count() < 40


def test_request_page_has_no_form_when_requests_are_disabled(settings: Settings) -> None:
    settings.TAKES_CLUB_REQUESTS = False
    page = Browser().open("/clubs/request")
    assert "This server is not accepting new clubs." in page.text
    assert "Send the request" not in page.text
