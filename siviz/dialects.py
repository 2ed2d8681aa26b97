"""How a delimited text file is written: encoding, delimiter, header, numbers, gaps.

Everything here looks at bytes or cells and decides; `siviz.readers` reads files with
what was decided.  Decisions about bytes (`survey`) see the whole file, decisions about
the delimiter and the header (`find_dialect`) its first part, and decisions about
numbers (`Facts`) every cell, so that a late surprise cannot change an early value.
"""

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO, Literal, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

#: Cells with nothing else in them (blanks around are ignored) hold no value.  Words
#: that can be a state of their own, such as "no", "none", "0" or "unknown", are not
#: among them.
MISSING = (
    *("", "NA", "N/A", "n/a", "N.A.", "n.a.", "#N/A", "#NA", "<NA>", "NaT"),
    *("NaN", "nan", "NAN", "Nan", "-NaN", "-nan", "null", "NULL", "Null", "(null)"),
    *("None", "\\N", "?", "-", "--", "–", "—", "."),
    # What a spreadsheet shows where a formula failed.
    *("#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"),
)
#: More columns than this are refused: nobody can read a ranking of 50 million pairs.
MOST_COLUMNS = 10_000
#: A file without a line break in so many bytes is no table.
LONGEST_LINE = 16 * 2**20

Delimiter: TypeAlias = Literal[",", ";", "\t", "|"]
# The comma last, as it also occurs in numbers and sentences: if several marks divide
# all lines equally well, the first of these is taken.
DELIMITERS: dict[Delimiter, str] = {
    "\t": "tabs",
    ";": "semicolons",
    "|": "vertical bars",
    ",": "commas",
}
Kind: TypeAlias = Literal["whole", "number", "comma", "text"]

_HEAD = 2**20
_BLOCK = 4 * 2**20
_EXACT = 2**53
_FIRST = 100
# The longer mark first: that of UTF-32 begins with that of UTF-16.
_BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_UNDEFINED_IN_WINDOWS_1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r\f\v\x1a\x1b"))
_LINE_BREAK = re.compile(rb"[\r\n]")
_THOUSANDS = r"^[+-]?[1-9]\d{0,2}(,\d{3})+$"


class ReadingError(ValueError):
    """A file that cannot be read as a table; says what, where and what to do."""


@dataclass(frozen=True)
class Survey:
    """What one pass over all bytes of a text file shows."""

    head: bytes
    encoding: str
    quotes: bool
    ends_quoted: bool = False


