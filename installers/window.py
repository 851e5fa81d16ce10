"""Window of the built program: it runs `up`, opens the browser, and shows the address with its QR code."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import webbrowser
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from operations.terminal import is_french

from .start import WINDOW_OPTION

if TYPE_CHECKING:
    import tkinter

ADDRESS = re.compile(r"https?://[\w.\-\[\]:]+/\S*")
LOCAL_HOSTS = {"127.0.0.1", "localhost", "::1"}
TEXTS = {
    "starting": ("Starting…", "Démarrage…"),
    "phones": (
        "Phones on the same network open this address:",
        "Les téléphones du même réseau ouvrent cette adresse :",
    ),
    "alone": (
        "Only this computer can open Charlemagne. Connect it to the hall's network, then start again.",
        "Seul cet ordinateur peut ouvrir Charlemagne. Branchez-le au réseau de la salle, puis relancez.",
    ),
    "open": ("Open in the browser", "Ouvrir dans le navigateur"),
    "stop": ("Stop Charlemagne", "Arrêter Charlemagne"),
    "stopping": ("Stopping…", "Arrêt en cours…"),
    "close": ("Close", "Fermer"),
    "ended": ("Charlemagne has stopped.", "Charlemagne s'est arrêté."),
}
MAX_LINES_SHOWN = 8
_LIBRARY_PATH_VARIABLES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Variables that PyInstaller sets for its own libraries."""
POLL_MILLISECONDS = 100  # between two reads of the output


def get_text(key: str) -> str:
    return TEXTS[key][is_french()]


def show_window() -> int:
    """Run `up` until the window is closed; without a screen, in this terminal."""
    if sys.platform == "darwin" and "LANG" not in os.environ:  # an app has no variables of a terminal
        command = ["/usr/bin/defaults", "read", "-g", "AppleLocale"]
        locale = subprocess.run(command, capture_output=True, encoding="utf-8", check=False).stdout  # noqa: S603
        os.environ["LANG"] = f"{locale.strip()}.UTF-8"
    try:
        import tkinter
    except ImportError:  # the Python that built this program lacks it
        return _run_in_terminal()
    try:
        root = tkinter.Tk()
    except tkinter.TclError:  # no screen
        return _run_in_terminal()
    return Window(root).run()


def _run_in_terminal() -> int:
    from operations.bootstrap import main

    return main(["charlemagne", "up"])


class Window:
    """Small window: the state, the address for phones with its QR code, and two buttons."""

    def __init__(self, root: tkinter.Tk) -> None:
        import tkinter
        from tkinter import ttk

        self._root = root
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._output_lines: list[str] = []
        self._local_url = self._network = ""
        root.title("Charlemagne")
        root.protocol("WM_DELETE_WINDOW", self._stop)
        frame = ttk.Frame(root, padding=20)
        frame.grid()
        self._state = ttk.Label(frame, text=get_text("starting"), wraplength=340, justify="center")
        self._address = ttk.Label(frame, font=("TkDefaultFont", 14, "bold"))
        self._code = ttk.Label(frame)
        self._open = ttk.Button(frame, text=get_text("open"), command=self._open_browser, state="disabled")
        self._end = ttk.Button(frame, text=get_text("stop"), command=self._stop)
        for part in (self._state, self._address, self._code, self._open, self._end):
            part.grid(pady=4)
        self._picture = tkinter.PhotoImage()
        self._process = subprocess.Popen(  # noqa: S603 (the other executable of this program)
            [_get_command_path(), WINDOW_OPTION, "up"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )

    def run(self) -> int:
        """Show the window until `up` has ended and the window is closed, and return the status of `up`."""
        Thread(target=self._read_lines, daemon=True).start()
        self._root.after(POLL_MILLISECONDS, self._read_output)
        self._root.mainloop()
        return self._process.wait()

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.decode("utf-8", "replace").rstrip())
        self._lines.put(None)

    def _read_output(self) -> None:
        """Show the output of `up` since the last call."""
        while not self._lines.empty():
            line = self._lines.get()
            if line is None:
                return self._show_end()
            self._output_lines.append(line)
            for address in ADDRESS.findall(line):
                self._handle_address(address)
        self._root.after(POLL_MILLISECONDS, self._read_output)
        return None

    def _handle_address(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.hostname in LOCAL_HOSTS:
            is_first, self._local_url = not self._local_url, self._local_url or address
            if is_first:
                self._open.config(state="normal")
                self._state.config(text=get_text("alone"))
                self._open_browser()
        elif self._local_url:
            # Without the path: only this computer creates the club.
            self._show_address(f"{parts.scheme}://{parts.netloc}/")

    def _show_address(self, address: str) -> None:
        import tkinter

        import segno

        picture = segno.make(address, micro=False).png_data_uri(scale=7, border=4).partition(",")[2]
        self._picture = tkinter.PhotoImage(data=unquote(picture))
        self._state.config(text=get_text("phones"))
        self._address.config(text=address)
        self._code.config(image=self._picture)

    def _open_browser(self) -> None:
        for name in _LIBRARY_PATH_VARIABLES:  # the browser must not load our libraries
            original = os.environ.pop(f"{name}_ORIG", None)
            os.environ.pop(name, None)
            if original is not None:
                os.environ[name] = original
        webbrowser.open(self._local_url)

    def _stop(self) -> None:
        if self._process.poll() is not None:
            return self._root.destroy()
        self._state.config(text=get_text("stopping"))
        self._end.config(state="disabled")
        assert self._process.stdin is not None
        self._process.stdin.close()
        if sys.platform == "linux":
            self._process.terminate()
        return None

    def _show_end(self) -> None:
        """Close the window after a good end, else show the last lines, which say what to do."""
        if self._process.wait() == 0:
            return self._root.destroy()
        self._state.config(text="\n\n".join([get_text("ended"), *self._output_lines[-MAX_LINES_SHOWN:]]))
        self._address.config(text="")
        self._code.config(image="")
        self._end.config(text=get_text("close"), state="normal")
        return None


def _get_command_path() -> Path:
    """Return the other executable of this program, which has a console on Windows."""
    executable = Path(sys.executable)
    return executable.with_name(f"charlemagne-cli{executable.suffix}")
