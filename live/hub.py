"""The open streams of this process, and the task that informs them: one per event loop.

Messages follow from the revisions in the database. Announced ones are read at once, and all of them twice a
second, whichever process made the change. So nobody hears of a change that was rolled back or of a hidden
draft, and nobody misses one.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Collection, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple

from django.db import DatabaseError, connection
from django.utils.crypto import salted_hmac

from .announcements import listen
from .asgi import Send
from .models import Revision

logger = logging.getLogger(__name__)

LOOK_EVERY = 0.5
"""Seconds between two reads of all watched revisions, announced or not."""
GATHERED = 0.1
"""Seconds in which further changes are combined into one message."""
BEAT = (2.0, 15.0)
"""The least and the most seconds between two heartbeats on a stream. A phone at a table soon notices that its
network is gone."""
BEATS = 400
"""Heartbeats per second, at most: with more streams, each has them less often."""
ANSWERED = 1_000
"""Fragments per second that watchers may request after a change: more watchers spread over a longer time."""
TRACKED = 30.0
"""Seconds for which a topic without listeners stays watched."""
OUTDATED = 1.5
"""Seconds after which known revisions are no longer trusted, if none could be read."""
AT_A_TIME = 250
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
    def is_of_table(self) -> bool:
        return any(topic.startswith(TABLE_TOPIC) for topic in self.topics)


class Numbers(NamedTuple):
    """The numbers of a topic's ``live.models.Revision``."""

    number: int
    public_number: int
    is_withdrawn: bool


NOTHING_YET = Numbers(number=0, public_number=0, is_withdrawn=False)


def revision_name(subject: Subject, number: int) -> str:
    """Return the name of a revision for pages and streams: unique, and it does not reveal a count."""
    return salted_hmac("live.revisions", f"{subject.topic} {subject.is_public} {number}").hexdigest()[:16]


class Watcher:
    """An open stream. At most the newest revision waits for it, which the hub has."""

    __slots__ = ("_is_over", "_send", "_task")

    def __init__(self, send: Send, task: asyncio.Task[Any]) -> None:
        self._send, self._task, self._is_over = send, task, False

    def tell(self, message: bytes, *, is_last: bool = False) -> None:
        """Send a message without waiting. A reader with 64 KiB still unread is disconnected."""
        if self._is_over:
            return
        self._is_over = is_last
        sending: Any = self._send({"type": "http.response.body", "body": message, "more_body": not is_last})
        try:
            sending.send(None)  # it waits only if the connection's buffer is full
        except StopIteration:
            return
        self._is_over = True
        sending.close()
        self._task.cancel()


