"""A club's server as a federation sees it: it serves the feed file that a test gives it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler

from .small_servers import run_small_server


@dataclass(slots=True)
class FeedServer:
    """A server of one feed. ``request_etags`` has the If-None-Match header of each request, "" without one."""

    origin: str = ""
    file: str = ""
    status: int = 200
    request_etags: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"{self.origin}/c/club/feed.json"


@contextmanager
def run_feed_server() -> Iterator[FeedServer]:
    feeds = FeedServer()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            feeds.request_etags.append(self.headers.get("If-None-Match", ""))
            etag = f'"{hash(feeds.file)}"'
            is_known = feeds.request_etags[-1] == etag and feeds.status == 200
            content = b"" if is_known else feeds.file.encode()
            self.send_response(304 if is_known else feeds.status)
            self.send_header("ETag", etag)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            pass

    with run_small_server(Handler) as port:
        feeds.origin = f"http://127.0.0.1:{port}"
        yield feeds
