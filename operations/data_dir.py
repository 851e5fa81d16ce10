"""The data folder: all data of this installation in one place. Standard library only."""

import errno
import os
import secrets
import shlex
import stat
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path

from .terminal import Stop, format_terminal_text

DISK_FULL_ERRORS = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
"""Error numbers for a full disk, or a user's full quota."""

PROJECT = Path(__file__).resolve().parent.parent
IS_INSTALLED = not (PROJECT / "manage.py").exists()
"""Whether the program was installed as a package rather than run from its source folder."""
IS_BUILT = getattr(sys, "frozen", False)
"""Whether the program brings its own Python (`installers/`)."""
PROGRAM = (
    subprocess.list2cmdline([sys.executable]) if IS_BUILT
    else "charlemagne" if IS_INSTALLED
    else "python3 manage.py"
)  # fmt: skip
"""Text that users type before a command."""
DATA_VARIABLE = "CHARLEMAGNE_DATA"
DATABASE_VARIABLE = "DATABASE_URL"
KEY_VARIABLE = "CHARLEMAGNE_SECRET_KEY"
NEW_KEY_VARIABLE = "CHARLEMAGNE_NEW_KEY"
SECOND_FOLDER_VARIABLE = "CHARLEMAGNE_BACKUP_FOLDER"
PASSPHRASE_VARIABLE = "CHARLEMAGNE_BACKUP_PASSPHRASE"  # noqa: S105 (its name)
DEFAULT_FOLDER_NAME = "charlemagne-data"
"""Name of the folder in the user's home."""
KEY_FILE, DATABASE_FILE, FIRST_START_FILE = "secret.key", "charlemagne.sqlite3", "first-start"
"""Files in the folder. ``FIRST_START_FILE`` exists from the folder's creation until its database is complete and
linked to the key."""
ENCRYPTED_CONTACTS_FILE = "contacts.sealed"
"""File that exists if contact data are to be encrypted with the key."""
EXTERNAL_DATABASE_FILE = "database.elsewhere"
"""File that exists if the database is elsewhere, and says where.

Otherwise a command without the address would use another database.
"""
AUTHORITY_FILE, LEAF_FILE = "authority.pem", "https.pem"
"""Files of ``up --https``: each holds a key with its certificate, readable by its owner only. Backups omit
them."""

OWNER_ONLY_MODE = 0o700
"""Mode of the folder: it holds sessions, codes and telephone numbers."""

USAGE_MARKERS = (KEY_FILE, DATABASE_FILE, "static.stamp")
"""Files that show that a folder was used before."""

REQUIRED_ACCESS = {
    **dict.fromkeys((KEY_FILE, AUTHORITY_FILE, LEAF_FILE, EXTERNAL_DATABASE_FILE, FIRST_START_FILE), os.R_OK),
    **dict.fromkeys((DATABASE_FILE, f"{DATABASE_FILE}-wal", f"{DATABASE_FILE}-shm"), os.R_OK | os.W_OK),
    **dict.fromkeys(("static.stamp", "up.lock"), os.R_OK | os.W_OK),
    **dict.fromkeys(("messages", "locale", "static"), os.R_OK | os.W_OK | os.X_OK),
}
"""Access needed for each part of the folder that exists: with the right to search, it is a folder."""


def data_folder() -> Path:
    """Return the folder named by the environment, else the usual one."""
    path = os.environ.get(DATA_VARIABLE)
    return resolve_user_path(path) if path else check_links(get_default_folder())


def resolve_user_path(text: str) -> Path:
    """Resolve a path that the user typed. Stops if its `~` is of an account without a home, or at a dangling link."""
    try:
        path = Path(text).expanduser()
    except RuntimeError:
        raise Stop(format_terminal_text("no-user", path=text)) from None
    return Path(os.path.realpath(check_links(path)))  # Path.resolve() raises the same error for links in a circle


def check_links(path: Path) -> Path:
    """Return the path. Stops if a link in it leads nowhere: a new club would begin beside the data on an unplugged
    disk."""
    path = path.absolute()
    nearest = next(each for each in (path, *path.parents) if os.path.lexists(each))
    if nearest.is_symlink() and not os.path.lexists(target := os.path.realpath(nearest)):
        raise Stop(format_terminal_text("link-dangling", link=nearest, target=target))
    return path


