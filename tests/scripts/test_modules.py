"""Scripts under node, as they are served: what counts as an answer, how hands wait, who wins a trick, what a
match comes to, what a page does with its answers."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from operations.data_dir import PROJECT
from rules import RULESETS
from scoring.rulings import trump_choices
from server.static_files import minify_text
from tests import parts

pytestmark = pytest.mark.slow

SCRIPTS = PROJECT / "static/js"
VECTORS = sorted((PROJECT / "tests/vectors").glob("*.json"))
DISK = Path(__file__).with_name("indexeddb.js")
SPECIFICATIONS = sorted(Path(__file__).parent.glob("*.test.js"))
ORDERS = {
    key: {choice.key: choice.plain() for choice in trump_choices(ruleset)}
    for key, ruleset in RULESETS.items()
}


@pytest.mark.parametrize("specification", SPECIFICATIONS, ids=lambda path: path.name.partition(".")[0])
def test_they_do_as_their_specification_says(specification: Path, tmp_path: Path) -> None:
    node = parts.node()
    if node is None:
        pytest.skip("no Node")
    static, tmp_path = tmp_path, tmp_path / "js"
    shutil.copytree(PROJECT / "static" / "vendor", static / "vendor")
    for script in SCRIPTS.rglob("*.js"):
        copy = tmp_path / script.relative_to(SCRIPTS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(minify_text(script.name, script.read_text(encoding="utf-8")), encoding="utf-8")
    for file in (*VECTORS, DISK, specification):
        shutil.copy(file, tmp_path)
    (tmp_path / "orders.json").write_text(json.dumps(ORDERS))
    (static / "package.json").write_text(json.dumps({"type": "module"}))
    ran = subprocess.run(
        [node, "--test", specification.name], cwd=tmp_path, check=False, capture_output=True, encoding="utf-8"
    )
    assert ran.returncode == 0, ran.stdout
