"""A ranking as CSV, JSON and an Excel workbook."""

import json
from typing import Any, Final

import numpy as np
import pandas as pd

from siviz.columns import Column
from siviz.ranking import Ranking
from siviz.workbooks import FORMULA_STARTS, LONGEST_CELL, cell_text, workbook_bytes
from siviz.written_columns import joined_rows, written

_MOST_ROWS: Final = 1_048_576  # of an Excel sheet, with the header


def ranking_csv(ranking: Ranking) -> str:
    r"""The ranking's frame as comma-separated values, in full precision.

    nan is empty.  A name that a spreadsheet could take for a formula gets an apostrophe
    in front, and so does one that has an apostrophe there already: cutting off one
    leading apostrophe gives back every name.

    Examples
    --------
    >>> from siviz import rank_pairs
    >>> frame = pd.DataFrame({"=1+1": list("xxyy") * 5, "b": list("uuvv") * 5})
    >>> print(ranking_csv(rank_pairs(frame, measures=["mi"])).splitlines()[1][:13])
    1,"'=1+1","b"
    """
    frame = ranking.frame
    columns = [written(frame[name], _quoted).fill_null("") for name in frame.columns]
    head = ",".join(_quoted(str(name)) for name in frame.columns)
    return "\n".join([head, *joined_rows(columns, ","), ""])


def _quoted(text: str) -> str:
    doubled = _defused(text).replace('"', '""')
    return f'"{doubled}"'


def defused(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with an apostrophe before texts that a spreadsheet could calculate.

    Examples
    --------
    >>> defused(pd.DataFrame({"a": ["=1+1", "b"], "c": [-1, 2]}))
           a  c
    0  '=1+1 -1
    1      b  2
    """
    texts = frame.select_dtypes(exclude=["number", "bool", "datetime"])
    return frame.assign(**{str(name): _defused_texts(texts[name]) for name in texts})


def _defused_texts(texts: pd.Series) -> pd.Series:
    """Every different text is looked at once."""
    codes, different = pd.factorize(texts, use_na_sentinel=False)
    safe = [_defused(text) if isinstance(text, str) else text for text in different]
    return pd.Series(pd.array(safe, dtype=object)[codes], index=texts.index)


def _defused(text: str) -> str:
    return "'" + text if text.startswith((*FORMULA_STARTS, "'")) else text


def ranking_json(ranking: Ranking) -> str:
    """The ranking with how it was made, as strict JSON in ASCII.

    An object with ``siviz`` (the version), ``settings`` (``rows``, ``null``,
    ``centre``, ``target``, ``given``, ``measures``), ``notes``, ``columns`` (what
    became of each, with the choice that leads to it again) and ``pairs`` (the rows of
    the ranking's frame).  nan is null.

    Examples
    --------
    >>> from siviz import rank_pairs
    >>> frame = pd.DataFrame({"a": list("xxyy") * 5, "b": list("uuvv") * 5})
    >>> json.loads(ranking_json(rank_pairs(frame)))["pairs"][0]["first"]
    'a'
    """
    from siviz import __version__  # at its top the package may import this module

    content = {
        "siviz": __version__,
        "settings": {
            "rows": ranking.prepared.rows,
            "null": ranking.null,
            "centre": ranking.centre,
            "target": ranking.target,
            "given": ranking.given,
            "measures": ranking.measures,
        },
        "notes": ranking.notes,
        "columns": [_column(column) for column in ranking.columns],
        "pairs": [],
    }
    pairs = _json_lines(ranking.frame)
    text = json.dumps(content, allow_nan=False, indent=1)
    return text.removesuffix("[]\n}") + "[\n  " + ",\n  ".join(pairs) + "\n ]\n}"


def _json_lines(frame: pd.DataFrame) -> list[str]:
    """A line for each pair."""
    if np.isinf(frame.select_dtypes("number").to_numpy(float, na_value=np.nan)).any():
        raise ValueError("JSON has no infinite numbers: export CSV instead")
    parts: list[Any] = []
    for place, name in enumerate(frame.columns):
        parts += [f"{', ' if place else '{'}{json.dumps(str(name))}: "]
        parts += [written(frame[name], json.dumps).fill_null("null")]
    return joined_rows([*parts, "}"])


def _column(column: Column) -> dict[str, Any]:
    return {
        "name": column.name,
        "becomes": column.kind,
        "states": column.states,
        "missing": column.missing,
        "cut_points": column.cut_points,
        "merged": column.merged,
        "reason": column.reason,
        "choice": column.choice.as_dict(),
    }


def ranking_excel(ranking: Ranking) -> bytes:
    """The ranking as an Excel workbook: sheets ``ranking``, ``columns`` and ``notes``.

    Numbers are numbers and nan is an empty cell.  Texts are typed as texts, so none is
    ever a formula.  What Excel cannot hold is replaced or shortened, and the sheet of
    notes says so.

    Raises
    ------
    ValueError
        If there are more pairs than an Excel sheet has rows.
    """
    if len(ranking.frame) >= _MOST_ROWS:
        raise ValueError(
            f"an Excel sheet has room for {_MOST_ROWS - 1:,} pairs; got "
            f"{len(ranking.frame):,}: choose a target, or export CSV"
        )
    columns = ranking.column_report()
    notes = pd.DataFrame({"note": [*ranking.notes, *_excel_notes(ranking)]})
    return workbook_bytes(
        {"ranking": ranking.frame, "columns": columns, "notes": notes}
    )


def _excel_notes(ranking: Ranking) -> list[str]:
    names = [column.name for column in ranking.columns]
    changed = sum(cell_text(name) != name for name in names)
    if not changed:
        return []
    return [
        f"Names of columns that were changed for Excel: {changed:,}. Carriage returns "
        "become line feeds, other control characters are replaced, and a cell ends "
        f"after {LONGEST_CELL:,} characters."
    ]
