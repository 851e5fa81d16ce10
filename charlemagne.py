"""The command `charlemagne` of an installed program.

In the wheel this is ``charlemagne/__init__.py``, and what lies beside it here lies beside it there: nothing
else in an environment is called as our packages are.
"""

import sys
from pathlib import Path


def main() -> int:
    """Run the command and return its status, as ``manage.py`` does."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from operations.bootstrap import main

    return main(sys.argv)
