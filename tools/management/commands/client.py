"""Generate the typed Python client from ``docs/api/openapi.yaml``."""

from typing import Any

from django.core.management.base import BaseCommand

from tools.api_client import render_client_files


class Command(BaseCommand):
    help = "Regenerate client/charlemagne_client, the Python client, from docs/api/openapi.yaml."
    requires_system_checks: list[str] = []

    def handle(self, *arguments: Any, **options: Any) -> None:
        for path, text in render_client_files().items():
            path.write_text(text, encoding="utf-8")
            self.stdout.write(str(path))
