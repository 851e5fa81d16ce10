"""Examples in ``deploy/``, with other names and ports: clients, streams and large bodies behind nginx and Caddy."""

from __future__ import annotations

import configparser
import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import yaml

from operations.data_dir import PROJECT
from operations.up.authority import open_authority, parse_certificate_name, renew_leaf
from server.body_limits import ACCOUNT_LIMIT, MAX_DISCARDED
from tests import external_tools
from tests.support.markup import parse_html
from tests.support.waiting import TIMEOUT_SECONDS, wait_until
from tests.workspaces import find_free_port

from .conftest import PreparedNight, RunningUp
from .test_streams import has_work

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="has many addresses of its own by itself"),
    pytest.mark.slow,
]


TOO_MANY_MESSAGE = "Too many wrong codes."
NAME = "cards.example.org"
DEPLOY = PROJECT / "deploy"


class Night(RunningUp):
    """An `up` with a night of one table whose match never ends."""

    night: dict[str, Any]


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory, night_of_one_table: PreparedNight) -> Iterator[Night]:
    data = shutil.copytree(night_of_one_table.folder, tmp_path_factory.mktemp("behind") / "data")
    up = Night(data, CHARLEMAGNE_HTTPS="1")
    up.night = night_of_one_table.data
    try:
        wait_until(up.is_answering)
        wait_until(lambda: not has_work(data))
        yield up
    finally:
        up.end()


def build_nginx_command(up: RunningUp, folder: Path, port: int) -> list[str]:
    """Return the command that runs the example, with a certificate made for the test."""
    open_authority(folder, datetime.now(UTC))
    leaf = renew_leaf(folder, [parse_certificate_name("localhost")], datetime.now(UTC))
    example = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    site = (
        example.replace("127.0.0.1:8000", f"127.0.0.1:{up.port}")
        .replace("listen 443", f"listen 127.0.0.1:{port}")
        .replace("listen 80;", f"listen 127.0.0.1:{find_free_port()};")
    )
    site = re.sub(r"/etc/letsencrypt/\S+\.pem", str(leaf), site)
    paths = "".join(
        f"{what}_temp_path {folder}/{what};\n" for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    outside = f"pid {folder}/pid; error_log stderr; daemon off; events {{}}"
    whole = f"{outside}\nhttp {{ access_log off;\n{paths}{site}}}\n"
    (folder / "whole.conf").write_text(whole, encoding="utf-8")
    return ["nginx", "-e", "stderr", "-p", str(folder), "-c", str(folder / "whole.conf")]


def build_caddy_command(up: RunningUp, folder: Path, port: int) -> list[str]:
    example = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    site = example.replace(f"{NAME} {{", f"https://{NAME}:{port} {{\n\tbind 127.0.0.1\n\ttls internal")
    site = site.replace("127.0.0.1:8000", f"127.0.0.1:{up.port}")
    settings = "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
    (folder / "whole").write_text(settings + site, encoding="utf-8")
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "whole")]


PROXIES: dict[str, Callable[[RunningUp, Path, int], list[str]]] = {
    "nginx": build_nginx_command,
    "caddy": build_caddy_command,
}


class Proxy:
    """A proxy in front of an `up`, reached by HTTPS from any loopback address."""

    def __init__(self, port: int) -> None:
        self.port = port

    def send_request(
        self, method: str, path: str, body: bytes = b"", *, host: str = "127.0.0.2", **headers: str
    ) -> tuple[int, str]:
        connection = self.connect(host)
        with closing(connection):
            sent = {name.replace("_", "-"): value for name, value in headers.items()}
            try:
                connection.request(method, path, body or None, {"Host": NAME, "Accept-Language": "en", **sent})
            except OSError:  # the proxy has stopped reading the body
                if connection.sock is None:
                    raise
                answer = http.client.HTTPResponse(connection.sock, method=method)
                answer.begin()
            else:
                answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def connect(self, host: str = "127.0.0.2") -> http.client.HTTPSConnection:
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        connection = http.client.HTTPSConnection(
            NAME, self.port, timeout=TIMEOUT_SECONDS, context=trusting, source_address=(host, 0)
        )
        connection._create_connection = (  # type: ignore[attr-defined]  # it is asked by its name, and lies here
            lambda _, *rest: socket.create_connection(("127.0.0.1", self.port), *rest)
        )
        return connection

    def is_answering(self) -> bool:
        try:
            return self.send_request("GET", "/sign-in")[0] == 200
        except OSError:
            return False


