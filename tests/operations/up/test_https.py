"""`up --https`: the same server by http and by https, which whoever trusts its root believes."""

from __future__ import annotations

import shutil
import socket
import ssl
import sys
import urllib.request
import warnings
from collections.abc import Iterator
from email.message import Message
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding

from operations.data_dir import AUTHORITY
from operations.up.authority import certificate_fingerprint
from tests.places import free_port

from .conftest import FRENCH, Up, manage, started

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

HTTPS = free_port()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> Iterator[Up]:
    yield from started(
        prepared_folder, tmp_path_factory.mktemp("https"), "--https", str(HTTPS), "--processes", "2"
    )


@pytest.fixture(scope="module")
def root(hall: Up) -> x509.Certificate:
    """As a phone gets it: by http, which needs no trust."""
    content, _ = fetched(f"http://127.0.0.1:{hall.port}/certificate/charlemagne.crt")
    return x509.load_der_x509_certificate(content)


def fetched(url: str, root: x509.Certificate | None = None) -> tuple[bytes, Message]:
    trusting = ssl.create_default_context()
    if root is not None:
        trusting = ssl.create_default_context(cadata=root.public_bytes(Encoding.PEM).decode())
    with urllib.request.urlopen(url, context=trusting) as answer:
        return answer.read(), answer.headers


@pytest.mark.slow
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_who_trusts_the_root_reads_the_same_pages_by_https(
    hall: Up, root: x509.Certificate, host: str
) -> None:
    secure, headers = fetched(f"https://{host}:{HTTPS}/rules", root)
    plain, by_http = fetched(f"http://127.0.0.1:{hall.port}/rules")
    assert headers["Charlemagne"] == by_http["Charlemagne"]
    assert len(secure) > 1_000
    assert (b"<h1>" in secure, b"<h1>" in plain) == (True, True)


def test_who_does_not_gets_nothing(hall: Up, root: x509.Certificate) -> None:
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        fetched(f"https://127.0.0.1:{HTTPS}/")


def test_what_is_older_than_tls_1_2_is_not_spoken(hall: Up) -> None:
    old = ssl.create_default_context()
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.set_ciphers("ALL:@SECLEVEL=0")
    now = ssl.create_default_context()
    now.check_hostname, now.verify_mode = False, ssl.CERT_NONE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    with (
        socket.create_connection(("127.0.0.1", HTTPS)) as plain,
        pytest.raises(ssl.SSLError),
    ):
        old.wrap_socket(plain)
    with socket.create_connection(("127.0.0.1", HTTPS)) as plain, now.wrap_socket(plain) as secure:
        assert secure.version() == "TLSv1.3"


@pytest.mark.parametrize("cipher", ["eNULL", "aNULL", "RC4", "3DES", "MD5", "EXPORT"])
def test_no_cipher_that_is_known_to_be_weak_is_spoken(hall: Up, cipher: str) -> None:
    weak = ssl.create_default_context()
    weak.check_hostname, weak.verify_mode = False, ssl.CERT_NONE
    weak.maximum_version = ssl.TLSVersion.TLSv1_2
    try:
        weak.set_ciphers(f"{cipher}:@SECLEVEL=0")
    except ssl.SSLError:
        return  # nor does this computer know it
    with socket.create_connection(("127.0.0.1", HTTPS)) as plain, pytest.raises(ssl.SSLError):
        weak.wrap_socket(plain)


def test_http_stays_open_to_phones_that_go_back(hall: Up, root: x509.Certificate) -> None:
    """No browser is told to come by https only, and no cookie is one of https only."""
    _, headers = fetched(f"https://127.0.0.1:{HTTPS}/", root)
    assert headers["Strict-Transport-Security"] is None
    assert "csrftoken" in headers["Set-Cookie"]
    assert "secure" not in headers["Set-Cookie"].lower()


def test_the_terminal_says_where_and_which_fingerprint(hall: Up, root: x509.Certificate) -> None:
    said = hall.said()
    assert f"https://127.0.0.1:{HTTPS}/\n" in said
    assert f"http://127.0.0.1:{hall.port}/certificate\n" in said
    assert f"{certificate_fingerprint(root)}\n" in said


@pytest.mark.slow
def test_the_next_start_is_known_by_the_same_root(hall: Up, root: x509.Certificate) -> None:
    kept = x509.load_pem_x509_certificate((hall.data / AUTHORITY).read_bytes())
    assert kept == root


@pytest.fixture
def data(tmp_path: Path, prepared_folder: Path) -> Path:
    """A folder of its own, already prepared: a new one takes longer than what is tried."""
    return shutil.copytree(prepared_folder, tmp_path / "data")


def refused(data: Path, *options: str, **variables: str) -> str:
    ended = manage("up", "--port", str(free_port()), "--data", str(data), *options, **variables)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    return ended.stderr.splitlines()[-1]


@pytest.mark.slow
def test_a_port_in_use_names_the_option_that_chooses_another(hall: Up, data: Path) -> None:
    said = refused(data, "--host", "127.0.0.1", "--https", str(HTTPS))
    assert said.endswith(f"choose another port: --https {HTTPS + 1}.")


@pytest.mark.slow
def test_an_address_of_the_internet_is_refused(data: Path) -> None:
    said = refused(data, "--host", "93.184.216.34", "--https")
    assert said.startswith(
        "93.184.216.34 is a public internet address, and --https is for the private network of a hall."
    )


@pytest.mark.slow
def test_a_damaged_authority_is_refused(data: Path) -> None:
    (data / AUTHORITY).write_bytes(b"\0" * 100)
    said = refused(data, "--host", "127.0.0.1", "--https", **FRENCH)
    assert said.startswith(
        f"L'autorité de certification {data / AUTHORITY}, à laquelle les téléphones font "
        "confiance, est endommagée"
    )
