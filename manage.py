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

if __name__ == "__main__":
    from operations.bootstrap import main

    sys.exit(main(sys.argv))
