from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext, override

from operations.contact_data import open_contacts, seal_contacts
from operations.terminal import language


class Command(BaseCommand):
    help = (
        "Seals telephones and e-mail addresses in the database with the installation's key, now and from now "
        "on; with --open, they stand open again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--open", action="store_true", dest="is_open", help="open them again")

    def handle(self, *, is_open: bool, **_: Any) -> None:
        with override(language()):
            count = open_contacts() if is_open else seal_contacts()
            said = (
                gettext("Contact data stand open in the database. Rows written anew: %(count)s")
                if is_open
                else gettext("Contact data are sealed in the database. Rows written anew: %(count)s")
            )
            self.stdout.write(said % {"count": count})
