from typing import Any

from django.core.management.base import BaseCommand

from tools.security_page import FILE, security_page


class Command(BaseCommand):
    help = (
        "Regenerate docs/operating/security.md: the requirements of ASVS 5.0, their status and their tests."
    )

    def handle(self, *_: Any, **__: Any) -> None:
        FILE.write_text(security_page(), encoding="utf-8")
        self.stdout.write(str(FILE))
