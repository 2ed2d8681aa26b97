"""Bayesian networks over the columns of a data frame: families, scores, sampling.

A directed acyclic graph splits the joint distribution into families, each variable with
its parents.  Information, degrees of freedom and scores add up over the families
(Sec. 5.5, 6), so the joint table is never built.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from siviz.information import mutual_information
from siviz.measures import MEASURES
from siviz.smoothing import (
    SIZES,
    Dof,
    EquivalentSampleSize,
    Multinomials,
    SizeCurve,
    best_size,
    equivalent_sample_size,
)
from siviz.structure_search import Graph, LocalScore
from siviz.tables import Array, conditional_table

_EDGE_MEASURES: Final = ("si_calibrated", "si", "log10_p_calibrated")


@dataclass(frozen=True, eq=False)
class DiscreteData:
    """Columns of states, coded by whole numbers, with a weight for each row."""

    states: Mapping[str, tuple[Hashable, ...]]
    codes: Mapping[str, NDArray[np.intp]]
    weights: Array

    @classmethod
    def from_frame(
        cls, frame: pd.DataFrame, *, weights: str | None = None
    ) -> "DiscreteData":
        """Code the columns of a frame; only states with a positive weight count.

        Parameters
        ----------
        frame : DataFrame
            Every column a discrete variable without missing values.
        weights : str, optional
            The column that says how often each row was observed.

        Examples
        --------
        >>> frame = pd.DataFrame({"a": ["x", "y"], "b": [1, 2], "n": [30, 10]})
        >>> DiscreteData.from_frame(frame, weights="n").sample_size
        40.0
        """
        if weights is not None and weights not in frame:
            raise ValueError(
                f"weights must be one of the columns {list(frame)}; got {weights!r}"
            )
        counts = np.ones(len(frame)) if weights is None else _weights(frame[weights])
        if counts.sum() == 0:
            raise ValueError("frame must hold at least one observation; got none")
        kept = frame.loc[counts > 0].drop(columns=[] if weights is None else weights)
        if not kept.columns.is_unique:
            raise ValueError(f"columns must have distinct names; got {list(kept)}")
        coded = {str(name): _coded(kept[name]) for name in kept}
        return cls(
            states={name: tuple(column.categories) for name, column in coded.items()},
            codes={
                name: column.codes.astype(np.intp) for name, column in coded.items()
            },
            weights=counts[counts > 0],
        )

    @property
    def sample_size(self) -> float:
        """The sample size N."""
        return float(self.weights.sum())

    def configurations(self, names: Sequence[str]) -> tuple[NDArray[np.intp], int]:
        """Code of each row among the joint states that occur, and their number."""
        code, number = np.zeros(self.weights.size, dtype=np.intp), 1
        for name in names:
            joint = code * len(self.states[name]) + self.codes[name]
            code, distinct = pd.factorize(joint)
            number = distinct.size
        return code, number

    def counts(self, *axes: Sequence[str]) -> Array:
        """Table of joint states: each axis the states that occur of some columns."""
        coded = [self._axis(axis) for axis in axes]
        shape = [number for _, number in coded]
        cell = np.ravel_multi_index([code for code, _ in coded], shape)
        totals = np.bincount(cell, self.weights, minlength=prod(shape))
        return totals.reshape(shape).astype(float)

    def _axis(self, names: Sequence[str]) -> tuple[NDArray[np.intp], int]:
        if len(names) == 1:
            return self.codes[names[0]], len(self.states[names[0]])
        return self.configurations(names)


def _weights(column: pd.Series) -> Array:
    try:
        counts = column.to_numpy(dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"weights must be numbers; column {column.name!r} holds {column.dtype}"
        ) from error
    wrong = ~(np.isfinite(counts) & (counts >= 0) & (counts == np.floor(counts)))
    if wrong.any():
        row = int(wrong.argmax())
        raise ValueError(
            f"weights must be whole numbers of at least 0; got {counts[row]} "
            f"in row {row} of column {column.name!r}"
        )
    return counts


def _coded(column: pd.Series) -> pd.Categorical:
    coded = pd.Categorical(column).remove_unused_categories()
    missing = int((coded.codes < 0).sum())
    if missing:
        raise ValueError(
            f"columns must have no missing values; {column.name!r} lacks {missing}: "
            "drop those rows or make missing a state of its own"
        )
    return coded


@dataclass(frozen=True, eq=False)
class Family:
    """A variable with its parents, and the counts of their joint states."""

    child: str
    parents: tuple[str, ...]
    counts: Array
    """Shape (parent configurations that occur, states of the child)."""
    configurations: int
    """Number of parent configurations, whether they occur or not."""

    @property
    def prior(self) -> Multinomials:
        """The counts with a uniform prior over all cells (BDeu)."""
        share = 1 / (self.configurations * self.counts.shape[1])
        return Multinomials(self.counts, np.full_like(self.counts, share))

    def sample_size_constraint(self, *, dof: Dof = "nominal") -> EquivalentSampleSize:
        """The family's part of Eq. 9, the child against all its parents jointly.

        The nominal d is ``(|x| - 1)(prod |pa| - 1)``.  The prior is uniform over all
        configurations; one that never occurs says nothing of the child, so L is 0.
        """
        seen, states = self.counts.shape
        part = equivalent_sample_size(self.counts, dof=dof)
        nominal = float((states - 1) * (self.configurations - 1))
        return replace(
            part,
            prior_mean=part.prior_mean * seen / self.configurations,
            dof=nominal if dof == "nominal" else part.dof,
            unseen_configurations=self.configurations - seen,
        )


def family(data: DiscreteData, child: str, parents: Sequence[str]) -> Family:
    """Count one family in the data."""
    for name in (child, *parents):
        if name not in data.states:
            raise ValueError(
                f"variables must be columns of the data, {list(data.states)}; "
                f"got {name!r}"
            )
    number = prod(len(data.states[name]) for name in parents)
    return Family(child, tuple(parents), data.counts(parents, [child]), number)


def families(data: DiscreteData, graph: Graph) -> list[Family]:
    """All families of a graph; columns that the graph does not name are left out."""
    return [family(data, child, parents) for child, parents in graph.parents.items()]


def network_sample_size(
    data: DiscreteData, graph: Graph, *, dof: Dof = "nominal"
) -> EquivalentSampleSize:
    """How much to smooth a network: Eq. 9 and 10 summed over its families (Sec. 6).

    ``L = sum_x log(p(x | pa) / p(x))``, and d, the information and the mean of L under
    a uniform prior are sums over the families.

    Examples
    --------
    >>> frame = pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    >>> data = DiscreteData.from_frame(frame.assign(n=[30, 10, 10, 30]), weights="n")
    >>> network_sample_size(data, Graph.from_edges("ab", [("a", "b")])).dof
    1.0
    """
    parts = [f.sample_size_constraint(dof=dof) for f in families(data, graph)]
    return EquivalentSampleSize(
        sample_size=data.sample_size,
        information=sum(part.information for part in parts),
        prior_mean=sum(part.prior_mean for part in parts),
        dof=sum(part.dof for part in parts),
        empty_cells=sum(part.empty_cells for part in parts),
        unseen_configurations=sum(part.unseen_configurations for part in parts),
    )


def bdeu_family_score(
    data: DiscreteData, *, equivalent_sample_size: float
) -> LocalScore:
    """The local BDeu score of the data, for `siviz.structure_search`.

    Log marginal likelihood, in nats, of a variable given its parents with the prior
    N' spread uniformly over the family's cells; larger is better.
    """
    size = equivalent_sample_size
    if not (np.isfinite(size) and size > 0):
        raise ValueError(f"equivalent_sample_size must be positive; got {size}")
    return lambda child, parents: family(data, child, parents).prior.log_evidence(size)


def bdeu_score(
    data: DiscreteData, graph: Graph, *, equivalent_sample_size: float
) -> float:
    """Log marginal likelihood of a graph under the uniform (BDeu) prior, in nats.

    Larger is better; equal for Markov-equivalent graphs.
    """
    local = bdeu_family_score(data, equivalent_sample_size=equivalent_sample_size)
    return sum(local(child, parents) for child, parents in graph.parents.items())


def network_empirical_bayes(
    data: DiscreteData, graph: Graph, *, sizes: ArrayLike = SIZES
) -> SizeCurve:
    """N' that maximizes the BDeu score of a graph, with the score over the grid."""
    parts = [member.prior for member in families(data, graph)]
    return best_size(
        lambda size: sum(part.log_evidence(size) for part in parts),
        sizes,
        method="empirical Bayes",
    )


