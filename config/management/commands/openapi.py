"""Generate ``docs/api/openapi.yaml`` from the code."""

from typing import Any

from django.core.management.base import BaseCommand

from api.schema import FILE, openapi_text


class Command(BaseCommand):
    help = "Regenerate docs/api/openapi.yaml, the API schema."
    requires_system_checks: list[str] = []

    def handle(self, *arguments: Any, **options: Any) -> None:
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(openapi_text(), encoding="utf-8")
        self.stdout.write(str(FILE))
