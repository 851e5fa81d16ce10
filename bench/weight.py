"""Measure the compressed size of the pages of a night on first load, with their styles and scripts."""

from __future__ import annotations

import argparse
import http.client
import re
from collections.abc import Callable, Iterable
from urllib.parse import urljoin

from bench.hall import open_hall

_ASSET = re.compile(rb'(?:href|src)="(/static/[^"]+)"')
_IMPORT = re.compile(rb'^import .*?"(\.[^"]+)";$', re.MULTILINE)
_LATER = re.compile(rb'(?:import\(|data-program=)"([^"]+)"')


def main(argv: list[str]) -> dict[str, float]:
    """Return kilobytes (1,000 bytes) as sent, by page.

    - ``PAGE_html_kb``: the page alone
    - ``PAGE_kb``: with the files that it needs to start
    - ``PAGE_then_kb``: files that it loads afterwards
    """
    parser = argparse.ArgumentParser(prog="bench weight")
    parser.add_argument("--tables", type=int, default=25)
    parser.add_argument("--files", choices=("br", "gzip"), default="br", help="on plain http browsers take gzip")
    parser.add_argument("--each", action="store_true", help="print what each file weighs, and when it comes")
    options = parser.parse_args(argv)
    with open_hall(tables=options.tables) as venue, venue.serve() as port:
        pages = {"home": "/", "table": f"/t/{venue.tables[0]['code']}", "event": f"/e/{venue.event}"}
        figures: dict[str, float] = {}
        for name, address in pages.items():
            first = _measure_sizes(port, _load_files(port, {address}, _find_first_files), options.files)
            later = _measure_sizes(port, _load_files(port, first, _find_later_files), options.files)
            figures |= {
                f"{name}_html_kb": _sum_kilobytes(first[address]),
                f"{name}_kb": _sum_kilobytes(*first.values()),
                f"{name}_then_kb": _sum_kilobytes(*(later[file] for file in later.keys() - first.keys())),
            }
            if options.each:
                for file in later:
                    print(f"{later[file]:7,} {'first' if file in first else 'then '} {file}")
    return figures


def _find_first_files(port: int, address: str) -> set[str]:
    """Return the files that a page or script needs to start."""
    text = _fetch(port, address, "identity")
    return {urljoin(address, name.decode()) for name in _ASSET.findall(text) + _IMPORT.findall(text)}


def _find_later_files(port: int, address: str) -> set[str]:
    """Return the files that a page or script needs to start, and those that it loads later."""
    text = _fetch(port, address, "identity")
    return _find_first_files(port, address) | {urljoin(address, name.decode()) for name in _LATER.findall(text)}


def _load_files(port: int, addresses: Iterable[str], find_files: Callable[[int, str], set[str]]) -> dict[str, None]:
    """Return these addresses with all files that they load, directly or indirectly."""
    found = dict.fromkeys(addresses)
    queue = list(found)
    while queue:
        address = queue.pop()
        if not address.endswith((".svg", ".json")):
            new = find_files(port, address) - found.keys()
            found |= dict.fromkeys(new)
            queue += new
    return found


def _measure_sizes(port: int, addresses: Iterable[str], files: str) -> dict[str, int]:
    """Return bytes as sent by address: static files in the given encoding, rendered pages in gzip."""
    encodings = {address: files if address.startswith("/static/") else "gzip" for address in addresses}
    return {address: len(_fetch(port, address, encoding)) for address, encoding in encodings.items()}


def _sum_kilobytes(*sizes: int) -> float:
    return round(sum(sizes) / 1000, 1)


def _fetch(port: int, address: str, encoding: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", address, headers={"Accept-Encoding": encoding})
    answer = connection.getresponse()
    if answer.status != 200:
        raise RuntimeError(f"{address} answered {answer.status}")
    return answer.read()
