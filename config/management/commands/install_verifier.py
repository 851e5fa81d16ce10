import subprocess
from argparse import ArgumentParser
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from operations.verifier import release
from operations.verifier.release import WANTED


class Command(TerminalCommand):
    help = "Lets browsers check events' files: installs Python for them, fetched by npm, or of an archive."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("archive", type=Path, nargs="?", help=f"as `npm pack {WANTED}` writes it")

    def handle(self, *, archive: Path | None, **_: Any) -> None:
        with TemporaryDirectory(prefix="charlemagne-") as folder:
            try:
                release.install(archive or _fetch_archive(Path(folder)))
            except release.OtherRelease as other:
                raise CommandError(
                    gettext("This is not %(wanted)s as it was released: %(file)s. Nothing was installed.")
                    % {"wanted": WANTED, "file": other}
                ) from None
            self.stdout.write(gettext("Installed. The pages that check results offer it from now on."))


def _fetch_archive(folder: Path) -> Path:
    """The archive, from the registry that npm asks on this computer."""
    npm = which("npm")
    if npm is None:
        raise CommandError(
            gettext("npm is not here. Where it is, type: npm pack %(wanted)s. Then name the archive here.")
            % {"wanted": WANTED}
        )
    asked = subprocess.run([npm, "pack", "--silent", WANTED], cwd=folder, check=False)  # noqa: S603 - our words
    archives = list(folder.glob("*.tgz"))
    if asked.returncode or not archives:
        raise CommandError(gettext("npm could not fetch %(wanted)s.") % {"wanted": WANTED})
    return archives[0]
