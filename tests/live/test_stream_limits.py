"""Limits of open streams: half of the open files, a share for each address, a reserve for tables."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from live.hub import Subject
from live.streams import MAX_STREAMS, MAX_STREAMS_PER_ADDRESS, StreamLimiter, get_max_streams

resource = pytest.importorskip("resource", reason="Windows has no limit on open files")


def open_streams(places: StreamLimiter, addresses: list[str], *, is_table: bool = False) -> tuple[ExitStack, int]:
    """Open streams from these addresses; return them and the number that was admitted."""
    stack = ExitStack()
    admitted = [stack.enter_context(places.acquire(address, is_table=is_table)) for address in addresses]
    return stack, sum(admitted)


@pytest.mark.parametrize(
    ("files", "most"), [(1_024, 512), (65_536, MAX_STREAMS), (resource.RLIM_INFINITY, MAX_STREAMS)]
)
def test_streams_use_at_most_half_of_the_open_files(monkeypatch: pytest.MonkeyPatch, files: int, most: int) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    assert get_max_streams() == most


def test_address_limit_leaves_streams_for_others() -> None:
    places = StreamLimiter(10_000)
    with open_streams(places, ["192.0.2.1"] * (MAX_STREAMS_PER_ADDRESS + 50))[0]:
        _, admitted = open_streams(places, ["192.0.2.1", "192.0.2.2"])
    assert admitted == 1


def test_last_streams_are_reserved_for_tables() -> None:
    places = StreamLimiter(100)
    others, admitted = open_streams(places, [f"192.0.2.{number}" for number in range(100)])
    with others:
        tables, tables_admitted = open_streams(places, ["203.0.113.1"] * 20, is_table=True)
        tables.close()
    assert (admitted, tables_admitted) == (90, 10)


def test_closed_stream_frees_its_place() -> None:
    places = StreamLimiter(10)
    for _ in range(2):
        streams, admitted = open_streams(places, ["192.0.2.1"] * 12, is_table=True)
        streams.close()
        assert admitted == 10


@pytest.mark.parametrize(("topic", "is_of_table"), [("table:3 desk:event:1", True), ("event:1", False)])
def test_table_topic_is_recognized(topic: str, is_of_table: bool) -> None:
    assert Subject(topic, is_public=True).is_table is is_of_table
