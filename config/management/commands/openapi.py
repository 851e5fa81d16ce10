"""``docs/api/openapi.yaml``, written anew from the code."""

from typing import Any

from django.core.management.base import BaseCommand

from api.schema import FILE, openapi_text


class Command(BaseCommand):
    help = "Write docs/api/openapi.yaml, the description of what programs can do, anew."
    requires_system_checks: list[str] = []

    def handle(self, *arguments: Any, **options: Any) -> None:
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(openapi_text(), encoding="utf-8")
        self.stdout.write(str(FILE))
