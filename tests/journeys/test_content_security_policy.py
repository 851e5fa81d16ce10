"""Injected code does nothing: the browser blocks it, and the browser tests detect the block."""

from urllib.parse import urldefrag, urlsplit

import pytest
from django.urls import Resolver404, resolve

from tests.builders import build_club, build_played_night, compute_standings, start_next_round
from tests.journeys.hall import Hall
from tests.journeys.phone import Phone, Phones

INJECTED_CODE = {
    "a script": ("script-src", "<img src='/nothing' onerror='document.title = 1'>"),
    "a style sheet": ("style-src", "<style>h1 { display: none }</style>"),
    "a style": ("style-src", "<p style='position: fixed; inset: 0'>Sign in at evil.example</p>"),
    "a picture": ("img-src", "<img src='http://127.0.0.1:9/picture.png'>"),
    "a form": ("form-action", "<form action='http://127.0.0.1:9/'></form>"),
}
VIOLATIONS_SCRIPT = """
  window.refused = [];
  document.addEventListener("securitypolicyviolation", (told) =>
    window.refused.push([told.effectiveDirective, told.blockedURI, told.sample].join(" ")));
"""
LINKS = "[...document.links].map((link) => link.href)"
MIN_PAGES = 60
"""Least number of pages of a night that the crawl must reach."""


def test_injected_code_is_neither_run_loaded_nor_sent(hall: Hall, phones: Phones) -> None:
    event = hall.build_night()
    phone = phones()
    for what, (source, smuggled) in INJECTED_CODE.items():
        phone.open(f"/e/{event.short}")
        with phone.page.expect_console_message(lambda message, source=source: f"{source} '" in message.text):  # type: ignore[misc]
            phone.run_script(f"document.querySelector('main').insertAdjacentHTML('beforeend', `{smuggled}`)")
            phone.run_script("document.querySelector('main > form:last-child')?.submit()")
        assert len(phones.refused) == 1, what
        phones.refused.clear()


@pytest.mark.long("opens every page; each journey reports what is refused on its pages")
def test_no_page_violates_its_own_policy(hall: Hall, phones: Phones) -> None:
    event = build_played_night(8, club=build_club(owner=hall.owner), draw_format="knockout")
    start_next_round(event)
    compute_standings(event)
    hall.event = event
    desk = phones.open_laptop()
    desk.page.add_init_script(VIOLATIONS_SCRIPT)
    desk.sign_in(hall.owner)
    night = f"/e/{event.short}"
    wanted = [
        night,
        f"{night}/charts",
        f"{night}/embed",
        f"/c/{event.club.slug}/embed",
        "/offline",
        "/nowhere",
    ]
    seen, refused = crawl_pages(desk, [*wanted, f"{night}/desk", f"{night}/board", hall.table])
    assert refused == {}
    assert len(seen) >= MIN_PAGES, sorted(seen)


def crawl_pages(phone: Phone, wanted: list[str]) -> tuple[set[str], dict[str, object]]:
    """Open one page of each view by following links; return the views, and blocked content by address."""
    seen: set[str] = set()
    refused: dict[str, object] = {}
    while wanted:
        path = wanted.pop(0)
        name = get_view_name(path)
        if name in seen:
            continue
        seen.add(name)
        if not is_page(phone, path):
            continue
        phone.page.goto(path)
        if found := phone.run_script("refused"):
            refused[path] = found
        links = phone.run_script(LINKS)
        assert isinstance(links, list)
        here = urlsplit(phone.page.url).netloc
        wanted += [urldefrag(link).url for link in links if urlsplit(link).netloc == here]
    return seen, refused


def is_page(phone: Phone, path: str) -> bool:
    """Return whether a browser shows the address as a page instead of downloading it."""
    headers = phone.page.request.head(path).headers
    return headers.get("content-type", "").startswith("text/html") and "content-disposition" not in headers


def get_view_name(address: str) -> str:
    """Return the name of the page's view, or its route; for an unknown page, the address."""
    try:
        match = resolve(urlsplit(address).path)
    except Resolver404:
        return address
    return match.view_name or match.route
