"""Entry of the built program: a window, a command, or with `-m MODULE` one of our modules, as Python runs it.

Our code starts its parts by ``[sys.executable, "-m", MODULE, …]``: this is the one place that makes the built
program understand that.
"""

from __future__ import annotations

import ctypes
import runpy
import signal
import sys
import threading
from pathlib import Path

PACKAGES = Path(getattr(sys, "_MEIPASS", "")) / "packages"
"""Folder of the program and everything that it needs, as pip installs it."""
WINDOW = "Charlemagne"
"""Name of the executable that opens a window. The other one, ``charlemagne-cli``, is for a terminal."""
FROM_WINDOW = "--from-window"
"""First argument of the command that the window runs, and that ends with the window."""


def main() -> int:
    sys.path[:0] = [str(PACKAGES / "charlemagne"), str(PACKAGES)]
    if sys.argv[1:2] == ["-m"]:
        sys.argv = sys.argv[2:]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return 0
    if Path(sys.executable).stem == WINDOW and len(sys.argv) == 1:
        from installers.window import show_window

        return show_window()
    if sys.argv[1:2] == [FROM_WINDOW]:
        del sys.argv[1]
        _end_with_window()
    from operations.bootstrap import main

    return main(["charlemagne", *sys.argv[1:]])


def _end_with_window() -> None:
    """End this process in order once the window closes our input, or has gone."""
    if sys.platform == "linux":  # `up` forks: it may have no threads yet
        end_with_parent = 1  # PR_SET_PDEATHSIG, see prctl(2)
        ctypes.CDLL(None).prctl(end_with_parent, signal.SIGTERM)
    else:
        threading.Thread(target=_wait_for_end_of_input, daemon=True).start()


def _wait_for_end_of_input() -> None:
    sys.stdin.buffer.read()
    signal.raise_signal(signal.SIGINT)


if __name__ == "__main__":
    sys.exit(main())
