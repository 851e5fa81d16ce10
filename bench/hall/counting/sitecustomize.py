"""Count database queries and rendered pages in each process that has this folder in PYTHONPATH.

The counts are written to the folder that COUNTS names when the process ends.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

counts: Counter[str] = Counter()


def write() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "other"
    (Path(os.environ["COUNTS"]) / f"{name}-{os.getpid()}.json").write_text(json.dumps(counts))


if "COUNTS" in os.environ:
    from django.db.backends.utils import CursorWrapper
    from django.template.response import SimpleTemplateResponse

    original_execute, original_content = CursorWrapper.execute, SimpleTemplateResponse.rendered_content

    def count_query(self: Any, sql: Any, params: Any = None) -> Any:
        counts["queries"] += 1
        counts["raises"] += str(sql).startswith('UPDATE "live_revision"')
        return original_execute(self, sql, params)

    def count_rendering(self: Any) -> Any:
        counts["renderings"] += 1
        return original_content.__get__(self)

    CursorWrapper.execute = count_query  # type: ignore[method-assign]
    SimpleTemplateResponse.rendered_content = property(count_rendering)  # type: ignore[method-assign, assignment]
    atexit.register(write)
