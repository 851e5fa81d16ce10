"""Browser tabs in the engines of visitors' devices: Chromium, Firefox and WebKit (every iPhone).

Firefox and WebKit come from Debian, not from Playwright. Firefox speaks Marionette, the protocol beneath
geckodriver: WebDriver commands as JSON over a socket.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page, ViewportSize

from tests import external_tools
from tests.journeys.hall import Hall
from tests.journeys.phone import PATIENCE
from tests.workspaces import find_free_port

MAX_TAPS = 4
"""Seconds after which a person taps again."""
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""Key of an element's id in the JSON of WebDriver."""
IS_UPPERMOST = """(() => {
  const wanted = document.querySelector(%s);
  wanted?.scrollIntoView({block: "center"});
  const {x = 0, y = 0, width = 0, height = 0} = wanted?.getBoundingClientRect() ?? {};
  const moves = document.getAnimations().some(({effect}) => effect.target.contains(wanted));
  return !moves && Boolean(wanted?.contains(document.elementFromPoint(x + width / 2, y + height / 2)));
})()"""
"""Whether a tap in the middle of an element reaches it, after scrolling and once animations have ended."""
HALL = "http://hall.lan"
"""Address as on phones in a hall: plain http, where a page may do less than on 127.0.0.1."""
SIZE: ViewportSize = {"width": 390, "height": 844}


class BrowserError(Exception):
    """A failed browser command: the element is missing, or another one covers it."""


class Tab(ABC):
    """A browser tab, controlled as by a person."""

    @abstractmethod
    def open(self, url: str) -> None:
        """Open the address, and return once the page is loaded."""

    @abstractmethod
    def press(self, selector: str) -> None:
        """Scroll to the element and click in its middle. Raises BrowserError."""

    @abstractmethod
    def type(self, selector: str, text: str) -> None:
        """Type the text into the field."""

    @abstractmethod
    def value_of(self, expression: str) -> Any:
        """Return the JSON value of a JavaScript expression."""

    def tap(self, selector: str) -> None:
        """Press the element as soon as it is present and uncovered."""
        self._wait_until(f"{selector} can be tapped", lambda: (self.press(selector), True)[1])

    def leave_page_by(self, selector: str) -> None:
        """Press the element until the page changes.

        WebKit's driver sometimes loses a tap, and reports an error for a tap that leaves the page.
        """
        page = self.value_of("location.href")
        taps_again = 0.0

        def has_left() -> bool:
            nonlocal taps_again
            if self.value_of("location.href") != page:
                return True
            if time.monotonic() > taps_again:
                taps_again = time.monotonic() + MAX_TAPS
                self.press(selector)
            return False

        self._wait_until(f"{selector} leads on", has_left)

    def wait_for_text(self, selector: str, text: str = "") -> None:
        """Wait until a visible element contains the text."""
        shown = f"""[...document.querySelectorAll({json.dumps(selector)})].some((one) =>
            one.getClientRects().length
            && one.textContent.replace(/\\s+/g, " ").includes({json.dumps(text)}))"""
        self._wait_until(f"{selector} says {text}", lambda: self.value_of(shown))

    def _wait_until(self, description: str, condition: Any) -> None:
        """Wait until the condition holds. Raises AssertionError after the time limit."""
        why = ""
        end = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < end:
            try:
                if condition():
                    return
            except BrowserError as refused:
                why = str(refused)
            time.sleep(0.05)
        raise AssertionError(f"not so: {description}; {why}; {self.value_of('document.body.innerText')}")


class ChromiumTab(Tab):
    def __init__(self, page: Page) -> None:
        self._page = page

    def open(self, url: str) -> None:
        self._page.goto(url)

    def press(self, selector: str) -> None:
        try:
            self._page.locator(selector).first.click(timeout=PATIENCE)
        except Error as error:
            raise BrowserError(error.message) from error

    def type(self, selector: str, text: str) -> None:
        self._page.locator(selector).fill(text)

    def value_of(self, expression: str) -> Any:
        try:
            return self._page.evaluate(expression)
        except Error as error:  # such as during a page change
            raise BrowserError(error.message) from error


class DrivenTab(Tab):
    """A tab controlled by WebDriver commands."""

    @abstractmethod
    def send_command(self, command: str, **arguments: Any) -> Any:
        """Send a command and return the value of the response. Raises BrowserError."""

    def open(self, url: str) -> None:
        self.send_command("Navigate", url=url)

    def press(self, selector: str) -> None:
        # WebDriver would also click an element that a bar covers or that ignores taps for now.
        if not self.value_of(IS_UPPERMOST % json.dumps(selector)):
            raise BrowserError(f"{selector} is not there, or cannot be touched")
        self.send_command("ElementClick", id=self._find_element(selector))

    def type(self, selector: str, text: str) -> None:
        self.send_command("ElementSendKeys", id=self._find_element(selector), text=text)

    def value_of(self, expression: str) -> Any:
        return self.send_command("ExecuteScript", script=f"return {expression}", args=[])

    def _find_element(self, selector: str) -> str:
        found = self.send_command("FindElement", using="css selector", value=selector)
        return str(found[ELEMENT])


