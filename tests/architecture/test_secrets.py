"""The repository contains no secret, and every library is pinned by its hash. The checks need no network."""

import re
import subprocess
from collections.abc import Iterator

import pytest

from operations.data_dir import PROJECT

SECRETS = {
    "a private key": r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}",
    "a key of a cloud": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "a token of a forge": r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|glpat-[A-Za-z0-9_-]{20})\b",
    "a token of a registry": r"\b(?:pypi-[A-Za-z0-9_-]{50,}|npm_[A-Za-z0-9]{36})\b",
    "a token of a chat or a shop": r"\b(?:xox[abprs]-[A-Za-z0-9-]{20,}|sk_live_[A-Za-z0-9]{20,})\b",
    "a password in an address": r"\b[a-z]+://[^\s/:@\"'{}$<>]+:(?!password@|secret@|…)[^\s/:@\"'{}$<>]{8,}@",
    "a secret that is given a name": (
        r"(?i)\b(?:secret|passwd|password|api_?key|token)(?:_key)?[\"']?\s*[:=]\s*"
        r"[\"'](?=[^\"']*[0-9])(?=[^\"']*[A-Za-z])[A-Za-z0-9+/_=-]{24,}[\"']"
    ),
}
FAKE_SECRETS = (
    "postgresql://someone:wrong-password@host/name",
    'SECRET_KEY = "django-insecure-' + "x1" * 20 + '"',
    "ghp_" + "a1" * 18,
)
MAX_BYTES = 2_000_000


def iter_repository_files() -> Iterator[tuple[str, str]]:
    """Yield the path and text of each tracked file."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"],
        cwd=PROJECT,
        capture_output=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("no repository")
    for name in listed.stdout.decode().split("\0"):
        path = PROJECT / name
        if name and path.is_file() and path.stat().st_size < MAX_BYTES:
            yield name, path.read_text(encoding="utf-8", errors="replace")


def find_secrets(text: str) -> list[str]:
    return [what for what, pattern in SECRETS.items() if re.search(pattern, text)]


@pytest.mark.slow
def test_no_repository_file_contains_a_secret() -> None:
    own = "tests/architecture/test_secrets.py"
    assert {
        name: found for name, text in iter_repository_files() if name != own and (found := find_secrets(text))
    } == {}


@pytest.mark.parametrize("secret", FAKE_SECRETS)
def test_check_detects_a_secret(secret: str) -> None:
    assert find_secrets(f"x {secret}\n")


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_every_library_is_pinned_by_its_hash(lock: str) -> None:
    fixed = re.split(r"\n(?=\S)", (PROJECT / lock).read_text(encoding="utf-8"))
    libraries = [each for each in fixed if not each.startswith(("#", "-"))]
    assert libraries
    assert [each for each in libraries if "==" not in each or "--hash=sha256:" not in each] == []
