"""The child of ``web.sandbox`` for pictures.

It reads a picture from standard input, and writes its width, its height and the new file, or
the code of a refusal.
"""

import sys

from errors import Refusal
from web.sandbox import limit_current_process

from .encoding import encode_picture


def main(max_side: int) -> None:
    limit_current_process()
    try:
        content, width, height = encode_picture(sys.stdin.buffer.read(), max_side=max_side)
    except Refusal as refusal:
        sys.stdout.write(refusal.code)
    else:
        sys.stdout.buffer.write(width.to_bytes(4) + height.to_bytes(4) + content)


if __name__ == "__main__":
    main(int(sys.argv[1]))
