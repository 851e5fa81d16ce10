"""The server under test, and a running night on it."""

from __future__ import annotations

import socket
import threading
import time
from typing import Any

import uvicorn

from scoring.models import Match, TableCard
from tests.builders import build_account, build_club, build_event, matches_of, start_next_round
from tests.workspaces import find_free_port
from tournaments.entries.services.entries import add_entries
from tournaments.events.services.lifecycle import start_event
from tournaments.models import Event

NAMES = (
    *("Jeannine Roy", "Marcel Dubé", "Ghislaine Cyr", "Normand Ouellet", "Thérèse Lavoie", "Réal Michaud"),
    *("Huguette Morin", "Aurèle Thibault", "Colette Pelletier", "Gaston Levesque", "Rita Plourde"),
    *("Yvon Beaulieu", "Marie-Paule Saint-Pierre-Desrosiers", "Jean-Baptiste de la Bruère-Montarville"),
    *("Lise Roy", "Paul Roy"),
)
"""Sixteen people: eight pairs; the seventh has very long names."""


class Server:
    """A uvicorn server in a thread, which keeps its port when it is stopped and started again."""

    def __init__(self, port: int | None = None) -> None:
        self.port = port or find_free_port()
        self.url = f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        from config.asgi import application, streams  # reads the collected static files on import

        config = uvicorn.Config(
            application, port=self.port, lifespan="off", log_level="warning", timeout_graceful_shutdown=1
        )

        class Listening(uvicorn.Server):
            async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
                streams.end_streams()
                await super().shutdown(sockets)

        self._server = Listening(config)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        while not self._server.started:
            assert self._thread.is_alive(), "the server did not start"
            time.sleep(0.01)

    def stop(self) -> None:
        """Stop the server once its requests are done. Safe to repeat."""
        self._server.should_exit = True
        self._thread.join()


class Hall:
    """A hall with a server: tests prepare a night in it and check the database behind the pages."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.owner = build_account()
        self.event: Event | None = None

    def build_night(self, pairs: int = 2, **settings: Any) -> Event:
        """Build a night in its first round, with realistic names."""
        event = build_event(0, club=build_club(owner=self.owner), **{"tables": max(1, pairs // 2)} | settings)
        size = 2 if event.terms.ruleset.seats == 4 else 1
        names = [NAMES[place : place + size] for place in range(0, pairs * size, size)]
        add_entries(event_id=event.pk, entries=dict(enumerate(names, start=1)))
        start_event(event_id=event.pk)
        start_next_round(event)
        self.event = event
        return event

    @property
    def match(self) -> Match:
        """The match at table 1."""
        assert self.event is not None
        return matches_of(self.event)[0]

    @property
    def table(self) -> str:
        """Path of table 1, as printed on its card."""
        assert self.event is not None
        return f"/t/{TableCard.objects.get(topic=self.event.topic, number=1).code}"
