"""How a delimited text file is cut into columns: titles, delimiter, header, names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pacsv

from siviz.readers.cells import MISSING
from siviz.readers.column_kinds import facts_of
from siviz.readers.column_names import listed, refuse_too_many_columns, unique_names
from siviz.readers.sources import ReadingError

Delimiter: TypeAlias = Literal[",", ";", "\t", "|"]
# The comma last, as it also occurs in numbers and sentences: if several marks divide
# all lines equally well, the first of these is taken.
DELIMITERS: dict[Delimiter, str] = {
    "\t": "tabs",
    ";": "semicolons",
    "|": "vertical bars",
    ",": "commas",
}

_NO_HEADER = (
    "The first line holds only numbers, so it was kept as data and the columns were "
    'named "column 1", "column 2", ...; add a line of names if it is a header.'
)
_MARKED = "The mark # before the names of the columns was removed."
_INDEX = "The first column has no name and only counts the rows: it was skipped."


@dataclass(frozen=True)
class Dialect:
    """How to cut the text into named columns, and what was decided on the way."""

    delimiter: Delimiter
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


def find_dialect(text: str, name: str) -> Dialect:
    r"""The delimiter, the header and the names, from the first lines of a file.

    The delimiter is the one that splits the first line into several fields and agrees
    with the most lines after it.  A first line of numbers only is data, not a header.

    Examples
    --------
    >>> found = find_dialect("a;b;a\n1,5;2;x\n", "t.csv")
    >>> found.delimiter, found.names
    (';', ('a', 'b', 'a (2)'))
    """
    preface = _find_preface(text)
    body = text[preface.length :]
    _refuse_blank(body, name)
    delimiter, cut = _find_delimiter(body, preface.declared)
    refuse_too_many_columns(cut.rows.num_columns, name)
    cut, longer = _with_ends(body, delimiter, cut, name)
    first = [str(column[0]) for column in cut.rows.columns]
    if marked := re.match(r"#\s+(?=\S)", first[0]):
        first[0] = first[0][marked.end() :]
    header = not _looks_like_data(first, delimiter)
    if header and cut.rows.num_rows == 1 and not cut.others:
        _refuse_header_alone(first, name)
    names, renamed = unique_names(first if header else [""] * len(first))
    index = header and _begins_with_index(first, cut.rows)
    return Dialect(
        delimiter=delimiter,
        skipped_lines=len(re.findall(r"\r\n|\r|\n", text[: preface.length])),
        header=header,
        names=names,
        index=index,
        unnamed_tail=_unnamed_tail(first) if header else 0,
        row_bytes=_row_bytes(body),
        repetitive=_repetitive(names, cut.rows),
        notes=(
            _layout(delimiter, len(first)),
            *preface.notes,
            *([_MARKED] if marked else []),
            *longer,
            *(renamed if header else [_NO_HEADER]),
            *([_INDEX] if index else []),
        ),
    )


def _refuse_blank(body: str, name: str) -> None:
    if not body.strip():
        raise ReadingError(
            f"{name} is empty (it holds no text); choose a file with a header line and "
            "at least one row"
        )


def _refuse_header_alone(first: Sequence[str], name: str) -> None:
    quoted = any(mark in cell for cell in first for mark in "\r\n")
    remedy = (
        "close the quotation mark that joins all lines to it, or " if quoted else ""
    )
    raise ReadingError(
        f"{name} has only a header line ({len(first)} names) and no rows; {remedy}add "
        "at least one row"
    )


def _layout(delimiter: Delimiter, columns: int) -> str:
    if columns == 1:
        return (
            "One column: no comma, semicolon, tab or vertical bar divides the first "
            "line."
        )
    return f"Text file with {columns} columns, separated by {DELIMITERS[delimiter]}."


# Lines above the table


class _Preface(NamedTuple):
    length: int
    declared: Delimiter | None = None
    notes: tuple[str, ...] = ()


def _find_preface(text: str) -> _Preface:
    """Blank lines and comments, then the line ``sep=;`` of spreadsheets or a title."""
    length, notes = _find_comments(text)
    body = text[length:].lstrip("\r\n")
    blank = len(text) - len(body)
    if found := re.match(r"sep=([,;\t|])[\r\n]+", body):
        return _Preface(blank + found.end(), cast(Delimiter, found[1]), notes)
    found = re.match(r'([^,;\t|"\r\n]+)[\r\n]+', body)
    if found and _is_table(body[found.end() :]):
        note = f"The first line was skipped as a title: {listed([found[1]])}."
        return _Preface(blank + found.end(), None, (*notes, note))
    return _Preface(blank, None, notes)


def _find_comments(text: str) -> tuple[int, tuple[str, ...]]:
    """How far the lines go that begin with ``#``, and what is to be told of them.

    A line with as many fields as the first line without the mark holds the names if the
    mark belongs to one, as in ``#CHROM``, or if only numbers are below.
    """
    found = re.match(r"(?:\s*#[^\r\n]*[\r\n]+)*", text)
    end = found.end() if found else 0
    below = re.match(r"[^\r\n]+", text[end:])
    if below is None:
        return 0, ()
    comments: list[str] = []
    length = 0
    for line in re.finditer(r"\s*(#[^\r\n]*)[\r\n]+", text[:end]):
        if _holds_names(line[1], below[0]):
            break
        comments.append(line[1].strip())
        length = line.end()
    what = "Lines above the names that begin with # were skipped as comments"
    told = f"{what} ({len(comments):,}): {listed(comments)}."
    return length, (told,) if comments else ()


def _holds_names(line: str, below: str) -> bool:
    return any(
        line.count(mark) == below.count(mark) > 0
        and (re.match(r"#[^#\s]", line) or _looks_like_data(below.split(mark), mark))
        for mark in DELIMITERS
    )


def _is_table(text: str) -> bool:
    """Whether all lines have equally many fields, several, in several lines.

    Commas are not counted: they also occur in the numbers and sentences of files that
    have one column.
    """
    try:
        cuts = [_cut(text, mark) for mark in DELIMITERS if mark != ","]
    except pa.ArrowInvalid:
        return False
    return any(
        cut.rows.num_columns > 1 and cut.rows.num_rows > 1 and not cut.others
        for cut in cuts
    )


# Fields


class _Cut(NamedTuple):
    """The lines with as many fields as the first, and how many others there are."""

    rows: pa.Table
    others: int


def _find_delimiter(text: str, declared: Delimiter | None) -> tuple[Delimiter, _Cut]:
    best, most, width = declared or ",", (False, 0.0), 1
    for mark in [declared] if declared else DELIMITERS:
        rows, others = _cut(text, mark)
        score = (rows.num_columns > 1, rows.num_rows / (rows.num_rows + others))
        if score > most and (score[0] or mark == best):
            best, most, width = mark, score, rows.num_columns
    return best, _cut(text, best, width)


def _with_ends(
    text: str, delimiter: Delimiter, cut: _Cut, name: str
) -> tuple[_Cut, tuple[str, ...]]:
    """The same, unless all rows go on after the names with empty fields."""
    first = [str(column[0]) for column in cut.rows.columns]
    names = re.match(r'[^"\r\n]+[\r\n]+', text)
    if len(first) == 1 or cut.rows.num_rows > 1 or not cut.others or names is None:
        return cut, ()
    width = _cut(text[names.end() :], delimiter).rows.num_columns
    below = _cut(text[names.end() :], delimiter, width)
    extra = width - len(first)
    if below.others or extra < 1:
        return cut, ()
    ends = below.rows.columns[len(first) :]
    if any(pc.any(pc.not_equal(column, "")).as_py() for column in ends):
        raise ReadingError(
            f"{name}: the names of the columns are {len(first)}, but every row has "
            f"{width} fields separated by {DELIMITERS[delimiter]}; add the missing "
            "names (R leaves out that of the row names), or put cells that contain the "
            "separator in double quotation marks"
        )
    cells = zip([*first, *[""] * extra], below.rows.columns, strict=True)
    rows = [pa.chunked_array([[head], *column.chunks]) for head, column in cells]
    table = pa.table(rows, names=below.rows.column_names)
    what = f"Every row ends in {extra} more of the {DELIMITERS[delimiter]} than the"
    return _Cut(table, 0), (f"{what} line of names has: nothing follows them.",)


def _cut(text: str, delimiter: Delimiter, width: int = 0) -> _Cut:
    """Split all lines; the first ``width`` columns are kept as text."""
    # Always ended by a line break: Arrow cannot skip past a last line without one.
    content = (text.rstrip("\r\n") + "\n").encode("utf-8", "surrogatepass")
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
    return _Cut(rows, others)


# Header and columns


def _looks_like_data(first: Sequence[str], delimiter: Delimiter) -> bool:
    values = [cell for cell in first if cell.strip() not in MISSING]
    facts = facts_of(pa.array(values, pa.string()))
    return facts.filled and (facts.numeric or (delimiter != "," and facts.comma))


def _begins_with_index(first: Sequence[str], rows: pa.Table) -> bool:
    """Whether the first of several columns has no name and counts the rows."""
    if len(first) == 1 or first[0].strip():
        return False
    cells = rows.column(0)[1:].to_pylist()
    return bool(
        cells
        and cells[0] in ("0", "1")
        and all(cell == str(n) for n, cell in enumerate(cells, int(cells[0])))
    )


def _unnamed_tail(first: Sequence[str]) -> int:
    named = [place for place, raw in enumerate(first) if raw.strip()]
    return len(first) - 1 - max(named, default=0)


def _row_bytes(body: str) -> int:
    """At most how many bytes a row takes, by the first ones."""
    return 4 * max(len(line) for line in body.split("\n", 50)[:50])


def _repetitive(names: Sequence[str], rows: pa.Table) -> frozenset[str]:
    """Columns whose cells repeat so often that looking at distinct ones is faster."""

    def repeats(column: pa.ChunkedArray) -> bool:
        sample = column[:2000]
        return len(sample) <= 100 or len(pc.unique(sample)) <= max(len(sample) / 4, 100)

    pairs = zip(names, rows.columns, strict=True)
    return frozenset(name for name, column in pairs if repeats(column))
