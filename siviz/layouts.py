"""Places of the nodes of a graph on a page, the same for the same graph."""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from siviz.tables import Array

_STEPS: Final = 300  # of the majorization at most
_BENT: Final = 0.7
_SETTLED: Final = 1e-3  # edges: a step that moves no node further is the last


def stress_layout(
    first: NDArray[np.intp], second: NDArray[np.intp], *, nodes: int
) -> Array:
    """Places whose distances grow with the numbers of edges between the nodes.

    Minimizes the stress, the sum of ``(distance - goal)^2 / goal^2`` over all pairs of
    nodes, by majorization from a circle.  The goal is the number of edges between two
    nodes to the power of 0.7: chains bend, so that a line between their ends does not
    run through those between.  Parts that no edge joins stand further apart than any
    nodes of one part.

    Parameters
    ----------
    first, second : ndarray of int, shape (edges,)
        Nodes that each edge joins.
    nodes : int

    Returns
    -------
    ndarray, shape (nodes, 2)
        Centred, and turned so that it is wider than high.
    """
    goal = _edge_distances(first, second, nodes) ** _BENT
    angle = 2 * np.pi * np.arange(nodes) / max(nodes, 1)
    places = np.column_stack([np.cos(angle), np.sin(angle)]) * goal.max(initial=1) / 2
    if nodes > 2:
        places = _majorized(places, goal)
    return _turned(places)


def _edge_distances(
    first: NDArray[np.intp], second: NDArray[np.intp], nodes: int
) -> Array:
    joined = csr_array((np.ones(first.size), (first, second)), shape=(nodes, nodes))
    steps = shortest_path(joined, directed=False, unweighted=True)
    longest = steps[np.isfinite(steps)].max(initial=1)
    return np.where(np.isfinite(steps), steps, longest + 1)


def _majorized(places: Array, goal: Array) -> Array:
    """Each step solves for the places that a majorant of the stress has its least in.

    (De Leeuw's method with the weights of Kamada and Kawai.)
    """
    weight = np.divide(1, goal**2, where=goal > 0, out=np.zeros_like(goal))
    laplacian = np.diag(weight.sum(axis=1)) - weight
    solve = np.linalg.pinv(laplacian)
    for _ in range(_STEPS):
        apart = np.linalg.norm(places[:, None] - places[None], axis=-1)
        ratio = np.divide(goal, apart, where=apart > 1e-12, out=np.zeros_like(goal))
        pull = -weight * ratio
        np.fill_diagonal(pull, -pull.sum(axis=1))
        before, places = places, solve @ (pull @ places)
        if np.abs(places - before).max() < _SETTLED:
            break
    return places


def _turned(places: Array) -> Array:
    """Turned so that most of the spread lies in the first direction."""
    centred = places - places.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    axes = np.eye(2) if len(axes) < 2 else axes
    # Signs of singular vectors are arbitrary: the first node stands left and above.
    turned = centred @ axes.T
    return turned * np.where(turned[0] > 0, -1, 1)


def fitted(places: Array, *, width: float, height: float) -> Array:
    """Places stretched to a box; all in its middle in a direction without spread."""
    spread, low = np.ptp(places, axis=0), places.min(axis=0)
    flat = spread < 1e-9
    share = np.where(flat, 0.5, (places - low) / np.where(flat, 1, spread))
    return share * [width, height]


def pushed_apart(places: Array, sizes: Array) -> Array:
    """Places at which boxes of these sizes do not overlap, moved up and down only.

    Parameters
    ----------
    places : ndarray, shape (nodes, 2)
        Centres of the boxes.
    sizes : ndarray, shape (nodes, 2)
        Widths and heights.

    Examples
    --------
    >>> pushed_apart(np.zeros((2, 2)), np.full((2, 2), 4.0)).tolist()
    [[0.0, 0.0], [0.0, 4.0]]
    """
    places = places.copy()
    placed: list[int] = []
    for node in np.argsort(places[:, 1], kind="stable"):
        near = [
            other
            for other in placed
            if abs(places[other, 0] - places[node, 0])
            < (sizes[other, 0] + sizes[node, 0]) / 2
        ]
        # Boxes come from above, so only those that already stand can be in the way.
        for other in sorted(near, key=lambda other: places[other, 1]):
            room = (sizes[other, 1] + sizes[node, 1]) / 2
            if abs(places[node, 1] - places[other, 1]) < room:
                places[node, 1] = places[other, 1] + room
        placed.append(int(node))
    return places
