"""A relay between the program and PostgreSQL or Redis on this computer, which tests can cut."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Relay:
    """Relay to a server: it forwards connections, refuses them or hangs."""

    def __init__(self, host: str, port: int) -> None:
        self._server = (host, port)
        self._pipes: list[socket.socket] = []
        self._flows = threading.Event()
        self._flows.set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._listen()

    def refuse(self) -> None:
        """Act as a stopped server: break open connections and refuse new ones."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._break()

    def hang(self) -> None:
        """Act as a hanging server: accept connections and data, and answer nothing."""
        self._flows.clear()

    def recover(self) -> None:
        """Forward connections as at first."""
        if self._listener.fileno() < 0:
            self._listener = socket.create_server(("127.0.0.1", self.port))
            self._listen()
        if not self._flows.is_set():
            self._break()
            self._flows.set()

    def end(self) -> None:
        if self._listener.fileno() >= 0:
            self.refuse()
        self._flows.set()

    def _listen(self) -> None:
        threading.Thread(target=self._accept, args=[self._listener], daemon=True).start()

    def _accept(self, listener: socket.socket) -> None:
        with suppress(OSError):  # the listener was closed
            while True:
                here, _ = listener.accept()
                there = socket.create_connection(self._server)
                self._pipes += [here, there]
                for way in ((here, there), (there, here)):
                    threading.Thread(target=self._carry, args=way, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while content := source.recv(65536):
                self._flows.wait()
                target.sendall(content)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _break(self) -> None:
        pipes, self._pipes = self._pipes, []
        for pipe in pipes:
            with suppress(OSError):
                pipe.shutdown(socket.SHUT_RDWR)
            pipe.close()
