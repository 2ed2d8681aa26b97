"""Ctrl-C while the command is still loading ends it as quietly as later on.

The package loads for a second, and an interruption in that second would show where in
numpy or pandas it came.  This module is loaded first; where siviz is a library for
another program, it does nothing.
"""

# As little as can be, and nothing that is slow to load.
import os
import signal
import sys
from itertools import pairwise

INTERRUPTED = 130


def is_command(program: str, words: list[str]) -> bool:
    """Whether Python was started as ``siviz`` or as ``python -m siviz``.

    Parameters
    ----------
    program : str
        As in ``sys.argv[0]``.
    words : list of str
        As in ``sys.orig_argv``.

    Examples
    --------
    >>> is_command("/usr/bin/siviz", ["python", "/usr/bin/siviz", "rank"])
    True
    >>> is_command("-m", ["python", "-m", "pytest", "siviz"])
    False
    """
    if program == "-m":
        return ("-m", "siviz") in pairwise(words)
    return os.path.splitext(os.path.basename(program))[0] in ("siviz", "siviz-script")


def end_quietly(*_: object) -> None:
    """End the process at once, as an interrupted command ends."""
    try:
        os.write(2, b"siviz: interrupted\n")
    finally:  # also if standard error is closed
        os._exit(INTERRUPTED)


def loaded() -> None:
    """Let an interruption be an exception again, which work in progress can handle."""
    if signal.getsignal(signal.SIGINT) is end_quietly:
        signal.signal(signal.SIGINT, signal.default_int_handler)


if (
    sys.argv
    and is_command(sys.argv[0], sys.orig_argv)
    and signal.getsignal(signal.SIGINT) is signal.default_int_handler
):
    signal.signal(signal.SIGINT, end_quietly)
