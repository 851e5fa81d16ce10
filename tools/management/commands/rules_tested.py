from typing import Any

from django.core.management.base import BaseCommand

from tools.rules_tested_page import PAGE_FILE, render_rules_page


class Command(BaseCommand):
    help = "Regenerate docs/development/rules-coverage.md: the rulebook and the tests that quote it."

    def handle(self, *_: Any, **__: Any) -> None:
        PAGE_FILE.write_text(render_rules_page(), encoding="utf-8")
        self.stdout.write(str(PAGE_FILE))
