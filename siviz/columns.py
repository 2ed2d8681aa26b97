"""Columns of a data frame become states, in three steps that chunks of rows share.

    summaries = summarize_columns(chunk) + summarize_columns(next_chunk)
    columns = decide_columns(summaries)  # read report_columns(columns), and override
    codes = encode_columns(chunk, columns)

`siviz.summaries` counts values, `siviz.decisions` decides by the rules of
`siviz.judgement`, `siviz.encoding` applies what was decided.
"""

from siviz.choices import ColumnChoice
from siviz.decisions import Column, column_choices, decide_columns, report_columns
from siviz.encoding import Codes, encode_columns
from siviz.summaries import ColumnSummaries, ColumnSummary, summarize_columns

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
