"""Columns of a data frame become states, in three steps that chunks of rows share.

    summaries = summarize_columns(chunk) + summarize_columns(next_chunk)
    columns = decide_columns(summaries)  # read report_columns(columns), and override
    codes = encode_columns(chunk, columns)

`summaries` counts values, `decisions` decides by the rules of `judgement`, and `codes`
applies what was decided.  `cut_points` has the ways to cut numbers into bins.
"""

from siviz.columns.choices import ColumnChoice
from siviz.columns.codes import Codes, encode_columns
from siviz.columns.decisions import (
    Column,
    column_choices,
    decide_columns,
    report_columns,
)
from siviz.columns.summaries import ColumnSummaries, ColumnSummary, summarize_columns

__all__ = [
    "Codes",
    "Column",
    "ColumnChoice",
    "ColumnSummaries",
    "ColumnSummary",
    "column_choices",
    "decide_columns",
    "encode_columns",
    "report_columns",
    "summarize_columns",
]
