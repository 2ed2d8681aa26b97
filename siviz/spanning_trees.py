"""Maximum spanning trees: the fewest edges that join all, with the most weight."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import minimum_spanning_tree

from siviz.tables import Array


def maximum_spanning_tree(
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    weight: Array,
    *,
    nodes: int,
) -> NDArray[np.intp]:
    """Positions of the edges whose sum of weights is largest among all spanning trees.

    With mutual information as the weight this is Chow and Liu's tree, the one that
    describes the joint distribution best; with standardized information it is the tree
    of the surest dependences.  Which tree is largest depends on the order of the
    weights only, so they may be negative or zero, and monotone changes of them do not
    matter.  Of equal weights the earlier edge is taken.  If the edges do not join all
    nodes, each connected part gets a tree of its own.

    Parameters
    ----------
    first, second : ndarray of int, shape (edges,)
        Nodes that each edge joins, from 0; no two edges join the same nodes.
    weight : ndarray, shape (edges,)
        An edge whose weight is nan does not exist.
    nodes : int

    Returns
    -------
    ndarray of int
        Rising.

    Examples
    --------
    >>> first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    >>> maximum_spanning_tree(first, second, np.array([3.0, -1.0, 0.0]), nodes=3)
    array([0, 2])
    """
    there = np.flatnonzero(~np.isnan(weight))
    order = there[np.argsort(-weight[there], kind="stable")]
    # Places instead of weights: scipy takes a weight of zero for no edge.
    cost = np.arange(1, order.size + 1)
    graph = csr_array((cost, (first[order], second[order])), shape=(nodes, nodes))
    chosen = minimum_spanning_tree(graph).data.astype(np.intp)
    return np.sort(order[chosen - 1])
