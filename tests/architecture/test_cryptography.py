"""Algorithms for secrets, digests and signatures, and safe handling of input, checked in the source code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

import pytest
from django.core.signing import Signer

from operations.data_dir import PROJECT

FOLDERS = (
    *(
        "api",
        "clubs",
        "config",
        "server",
        "engine",
        "jobs",
        "live",
        "operations",
        "rules",
        "scoring",
        "tournaments",
        "federations",
    ),
    *("versioning", "web", "wording"),
)
OLD_DIGESTS = {
    "clubs/totp.py": {"sha1"},  # authenticator apps support no other digest (RFC 6238)
}
CIPHERS = {"AESGCM", "AESSIV", "Fernet", "InvalidToken"}
"""Authenticated encryption, which detects changed data; Fernet is AES-CBC with an HMAC."""
SIGNATURES = {"Ed25519PrivateKey", "Ed25519PublicKey", "ec", "decode_dss_signature"}
ALLOWED_FILES = {
    "clubs/name_erasure.py",  # names, escaped letter by letter
    "tournaments/events/event_naming.py",  # a day, escaped above
    "tournaments/sharing/views/embedding.py",  # the interface languages
    "web/web_push.py",  # the known push services
    "web/money.py",
    "operations/backup/rotation.py",
}
"""Files that insert parts into a pattern without ``re.escape`` in the same place, with the reason why it is safe."""


@cache
def parse_sources() -> tuple[tuple[str, ast.Module], ...]:
    """Parse the sources once for all tests, because parsing takes most of their time."""
    paths = (path for folder in FOLDERS for path in (PROJECT / folder).rglob("*.py"))
    return tuple((str(path.relative_to(PROJECT)), ast.parse(path.read_text(encoding="utf-8"))) for path in paths)


def iter_imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each import; the name is empty for ``import module``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                yield node.module or "", name.name
        elif isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, ""


@cache
def list_calls(tree: ast.Module) -> tuple[tuple[str, ast.Call], ...]:
    """Return each call after the source text of its function."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return tuple((ast.unparse(node.func), node) for node in calls)


@pytest.mark.slow
def test_hashes_have_no_known_collisions() -> None:
    weak = {"md5", "sha1", "new", "blake2s", "md4"}
    found: dict[str, set[str]] = {}
    for name, tree in parse_sources():
        used = {what for module, what in iter_imports(tree) if module == "hashlib"} & weak
        used |= {what.removeprefix("hashlib.") for what, _ in list_calls(tree) if what.startswith("hashlib.")} & weak
        used |= {
            ast.literal_eval(call.args[2])
            for what, call in list_calls(tree)
            if what == "hmac.digest" and isinstance(call.args[2], ast.Constant)
        } & weak
        if used:
            found[name] = used
    assert found == OLD_DIGESTS


@pytest.mark.slow
def test_ciphers_authenticate_their_data() -> None:
    found = {
        what
        for _, tree in parse_sources()
        for module, what in iter_imports(tree)
        if module.startswith("cryptography") and ("cipher" in module or "fernet" in module)
    }
    assert found == CIPHERS


@pytest.mark.slow
def test_signatures_use_128_bit_curves() -> None:
    found = {
        what
        for _, tree in parse_sources()
        for module, what in iter_imports(tree)
        if "asymmetric" in module and what != "rsa"
    }
    assert found <= SIGNATURES
    curves = {
        ast.unparse(node)
        for _, tree in parse_sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node).startswith("ec.SEC")
    }
    assert curves == {"ec.SECP256R1"}


@pytest.mark.slow
def test_cryptography_comes_from_known_libraries() -> None:
    libraries = {"hashlib", "hmac", "secrets", "ssl", "cryptography", "fido2", "django"}
    unknown = {
        "Crypto",
        "Cryptodome",
        "nacl",
        "rsa",
        "ecdsa",
        "jwt",
        "jose",
        "passlib",
        "bcrypt",
        "itsdangerous",
    }
    found = {module.partition(".")[0] for _, tree in parse_sources() for module, _ in iter_imports(tree)}
    assert found & unknown == set()
    assert libraries <= found


@pytest.mark.slow
def test_signed_values_use_one_algorithm() -> None:
    assert Signer().algorithm == "sha256"
    found = {
        name
        for name, tree in parse_sources()
        for what, call in list_calls(tree)
        if what.endswith("Signer") and any(each.arg == "algorithm" for each in call.keywords)
    }
    assert found == set()


@pytest.mark.slow
def test_sources_use_no_shell_and_no_eval() -> None:
    found = {
        (name, what)
        for name, tree in parse_sources()
        for what, call in list_calls(tree)
        if what in {"os.system", "os.popen", "eval", "exec", "pickle.loads", "pickle.load", "yaml.load"}
        or any(each.arg == "shell" for each in call.keywords)
    }
    assert found == set()


@pytest.mark.slow
def test_queries_are_built_by_the_orm_or_parametrized() -> None:
    """Querysets take SQL text in ``raw`` and ``extra``."""
    found = {
        name
        for name, tree in parse_sources()
        for what, _ in list_calls(tree)
        if what.endswith((".raw", ".extra")) and "objects" in what
    }
    assert found == set()


@pytest.mark.slow
def test_regular_expressions_contain_no_unescaped_input() -> None:
    """Text inserted into a pattern is escaped, or its file is listed as safe."""
    found = set()
    for name, tree in parse_sources():
        for what, call in list_calls(tree):
            if what in {f"re.{each}" for each in ("compile", "search", "match", "fullmatch", "sub", "split")}:
                pattern = call.args[0]
                if isinstance(pattern, ast.JoinedStr) and "re.escape" not in ast.unparse(pattern):
                    found.add(name)
    assert found == ALLOWED_FILES


@pytest.mark.slow
def test_key_derivation_uses_costly_scrypt_parameters() -> None:
    found = [
        {each.arg: ast.unparse(each.value) for each in call.keywords}
        for _, tree in parse_sources()
        for what, call in list_calls(tree)
        if what in {"Scrypt", "hashlib.scrypt", "PBKDF2HMAC", "hashlib.pbkdf2_hmac"}
    ]
    assert {(each["n"], each["r"]) for each in found} == {("2 ** 16", "8")}
