"""The hall's own certificate authority: created once, kept in the data folder, used by `up --https` only.

Phones that have installed its root certificate trust this computer's HTTPS. The root itself limits what it
can vouch for: private addresses and names of the local network only. Why, and what phones require of a
certificate: ``docs/decisions/0032-give-each-hall-its-own-certificate-authority.md``.
"""

import ipaddress
import os
import socket
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from operations.data_dir import AUTHORITY_FILE, LEAF_FILE
from operations.terminal import Stop, format_terminal_text

LOCAL_NAMES = ("local", "localhost")
PRIVATE_NETWORKS = tuple(
    map(
        ipaddress.ip_network,
        (
            *("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16"),
            *("127.0.0.0/8", "fc00::/7", "fe80::/10", "::1/128"),
        ),
    )
)
ROOT_LIFETIME = timedelta(days=3_650)
LEAF_LIFETIME = timedelta(days=397)
"""Longest validity that phones accept: iOS refuses certificates of more than 825 days."""
RENEWAL_MARGIN = timedelta(days=30)
CLOCK_TOLERANCE = timedelta(days=1)
"""Tolerance for a phone whose clock is behind the laptop's."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Name = str | Address


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPair:
    """A key with its certificate."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate


def parse_certificate_name(host: str) -> Name:
    """Return the host as certificates have it: an address, or a name."""
    try:
        return ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host.lower()


def is_hall_name(name: Name) -> bool:
    """Check whether the name is local, so that the hall's authority may vouch for it."""
    if isinstance(name, str):
        return name.rpartition(".")[2] in LOCAL_NAMES
    return any(name in network for network in PRIVATE_NETWORKS)


def open_authority(folder: Path, now: datetime) -> KeyPair:
    """Return the authority of this data folder, creating it if there is none.

    Stops with a sentence if it is damaged or about to expire.
    """
    path = folder / AUTHORITY_FILE
    if not path.exists():
        _write_key_pair(path, _create_authority(socket.gethostname(), now))
    authority = _load_key_pair(path)
    if authority is None or authority.certificate.not_valid_after_utc - now < RENEWAL_MARGIN:
        raise Stop(format_terminal_text("authority-unusable", path=path))
    return authority


def load_root_certificate(folder: Path) -> x509.Certificate | None:
    """Return the root certificate that phones install; None if there is no authority."""
    authority = _load_key_pair(folder / AUTHORITY_FILE)
    return None if authority is None else authority.certificate


def renew_leaf(folder: Path, names: Iterable[Name], now: datetime) -> Path:
    """Return the certificate file of the server for the local ones of these names, renewing it if needed."""
    authority, path = open_authority(folder, now), folder / LEAF_FILE
    now = max(now, authority.certificate.not_valid_before_utc)  # the clock may have been set back
    local = {name for name in names if is_hall_name(name)}
    leaf = _load_key_pair(path)
    if leaf is None or not _is_valid(leaf.certificate, authority, local, now):
        _write_key_pair(path, _create_leaf(authority, local, now))
    return path


def format_fingerprint(certificate: x509.Certificate) -> str:
    """Return the fingerprint as phones show it."""
    return certificate.fingerprint(hashes.SHA256()).hex(":").upper()


def list_certificate_names(certificate: x509.Certificate) -> set[Name]:
    """Return all names for which the certificate was made."""
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    addresses: list[Address] = names.get_values_for_type(x509.IPAddress)  # type: ignore[assignment]
    return {*names.get_values_for_type(x509.DNSName), *addresses}


def _is_valid(leaf: x509.Certificate, authority: KeyPair, names: set[Name], now: datetime) -> bool:
    try:
        leaf.verify_directly_issued_by(authority.certificate)
    except (InvalidSignature, ValueError):
        return False
    is_current = leaf.not_valid_before_utc <= now < leaf.not_valid_after_utc - RENEWAL_MARGIN
    return is_current and list_certificate_names(leaf) == names


def _create_authority(host: str, now: datetime) -> KeyPair:
    key = ec.generate_private_key(ec.SECP256R1())
    name = _build_name(f"Charlemagne · {host}"[:64])  # the maximum length of a name
    permitted_names = [*map(x509.DNSName, LOCAL_NAMES), *map(x509.IPAddress, PRIVATE_NETWORKS)]
    certificate = (
        _build_certificate(key, name, now, now + ROOT_LIFETIME)
        .issuer_name(name)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_build_key_usage(signs_certificates=True), critical=True)
        .add_extension(x509.NameConstraints(permitted_names, excluded_subtrees=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    return KeyPair(key=key, certificate=certificate)


def _create_leaf(authority: KeyPair, names: Iterable[Name], now: datetime) -> KeyPair:
    key, root = ec.generate_private_key(ec.SECP256R1()), authority.certificate
    subject_names = [x509.DNSName(name) if isinstance(name, str) else x509.IPAddress(name) for name in names]
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key())
    certificate = (
        _build_certificate(key, _build_name("Charlemagne"), now, min(now + LEAF_LIFETIME, root.not_valid_after_utc))
        .issuer_name(root.subject)
        .add_extension(x509.SubjectAlternativeName(sorted(subject_names, key=repr)), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_build_key_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(issuer, critical=False)
        .sign(authority.key, hashes.SHA256())
    )
    return KeyPair(key=key, certificate=certificate)


def _build_certificate(
    key: ec.EllipticCurvePrivateKey, name: x509.Name, now: datetime, end: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - CLOCK_TOLERANCE)
        .not_valid_after(end)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _build_name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _build_key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        encipher_only=False,
        decipher_only=False,
    )


def _load_key_pair(path: Path) -> KeyPair | None:
    """Return the key and certificate in the file; None if it is missing, or holds something else."""
    try:
        content = path.read_bytes()
        key = serialization.load_pem_private_key(content, password=None)
        certificate = x509.load_pem_x509_certificate(content)
    except (FileNotFoundError, ValueError):
        return None
    return KeyPair(key=key, certificate=certificate) if isinstance(key, ec.EllipticCurvePrivateKey) else None


def _write_key_pair(path: Path, key_pair: KeyPair) -> None:
    """Write the file completely or not at all, readable by its owner only."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # with mode 600
    temporary_file = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(
                key_pair.key.private_bytes(
                    serialization.Encoding.PEM,
                    serialization.PrivateFormat.PKCS8,
                    serialization.NoEncryption(),
                )
            )
            file.write(key_pair.certificate.public_bytes(serialization.Encoding.PEM))
            file.flush()
            os.fsync(file.fileno())
        temporary_file.replace(path)
    finally:
        temporary_file.unlink(missing_ok=True)
