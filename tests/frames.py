"""Keep the call frames of a test run in one chunk of Python's frame stack.

Python allocates frames in chunks of 16 KB. A loop whose calls cross the end of a chunk allocates and frees the next one
on each turn (python/cpython issue 142183; fixed in 2026, for 3.13 and later). Below pytest, the calls of a page are
just deep enough for that, thousands of times in a test: a seventh of the time. Below a server they seldom are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import pytest

P = ParamSpec("P")
R = TypeVar("R")

STACK_SIZE = 40_000
"""Words of eight bytes. The chunk is doubled until it holds them, which leaves 200 KB for frames. The system provides
the memory only when calls go that deep."""


def call_in_one_chunk(function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs) -> R:
    """Call the function, with all its frames in one chunk."""
    return function(*arguments, **named)


call_in_one_chunk.__code__ = call_in_one_chunk.__code__.replace(co_stacksize=STACK_SIZE)


class FramesInOneChunk:
    """Plugin that runs all tests of a process with their frames in one chunk."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> object:
        run = session.config.pluginmanager.subset_hook_caller("pytest_runtestloop", [self])
        return call_in_one_chunk(run, session=session)
