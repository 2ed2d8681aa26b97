"""Data frames as an Excel workbook, written in memory.

Libraries that write workbooks put their parts into temporary files, and data of a
visitor must not touch the disk.  Here the few parts that a plain table needs are made
as text, which is also ten times as fast.
"""

import zipfile
from collections.abc import Mapping
from io import BytesIO
from math import isfinite
from typing import Any, Final
from xml.sax.saxutils import escape

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from siviz.markup import printable, shorten
from siviz.written_columns import TEXT, join, joined_rows, written

LONGEST_CELL: Final = 32_767
"""Characters of a cell."""
FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""A text that begins so may be taken for a formula by a spreadsheet."""

_WIDTHS: Final = (8, 60)  # of columns, in characters
_PLAIN, _BOLD, _QUOTED = range(3)  # places of the formats in _STYLES
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
_OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_STYLES: Final = (
    f'<styleSheet xmlns="{_MAIN}">'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="2"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill></fills>'
    '<borders count="1"><border/></borders>'
    '<cellStyleXfs count="1"><xf/></cellStyleXfs>'
    '<cellXfs count="3"><xf/><xf fontId="1" applyFont="1"/><xf quotePrefix="1"/>'
    '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/>'
    "</cellStyles></styleSheet>"
)


def workbook_bytes(sheets: Mapping[str, pd.DataFrame]) -> bytes:
    """The frames as sheets with a bold, frozen header that can be filtered by.

    Numbers keep their full precision, nan is an empty cell.  Texts are typed as texts,
    so none is ever a formula; what a sheet cannot hold is replaced: see `cell_text`.

    Parameters
    ----------
    sheets : mapping of title to DataFrame
    """
    parts = {
        "[Content_Types].xml": _content_types(len(sheets)),
        "_rels/.rels": _relations({"rId1": ("officeDocument", "xl/workbook.xml")}),
        "xl/workbook.xml": _book(sheets),
        "xl/_rels/workbook.xml.rels": _relations(
            {"rId0": ("styles", "styles.xml")}
            | {f"rId{n}": ("worksheet", _part(n)) for n in range(1, len(sheets) + 1)}
        ),
        "xl/styles.xml": _STYLES,
    }
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=3) as file:
        for name, part in parts.items():
            file.writestr(name, _HEAD + part)
        for number, frame in enumerate(sheets.values(), 1):
            file.writestr(f"xl/{_part(number)}", _HEAD + _sheet(frame))
    return buffer.getvalue()


def cell_text(text: str) -> str:
    r"""The text as a cell can hold it.

    Examples
    --------
    >>> cell_text("two\r\nlines"), len(cell_text("x" * 40_000))
    ('two\nlines', 32767)
    """
    unix = text.replace("\r\n", "\n").replace("\r", "\n")  # XML knows no other
    return shorten(printable(unix), LONGEST_CELL)


def _part(number: int) -> str:
    return f"worksheets/sheet{number}.xml"


def _content_types(sheets: int) -> str:
    parts = [("workbook.xml", "sheet.main"), ("styles.xml", "styles")]
    parts += [(_part(number), "worksheet") for number in range(1, sheets + 1)]
    names = "".join(
        f'<Override PartName="/xl/{part}" ContentType="{_TYPE}.{kind}+xml"/>'
        for part, kind in parts
    )
    relations = "application/vnd.openxmlformats-package.relationships+xml"
    return (
        f'<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="{relations}"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{names}</Types>'
    )


def _relations(targets: Mapping[str, tuple[str, str]]) -> str:
    lines = "".join(
        f'<Relationship Id="{key}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for key, (kind, target) in targets.items()
    )
    return f'<Relationships xmlns="{_PACKAGE}/relationships">{lines}</Relationships>'


def _book(sheets: Mapping[str, Any]) -> str:
    lines = "".join(
        f'<sheet name="{escape(title)}" sheetId="{n}" r:id="rId{n}"/>'
        for n, title in enumerate(sheets, 1)
    )
    spaces = f'xmlns="{_MAIN}" xmlns:r="{_OFFICE}"'
    return f"<workbook {spaces}><sheets>{lines}</sheets></workbook>"


def _sheet(frame: pd.DataFrame) -> str:
    letters = [_letters(place) for place in range(frame.shape[1])]
    names = [str(name) for name in frame.columns]
    widths = "".join(
        f'<col min="{n}" max="{n}" width="{width}" customWidth="1"/>'
        for n, width in enumerate([_width(str(k), frame[k]) for k in frame], 1)
    )
    head = "".join(
        f'<c r="{letter}1"{_text(name, _BOLD)}'
        for letter, name in zip(letters, names, strict=True)
    )
    columns = [
        _cells(letter, frame[name])
        for letter, name in zip(letters, frame.columns, strict=True)
    ]
    rows = "".join(joined_rows(["<row>", *columns, "</row>"]))
    pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    return (
        f'<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0">{pane}'
        f"</sheetView></sheetViews><cols>{widths}</cols>"
        f"<sheetData><row>{head}</row>{rows}</sheetData>"
        f'<autoFilter ref="A1:{letters[-1]}{len(frame) + 1}"/></worksheet>'
    )


def _letters(place: int) -> str:
    """Name of a column by its position from 0: A to Z, AA and so on."""
    before, letter = divmod(place, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + letter)


def _width(name: str, values: pd.Series) -> int:
    """Room for the header and for texts; numbers are shown as wide as there is room."""
    texts: list[int] = []
    if not pd.api.types.is_numeric_dtype(values):
        texts = [len(value) for value in pd.unique(values) if isinstance(value, str)]
    least, most = _WIDTHS
    return min(max([least, len(name) + 2, *texts]), most)


def _cells(letter: str, values: pd.Series) -> pa.Array:
    """The cells of a column; an empty text where there is nothing in one."""
    if pd.api.types.is_numeric_dtype(values):
        contents = join(["><v>", written(values, str), "</v></c>"])
        endless = np.isinf(values.to_numpy(float, na_value=np.nan))
        named = written(values.astype(float).where(endless).astype(object), _content)
        contents = pc.if_else(pa.array(endless), named, contents)
    else:
        contents = written(values, _content)
    places = pc.cast(pa.array(np.arange(2, len(values) + 2)), TEXT)
    return join([f'<c r="{letter}', places, '"', contents]).fill_null("")


def _content(value: Any) -> str | None:
    if isinstance(value, str):
        return _text(value, _style(value)) or None
    return _number(value)


def _style(text: str) -> int:
    return _QUOTED if text.startswith(FORMULA_STARTS) else _PLAIN


def _number(value: float) -> str:
    return f"><v>{value!r}</v></c>" if isfinite(value) else _text(str(value), _PLAIN)


def _text(text: str, style: int) -> str:
    """What follows the place of a cell; nothing for an empty text."""
    if not text:
        return ""
    written = escape(cell_text(text))
    return (
        f' t="inlineStr" s="{style}"><is><t xml:space="preserve">{written}</t></is></c>'
    )
