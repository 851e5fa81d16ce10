"""A club between its nights: the owner at the desk, and one night in preparation."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.models import Account
from tests.builders import build_account, build_club, build_event
from tests.saved_states import saved_state
from tournaments.models import Event

from .browser import Browser, Page


class Office:
    """A club and its owner's browser."""

    def __init__(self, pairs: int = 0, **settings: Any) -> None:
        self.owner, self.event = _build_night_with_owner(pairs, **settings)
        self.club = self.event.club
        self.browser = Browser(account=self.owner)

    @property
    def entries(self) -> str:
        return f"/e/{self.event.short}/desk/entries"

    def paste_entries(self, text: str) -> Page:
        page = self.browser.open(self.entries)
        return self.browser.send(page, page.find_form("/entries", control_name="entries"), entries=text)

    def create_night(self, **typed: Any) -> Page:
        page = self.browser.open(f"/club/{self.club.slug}/new")
        return self.browser.send(page, page.find_form(control_name="table_count"), **typed)

    def upload_night(self, *files: SimpleUploadedFile, **typed: Any) -> Page:
        page = self.browser.open(f"/club/{self.club.slug}/import")
        return self.browser.send(page, page.find_form(control_name="files"), files=list(files), **typed)

    def import_night(self, *files: SimpleUploadedFile, **typed: Any) -> Page:
        """Upload a night with the ``typed`` fields, and confirm its import."""
        page = self.upload_night(*files, **typed)
        return self.browser.send(page, page.find_form(control_name="key"))


@saved_state
def _build_night_with_owner(pairs: int, **settings: Any) -> tuple[Account, Event]:
    """Create an owner and a night in preparation."""
    owner = build_account()
    return owner, build_event(pairs, club=build_club(owner=owner), **settings)
