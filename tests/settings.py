"""The settings of a test run: the real ones, in a data folder of its own that goes when the run ends."""

import os
from hashlib import sha256

from operations.data_dir import DATA_VARIABLE, KEY_FILE
from tests.workspaces import get_folder, get_workspace_number

os.environ[DATA_VARIABLE] = str(get_folder())

from config.settings import *  # noqa: F403
from config.settings import DATABASES, STORAGES

SECRET_KEY = sha256(b"tests").hexdigest()
"""The same in all processes: one signs what another reads in a saved state."""
(get_folder() / KEY_FILE).write_text(SECRET_KEY, encoding="ascii")
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

_database = DATABASES["default"]
if "sqlite" in _database["ENGINE"]:
    # A file, as in a hall: an in-memory database has no writers that wait for each other. And the usual one
    # of the folder, so that a process started with this folder works on the test's database.
    _database["TEST"] = {"NAME": _database["NAME"]}
    # No test cuts the power: nothing waits for the disk.
    _database["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
else:
    _database["TEST"] = {"NAME": f"{_database['NAME']}_test_{get_workspace_number()}"}
    _database["OPTIONS"]["options"] = "-c synchronous_commit=off"

AUTOMATIC_BACKUPS = False  # but where a test is about them
