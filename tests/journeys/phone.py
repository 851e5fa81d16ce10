"""A phone, a laptop or another screen in a browser, which counts taps and takes pictures."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from playwright.sync_api import (
    Browser,
    BrowserContext,
    CDPSession,
    ConsoleMessage,
    Error,
    Locator,
    Page,
    ViewportSize,
    WebError,
    expect,
)

from clubs.models import Account
from tests.builders import PASSWORD
from tests.support.browser import Browser as HttpBrowser

PATIENCE = 60_000
"""Milliseconds to wait for anything before it counts as missing, on a busy machine. A passing test waits less."""
TAKES_PICTURES = "CHARLEMAGNE_TEST_PICTURES" in os.environ
"""Set this variable to look at the screens of the tests; pictures take time."""


PHONE: ViewportSize = {"width": 390, "height": 844}
LAPTOP: ViewportSize = {"width": 1_280, "height": 800}

COUNT_REQUESTS_SCRIPT = """
  window.asked = window.answered = 0;
  document.addEventListener("htmx:beforeSend", () => window.asked += 1);
  document.addEventListener("htmx:afterRequest", () => window.answered += 1);
"""
"""Numbers of background requests that the page has sent, and that were answered and processed."""


IS_PAUSED = """document.body.matches(".paused")
  && new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"""
"""Whether taps are ignored now; answers once the timer that ends the pause runs, from the next frame on."""


def wait_until(page: Page, is_so: Callable[[], bool]) -> None:
    """Poll the condition while the page continues; waiting for a promise would have no time limit."""
    for _ in range(PATIENCE // 50):
        if is_so():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it did not come to pass")


class Phone:
    def __init__(self, page: Page, *, url: str, name: str, pictures: Path, has_scripts: bool = True) -> None:
        self.page, self._url = page, url
        self.has_scripts = has_scripts
        self.taps = 0
        self._name, self._pictures, self._taken = name, pictures, 0
        self._tools: CDPSession | None = None
        page.clock.install()
        page.add_init_script(COUNT_REQUESTS_SCRIPT)

    def open(self, path: str) -> None:
        """Open an address, as a scanned QR code does, and wait until a table has rendered itself."""
        self.page.goto(path)
        if self.has_scripts:
            drawn = self.page.locator("body[data-drawn], body:not([data-program])")
            drawn.wait_for(state="attached")

    def tap(self, what: Locator) -> None:
        """Tap an element of a loaded page, count the tap, and wait for the response to its form."""
        self.taps += 1
        what.wait_for()
        self.page.wait_for_load_state()  # scripts that handle taps have run by then
        self.skip_pause()
        what.click()
        expect(self.page.locator("form[aria-busy=true]")).to_have_count(0)

    def open_more_menu(self) -> None:
        """Open the More part of the menu."""
        self.tap(self.page.locator("#menu summary"))

    def set_text_size(self, pixels: int) -> None:
        """Set the text size that the phone's owner chose; browsers start with 16."""
        if self._tools is None:
            self._tools = self.page.context.new_cdp_session(self.page)
        self._tools.send("Page.setFontSizes", {"fontSizes": {"standard": pixels}})

    def resize(self, width: int, height: int = 844, text: int = 16) -> None:
        """Give the phone this screen and text size, in pixels."""
        self.page.set_viewport_size({"width": width, "height": height})
        self.set_text_size(text)

    def open_updates(self) -> None:
        """Open the table's list of updates, which covers the screen."""
        if not self.page.locator(".news:focus-within").count():
            self.tap(self.page.locator(".news"))
        self.wait_for_taps()

    def wait_for_taps(self) -> None:
        """Wait until the pause after a screen change is over."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        self.skip_pause()
        self.page.locator("body:not(.paused)").wait_for()

    def skip_pause(self) -> None:
        """Move the clock forward if taps are ignored after a screen change."""
        if self.has_scripts and self.page.evaluate(IS_PAUSED):
            self.page.clock.fast_forward(1_000)

    def poll_for_updates(self) -> None:
        """Let the time pass after which a page polls for changes."""
        self.page.clock.fast_forward(25_000)

    def stop_clock(self) -> None:
        """Stop the page's clock until it is resumed or run for a while."""
        self.page.clock.pause_at(float(str(self.run_script("Date.now() / 1000 + 1"))))

    def has_sent_soon(self) -> None:
        """Wait until everything is sent, while a stopped clock advances one millisecond at a time."""

        def is_at_rest() -> bool:
            self.page.clock.run_for(1)
            return self.page.locator(".chip.connected").is_visible()

        wait_until(self.page, is_at_rest)

    def wait_for_updates(self) -> int:
        """Poll once, wait until all requests are answered and processed, and return their number."""
        before = self.page.evaluate("asked")
        self.poll_for_updates()
        wait_until(self.page, lambda: bool(self.page.evaluate("asked === answered")))
        return int(self.page.evaluate("asked") - before)

    def take_picture(self, title: str) -> None:
        """Save a picture of the screen for people; a browser too busy to take it fails no test."""
        if not TAKES_PICTURES:
            return
        self._taken += 1
        with suppress(Error):
            # Hiding the caret would style the page, which its policy refuses.
            self.page.screenshot(path=self._pictures / f"{self._name}-{self._taken:02}-{title}.png", caret="initial")

    def sign_in(self, account: Account) -> None:
        """Set the cookies of a session and of the account's language, as the form does; no page is opened."""
        session = HttpBrowser(account=account).client.cookies[settings.SESSION_COOKIE_NAME].value
        account.refresh_from_db(fields=["language"])
        cookies = {settings.SESSION_COOKIE_NAME: session, settings.LANGUAGE_COOKIE_NAME: account.language}
        for name, value in cookies.items():
            self.page.context.add_cookies([{"name": name, "value": value, "url": self._url}])

    def sign_in_by_form(self, account: Account) -> None:
        """Sign in with name and password, and wait for the next page."""
        self.open("/sign-in")
        self.page.locator("input[name=name]").fill(account.name)
        self.page.locator("input[name=password]").fill(PASSWORD)
        self.page.locator("form:has([name=password]) button").click()
        expect(self.page.locator("input[name=password]")).to_be_hidden()

    # The table screen

    def find_contract_key(self, step: str) -> Locator:
        """Find the key of the first tap: side and contract, such as ``A-6``."""
        return self.page.locator(f'.lanes a[href$="#{step}"]')

    def find_result_key(self, notation: str) -> Locator:
        """Find the key of the second tap: the result, such as ``A-6-7`` or ``B-mulot-failed``."""
        return self.page.locator(f'button[name="said"][value="{notation}"]')

    def mark(self, notation: str) -> None:
        """Record an ordinary hand with two taps."""
        self.tap(self.find_contract_key(notation.rpartition("-")[0]))
        self.tap(self.find_result_key(notation))

    def has_sent(self) -> None:
        """Wait until nothing is left to send."""
        expect(self.page.locator(".chip.connected")).to_be_visible()

    def find_button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=re.compile(name))

    def link(self, name: str) -> Locator:
        return self.page.get_by_role("link", name=re.compile(name))

    @property
    def totals(self) -> Locator:
        """The two totals of the running game."""
        return self.page.locator(".panels .total")

    @property
    def screen(self) -> Locator:
        """Content of the table, without its messages to screen readers."""
        return self.page.locator("#screen")

    @property
    def sheet(self) -> Locator:
        """Dialog with the sentence to read aloud and its answers."""
        return self.page.get_by_role("alertdialog")

    def expect_totals(self, a: int, b: int) -> None:
        """Wait until the screen shows these totals, whatever the server has recorded."""
        expect(self.totals).to_have_text([str(a), str(b)])

    def expect_sent_totals(self, a: int, b: int) -> None:
        """Wait until the screen shows these totals and each hand is sent or waits for a network."""
        self.expect_totals(a, b)
        expect(self.page.locator(".chip.pending")).to_have_count(0)

    def run_script(self, script: str) -> object:
        return self.page.evaluate(script)


