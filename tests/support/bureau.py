"""The form with which an organizer creates a tournament."""

from typing import Any

from tournaments.models import Event

from .browser import Page
from .office import Office


class Bureau(Office):
    """A club whose owner creates a tournament."""

    @property
    def address(self) -> str:
        return f"/club/{self.club.slug}/tournament"

    def open_form(self, **answers: str) -> Page:
        return self.browser.open(self.address + "?" + "&".join(f"{k}={v}" for k, v in answers.items()))

    def submit(self, page: Page, **typed: Any) -> Page:
        return self.browser.send(page, page.find_form(control_name="table_count"), **convert_field_names(typed))

    def press(self, page: Page, change: str, **typed: Any) -> Page:
        return self.browser.send(
            page, page.find_form(control_name="table_count"), ("change", change), **convert_field_names(typed)
        )


def convert_field_names(typed: dict[str, Any]) -> dict[str, Any]:
    """Convert argument names to field names: ``stages__1__count`` becomes ``stages.1.count``."""
    return {name.replace("__", "."): value for name, value in typed.items()}


def list_stages(page: Page) -> list[str]:
    """Return the descriptions of the stages on the page."""
    return [one.text for one in page.find_one("ol", class_="summary-list").find_all("li")]


def get_tournament() -> Event:
    return Event.objects.latest("pk")
