"""The search for the directed acyclic graph with the best score.

A score that decomposes (Sec. 5.5) is a sum over variables of a local score of the
variable with its parents.  The searches here know nothing else of it: they take that
local score as a function, for instance `siviz.networks.bdeu_family_score`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from siviz.graphs import Graph, distinct_names
from siviz.tables import Array

LocalScore: TypeAlias = Callable[[str, tuple[str, ...]], float]
"""Score of a variable (first) with its parents (second); larger is better."""
Move: TypeAlias = Literal["add", "remove", "reverse"]

_Parents: TypeAlias = dict[str, tuple[str, ...]]

MOST_VARIABLES: Final = 5
"""Most variables of an exhaustive search: 6 have 3,781,503 graphs."""
# Scores of equivalent graphs differ by rounding only, well below this many nats.
_TIE: Final = 1e-6


@cache
def acyclic_parents(variables: int) -> NDArray[np.uint8]:
    """All directed acyclic graphs of up to 5 variables, as sets of parents.

    Returns
    -------
    ndarray, shape (graphs, variables)
        Bit j of entry i says that variable j is a parent of variable i.

    Examples
    --------
    >>> [len(acyclic_parents(n)) for n in range(1, 6)]
    [1, 3, 25, 543, 29281]
    """
    if not 1 <= variables <= MOST_VARIABLES:
        raise ValueError(
            f"an exhaustive search takes 1 to {MOST_VARIABLES} variables; got "
            f"{variables}: choose fewer or use greedy_search"
        )
    masks = np.arange(2**variables, dtype=np.uint8)
    choices = [masks[masks >> i & 1 == 0] for i in range(variables)]
    parents = np.stack(np.meshgrid(*choices, indexing="ij"), axis=-1)
    parents = parents.reshape(-1, variables)
    # A graph is acyclic if variables without parents can be taken away until none is
    # left; one is lost at least in every round.
    left = np.full(len(parents), 2**variables - 1, dtype=np.uint8)
    for _ in range(variables):
        for i in range(variables):
            free = parents[:, i] & left == 0
            left[free] &= np.uint8(2**variables - 1 - 2**i)
    found = parents[left == 0]
    found.flags.writeable = False
    return found


@dataclass(frozen=True, eq=False)
class GraphRanking:
    """All graphs of some variables, the best first."""

    variables: tuple[str, ...]
    parents: NDArray[np.uint8]
    """Rows of `acyclic_parents`."""
    scores: Array

    def __len__(self) -> int:
        return len(self.scores)

    def graph(self, rank: int) -> Graph:
        """The graph at a rank; 0 is the best."""
        return Graph(
            {
                child: _members(int(mask), self.variables)
                for child, mask in zip(self.variables, self.parents[rank], strict=True)
            }
        )

    @property
    def best(self) -> tuple[Graph, ...]:
        """All graphs that share the best score (Markov-equivalent ones under BDeu)."""
        ties = np.count_nonzero(self.scores >= self.scores[0] - _TIE)
        return tuple(self.graph(rank) for rank in range(int(ties)))


def exhaustive_search(
    variables: Sequence[str], local_score: LocalScore
) -> GraphRanking:
    """Rank all directed acyclic graphs of up to 5 variables by their score.

    Examples
    --------
    A score that rewards the one edge a -> b:

    >>> ranking = exhaustive_search("ab", lambda x, pa: float((x, pa) == ("b", ("a",))))
    >>> ranking.graph(0).edges
    (('a', 'b'),)
    """
    names = distinct_names(variables)
    graphs = acyclic_parents(len(names))
    scores = np.zeros(len(graphs))
    for i, child in enumerate(names):
        used, code = np.unique(graphs[:, i], return_inverse=True)
        local = [local_score(child, _members(int(mask), names)) for mask in used]
        scores += np.array(local)[code]
    order = np.argsort(-scores, kind="stable")
    return GraphRanking(names, graphs[order], scores[order])


def _members(mask: int, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for j, name in enumerate(names) if mask >> j & 1)


@dataclass(frozen=True)
class Step:
    """One move of the greedy search: an edge and what it gained."""

    move: Move
    parent: str
    child: str
    gain: float


@dataclass(frozen=True)
class GreedyPath:
    """Where a greedy search ended, its score, and the steps it took."""

    graph: Graph
    score: float
    steps: tuple[Step, ...]


def greedy_search(
    variables: Sequence[str],
    local_score: LocalScore,
    *,
    start: Graph | None = None,
    max_parents: int | None = None,
) -> GreedyPath:
    """Climb from a graph by the best single change until none improves the score.

    A change adds, removes or reverses one edge.  The end is a local maximum: no single
    change is better, but another graph may be.

    Parameters
    ----------
    variables : sequence of str
    local_score : callable
        Score of a variable with a tuple of parents; called once per family.
    start : Graph, optional
        Where to begin; by default without edges.
    max_parents : int, optional
        Most parents of a variable; by default no limit.

    Examples
    --------
    >>> path = greedy_search("ab", lambda x, pa: float((x, pa) == ("b", ("a",))))
    >>> path.graph.edges, path.score
    ((('a', 'b'),), 1.0)
    """
    names = distinct_names(variables)
    if start is not None and set(start.parents) != set(names):
        raise ValueError(
            f"start must be a graph over {list(names)}; got {list(start.parents)}"
        )
    if max_parents is not None and max_parents < 0:
        raise ValueError(f"max_parents must be at least 0; got {max_parents}")
    # The order of parents is that of the variables, so that a family is scored once.
    score = cache(lambda x, pa: local_score(x, tuple(n for n in names if n in pa)))
    parents: _Parents = {n: start.parents[n] if start else () for n in names}
    limit = len(names) if max_parents is None else max_parents
    steps: list[Step] = []
    while (best := _best_move(parents, score, limit)) is not None:
        step, changed = best
        parents |= changed
        steps.append(step)
    total = sum(score(child, frozenset(pa)) for child, pa in parents.items())
    return GreedyPath(Graph(parents), float(total), tuple(steps))


def _best_move(
    parents: _Parents, score: Callable[[str, frozenset[str]], float], limit: int
) -> tuple[Step, _Parents] | None:
    """The change that gains most, with the families it changes; None if none gains."""
    best, found = _TIE, None
    for move, parent, child, changed in _moves(parents):
        if any(len(pa) > max(limit, len(parents[x])) for x, pa in changed.items()):
            continue
        gain = sum(
            score(x, frozenset(pa)) - score(x, frozenset(parents[x]))
            for x, pa in changed.items()
        )
        if gain > best:
            best, found = gain, (Step(move, parent, child, float(gain)), changed)
    return found


def _moves(parents: _Parents) -> Iterator[tuple[Move, str, str, _Parents]]:
    """All single changes that keep the graph acyclic."""
    above = _ancestors(parents)
    for child, pa in parents.items():
        for other in parents:
            if other in pa:
                without = tuple(name for name in pa if name != other)
                yield "remove", other, child, {child: without}
                if not any(other in above[name] for name in without):
                    turned = {child: without, other: (*parents[other], child)}
                    yield "reverse", other, child, turned
            elif other != child and child not in above[other]:
                yield "add", other, child, {child: (*pa, other)}


def _ancestors(parents: _Parents) -> dict[str, set[str]]:
    above: dict[str, set[str]] = {}
    for child in TopologicalSorter(parents).static_order():
        above[child] = set(parents[child]).union(*(above[p] for p in parents[child]))
    return above
