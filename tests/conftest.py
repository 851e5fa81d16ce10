"""Set-up of every test: its language, its lots, and no state of another test."""

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

# Fixed examples, so that a run fails for a reason, and as many as notice what breaks a law; a long one looks
# for others. No law is about time.
laws.register_profile(
    "ours", deadline=None, derandomize=not IS_LONG, print_blob=IS_LONG, max_examples=choose_count(40, long=500)
)
laws.load_profile("ours")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(RENEW, action="store_true", help="overwrite the snapshots instead of comparing them")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(FramesInOneChunk())
    if VARIABLE not in os.environ:  # what records which lines are reached takes time of its own
        config.pluginmanager.register(ProcessorTime())
    is_worker = hasattr(config, "workerinput")
    if not is_worker:
        config.pluginmanager.register(Failures(config))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Python looks through all that lives for what may go, again and again: a seventh of the time. The
    tests themselves stay, and more of what they make may gather before it is looked at."""
    with freeze_loaded_objects():
        done = yield
    gc.set_threshold(20_000, 10, 20)
    return done


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """After pytest-django, which puts tests that change rows for good behind those whose rows go."""
    processes = getattr(config, "workerinput", {"workercount": 1})["workercount"]
    if processes > 1:
        items[:] = interleave_waiting_tests(items, processes)


def _has_snapshot(item: pytest.Item) -> bool:
    """On SQLite, which gives the same numbers to rows each time."""
    return connection.vendor == "sqlite" and item.get_closest_marker("snapshot") is not None


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """The pages that a test marked ``snapshot`` opens match its snapshot."""
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
    """Rows are numbered from 1 on SQLite, whatever tests with transactions of their own were here before."""
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM sqlite_sequence")


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """Yield what a test has written goes to another process, which takes no half of a character."""
    report = yield
    return escape_surrogates(report)


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> None:
    """Each process has a place of its own already, with a database: tests/workspaces.py. On PostgreSQL it is a
    copy of one with all tables."""
    if connection.vendor == "postgresql":
        connection.settings_dict["TEST"]["TEMPLATE"] = prepare_database(os.environ["DATABASE_URL"])


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_blocker: DjangoDbBlocker) -> bool:
    """Whether the database is there: on SQLite each process has the tables of a new installation."""
    if connection.vendor != "sqlite":
        return False
    with django_db_blocker.unblock():
        apply_migrations()
    return True


@pytest.fixture(autouse=True, scope="session")
def no_contexts_of_templates(django_test_environment: None) -> Iterator[None]:
    """Django keeps a copy of whatever each template was rendered with, for tests to look at: ours look at the
    page, and a table's screen has hundreds."""
    with patch.object(Template, "_render", lambda self, context: self.nodelist.render(context)):
        yield


@pytest.fixture(autouse=True)
def same_in_every_run(request: pytest.FixtureRequest) -> Iterator[None]:
    """Set-up that no test asks for. One fixture: each takes a tenth of what a test of the rules takes.

    Nothing is in memory or in files of other tests, whose rows have the same numbers; texts are in English;
    lots fall as they did the last time, except in long runs; a template that asks a value for an attribute that
    it lost fails. Of a snapshot, hours and numbers of rows are the same, too.
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
