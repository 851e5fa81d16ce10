"""Layouts of typst, and the values that fill them.

Nothing is read but the folder of the layout and the fonts that come with the libraries: the same paper or
picture comes out on every machine, without a network. What people typed is a value, never part of a layout.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import font_source_sans_pro
import typst


def compiler(layout: Path, values: Mapping[str, Any]) -> typst.Compiler:
    """What lays out the values, which the layout finds as ``sys.inputs.data``, in JSON."""
    return typst.Compiler(
        input=str(layout),
        root=str(layout.parent),
        font_paths=_fonts(),
        ignore_system_fonts=True,
        sys_inputs={"data": json.dumps(values)},
    )


def empty_document() -> typst.Compiler:
    """An empty document."""
    return typst.Compiler(input=b" ", font_paths=_fonts(), ignore_system_fonts=True)


@cache
def _fonts() -> typst.Fonts:
    folder = Path(font_source_sans_pro.__file__).parent / "files"
    return typst.Fonts(include_system_fonts=False, font_paths=[str(folder)])
