"""The data folder: everything this installation knows, in one place. Standard library only."""

from __future__ import annotations

import os
import secrets
import tempfile
from pathlib import Path

from config.terminal import Stop, text

PROJECT = Path(__file__).resolve().parent.parent
VARIABLE = "CHARLEMAGNE_DATA"


def data_folder() -> Path:
    """The folder named by the environment, else `data` beside manage.py."""
    named = os.environ.get(VARIABLE)
    return Path(named).expanduser().resolve() if named else PROJECT / "data"


def take_named_folder(arguments: list[str]) -> list[str]:
    """The arguments without `--data DIR`, which goes to the environment. Stops if DIR is missing."""
    rest: list[str] = []
    remaining = iter(arguments)
    for argument in remaining:
        if argument == "--data" or argument.startswith("--data="):
            named = argument.removeprefix("--data=") if "=" in argument else next(remaining, "")
            if not named or named.startswith("-"):
                raise Stop(text("data-without-folder"))
            os.environ[VARIABLE] = str(Path(named).expanduser().resolve())
        else:
            rest.append(argument)
    return rest


def open_folder(folder: Path) -> None:
    """Make the folder if need be. Stops with a sentence if it cannot be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise Stop(text("data-not-writable", folder=folder, reason=error.strerror)) from None


def secret_key(folder: Path) -> str:
    """This installation's secret, made once, readable by its owner only. Safe to repeat."""
    path = folder / "secret.key"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, made = tempfile.mkstemp(dir=folder, prefix="secret.")  # with mode 600
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            os.link(made, path)  # unlike a rename, never replaces the key another process just made
            Path(made).unlink()
        except FileExistsError:
            Path(made).unlink()
        except OSError:  # a file system without links
            Path(made).replace(path)
    return path.read_text(encoding="ascii").strip()
