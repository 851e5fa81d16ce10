"""Start the built program as on a bare computer: no network, no variables, read-only folders.

`start_sealed_off` runs this file by `unshare --net --mount`, for mounts and a network of its own.
"""

from __future__ import annotations

import fcntl
import http.client
import json
import signal
import socket
import struct
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PROGRAM, DATA = "/opt", "/mnt"
"""Folders where the program and its data are mounted: they exist on every Linux, open to every user."""
PORT = 8000
"""The program's default port, which is free in a network of its own."""
PATIENCE = 300.0
PAGE = "/fr/sign-in"


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Result of a start: status, text and seconds of the page; output and exit status of the program."""

    status: int
    page: str
    seconds: float
    output: str
    ended: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sandbox:
    """The program's folder, the command to run in it, and its data folder."""

    program: str
    arguments: list[str]
    data: str
    environment: dict[str, str] = field(default_factory=dict)
    read_only: list[str] = field(default_factory=lambda: [PROGRAM])
    user: int = 0


def start_sealed_off(sealed: Sandbox) -> Start:
    sandbox_json = json.dumps({name: getattr(sealed, name) for name in Sandbox.__slots__})
    ended = subprocess.run(
        ["unshare", "--net", "--mount", sys.executable, __file__, sandbox_json],
        capture_output=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return Start(**json.loads(ended.stdout))


def can_seal_off() -> bool:
    """Check whether this account may create network and mount namespaces."""
    command = ["unshare", "--net", "--mount", "true"]
    return sys.platform == "linux" and subprocess.run(command, capture_output=True, check=False).returncode == 0


def _open_loopback() -> None:
    """Set the flag IFF_UP (netdevice(7)): in a new network the interface is down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control_socket:
        fcntl.ioctl(control_socket, 0x8914, struct.pack("16sH14x", b"lo", 1))


def _mount(sealed: Sandbox) -> None:
    for source, target in ((sealed.program, PROGRAM), (sealed.data, DATA)):
        subprocess.run(["mount", "--bind", source, target], check=True)
    for folder in sealed.read_only:
        subprocess.run(["mount", "-o", "remount,ro,bind", folder], check=True)


def _fetch() -> tuple[int, str]:
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=PATIENCE)
    try:
        connection.request("GET", PAGE)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()
    except OSError:  # the server is not listening yet
        return 0, ""
    finally:
        connection.close()


def _run(sealed: Sandbox) -> dict[str, Any]:
    """Run the program until it has answered a page, then end it."""
    began = time.monotonic()
    path = Path(DATA, "output")
    with path.open("wb") as output:
        program = subprocess.Popen(
            [f"{PROGRAM}/{sealed.arguments[0]}", *sealed.arguments[1:]],
            cwd="/", env=sealed.environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            user=sealed.user, group=0, extra_groups=[],
        )  # fmt: skip
    status, page = 0, ""
    while status != 200 and program.poll() is None and time.monotonic() < began + PATIENCE:
        time.sleep(0.1)
        status, page = _fetch()
    seconds = round(time.monotonic() - began, 1)
    program.send_signal(signal.SIGTERM)
    ended = program.wait(PATIENCE)
    output_text = path.read_text(encoding="utf-8")
    return {"status": status, "page": page, "seconds": seconds, "output": output_text, "ended": ended}


if __name__ == "__main__":
    wanted = Sandbox(**json.loads(sys.argv[1]))
    _open_loopback()
    _mount(wanted)
    json.dump(_run(wanted), sys.stdout)