class FirefoxTab(DrivenTab):
    def __init__(self, port: int) -> None:
        self._stream = socket.create_connection(("127.0.0.1", port), timeout=60).makefile("rwb")
        self._read_message()  # greeting of the browser
        self._commands = 0
        self.send_command("NewSession", capabilities={})
        self.send_command("SetWindowRect", **SIZE)

    def send_command(self, command: str, **arguments: Any) -> Any:
        self._commands += 1
        text = json.dumps([0, self._commands, f"WebDriver:{command}", arguments]).encode()
        self._stream.write(b"%d:%s" % (len(text), text))
        self._stream.flush()
        _, _, error, result = self._read_message()
        if error:
            raise BrowserError(error["message"])
        return result.get("value")

    def _read_message(self) -> Any:
        length = b""
        while (byte := self._stream.read(1)) != b":":
            length += byte
        return json.loads(self._stream.read(int(length)))


class WebKitTab(DrivenTab):
    PATHS = {
        "ElementClick": "/element/{id}/click",
        "ElementSendKeys": "/element/{id}/value",
        "ExecuteScript": "/execute/sync",
        "FindElement": "/element",
        "Navigate": "/url",
        "NewSession": "",
        "SetWindowRect": "/window/rect",
    }

    def __init__(self, port: int, proxy: str) -> None:
        self._driver = HTTPConnection("127.0.0.1", port, timeout=60)
        self._session = "/session"
        self._session += "/" + self._open_session(proxy)
        self.send_command("SetWindowRect", **SIZE)

    def _open_session(self, proxy: str) -> str:
        proxies = {"httpProxy": proxy, "sslProxy": proxy, "noProxy": ["127.0.0.1"]}
        wanted = {"proxy": {"proxyType": "manual", **proxies}}
        return str(self.send_command("NewSession", capabilities={"alwaysMatch": wanted})["sessionId"])

    def send_command(self, command: str, **arguments: Any) -> Any:
        path = self._session + self.PATHS[command].format(**arguments)
        self._driver.request("POST", path, json.dumps(arguments), {"Content-Type": "application/json"})
        value = json.loads(self._driver.getresponse().read())["value"]
        if isinstance(value, dict) and "error" in value:
            raise BrowserError(value["message"])
        return value


@contextmanager
def run_firefox(folder: Path, proxy: str) -> Iterator[FirefoxTab]:
    """Run Firefox with a profile in the folder; it reaches other computers through the proxy, ``host:port``."""
    host, _, port = proxy.partition(":")
    preferences: dict[str, str | int] = {"marionette.port": 0, "network.proxy.type": 1}
    for protocol in ("http", "ssl"):
        preferences[f"network.proxy.{protocol}"] = host
        preferences[f"network.proxy.{protocol}_port"] = int(port)
    lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items())
    (folder / "user.js").write_text("".join(lines))
    command = [external_tools.find_firefox(), "--headless", "--marionette", "--no-remote", "--profile", str(folder)]
    with _run_process(command, {"HOME": str(folder)}) as process:
        yield FirefoxTab(int(_read_output(folder / "MarionetteActivePort", process)))


@contextmanager
def run_webkit(folder: Path, proxy: str) -> Iterator[WebKitTab]:
    """Run WebKit on a virtual screen, because it has no headless mode."""
    read, write = os.pipe()
    screen = ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x1000x24", "-nolisten", "tcp"]
    with _run_process(screen, {}, pass_fds=(write,)):
        os.close(write)
        with os.fdopen(read) as pipe:
            display = pipe.readline().strip()
        # Containers allow no sandbox, and only our own pages are opened.
        more = {
            "DISPLAY": f":{display}",
            "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
            "HOME": str(folder),
        }
        port = find_free_port()
        with _run_process([external_tools.find_webkit(), "--host=127.0.0.1", f"--port={port}"], more):
            _wait_for(port)
            yield WebKitTab(port, proxy)


ENGINES_BY_NAME = {"Firefox": run_firefox, "WebKit": run_webkit}


@contextmanager
def _run_process(
    command: list[Any], environment: dict[str, str], pass_fds: tuple[int, ...] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process while the block runs."""
    process = subprocess.Popen(
        command,
        env=os.environ | environment,
        pass_fds=pass_fds,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def _read_output(file: Path, process: subprocess.Popen[bytes]) -> str:
    while not (file.exists() and file.read_text(encoding="utf-8")):
        assert process.poll() is None, "Firefox did not start"
        time.sleep(0.05)
    return file.read_text(encoding="utf-8")


def _wait_for(port: int) -> None:
    end = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < end:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nobody listens at port {port}")


def mark(tab: Tab, notation: str) -> None:
    tab.tap(f'.lanes a[href$="#{notation.rpartition("-")[0]}"]')
    tab.tap(f'button[name="said"][value="{notation}"]')


def join_table(tab: Tab, hall: Hall) -> None:
    """Open the table with the code on its card."""
    tab.open(f"{HALL}/en/")
    tab.type("#code", hall.table.removeprefix("/t/"))
    tab.leave_page_by("form:has(#code) button")
    tab.wait_for_text("#screen h1", "Table 1")
    tab.wait_for_text("body[data-drawn]")
