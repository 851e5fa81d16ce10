"""The hall's own certificate authority: what its certificates are good for, when they are made anew."""

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

from operations.data_dir import AUTHORITY
from operations.terminal import Stop
from operations.up.addresses import reachable_names
from operations.up.authority import (
    Certified,
    _new_leaf,
    _write,
    certificate_fingerprint,
    certificate_name,
    certificate_names,
    is_hall_name,
    open_authority,
    renew_leaf,
    root_in,
)

NOW = datetime(2026, 11, 22, 19, tzinfo=UTC)
NAMES = {certificate_name(host) for host in ("localhost", "laptop.local", "127.0.0.1", "192.168.1.7")}
IOS_TAKES = timedelta(days=825)


def leaf_in(path: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(path.read_bytes())


def test_its_root_may_sign_for_servers_of_the_hall_and_for_nothing_else(tmp_path: Path) -> None:
    root = open_authority(tmp_path, NOW).certificate
    assert root.subject.rfc4514_string() == f"CN=Charlemagne · {socket.gethostname()}"
    basic = root.extensions.get_extension_for_class(x509.BasicConstraints)
    assert (basic.critical, basic.value.ca, basic.value.path_length) == (True, True, 0)
    names = root.extensions.get_extension_for_class(x509.NameConstraints)
    assert names.critical
    permitted = {str(name.value) for name in names.value.permitted_subtrees or ()}
    assert permitted >= {"local", "localhost", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"}


def test_it_is_made_once_and_read_by_its_owner_only(tmp_path: Path) -> None:
    first = certificate_fingerprint(open_authority(tmp_path, NOW).certificate)
    path = renew_leaf(tmp_path, NAMES, NOW)
    root = root_in(tmp_path)
    assert root is not None
    assert certificate_fingerprint(root) == first
    assert {stat.S_IMODE(file.stat().st_mode) for file in (tmp_path / AUTHORITY, path)} == {0o600}
    assert {file.name for file in tmp_path.iterdir()} == {AUTHORITY, path.name}


def test_a_leaf_has_what_phones_ask_for(tmp_path: Path) -> None:
    leaf = leaf_in(renew_leaf(tmp_path, NAMES, NOW))
    assert certificate_names(leaf) == NAMES
    usage = leaf.extensions.get_extension_for_class(x509.ExtendedKeyUsage).value
    assert list(usage) == [ExtendedKeyUsageOID.SERVER_AUTH]
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc < IOS_TAKES
    assert leaf.not_valid_before_utc < NOW - timedelta(hours=12)


def test_a_leaf_stays_while_it_is_good(tmp_path: Path) -> None:
    path = renew_leaf(tmp_path, NAMES, NOW)
    before = path.read_bytes()
    renew_leaf(tmp_path, NAMES, NOW + timedelta(days=300))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("names", "later"),
    [
        (NAMES | {certificate_name("10.0.0.8")}, timedelta()),
        (NAMES - {certificate_name("192.168.1.7")}, timedelta()),
        (NAMES, timedelta(days=368)),
        (NAMES, -timedelta(days=2)),
    ],
    ids=["an address more", "an address less", "near its end", "the clock was set back"],
)
def test_a_leaf_is_made_anew(tmp_path: Path, names: set[str], later: timedelta) -> None:
    open_authority(tmp_path, NOW - timedelta(days=30))
    path = renew_leaf(tmp_path, NAMES, NOW)
    before = leaf_in(path)
    renew_leaf(tmp_path, names, NOW + later)
    assert leaf_in(path).serial_number != before.serial_number
    assert certificate_names(leaf_in(path)) == names


def test_a_leaf_is_good_for_phones_whatever_year_the_computer_believes_in(tmp_path: Path) -> None:
    open_authority(tmp_path, NOW)
    leaf = leaf_in(renew_leaf(tmp_path, NAMES, datetime(1970, 1, 1, tzinfo=UTC)))
    assert leaf.not_valid_before_utc <= NOW < leaf.not_valid_after_utc


def test_a_leaf_of_another_authority_is_made_anew(tmp_path: Path) -> None:
    before = leaf_in(renew_leaf(tmp_path, NAMES, NOW))
    (tmp_path / AUTHORITY).unlink()
    after = leaf_in(renew_leaf(tmp_path, NAMES, NOW))
    assert after.serial_number != before.serial_number


def test_addresses_of_the_internet_are_left_out(tmp_path: Path) -> None:
    leaf = leaf_in(renew_leaf(tmp_path, NAMES | {certificate_name("93.184.216.34"), "club.example.org"}, NOW))
    assert certificate_names(leaf) == NAMES


@pytest.mark.parametrize(
    "host", ["10.1.2.3", "172.20.10.2", "192.168.43.1", "fe80::1%eth0", "fd00::7", "hall.local"]
)
def test_what_lies_in_a_hall_is_local(host: str) -> None:
    assert is_hall_name(certificate_name(host))


@pytest.mark.parametrize("host", ["93.184.216.34", "2606:2800::1", "example.org", "local.example.org"])
def test_what_lies_beyond_is_not(host: str) -> None:
    assert not is_hall_name(certificate_name(host))


@pytest.mark.parametrize("content", [b"", b"\0" * 500, b"-----BEGIN PRIVATE KEY-----\n"])
def test_a_damaged_authority_is_not_replaced_unasked(tmp_path: Path, content: bytes) -> None:
    (tmp_path / AUTHORITY).write_bytes(content)
    with pytest.raises(Stop, match="damaged or about to expire"):
        open_authority(tmp_path, NOW)
    assert (tmp_path / AUTHORITY).read_bytes() == content


def test_an_authority_that_is_about_to_end_says_so(tmp_path: Path) -> None:
    open_authority(tmp_path, NOW)
    with pytest.raises(Stop, match="damaged or about to expire"):
        open_authority(tmp_path, NOW + timedelta(days=3_630))


def handshake(leaf: Path, root: x509.Certificate, host: str) -> None:
    """With OpenSSL on both sides. Raises if the certificate is not believed."""
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


def test_who_trusts_the_root_believes_the_leaf(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    leaf, authority = renew_leaf(tmp_path, NAMES, now), open_authority(tmp_path, now)
    for host in ("192.168.1.7", "laptop.local"):
        handshake(leaf, authority.certificate, host)


def test_a_leaf_for_another_site_is_not_believed_though_the_authority_has_signed_it(tmp_path: Path) -> None:
    authority = open_authority(tmp_path, datetime.now(UTC))
    for name in ("www.example.org", ipaddress.ip_address("93.184.216.34")):
        forged = tmp_path / "forged.pem"
        _write(forged, forged_leaf(authority, name))
        with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
            handshake(forged, authority.certificate, str(name))


def forged_leaf(authority: Certified, name: str | ipaddress.IPv4Address | ipaddress.IPv6Address) -> Certified:
    return _new_leaf(authority, [name], datetime.now(UTC))


def test_phones_reach_the_laptop_by_its_addresses_and_its_local_name() -> None:
    label = socket.gethostname().partition(".")[0].lower()
    assert reachable_names("192.168.1.7") == {
        "localhost",
        "127.0.0.1",
        "::1",
        f"{label}.local",
        "192.168.1.7",
    }


@pytest.mark.skipif(os.name == "nt", reason="file modes")
def test_the_key_is_its_owners_also_where_files_are_everybodys(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        open_authority(tmp_path, NOW)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / AUTHORITY).stat().st_mode) == 0o600
