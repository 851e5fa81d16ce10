"""Fill a folder for installing without internet: `manage.py packages FOLDER`."""

import platform
import sysconfig
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from operations.command_line import DJANGO_OPTIONS, add_arguments
from operations.data_dir import PROGRAM
from operations.packages import download_packages
from operations.terminal import print_line


class Command(BaseCommand):
    help = "Fill a folder with the packages of this version, to install from it without internet."
    suppressed_base_arguments = set(DJANGO_OPTIONS)
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        add_arguments(parser, "packages")

    def handle(self, *, folder: Path, **_: Any) -> None:
        print_line(
            "packages-ready",
            folder=folder,
            count=download_packages(folder),
            version=".".join(platform.python_version_tuple()[:2]),
            platform=sysconfig.get_platform(),
            program=PROGRAM,
        )
