"""A real Chromium, a real server, and where standings are wanted a real worker.

These tests want a pytest run of their own, as ``manage.py test`` gives them: the browser's event loop lives
in this thread, beside Django's synchronous code.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.conf import settings
from django.utils import timezone
from django.utils.translation.reloader import translation_file_changed
from playwright.sync_api import Browser, expect
from pytest_django import DjangoDbBlocker

from operations.data_dir import PROJECT, VARIABLE
from operations.prepare_install import prepare_data_folder
from tests import parts
from tests.journeys.hall import Hall, Server
from tests.journeys.phone import PATIENCE, Phones
from tests.support.evening import THAT_EVENING

HERE = Path(__file__).parent
expect.set_options(timeout=PATIENCE)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    is_run_of_its_own = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE") == "true"
    for item in (item for item in items if item.path.is_relative_to(HERE)):
        # The same that config.asgi says, which pytest forgets.
        item.add_marker(pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"))
        if not is_run_of_its_own:
            item.add_marker(pytest.mark.skip(reason="journeys want a run of their own: manage.py test"))


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    chromium = parts.chromium()
    if chromium is None:
        pytest.skip("no Chromium")
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
    quiet += ["--disable-background-networking", "--disable-component-update"]
    return browser_type_launch_args | {"executable_path": chromium, "args": quiet}


@pytest.fixture(scope="session")
def prepared(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> None:
    """Texts compiled and static files collected, as the first start of an installation does it."""
    with django_db_blocker.unblock():
        prepare_data_folder()
    translation_file_changed(None, Path("django.mo"))


@pytest.fixture
def server(prepared: None, transactional_db: None) -> Iterator[Server]:
    """The web server; it ends before the database is emptied."""
    server = Server()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def that_evening() -> Iterator[None]:
    """Days are said as they were then."""
    with patch.object(timezone, "now", return_value=THAT_EVENING):
        yield


@pytest.fixture
def hall(server: Server) -> Hall:
    return Hall(server)


@pytest.fixture
def worker(server: Server) -> Iterator[None]:
    """The background worker, as ``manage.py up`` runs it; it ends when its input does."""
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    environment[VARIABLE] = str(settings.DATA_DIR)
    command = [sys.executable, "-m", "operations.up.child", "worker"]
    process = subprocess.Popen(command, cwd=PROJECT, env=environment, stdin=subprocess.PIPE)
    yield
    assert process.stdin is not None
    process.stdin.close()
    process.wait()


@pytest.fixture
def phones(browser: Browser, server: Server, tmp_path: Path) -> Iterator[Phones]:
    """Phones at the server; their pictures go to the test's folder. They are put away before it ends."""
    phones = Phones(browser, server.url, tmp_path)
    yield phones
    phones.close()