class Hub:
    """The streams of one event loop, and the revisions of their subjects."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._watchers: dict[Subject, set[Watcher]] = defaultdict(set)
        self._numbers: dict[str, Numbers] = {}
        self._told: dict[Subject, str] = {}
        self._quiet_until: dict[Subject, float] = {}
        self._tracked: dict[str, float] = {}
        self._changed: set[str] = set()
        self._being_read: set[str] = set()
        self._late: set[Subject] = set()
        self._looked_at = self._look_at_all_from = 0.0
        self._news, self._looked = asyncio.Event(), asyncio.Event()
        self._reader = ThreadPoolExecutor(1, "live")
        self._tasks = {self._loop.create_task(task) for task in (self._look_forever(), self._beat_forever())}
        self.is_ending = False
        listen(self)

    def hear(self, topic: str) -> None:
        self._changed.add(topic)
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._hear, topic)

    def _hear(self, topic: str) -> None:
        self._changed.add(topic)  # again: a read may have begun since
        if topic in self._numbers:
            self._news.set()

    def look(self) -> None:
        """Read all revisions now, announced or not."""
        self._look_at_all_from = 0.0
        self._news.set()

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task for as long as the hub exists."""
        self._tasks.add(self._loop.create_task(work))

    async def revision(self, subject: Subject) -> str | None:
        """Return the name of its current revision; None if nobody may watch it."""
        came = self.now()
        if subject not in self._watchers:
            self._changed |= subject.topics  # maybe by a process that announces nothing
        self._watchers[subject]  # adds it, so that it is read
        while not self._is_known(subject.topics, since=came):
            self._changed.update(subject.topics - self._numbers.keys())
            self._looked.clear()
            self._news.set()
            await self._looked.wait()
        return self._name(subject)

    def join(self, subject: Subject, watcher: Watcher) -> None:
        """Add a watcher, and send it the current revision first: its page may show an earlier one."""
        name = self._name(subject)
        if name is not None:
            self._told.setdefault(subject, name)
            self._watchers[subject].add(watcher)
            watcher.tell(self._message(subject, name))

    def leave(self, subject: Subject, watcher: Watcher) -> None:
        self._watchers[subject].discard(watcher)
        if not self._watchers[subject]:
            self._late.discard(subject)
            for kept in (self._watchers, self._told, self._quiet_until):
                kept.pop(subject, None)

    def __len__(self) -> int:
        return sum(map(len, self._watchers.values()))

    def now(self) -> float:
        """Return the time of the clock that measures the age of responses."""
        return self._loop.time()

    def track(self, topics: Iterable[str]) -> None:
        """Keep the revisions of these topics known for a while, even without listeners."""
        topics = set(topics)
        self._tracked |= dict.fromkeys(topics, self.now() + TRACKED)
        if unknown := topics - self._numbers.keys():
            self._changed |= unknown
            self._news.set()

    def has(self, topics: Collection[str], numbers: int) -> bool:
        """Return whether these topics are known to have public numbers with this sum, and nothing was
        announced since."""
        is_newest = self.now() - self._looked_at < OUTDATED and not self._is_announced(topics)
        is_known = is_newest and self._numbers.keys() >= set(topics)
        return is_known and sum(self._numbers[topic].public_number for topic in topics) == numbers

    def _is_known(self, topics: Collection[str], *, since: float) -> bool:
        """Return whether the numbers of all these topics are known, and read since that time or
        not announced since."""
        is_newest = self._looked_at >= since or not self._is_announced(topics)
        return is_newest and self._numbers.keys() >= set(topics)

    def _is_announced(self, topics: Collection[str]) -> bool:
        return not (self._changed.isdisjoint(topics) and self._being_read.isdisjoint(topics))

    def end(self) -> None:
        """End every stream now, and allow no new one."""
        self.is_ending = True
        for watchers in list(self._watchers.values()):
            for watcher in list(watchers):
                watcher.tell(b"", is_last=True)

    def _topics(self) -> frozenset[str]:
        now = self.now()
        self._tracked = {topic: until for topic, until in self._tracked.items() if now < until}
        return frozenset().union(*(subject.topics for subject in self._watchers)) | self._tracked.keys()

    def _watched_with(self, topics: Collection[str]) -> frozenset[str]:
        """Return these topics, and the others of subjects that contain one of them: a subject
        has one revision."""
        subjects = (subject.topics for subject in self._watchers)
        return frozenset(topics).union(*(each for each in subjects if not each.isdisjoint(topics)))

    def _name(self, subject: Subject) -> str | None:
        found = [self._numbers[topic] for topic in subject.topics]
        if subject.is_public and any(each.is_withdrawn for each in found):
            return None
        return revision_name(
            subject, sum(each.public_number if subject.is_public else each.number for each in found)
        )

    async def _look_forever(self) -> None:
        next_look = 0.0
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), max(0.0, self._look_at_all_from - self.now()))
                await asyncio.sleep(max(0.0, next_look - self.now()))
            next_look = self.now() + GATHERED
            self._news.clear()
            try:
                await self._tell_news(await self._look())
            except DatabaseError:
                pass  # it is away; watchers hear when it is back
            except Exception:
                logger.exception("watchers were not told")  # they are after the next read

    async def _look(self) -> Collection[str]:
        """Read the revisions of announced topics or, when it is time, of all topics. Return the
        topics read."""
        begun = self.now()
        self._changed |= self._being_read  # of a failed read
        self._being_read, self._changed = self._changed, set()
        is_whole = begun >= self._look_at_all_from
        if is_whole:
            self._look_at_all_from = begun + LOOK_EVERY
        topics = self._topics() if is_whole else self._watched_with(self._being_read)
        found = await self._loop.run_in_executor(self._reader, _read_revisions, topics) if topics else {}
        read = {topic: found.get(topic, NOTHING_YET) for topic in topics}
        if is_whole:
            self._numbers, self._looked_at = read, begun
        else:
            self._numbers |= read
        self._being_read = set()
        self._looked.set()
        return topics

    async def _tell_news(self, topics: Collection[str]) -> None:
        """Inform watchers whose subject has a new revision. Subjects whose watchers still fetch the previous
        one follow later."""
        now = self.now()
        late, self._late = self._late, set()
        for subject, watchers in list(self._watchers.items()):
            if subject not in late and subject.topics.isdisjoint(topics):
                continue
            name = self._name(subject) if self._numbers.keys() >= subject.topics else ""
            if name is None:
                for watcher in list(watchers):
                    watcher.tell(b"", is_last=True)
            elif name in ("", self._told.get(subject)):
                continue
            elif now < self._quiet_until.get(subject, now):
                self._late.add(subject)
                self._news.set()
            else:
                self._told[subject] = name
                self._quiet_until[subject] = now + self._seconds_to_ask(subject)
                await self._tell(watchers, self._message(subject, name))

    async def _beat_forever(self) -> None:
        """Send the last revision to everybody regularly: they know that the stream works, and catch up on
        what they missed."""
        while True:
            await asyncio.sleep(self._beat())
            for subject, watchers in list(self._watchers.items()):
                if name := self._told.get(subject):
                    await self._tell(watchers, self._message(subject, name))

    def _beat(self) -> float:
        """Return the seconds to the next heartbeat."""
        least, most = BEAT
        return min(most, max(least, len(self) / BEATS))

    def _seconds_to_ask(self, subject: Subject) -> float:
        return max(GATHERED, len(self._watchers[subject]) / ANSWERED)

    def _message(self, subject: Subject, name: str) -> bytes:
        """Return the message: the revision, and two numbers of seconds. Watchers ask for the revision within
        the first, each at a random time; the next heartbeat comes after the second."""
        return f"id: {name}\ndata: {self._seconds_to_ask(subject):.3f} {self._beat():.1f}\n\n".encode()

    async def _tell(self, watchers: Iterable[Watcher], message: bytes) -> None:
        for place, watcher in enumerate(list(watchers), start=1):
            watcher.tell(message)
            if place % AT_A_TIME == 0:
                await asyncio.sleep(0)


def _read_revisions(topics: Iterable[str]) -> dict[str, Numbers]:
    rows = Revision.objects.filter(topic__in=topics)
    try:
        names = ("topic", "number", "public_number", "is_withdrawn")
        return {topic: Numbers(*numbers) for topic, *numbers in rows.values_list(*names)}
    finally:
        connection.close()
