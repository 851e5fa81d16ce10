"""The settings of a test run: the real ones, in a data folder of its own that goes when the run ends."""

import atexit
import os
import shutil
import tempfile

from config.folder import VARIABLE

_folder = tempfile.mkdtemp(prefix="charlemagne-test-")
atexit.register(shutil.rmtree, _folder, ignore_errors=True)
os.environ[VARIABLE] = _folder

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, STORAGES  # noqa: E402

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

if "sqlite" in DATABASES["default"]["ENGINE"]:
    # A file, as in a hall: an in-memory database has no writers that wait for each other. And the usual one
    # of the folder, so that a process started with this folder works on the test's database.
    DATABASES["default"]["TEST"] = {"NAME": DATABASES["default"]["NAME"]}
