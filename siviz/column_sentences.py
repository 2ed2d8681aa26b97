"""Sentences for a reader about what became of the columns of the data."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from siviz.columns import Column
from siviz.columns.judgement import FEW_VALUES
from siviz.columns.names import MOST_NAMED, listed
from siviz.columns.spellings import meant_as, nearly_alike

COUNT_NAMES: Final = {"count", "counts", "freq", "frequency", "weight", "weights", "n"}
REMEDY: Final = "choose what it becomes (on the command line by --states C)"
"""What to do about a column that was left out, whichever way it was given."""


def why_left_out(column: Column) -> str:
    """The reason alone."""
    return column.reason.removeprefix("left out: ")


def too_few(columns: Sequence[Column], kept: Sequence[Column], rows: int) -> str:
    """Why there is no pair to rank."""
    if len(columns) == 1:
        return (
            f"there is a single column, {columns[0].name!r}, and a ranking needs at "
            "least 2; if its lines hold several, separate them by commas, semicolons, "
            "tabs or vertical bars"
        )
    if rows == 1:
        return "the data have a single row, and a ranking needs at least 2"
    left_out = [
        f"{c.name!r} ({why_left_out(c)})" for c in columns if c.kind == "left out"
    ]
    told = f"; left out: {', '.join(left_out[:5])}" if left_out else ""
    return (
        f"a ranking needs at least 2 columns with states; got {len(kept)}{told}: add "
        "columns or rows, or choose what a column becomes (on the command line by "
        "--states C)"
    )


def column_notes(
    columns: Iterable[Column], given: str | None, weights: str | None
) -> list[str]:
    """A sentence for everything but columns that are simply their own states."""
    used = [column for column in columns if column.kind != "left out"]
    counts = [
        f"Column {column.name!r} is ranked like any other; if it says how often each "
        "row was observed, name it as the weights."
        for column in used
        if weights is None
        and column.name.lower() in COUNT_NAMES
        and column.name != given
    ]
    told = (*_reasons(columns), *_spelling_notes(used))
    return [*told, *_missing_notes(used, given), *counts]


def _reasons(columns: Iterable[Column]) -> Iterator[str]:
    """What each column became; columns with the same story share a sentence."""
    named: dict[str, list[str]] = {}
    for column in columns:
        if column.kind != "states" or column.merged:
            named.setdefault(column.reason, []).append(column.name)
    for reason, names in named.items():
        many = len(names) > 1
        total = f" ({len(names):,} columns)" if len(names) > MOST_NAMED else ""
        yield f"Column{'s' * many} {listed(names)}{total}: {reason}."


def _spelling_notes(used: Iterable[Column]) -> Iterator[str]:
    for column in used:
        if column.kind != "states" or column.holds != "text":
            continue
        if len(column.values) > FEW_VALUES and (hint := meant_as(column.values)):
            count = f"{len(column.values):,} different texts are its states"
            yield f"Column {column.name!r}: {count}; {hint}."
        if pair := nearly_alike(column.values):
            alike = f"{pair[0]!r} and {pair[1]!r}"
            yield (
                f"Column {column.name!r}: {alike} are different states; write them "
                "alike if they mean the same."
            )


def _missing_notes(used: Iterable[Column], given: str | None) -> Iterator[str]:
    gaps = [column for column in used if column.missing and column.missing_code < 0]
    places = [f"{c.missing:,} in {c.name!r}" for c in gaps if c.name != given]
    for column in gaps:
        if column.name == given:
            gone = f"{column.missing:,}"
            yield f"Rows without a value in {given!r} were left out: {gone}."
    if places:
        more = ", …" if len(places) > MOST_NAMED else ""
        shown = ", ".join(places[:MOST_NAMED])
        yield f"Missing values are left out of each pair: {shown}{more}."
