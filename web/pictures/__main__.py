"""The child of ``web.sandbox`` for pictures.

It reads a picture from standard input, and writes its width, its height and the new file, or
the code of a refusal.
"""

import sys

from errors import Refusal
from web.sandbox import confine_this_process

from .processing import drawn_anew


def main(most: int) -> None:
    confine_this_process()
    try:
        content, width, height = drawn_anew(sys.stdin.buffer.read(), most=most)
    except Refusal as refusal:
        sys.stdout.write(refusal.code)
    else:
        sys.stdout.buffer.write(width.to_bytes(4) + height.to_bytes(4) + content)


if __name__ == "__main__":
    main(int(sys.argv[1]))
