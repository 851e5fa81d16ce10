"""`up --https`: one server over HTTP and HTTPS, for clients that trust its root certificate."""

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

from operations.data_dir import AUTHORITY_FILE
from operations.up.authority import format_fingerprint
from tests.workspaces import find_free_port

from .conftest import FRENCH, RunningUp, run_manage, start_up

pytestmark = [pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc"), pytest.mark.slow]


HTTPS = find_free_port()


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory, prepared_folder: Path) -> Iterator[RunningUp]:
    yield from start_up(prepared_folder, tmp_path_factory.mktemp("https"), "--https", str(HTTPS), "--processes", "2")


@pytest.fixture(scope="module")
def root(hall: RunningUp) -> x509.Certificate:
    """Download the root certificate over HTTP, as a phone does before it trusts the server."""
    content, _ = fetch(f"http://127.0.0.1:{hall.port}/certificate/charlemagne.crt")
    return x509.load_der_x509_certificate(content)


def fetch(url: str, root: x509.Certificate | None = None) -> tuple[bytes, Message]:
    trusting = ssl.create_default_context()
    if root is not None:
        trusting = ssl.create_default_context(cadata=root.public_bytes(Encoding.PEM).decode())
    with urllib.request.urlopen(url, context=trusting) as answer:
        return answer.read(), answer.headers


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_client_that_trusts_the_root_reads_pages_over_https(hall: RunningUp, root: x509.Certificate, host: str) -> None:
    secure, headers = fetch(f"https://{host}:{HTTPS}/rules", root)
    http_body, by_http = fetch(f"http://127.0.0.1:{hall.port}/rules")
    assert headers["Charlemagne"] == by_http["Charlemagne"]
    assert len(secure) > 1_000
    assert (b"<h1>" in secure, b"<h1>" in http_body) == (True, True)


@pytest.mark.long
def test_client_without_the_root_is_rejected(hall: RunningUp, root: x509.Certificate) -> None:
    with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
        fetch(f"https://127.0.0.1:{HTTPS}/")


@pytest.mark.long
def test_tls_versions_before_1_2_are_rejected(hall: RunningUp) -> None:
    old = ssl.create_default_context()
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.set_ciphers("ALL:@SECLEVEL=0")
    now = ssl.create_default_context()
    now.check_hostname, now.verify_mode = False, ssl.CERT_NONE
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    with (
        socket.create_connection(("127.0.0.1", HTTPS)) as connection,
        pytest.raises(ssl.SSLError),
    ):
        old.wrap_socket(connection)
    with socket.create_connection(("127.0.0.1", HTTPS)) as connection, now.wrap_socket(connection) as secure:
        assert secure.version() == "TLSv1.3"


@pytest.mark.long
@pytest.mark.parametrize("cipher", ["eNULL", "aNULL", "RC4", "3DES", "MD5", "EXPORT"])
def test_weak_ciphers_are_rejected(hall: RunningUp, cipher: str) -> None:
    weak = ssl.create_default_context()
    weak.check_hostname, weak.verify_mode = False, ssl.CERT_NONE
    weak.maximum_version = ssl.TLSVersion.TLSv1_2
    try:
        weak.set_ciphers(f"{cipher}:@SECLEVEL=0")
    except ssl.SSLError:
        return  # the local OpenSSL lacks the cipher too
    with socket.create_connection(("127.0.0.1", HTTPS)) as connection, pytest.raises(ssl.SSLError):
        weak.wrap_socket(connection)


@pytest.mark.long
def test_http_stays_available_without_hsts_or_secure_cookies(hall: RunningUp, root: x509.Certificate) -> None:
    """Browsers are not told to use HTTPS only, and no cookie is limited to HTTPS."""
    _, headers = fetch(f"https://127.0.0.1:{HTTPS}/", root)
    assert headers["Strict-Transport-Security"] is None
    assert "csrftoken" in headers["Set-Cookie"]
    assert "secure" not in headers["Set-Cookie"].lower()


@pytest.mark.long
def test_terminal_shows_addresses_and_fingerprint(hall: RunningUp, root: x509.Certificate) -> None:
    output = hall.read_output()
    assert f"https://127.0.0.1:{HTTPS}/\n" in output
    assert f"http://127.0.0.1:{hall.port}/certificate\n" in output
    assert f"{format_fingerprint(root)}\n" in output


@pytest.mark.long
def test_root_certificate_is_kept_for_the_next_start(hall: RunningUp, root: x509.Certificate) -> None:
    certificate = x509.load_pem_x509_certificate((hall.data / AUTHORITY_FILE).read_bytes())
    assert certificate == root


@pytest.fixture
def data(tmp_path: Path, prepared_folder: Path) -> Path:
    """Return a copy of the prepared folder: a new one takes longer to create than the test itself."""
    return shutil.copytree(prepared_folder, tmp_path / "data")


def get_refusal_line(data: Path, *options: str, **variables: str) -> str:
    ended = run_manage("up", "--port", str(find_free_port()), "--data", str(data), *options, **variables)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    return ended.stderr.splitlines()[-1]


def test_port_in_use_suggests_another_https_port(hall: RunningUp, data: Path) -> None:
    refusal_line = get_refusal_line(data, "--host", "127.0.0.1", "--https", str(HTTPS))
    assert refusal_line.endswith(f"choose another port: --https {HTTPS + 1}.")


@pytest.mark.long
def test_public_address_is_refused(data: Path) -> None:
    refusal_line = get_refusal_line(data, "--host", "93.184.216.34", "--https")
    assert refusal_line.startswith(
        "93.184.216.34 is a public internet address, and --https is for the private network of a hall."
    )


@pytest.mark.long
def test_a_damaged_authority_is_refused(data: Path) -> None:
    (data / AUTHORITY_FILE).write_bytes(b"\0" * 100)
    refusal_line = get_refusal_line(data, "--host", "127.0.0.1", "--https", **FRENCH)
    assert refusal_line.startswith(
        f"L'autorité de certification {data / AUTHORITY_FILE}, à laquelle les téléphones font confiance, est endommagée"
    )
