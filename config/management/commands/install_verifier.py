import subprocess
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext

from config.management.terminal_command import TerminalCommand
from operations.verifier import release
from operations.verifier.release import PACKAGE_SPEC


class Command(TerminalCommand):
    def handle(self, *, archive: Path | None, **_: Any) -> None:
        with TemporaryDirectory(prefix="charlemagne-") as folder:
            try:
                release.install_release(archive or _fetch_archive(Path(folder)))
            except release.WrongRelease as other:
                raise CommandError(
                    gettext("Not the official %(wanted)s: %(file)s. Nothing was installed.")
                    % {"wanted": PACKAGE_SPEC, "file": other}
                ) from None
            self.stdout.write(gettext("Installed. Results can now be verified in the browser."))


def _fetch_archive(folder: Path) -> Path:
    """Download the archive from the registry that npm uses on this computer."""
    npm = which("npm")
    if npm is None:
        raise CommandError(
            gettext(
                "npm is not installed. Run npm pack %(wanted)s on another computer, then this command with the archive."
            )
            % {"wanted": PACKAGE_SPEC}
        )
    result = subprocess.run([npm, "pack", "--silent", PACKAGE_SPEC], cwd=folder, check=False)  # noqa: S603 - our words
    archives = list(folder.glob("*.tgz"))
    if result.returncode or not archives:
        raise CommandError(
            gettext("npm could not download %(wanted)s. Check the internet connection.") % {"wanted": PACKAGE_SPEC}
        )
    return archives[0]