def get_home_folder() -> Path:
    """Return the user's home. Stops if the account has none."""
    try:
        return Path.home()
    except RuntimeError:
        raise Stop(format_terminal_text("no-home", program=PROGRAM)) from None


def get_default_folder() -> Path:
    """Return the usual data folder: in the user's home, where upgrades do not replace it.

    It is `data` beside manage.py if an earlier version created it there, or in a git checkout that can be
    written, which is upgraded in place.
    """
    inside = PROJECT / "data"
    is_clone = (PROJECT / ".git").exists() and os.access(PROJECT, os.W_OK)
    is_inside = not IS_INSTALLED and (os.path.lexists(inside) or is_clone)
    return inside if is_inside else get_home_folder() / DEFAULT_FOLDER_NAME


def check_other_programs(folder: Path) -> None:
    """Stop before creating the usual folder if another copy of the program has data inside its own folder.

    The user probably wants to go on with those data.
    """
    if folder != get_home_folder() / DEFAULT_FOLDER_NAME or is_used(folder):
        return
    if other_data := _find_other_data():
        raise Stop(
            format_terminal_text(
                "data-in-other-program",
                found=other_data,
                move="move" if os.name == "nt" else "mv",
                quoted=_shell_path(other_data),
                folder=_shell_path(folder),
                program=PROGRAM,
            )
        )


def _find_other_data() -> Path | None:
    """Return the most recently written data folder inside other copies of the program, beside this one or in
    the home."""
    places = {PROJECT.parent, get_home_folder()}
    names = (DATABASE_FILE, EXTERNAL_DATABASE_FILE)
    databases = (path for place in places for name in names for path in place.glob(f"*/data/{name}"))
    newest = max(databases, key=lambda path: path.stat().st_mtime, default=None)
    return newest and newest.parent


def extract_data_option(arguments: list[str]) -> list[str]:
    """Return the arguments without `--data DIR`, which goes to the environment. Stops if DIR is missing."""
    rest: list[str] = []
    iterator = iter(arguments)
    for argument in iterator:
        if argument == "--data" or argument.startswith("--data="):
            folder_text = argument.removeprefix("--data=") if "=" in argument else next(iterator, "")
            if not folder_text or folder_text.startswith("-"):
                raise Stop(format_terminal_text("data-without-folder"))
            os.environ[DATA_VARIABLE] = str(resolve_user_path(folder_text))
        else:
            rest.append(argument)
    return rest


def is_used(folder: Path) -> bool:
    """Check whether the folder holds an installation, or what is left of one."""
    return any((folder / name).exists() for name in USAGE_MARKERS)


