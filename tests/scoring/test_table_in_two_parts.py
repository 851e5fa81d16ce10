"""A table's page loads in two parts (docs/decisions/0036-load-the-table-page-in-two-parts.md)."""

from __future__ import annotations

import re
from pathlib import Path

from operations.data_dir import PROJECT

SCRIPTS = PROJECT / "static" / "js"
NAMED = re.compile(r'{% static "js/([^"]+)" %}')
IMPORTED = re.compile(r'^(?:import|export) [^"(]*"(\.[^"]+)"', re.MULTILINE)


def loaded_with(*modules: Path) -> set[str]:
    """These and all that they import, as the browser does before it runs any of them."""
    known: set[Path] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop().resolve()
        if module not in known:
            known.add(module)
            waiting += [module.parent / each for each in IMPORTED.findall(module.read_text("utf-8"))]
    return {module.relative_to(SCRIPTS).as_posix() for module in known}


def test_what_keeps_and_sends_a_tap_comes_before_what_folds_and_draws() -> None:
    page = (PROJECT / "templates" / "scoring" / "table.html").read_text("utf-8")
    first = loaded_with(*(SCRIPTS / name for name in NAMED.findall(page)))
    then = loaded_with(SCRIPTS / "table" / "page.js") - first
    assert {"sender.js", "outbox.js", "store.js"} <= first
    assert {"table/fold.js", "table/log.js", "table/match.js", "table/records.js"} <= then
    assert {"table/screen.js", "table/templates.js"} <= then
