"""Tables of counts whose variables and states have names."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from siviz.discrete_data import DiscreteData
from siviz.smoothing import smoothed_probabilities
from siviz.tables import Array, as_counts

MOST_CELLS: Final = 20_000
"""Cells of the largest joint table that is built from columns."""


@dataclass(frozen=True, eq=False)
class LabelledTable:
    """Joint counts of variables, or of a variable given the others.

    Examples
    --------
    >>> table = typed_table([[3, 0], [0, 1]])
    >>> table.probabilities(4)
    array([[0.5  , 0.125],
           [0.125, 0.25 ]])
    """

    names: tuple[str, ...]
    states: tuple[tuple[str, ...], ...]
    counts: Array
    """An axis for each variable."""
    conditional: bool = False
    """Whether probabilities are those of the last variable given all others."""

    def probabilities(self, equivalent_sample_size: float = 0.0) -> Array:
        """Smoothed probabilities of the cells; 0 gives the raw ones.

        The prior is uniform.  nan where the other variables have states that never met
        and nothing is smoothed.
        """
        joint = smoothed_probabilities(
            self.counts, equivalent_sample_size=equivalent_sample_size
        )
        if not self.conditional:
            return joint
        given = joint.sum(axis=-1, keepdims=True)
        return np.divide(joint, given, out=np.full_like(joint, np.nan), where=given > 0)

    @property
    def words(self) -> tuple[str, ...]:
        """The names as words."""
        return tuple(name.replace("_", " ") for name in self.names)

    def label(
        self, index: Sequence[int], tell: Callable[[str, str], str] = "{} = {}".format
    ) -> str:
        """The states of a cell in words; ``tell`` says that a variable is in a state.

        Examples
        --------
        >>> typed_table([[3, 0], [0, 1]]).label((0, 1))
        'A = A1, B = B2'
        """
        places = zip(self.words, self.states, index, strict=True)
        told = [tell(name, states[i]) for name, states, i in places]
        if self.conditional and len(told) > 1:
            return f"{told[-1]} given {', '.join(told[:-1])}"
        return ", ".join(told)


def typed_table(counts: ArrayLike) -> LabelledTable:
    """A two-way table with states A1, A2, ... and B1, B2, ..."""
    array = as_counts(counts, axes=["rows", "columns"])
    rows, columns = array.shape
    states = tuple(f"A{i + 1}" for i in range(rows))
    return LabelledTable(
        ("A", "B"), (states, tuple(f"B{j + 1}" for j in range(columns))), array
    )


def labelled_table(
    data: DiscreteData, names: Sequence[str], *, conditional: bool = False
) -> LabelledTable:
    """The joint table of some columns; with too many cells that is refused."""
    if not names:
        raise ValueError("names must hold at least one column; got none")
    cells = data.number_of_states(names)
    if cells > MOST_CELLS:
        raise ValueError(
            f"the joint table of {list(names)} would have {cells:,} cells, more than "
            f"{MOST_CELLS:,}: choose fewer columns, or columns with fewer states"
        )
    return LabelledTable(
        tuple(names),
        tuple(tuple(str(state) for state in data.states[name]) for name in names),
        data.counts(*([name] for name in names)),
        conditional,
    )
