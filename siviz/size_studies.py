"""How much to smooth one data set, asked in every way (Sec. 6 and 7.2)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, get_args

import numpy as np

from siviz.discrete_data import DiscreteData
from siviz.graphs import Graph
from siviz.labelled_tables import LabelledTable, labelled_table
from siviz.multinomials import SizeCurve
from siviz.networks import (
    network_cross_validation,
    network_empirical_bayes,
    network_sample_size,
)
from siviz.smoothing import (
    Dof,
    EquivalentSampleSize,
    cross_validation,
    empirical_bayes,
    equivalent_sample_size,
)

DOFS: Final[tuple[Dof, ...]] = get_args(Dof)


@dataclass(frozen=True, eq=False)
class SizeStudy:
    """The equivalent sample size of a table or a network by every method."""

    constraints: Mapping[Dof, EquivalentSampleSize]
    """Eq. 9 and 10 by the degrees of freedom."""
    bayes: SizeCurve
    validation: SizeCurve
    tables: Mapping[str, LabelledTable]
    """What can be smoothed, by name: the table, or each family with parents."""

    def reference(self, dof: Dof) -> float:
        """A size to start from: Eq. 9's solution, or else the best that there is.

        That is Eq. 10, then empirical Bayes, then one virtual observation.
        """
        constraint = self.constraints[dof]
        sizes = [constraint.exact, constraint.approximate, self.bayes.best, 1.0]
        return next(size for size in sizes if np.isfinite(size))


def table_study(table: LabelledTable) -> SizeStudy:
    """All methods for one table against independence of all its variables.

    Examples
    --------
    >>> from siviz.labelled_tables import typed_table
    >>> round(table_study(typed_table([[30, 10], [10, 30]])).reference("nominal"), 3)
    3.815
    """
    counts = table.counts
    return SizeStudy(
        {dof: equivalent_sample_size(counts, dof=dof) for dof in DOFS},
        empirical_bayes(counts),
        cross_validation(counts),
        {" × ".join(table.names): table},
    )


def network_study(data: DiscreteData, graph: Graph) -> SizeStudy:
    """All methods for a network, each a sum over its families."""
    return SizeStudy(
        {dof: network_sample_size(data, graph, dof=dof) for dof in DOFS},
        network_empirical_bayes(data, graph),
        network_cross_validation(data, graph),
        {
            child: labelled_table(data, (*parents, child), conditional=True)
            for child, parents in graph.parents.items()
            if parents
        },
    )
