"""A process that loads the program once, and from which the workers under test are forked, as `up` does.

It answers a line of options with the process id of a new worker, and a process id once that worker has ended.
"""

from __future__ import annotations

import sys
from functools import partial

from operations.up.processes import ForkedProcess, preload_modules
from tests.jobs.worker import app

BASE_OPTIONS = ("--quiet", "worker", "--pool", "solo", "--loglevel", "ERROR")
STANDALONE_OPTIONS = ("--without-gossip", "--without-mingle", "--without-heartbeat")


def main() -> None:
    preload_modules()
    copies: dict[str, ForkedProcess] = {}
    for line in sys.stdin:
        words = line.split()
        if words and words[0] in copies:
            copies.pop(words[0]).wait()
            print(words[0], flush=True)
        else:
            copy = ForkedProcess(partial(app.start, [*BASE_OPTIONS, *STANDALONE_OPTIONS, *words]), kept_descriptors=())
            copies[str(copy.pid)] = copy
            print(copy.pid, flush=True)


if __name__ == "__main__":
    main()
