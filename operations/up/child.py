"""One of the processes that `up` keeps running: a copy of it, or `python -m operations.up.child NAME …`.

It ends when its standard input does: while it still loads, at once, as it has nothing to finish. Only `up`
holds the other end of that pipe, so whatever way `up` ends, kill −9 included, no child outlives it; and it
works alike on every system.
"""

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

from jobs.queues import MAX_OUTGOING, Queue
from operations.data_dir import data_folder
from operations.start.garbage_collection import freeze_loaded_objects

from .addresses import BACKLOG, list_reachable_names, open_listener
from .supervisor import READY_VARIABLE

GRACE_SECONDS = 5.0  # seconds to end before being killed
LAST_REQUEST_SECONDS = 0.5  # seconds in which a connected client can send its request
ADDRESS_CHECK_INTERVAL = 30.0  # seconds, after which a laptop that has changed its network is known by its new address


def run_web(host: str, port: str, listener: str = "", https_port: str = "", https_listener: str = "") -> None:
    """Serve on the socket of ``up``, given by its file descriptor; without one, on a new socket.

    HTTPS is served likewise, if wanted: one server with two ports.
    """
    import uvicorn

    with freeze_loaded_objects():
        from config.asgi import application, iter_samples, streams
        from operations.metrics.process_metrics import start_metrics_writer
        from server.health import check_health
        from server.tracing import start_tracing

        from .connections import RequestHeadWatch, build_protocol_class

    start_metrics_writer(iter_samples)

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if https_port:
                self.servers.append(await self._open_https())
            checks = await asyncio.to_thread(check_health)
            if checks["database"] and checks["migrations"]:
                report_ready()

        async def _open_https(self) -> asyncio.Server:
            def build_protocol() -> asyncio.Protocol:
                return self.config.http_protocol_class(  # type: ignore[call-arg]
                    config=self.config, server_state=self.server_state, app_state=self.lifespan.state
                )

            https_socket = _inherit_socket(https_listener) or open_listener(host, int(https_port))
            loop = asyncio.get_running_loop()
            return await loop.create_server(
                build_protocol,
                sock=https_socket,
                ssl=build_tls_context(host),
                ssl_shutdown_timeout=LAST_REQUEST_SECONDS,
                backlog=BACKLOG,
            )

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            """Accept no more connections, and give the open ones a moment to send requests before they are
            closed."""
            for server in self.servers:
                server.close()
            heads.close_after_responses()
            streams.end_streams()  # readers of streams reconnect by themselves, to the next process
            await asyncio.sleep(LAST_REQUEST_SECONDS)
            await super().shutdown(sockets)

    heads = RequestHeadWatch()
    server = Server(
        uvicorn.Config(
            application,
            host=host,
            port=int(port),
            backlog=BACKLOG,
            log_config=None,  # logging is set up by Django
            access_log=False,
            lifespan="off",
            http=build_protocol_class(heads),
            proxy_headers=False,  # the application checks which proxies to trust
            timeout_graceful_shutdown=4,  # pending requests are answered, within less than GRACE
        )
    )

    def stop_server() -> None:
        server.should_exit = True

    call_when_input_ends(stop_server)
    own_socket = _inherit_socket(listener)
    with start_tracing():
        server.run([own_socket] if own_socket else None)


def _inherit_socket(descriptor: str) -> socket.socket | None:
    return socket.socket(fileno=int(descriptor)) if descriptor else None


def build_tls_context(host: str) -> ssl.SSLContext:
    """Return the TLS context: a certificate of the hall's own authority for all addresses of this computer.

    The certificate is renewed for new addresses.
    """
    from .authority import parse_certificate_name, renew_leaf

    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2

    def load_certificate() -> None:
        names = map(parse_certificate_name, list_reachable_names(host))
        context.load_cert_chain(renew_leaf(data_folder(), names, datetime.now(UTC)))

    def reload_certificate() -> None:
        while True:
            time.sleep(ADDRESS_CHECK_INTERVAL)
            load_certificate()

    load_certificate()
    threading.Thread(target=reload_certificate, daemon=True).start()
    return context


def run_worker(*options: str) -> None:
    os.environ["CELERY_SKIP_CHECKS"] = "1"  # checks of the source take half a second and 15 MB
    with freeze_loaded_objects():
        from celery.exceptions import SecurityWarning
        from celery.signals import worker_ready
        from celery.worker import state
        from django import setup

        from config.celery import app
        from server.tracing import start_tracing

        setup()

    warnings.simplefilter("ignore", SecurityWarning)  # as root in a container: messages run no code

    @worker_ready.connect(weak=False)
    def stop_on_input_end(**_: object) -> None:
        report_ready()
        call_when_input_ends(partial(setattr, state, "should_stop", 0))

    # One task at a time in this process starts at once; pools take a tenth of a second or more.
    solo_options = ["--pool", "solo", "--without-gossip", "--without-mingle", "--without-heartbeat"]
    with start_tracing():
        app.start(["--quiet", "worker", "--loglevel", "WARNING", *solo_options, *options])


def run_long_worker() -> None:
    """Run long tasks, such as a plan, so that standings do not wait for them."""
    run_worker("--queues", Queue.LONG)


def run_outgoing_worker() -> None:
    """Send requests to other machines, many at once: each mostly waits."""
    run_worker("--queues", Queue.OUTGOING, "--pool", "threads", "--concurrency", str(MAX_OUTGOING))


def run_beat() -> None:
    """Send the periodic messages in the settings, without loading Django."""
    from celery import Celery
    from celery.signals import setup_logging

    from server.logs import LOGS_VARIABLE, configure_plain_logging

    @setup_logging.connect(weak=False)
    def configure_logging(**_: object) -> None:
        configure_plain_logging(is_json=os.environ.get(LOGS_VARIABLE, "").lower() == "json")

    app = Celery("charlemagne", config_source="django.conf:settings", namespace="CELERY", fixups=[])
    report_ready()
    app.start(["--quiet", "beat", "--loglevel", "WARNING", "--pidfile="])


def report_ready() -> None:
    """Report to `up` that this process is ready to replace its predecessor, if `up` has asked for that."""
    if descriptor := os.environ.pop(READY_VARIABLE, ""):
        os.write(int(descriptor), b".")
        os.close(int(descriptor))


_end_functions: list[Callable[[], None]] = [partial(os._exit, 0)]
"""Functions that end the process; the last one counts."""


def call_when_input_ends(end: Callable[[], None]) -> None:
    """Call this function when standard input ends, then wait a little, and end by force."""
    _end_functions.append(end)


def watch_input() -> None:
    def watch() -> None:
        while os.read(0, 1024):  # not sys.stdin, for whose lock the end of the program would wait
            pass
        _end_functions[-1]()
        time.sleep(GRACE_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


CHILDREN: Mapping[str, Callable[..., None]] = {
    "web": run_web,
    "worker": run_worker,
    "long-worker": run_long_worker,
    "outgoing-worker": run_outgoing_worker,
    "beat": run_beat,
}


def run_child(name: str, *arguments: str) -> None:
    """Run as that child until the input ends."""
    watch_input()
    set_process_name(name)
    CHILDREN[name](*arguments)


def set_process_name(name: str) -> None:
    """Set the process name shown by the system (Linux)."""
    if sys.platform == "linux":
        Path("/proc/self/comm").write_text(name, encoding="ascii")


if __name__ == "__main__":
    run_child(*sys.argv[1:])