@dataclass(frozen=True)
class Dialect:
    """How to cut the text into named columns, and what was decided on the way."""

    delimiter: Delimiter
    encoding: str
    quotes: bool
    ends_quoted: bool
    skipped_lines: int
    header: bool
    names: tuple[str, ...]
    index: bool
    unnamed_tail: int
    row_bytes: int
    repetitive: frozenset[str]
    notes: tuple[str, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns to read: all but a written row index."""
        return self.names[1:] if self.index else self.names


def survey(file: BinaryIO, name: str) -> Survey:
    """Read all bytes once: the encoding they have, whether a quotation mark occurs.

    UTF-8 is taken if every byte agrees with it; else Windows-1252, or Latin-1 if the
    five bytes that Windows-1252 leaves undefined occur.
    """
    head = _read_head(file, name)
    encoding = _marked_encoding(head, name)
    wide = encoding.startswith(("utf-16", "utf-32"))
    decoder = codecs.getincrementaldecoder(encoding)()
    valid, quotes, undefined, offset = True, False, False, 0
    block, end = head, b""
    while True:
        if not wide and (place := block.find(0)) >= 0:
            raise ReadingError(
                f"{name} holds a NUL byte at byte {offset + place}: it is damaged or "
                "no text; export it again as CSV (UTF-8)"
            )
        quotes = quotes or b'"' in block
        plain = block.isascii() and not wide
        if not plain and _UNDEFINED_IN_WINDOWS_1252.search(block):
            undefined = True
        try:
            if valid and not (plain and block and decoder.getstate() == (b"", 0)):
                decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            if encoding != "utf-8":
                raise ReadingError(
                    f"{name} begins as {encoding.upper()} but breaks its rules near "
                    f"byte {offset + error.start} ({error.reason}); it is cut off or "
                    "damaged: save it again as UTF-8"
                ) from error
            valid = False
        if not block:
            break
        offset += len(block)
        end = (end + block[-64:])[-64:]
        block = file.read(_BLOCK)
    if not valid:
        encoding = "latin-1" if undefined else "cp1252"
    # Blanks and the zero bytes of wide encodings may follow a last quotation mark.
    closed = end.rstrip(b"\r\n\t \0\x1a").endswith(b'"')
    return Survey(head, encoding, quotes, closed)


def _read_head(file: BinaryIO, name: str) -> bytes:
    head = file.read(_HEAD)
    while len(head) >= _HEAD and not _LINE_BREAK.search(head, len(head) // 2):
        more = file.read(_HEAD)
        head += more
        if not more:
            break
        if len(head) > LONGEST_LINE and not _LINE_BREAK.search(head):
            raise ReadingError(
                f"{name} has no line break in its first {len(head) // 2**20} MB, so it "
                "has no rows; write one row per line"
            )
    return head


def _marked_encoding(head: bytes, name: str) -> str:
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


def find_dialect(facts: Survey, name: str) -> Dialect:
    r"""The delimiter, the header and the names, from the first part of the file.

    The delimiter is the one that splits the first line into several fields and agrees
    with the most lines after it.  A first line of numbers only is data, not a header.

    Examples
    --------
    >>> found = find_dialect(Survey(b"a;b;a\n1,5;2;x\n", "utf-8", False), "t.csv")
    >>> found.delimiter, found.names
    (';', ('a', 'b', 'a (2)'))
    """
    text = _whole_lines(facts)
    skipped, declared, text = _without_preface(text, facts.head, name)
    delimiter, rows = _find_delimiter(text, declared)
    if rows.num_columns > MOST_COLUMNS:
        raise ReadingError(
            f"{name} has {rows.num_columns:,} columns, more than {MOST_COLUMNS:,}; "
            "choose the columns of interest and save only those"
        )
    first = [str(column[0]) for column in rows.columns]
    header = not _looks_like_data(first, delimiter)
    if header and not text.strip("\r\n").count("\n") + text.strip().count("\r"):
        raise ReadingError(
            f"{name} has only a header line ({len(first)} names) and no rows; add at "
            "least one row"
        )
    names, notes = unique_names(first if header else [""] * len(first))
    index = header and len(first) > 1 and _is_row_index(first[0], rows.column(0)[1:])
    named = [place for place, raw in enumerate(first) if raw.strip() or not header]
    longest = max(len(line) for line in text.split("\n", 50)[:50])
    return Dialect(
        delimiter=delimiter,
        encoding="utf-8" if facts.encoding == "utf-8-sig" else facts.encoding,
        quotes=facts.quotes,
        ends_quoted=facts.ends_quoted,
        skipped_lines=skipped,
        header=header,
        names=names,
        index=index,
        unnamed_tail=len(first) - 1 - max(named, default=0),
        row_bytes=4 * longest,
        repetitive=frozenset(
            name
            for name, column in zip(names, rows.columns, strict=True)
            if is_repetitive(column)
        ),
        notes=(
            *_layout_notes(facts.encoding, delimiter, len(first)),
            *([] if header else [_NO_HEADER]),
            *(notes if header else []),
            *([_INDEX] if index else []),
        ),
    )


_NO_HEADER = (
    "The first line holds only numbers, so it was kept as data and the columns were "
    'named "column 1", "column 2", ...; add a line of names if it is a header.'
)
_INDEX = "The first column has no name and only counts the rows: it was skipped."
_ENCODINGS = {
    "utf-8-sig": "Encoding: UTF-8 with byte-order mark.",
    "cp1252": "The file is not UTF-8; it was read as Windows-1252 (Western European).",
    "latin-1": "The file is not UTF-8; it was read as Latin-1 (Western European).",
}


def _layout_notes(encoding: str, delimiter: Delimiter, columns: int) -> list[str]:
    layout = (
        "One column: no comma, semicolon, tab or vertical bar divides the first line."
        if columns == 1
        else f"Text file with {columns} columns, separated by {DELIMITERS[delimiter]}."
    )
    if encoding == "utf-8":
        return [layout]
    return [layout, _ENCODINGS.get(encoding, f"Encoding: {encoding.upper()}.")]


def _whole_lines(facts: Survey) -> str:
    decoder = codecs.getincrementaldecoder(facts.encoding)()
    text = decoder.decode(facts.head)
    if len(facts.head) < _HEAD:
        return text
    end = max(text.rfind("\n"), text.rfind("\r"))
    return text[: end + 1] if end >= 0 else text


def _without_preface(
    text: str, head: bytes, name: str
) -> tuple[int, Delimiter | None, str]:
    """Count and drop leading blank lines and the line ``sep=;`` of spreadsheets."""
    body = text.lstrip("\r\n")
    skipped = len(text[: len(text) - len(body)].splitlines())
    declared: Delimiter | None = None
    if found := re.match(r"sep=([,;\t|])(\r\n|\n|\r)+", body):
        declared = found[1]  # type: ignore[assignment]
        skipped += len(found[0].splitlines())
        body = body[found.end() :]
    if not body.strip():
        raise ReadingError(
            f"{name} is empty ({len(head)} bytes, no text); choose a file with a "
            "header line and at least one row"
        )
    return skipped, declared, body


def _find_delimiter(
    text: str, declared: Delimiter | None
) -> tuple[Delimiter, pa.Table]:
    # Always ended by a line break: Arrow cannot skip past a last line without one.
    content = (text.rstrip("\r\n") + "\n").encode("utf-8", "surrogatepass")
    best, most, width = declared or ",", (False, 0.0), 1
    for mark in [declared] if declared else DELIMITERS:
        rows, others = _split(content, mark)
        score = (rows.num_columns > 1, rows.num_rows / (rows.num_rows + others))
        if score > most and (score[0] or mark == best):
            best, most, width = mark, score, rows.num_columns
    return best, _split(content, best, width)[0]


def _split(
    content: bytes, delimiter: Delimiter, width: int = 0
) -> tuple[pa.Table, int]:
    """The rows as long as the first one, as text if the width is known; the others."""
    others = 0

    def skip(row: pacsv.InvalidRow) -> str:
        nonlocal others
        others += 1
        return "skip"

    rows = pacsv.read_csv(
        pa.BufferReader(content),
        pacsv.ReadOptions(
            use_threads=False,
            block_size=len(content) + 1,
            autogenerate_column_names=True,
        ),
        pacsv.ParseOptions(
            delimiter=delimiter, newlines_in_values=True, invalid_row_handler=skip
        ),
        pacsv.ConvertOptions(
            column_types={f"f{place}": pa.string() for place in range(width)},
        ),
    )
    return rows, others


def is_repetitive(column: pa.ChunkedArray) -> bool:
    """Whether cells repeat so often that it is faster to look at distinct ones only."""
    sample = column[:2000]
    return len(sample) <= 100 or len(pc.unique(sample)) <= max(len(sample) / 4, 100)


def _looks_like_data(first: Sequence[str], delimiter: Delimiter) -> bool:
    values = pa.array([cell for cell in first if cell.strip() not in MISSING])
    if not len(values):
        return False
    facts = facts_of(values.cast(pa.string()))
    return facts.numeric or (delimiter != "," and facts.comma)


def _is_row_index(name: str, values: pa.ChunkedArray) -> bool:
    cells = values.to_pylist()
    return (
        not name.strip()
        and bool(cells)
        and cells[0] in ("0", "1")
        and all(cell == str(n) for n, cell in enumerate(cells, int(cells[0])))
    )


def unique_names(raw: Sequence[object]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names without blanks around, none empty, none twice; and what was changed.

    Examples
    --------
    >>> unique_names(["a", " b", "", "a"])[0]
    ('a', 'b', 'column 3', 'a (2)')
    """
    plain = [str(name).lstrip("\ufeff") for name in raw]
    stripped = [name.strip() for name in plain]
    taken, names = set(stripped), []
    seen: set[str] = set()
    for place, name in enumerate(stripped, 1):
        unique, count = name or f"column {place}", 1
        while unique in seen or ((count > 1 or not name) and unique in taken):
            count += 1
            unique = f"{name or f'column {place}'} ({count})"
        seen.add(unique)
        names.append(unique)
    blanks = [old for old, new in zip(plain, stripped, strict=True) if old != new]
    empty = [new for old, new in zip(stripped, names, strict=True) if not old]
    twice = [
        new for old, new in zip(stripped, names, strict=True) if old and old != new
    ]
    notes = (
        ("Blanks around column names were removed", [b for b in blanks if b.strip()]),
        ("Columns without a name were named", empty),
        ("Column names that occur twice were renamed", twice),
    )
    return tuple(names), tuple(f"{said}: {listed(n)}." for said, n in notes if n)


def listed(names: Sequence[str], most: int = 5) -> str:
    """Some names in quotation marks, shortened where they are many or long."""
    short = [name if len(name) <= 60 else name[:57] + "..." for name in names[:most]]
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f'"{name}"' for name in short) + more


