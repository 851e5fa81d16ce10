"""Typst layouts, and the values that fill them.

Only the layout's folder and the libraries' fonts are read: the result is the same on every machine, without a
network. Input of users is a value, never part of a layout.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import font_source_sans_pro
import typst


def build_compiler(layout: Path, values: Mapping[str, Any]) -> typst.Compiler:
    """Return a compiler for the layout, which finds the values as JSON in ``sys.inputs.data``."""
    return typst.Compiler(
        input=str(layout),
        root=str(layout.parent),
        font_paths=_load_fonts(),
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(values)},
    )


def build_empty_compiler() -> typst.Compiler:
    """Return a compiler for an empty document."""
    return typst.Compiler(input=b" ", font_paths=_load_fonts(), ignore_system_fonts=True)


@cache
def _load_fonts() -> typst.Fonts:
    folders = (Path(font_source_sans_pro.__file__).parent / "files", Path(__file__).parent / "fonts")
    return typst.Fonts(include_system_fonts=False, font_paths=[*map(str, folders)])