class ContextPool:
    """Pool of browser contexts of ordinary phones and laptops, emptied between tests.

    A new context starts a renderer process and loads every script again. A context that allows service workers, or
    has options other than a size and a language, is new for each test: it might not become empty.
    """

    MAX_USES = 25
    """Limit because a context's clock logs all calls and replays them in every new page."""

    def __init__(self, browser: Browser, origin: str) -> None:
        self._browser, self._origin = browser, origin
        self._idle: dict[str, BrowserContext] = {}
        self._uses: Counter[BrowserContext] = Counter()

    def acquire(self, options: dict[str, Any]) -> BrowserContext:
        """Return an empty context with these options; its blank page keeps the renderer process alive."""
        if (idle := self._idle.pop(repr(options), None)) is not None:
            return idle
        context = self._browser.new_context(**options)
        context.new_page()
        return context

    def release(self, context: BrowserContext, options: dict[str, Any]) -> None:
        """Empty the context for the next test; close it if another one is idle or it is used up."""
        key = repr(options)
        self._uses[context] += 1
        is_open = context in self._browser.contexts
        if is_open and self._uses[context] < self.MAX_USES and key not in self._idle:
            self._empty(context)
            self._idle[key] = context
        else:
            context.close()

    def _empty(self, context: BrowserContext) -> None:
        """Empty the context; routes, scripts, sizes and tools of its pages end with the pages."""
        blank, *others = context.pages
        for page in others:
            page.close()
        context.unroute_all()
        context.set_offline(False)
        context.clear_permissions()
        tools = context.new_cdp_session(blank)
        tools.send("Storage.clearDataForOrigin", {"origin": self._origin, "storageTypes": "all"})
        tools.detach()
        context.clock.resume()  # the next phone sets it


