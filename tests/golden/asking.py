"""What every reader is answered at every address, in both languages, read and sent."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.core.cache import caches
from django.db import transaction

from tests.golden.folder import Folder, named
from tests.golden.house import LANGUAGES, House
from tests.golden.reading import whole
from tests.golden.still import Still
from tests.pages.browser import Browser
from tests.pages.test_who_may import FORM

WRONG = FORM | {"entries": "Anne", "date": "2026-02-31", "amount": "-1", "name": "", "key": "?", "table_count": "0"}
"""What no form can mean, under the names of many forms' fields."""
AS_JSON = "application/json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """Every request finds the house as it was built: what it writes is taken back."""

    folder: Folder
    still: Still
    statuses: Counter[int] = field(default_factory=Counter)

    def everything(self, house: House) -> None:
        logging.disable(logging.CRITICAL)
        for who, reader in house.readers.items():
            self.read(who, reader, house.addresses)
            self.send(who, reader, house.addresses, LANGUAGES if who in ("owner", "phone") else ("fr",))
        owner = house.readers["owner"]
        self.read("owner, a part", owner, house.addresses, headers={"hx-request": "true"})
        self.read("nobody", house.readers["nobody"], [*house.rich_addresses, *house.event_addresses])
        self.read("owner", house.rich.desk, house.rich_addresses)
        self.read("owner", Browser(account=house.organizer), house.event_addresses)

    def read(self, who: str, reader: Browser, addresses: Iterable[str], *, headers: dict[str, str] | None = None) -> None:
        for address in addresses:
            for language in LANGUAGES:
                self._ask(f"read/{named(address)}/{who}, {language}", reader, address, language, headers=headers or {})

    def send(self, who: str, reader: Browser, addresses: Iterable[str], languages: Iterable[str]) -> None:
        """An empty form and a wrong one; programs send JSON."""
        for address in addresses:
            for language in languages:
                for kind, data in (("empty", {}), ("wrong", WRONG)):
                    name = f"sent/{named(address)}/{who}, {language}, {kind}"
                    more = {"content_type": AS_JSON} if address.startswith("/api/") else {}
                    self._ask(name, reader, address, language, data=data, **more)

    def _ask(self, name: str, reader: Browser, address: str, language: str, *, headers: dict[str, str] | None = None, **sent: Any) -> None:
        self.still.begin(name)
        for cache in caches.all():
            cache.clear()
        client = reader.client
        client.raise_request_exception = False
        cookies = client.cookies.output(header="", sep=";")
        with transaction.atomic():
            answer = client.post if "data" in sent else client.get
            response = answer(address, headers={"accept-language": language, **(headers or {})}, **sent)
            self.folder.write(f"{name}.txt", f"{address}\n".encode() + whole(response))
            transaction.set_rollback(True)
        self.statuses[response.status_code] += 1
        client.cookies.clear()
        client.cookies.load(cookies)
