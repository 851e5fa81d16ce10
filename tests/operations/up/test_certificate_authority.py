"""Certificate authority of a hall: the scope of its certificates, and their renewal."""

from __future__ import annotations

import ipaddress
import os
import socket
import ssl
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID

from operations.data_dir import AUTHORITY_FILE
from operations.terminal import Stop
from operations.up.addresses import list_reachable_names
from operations.up.authority import (
    KeyPair,
    _create_leaf,
    _write_key_pair,
    format_fingerprint,
    is_hall_name,
    list_certificate_names,
    load_root_certificate,
    open_authority,
    parse_certificate_name,
    renew_leaf,
)

NOW = datetime(2026, 11, 22, 19, tzinfo=UTC)
NAMES = {parse_certificate_name(host) for host in ("localhost", "laptop.local", "127.0.0.1", "192.168.1.7")}
IOS_TAKES = timedelta(days=825)


def read_leaf(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_root_certificate_may_sign_only_local_servers(tmp_path: Path) -> None:
    root = open_authority(tmp_path, NOW).certificate
    assert root.subject.rfc4514_string() == f"CN=Charlemagne · {socket.gethostname()}"
    basic = root.extensions.get_extension_for_class(x509.BasicConstraints)
    assert (basic.critical, basic.value.ca, basic.value.path_length) == (True, True, 0)
    names = root.extensions.get_extension_for_class(x509.NameConstraints)
    assert names.critical
    permitted = {str(name.value) for name in names.value.permitted_subtrees or ()}
    assert permitted >= {"local", "localhost", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"}


def test_authority_is_created_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    first = format_fingerprint(open_authority(tmp_path, NOW).certificate)
    path = renew_leaf(tmp_path, NAMES, NOW)
    root = load_root_certificate(tmp_path)
    assert root is not None
    assert format_fingerprint(root) == first
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / AUTHORITY_FILE, path)} == {0o600}
    assert {file.name for file in tmp_path.iterdir()} == {AUTHORITY_FILE, path.name}


def test_leaf_certificate_meets_phone_requirements(tmp_path: Path) -> None:
    leaf = read_leaf(renew_leaf(tmp_path, NAMES, NOW))
    assert list_certificate_names(leaf) == NAMES
    usage = leaf.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc < IOS_TAKES
    assert leaf.not_valid_before_utc < NOW - timedelta(hours=12)


def test_valid_leaf_certificate_is_kept(tmp_path: Path) -> None:
    path = renew_leaf(tmp_path, NAMES, NOW)
    before = path.read_bytes()
    renew_leaf(tmp_path, NAMES, NOW + timedelta(days=300))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("names", "later"),
    [
        (NAMES | {parse_certificate_name("10.0.0.8")}, timedelta()),
        (NAMES - {parse_certificate_name("192.168.1.7")}, timedelta()),
        (NAMES, timedelta(days=368)),
        (NAMES, -timedelta(days=2)),
    ],
    ids=["an address more", "an address less", "near its end", "the clock was set back"],
)
def test_leaf_certificate_is_renewed_for_new_names_or_near_expiry(
    tmp_path: Path, names: set[str], later: timedelta
) -> None:
    open_authority(tmp_path, NOW - timedelta(days=30))
    path = renew_leaf(tmp_path, NAMES, NOW)
    before = read_leaf(path)
    renew_leaf(tmp_path, names, NOW + later)
    assert read_leaf(path).serial_number != before.serial_number
    assert list_certificate_names(read_leaf(path)) == names


def test_leaf_certificate_is_valid_despite_a_wrong_clock(tmp_path: Path) -> None:
    open_authority(tmp_path, NOW)
    leaf = read_leaf(renew_leaf(tmp_path, NAMES, datetime(1970, 1, 1, tzinfo=UTC)))
    assert leaf.not_valid_before_utc <= NOW < leaf.not_valid_after_utc


