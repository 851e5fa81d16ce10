from typing import Any

from django.core.management.base import BaseCommand

from operations.security_page import FILE, security_page


class Command(BaseCommand):
    help = (
        "Writes docs/operating/security.md anew: what ASVS 5.0 asks for, what holds here, and by which test."
    )

    def handle(self, *_: Any, **__: Any) -> None:
        FILE.write_text(security_page(), encoding="utf-8")
        self.stdout.write(str(FILE))