def open_folder(folder: Path) -> None:
    """Create the folder if needed, for its owner alone. Stops with a sentence if it, or a part of it, is not
    writable."""
    try:
        folder.mkdir(mode=OWNER_ONLY_MODE, parents=True, exist_ok=True)
        restrict_to_owner(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
        for name, access in REQUIRED_ACCESS.items():
            _check_part(folder / name, access)
        _begin_if_unused(folder)
    except OSError as error:
        if error.errno in DISK_FULL_ERRORS:
            raise Stop(format_terminal_text("disk-full", folder=folder)) from None
        raise Stop(format_terminal_text("data-not-writable", folder=folder, reason=error.strerror)) from None


def _check_part(path: Path, access: int) -> None:
    """Stop with a sentence if a part of the folder leads nowhere, is of another kind, or is not accessible."""
    check_links(path)
    is_folder = bool(access & os.X_OK)
    is_right_kind = path.is_dir() if is_folder else path.is_file()
    # In this order: a running program may remove the file meanwhile.
    if (not is_right_kind or not os.access(path, access)) and os.path.lexists(path):
        code = "part-not-writable" if is_right_kind else "part-not-a-folder" if is_folder else "part-not-a-file"
        raise Stop(format_terminal_text(code, path=path))


def _begin_if_unused(folder: Path) -> None:
    if not is_used(folder):
        (folder / FIRST_START_FILE).touch()


def restrict_to_owner(folder: Path) -> None:
    """Close the folder to other users of this computer, whatever mode an earlier version set."""
    if sys.platform == "win32":  # folders inherit their permissions there
        return
    status = folder.stat()
    if status.st_uid == os.getuid() and stat.S_IMODE(status.st_mode) != OWNER_ONLY_MODE:
        folder.chmod(OWNER_ONLY_MODE)


def check_database_address(folder: Path) -> None:
    """Stop with a sentence if the database is elsewhere, and this command was not given its address."""
    note = folder / EXTERNAL_DATABASE_FILE
    if not os.environ.get(DATABASE_VARIABLE) and note.exists():
        address = read_note_file(note).strip()
        raise Stop(format_terminal_text("database-elsewhere", folder=folder, where=address))


def extract_new_key_option(arguments: list[str]) -> list[str]:
    """Return the arguments without `--new-key`, which goes to the environment."""
    if "--new-key" in arguments:
        os.environ[NEW_KEY_VARIABLE] = "1"
    return [argument for argument in arguments if argument != "--new-key"]


def is_new_key_allowed() -> bool:
    """Check whether the user has said that the key is lost."""
    return NEW_KEY_VARIABLE in os.environ


def check_key(folder: Path) -> None:
    """Stop with a sentence if the key of a used folder is missing or empty.

    It continues if a new key is allowed. Whether it is the right key is checked with the database.
    """
    path = folder / KEY_FILE
    if os.environ.get(KEY_VARIABLE) or _read_key(path):
        return
    if not is_new_key_allowed() and (path.exists() or _is_nonempty(folder / DATABASE_FILE)):
        code = "key-empty" if path.exists() else "key-missing"
        raise Stop(format_terminal_text(code, path=path) + format_contacts_hint(folder))
    path.unlink(missing_ok=True)


def format_contacts_hint(folder: Path) -> str:
    """Return a further sentence if contact data are encrypted."""
    return " " + format_terminal_text("contacts-need-key") if (folder / ENCRYPTED_CONTACTS_FILE).exists() else ""


def build_restore_values(folder: Path) -> dict[str, str]:
    """Return the values of a sentence about restoring beside a folder.

    They are the program, the newest backup, the folder to restore to, and the newest copy of the database
    from before an update.
    """
    backup, copy = (_find_newest(folder / "backups", pattern) for pattern in ("*.zip", "*-before-upgrade.sqlite3"))
    names = (folder.with_name(f"{folder.name}-{number}") for number in count(2))
    new_folder = next(_shell_path(name) for name in names if not name.exists())
    return {
        "program": PROGRAM,
        "backup": format_terminal_text("a-backup") if backup is None else _shell_path(backup),
        "other": new_folder,
        "or_copy": ""
        if copy is None
        else " "
        + format_terminal_text(
            "or-copy-before-update", copy=copy, other=new_folder, database=DATABASE_FILE, key=KEY_FILE
        ),
    }


def _find_newest(folder: Path, pattern: str) -> Path | None:
    return max(folder.glob(pattern), key=lambda path: path.stat().st_mtime, default=None)


def _shell_path(path: Path) -> str:
    """Quote the path for a terminal."""
    return subprocess.list2cmdline([str(path)]) if os.name == "nt" else shlex.quote(str(path))


def get_secret_key(folder: Path) -> str:
    """Return this installation's secret, creating it once, readable by its owner only. Safe to repeat."""
    path = folder / KEY_FILE
    if not path.exists():
        folder.mkdir(mode=OWNER_ONLY_MODE, parents=True, exist_ok=True)
        _begin_if_unused(folder)  # any command may be the first one, even --help
        _make_key(path)
    return _read_key(path)


def read_note_file(path: Path) -> str:
    """Return the text of a small file in the data folder, "" without one. After a power failure, it may have any
    bytes."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _read_key(path: Path) -> str:
    """Return the key in the file; "" if there is none, or a power failure destroyed it."""
    return path.read_text(encoding="ascii", errors="replace").strip("\0 \r\n") if path.exists() else ""


def _is_nonempty(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _make_key(path: Path) -> None:
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix="secret.")  # with mode 600
    temporary_file = Path(name)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary_file, path)  # unlike a rename, never replaces the key another process just made
    except FileExistsError:
        pass
    except OSError as error:
        if error.errno in DISK_FULL_ERRORS:
            raise
        temporary_file.replace(path)  # a file system without links
    finally:
        temporary_file.unlink(missing_ok=True)
