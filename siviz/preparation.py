"""From data to the counts of all pairs: read, decide what columns become, count.

The same steps serve a data frame, a file, and a file too large for memory, which is
passed over twice in chunks: once to decide, once to count.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from siviz.column_sentences import (
    REMEDY,
    column_notes,
    too_few,
    why_left_out,
)
from siviz.columns import (
    Codes,
    Column,
    ColumnChoice,
    ColumnSummaries,
    decide_columns,
    encode_columns,
    summarize_columns,
)
from siviz.columns.choices import Method, Missing, named_choices
from siviz.columns.cut_points import DEFAULT_BINS, check_weights
from siviz.columns.fair_columns import fair_choices, fine_choices
from siviz.columns.names import listed, name_hint
from siviz.cooccurrence import LARGEST_MATRIX, Cooccurrence, count_pairs
from siviz.fair_bins import WARNING
from siviz.level_counts import count_levels
from siviz.pair_limits import refuse_too_many_pairs, refuse_wide_data
from siviz.readers import ChunkedReading, Reading, read_in_chunks, read_table

Bins: TypeAlias = Method | Literal["fair"]
Overrides: TypeAlias = Mapping[str, ColumnChoice | Mapping[str, Any]]
Data: TypeAlias = pd.DataFrame | Reading | ChunkedReading | str | Path
Progress: TypeAlias = Callable[[float, str], None]
"""Called with the fraction done and what is being done; may raise to stop."""

STREAMED_BYTES: Final = 256 << 20
"""Files larger than this are passed over in chunks instead of being held in memory."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """Counts of all pairs of columns, with what became of the data on the way."""

    columns: tuple[Column, ...]
    """What each column of the data became, in their order; weights left out."""
    counted: tuple[Cooccurrence, ...]
    """The counts: one, or one for each state of the column to condition on."""
    kept: tuple[Column, ...]
    """The columns that were counted, in the order of the counts."""
    rows: int
    """Observations: rows, or the sum of the weights."""
    notes: tuple[str, ...]
    """A sentence for everything that was found or done to the data."""
    fitted: frozenset[str] = frozenset()
    """Columns whose bins were chosen to tell most about the target."""

    def position(self, name: str) -> int:
        """Position of a counted column, by its name."""
        names = [column.name for column in self.kept]
        if name not in names:
            raise ValueError(f"{name!r} was not counted; there are {listed(names)}")
        return names.index(name)


@dataclass(frozen=True)
class Decisions:
    """How columns become states; see `siviz.columns.decide_columns`.

    ``bins="fair"`` chooses the bins that tell most about the target (Sec. 7.1).
    """

    bins: Bins = "frequency"
    bin_count: int = DEFAULT_BINS
    missing: Missing = "pairwise"
    rare: int | None = None
    overrides: Overrides | None = None

    @property
    def left_out(self) -> set[str]:
        """Columns that the reader does not want."""
        out = (ColumnChoice("leave out"), {"kind": "leave out"})
        return {name for name, c in (self.overrides or {}).items() if c in out}

    def decide(
        self, summaries: ColumnSummaries, further: Overrides | None = None
    ) -> tuple[Column, ...]:
        """The columns, with ``further`` choices on top of the reader's."""
        return decide_columns(
            summaries,
            bins="frequency" if self.bins == "fair" else self.bins,
            bin_count=self.bin_count,
            missing=self.missing,
            rare=self.rare,
            overrides={**(self.overrides or {}), **(further or {})},
        )


