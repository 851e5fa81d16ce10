"""Reading of a workbook in a process of its own (``web.sandbox``)."""

import json

from errors import Refusal
from web.sandbox import FileTooLargeError, SandboxBusyError, run_confined

from .grid import Grid


def parse_confined(content: bytes, *, file: str) -> list[Grid]:
    """Return the grids of ``parse_workbook``. Refuses what that refuses; workbook_too_large also if
    reading takes too much; workbooks_wait if too many are being read or the machine is too busy."""
    try:
        found = json.loads(run_confined("web.sheets", content))
    except SandboxBusyError:
        raise Refusal("workbooks_wait", field="file", file=file) from None
    except FileTooLargeError:
        raise Refusal("workbook_too_large", field="file", file=file) from None
    match found:
        case {"refusal": "old_workbook"}:
            raise Refusal("old_workbook", field="file", file=file)
        case {"refusal": "not_a_workbook"}:
            raise Refusal("not_a_workbook", field="file", file=file)
        case {"refusal": _}:
            raise Refusal("workbook_too_large", field="file", file=file)
    return [Grid(**grid) for grid in found]
