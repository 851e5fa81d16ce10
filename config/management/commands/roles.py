from typing import Any

from django.core.management.base import BaseCommand

from operations.roles_page import FILE, roles_page


class Command(BaseCommand):
    help = "Writes docs/operating/roles.md anew: who may open what, from the policy and the addresses."

    def handle(self, *_: Any, **__: Any) -> None:
        FILE.write_text(roles_page(), encoding="utf-8")
        self.stdout.write(str(FILE))
