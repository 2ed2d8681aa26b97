"""Smoothed probabilities of a pair beside the raw ones."""

from numpy import isfinite

from siviz.charts.figure import Figure
from siviz.charts.labels import short_labels, short_name
from siviz.charts.smoothed_table import (
    smoothed_table_figures,
    smoothed_table_sentence,
)
from siviz.labelled_tables import LabelledTable
from siviz.single_pair import SinglePair
from siviz.smoothing import EquivalentSampleSize, equivalent_sample_size

FALLBACK = 1.0
"""N' where no equation has a solution."""


def pair_size(pair: SinglePair) -> tuple[float, EquivalentSampleSize]:
    """How many virtual observations the pair gets, and the equations behind that.

    The solution of Eq. 9, else of Eq. 10, else 1.
    """
    sizes = equivalent_sample_size(pair.counts)
    solutions = (sizes.exact, sizes.approximate, FALLBACK)
    return next(float(size) for size in solutions if isfinite(size)), sizes


def pair_smoothed_figures(pair: SinglePair) -> tuple[Figure, Figure] | None:
    """Heat maps of the raw and of the smoothed probabilities; None if too large."""
    size, _ = pair_size(pair)
    figures = smoothed_table_figures(_labelled(pair), size)
    return (figures["raw"], figures["smoothed"]) if figures else None


def pair_smoothed_sentence(pair: SinglePair) -> str:
    """Where N' comes from, and which estimate it moves most."""
    size, sizes = pair_size(pair)
    told = smoothed_table_sentence(_labelled(pair), size)
    if sizes.has_solution:
        return f"{told} N′ is the equivalent sample size by Eq. 9 of the paper."
    way = "Eq. 10" if isfinite(sizes.approximate) else "no equation: 1 is shown"
    return f"{told} {sizes.reason} N′ is from {way}."


class _Charted(LabelledTable):
    """A table of short labels, whose names are those of the data."""

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(map(short_name, self.names))


def _labelled(pair: SinglePair) -> LabelledTable:
    """The states that occur."""
    occurring = pair.together.shown(pair.cells.size)
    columns = occurring.first, occurring.second
    states = tuple(tuple(short_labels(column.states).values()) for column in columns)
    return _Charted(tuple(column.name for column in columns), states, occurring.counts)
