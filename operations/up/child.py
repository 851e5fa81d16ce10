"""One of the processes that `up` keeps running: `python -m operations.up.child NAME …`.

It ends when its standard input does: at once while it still loads, for it has nothing to bring to an end.
That pipe's other end is held by `up` alone, so whatever way `up` ends, kill −9 included, no child outlives
it; and it is the same on every system.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import threading
import time
import warnings
from collections.abc import Callable
from functools import partial

from .addresses import BACKLOG, LISTENS_AT

GRACE = 5.0  # seconds to end by oneself
MOMENT = 0.5  # seconds in which whoever was let in says what for


def web(host: str, port: str, listener: str = "") -> None:
    """Serves on the socket of ``up``, by its file descriptor; without one, on a socket of its own."""
    import uvicorn

    os.environ[LISTENS_AT] = host
    from config.asgi import application

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            """Lets nobody in any more, and gives those inside a moment to ask before they are sent away."""
            for server in self.servers:
                server.close()
            await asyncio.sleep(MOMENT)
            await super().shutdown(sockets)

    server = Server(
        uvicorn.Config(
            application,
            host=host,
            port=int(port),
            backlog=BACKLOG,
            log_level="warning",
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=4,  # what was asked before is answered, within less than GRACE
        )
    )

    def end() -> None:
        server.should_exit = True

    when_input_ends(end)
    server.run([socket.socket(fileno=int(listener))] if listener else None)


def worker(*options: str) -> None:
    from celery.exceptions import SecurityWarning
    from celery.signals import worker_ready
    from celery.worker import state

    from config.celery import app

    warnings.simplefilter("ignore", SecurityWarning)  # as root, in a container: its messages run no code

    @worker_ready.connect(weak=False)
    def end_in_order(**_: object) -> None:
        when_input_ends(partial(setattr, state, "should_stop", 0))

    # One task at a time in this very process starts at once; pools take a tenth of a second and more.
    alone = ["--pool", "solo", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    app.start(["--quiet", "worker", "--loglevel", "WARNING", *alone, *options])


def long_worker() -> None:
    """For what takes a while, such as a plan: standings do not wait for it."""
    from config.settings import LONG_QUEUE

    worker("--queues", LONG_QUEUE)


def beat() -> None:
    """Sends messages of which the settings say all: it goes without Django, and what that would load."""
    from celery import Celery

    app = Celery("charlemagne", config_source="django.conf:settings", namespace="CELERY", fixups=[])
    app.start(["--quiet", "beat", "--loglevel", "WARNING", "--pidfile="])


_ways_to_end: list[Callable[[], None]] = [partial(os._exit, 0)]
"""The last one counts."""


def when_input_ends(end: Callable[[], None]) -> None:
    """From now on, call this when standard input ends; then wait a little, and end by force."""
    _ways_to_end.append(end)


def watch_input() -> None:
    def watch() -> None:
        while os.read(0, 1024):  # not sys.stdin, whose lock the end of the program would wait for
            pass
        _ways_to_end[-1]()
        time.sleep(GRACE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    watch_input()
    children: dict[str, Callable[..., None]] = {
        "web": web,
        "worker": worker,
        "long-worker": long_worker,
        "beat": beat,
    }
    children[sys.argv[1]](*sys.argv[2:])
