"""What a release leaves behind: its data, on which later versions are tried, and its name in the guide."""

import re

from config import __version__
from operations.data_dir import PROJECT


def text_of(path: str) -> str:
    return (PROJECT / path).read_text(encoding="utf-8")


def test_each_version_that_was_released_has_left_its_data() -> None:
    released = re.findall(r"^## (\d\S+)$", text_of("CHANGELOG.md"), re.MULTILINE)
    assert __version__ in released
    lines = re.findall(r"^\| `(\S+?)`.*\| (\d\S+) \|$", text_of("tests/upgrades/README.md"), re.MULTILINE)
    kept = {version for file, version in lines if (PROJECT / "tests/upgrades" / file).exists()}
    assert kept == set(released), "docs/development/adding.md, a release"


def test_the_guide_installs_this_version() -> None:
    assert f"pipx install charlemagne-{__version__}-py3-none-any.whl" in text_of("docs/operating/running.md")
