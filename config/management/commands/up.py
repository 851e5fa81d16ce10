"""Start everything: `manage.py up`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import connections
from django.urls import reverse

from clubs import first_run
from operations.command_line import add_arguments
from operations.data_dir import DATABASE, SECOND_FOLDER_VARIABLE, data_folder
from operations.metrics.collector import serve_metrics
from operations.metrics.process_metrics import VARIABLE
from operations.start.lock import note_address, note_good_end
from operations.start.place import this_place
from operations.terminal import Stop, say, terminal_text
from operations.up.address_watch import AddressWatch, main_url, say_address
from operations.up.addresses import (
    EVERYWHERE,
    HOSTS,
    HTTP_PORT,
    HTTPS_PORT,
    LISTENS_AT,
    STARTED_AT,
    Way,
    local_url,
    network_url,
    open_listener,
)
from operations.up.authority import certificate_fingerprint, certificate_name, is_hall_name, open_authority
from operations.up.reach import forget_arrivals, phone_addresses, show_square
from operations.up.supervisor import Child, Supervisor
from operations.up.watch import watch_in_background
from server.tracing import check_tracing


class Command(BaseCommand):
    help = "Start the web server and the background tasks, and keep them running until Ctrl-C."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_arguments(parser, "up")

    def handle(
        self,
        *args: Any,
        host: str,
        port: int,
        name: list[str],
        https: int | None,
        processes: int,
        backup_to: Path | None,
        **options: Any,
    ) -> None:
        check_tracing()
        if backup_to:
            tell_second_folder(backup_to)
        if https is not None:
            check_authority(host)
        tell_addresses(host, port, https, name)
        children = [
            *web_children(host, port, https, processes),
            *(Child(name) for name in ("worker", "long-worker", "outgoing-worker", "beat")),
        ]
        supervisor = Supervisor(*children)
        allow_many_connections()
        call_command("clearsessions")  # each passkey challenge for a visitor creates a session
        forget_arrivals()
        note_address(data_folder(), main_url(port), this_place(data_folder()))
        secret = first_run.secret()  # the last query: the database may go away from here on
        begin_as_copies(children)
        if where := os.environ.get(VARIABLE):
            serve_metrics(where, supervisor.processes)
        if settings.NAMES.are_any:
            say("any-host")
        greet(host, port, secret)
        if https is not None:
            tell_of_https(host, port, https)
        say("how-to-stop")
        watch_in_background(AddressWatch(port, "" if settings.NAMES.url else first_path(secret)))
        supervisor.run()
        connections.close_all()
        note_good_end(data_folder(), data_folder() / DATABASE)


def tell_addresses(host: str, port: int, https: int | None, names: Sequence[str]) -> None:
    """Set the addresses for this process, which its children copy, and in the environment for those that
    cannot."""
    settings.LISTENS_AT, settings.STARTED_AT = host, datetime.now(UTC).isoformat()
    os.environ |= {LISTENS_AT: host, STARTED_AT: settings.STARTED_AT}
    if https is not None:
        settings.HTTP_PORT, settings.HTTPS_PORT = port, https
        os.environ |= {HTTP_PORT: str(port), HTTPS_PORT: str(https)}
    if names:
        settings.NAMES = replace(settings.NAMES, names=[*settings.NAMES.names, *names])
        os.environ[HOSTS] = ",".join(settings.NAMES.names)


def tell_second_folder(folder: Path) -> None:
    """Set the second backup folder for this process, which its children copy, and in the environment."""
    settings.SECOND_BACKUP_FOLDER = os.environ[SECOND_FOLDER_VARIABLE] = str(folder)


def begin_as_copies(children: Iterable[Child]) -> None:
    """Start the children as copies of this process, if the system can fork: they share what it has loaded.

    Elsewhere the supervisor starts each by itself, and each loads everything.
    """
    if sys.platform == "linux":
        from operations.up.processes import load_before_copying

        load_before_copying()
        for child in children:
            child.begin_as_copy()


def check_authority(host: str) -> None:
    """Stop with a sentence if the authority is unusable, or may not certify this computer's address."""
    open_authority(data_folder(), datetime.now(UTC))
    address = urlsplit(network_url(host, 0) or local_url(host, 0)).hostname or ""
    if not is_hall_name(certificate_name(address)):
        raise Stop(terminal_text("https-not-private", address=address))


def web_children(host: str, port: int, https: int | None, count: int) -> list[Child]:
    """Return the web processes, which share listening sockets that stay open here.

    While one restarts, connections wait in them. On Windows, where descriptors are not inherited, the one
    child opens its own: requests during a restart are refused. Stops with a sentence if an address cannot be
    used.
    """
    doors = [(port, "--port")] if https is None else [(port, "--port"), (https, "--https")]
    listeners = [open_listener(host, number, option) for number, option in doors]
    descriptors: list[int] = []
    if sys.platform == "win32":
        for listener in listeners:
            listener.close()
    else:
        descriptors = [listener.detach() for listener in listeners]
    # For each socket its port and its descriptor.
    told = zip_longest([number for number, _ in doors], descriptors, fillvalue="")
    arguments = [str(each) for door in told for each in door]
    return [Child("web", host, *arguments, inherits=descriptors) for _ in range(count if descriptors else 1)]


def greet(host: str, port: int, secret: str | None) -> None:
    """Print where to go: the secret first-run page while there is no account, else the home page.

    A server behind HTTPS is shown by its name: it answers to no other.
    """
    path = first_path(secret)
    if secret:
        say("data-begun", folder=data_folder())
        say("first-run")
    if settings.NAMES.url:
        say("site", url=f"{settings.ADDRESS or settings.NAMES.url}/{path}")
        return
    say("here", url=local_url(host, port) + path)
    found = phone_addresses()
    if host in EVERYWHERE and not any(one.address.way is Way.NETWORK for one in found):
        say("no-hall-network")
    for one in found:
        say_address(one.address, port, path)


def first_path(secret: str | None) -> str:
    return f"start/{secret}" if secret else ""


def tell_of_https(host: str, port: int, https: int) -> None:
    """Print the HTTPS address for phones, and where they get the certificate for it, by HTTP."""
    say("https", url=network_url(host, https, "https") or local_url(host, https, "https"))
    page = urljoin(network_url(host, port) or local_url(host, port), reverse("certificate"))
    say("certificate", url=page)
    say(
        "fingerprint",
        fingerprint=certificate_fingerprint(open_authority(data_folder(), datetime.now(UTC)).certificate),
    )
    show_square(page)


def allow_many_connections() -> None:
    """Raise the limit of open files as far as the system allows; each watching phone needs one."""
    if sys.platform == "win32":  # Windows has no such limit
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 65_536 if most == resource.RLIM_INFINITY else min(most, 65_536)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
    except (OSError, ValueError):  # macOS has a lower limit that it does not report
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, 10_240), most))
