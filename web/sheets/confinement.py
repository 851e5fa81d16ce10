"""A workbook read in a process of its own (``web.confinement``)."""

import json

from rules import Refusal
from web.confinement import NoReaderFree, TooMuchToRead, run_confined

from .grid import Grid


def confined_grids(content: bytes, *, file: str) -> list[Grid]:
    """What ``grids_of_workbook`` finds. Refuses what that refuses; workbook_too_large also for what takes too
    much to read; workbooks_wait, where too many are read already or the machine is too busy."""
    try:
        found = json.loads(run_confined("web.sheets", content))
    except NoReaderFree:
        raise Refusal("workbooks_wait", field="file", file=file) from None
    except TooMuchToRead:
        raise Refusal("workbook_too_large", field="file", file=file) from None
    match found:
        case {"refusal": "old_workbook"}:
            raise Refusal("old_workbook", field="file", file=file)
        case {"refusal": "not_a_workbook"}:
            raise Refusal("not_a_workbook", field="file", file=file)
        case {"refusal": _}:
            raise Refusal("workbook_too_large", field="file", file=file)
    return [Grid(**grid) for grid in found]
