"""A process that has loaded what workers under test run, and whose copies they begin as: `up` begins its own
so. To each line of options it answers with the process id of a worker, and to such an id once that has ended.
"""

from __future__ import annotations

import sys
from functools import partial

from operations.up.processes import Copy, load_before_copying
from tests.jobs.worker import app

ALWAYS = ("--quiet", "worker", "--pool", "solo", "--loglevel", "ERROR")
ALONE = ("--without-gossip", "--without-mingle", "--without-heartbeat")


def main() -> None:
    load_before_copying()
    copies: dict[str, Copy] = {}
    for line in sys.stdin:
        words = line.split()
        if words and words[0] in copies:
            copies.pop(words[0]).wait()
            print(words[0], flush=True)
        else:
            copy = Copy(partial(app.start, [*ALWAYS, *ALONE, *words]), keeps=())
            copies[str(copy.pid)] = copy
            print(copy.pid, flush=True)


if __name__ == "__main__":
    main()