@dataclass(frozen=True)
class Facts:
    """What is true of the cells of a column; facts of its parts add up.

    The flags ``numeric``, ``whole``, ``comma`` and ``thousands`` say "all cells", the
    others "some cell".  ``comma`` is about numbers if a comma marks their decimals.
    """

    filled: bool = False
    missing: bool = False
    numeric: bool = True
    whole: bool = True
    leading_zero: bool = False
    inexact: bool = False
    comma: bool = True
    has_comma: bool = False
    thousands: bool = True

    def __add__(self, other: "Facts") -> "Facts":
        every = ("numeric", "whole", "comma", "thousands")
        return Facts(
            **{
                key: value and vars(other)[key]
                if key in every
                else value or vars(other)[key]
                for key, value in vars(self).items()
            }
        )

    @property
    def undecided(self) -> bool:
        """Whether further cells can change what kind of column this is."""
        return self.numeric or self.comma

    @property
    def decimal_comma(self) -> bool:
        """Whether the commas can only be decimal commas (not thousands)."""
        return self.comma and self.has_comma and not self.thousands

    def kind(self, *, decimal_comma: bool) -> Kind:
        """What the column becomes, given how the file writes decimals."""
        if self.numeric and not self.leading_zero:
            if self.whole and self.filled and not self.missing:
                return "whole"
            return "text" if self.inexact else "number"
        return "comma" if decimal_comma and self.comma and self.has_comma else "text"


