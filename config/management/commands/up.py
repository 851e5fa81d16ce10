"""Start everything: `manage.py up`."""

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
from operations.command_line import DJANGO_OPTIONS, OPERATOR_COMMANDS, add_arguments
from operations.data_dir import DATABASE_FILE, SECOND_FOLDER_VARIABLE, data_folder
from operations.metrics.collector import serve_metrics
from operations.metrics.process_metrics import VARIABLE
from operations.start.lock import record_address, record_clean_end
from operations.start.place import describe_place
from operations.terminal import Stop, format_terminal_text, print_line
from operations.up.addresses import (
    ANY_HOST,
    HOST_VARIABLE,
    HOSTS_VARIABLE,
    HTTP_PORT_VARIABLE,
    HTTPS_PORT_VARIABLE,
    STARTED_VARIABLE,
    AddressKind,
    build_local_url,
    build_network_url,
    open_listener,
)
from operations.up.authority import format_fingerprint, is_hall_name, open_authority, parse_certificate_name
from operations.up.reach import clear_arrivals, phone_addresses, print_qr_code
from operations.up.supervisor import Child, Supervisor
from operations.up.watch import AddressWatch, get_main_url, print_address, start_watch
from server.tracing import check_tracing


class Command(BaseCommand):
    help = OPERATOR_COMMANDS["up"].help
    suppressed_base_arguments = set(DJANGO_OPTIONS)
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
            set_second_folder(backup_to)
        if https is not None:
            check_authority(host)
        set_addresses(host, port, https, name)
        children = [
            *build_web_children(host, port, https, processes),
            *(Child(name) for name in ("worker", "long-worker", "outgoing-worker", "beat")),
        ]
        supervisor = Supervisor(*children)
        raise_file_limit()
        call_command("clearsessions")  # each passkey challenge for a visitor creates a session
        clear_arrivals()
        record_address(data_folder(), get_main_url(port), describe_place(data_folder()))
        secret = first_run.get_first_run_secret()  # the last query: the database may go away from here on
        fork_children(children)
        if metrics_address := os.environ.get(VARIABLE):
            serve_metrics(metrics_address, supervisor.list_processes)
        if settings.NAMES.are_any:
            print_line("any-host")
        print_greeting(host, port, secret)
        if https is not None:
            print_https_address(host, port, https)
        print_line("how-to-stop")
        start_watch(AddressWatch(port, "" if settings.NAMES.url else get_first_path(secret)))
        supervisor.run()
        connections.close_all()
        record_clean_end(data_folder(), data_folder() / DATABASE_FILE)


def set_addresses(host: str, port: int, https: int | None, names: Sequence[str]) -> None:
    """Set the addresses for this process, which its children copy, and in the environment for those that
    cannot."""
    settings.LISTEN_ADDRESS, settings.STARTED_AT = host, datetime.now(UTC).isoformat()
    os.environ |= {HOST_VARIABLE: host, STARTED_VARIABLE: settings.STARTED_AT}
    if https is not None:
        settings.HTTP_PORT, settings.HTTPS_PORT = port, https
        os.environ |= {HTTP_PORT_VARIABLE: str(port), HTTPS_PORT_VARIABLE: str(https)}
    if names:
        settings.NAMES = replace(settings.NAMES, names=[*settings.NAMES.names, *names])
        os.environ[HOSTS_VARIABLE] = ",".join(settings.NAMES.names)


def set_second_folder(folder: Path) -> None:
    """Set the second backup folder for this process, which its children copy, and in the environment."""
    settings.SECOND_BACKUP_FOLDER = os.environ[SECOND_FOLDER_VARIABLE] = str(folder)


def fork_children(children: Iterable[Child]) -> None:
    """Start the children as copies of this process, if the system can fork: they share what it has loaded.

    Elsewhere the supervisor starts each by itself, and each loads everything.
    """
    if sys.platform == "linux":
        from operations.up.processes import preload_modules

        preload_modules()
        for child in children:
            child.start_forked()


def check_authority(host: str) -> None:
    """Stop with a sentence if the authority is unusable, or may not certify this computer's address."""
    open_authority(data_folder(), datetime.now(UTC))
    address = urlsplit(build_network_url(host, 0) or build_local_url(host, 0)).hostname or ""
    if not is_hall_name(parse_certificate_name(address)):
        raise Stop(format_terminal_text("https-not-private", address=address))


def build_web_children(host: str, port: int, https: int | None, count: int) -> list[Child]:
    """Return the web processes, which share listening sockets that stay open here.

    While one restarts, connections wait in them. On Windows, where descriptors are not inherited, the one
    child opens its own: requests during a restart are refused. Stops with a sentence if an address cannot be
    used.
    """
    ports = [(port, "--port")] if https is None else [(port, "--port"), (https, "--https")]
    listeners = [open_listener(host, number, option) for number, option in ports]
    descriptors: list[int] = []
    if sys.platform == "win32":
        for listener in listeners:
            listener.close()
    else:
        descriptors = [listener.detach() for listener in listeners]
    # For each socket its port and its descriptor.
    port_pairs = zip_longest([number for number, _ in ports], descriptors, fillvalue="")
    arguments = [str(value) for port_pair in port_pairs for value in port_pair]
    return [
        Child("web", host, *arguments, inherited_descriptors=descriptors) for _ in range(count if descriptors else 1)
    ]


def print_greeting(host: str, port: int, secret: str | None) -> None:
    """Print where to go: the secret first-run page while there is no account, else the home page.

    A server behind HTTPS is shown by its name: it answers to no other.
    """
    path = get_first_path(secret)
    if secret:
        print_line("data-begun", folder=data_folder())
        print_line("first-run")
    if settings.NAMES.url:
        print_line("site", url=f"{settings.ADDRESS or settings.NAMES.url}/{path}")
        return
    print_line("here", url=build_local_url(host, port) + path)
    known_addresses = phone_addresses()
    if host in ANY_HOST and not any(
        known_address.address.way is AddressKind.NETWORK for known_address in known_addresses
    ):
        print_line("no-hall-network")
    for known_address in known_addresses:
        print_address(known_address.address, port, path)


def get_first_path(secret: str | None) -> str:
    return f"start/{secret}" if secret else ""


def print_https_address(host: str, port: int, https: int) -> None:
    """Print the HTTPS address for phones, and where they get the certificate for it, by HTTP."""
    print_line("https", url=build_network_url(host, https, "https") or build_local_url(host, https, "https"))
    page = urljoin(build_network_url(host, port) or build_local_url(host, port), reverse("certificate"))
    print_line("certificate", url=page)
    print_line(
        "fingerprint",
        fingerprint=format_fingerprint(open_authority(data_folder(), datetime.now(UTC)).certificate),
    )
    print_qr_code(page)


def raise_file_limit() -> None:
    """Raise the limit of open files as far as the system allows; each watching phone needs one."""
    if sys.platform == "win32":  # Windows has no such limit
        return
    import resource

    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    target = 65_536 if hard_limit == resource.RLIM_INFINITY else min(hard_limit, 65_536)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (target, hard_limit))
    except (OSError, ValueError):  # macOS has a lower limit that it does not report
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(target, 10_240), hard_limit))
