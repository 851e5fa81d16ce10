"""One of the processes that `up` keeps running: a copy of it, or `python -m operations.up.child NAME …`.

It ends when its standard input does: while it still loads, at once, as it has nothing to finish. Only `up`
holds the other end of that pipe, so whatever way `up` ends, kill −9 included, no child outlives it; and it
works alike on every system.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from jobs.queues import OUTGOING_AT_ONCE, Queue
from operations.data_dir import data_folder
from operations.start.preloading import all_is_kept

from .addresses import BACKLOG, open_listener, reachable_names
from .supervisor import READY

GRACE = 5.0  # seconds to end before being killed
MOMENT = 0.5  # seconds in which a connected client can send its request
LOOK_AT_ADDRESSES = (
    30.0  # seconds, after which a laptop that has changed its network is known by its new address
)


def web(host: str, port: str, listener: str = "", https_port: str = "", https_listener: str = "") -> None:
    """Serve on the socket of ``up``, given by its file descriptor; without one, on a new socket.

    HTTPS is served likewise, if wanted: one server with two ports.
    """
    import uvicorn

    with all_is_kept():
        from config.asgi import application, samples, streams
        from operations.metrics.process_metrics import write_if_asked_for
        from server.health import check_health
        from server.tracing import start_tracing

        from .connections import HeadWatch, watched_protocol

    write_if_asked_for(samples)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if https_port:
                self.servers.append(await self._open_https())
            found = await asyncio.to_thread(check_health)
            if found["database"] and found["migrations"]:
                say_ready()

        async def _open_https(self) -> asyncio.Server:
            def protocol() -> asyncio.Protocol:
                return self.config.http_protocol_class(  # type: ignore[call-arg]
                    config=self.config, server_state=self.server_state, app_state=self.lifespan.state
                )

            door = _inherit_socket(https_listener) or open_listener(host, int(https_port))
            loop = asyncio.get_running_loop()
            return await loop.create_server(
                protocol, sock=door, ssl=certified_context(host), ssl_shutdown_timeout=MOMENT, backlog=BACKLOG
            )

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            """Accept no more connections, and give the open ones a moment to send requests before they are
            closed."""
            for server in self.servers:
                server.close()
            heads.end_after_each_answer()
            streams.end()  # readers of streams reconnect by themselves, to the next process
            await asyncio.sleep(MOMENT)
            await super().shutdown(sockets)

    heads = HeadWatch()
    server = Server(
        uvicorn.Config(
            application,
            host=host,
            port=int(port),
            backlog=BACKLOG,
            log_config=None,  # logging is set up by Django
            access_log=False,
            lifespan="off",
            http=watched_protocol(heads),
            proxy_headers=False,  # the application checks which proxies to trust
            timeout_graceful_shutdown=4,  # pending requests are answered, within less than GRACE
        )
    )

    def end() -> None:
        server.should_exit = True

    when_input_ends(end)
    own = _inherit_socket(listener)
    with start_tracing():
        server.run([own] if own else None)


def _inherit_socket(descriptor: str) -> socket.socket | None:
    return socket.socket(fileno=int(descriptor)) if descriptor else None


def certified_context(host: str) -> ssl.SSLContext:
    """Return the TLS context: a certificate of the hall's own authority for all addresses of this computer.

    The certificate is renewed for new addresses.
    """
    from .authority import certificate_name, renew_leaf

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2

    def load() -> None:
        names = map(certificate_name, reachable_names(host))
        context.load_cert_chain(renew_leaf(data_folder(), names, datetime.now(UTC)))

    def keep_up() -> None:
        while True:
            time.sleep(LOOK_AT_ADDRESSES)
            load()

    load()
    threading.Thread(target=keep_up, daemon=True).start()
    return context


def worker_process(*options: str) -> None:
    os.environ["CELERY_SKIP_CHECKS"] = "1"  # checks of the source take half a second and 15 MB
    with all_is_kept():
        from celery.exceptions import SecurityWarning
        from celery.signals import worker_ready
        from celery.worker import state
        from django import setup

        from config.celery import app
        from server.tracing import start_tracing

        setup()

    warnings.simplefilter("ignore", SecurityWarning)  # as root in a container: messages run no code

    @worker_ready.connect(weak=False)
    def end_in_order(**_: object) -> None:
        say_ready()
        when_input_ends(partial(setattr, state, "should_stop", 0))

    # One task at a time in this process starts at once; pools take a tenth of a second or more.
    alone = ["--pool", "solo", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    with start_tracing():
        app.start(["--quiet", "worker", "--loglevel", "WARNING", *alone, *options])


def long_worker() -> None:
    """Run long tasks, such as a plan, so that standings do not wait for them."""
    worker_process("--queues", Queue.LONG)


def outgoing_worker() -> None:
    """Send requests to other machines, many at once: each mostly waits."""
    worker_process("--queues", Queue.OUTGOING, "--pool", "threads", "--concurrency", str(OUTGOING_AT_ONCE))


def beat() -> None:
    """Send the periodic messages in the settings, without loading Django."""
    from celery import Celery
    from celery.signals import setup_logging

    from server.logs import LOGS, log_without_django

    @setup_logging.connect(weak=False)
    def log_as_others(**_: object) -> None:
        log_without_django(is_json=os.environ.get(LOGS, "").lower() == "json")

    app = Celery("charlemagne", config_source="django.conf:settings", namespace="CELERY", fixups=[])
    say_ready()
    app.start(["--quiet", "beat", "--loglevel", "WARNING", "--pidfile="])


def say_ready() -> None:
    """Report to `up` that this process is ready to replace its predecessor, if `up` has asked for that."""
    if telling := os.environ.pop(READY, ""):
        os.write(int(telling), b".")
        os.close(int(telling))


_ways_to_end: list[Callable[[], None]] = [partial(os._exit, 0)]
"""Functions that end the process; the last one counts."""


def when_input_ends(end: Callable[[], None]) -> None:
    """Call this function when standard input ends, then wait a little, and end by force."""
    _ways_to_end.append(end)


def watch_input() -> None:
    def watch() -> None:
        while os.read(0, 1024):  # not sys.stdin, for whose lock the end of the program would wait
            pass
        _ways_to_end[-1]()
        time.sleep(GRACE)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


CHILDREN: Mapping[str, Callable[..., None]] = {
    "web": web,
    "worker": worker_process,
    "long-worker": long_worker,
    "outgoing-worker": outgoing_worker,
    "beat": beat,
}


def run(name: str, *arguments: str) -> None:
    """Run as that child until the input ends."""
    watch_input()
    show_name(name)
    CHILDREN[name](*arguments)


def show_name(name: str) -> None:
    """Set the process name shown by the system (Linux)."""
    if sys.platform == "linux":
        Path("/proc/self/comm").write_text(name, encoding="ascii")


if __name__ == "__main__":
    run(*sys.argv[1:])
