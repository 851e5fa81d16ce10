from typing import Any

from django.core.management.base import BaseCommand

from tools.security_page import PAGE_FILE, render_security_page


class Command(BaseCommand):
    help = "Regenerate docs/operating/security.md: the requirements of ASVS 5.0, their status and their tests."

    def handle(self, *_: Any, **__: Any) -> None:
        PAGE_FILE.write_text(render_security_page(), encoding="utf-8")
        self.stdout.write(str(PAGE_FILE))
