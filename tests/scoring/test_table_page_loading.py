"""A table's page loads in two parts (docs/decisions/0036-load-the-table-page-in-two-parts.md)."""

from __future__ import annotations

import re
from pathlib import Path

from operations.data_dir import PROJECT

SCRIPTS = PROJECT / "static" / "js"
STATIC_SCRIPT = re.compile(r'{% static "js/([^"]+)" %}')
SCRIPT_IMPORT = re.compile(r'^(?:import|export) [^"(]*"(\.[^"]+)"', re.MULTILINE)


def list_loaded_modules(*modules: Path) -> set[str]:
    """Return the modules with all their imports, which the browser loads before it runs any of them."""
    loaded_modules: set[Path] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop().resolve()
        if module not in loaded_modules:
            loaded_modules.add(module)
            waiting += [module.parent / each for each in SCRIPT_IMPORT.findall(module.read_text("utf-8"))]
    return {module.relative_to(SCRIPTS).as_posix() for module in loaded_modules}


def test_outbox_modules_load_before_drawing_modules() -> None:
    page = (PROJECT / "templates" / "scoring" / "table.html").read_text("utf-8")
    first = list_loaded_modules(*(SCRIPTS / name for name in STATIC_SCRIPT.findall(page)))
    then = list_loaded_modules(SCRIPTS / "table" / "page.js") - first
    assert {"sender.js", "outbox.js", "store.js"} <= first
    assert {"table/fold.js", "table/log.js", "table/match.js", "table/records.js"} <= then
    assert {"table/screen.js", "table/templates.js"} <= then
