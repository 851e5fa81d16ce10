"""Set-up of every test: language, random draws, caches, and no state left by another test."""

from __future__ import annotations

import gc
import os
import secrets
import shutil
from collections.abc import Generator, Iterator
from contextlib import nullcontext
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import caches
from django.db import connection
from django.template import Template
from django.utils import translation
from hypothesis import settings as laws
from pytest_django import DjangoDbBlocker

from clubs.disk_quota import STORES
from operations.start.garbage_collection import freeze_loaded_objects
from operations.upgrading.steps import apply_migrations
from scoring.services.phones import phone_reports
from tests.frames import FramesInOneChunk
from tests.long_runs import IS_LONG, RUN_SEED, choose_count
from tests.order import interleave_waiting_tests
from tests.processor_time import ProcessorTime
from tests.reach.folder import VARIABLE
from tests.run_report import Failures, escape_surrogates
from tests.support.clocks import wrong_clock  # noqa: F401 - any test may take it
from tests.support.fixed_clock import fixed_clock
from tests.support.snapshots import RENEW, Snapshots
from tests.support.template_lookups import collect_missing_names
from tests.workspaces import prepare_database

# Property tests use fixed examples, so that a failure can be repeated; a long run tries more, and new ones.
# No deadline: no property is about time.
laws.register_profile(
    "ours", deadline=None, derandomize=not IS_LONG, print_blob=IS_LONG, max_examples=choose_count(40, long=500)
)
laws.load_profile("ours")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(RENEW, action="store_true", help="overwrite the snapshots instead of comparing them")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(FramesInOneChunk())
    if VARIABLE not in os.environ:  # recording the reached lines would distort the times
        config.pluginmanager.register(ProcessorTime())
    is_worker = hasattr(config, "workerinput")
    if not is_worker:
        config.pluginmanager.register(Failures(config))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the collected tests out of garbage collection, which took a seventh of the time.

    A higher threshold also lets tests make more objects before they are scanned.
    """
    with freeze_loaded_objects():
        done = yield
    gc.set_threshold(20_000, 10, 20)
    return done


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Reorder after pytest-django, which moves tests that commit rows behind tests that roll back."""
    processes = getattr(config, "workerinput", {"workercount": 1})["workercount"]
    if processes > 1:
        items[:] = interleave_waiting_tests(items, processes)


def _has_snapshot(item: pytest.Item) -> bool:
    """Return whether the test has a snapshot: on SQLite only, where rows get equal ids in each run."""
    return connection.vendor == "sqlite" and item.get_closest_marker("snapshot") is not None


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Compare the pages that a test marked ``snapshot`` opens with its snapshot."""
    if not _has_snapshot(pyfuncitem):
        return (yield)
    from tests.support.opened_pages import collect_pages, get_snapshot_name, list_state_lines

    with collect_pages() as pages:
        done = yield
    snapshots = Snapshots(is_renewed=pyfuncitem.config.getoption(RENEW))
    snapshots.compare(get_snapshot_name(pyfuncitem.nodeid), list_state_lines(pages))
    return done


@pytest.fixture
def snapshots(request: pytest.FixtureRequest) -> Snapshots:
    return Snapshots(is_renewed=request.config.getoption(RENEW))


@pytest.fixture
def rows_from_one(db: None) -> None:
    """Number rows from 1 on SQLite, even after tests that committed rows."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM sqlite_sequence")


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Escape lone surrogates in a report: they cannot be sent to another process."""
    report = yield
    return escape_surrogates(report)


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> None:
    """Give each process a database; on PostgreSQL, a copy of one with all tables.

    On SQLite each process already has its own, see tests/workspaces.py.
    """
    if connection.vendor == "postgresql":
        connection.settings_dict["TEST"]["TEMPLATE"] = prepare_database(os.environ["DATABASE_URL"])


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_blocker: DjangoDbBlocker) -> bool:
    """Return whether the database exists: on SQLite this migrates it as in a new installation."""
    if connection.vendor != "sqlite":
        return False
    with django_db_blocker.unblock():
        apply_migrations()
    return True


@pytest.fixture(autouse=True, scope="session")
def no_contexts_of_templates(django_test_environment: None) -> Iterator[None]:
    """Skip the copy of each template's context that Django keeps for tests.

    Tests here look at the page instead, and a table's screen renders hundreds of templates.
    """
    with patch.object(Template, "_render", lambda self, context: self.nodelist.render(context)):
        yield


@pytest.fixture(autouse=True)
def same_in_every_run(request: pytest.FixtureRequest) -> Iterator[None]:
    """Isolate each test and make it repeatable.

    Caches, phone reports and files are emptied, since rows of other tests have equal ids. Texts are in English. Random
    draws are repeated, except in long runs. A template that looks up an attribute that its value lacks fails the test.
    A snapshot test also has a fixed clock and rows numbered from 1.

    One fixture, because each takes a tenth of the time of a rules test.
    """
    caches["pages"].clear()
    caches["rates"].clear()
    phone_reports.take_all()
    for store in STORES:
        shutil.rmtree(store.folder, ignore_errors=True)
    lots = Random(RUN_SEED + request.node.nodeid)
    with (
        translation.override("en"),
        patch.object(secrets, "randbelow", lots.randrange),
        collect_missing_names() as missing,
        fixed_clock() if _has_snapshot(request.node) else nullcontext(),
    ):
        if _has_snapshot(request.node):
            request.getfixturevalue("rows_from_one")
        yield
    assert not missing
