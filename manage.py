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

OF_OTHER_PROGRAMS = {
    "PYTHONHOME", "PYTHONPATH", "PYTHONPLATLIBDIR", "PYTHONSAFEPATH", "PYTHONUSERBASE", "PYTHONEXECUTABLE",
    "PYTHONSTARTUP", "PYTHONINSPECT", "PYTHONOPTIMIZE", "PYTHONWARNINGS", "PYTHONCASEOK",
}  # fmt: skip
"""Variables that change which modules Python finds, or how it runs them."""


def run_without_variables_of_other_programs() -> None:
    """Run this command again without such variables, unless it runs in a virtual environment already."""
    if sys.prefix != sys.base_prefix or not OF_OTHER_PROGRAMS & set(os.environ):
        return
    for name in OF_OTHER_PROGRAMS & set(os.environ):
        del os.environ[name]
    command = sys.orig_argv
    command[0] = sys.executable
    if os.name != "nt":
        os.execv(sys.executable, command)  # noqa: S606
    import subprocess

    sys.exit(subprocess.call(command))  # noqa: S603


if __name__ == "__main__":
    run_without_variables_of_other_programs()
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    from operations.bootstrap import main

    sys.exit(main(sys.argv))
