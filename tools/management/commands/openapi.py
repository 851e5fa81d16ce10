"""Generate ``docs/api/openapi.yaml`` from the code."""

from typing import Any

from django.core.management.base import BaseCommand

from api.schema import FILE, render_openapi


class Command(BaseCommand):
    help = "Regenerate docs/api/openapi.yaml, the API schema."
    requires_system_checks: list[str] = []

    def handle(self, *arguments: Any, **options: Any) -> None:
        FILE.parent.mkdir(exist_ok=True)
        FILE.write_text(render_openapi(), encoding="utf-8")
        self.stdout.write(str(FILE))
