"""Bayesian networks over the columns of a data frame: families, scores, sampling.

A directed acyclic graph splits the joint distribution into families, each variable with
its parents.  Information, degrees of freedom and scores add up over the families
(Sec. 5.5, 6), so the joint table is never built.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from siviz.discrete_data import DiscreteData
from siviz.graphs import Graph
from siviz.information import mutual_information
from siviz.measures import MEASURES
from siviz.multinomials import SIZES, Multinomials, SizeCurve, best_size
from siviz.smoothing import Dof, EquivalentSampleSize, equivalent_sample_size
from siviz.structure_search import LocalScore
from siviz.tables import Array, conditional_table, whole_number

_EDGE_MEASURES: Final = ("si_calibrated", "si", "log10_p_calibrated")


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
    counts = data.counts(parents, [child])
    return Family(child, tuple(parents), counts, data.number_of_states(parents))


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
        size = whole_number("size", size)
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
