"""A message broker made of files in one folder, so that nothing has to be installed or started.

kombu has such a transport, but it fails at an empty file, which a killed writer leaves, and needs an extra
library on Windows. Here a message appears whole (written aside, then renamed), is taken by a rename that only
one worker can win, and is set aside if it cannot be read.
"""

import time
import uuid
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import virtual
from kombu.utils.json import dumps, loads


class Channel(virtual.Channel):
    @property
    def folder(self) -> Path:
        client = self.connection.client
        assert client is not None
        assert client.transport_options is not None
        folder = Path(client.transport_options["folder"])
        folder.mkdir(parents=True, exist_ok=True)
        return folder

    def _list_messages(self, queue: str) -> list[Path]:
        """Return the messages in order: names begin with the priority, 0 being the highest, and the time."""
        return sorted(self.folder.glob(f"[0-9]*.{queue}.message"))

    def _put(self, queue: str, message: dict[str, Any], **_: object) -> None:
        priority = self._get_message_priority(message)
        name = f"{priority}.{time.time_ns():020d}.{uuid.uuid4().hex}.{queue}.message"
        temp_path = self.folder / f".{name}"
        temp_path.write_text(dumps(message), encoding="utf-8")
        temp_path.replace(self.folder / name)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for message in self._list_messages(queue):
            taken_path = message.with_suffix(".taken")
            try:
                message.rename(taken_path)
            except OSError:  # another worker has it
                continue
            try:
                content = loads(taken_path.read_text(encoding="utf-8"))
                content["properties"]["delivery_tag"]  # kombu reads it before it handles errors
            except (OSError, ValueError, LookupError, TypeError):
                taken_path.replace(message.with_suffix(".bad"))
                continue
            taken_path.unlink()
            return content
        raise Empty

    def _size(self, queue: str) -> int:
        return len(self._list_messages(queue))

    def _purge(self, queue: str) -> int:
        messages = self._list_messages(queue)
        for message in messages:
            message.unlink(missing_ok=True)
        return len(messages)


class Transport(virtual.Transport):
    Channel = Channel
    # Publishers declare queue and exchange first, so each process may keep these tables to itself.
    global_state = virtual.BrokerState()
    default_port = 0
    driver_type = "files"
    driver_name = "files"

    def driver_version(self) -> str:
        return "1"