@pytest.fixture(scope="module", params=PROXIES)
def proxy(request: pytest.FixtureRequest, up: RunningUp, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    if shutil.which(request.param) is None:
        pytest.skip(f"no {request.param}")
    folder, port = tmp_path_factory.mktemp(request.param), find_free_port()
    home = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "said").open("wb") as log_file:
        process = subprocess.Popen(
            PROXIES[request.param](up, folder, port), env=os.environ | home, stdout=log_file, stderr=log_file
        )
    proxy = Proxy(port)
    try:
        wait_until(lambda: process.poll() is not None or proxy.is_answering())
        assert process.poll() is None, (folder / "said").read_text(encoding="utf-8")
        yield proxy
    finally:
        process.terminate()
        process.wait(TIMEOUT_SECONDS)


def guess(proxy: Proxy, host: str) -> str:
    """Return the answer to the last of many wrong table codes, each with a forged client address."""
    body = ""
    for number in range(25):
        _, body = proxy.send_request("GET", f"/t/{number:06}", host=host, X_Forwarded_For=f"198.51.100.{number}")
    return body


@pytest.mark.long
def test_guesser_is_throttled_by_address_and_no_one_else(proxy: Proxy) -> None:
    guesser, other = f"127.0.0.{10 + proxy.port % 100}", f"127.0.0.{120 + proxy.port % 100}"
    assert TOO_MANY_MESSAGE in guess(proxy, guesser)
    assert TOO_MANY_MESSAGE not in proxy.send_request("GET", "/t/000000", host=other)[1]


@pytest.mark.long
def test_https_request_gets_secure_headers_and_cookies(proxy: Proxy) -> None:
    connection = proxy.connect()
    with closing(connection):
        connection.request("GET", "/sign-in", headers={"Host": NAME})
        answer = connection.getresponse()
        answer.read()
    assert answer.status == 200
    assert answer.headers["Strict-Transport-Security"]
    assert all("Secure" in cookie for cookie in answer.headers.get_all("Set-Cookie") or [])


@pytest.mark.long
def test_form_is_accepted_at_a_non_default_https_port(proxy: Proxy) -> None:
    at = f"{NAME}:{proxy.port}"
    connection = proxy.connect()
    with closing(connection):
        connection.request("GET", "/sign-in", headers={"Host": at})
        answer = connection.getresponse()
        page = answer.read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert token
    cookies = [cookie.partition(";")[0] for cookie in answer.headers.get_all("Set-Cookie") or []]
    status, body = proxy.send_request(
        "POST",
        "/sign-in",
        f"csrfmiddlewaretoken={token[1]}&name=Nobody&password=wrong".encode(),
        Host=at,
        Origin=f"https://{at}",
        Cookie="; ".join(cookies),
        Content_Type="application/x-www-form-urlencoded",
    )
    assert (status, "Nobody" in body) == (422, True)


@pytest.mark.long
def test_request_id_comes_from_the_proxy(proxy: Proxy) -> None:
    made_up = "what-a-browser-says"
    connection = proxy.connect()
    with closing(connection):
        connection.request("GET", "/sign-in", headers={"Host": NAME, "X-Request-ID": made_up})
        answer = connection.getresponse()
        answer.read()
    (request_id,) = {each for each in answer.headers.get_all("X-Request-ID") or [] if each != made_up}
    assert len(request_id) in {32, 36}, "as proxies make them: of nginx without hyphens"


@pytest.mark.long
@pytest.mark.parametrize("kilobytes", [100, 2_000, 20_000])
def test_oversized_body_is_refused_and_the_server_keeps_answering(proxy: Proxy, kilobytes: int) -> None:
    status, body = proxy.send_request("POST", "/sign-in", b"x" * kilobytes * 1024)
    assert (status, "64 kB at most" in body) == (413, True)
    assert proxy.is_answering()


@pytest.mark.long
def test_proxy_body_limits_fit_the_program() -> None:
    nginx_takes = re.search(r"client_max_body_size (\d+)m;", (DEPLOY / "nginx.conf").read_text(encoding="utf-8"))
    caddy_takes = re.search(r"max_size (\d+)MB", (DEPLOY / "Caddyfile").read_text(encoding="utf-8"))
    assert nginx_takes
    assert caddy_takes
    assert ACCOUNT_LIMIT <= int(nginx_takes[1]) * 1024**2 <= MAX_DISCARDED
    assert ACCOUNT_LIMIT <= int(caddy_takes[1]) * 1000**2 <= MAX_DISCARDED


