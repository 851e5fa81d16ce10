"""An organizer who makes a tournament."""

from typing import Any

from tournaments.models import Event

from .browser import Page
from .office import Office


class Bureau(Office):
    """A club whose owner makes a tournament."""

    @property
    def address(self) -> str:
        return f"/club/{self.club.slug}/tournament"

    def choose(self, **answers: str) -> Page:
        return self.browser.open(self.address + "?" + "&".join(f"{k}={v}" for k, v in answers.items()))

    def make(self, page: Page, **typed: Any) -> Page:
        return self.browser.send(page, page.form(having="table_count"), **fields(typed))

    def press(self, page: Page, change: str, **typed: Any) -> Page:
        return self.browser.send(page, page.form(having="table_count"), ("change", change), **fields(typed))


def fields(typed: dict[str, Any]) -> dict[str, Any]:
    """Named as in the form: ``stages__1__count`` is ``stages.1.count``."""
    return {name.replace("__", "."): value for name, value in typed.items()}


def told(page: Page) -> list[str]:
    """The stages in words."""
    return [one.text for one in page.one("ol", class_="told").every("li")]


def tournament() -> Event:
    return Event.objects.latest("pk")
