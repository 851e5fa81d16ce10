"""The menus of a club and of an event at its desk: their pages, and what each one requires."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.urls import NoReverseMatch, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A page of the menu.

    ``key`` is what the page gives as ``here``; ``required_facts`` names the permissions and the states of the event
    that it requires.
    """

    key: str
    url_name: str
    label: str | Promise
    required_facts: frozenset[str] = frozenset()
    args: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MenuLink:
    """An entry of the menu as the page shows it."""

    url: str
    label: str | Promise
    is_current: bool


@dataclass(frozen=True, slots=True)
class Menu:
    """A menu: ``main`` is always visible, ``groups`` open under *More*, each with its heading."""

    main: Sequence[MenuLink]
    groups: Sequence[tuple[str | Promise, Sequence[MenuLink]]]

    @property
    def is_current_in_more(self) -> bool:
        return any(link.is_current for _, links in self.groups for link in links)


@dataclass(frozen=True, slots=True)
class MenuPages:
    """All pages of a menu, for every reader: ``main`` and ``more`` as in ``Menu``."""

    main: Sequence[MenuEntry]
    more: Sequence[tuple[str | Promise, Sequence[MenuEntry]]]

    def build_menu(self, slug: str, *, facts: Collection[str], current_key: str) -> Menu:
        """Return the pages that need no other ``facts``, for the club or event with that name in its
        addresses."""

        def build_links(entries: Sequence[MenuEntry]) -> list[MenuLink]:
            return [
                MenuLink(url=url, label=entry.label, is_current=entry.key == current_key)
                for entry in entries
                if entry.required_facts <= set(facts) and (url := find_page_path(entry.url_name, slug, *entry.args))
            ]

        groups = [(title, build_links(entries)) for title, entries in self.more]
        return Menu(main=build_links(self.main), groups=[(title, found) for title, found in groups if found])


def find_page_path(name: str, *args: str | int) -> str:
    """Return the path of a page; "" if its feature is not loaded."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return ""


DIRECT, OWN = frozenset({"direct"}), frozenset({"own"})
BEGUN, PUBLIC = frozenset({"begun"}), frozenset({"public"})

CLUB_MENU = MenuPages(
    main=(
        MenuEntry("nights", "club", gettext_lazy("Tonight")),
        MenuEntry("calendar", "calendar", gettext_lazy("Calendar"), DIRECT),
        MenuEntry("people", "people", pgettext_lazy("menu", "People"), DIRECT),
        MenuEntry("seasons", "seasons", gettext_lazy("Results")),
    ),
    more=(
        (
            gettext_lazy("Nights"),
            (
                MenuEntry("usual-nights", "usual-nights", gettext_lazy("Night templates"), DIRECT),
                MenuEntry("before", "before-the-night", gettext_lazy("Before the night"), DIRECT | {"hall"}),
                MenuEntry("plan", "new-plan", gettext_lazy("Format planner"), DIRECT),
                MenuEntry("house-rules", "house-rules", gettext_lazy("House rules")),
                MenuEntry("interclub", "interclub", gettext_lazy("Interclub"), DIRECT),
                MenuEntry("import", "import", gettext_lazy("Import"), DIRECT),
                MenuEntry("print", "club-print", gettext_lazy("Print"), DIRECT),
            ),
        ),
        (
            gettext_lazy("People"),
            (
                MenuEntry("attendance", "attendance", gettext_lazy("Attendance"), DIRECT),
                MenuEntry("dues", "dues", gettext_lazy("Dues"), DIRECT),
                MenuEntry("team", "team", gettext_lazy("Team"), OWN),
            ),
        ),
        (
            gettext_lazy("The club"),
            (
                MenuEntry("front", "front", gettext_lazy("Public page")),
                MenuEntry("club-page", "club-page", gettext_lazy("Club details"), OWN),
                MenuEntry("history", "club-history", gettext_lazy("History"), DIRECT),
            ),
        ),
        (
            gettext_lazy("Settings"),
            (
                MenuEntry("ratings", "ratings-switch", gettext_lazy("Ratings and records"), OWN),
                MenuEntry("privacy", "privacy", gettext_lazy("Personal information"), OWN),
                MenuEntry("file", "club-file", gettext_lazy("Export the club"), OWN),
                MenuEntry("tokens", "tokens", gettext_lazy("API keys"), OWN),
                MenuEntry("webhooks", "webhooks", gettext_lazy("Webhooks"), OWN),
                MenuEntry("mirrors", "mirrors", gettext_lazy("Laptop and public site"), OWN),
            ),
        ),
    ),
)

EVENT_MENU = MenuPages(
    main=(
        MenuEntry("tables", "desk", gettext_lazy("Tables"), BEGUN),
        MenuEntry("entries", "entries", pgettext_lazy("menu", "Entries"), DIRECT),
        MenuEntry("check-in", "check-in", gettext_lazy("Check-in")),
        MenuEntry("standings", "desk-standings", gettext_lazy("Standings"), BEGUN),
        MenuEntry("settings", "event-settings", gettext_lazy("Settings"), DIRECT | {"preparing"}),
    ),
    more=(
        (
            gettext_lazy("In the hall"),
            (
                MenuEntry("cards", "card", gettext_lazy("Table cards"), BEGUN, args=(1,)),
                MenuEntry("print", "print", gettext_lazy("Print")),
                MenuEntry("boards", "boards", gettext_lazy("Wall screen"), BEGUN | PUBLIC | DIRECT),
                MenuEntry("board", "board", gettext_lazy("Wall screen"), BEGUN | PUBLIC | {"helping"}),
                MenuEntry("ruling", "event-ruling", gettext_lazy("Who wins the trick?"), PUBLIC),
            ),
        ),
        (
            gettext_lazy("Money"),
            (
                MenuEntry("fees", "fees", gettext_lazy("Fees")),
                MenuEntry("prizes", "prizes", gettext_lazy("Prizes"), DIRECT),
            ),
        ),
        (
            gettext_lazy("Public"),
            (
                MenuEntry("public", "event", gettext_lazy("Public page"), PUBLIC),
                MenuEntry("publishing", "publishing", gettext_lazy("Publishing"), DIRECT),
                MenuEntry("interclub", "invited-clubs", gettext_lazy("Invited clubs"), DIRECT),
            ),
        ),
        (
            gettext_lazy("The event"),
            (
                MenuEntry("settings", "event-settings", gettext_lazy("Settings"), DIRECT | BEGUN),
                MenuEntry("history", "history", gettext_lazy("History"), DIRECT),
                MenuEntry("jobs", "jobs", gettext_lazy("Background tasks"), DIRECT),
            ),
        ),
    ),
)