@pytest.mark.long
def test_proxy_does_not_buffer_streams(proxy: Proxy, up: Night) -> None:
    (shown,) = [
        each
        for each in parse_html(proxy.send_request("GET", f"/e/{up.night['event']}")[1]).find_all()
        if "data-live" in each.attrs
    ]
    connection = proxy.connect()
    with closing(connection):
        headers = {"Host": NAME, "Accept": "text/event-stream"}
        connection.request("GET", shown.attrs["data-live"], headers=headers)
        answer = connection.getresponse()
        revision = read_next_revision(answer)
        mark(proxy, up.night)
        while read_next_revision(answer) == revision:
            pass


def read_next_revision(answer: http.client.HTTPResponse) -> str:
    """Return the next revision of the stream; if the proxy buffers it, the connection times out."""
    while line := answer.readline().decode():
        if line.startswith("id: "):
            return line
    raise AssertionError("the stream has ended")


def mark(proxy: Proxy, night: dict[str, Any]) -> None:
    (table,) = night["tables"]
    path = f"/api/tables/{table['code']}/hands"
    table_state = json.loads(proxy.send_request("GET", f"/api/tables/{table['code']}")[1])
    number = len(table_state["marks"]) + 1
    hand = {"side": "A", "contract": "6", "tricks": 7}
    body = {"match": table["match"], "entry_key": str(uuid4()), "number": number, "hand": hand}
    status, answer = proxy.send_request("POST", path, json.dumps(body).encode(), Content_Type="application/json")
    assert status == 201, answer


def test_service_unit_runs_up_with_a_private_umask() -> None:
    unit = read_service_unit()
    assert unit["UMask"] == "0077"
    assert unit["ExecStart"].split()[1] == "up"
    assert unit["RestartPreventExitStatus"] == "2"


def read_service_unit() -> configparser.SectionProxy:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(DEPLOY / "charlemagne.service", encoding="utf-8")
    return unit["Service"]


@pytest.mark.long
def test_admin_script_runs_commands_with_the_service_variables(tmp_path: Path) -> None:
    variables = (DEPLOY / "charlemagne.env").read_text(encoding="utf-8").replace("# DATABASE_URL", "DATABASE_URL")
    (tmp_path / "variables").write_text(variables, encoding="utf-8")
    (tmp_path / "runuser").write_text('#!/bin/sh\necho "$@"\nexec env\n', encoding="utf-8")
    (tmp_path / "runuser").chmod(0o755)
    example = (DEPLOY / "charlemagne-admin").read_text(encoding="utf-8")
    (tmp_path / "admin").write_text(
        example.replace("/etc/charlemagne.env", str(tmp_path / "variables")), encoding="utf-8"
    )
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    lines = subprocess.run(
        ["sh", str(tmp_path / "admin"), "changepassword", "Rita Plourde"],
        env=path, capture_output=True, encoding="utf-8", check=True,
    ).stdout.splitlines()  # fmt: skip
    unit = read_service_unit()
    assert lines[0].startswith(f"--user {unit['User']} -- {unit['ExecStart'].split()[0]} changepassword Rita")
    assert unit["EnvironmentFile"] == "/etc/charlemagne.env"
    assert f"CHARLEMAGNE_DATA=/var/lib/{unit['StateDirectory']}" in lines
    assert "DATABASE_URL=postgresql://charlemagne:secret@127.0.0.1/charlemagne" in lines


@pytest.mark.long
def test_compose_file_passes_request_ids_and_backups() -> None:
    composed = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    program, proxy = (composed["services"][name] for name in ("charlemagne", "proxy"))
    assert "--header-up=X-Request-ID: {http.request.uuid}" in proxy["command"]
    assert (program["read_only"], program["tmpfs"]) == (True, ["/tmp"]), "test_installers starts it so"
    (network,) = composed["networks"]["default"]["ipam"]["config"]
    assert program["environment"]["CHARLEMAGNE_PROXIES"] == network["subnet"]
    (backups,) = (each for each in program["volumes"] if "target" in each)
    assert backups["target"] == program["environment"]["CHARLEMAGNE_BACKUP_FOLDER"]
    assert backups["bind"] == {"create_host_path": False}, "else it would be made for root"


@pytest.mark.long
def test_missing_proxies_have_an_installation_hint() -> None:
    assert {"nginx", "Caddy"} <= external_tools.INSTALL_HINTS.keys()
