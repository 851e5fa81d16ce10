"""A pytest plugin that records the lines each test reaches.

Python is traced by coverage, also in child processes; templates by rendered nodes; scripts by whole files.

    CHARLEMAGNE_TEST_MAP=FOLDER python -m pytest -p tests.reach.recorder
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest
from coverage import CoverageData

from operations.data_dir import PROJECT
from tests.processor_time import get_processor_time
from tests.reach.folder import DURATIONS, LINES, SETTINGS, VARIABLE

SCRIPTS = PROJECT / "static/js"
_CONTENT_HASH = re.compile(r"\.[0-9a-f]{12}(?=\.)")
"""The hash in the name of a served file."""


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Recorder(config, Path(os.environ[VARIABLE])))


class Recorder:
    """Recorder of the reached lines and the processor seconds of the tests in one process."""

    def __init__(self, config: pytest.Config, folder: Path) -> None:
        self.folder = folder
        self.is_in_browser = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE") == "true"
        self.python: coverage.Coverage | None = None
        self.others = CoverageData(basename=str(folder / LINES), suffix=f"others.{os.getpid()}")
        self.nodes: set[Any] = set()
        self.scripts: set[str] = set()
        self.node_folder = folder / f"node-{os.getpid()}"
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()
        self.is_begun = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, bool, bool]:
        if not self.is_begun:
            self._begin()
        if self.python:
            self.python.switch_context(item.nodeid)
        begun = get_processor_time()
        done = yield
        self.seconds[item.nodeid] = round(get_processor_time() - begun, 3)
        self._write_others(item.nodeid)
        return done

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        if self.python:
            self.python.stop()
            self.python.save()
        if self.is_begun:
            passed = {test: each for test, each in self.seconds.items() if test not in self.failed}
            written = self.folder / f"{os.getpid()}.{DURATIONS}"
            written.write_text(json.dumps(passed), encoding="utf-8")

    def _begin(self) -> None:
        """Start recording at the first test: code that runs at import belongs to no single test."""
        self.is_begun = True
        _record_nodes(self.nodes)
        _record_scripts(self.scripts)
        os.environ["NODE_V8_COVERAGE"] = str(self.node_folder)
        if self.is_in_browser:
            return  # traced code is too slow for the time limits of browser tests
        settings = str(self.folder / SETTINGS)
        os.environ["COVERAGE_PROCESS_START"] = settings
        self.python = coverage.Coverage(config_file=settings, data_suffix=True, context="")
        self.python.start()

    def _write_others(self, test: str) -> None:
        reached: dict[str, set[int]] = defaultdict(set)
        for node in self.nodes:
            path = str.__str__(node.origin.name)  # Path rejects the SafeString that Django may give
            reached[path].update(_get_lines(node))
        for name in self.scripts | _run_by_node(self.node_folder):
            script = SCRIPTS / name
            if script.is_file():
                reached[str(script)].update(range(1, 1 + script.read_text(encoding="utf-8").count("\n")))
        self.nodes.clear()
        self.scripts.clear()
        ours = {path: lines for path, lines in reached.items() if Path(path).is_relative_to(PROJECT)}
        if ours:
            self.others.set_context(test)
            self.others.add_lines(ours)
            self.others.write()


def _get_lines(node: Any) -> range:
    first: int = node.token.lineno
    return range(first, first + 1 + getattr(node, "s", "").count("\n"))


def _record_nodes(nodes: set[Any]) -> None:
    """Patch Django to add every rendered template node to the set."""
    from django.template.base import Node, TextNode

    for kind in (Node, TextNode):

        def render(node: Any, context: Any, ordinary: Any = kind.render_annotated) -> Any:
            if getattr(node, "token", None) and getattr(node, "origin", None):
                nodes.add(node)
            return ordinary(node, context)

        kind.render_annotated = render  # type: ignore[assignment, method-assign]


def _record_scripts(scripts: set[str]) -> None:
    """Patch WhiteNoise to add the name of every served file to the set."""
    from whitenoise.middleware import WhiteNoiseMiddleware

    ordinary = WhiteNoiseMiddleware.serve

    def serve(static_file: Any, request: Any) -> Any:
        scripts.add(_name_of(_CONTENT_HASH.sub("", request.path_info)))
        return ordinary(static_file, request)

    WhiteNoiseMiddleware.serve = staticmethod(serve)


def _run_by_node(folder: Path) -> set[str]:
    """Return the scripts named in Node's coverage files, and delete these files."""
    names = {_name_of(url) for file in folder.glob("*.json") for url in _iter_urls(file)}
    shutil.rmtree(folder, ignore_errors=True)
    return names


def _name_of(script: str) -> str:
    """Return the path of a script below ``static/js``, also if it ran from a copy of that folder."""
    below = "/".join(Path(script).parts[-2:])
    return below if (SCRIPTS / below).is_file() else Path(script).name


def _iter_urls(file: Path) -> Iterator[str]:
    for script in json.loads(file.read_text(encoding="utf-8"))["result"]:
        yield script["url"]
