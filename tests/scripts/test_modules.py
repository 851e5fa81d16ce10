"""Scripts under node: what counts as an answer, how hands wait, who wins a trick, what a page does with its
answers."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from operations.data_dir import PROJECT
from rules import RULESETS
from scoring.rulings import trump_choices
from tests import parts

MODULES = sorted((PROJECT / "static/js").glob("*.js"))
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
    for file in (*MODULES, PROJECT / "tests/vectors/rulings.json", specification):
        shutil.copy(file, tmp_path)
    (tmp_path / "orders.json").write_text(json.dumps(ORDERS))
    (tmp_path / "package.json").write_text(json.dumps({"type": "module"}))
    ran = subprocess.run(
        [node, "--test", specification.name], cwd=tmp_path, check=False, capture_output=True, encoding="utf-8"
    )
    assert ran.returncode == 0, ran.stdout
