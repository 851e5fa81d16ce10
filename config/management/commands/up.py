"""Start everything: `manage.py up`."""

from __future__ import annotations

import sys
from typing import Any

import segno
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import connections

from clubs import first_run
from operations.data_dir import DATABASE, data_folder
from operations.start.lock import note_address, note_good_end
from operations.terminal import say
from operations.up.addresses import local_url, network_url, open_listener
from operations.up.supervisor import Child, Supervisor
from operations.up.watch import watch_in_background


class Command(BaseCommand):
    help = "Starts the web server and the background worker, and keeps them running until Ctrl-C."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="0.0.0.0", help="where to listen (default: everywhere)")  # noqa: S104
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--processes",
            type=int,
            default=1,
            choices=range(1, 9),
            metavar="N",
            help="web processes (default: 1)",
        )
        parser.add_argument("--data", metavar="DIR", help="the data folder (default: data, beside manage.py)")
        parser.add_argument(
            "--new-key",
            action="store_true",
            help="the key of the data folder is lost: go on with another one",
        )

    def handle(self, *args: Any, host: str, port: int, processes: int, **options: Any) -> None:
        web = web_children(host, port, processes)
        supervisor = Supervisor(*web, *(Child(name) for name in ("worker", "long-worker", "beat")))
        allow_many_connections()
        call_command("clearsessions")  # every passkey question to a stranger makes one
        note_address(data_folder(), network_url(host, port) or local_url(host, port))
        greet(host, port)
        watch_in_background()
        supervisor.run()
        connections.close_all()
        note_good_end(data_folder(), data_folder() / DATABASE)


def web_children(host: str, port: int, count: int) -> list[Child]:
    """All serve on one socket, which stays open here: while one starts again, connections wait in it.

    On Windows, where descriptors are not inherited, the one child opens its own: who asks while it starts
    again is refused. Stops with a sentence if nobody could listen there.
    """
    listener = open_listener(host, port)
    if sys.platform == "win32":
        listener.close()
        return [Child("web", host, str(port))]
    descriptor = listener.detach()
    return [Child("web", host, str(port), str(descriptor), inherits=(descriptor,)) for _ in range(count)]


def greet(host: str, port: int) -> None:
    """Tell where to go: to the first-run page while nobody has an account, else to the home page."""
    here, network = local_url(host, port), network_url(host, port)
    secret = first_run.secret()
    path = f"start/{secret}" if secret else ""
    if secret:
        say("first-run")
    say("here", url=here + path)
    if network:
        say("network", url=network + path)
        if sys.stdout.isatty():
            is_unicode = sys.stdout.encoding.lower().startswith("utf")
            segno.make(network + path, micro=False).terminal(compact=is_unicode)
    say("how-to-stop")


def allow_many_connections() -> None:
    """Raise the limit of open files, of which each watching phone takes one, as far as the system lets us."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if most == resource.RLIM_INFINITY else min(most, 65_536)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    except (OSError, ValueError):  # macOS has a lower one that it does not tell
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, 10_240), most))
