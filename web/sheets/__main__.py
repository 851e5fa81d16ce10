"""The child of ``web.sandbox`` for workbooks: reads one from standard input, writes its grids as JSON."""

import json
import sys
from dataclasses import asdict

from errors import Refusal
from web.sandbox import limit_current_process

from .workbooks import parse_workbook


def main() -> None:
    limit_current_process()
    try:
        found: object = [asdict(grid) for grid in parse_workbook(sys.stdin.buffer.read(), file="")]
    except Refusal as refusal:
        found = {"refusal": refusal.code}
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
