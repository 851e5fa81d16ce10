"""What the pages of an evening weigh on their first load, compressed, with their styles and scripts."""

from __future__ import annotations

import argparse
import http.client
import re
from collections.abc import Callable, Iterable
from urllib.parse import urljoin

from bench.hall import hall

_ASSET = re.compile(rb'(?:href|src)="(/static/[^"]+)"')
_IMPORT = re.compile(rb'^import .*?"(\.[^"]+)";$', re.MULTILINE)
_LATER = re.compile(rb'(?:import\(|data-program=)"([^"]+)"')


def main(argv: list[str]) -> dict[str, float]:
    """Kilobytes (1,000 bytes) as sent, by page: `html` is the page alone, `then` what it loads after that."""
    parser = argparse.ArgumentParser(prog="bench weight")
    parser.add_argument("--tables", type=int, default=25)
    parser.add_argument(
        "--files", choices=("br", "gzip"), default="br", help="on plain http browsers take gzip"
    )
    parser.add_argument("--each", action="store_true", help="print what each file weighs, and when it comes")
    options = parser.parse_args(argv)
    with hall(tables=options.tables) as here, here.served() as port:
        pages = {"home": "/", "table": f"/t/{here.tables[0]['code']}", "event": f"/e/{here.event}"}
        figures: dict[str, float] = {}
        for name, address in pages.items():
            first = _weighed(port, _loaded(port, {address}, _first), options.files)
            later = _weighed(port, _loaded(port, first, _later), options.files)
            figures |= {
                f"{name}_html_kb": _kilobytes(first[address]),
                f"{name}_kb": _kilobytes(*first.values()),
                f"{name}_then_kb": _kilobytes(*(later[file] for file in later.keys() - first.keys())),
            }
            if options.each:
                for file in later:
                    print(f"{later[file]:7,} {'first' if file in first else 'then '} {file}")
    return figures


def _first(port: int, address: str) -> set[str]:
    """What a page, or a script, cannot do without."""
    text = _sent(port, address, "identity")
    return {urljoin(address, name.decode()) for name in _ASSET.findall(text) + _IMPORT.findall(text)}


def _later(port: int, address: str) -> set[str]:
    """The same, and what it loads once it is there."""
    text = _sent(port, address, "identity")
    return _first(port, address) | {urljoin(address, name.decode()) for name in _LATER.findall(text)}


def _loaded(port: int, addresses: Iterable[str], asked_by: Callable[[int, str], set[str]]) -> dict[str, None]:
    """These and all that they load, and what that loads."""
    found = dict.fromkeys(addresses)
    waiting = list(found)
    while waiting:
        address = waiting.pop()
        if not address.endswith((".svg", ".json")):
            new = asked_by(port, address) - found.keys()
            found |= dict.fromkeys(new)
            waiting += new
    return found


def _weighed(port: int, addresses: Iterable[str], files: str) -> dict[str, int]:
    """Bytes as sent, by address: of files in that encoding, of what the program makes by gzip."""
    encodings = {address: files if address.startswith("/static/") else "gzip" for address in addresses}
    return {address: len(_sent(port, address, encoding)) for address, encoding in encodings.items()}


def _kilobytes(*sizes: int) -> float:
    return round(sum(sizes) / 1000, 1)


def _sent(port: int, address: str, encoding: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", address, headers={"Accept-Encoding": encoding})
    answer = connection.getresponse()
    if answer.status != 200:
        raise RuntimeError(f"{address} answered {answer.status}")
    return answer.read()
