"""Specifications of the scripts, run under Node on the scripts as they are served."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from operations.data_dir import PROJECT
from rules import RULESETS
from scoring.rulings.answers import list_trump_choices
from server.static_files import minify_text
from tests import external_tools
from tests.long_runs import choose_count

pytestmark = pytest.mark.slow

SCRIPTS = PROJECT / "static/js"
VECTORS = sorted((PROJECT / "tests/vectors").glob("*.json"))
DISK = Path(__file__).with_name("indexeddb.js")
SPECIFICATIONS = sorted(Path(__file__).parent.glob("*.test.js"))
RUNS = str(choose_count(72, long=2_000))
"""Number of simulations in ``machine.test.js``; their faults repeat every twelve."""
ORDERS = {
    key: {choice.key: choice.plain() for choice in list_trump_choices(ruleset)} for key, ruleset in RULESETS.items()
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the scripts as they are served, and their specifications."""
    static = tmp_path_factory.mktemp("static")
    folder = static / "js"
    shutil.copytree(PROJECT / "static" / "vendor", static / "vendor")
    for script in SCRIPTS.rglob("*.js"):
        copy = folder / script.relative_to(SCRIPTS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(minify_text(script.name, script.read_text(encoding="utf-8")), encoding="utf-8")
    for file in (*VECTORS, DISK, *SPECIFICATIONS):
        shutil.copy(file, folder)
    (folder / "orders.json").write_text(json.dumps(ORDERS))
    (static / "package.json").write_text(json.dumps({"type": "module"}))
    return folder


@pytest.mark.parametrize("specification", SPECIFICATIONS, ids=lambda path: path.name.partition(".")[0])
def test_script_specification_passes_under_node(specification: Path, served: Path) -> None:
    node = external_tools.find_node()
    if node is None:
        pytest.skip("no Node")
    ran = subprocess.run(
        [node, "--test", specification.name],
        cwd=served,
        env=os.environ | {"RUNS": RUNS},
        check=False,
        capture_output=True,
        encoding="utf-8",
    )
    assert ran.returncode == 0, ran.stdout
