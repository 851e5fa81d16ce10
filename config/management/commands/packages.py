"""Fill a folder for installing without internet: `manage.py packages FOLDER`."""

import platform
import sysconfig
from pathlib import Path
from typing import Any

from config.management.terminal_command import TerminalCommand
from operations.data_dir import PROGRAM
from operations.packages import download_packages
from operations.terminal import print_line


class Command(TerminalCommand):
    def handle(self, *, folder: Path, **_: Any) -> None:
        print_line(
            "packages-ready",
            folder=folder,
            count=download_packages(folder),
            version=".".join(platform.python_version_tuple()[:2]),
            platform=sysconfig.get_platform(),
            program=PROGRAM,
        )
