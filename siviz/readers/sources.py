"""What was given to be read: its bytes, its name and the format of its content."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias

import pyarrow as pa

Format: TypeAlias = Literal["text", "gzip", "workbook", "parquet"]

FORMATS: dict[Format, str] = {
    "text": "delimited text",
    "gzip": "gzip-compressed text",
    "workbook": "an Excel workbook",
    "parquet": "a Parquet file",
}
_BEGINNINGS: dict[bytes, Format] = {
    b"PK\x03\x04": "workbook",
    b"PAR1": "parquet",
    b"\x1f\x8b": "gzip",
}
_SUFFIXES: dict[str, Format] = {
    **dict.fromkeys((".csv", ".tsv", ".tab", ".txt", ".psv"), "text"),
    **dict.fromkeys((".xlsx", ".xlsm", ".xls"), "workbook"),
    **dict.fromkeys((".parquet", ".pq"), "parquet"),
    ".gz": "gzip",
}
_OLD_WORKBOOK = b"\xd0\xcf\x11\xe0"
_OTHER_FORMATS = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"SQLite format 3": "an SQLite database",
    b"ARROW1": "a Feather file",
    b"\x89HDF": "an HDF5 file",
    b"$FL2": "an SPSS file",
    b"<stata_dta>": "a Stata file",
    b"7z\xbc\xaf": "a 7-Zip archive",
    b"Rar!": "a RAR archive",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
    b"\x28\xb5\x2f\xfd": "a Zstandard file",
    b"{\\rtf": "an RTF document",
}
_MARKUP = re.compile(rb"<(!doctype html|html|head|table|meta|\?xml|!--)")
_JSON = re.compile(rb'\{\s*("|\})|\[\s*[\[{"]')


class ReadingError(ValueError):
    """A file that cannot be read as a table; says what, where and what to do."""


@dataclass(frozen=True)
class Source:
    """A file on disk or the bytes of one, with the name to call it by."""

    content: Path | bytes
    name: str

    def open(self) -> pa.NativeFile:
        """The content as a binary file that can be searched."""
        if isinstance(self.content, bytes):
            return pa.BufferReader(self.content)
        try:
            with open(self.content, "rb"):
                pass
            # As bytes: a name need not be text.
            return pa.OSFile(os.fsencode(self.content))
        except FileNotFoundError:
            reason = f"there is no file {self.content}; check the path"
        except IsADirectoryError:
            reason = f"{self.content} is a directory; choose a file in it"
        except PermissionError:
            reason = (
                f"{self.content} may not be read (no permission); change its "
                "permissions or copy it"
            )
        raise ReadingError(reason)

    @contextmanager
    def unpacked(self) -> Iterator[tuple[pa.NativeFile, pa.NativeFile]]:
        """The file itself, to see how far it is read, and its text to read from."""
        with self.open() as raw:
            packed = self.format == "gzip"
            yield raw, pa.CompressedInputStream(raw, "gzip") if packed else raw

    @cached_property
    def format(self) -> Format:
        """What the first bytes say, whatever the name is."""
        with self.open() as file:
            head = file.read(4096)
        if not head:
            raise ReadingError(
                f"{self.name} is empty (0 bytes); choose a file with a header line and "
                "at least one row"
            )
        for beginning, form in _BEGINNINGS.items():
            if head.startswith(beginning):
                return form
        if head.startswith(_OLD_WORKBOOK):
            self._refuse_old_workbook()
        _refuse_other_formats(self.name, head)
        return "text"

    @property
    def notes(self) -> tuple[str, ...]:
        """A note if the name tells another format than the content has."""
        suffix = Path(self.name).suffix.lower()
        if _SUFFIXES.get(suffix, self.format) == self.format:
            return ()
        return (
            f'The name ends in "{suffix}", but the content is {FORMATS[self.format]}: '
            "it was read as that.",
        )

    def _refuse_old_workbook(self) -> None:
        with self.open() as file:
            locked = "EncryptedPackage".encode("utf-16-le") in file.read()
        raise ReadingError(
            f"{self.name} is a workbook protected by a password; open it in Excel and "
            "save it without the password"
            if locked
            else f"{self.name} is an Excel file of the old format (.xls, 1997-2003); "
            "open it in Excel or LibreOffice and save it as .xlsx"
        )


def as_source(given: str | Path | bytes | BinaryIO, name: str | None = None) -> Source:
    """A path, bytes or an open binary file as one kind of thing.

    Examples
    --------
    >>> as_source("data/table.csv").name
    'table.csv'
    """
    if isinstance(given, str | Path):
        return Source(Path(given), name or Path(given).name)
    if isinstance(given, bytes | bytearray | memoryview):
        return Source(bytes(given), name or "the file")
    if not hasattr(given, "read"):
        raise ReadingError(
            "source must be a path, bytes, a binary file or a DataFrame; got "
            f"{type(given).__name__}"
        )
    content = given.read()
    if not isinstance(content, bytes):
        raise ReadingError('source must be a binary file; open it with mode "rb"')
    return Source(content, name or Path(str(getattr(given, "name", "the file"))).name)


@contextmanager
def damage_explained(name: str, hint: str = "") -> Iterator[None]:
    """Turn what Arrow says of a damaged file into a sentence for its owner."""
    try:
        yield
    except pa.ArrowInvalid as error:
        reason = " ".join(str(error).split())[:200]
        raise ReadingError(
            f"{name} cannot be read as a table ({reason}); {hint}save or download it "
            "again"
        ) from error
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise ReadingError(
            f"{name} is damaged or cut off ({error}); copy or download it again"
        ) from error


def _refuse_other_formats(name: str, head: bytes) -> None:
    for beginning, what in _OTHER_FORMATS.items():
        if head.startswith(beginning):
            raise ReadingError(
                f"{name} is {what}; export the table as CSV, .xlsx or Parquet"
            )
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:200].lower()
    if _MARKUP.match(start):
        raise ReadingError(
            f"{name} is a web page or XML (HTML is often saved under the name .xls); "
            "open it in Excel or LibreOffice and save it as .xlsx"
        )
    if _JSON.match(start):
        raise ReadingError(
            f"{name} is JSON; convert it to CSV, for example with pandas.read_json"
        )
