"""Set-up of every test: its language, its lots, and no state of another test."""

from __future__ import annotations

import gc
import os
import secrets
from collections.abc import Generator, Iterator
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

from operations.start.preloading import all_is_kept
from operations.upgrading.steps import take_steps
from scoring.services.phones import heard_phones
from tests.frames import FramesInOnePiece
from tests.long import IS_LONG, WORD, often
from tests.order import wait_beside_work
from tests.places import ready_database
from tests.processor_time import ProcessorTime
from tests.reach.folder import VARIABLE
from tests.run_report import Failures, without_halves
from tests.support.clocks import wrong_clock  # noqa: F401 - any test may take it
from tests.support.evening import that_evening
from tests.support.snapshots import RENEW, Snapshots
from tests.support.template_lookups import missing_names

# Fixed examples, so that a run fails for a reason, and as many as notice what breaks a law; a long one looks
# for others. No law is about time.
laws.register_profile(
    "ours", deadline=None, derandomize=not IS_LONG, print_blob=IS_LONG, max_examples=often(40, long=500)
)
laws.load_profile("ours")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(RENEW, action="store_true", help="overwrite the snapshots instead of comparing them")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(FramesInOnePiece())
    if VARIABLE not in os.environ:  # what records which lines are reached takes time of its own
        config.pluginmanager.register(ProcessorTime())
    is_told_by_another = hasattr(config, "workerinput")
    if not is_told_by_another:
        config.pluginmanager.register(Failures(config))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Python looks through all that lives for what may go, again and again: a seventh of the time. The
    tests themselves stay, and more of what they make may gather before it is looked at."""
    with all_is_kept():
        done = yield
    gc.set_threshold(20_000, 10, 20)
    return done


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """After pytest-django, which puts tests that change rows for good behind those whose rows go."""
    processes = getattr(config, "workerinput", {"workercount": 1})["workercount"]
    if processes > 1:
        items[:] = wait_beside_work(items, processes)


def _has_snapshot(item: pytest.Item) -> bool:
    """On SQLite, which gives the same numbers to rows each time."""
    return connection.vendor == "sqlite" and item.get_closest_marker("snapshot") is not None


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """The pages that a test marked ``snapshot`` opens match its snapshot."""
    if not _has_snapshot(pyfuncitem):
        return (yield)
    from tests.support.opened_pages import lines_of_states, pages_opened, snapshot_of

    with pages_opened() as pages:
        done = yield
    snapshots = Snapshots(is_renewed=pyfuncitem.config.getoption(RENEW))
    snapshots.compare(snapshot_of(pyfuncitem.nodeid), lines_of_states(pages))
    return done


@pytest.fixture(autouse=True)
def same_in_every_run(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hours and numbers of rows are the same whenever and after whichever tests a snapshot is taken."""
    if not _has_snapshot(request.node):
        yield
        return
    with that_evening():
        request.getfixturevalue("rows_from_one")
        yield


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
    return without_halves(report)


@pytest.fixture(scope="session")
def django_db_modify_db_settings() -> None:
    """Each process has a place of its own already, with a database: tests/places.py. On PostgreSQL it is a
    copy of one with all tables."""
    if connection.vendor == "postgresql":
        connection.settings_dict["TEST"]["TEMPLATE"] = ready_database(os.environ["DATABASE_URL"])


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_blocker: DjangoDbBlocker) -> bool:
    """Whether the database is there: on SQLite each process has the tables of a new installation."""
    if connection.vendor != "sqlite":
        return False
    with django_db_blocker.unblock():
        take_steps()
    return True


@pytest.fixture(autouse=True, scope="session")
def no_contexts_of_templates(django_test_environment: None) -> Iterator[None]:
    """Django keeps a copy of whatever each template was rendered with, for tests to look at: ours look at the
    page, and a table's screen has hundreds."""
    with patch.object(Template, "_render", lambda self, context: self.nodelist.render(context)):
        yield


@pytest.fixture(autouse=True)
def names_in_templates() -> Iterator[None]:
    """A template that asks a value for what it has no more says nothing of it."""
    with missing_names() as missing:
        yield
    assert not missing


@pytest.fixture(autouse=True)
def nothing_in_memory_of_other_tests() -> None:
    """Another test's event has the same address and revision, and its phones were heard at other tables."""
    caches["pages"].clear()
    caches["rates"].clear()
    heard_phones.take()


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Texts in English, whatever a test before left; a test of French asks for French."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def lots(request: pytest.FixtureRequest) -> Iterator[None]:
    """Yield what is drawn by lot falls as it did the last time the test ran, but for long runs, which look
    for what goes wrong with some lots only."""
    dice = Random(WORD + request.node.nodeid)
    with patch.object(secrets, "randbelow", dice.randrange):
        yield