def test_leaf_of_another_authority_is_renewed(tmp_path: Path) -> None:
    before = read_leaf(renew_leaf(tmp_path, NAMES, NOW))
    (tmp_path / AUTHORITY_FILE).unlink()
    after = read_leaf(renew_leaf(tmp_path, NAMES, NOW))
    assert after.serial_number != before.serial_number


def test_public_addresses_are_left_out_of_the_certificate(tmp_path: Path) -> None:
    leaf = read_leaf(renew_leaf(tmp_path, NAMES | {parse_certificate_name("93.184.216.34"), "club.example.org"}, NOW))
    assert list_certificate_names(leaf) == NAMES


@pytest.mark.parametrize("host", ["10.1.2.3", "172.20.10.2", "192.168.43.1", "fe80::1%eth0", "fd00::7", "hall.local"])
def test_private_addresses_count_as_local(host: str) -> None:
    assert is_hall_name(parse_certificate_name(host))


@pytest.mark.parametrize("host", ["93.184.216.34", "2606:2800::1", "example.org", "local.example.org"])
def test_public_addresses_do_not_count_as_local(host: str) -> None:
    assert not is_hall_name(parse_certificate_name(host))


@pytest.mark.parametrize("content", [b"", b"\0" * 500, b"-----BEGIN PRIVATE KEY-----\n"])
def test_damaged_authority_is_not_replaced_silently(tmp_path: Path, content: bytes) -> None:
    (tmp_path / AUTHORITY_FILE).write_bytes(content)
    with pytest.raises(Stop, match="damaged or about to expire"):
        open_authority(tmp_path, NOW)
    assert (tmp_path / AUTHORITY_FILE).read_bytes() == content


def test_expiring_authority_stops_the_start(tmp_path: Path) -> None:
    open_authority(tmp_path, NOW)
    with pytest.raises(Stop, match="damaged or about to expire"):
        open_authority(tmp_path, NOW + timedelta(days=3_630))


def check_handshake(leaf: Path, root: x509.Certificate, host: str) -> None:
    """Run a TLS handshake with OpenSSL on both sides.

    Raises an exception if the client does not trust the certificate.
    """
    ours, theirs = socket.socketpair()
    server = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    server.load_cert_chain(leaf)

    def serve() -> None:
        try:
            server.wrap_socket(ours, server_side=True).close()
        except OSError:
            ours.close()

    thread = threading.Thread(target=serve)
    thread.start()
    client = ssl.create_default_context(cadata=root.public_bytes(Encoding.PEM).decode())
    try:
        client.wrap_socket(theirs, server_hostname=host).close()
    finally:
        theirs.close()
        thread.join()


def test_client_that_trusts_the_root_accepts_the_leaf(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    leaf, authority = renew_leaf(tmp_path, NAMES, now), open_authority(tmp_path, now)
    for host in ("192.168.1.7", "laptop.local"):
        check_handshake(leaf, authority.certificate, host)


def test_leaf_for_a_public_site_is_rejected_despite_its_signature(tmp_path: Path) -> None:
    authority = open_authority(tmp_path, datetime.now(UTC))
    for name in ("www.example.org", ipaddress.ip_address("93.184.216.34")):
        forged = tmp_path / "forged.pem"
        _write_key_pair(forged, forge_leaf(authority, name))
        with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
            check_handshake(forged, authority.certificate, str(name))


def forge_leaf(authority: KeyPair, name: str | ipaddress.IPv4Address | ipaddress.IPv6Address) -> KeyPair:
    return _create_leaf(authority, [name], datetime.now(UTC))


def test_reachable_names_include_addresses_and_local_name() -> None:
    label = socket.gethostname().partition(".")[0].lower()
    assert list_reachable_names("192.168.1.7") == {
        "localhost",
        "127.0.0.1",
        "::1",
        f"{label}.local",
        "192.168.1.7",
    }


@pytest.mark.skipif(os.name == "nt", reason="file modes")
def test_authority_key_is_private_despite_a_permissive_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        open_authority(tmp_path, NOW)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / AUTHORITY_FILE).stat().st_mode) == 0o600
