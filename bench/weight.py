"""What the pages of an evening weigh on their first load, compressed, with their styles and scripts."""

from __future__ import annotations

import argparse
import http.client
import re

from bench.hall import hall

_ASSET = re.compile(rb'(?:href|src)="(/static/[^"]+)"')
_IMPORT = re.compile(rb'^import .* from "\./(.+)";$', re.MULTILINE)


def main(argv: list[str]) -> dict[str, float]:
    """Kilobytes (1,000 bytes) as sent, by page; `html` is the page alone."""
    parser = argparse.ArgumentParser(prog="bench weight")
    parser.add_argument("--tables", type=int, default=25)
    options = parser.parse_args(argv)
    with hall(tables=options.tables) as here, here.served() as port:
        pages = {"home": "/", "table": f"/t/{here.tables[0]['code']}", "event": f"/e/{here.event}"}
        figures: dict[str, float] = {}
        for name, address in pages.items():
            html, page = _sent(port, address, "gzip"), _sent(port, address, "identity")
            total = len(html) + sum(len(_sent(port, file, "br")) for file in _files(port, page))
            figures |= {f"{name}_html_kb": round(len(html) / 1000, 1), f"{name}_kb": round(total / 1000, 1)}
    return figures


def _files(port: int, text: bytes) -> set[str]:
    """What a page loads, or a script, and what that loads."""
    found = {name.decode() for name in _ASSET.findall(text)}
    found |= {f"/static/js/{name.decode()}" for name in _IMPORT.findall(text)}
    scripts = [name for name in found if name.endswith(".js")]
    return found.union(*(_files(port, _sent(port, script, "identity")) for script in scripts))


def _sent(port: int, address: str, encoding: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", address, headers={"Accept-Encoding": encoding})
    answer = connection.getresponse()
    if answer.status != 200:
        raise RuntimeError(f"{address} answered {answer.status}")
    return answer.read()
