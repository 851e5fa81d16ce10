"""A phone's scripts that know no page, under node: what counts as an answer, and how hands wait."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from config.folder import PROJECT
from tests import parts

MODULES = [PROJECT / "static/js" / name for name in ("answers.js", "outbox.js")]
SPECIFICATION = Path(__file__).parent / "outbox.test.js"


def test_the_outbox_does_as_its_specification_says(tmp_path: Path) -> None:
    node = parts.node()
    if node is None:
        pytest.skip("no Node")
    for file in (*MODULES, SPECIFICATION):
        shutil.copy(file, tmp_path)
    (tmp_path / "package.json").write_text(json.dumps({"type": "module"}))
    ran = subprocess.run(
        [node, "--test", SPECIFICATION.name], cwd=tmp_path, check=False, capture_output=True, encoding="utf-8"
    )
    assert ran.returncode == 0, ran.stdout
