"""Settings of a test run: the real ones, in a data folder that is deleted when the run ends."""

import os
from hashlib import sha256

from operations.data_dir import DATA_VARIABLE, KEY_FILE
from tests.workspaces import get_folder, get_workspace_number

os.environ[DATA_VARIABLE] = str(get_folder())

from config.settings import *  # noqa: F403
from config.settings import DATABASES, STORAGES

SECRET_KEY = sha256(b"tests").hexdigest()
"""One key for all processes: each verifies signatures that another put into a saved state."""
(get_folder() / KEY_FILE).write_text(SECRET_KEY, encoding="ascii")
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

_database = DATABASES["default"]
if "sqlite" in _database["ENGINE"]:
    # A file, as on a club's computer: writers of an in-memory database do not wait for each other. It has its
    # usual name, so that a process started with this data folder works on the test's database.
    _database["TEST"] = {"NAME": _database["NAME"]}
    # No test cuts the power: do not wait for the disk.
    _database["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
else:
    _database["TEST"] = {"NAME": f"{_database['NAME']}_test_{get_workspace_number()}"}
    _database["OPTIONS"]["options"] = "-c synchronous_commit=off"

AUTOMATIC_BACKUPS = False  # tests of backups turn them on