def network_cross_validation(
    data: DiscreteData, graph: Graph, *, sizes: ArrayLike = SIZES
) -> SizeCurve:
    """N' with the best leave-one-out prediction of the rows by the network.

    In closed form: each row's probability from the counts of the other rows.
    """
    parts = [member.prior for member in families(data, graph)]
    return best_size(
        lambda size: sum(part.left_out(size) for part in parts),
        sizes,
        method="leave-one-out cross-validation",
    )


def edge_strengths(data: DiscreteData, graph: Graph) -> pd.DataFrame:
    """How strongly each edge holds, given the child's other parents (Sec. 5.5).

    Returns
    -------
    DataFrame
        One row per edge, the strongest first: ``parent``, ``child``, ``given`` (the
        other parents), ``information`` (conditional, in nats), ``dof``, and the
        measures ``si_calibrated``, ``si`` and ``log10_p_calibrated`` of the conditional
        table.  Ordered by ``si_calibrated``.
    """
    rows = []
    for member in families(data, graph):
        for parent in member.parents:
            given = tuple(name for name in member.parents if name != parent)
            table = conditional_table(data.counts([member.child], [parent], given))
            values = [float(MEASURES[key](table)) for key in _EDGE_MEASURES]
            facts = (float(mutual_information(table)), float(table.dof))
            rows.append((parent, member.child, given, *facts, *values))
    columns = ["parent", "child", "given", "information", "dof", *_EDGE_MEASURES]
    frame = pd.DataFrame(rows, columns=columns)
    return frame.sort_values("si_calibrated", ascending=False, ignore_index=True)