def prepare(
    data: Data,
    *,
    target: str | None = None,
    given: str | None = None,
    weights: str | None = None,
    decisions: Decisions | None = None,
    progress: Progress | None = None,
) -> Prepared:
    """Decide what the columns become and count all pairs of their states.

    Parameters
    ----------
    data : DataFrame, Reading, ChunkedReading, or path of a file
    target : str, optional
        Count only the pairs with this column.
    given : str, optional
        Count the pairs within each state of this column.
    weights : str, optional
        Column that says how many observations each row stands for.
    decisions : Decisions, optional
    progress : callable, optional
    """
    tell = progress or (lambda fraction, what: None)
    options = decisions or Decisions()
    if target is None:
        refuse_wide_data(data, {given, weights, *options.left_out})
    data = _read(data)
    chunks = [data.frame] if isinstance(data, Reading) else data
    notes = data.notes
    _check_names(chunks, target=target, given=given, weights=weights)
    tell(0.0, "looking at the columns")
    levels = None
    if isinstance(data, Reading) and not (target or given or weights):
        levels = count_levels(data.frame)
    summaries = levels.summaries if levels else _summarize(chunks, weights, tell)
    columns = options.decide(summaries)
    _check_kept(columns, target=target, given=given)
    fair: dict[str, tuple[ColumnChoice, str]] = {}
    if options.bins == "fair":
        wanted = _fine(columns, target, options.overrides or {})
        fine = options.decide(summaries, wanted)
        counted = _count(chunks, fine, weights, target, None, tell)
        used = [column for column in fine if column.kind != "left out"]
        fair = fair_choices(used, counted[0], wanted)
        columns = _with_fair_bins(options, summaries, fair)
        notes = (*notes, WARNING) if fair else notes
    if target is None:
        used = [c for c in columns if c.kind != "left out" and c.name != given]
        refuse_too_many_pairs(len(used))
        columns = _within_limit(columns, given)
    notes = (*notes, *column_notes(columns, given, weights))
    left = tuple(c for c in columns if c.kind != "left out" and c.name != given)
    rows = summaries.columns[0].rows if columns else 0
    if len(left) < 2:
        raise ValueError(too_few(columns, left, rows))
    if levels:
        counted = (levels.count(columns),)
    else:
        counted = _count(chunks, columns, weights, target, given, tell)
    return Prepared(columns, counted, left, rows, notes, frozenset(fair))


def _within_limit(columns: tuple[Column, ...], given: str | None) -> tuple[Column, ...]:
    """Without the columns of most states, if the matrix would be too large."""
    counted = [c for c in columns if c.kind != "left out" and c.name != given]
    excess = sum(len(column.states) for column in counted) - LARGEST_MATRIX
    dropped = set()
    for column in sorted(counted, key=lambda column: -len(column.states)):
        if excess <= 0:
            break
        excess -= len(column.states)
        dropped.add(column.name)
    reason = (
        "left out: all columns together may have {:,} states, and this one has {:,}; "
        "merge its rare states, or choose a target"
    )
    return tuple(
        replace(
            column,
            kind="left out",
            states=(),
            reason=reason.format(LARGEST_MATRIX, len(column.states)),
        )
        if column.name in dropped
        else column
        for column in columns
    )


def _fine(
    columns: tuple[Column, ...], target: str | None, overrides: Overrides
) -> dict[str, ColumnChoice]:
    """Fine grids for the numbers whose bins the reader did not choose."""
    if target is None:
        raise ValueError(
            "fair bins are those that tell most about a target: choose a target, or "
            "bins of equal frequency or width"
        )
    chosen = named_choices(overrides, [column.name for column in columns])
    kept = {name for name, choice in chosen.items() if choice.bins or choice.method}
    return fine_choices([c for c in columns if c.name not in kept], target)


def _with_fair_bins(
    options: Decisions,
    summaries: ColumnSummaries,
    fair: dict[str, tuple[ColumnChoice, str]],
) -> tuple[Column, ...]:
    """The columns cut where ``fair`` says, with its reasons."""
    columns = options.decide(
        summaries, {name: choice for name, (choice, _) in fair.items()}
    )
    return tuple(
        replace(column, reason=fair[column.name][1]) if column.name in fair else column
        for column in columns
    )


def _read(data: Data) -> Reading | ChunkedReading:
    """The data as a table, or as parts that can be passed over more than once."""
    if isinstance(data, str | Path):
        path = Path(data)
        large = path.is_file() and path.stat().st_size > STREAMED_BYTES
        return read_in_chunks(path) if large else read_table(path)
    if isinstance(data, pd.DataFrame):
        return read_table(data)
    if isinstance(data, Reading | ChunkedReading):
        return data
    raise ValueError(
        f"data must be a data frame or the path of a file; got {type(data).__name__}"
    )


def _names(chunks: Iterable[pd.DataFrame]) -> list[str]:
    if isinstance(chunks, ChunkedReading):
        return [str(name) for name in chunks.columns]
    return [str(name) for chunk in chunks for name in chunk.columns]


