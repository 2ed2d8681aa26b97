"""What the command line writes on a terminal: a table and a progress bar."""

import sys
import time
from typing import Final, TextIO

import pandas as pd

_WIDEST: Final = 28  # characters of a name in a table
_BAR: Final = 30
_PATIENCE: Final = 0.7  # seconds before a bar appears, and between its changes


def ranking_text(frame: pd.DataFrame, *, top: int) -> str:
    """The strongest pairs of a ranking's frame as lines of text.

    Examples
    --------
    >>> shorten("a name of far more than twenty-eight letters")
    'a name of far more than twe…'
    """
    shown = frame.head(top)
    columns = {
        "rank": [str(rank) for rank in shown["rank"]],
        "first": [shorten(name) for name in shown["first"]],
        "second": [shorten(name) for name in shown["second"]],
        "SI": [f"{score:z.2f}" for score in shown["score"]],
        "log10 q": [f"{q:z.1f}" for q in shown["log10_q"]],
        "rows": [f"{rows:,}" for rows in shown["rows"]],
        "states": [
            f"{a} x {b}"
            for a, b in zip(shown["states_first"], shown["states_second"], strict=True)
        ],
        "MI": [f"{value:.4f}" for value in shown["mi"]] if "mi" in shown else [],
        "note": list(shown["note"]),
    }
    texts = {"first", "second", "note"}
    blocks = []
    for name, values in columns.items():
        if not any(values):
            continue
        width = max(len(name), *map(len, values))
        align = str.ljust if name in texts else str.rjust
        blocks.append([align(text, width) for text in (name, "-" * width, *values)])
    lines = ["  ".join(cells).rstrip() for cells in zip(*blocks, strict=True)]
    if len(frame) > top:
        lines.append(f"… and {len(frame) - top:,} more pairs (--top, or --format csv)")
    return "\n".join(lines) + "\n"


def shorten(name: str) -> str:
    """A name on one line, of at most 28 characters."""
    line = " ".join(str(name).split())
    return line if len(line) <= _WIDEST else line[: _WIDEST - 1] + "…"


class ProgressBar:
    """A bar on a terminal, which appears only if the work takes long.

    Use it as a context: the bar is wiped at the end.  Without a terminal it is silent.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.visible = self.stream.isatty()
        self.told = time.monotonic()
        self.drawn = False

    def __enter__(self) -> "ProgressBar":
        return self

    def __exit__(self, *exception: object) -> None:
        if self.drawn:
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def __call__(self, fraction: float, what: str) -> None:
        """Draw the bar, unless it was drawn a moment ago."""
        now = time.monotonic()
        if not self.visible or now - self.told < _PATIENCE:
            return
        self.told, self.drawn = now, True
        done = round(_BAR * fraction)
        bar = "█" * done + "░" * (_BAR - done)
        self.stream.write(f"\r\x1b[K{bar} {fraction:4.0%} {what}")
        self.stream.flush()
