"""The open streams of this process, and the task that informs them: one per event loop.

Messages follow from the revisions in the database. Announced ones are read at once, and all of them twice a
second, whichever process made the change. So nobody hears of a change that was rolled back or of a hidden
draft, and nobody misses one.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Collection, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple

from django.db import DatabaseError, connection
from django.utils.crypto import salted_hmac

from .announcements import add_listener
from .asgi import Send
from .models import Revision

logger = logging.getLogger(__name__)

REFRESH_INTERVAL = 0.5
"""Seconds between two reads of all watched revisions, announced or not."""
GATHER_SECONDS = 0.1
"""Seconds in which further changes are combined into one message."""
HEARTBEAT_RANGE = (2.0, 15.0)
"""The least and the most seconds between two heartbeats on a stream. A phone at a table soon notices that its
network is gone."""
HEARTBEATS_PER_SECOND = 400
"""Heartbeats per second, at most: with more streams, each has them less often."""
FETCHES_PER_SECOND = 1_000
"""Fragments per second that watchers may request after a change: more watchers spread over a longer time."""
TRACK_SECONDS = 30.0
"""Seconds for which a topic without listeners stays watched."""
MAX_AGE = 1.5
"""Seconds after which known revisions are no longer trusted, if none could be read."""
SEND_BATCH = 250
"""Watchers that are informed before other tasks get a turn."""


TABLE_TOPIC = "table:"
"""How the topic of a table begins."""


class Subject(NamedTuple):
    """The subject of a stream: one topic, or several separated by spaces, for everybody or for staff."""

    topic: str
    is_public: bool

    @property
    def topics(self) -> frozenset[str]:
        return frozenset(self.topic.split())

    @property
    def is_table(self) -> bool:
        return any(topic.startswith(TABLE_TOPIC) for topic in self.topics)


class Numbers(NamedTuple):
    """The numbers of a topic's ``live.models.Revision``."""

    number: int
    public_number: int
    is_withdrawn: bool


NO_REVISION = Numbers(number=0, public_number=0, is_withdrawn=False)


def get_revision_name(subject: Subject, number: int) -> str:
    """Return the name of a revision for pages and streams: unique, and it does not reveal a count."""
    return salted_hmac("live.revisions", f"{subject.topic} {subject.is_public} {number}").hexdigest()[:16]


class Watcher:
    """An open stream. At most the newest revision waits for it, which the hub has."""

    __slots__ = ("_is_over", "_send", "_task")

    def __init__(self, send: Send, task: asyncio.Task[Any]) -> None:
        self._send, self._task, self._is_over = send, task, False

    def send_message(self, message: bytes, *, is_last: bool = False) -> None:
        """Send a message without waiting. A reader with 64 KiB still unread is disconnected."""
        if self._is_over:
            return
        self._is_over = is_last
        send_call: Any = self._send({"type": "http.response.body", "body": message, "more_body": not is_last})
        try:
            send_call.send(None)  # it waits only if the connection's buffer is full
        except StopIteration:
            return
        self._is_over = True
        send_call.close()
        self._task.cancel()


