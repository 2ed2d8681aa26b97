"""What is too large for the dashboard, and how to rank it all the same."""

import zipfile
import zlib
from io import BytesIO
from typing import Final

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from siviz.recipes import Recipe, Settings

LARGEST_UPLOAD: Final = 200
"""Megabytes of a file."""
LARGEST_CONTENT: Final = 1_000
"""Megabytes of what is inside a compressed file."""
MOST_CELLS: Final = 50_000_000
MOST_PAIRS: Final = 200_000
"""A ranking of all pairs of 632 columns, which takes about 10 seconds."""
_MEGABYTE: Final = 1 << 20  # as Streamlit counts them


class TooLarge(ValueError):
    """Data that the dashboard does not take, with the command line that does."""

    def __init__(self, told: str, command: str) -> None:
        super().__init__(told)
        self.command = command


def check_size(content: bytes, name: str) -> None:
    """Raise if a file is, or unpacks to, more than this server should hold.

    Raises
    ------
    TooLarge
    """
    if len(content) > LARGEST_UPLOAD * _MEGABYTE:
        _refuse(name, f"{len(content) // _MEGABYTE:,} MB", f"{LARGEST_UPLOAD:,} MB")
    if unpacks_beyond(content, LARGEST_CONTENT * _MEGABYTE):
        _refuse(name, "more inside it than this page unpacks", f"{LARGEST_CONTENT} MB")
    rows, columns = _parquet_shape(content)
    _check_cells(rows, columns, name)


def check_shape(frame: pd.DataFrame, name: str) -> None:
    """Raise if a table has more cells than this server should rank."""
    _check_cells(*frame.shape, name)


def check_pairs(frame: pd.DataFrame, settings: Settings, recipe: Recipe) -> None:
    """Raise if there are more pairs than a table on a page can show.

    Raises
    ------
    TooLarge
    """
    out = {settings.weights, settings.given} - {None}
    out |= {n for n, c in settings.overrides.items() if c.get("kind") == "leave out"}
    columns = frame.shape[1] - len(out)
    pairs = columns * (columns - 1) // 2
    if settings.target is None and pairs > MOST_PAIRS:
        raise TooLarge(
            f"{columns:,} columns make {pairs:,} pairs, and this page ranks up to "
            f"{MOST_PAIRS:,}: choose a target, leave columns out, or rank all pairs on "
            "the command line",
            f"{recipe.command()} --format csv --output ranking.csv",
        )


def unpacks_beyond(content: bytes, most: int) -> bool:
    """Whether a gzip or zip file holds more bytes than this, without unpacking it all.

    Examples
    --------
    >>> import gzip
    >>> packed = gzip.compress(bytes(10_000))
    >>> unpacks_beyond(packed, 9_999), unpacks_beyond(packed, 10_000)
    (True, False)
    """
    if content.startswith(b"PK\x03\x04"):
        try:
            members = zipfile.ZipFile(BytesIO(content)).infolist()
        except zipfile.BadZipFile:  # the reader says so
            return False
        return sum(member.file_size for member in members) > most
    return content.startswith(b"\x1f\x8b") and _gzip_beyond(content, most)


def _gzip_beyond(content: bytes, most: int) -> bool:
    total, rest = 0, content
    while rest.startswith(b"\x1f\x8b"):  # a gzip file may have several members
        unpacking = zlib.decompressobj(wbits=31)
        while not unpacking.eof and rest:
            try:
                total += len(unpacking.decompress(rest, 1 << 20))
            except zlib.error:  # the reader says so
                return total > most
            if total > most:
                return True
            if not unpacking.unconsumed_tail and not unpacking.eof:
                return False
            rest = unpacking.unconsumed_tail
        rest = unpacking.unused_data
    return False


def _parquet_shape(content: bytes) -> tuple[int, int]:
    if not content.startswith(b"PAR1"):
        return 0, 0
    try:
        facts = pq.read_metadata(pa.BufferReader(content))
    except (pa.ArrowInvalid, OSError):  # the reader says so
        return 0, 0
    return facts.num_rows, facts.num_columns


def _check_cells(rows: int, columns: int, name: str) -> None:
    if rows * columns > MOST_CELLS:
        shape = f"{rows:,} rows of {columns:,} columns"
        _refuse(name, shape, f"{MOST_CELLS:,} cells")


def _refuse(name: str, has: str, limit: str) -> None:
    raise TooLarge(
        f"{name} has {has}, and this page takes up to {limit}: rank it on the command "
        "line, which reads large files in parts",
        f"{Recipe(Settings(), name).command()} --format html --output report.html",
    )
