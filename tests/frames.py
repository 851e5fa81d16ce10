"""Layout of call frames in Python: in pieces of 16 KB, one upon the other.

A loop that calls across the end of a piece has the next one from the system, and gives it back, at each turn
(python/cpython issue 142183; mended in 2026, for 3.13 and later). Below pytest, the calls of a page are just
deep enough for that: thousands of times in a test, a seventh of the time. Below a server they seldom are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import pytest

P = ParamSpec("P")
R = TypeVar("R")

STACK_SIZE = 40_000
"""In words of eight bytes: a piece is doubled until it holds them, and what is left of it holds 200 KB of
frames. None of it is taken from the system before a call is as deep."""


def call_in_one_chunk(function: Callable[P, R], /, *arguments: P.args, **named: P.kwargs) -> R:
    """Call the function, with all its frames in one piece."""
    return function(*arguments, **named)


call_in_one_chunk.__code__ = call_in_one_chunk.__code__.replace(co_stacksize=STACK_SIZE)


class FramesInOneChunk:
    """Runs all tests of a process so."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> object:
        run = session.config.pluginmanager.subset_hook_caller("pytest_runtestloop", [self])
        return call_in_one_chunk(run, session=session)
