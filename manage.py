#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Run a command: `python3 manage.py up`. Old Pythons must be able to parse this file to print the error."""

import os
import sys

if sys.version_info < (3, 11):
    if os.environ.get("LC_ALL", os.environ.get("LANG", "")).startswith("fr"):
        sentence = "Charlemagne demande Python 3.11 ou plus récent; ici, c'est Python %d.%d.\n"
    else:
        sentence = "Charlemagne needs Python 3.11 or newer; this is Python %d.%d.\n"
    sys.stderr.write(sentence % tuple(sys.version_info[:2]))
    sys.exit(2)

PYTHON_VARIABLES = {
    "PYTHONHOME", "PYTHONPATH", "PYTHONPLATLIBDIR", "PYTHONSAFEPATH", "PYTHONUSERBASE", "PYTHONEXECUTABLE",
    "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONOPTIMIZE", "PYTHONWARNINGS", "PYTHONCASEOK",
}  # fmt: skip
"""Variables that change which modules Python finds, or how it runs them."""


def restart_without_variables() -> None:
    """Run this command again without such variables, unless it runs in a virtual environment already."""
    if sys.prefix != sys.base_prefix or not PYTHON_VARIABLES & set(os.environ):
        return
    for name in PYTHON_VARIABLES & set(os.environ):
        del os.environ[name]
    command = sys.orig_argv
    command[0] = sys.executable
    if os.name != "nt":
        os.execv(sys.executable, command)  # noqa: S606
    import subprocess

    sys.exit(subprocess.call(command))  # noqa: S603


if __name__ == "__main__":
    restart_without_variables()
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    from operations.bootstrap import main

    sys.exit(main(sys.argv))
