"""A club between its nights: the owner at the desk, and one night in preparation."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.models import Account
from tests.builders import a_club, an_account, an_event
from tests.saved_states import saved_state
from tournaments.models import Event

from .browser import Browser, Page


class Office:
    """A club and its owner's browser."""

    def __init__(self, pairs: int = 0, **settings: Any) -> None:
        self.owner, self.event = _a_night_with_its_owner(pairs, **settings)
        self.club = self.event.club
        self.browser = Browser(account=self.owner)

    @property
    def entries(self) -> str:
        return f"/e/{self.event.short}/desk/entries"

    def paste(self, text: str) -> Page:
        page = self.browser.open(self.entries)
        return self.browser.send(page, page.form("/entries", having="entries"), entries=text)

    def new_night(self, **typed: Any) -> Page:
        page = self.browser.open(f"/club/{self.club.slug}/new")
        return self.browser.send(page, page.form(having="table_count"), **typed)

    def upload(self, *files: SimpleUploadedFile, **typed: Any) -> Page:
        page = self.browser.open(f"/club/{self.club.slug}/import")
        return self.browser.send(page, page.form(having="files"), files=list(files), **typed)

    def bring_in_night(self, *files: SimpleUploadedFile, **typed: Any) -> Page:
        """Sent, looked at, and brought in; ``typed`` are the fields of both pages."""
        page = self.upload(*files, **typed)
        return self.browser.send(page, page.form(having="key"))


@saved_state
def _a_night_with_its_owner(pairs: int, **settings: Any) -> tuple[Account, Event]:
    """In preparation."""
    owner = an_account()
    return owner, an_event(pairs, club=a_club(owner=owner), **settings)