class Phones:
    """Factory of phones and other screens, each with its own cookies.

    ``refused`` lists what the page's policy kept their browsers from loading, running or sending; ``broken`` lists
    uncaught errors of their scripts.
    """

    def __init__(self, browser: Browser, url: str, pictures: Path, *, pool: ContextPool | None = None) -> None:
        self._browser, self._url, self._pictures, self._pool = browser, url, pictures, pool
        self._contexts: list[BrowserContext] = []
        self._pooled: list[tuple[BrowserContext, dict[str, Any]]] = []
        self.refused: list[str] = []
        self.broken: list[str] = []

    def __call__(self, name: str = "phone", *, width: int = 390, height: int = 844, **more: Any) -> Phone:
        options = self._build_options(width=width, height=height, **more)
        is_ordinary = more.keys() <= {"locale"} and options["viewport"] in (PHONE, LAPTOP)
        if self._pool and is_ordinary:
            context = self._watch_context(self._pool.acquire(options))
            self._pooled.append((context, options))
        else:
            context = self.build_context(width=width, height=height, **more)
        has_scripts = bool(more.get("java_script_enabled", True))
        page = context.new_page()
        return Phone(page, url=self._url, name=name, pictures=self._pictures, has_scripts=has_scripts)

    def build_context(self, *, width: int = 390, height: int = 844, **more: Any) -> BrowserContext:
        """Return a new browser context, the storage of a device, without a page."""
        context = self._browser.new_context(**self._build_options(width=width, height=height, **more))
        self._contexts.append(context)
        return self._watch_context(context)

    def open_laptop(self) -> Phone:
        return self("laptop", **LAPTOP)

    def close(self) -> None:
        """Close all phones, and check that no policy blocked our pages and no script failed."""
        for context in self._contexts:
            context.close()
        for context, options in self._pooled:
            assert self._pool is not None
            self._pool.release(context, options)
            context.remove_listener("console", self._record_message)
            context.remove_listener("weberror", self._fail)
        assert not self.refused, self.refused
        assert not self.broken, self.broken

    def _build_options(self, *, width: int, height: int, **more: Any) -> dict[str, Any]:
        usual: dict[str, Any] = {"locale": "en-CA", "has_touch": width < 1_000, "reduced_motion": "reduce"}
        usual["service_workers"] = "block"  # as browsers do in a hall, on plain http
        return {"base_url": self._url, "viewport": {"width": width, "height": height}} | usual | more

    def _watch_context(self, context: BrowserContext) -> BrowserContext:
        context.set_default_timeout(PATIENCE)
        context.on("console", self._record_message)
        context.on("weberror", self._fail)
        return context

    def _record_message(self, message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            self.refused.append(f"{message.location['url']}: {message.text}")

    def _fail(self, failed: WebError) -> None:
        self.broken.append(failed.error.stack or str(failed.error))