class Hub:
    """The streams of one event loop, and the revisions of their subjects."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._watchers: dict[Subject, set[Watcher]] = defaultdict(set)
        self._numbers: dict[str, Numbers] = {}
        self._sent_names: dict[Subject, str] = {}
        self._quiet_until: dict[Subject, float] = {}
        self._tracked: dict[str, float] = {}
        self._changed: set[str] = set()
        self._reading: set[str] = set()
        self._delayed: set[Subject] = set()
        self._refreshed_at = self._refresh_all_at = 0.0
        self._has_changes, self._refreshed = asyncio.Event(), asyncio.Event()
        self._reader = ThreadPoolExecutor(1, "live")
        self._tasks = {self._loop.create_task(task) for task in (self._refresh_forever(), self._send_heartbeats())}
        self.is_ending = False
        add_listener(self)

    def on_announcement(self, topic: str) -> None:
        self._changed.add(topic)
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._note_change, topic)

    def _note_change(self, topic: str) -> None:
        self._changed.add(topic)  # again: a read may have begun since
        if topic in self._numbers:
            self._has_changes.set()

    def request_refresh(self) -> None:
        """Read all revisions now, announced or not."""
        self._refresh_all_at = 0.0
        self._has_changes.set()

    def start_task(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task for as long as the hub exists."""
        self._tasks.add(self._loop.create_task(work))

    async def revision(self, subject: Subject) -> str | None:
        """Return the name of its current revision; None if nobody may watch it."""
        came = self.now()
        if subject not in self._watchers:
            self._changed |= subject.topics  # maybe by a process that announces nothing
        self._watchers[subject]  # adds it, so that it is read
        while not self._is_known(subject.topics, start_time=came):
            self._changed.update(subject.topics - self._numbers.keys())
            self._refreshed.clear()
            self._has_changes.set()
            await self._refreshed.wait()
        return self._get_name(subject)

    def add_watcher(self, subject: Subject, watcher: Watcher) -> None:
        """Add a watcher, and send it the current revision first: its page may show an earlier one."""
        name = self._get_name(subject)
        if name is not None:
            self._sent_names.setdefault(subject, name)
            self._watchers[subject].add(watcher)
            watcher.send_message(self._build_message(subject, name))

    def remove_watcher(self, subject: Subject, watcher: Watcher) -> None:
        self._watchers[subject].discard(watcher)
        if not self._watchers[subject]:
            self._delayed.discard(subject)
            for mapping in (self._watchers, self._sent_names, self._quiet_until):
                mapping.pop(subject, None)

    def __len__(self) -> int:
        return sum(map(len, self._watchers.values()))

    def now(self) -> float:
        """Return the time of the clock that measures the age of responses."""
        return self._loop.time()

    def track_topics(self, topics: Iterable[str]) -> None:
        """Keep the revisions of these topics known for a while, even without listeners."""
        topics = set(topics)
        self._tracked |= dict.fromkeys(topics, self.now() + TRACK_SECONDS)
        if unknown := topics - self._numbers.keys():
            self._changed |= unknown
            self._has_changes.set()

    def has_numbers(self, topics: Collection[str], numbers: int) -> bool:
        """Return whether these topics are known to have public numbers with this sum, and nothing was
        announced since."""
        is_newest = self.now() - self._refreshed_at < MAX_AGE and not self._is_announced(topics)
        is_known = is_newest and self._numbers.keys() >= set(topics)
        return is_known and sum(self._numbers[topic].public_number for topic in topics) == numbers

    def _is_known(self, topics: Collection[str], *, start_time: float) -> bool:
        """Return whether the numbers of all these topics are known, and read since that time or
        not announced since."""
        is_newest = self._refreshed_at >= start_time or not self._is_announced(topics)
        return is_newest and self._numbers.keys() >= set(topics)

    def _is_announced(self, topics: Collection[str]) -> bool:
        return not (self._changed.isdisjoint(topics) and self._reading.isdisjoint(topics))

    def end_streams(self) -> None:
        """End every stream now, and allow no new one."""
        self.is_ending = True
        for watchers in list(self._watchers.values()):
            for watcher in list(watchers):
                watcher.send_message(b"", is_last=True)

    def _get_topics(self) -> frozenset[str]:
        now = self.now()
        self._tracked = {topic: until for topic, until in self._tracked.items() if now < until}
        return frozenset().union(*(subject.topics for subject in self._watchers)) | self._tracked.keys()

    def _get_related_topics(self, topics: Collection[str]) -> frozenset[str]:
        """Return these topics, and the others of subjects that contain one of them: a subject
        has one revision."""
        subjects = (subject.topics for subject in self._watchers)
        return frozenset(topics).union(*(each for each in subjects if not each.isdisjoint(topics)))

    def _get_name(self, subject: Subject) -> str | None:
        found = [self._numbers[topic] for topic in subject.topics]
        if subject.is_public and any(each.is_withdrawn for each in found):
            return None
        return get_revision_name(
            subject, sum(each.public_number if subject.is_public else each.number for each in found)
        )

    async def _refresh_forever(self) -> None:
        next_refresh = 0.0
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._has_changes.wait(), max(0.0, self._refresh_all_at - self.now()))
                await asyncio.sleep(max(0.0, next_refresh - self.now()))
            next_refresh = self.now() + GATHER_SECONDS
            self._has_changes.clear()
            try:
                await self._notify_watchers(await self._refresh())
            except DatabaseError:
                pass  # it is away; watchers hear when it is back
            except Exception:
                logger.exception("watchers were not told")  # they are after the next read

    async def _refresh(self) -> Collection[str]:
        """Read the revisions of announced topics or, when it is time, of all topics. Return the
        topics read."""
        started_at = self.now()
        self._changed |= self._reading  # of a failed read
        self._reading, self._changed = self._changed, set()
        is_full = started_at >= self._refresh_all_at
        if is_full:
            self._refresh_all_at = started_at + REFRESH_INTERVAL
        topics = self._get_topics() if is_full else self._get_related_topics(self._reading)
        found = await self._loop.run_in_executor(self._reader, _read_revisions, topics) if topics else {}
        read = {topic: found.get(topic, NO_REVISION) for topic in topics}
        if is_full:
            self._numbers, self._refreshed_at = read, started_at
        else:
            self._numbers |= read
        self._reading = set()
        self._refreshed.set()
        return topics

    async def _notify_watchers(self, topics: Collection[str]) -> None:
        """Inform watchers whose subject has a new revision. Subjects whose watchers still fetch the previous
        one follow later."""
        now = self.now()
        delayed, self._delayed = self._delayed, set()
        for subject, watchers in list(self._watchers.items()):
            if subject not in delayed and subject.topics.isdisjoint(topics):
                continue
            name = self._get_name(subject) if self._numbers.keys() >= subject.topics else ""
            if name is None:
                for watcher in list(watchers):
                    watcher.send_message(b"", is_last=True)
            elif name in ("", self._sent_names.get(subject)):
                continue
            elif now < self._quiet_until.get(subject, now):
                self._delayed.add(subject)
                self._has_changes.set()
            else:
                self._sent_names[subject] = name
                self._quiet_until[subject] = now + self._get_fetch_seconds(subject)
                await self._send_message(watchers, self._build_message(subject, name))

    async def _send_heartbeats(self) -> None:
        """Send the last revision to everybody regularly: they know that the stream works, and catch up on
        what they missed."""
        while True:
            await asyncio.sleep(self._get_heartbeat_seconds())
            for subject, watchers in list(self._watchers.items()):
                if name := self._sent_names.get(subject):
                    await self._send_message(watchers, self._build_message(subject, name))

    def _get_heartbeat_seconds(self) -> float:
        """Return the seconds to the next heartbeat."""
        min_seconds, max_seconds = HEARTBEAT_RANGE
        return min(max_seconds, max(min_seconds, len(self) / HEARTBEATS_PER_SECOND))

    def _get_fetch_seconds(self, subject: Subject) -> float:
        return max(GATHER_SECONDS, len(self._watchers[subject]) / FETCHES_PER_SECOND)

    def _build_message(self, subject: Subject, name: str) -> bytes:
        """Return the message: the revision, and two numbers of seconds. Watchers ask for the revision within
        the first, each at a random time; the next heartbeat comes after the second."""
        return (
            f"id: {name}\ndata: {self._get_fetch_seconds(subject):.3f} {self._get_heartbeat_seconds():.1f}\n\n".encode()
        )

    async def _send_message(self, watchers: Iterable[Watcher], message: bytes) -> None:
        for place, watcher in enumerate(list(watchers), start=1):
            watcher.send_message(message)
            if place % SEND_BATCH == 0:
                await asyncio.sleep(0)


def _read_revisions(topics: Iterable[str]) -> dict[str, Numbers]:
    rows = Revision.objects.filter(topic__in=topics)
    try:
        names = ("topic", "number", "public_number", "is_withdrawn")
        return {topic: Numbers(*numbers) for topic, *numbers in rows.values_list(*names)}
    finally:
        connection.close()
