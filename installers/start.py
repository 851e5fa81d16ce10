"""Entry point of the built program: a window, a command, or one of our modules (`-m MODULE`).

Our code starts its processes by ``[sys.executable, "-m", MODULE, …]``; only this module makes the built program
understand that.
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
WINDOW_EXECUTABLE = "Charlemagne"
"""Name of the executable that opens a window. The other one, ``charlemagne-cli``, is for a terminal."""
WINDOW_OPTION = "--from-window"
"""First argument of the command that the window runs, and that ends with the window."""


def main() -> int:
    sys.path[:0] = [str(PACKAGES / "charlemagne"), str(PACKAGES)]
    if sys.argv[1:2] == ["-m"]:
        sys.argv = sys.argv[2:]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return 0
    if Path(sys.executable).stem == WINDOW_EXECUTABLE and len(sys.argv) == 1:
        from installers.window import show_window

        return show_window()
    if sys.argv[1:2] == [WINDOW_OPTION]:
        del sys.argv[1]
        _stop_with_window()
    from operations.bootstrap import main

    return main(["charlemagne", *sys.argv[1:]])


def _stop_with_window() -> None:
    """End this process in order once the window closes our input, or has gone."""
    if sys.platform == "linux":  # `up` forks: it may have no threads yet
        death_signal_option = 1  # PR_SET_PDEATHSIG, see prctl(2)
        ctypes.CDLL(None).prctl(death_signal_option, signal.SIGTERM)
    else:
        threading.Thread(target=_stop_at_input_end, daemon=True).start()


def _stop_at_input_end() -> None:
    sys.stdin.buffer.read()
    signal.raise_signal(signal.SIGINT)


if __name__ == "__main__":
    sys.exit(main())
