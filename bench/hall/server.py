"""A real `up` that can be killed, in whole or in part, and restarted. Linux only: it reads /proc."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Self

from operations.data_dir import PROJECT
from operations.up.child import CHILDREN

TIMEOUT_SECONDS = 180.0


def find_free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


class Server:
    """Server with these options of ``up`` that runs while the block runs, at one ``port``."""

    def __init__(self, environment: dict[str, str], *options: str) -> None:
        self.port = find_free_port()
        self._environment = environment
        self._command = [sys.executable, "manage.py", "up", "--host", "127.0.0.1", "--port", str(self.port)]
        self._command += options

    def __enter__(self) -> Self:
        self._start()
        self._wait_for_answer()
        return self

    def __exit__(self, *_: object) -> None:
        self._up.send_signal(signal.SIGTERM)
        self._up.wait()

    def kill(self, name: str) -> float:
        """Kill the child of that name, or ``up`` itself and start it again.

        Returns the seconds until a request is answered.
        """
        children = self._get_children()
        while name not in (*children, "up"):  # it is being restarted
            time.sleep(0.05)
            children = self._get_children()
        if name == "up":
            return self.restart()
        started = time.monotonic()
        os.kill(children[name], signal.SIGKILL)
        self._wait_for_answer()
        return time.monotonic() - started

    def restart(self, while_stopped: Callable[[], object] = lambda: None) -> float:
        """Kill ``up``, call ``while_stopped`` once all its processes have ended, and start it again.

        Returns the seconds until a request is answered.
        """
        started = time.monotonic()
        children = self._get_children()
        self._up.kill()
        self._up.wait()
        while any(map(_is_alive, children.values())):  # they end by themselves
            time.sleep(0.05)
        while_stopped()
        self._start()
        self._wait_for_answer()
        return time.monotonic() - started

    def get_memory(self, name: str) -> int:
        """Return the bytes of memory of all children of that name."""
        return sum(map(_get_memory, self._list_pids(name)))

    def get_total_memory(self) -> int:
        """Return the bytes of memory of ``up`` and all its descendants."""
        pids, found = [self._up.pid], 0
        while pids:
            pid = pids.pop()
            found += _get_memory(pid)
            with suppress(OSError):
                for task in Path(f"/proc/{pid}/task").iterdir():
                    pids += map(int, (task / "children").read_text(encoding="ascii").split())
        return found

    def get_processor_time(self, name: str) -> float:
        """Return the seconds of processor time of all children of that name."""
        stats = [_read_proc(pid, "stat").rpartition(")")[2].split() for pid in self._list_pids(name)]
        return sum(int(each[11]) + int(each[12]) for each in stats) / os.sysconf("SC_CLK_TCK")

    def get_resource_usage(self) -> dict[str, dict[str, float]]:
        """Return MiB of memory and open files of each child, by name and process id."""
        return {
            f"{name} {pid}": {
                "mib": round(_get_memory(pid) / 2**20, 1),
                "files": len(list(Path(f"/proc/{pid}/fd").iterdir())),
            }
            for pid, name in sorted(self._get_names().items())
        }

    def _list_pids(self, name: str) -> list[int]:
        return [pid for pid, child in self._get_names().items() if child == name]

    def _start(self) -> None:
        self._up = subprocess.Popen(self._command, cwd=PROJECT, env=self._environment, stdout=subprocess.DEVNULL)

    def _wait_for_answer(self) -> None:
        """Wait for an answer; start ``up`` again if it ended because an old child still held the port."""
        deadline = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < deadline:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            try:
                connection.request("GET", "/")
                if connection.getresponse().status == 200:
                    return
            except (OSError, http.client.HTTPException):
                if self._up.poll() is not None:
                    self._start()
                time.sleep(0.05)
            finally:
                connection.close()
        raise RuntimeError("up does not answer")

    def _get_children(self) -> dict[str, int]:
        return {name: child for child, name in self._get_names().items()}

    def _get_names(self) -> dict[int, str]:
        pid = self._up.pid
        ids = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
        names = {int(child): _read_proc(int(child), "comm").strip() for child in ids}
        return {child: name for child, name in names.items() if name in CHILDREN}


def _is_alive(pid: int) -> bool:
    status = _read_proc(pid, "status")
    return status != "" and "\nState:\tZ" not in status


def _get_memory(pid: int) -> int:
    """Return bytes of memory; shared pages count by the process's share of them."""
    lines = _read_proc(pid, "smaps_rollup").splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)


def _read_proc(pid: int, name: str) -> str:
    """Return the content of a process's file in /proc, or nothing once the process is gone."""
    try:
        return Path(f"/proc/{pid}/{name}").read_text(encoding="utf-8")
    except OSError:
        return ""
