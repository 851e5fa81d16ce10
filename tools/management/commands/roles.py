from typing import Any

from django.core.management.base import BaseCommand

from tools.roles_page import ROLES_FILE, render_roles_page


class Command(BaseCommand):
    help = "Regenerate docs/operating/roles.md: the pages and operations open to each role."

    def handle(self, *_: Any, **__: Any) -> None:
        ROLES_FILE.write_text(render_roles_page(), encoding="utf-8")
        self.stdout.write(str(ROLES_FILE))