@dataclass(frozen=True, eq=False)
class Network:
    """A graph with the conditional probabilities of every variable.

    ``probabilities[x]`` has an axis for each parent, in order, and the own states last.
    """

    graph: Graph
    states: Mapping[str, tuple[Hashable, ...]]
    probabilities: Mapping[str, Array]

    def __post_init__(self) -> None:
        for child, parents in self.graph.parents.items():
            if child not in self.states or child not in self.probabilities:
                raise ValueError(
                    f"states and probabilities must name every variable; {child!r} "
                    "is missing"
                )
            table = np.asarray(self.probabilities[child], dtype=float)
            shape = tuple(len(self.states[name]) for name in (*parents, child))
            if table.shape != shape:
                raise ValueError(
                    f"probabilities of {child!r} must have the shape {shape} (parents "
                    f"{list(parents)}, then its own states); got {table.shape}"
                )
            if not (np.all(table >= 0) and np.allclose(table.sum(axis=-1), 1)):
                raise ValueError(
                    f"probabilities of {child!r} must not be negative and must add "
                    "up to 1 over the last axis"
                )

    def sample(
        self, size: int, *, rng: np.random.Generator | int | None = None
    ) -> pd.DataFrame:
        """Draw rows, each variable after its parents; one categorical column each."""
        if size < 1:
            raise ValueError(f"size must be at least 1; got {size}")
        generator = np.random.default_rng(rng)
        codes: dict[str, NDArray[np.intp]] = {}
        for child in self.graph.order:
            reached = np.cumsum(self.probabilities[child], axis=-1)
            # A last state of probability 0 must not be drawn for a rounding error.
            reached = (reached / reached[..., -1:])[..., :-1]
            steps = reached[tuple(codes[name] for name in self.graph.parents[child])]
            codes[child] = (generator.random((size, 1)) >= steps).sum(axis=-1)
        return pd.DataFrame(
            {
                name: pd.Categorical.from_codes(
                    codes[name], pd.Index(self.states[name])
                )
                for name in self.graph.parents
            }
        )
