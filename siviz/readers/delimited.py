"""Delimited text, plain or gzip, as data frames: at once or part by part."""

from collections.abc import Iterator, Mapping

import numpy as np
import pandas as pd

from siviz.readers.cells import (
    MISSING_RULE,
    cells_of,
    cells_of_blocks,
    count_missing,
    frame_of,
    missing_notes,
)
from siviz.readers.column_kinds import Facts, Kind, kind_notes
from siviz.readers.readings import ChunkedReading, Part, Reading, refuse_without_values
from siviz.readers.sources import Source
from siviz.readers.text_tables import TextTable

_FIRST_ROWS = 10_000
_ROWS_AT_A_TIME = 100_000


def read_delimited(source: Source) -> Reading:
    """The whole file."""
    text = TextTable.of(source)
    columns = text.dialect.columns
    blocks = (table for _, table in text.blocks(columns))
    cells = cells_of_blocks(blocks, columns, text.dialect.repetitive)
    kinds, notes = _decide(text, {name: c.facts for name, c in cells.items()})
    frame = frame_of(cells, kinds)
    blank = _blank_tail(frame)
    frame = frame.iloc[: len(frame) - blank] if blank else frame
    found = (*notes, *_blank_notes(blank), *missing_notes(count_missing(frame)))
    return Reading(frame, found, source.name)


def delimited_in_chunks(source: Source, rows: int) -> ChunkedReading:
    """The file in parts of so many rows."""
    text = TextTable.of(source)
    kinds, notes = _decide(text, _facts_by_passing(text))
    before = (
        *notes,
        f"{MISSING_RULE}; they are counted while the file is read.",
        "Empty rows at the end are left out.",
    )

    def parts() -> Iterator[Part]:
        missing = pd.Series(0, index=list(kinds))
        for fraction, frame, blank in _without_blank_end(text, kinds, rows):
            missing += count_missing(frame)
            after = (*notes, *_blank_notes(blank or 0), *missing_notes(missing))
            yield Part(frame, fraction, before if blank is None else after)

    return ChunkedReading(source.name, before, tuple(kinds), parts)


def _facts_by_passing(text: TextTable) -> dict[str, Facts]:
    """Facts of each column: of its first cells if they are text, else of all cells."""
    columns, repetitive = text.dialect.columns, text.dialect.repetitive
    facts = dict.fromkeys(columns, Facts())
    first = text.parts(columns, _FIRST_ROWS)
    for _, table in first:
        facts = {name: c.facts for name, c in cells_of(table, repetitive).items()}
        break
    first.close()
    undecided = [name for name in columns if facts[name].undecided]
    if undecided:
        for _, table in text.parts(undecided, _ROWS_AT_A_TIME):
            for name, cells in cells_of(table, repetitive).items():
                facts[name] += cells.facts
    return facts


def _decide(
    text: TextTable, facts: Mapping[str, Facts]
) -> tuple[dict[str, Kind], tuple[str, ...]]:
    """The columns to keep with their kinds, and why."""
    refuse_without_values(any(f.filled for f in facts.values()), text.source.name)
    delimiter, kept = text.dialect.delimiter, list(text.dialect.columns)
    dropped = 0
    while dropped < text.dialect.unnamed_tail and not facts[kept[-1]].filled:
        kept.pop()
        dropped += 1
    comma = delimiter == ";" or (
        delimiter != "," and any(facts[name].decimal_comma for name in kept)
    )
    kinds = {name: facts[name].kind(decimal_comma=comma) for name in kept}
    tail = f"Empty columns without a name at the end were dropped: {dropped}."
    notes = (*text.notes, *([tail] if dropped else []), *kind_notes(kinds, facts))
    return kinds, notes


def _without_blank_end(
    text: TextTable, kinds: Mapping[str, Kind], rows: int
) -> Iterator[tuple[float, pd.DataFrame, int | None]]:
    """Parts up to the last row that holds a value.

    With the last part comes how many rows were dropped after it, None before.
    """
    waiting: list[tuple[float, pd.DataFrame]] = []
    for fraction, table in text.parts(list(kinds), rows):
        frame = frame_of(cells_of(table, text.dialect.repetitive), kinds)
        if waiting and _blank_tail(frame) < len(frame):
            yield from ((*part, None) for part in waiting)
            waiting = []
        waiting.append((fraction, frame))
    (fraction, frame), *others = waiting
    end = len(frame) - _blank_tail(frame)
    dropped = len(frame) - end + sum(len(other) for _, other in others)
    yield fraction, frame.iloc[:end], dropped


def _blank_tail(frame: pd.DataFrame) -> int:
    """How many rows at the end hold no value."""
    blank = len(frame)
    for name in frame.columns:
        if not blank:
            break
        gaps = frame[name].iloc[len(frame) - blank :].isna().to_numpy()
        blank = int(np.argmin(gaps[::-1])) if not gaps.all() else blank
    return blank


def _blank_notes(rows: int) -> list[str]:
    return [f"Empty rows at the end were dropped: {rows}."] if rows else []