def facts_of(
    values: pa.Array | pa.ChunkedArray,
    *,
    missing: bool = False,
    floats: pa.Array | pa.ChunkedArray | None = None,
) -> Facts:
    """Facts of the cells that hold a value (their distinct texts are enough).

    ``floats`` are the values as numbers, if they are known already.

    Examples
    --------
    >>> facts_of(pa.array(["1", "2.5"])).kind(decimal_comma=False)
    'number'
    >>> facts_of(pa.array(["01234", "99999"])).kind(decimal_comma=False)
    'text'
    """
    facts = Facts(filled=len(values) > 0, missing=missing)
    numbers = as_floats(values) if floats is None else floats
    if numbers is None:
        facts = replace(facts, numeric=False, whole=False)
        return _with_comma_facts(facts, values)
    whole = as_integers(values) is not None
    return replace(
        facts,
        missing=missing or bool(pc.any(pc.is_nan(numbers)).as_py()),
        whole=whole,
        comma=whole or not _contains(values, "."),
        leading_zero=_some_leading_zero(values),
        inexact=_some_inexact(values, numbers),
    )


def _contains(values: pa.Array | pa.ChunkedArray, mark: str) -> bool:
    # The first cells mostly answer, at no cost.
    return any(
        pc.any(pc.match_substring(part, mark)).as_py()
        for part in (values[:_FIRST], values)
    )


def _with_comma_facts(facts: Facts, values: pa.Array | pa.ChunkedArray) -> Facts:
    with_comma = values.filter(pc.match_substring(values, ","))
    if (
        len(with_comma) == 0
        or _contains(values, ".")
        or as_floats(values, decimal_comma=True) is None
    ):
        return replace(facts, comma=False)
    thousands = pc.all(pc.match_substring_regex(with_comma, _THOUSANDS)).as_py()
    return replace(facts, has_comma=True, thousands=bool(thousands))


def _some_leading_zero(values: pa.Array | pa.ChunkedArray) -> bool:
    suspect = pc.and_not(pc.starts_with(values, "0"), pc.starts_with(values, "0."))
    for sign in ("+", " "):
        suspect = pc.or_(suspect, pc.starts_with(values, sign))
    found = pc.match_substring_regex(values.filter(suspect), r"^\s*[+]?0\d")
    return bool(pc.any(found).as_py())


def _some_inexact(
    values: pa.Array | pa.ChunkedArray, numbers: pa.Array | pa.ChunkedArray
) -> bool:
    size = pc.abs(numbers)
    if (pc.max(size).as_py() or 0) < _EXACT:
        return False
    large = values.filter(pc.greater_equal(size, float(_EXACT)))
    found = pc.match_substring_regex(large, r"^\s*[+-]?\d+\s*$")
    return bool(pc.any(found).as_py())


def as_floats(
    values: pa.Array | pa.ChunkedArray, *, decimal_comma: bool = False
) -> pa.Array | pa.ChunkedArray | None:
    """The texts as 64-bit floats, or None if one of them is not a number."""
    if decimal_comma:
        values = pc.replace_substring(values, ",", ".")
    return _cast(values, pa.float64())


def as_integers(
    values: pa.Array | pa.ChunkedArray,
) -> pa.Array | pa.ChunkedArray | None:
    """The texts as 64-bit integers, or None if one of them is none."""
    return _cast(values, pa.int64())


def _cast(
    values: pa.Array | pa.ChunkedArray, wanted: pa.DataType
) -> pa.Array | pa.ChunkedArray | None:
    for clean in (lambda cells: cells, pc.utf8_trim_whitespace):
        try:
            # A few cells mostly tell that the others need not be tried.
            clean(values[:_FIRST]).cast(wanted)
            return clean(values).cast(wanted)
        except pa.ArrowInvalid:
            continue
    return None
