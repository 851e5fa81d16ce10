"""A system clock that a test sets for all processes of a night at once."""

from __future__ import annotations

import struct
import subprocess
from datetime import timedelta
from pathlib import Path

from tests import external_tools

SOURCE = Path(__file__).with_name("wrong_clock.c")


class WrongClock:
    """A clock that is right until it is set; processes with ``variables`` in their environment follow it."""

    def __init__(self, folder: Path) -> None:
        library, self._shared = folder / "wrong_clock.so", folder / "wrong_by"
        compiler = external_tools.find_compiler()
        assert compiler is not None
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
        self.variables = {"LD_PRELOAD": str(library), "WRONG_CLOCK": str(self._shared)}
        self._shared.write_bytes(bytes(8))
        self.wrong_by = timedelta()

    def set_wrong_by(self, ahead: timedelta) -> None:
        """Set the clock ahead by this much, in whole seconds; back if it is negative."""
        self.wrong_by = timedelta(seconds=int(ahead.total_seconds()))
        with self._shared.open("r+b") as file:
            file.write(struct.pack("=q", int(ahead.total_seconds())))
