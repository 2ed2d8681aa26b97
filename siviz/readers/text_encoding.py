"""One pass over all bytes of a text file: its encoding, and whether it is text."""

import codecs
import re
from dataclasses import dataclass
from typing import BinaryIO

from siviz.readers.sources import ReadingError

#: A file without a line break in so many bytes is no table, nor is a longer cell.
LONGEST_LINE = 16 * 2**20

_HEAD = 2**20
_BLOCK = 4 * 2**20
# The longer mark first: that of UTF-32 begins with that of UTF-16.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_WIDE = ("utf-16", "utf-32")
_UNDEFINED_IN_WINDOWS_1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r\f\v\x1a\x1b"))
_LINE_BREAK = re.compile(rb"[\r\n]")
_LINE_END = re.compile(rb"\n|\r(?!\n)")
_NOTES = {
    "utf-8-sig": "Encoding: UTF-8 with byte-order mark.",
    "cp1252": "The file is not UTF-8; it was read as Windows-1252 (Western European).",
    "latin-1": "The file is not UTF-8; it was read as Latin-1 (Western European).",
}


@dataclass(frozen=True)
class Survey:
    """What one pass over all bytes of a text file shows."""

    head: bytes
    encoding: str
    quotes: bool
    ends_quoted: bool = False

    @property
    def notes(self) -> tuple[str, ...]:
        """The encoding, if it is not plain UTF-8."""
        if self.encoding == "utf-8":
            return ()
        return (_NOTES.get(self.encoding, f"Encoding: {self.encoding.upper()}."),)

    @property
    def wide(self) -> bool:
        """Whether a character takes two bytes or four, so that bytes mean little."""
        return self.encoding.startswith(_WIDE)

    def first_lines(self) -> str:
        """The text of the first part, without a line that it cuts off."""
        text = codecs.getincrementaldecoder(self.encoding)().decode(self.head)
        if len(self.head) < _HEAD:
            return text
        end = max(text.rfind("\n"), text.rfind("\r"))
        return text[: end + 1] if end >= 0 else text


class LongLineError(ReadingError):
    """A line that is no row; ``start`` says at which byte it begins."""

    def __init__(self, start: int) -> None:
        super().__init__(f"the line at byte {start:,} is too long")
        self.start = start


def long_line(file: BinaryIO, start: int) -> str:
    """Which line begins at this byte and how long it is, in words."""
    number, left = 1, start
    while left:
        block = file.read(min(_BLOCK, left))
        number += len(_LINE_END.findall(block))
        left -= len(block)
    length = 0
    while (block := file.read(_BLOCK)) and not _LINE_BREAK.search(block):
        length += len(block)
    found = _LINE_BREAK.search(block)
    length += found.start() if found else len(block)
    return f"line {number:,}: {length / 2**20:,.0f} MB without a line break"


def survey(file: BinaryIO, name: str) -> Survey:
    r"""Read all bytes once: the encoding they have, whether a quotation mark occurs.

    UTF-8 is taken if every byte agrees with it; else Windows-1252, or Latin-1 if the
    five bytes that Windows-1252 leaves undefined occur.

    Examples
    --------
    >>> import io
    >>> survey(io.BytesIO(b"a,b\n\xe9,1\n"), "t.csv").encoding
    'cp1252'
    """
    head = _read_head(file, name)
    scan = _Scan(marked_encoding(head, name), name)
    block = head
    while block:
        scan.see(block)
        block = file.read(_BLOCK)
    scan.decode(b"", final=True)
    # Blanks and the zero bytes of wide encodings may follow a last quotation mark.
    closed = scan.end.rstrip(b"\r\n\t \0\x1a").endswith(b'"')
    return Survey(head, scan.encoding, scan.quotes, closed)


class _Scan:
    """What the blocks of bytes seen so far show."""

    def __init__(self, marked: str, name: str) -> None:
        self.name = name
        self.marked = marked
        self.wide = marked.startswith(_WIDE)
        self.decoder = codecs.getincrementaldecoder(marked)()
        self.quotes = self.undefined = False
        self.valid = True
        self.offset = self.line_start = 0
        self.end = b""

    @property
    def encoding(self) -> str:
        if self.valid:
            return self.marked
        return "latin-1" if self.undefined else "cp1252"

    def see(self, block: bytes) -> None:
        if not self.wide and (place := block.find(0)) >= 0:
            raise ReadingError(
                f"{self.name} holds a NUL byte at byte {self.offset + place}: it is "
                "damaged or no text; export it again as CSV (UTF-8)"
            )
        self.quotes = self.quotes or b'"' in block
        plain = block.isascii() and not self.wide
        if not plain and _UNDEFINED_IN_WINDOWS_1252.search(block):
            self.undefined = True
        # Plain bytes are valid unless a character was begun before them.
        if not plain or self.decoder.getstate() != (b"", 0):
            self.decode(block)
        self._measure_lines(block)
        self.offset += len(block)
        self.end = (self.end + block[-64:])[-64:]

    def _measure_lines(self, block: bytes) -> None:
        """Raise for a line longer than `LONGEST_LINE`, which is several blocks."""
        # A search for both marks would take twice as long.
        last = block.rfind(b"\n")
        last = last if last >= 0 else block.rfind(b"\r")
        first = block.find(block[last : last + 1]) if last >= 0 else len(block)
        if self.offset + first - self.line_start > LONGEST_LINE:
            raise LongLineError(self.line_start)
        if last >= 0:
            self.line_start = self.offset + last + 1

    def decode(self, block: bytes, *, final: bool = False) -> None:
        if not self.valid:
            return
        try:
            self.decoder.decode(block, final=final)
        except UnicodeDecodeError as error:
            if self.marked != "utf-8":
                raise ReadingError(
                    f"{self.name} begins as {self.marked.upper()} but breaks its rules "
                    f"near byte {self.offset + error.start} ({error.reason}); it is "
                    "cut off or damaged: save it again as UTF-8"
                ) from error
            self.valid = False


def _read_head(file: BinaryIO, name: str) -> bytes:
    head = file.read(_HEAD)
    while len(head) >= _HEAD and not _LINE_BREAK.search(head, len(head) // 2):
        more = file.read(_HEAD)
        head += more
        if not more:
            break
        last = max(head.rfind(b"\n"), head.rfind(b"\r"))
        if len(head) > LONGEST_LINE and last < 0:
            raise ReadingError(
                f"{name} has no line break in its first {len(head) // 2**20} MB, so it "
                "has no rows; write one row per line"
            )
        if len(head) - last - 1 > LONGEST_LINE:
            raise LongLineError(last + 1)
    return head


def marked_encoding(head: bytes, name: str) -> str:
    """The encoding that the first bytes show: UTF-8 unless they are marked."""
    for mark, encoding in _BYTE_ORDER_MARKS.items():
        if head.startswith(mark):
            return encoding
    nuls = head.count(0)
    if nuls:
        high = head[1::2].count(0) / nuls
        if nuls > len(head) / 20 and (high > 0.9 or high < 0.1):
            return "utf-16-le" if high > 0.9 else "utf-16-be"
    elif len(head) - len(head.translate(None, _CONTROLS)) > len(head) / 100:
        raise ReadingError(
            f"{name} is no text: more than 1% of its first bytes are control "
            "characters; export the table as CSV, .xlsx or Parquet"
        )
    return "utf-8"