def _check_names(chunks: Iterable[pd.DataFrame], **chosen: str | None) -> None:
    names = _names(chunks)
    used: dict[str, str] = {}
    for role, name in chosen.items():
        if name is None:
            continue
        if name not in names:
            raise ValueError(
                f"{role} must be a column; got {name!r}, {name_hint(name, names)}"
            )
        if name in used:
            raise ValueError(f"{role} and {used[name]} must differ; both are {name!r}")
        used[name] = role


def _check_kept(columns: tuple[Column, ...], **chosen: str | None) -> None:
    for role, name in chosen.items():
        for column in columns:
            if column.name == name and column.kind == "left out":
                raise ValueError(
                    f"{role} {name!r} cannot be used: {why_left_out(column)}; choose "
                    f"another column, or {REMEDY}"
                )


def _split(
    chunk: pd.DataFrame, weights: str | None, before: int
) -> tuple[pd.DataFrame, NDArray[np.int64] | None]:
    """The columns, and the weights of the rows; ``before`` is for messages."""
    if weights is None:
        return chunk, None
    if chunk[weights].dtype.kind not in "iuf":
        raise ValueError(
            f"weights must be whole numbers; column {weights!r} holds others, such as "
            f"{_no_number(chunk[weights])!r}: choose another column or correct it"
        )
    try:
        values = check_weights(chunk[weights], len(chunk), before=before)
    except ValueError as error:
        raise ValueError(
            f"column {weights!r}: {error}; correct or drop such rows"
        ) from error
    return chunk.drop(columns=weights), values


def _no_number(column: "pd.Series[Any]") -> str:
    """The first value that is no number, or the first of all."""
    texts = column.dropna().astype(str)
    wrong = texts[pd.to_numeric(texts, errors="coerce").isna()]
    return str(next(iter(wrong if len(wrong) else texts), ""))


def _summarize(
    chunks: Iterable[pd.DataFrame], weights: str | None, tell: Progress
) -> ColumnSummaries:
    parts, before = [], 0
    for chunk in chunks:
        frame, weight = _split(chunk, weights, before)
        before += len(chunk)
        parts.append(summarize_columns(frame, weights=weight))
        tell(0.4 * _fraction(chunks), "looking at the columns")
        if len(parts) > 8:
            parts = [reduce(add, parts)]
    if not before:
        raise ValueError("the data have no rows; add at least one")
    summaries = reduce(add, parts)
    if weights is not None and not any(column.rows for column in summaries.columns):
        raise ValueError(
            f"column {weights!r}: all weights are 0; at least one must be larger"
        )
    return summaries


def _fraction(chunks: Iterable[pd.DataFrame]) -> float:
    return chunks.fraction_read if isinstance(chunks, ChunkedReading) else 1.0


def _count(
    chunks: Iterable[pd.DataFrame],
    columns: tuple[Column, ...],
    weights: str | None,
    target: str | None,
    given: str | None,
    tell: Progress,
) -> tuple[Cooccurrence, ...]:
    total: list[Cooccurrence] | None = None
    for chunk in chunks:
        frame, weight = _split(chunk, weights, 0)
        codes = encode_columns(frame, columns, weights=weight)
        part = _count_chunk(codes, weight, target, given)
        total = (
            part if total is None else [a + b for a, b in zip(total, part, strict=True)]
        )
        tell(0.4 + 0.3 * _fraction(chunks), "counting pairs")
    return tuple(total or ())


def _count_chunk(
    codes: Codes,
    weight: NDArray[np.int64] | None,
    target: str | None,
    given: str | None,
) -> list[Cooccurrence]:
    """Counts of one chunk, one for each state of ``given``."""
    names = [name for name in codes.names if name != given]
    goal = None if target is None else names.index(target)
    arrays, sizes = list(codes.arrays), list(codes.state_counts)
    if given is None:
        return [count_pairs(arrays, sizes, target=goal, weights=weight)]
    place = codes.names.index(given)
    stratum, strata = arrays.pop(place), sizes.pop(place)
    parts = []
    for state in range(strata):
        inside = np.flatnonzero(stratum == state)
        part = [array[inside] for array in arrays]
        share = None if weight is None else weight[inside]
        parts.append(count_pairs(part, sizes, target=goal, weights=share))
    return parts
