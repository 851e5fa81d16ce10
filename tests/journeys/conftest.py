"""Fixtures for browser tests: a real Chromium, a real server and, for standings, a real worker.

These tests need their own pytest run, as ``manage.py test`` starts it: the browser's event loop runs in this
thread, beside Django's synchronous code.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.utils import timezone
from django.utils.translation.reloader import translation_file_changed
from playwright.sync_api import Browser, expect
from pytest_django import DjangoDbBlocker

from operations.data_dir import DATA_VARIABLE, PROJECT
from operations.prepare_install import prepare_data_folder
from tests import external_tools
from tests.journeys.engines import ENGINES_BY_NAME, SIZE, ChromiumTab, Tab
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import PATIENCE, ContextPool, Phones
from tests.spoiling_proxy import SpoilingProxy
from tests.support.fixed_clock import FIXED_TIME
from tests.workspaces import find_free_port

FOLDER = Path(__file__).parent
LONGEST = FOLDER / "test_small_phones.py"
"""Opens every page for a minute, so it comes first: at the end of a run, only one process would be busy."""
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path != LONGEST)
    is_run_of_its_own = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE") == "true"
    for item in (item for item in items if item.path.is_relative_to(FOLDER)):
        # config.asgi ignores this warning too, but pytest resets warning filters.
        item.add_marker(pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"))
        if not is_run_of_its_own:
            item.add_marker(pytest.mark.skip(reason="journeys want a run of their own: manage.py test"))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    chromium = external_tools.find_chromium()
    if chromium is None:
        pytest.skip("no Chromium")
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
    quiet += ["--disable-background-networking", "--disable-component-update"]
    # Pages of a context share a process, which ContextPool in phone.py keeps alive with an open page.
    quiet += ["--disable-site-isolation-trials", "--renderer-process-limit=1"]
    return browser_type_launch_args | {"executable_path": chromium, "args": quiet}


@pytest.fixture(scope="session")
def prepared(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Compile texts and collect static files, as the first start of an installation does."""
    with django_db_blocker.unblock():
        prepare_data_folder()
    translation_file_changed(None, Path("django.mo"))


@pytest.fixture(scope="session")
def port() -> int:
    """Return the port on which the servers of all tests listen, one after another."""
    return find_free_port()


@pytest.fixture
def server(prepared: None, transactional_db: None, port: int) -> Iterator[Server]:
    """Yield a running web server, which stops before the database is emptied."""
    server = Server(port)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def that_evening() -> Iterator[None]:
    """Freeze Django's clock, so that dates are described alike in every run."""
    with patch.object(timezone, "now", return_value=FIXED_TIME):
        yield


@pytest.fixture
def hall(server: Server) -> Hall:
    return Hall(server)


@pytest.fixture
def worker(server: Server) -> Iterator[None]:
    """Run the background worker as ``manage.py up`` does; it ends when its standard input closes."""
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    environment[DATA_VARIABLE] = str(settings.DATA_DIR)
    command = [sys.executable, "-m", "operations.up.child", "worker"]
    process = subprocess.Popen(command, cwd=PROJECT, env=environment, stdin=subprocess.PIPE)
    yield
    assert process.stdin is not None
    process.stdin.close()
    process.wait()


@pytest.fixture(scope="session")
def context_pool(browser: Browser, port: int) -> ContextPool:
    return ContextPool(browser, f"http://127.0.0.1:{port}")


@pytest.fixture
def phones(browser: Browser, context_pool: ContextPool, server: Server, tmp_path: Path) -> Iterator[Phones]:
    """Yield phones at the server, which are closed before it stops; pictures go to the test's folder."""
    phones = Phones(browser, server.url, tmp_path, pool=context_pool)
    yield phones
    phones.close()


@pytest.fixture
def network(server: Server) -> Iterator[SpoilingProxy]:
    with SpoilingProxy(server.port) as proxy:
        yield proxy


def parametrize_engines(*, ordinary: str) -> list[Any]:
    """Return a parameter for each engine; all but the ordinary one run only nightly."""
    nightly = pytest.mark.long("test_browser_engines.py plays the night in every engine")
    return [pytest.param(name, marks=() if name == ordinary else nightly) for name in external_tools.ENGINES]


@pytest.fixture(params=parametrize_engines(ordinary="Chromium"))
def tab(request: pytest.FixtureRequest, network: SpoilingProxy, tmp_path: Path) -> Iterator[Tab]:
    """Yield a browser tab whose requests to other hosts go through the network proxy."""
    if request.param in external_tools.list_missing():
        pytest.skip(f"no {request.param}")
    if request.param == "Chromium":
        browser: Browser = request.getfixturevalue("browser")
        page = browser.new_page(proxy={"server": network.url, "bypass": "127.0.0.1"}, viewport=SIZE)
        yield ChromiumTab(page)
        page.close()
    else:
        with ENGINES_BY_NAME[request.param](tmp_path, urlsplit(network.url).netloc) as opened:
            yield opened
