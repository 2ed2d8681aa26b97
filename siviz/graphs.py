"""Directed acyclic graphs: which variables are the parents of which."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import combinations


@dataclass(frozen=True)
class Graph:
    """A directed acyclic graph: every variable with its parents.

    Examples
    --------
    >>> graph = Graph.from_edges("abc", [("a", "c"), ("b", "c")])
    >>> graph.parents["c"], graph.order
    (('a', 'b'), ('a', 'b', 'c'))
    """

    parents: Mapping[str, tuple[str, ...]]

    def __post_init__(self) -> None:
        for child, parents in self.parents.items():
            for parent in parents:
                if parent not in self.parents:
                    raise ValueError(
                        f"edges must join variables of the graph; got {parent!r} -> "
                        f"{child!r}, but the variables are {list(self.parents)}"
                    )
            if len(set(parents)) < len(parents):
                raise ValueError(f"edges must differ; got one to {child!r} twice")
        try:
            TopologicalSorter(self.parents).prepare()
        except CycleError as error:
            cycle = " -> ".join(map(str, error.args[1]))
            raise ValueError(
                f"edges must not form a cycle; got {cycle}: drop or reverse one of them"
            ) from error

    @classmethod
    def from_edges(
        cls, variables: Iterable[str], edges: Iterable[tuple[str, str]]
    ) -> "Graph":
        """The graph with these (parent, child) edges."""
        parents: dict[str, tuple[str, ...]] = dict.fromkeys(
            distinct_names(variables), ()
        )
        for parent, child in edges:
            if child not in parents:
                raise ValueError(
                    f"edges must join variables of the graph; got {parent!r} -> "
                    f"{child!r}, but the variables are {list(parents)}"
                )
            parents[child] += (parent,)
        return cls(parents)

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """All (parent, child) pairs."""
        return tuple((p, child) for child, ps in self.parents.items() for p in ps)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The variables, parents before children."""
        return tuple(TopologicalSorter(self.parents).static_order())

    def is_equivalent(self, other: "Graph") -> bool:
        """Whether both say the same independences (Markov equivalence).

        They do if they join the same pairs and have the same colliders, pairs of
        parents of a child that are not themselves joined.
        """
        return self._pattern() == other._pattern()

    def _pattern(self) -> tuple[set[frozenset[str]], set[tuple[str, frozenset[str]]]]:
        joined = {frozenset(edge) for edge in self.edges}
        couples = (
            (child, frozenset(couple))
            for child, parents in self.parents.items()
            for couple in combinations(parents, 2)
        )
        return joined, {found for found in couples if found[1] not in joined}


def distinct_names(variables: Iterable[str]) -> tuple[str, ...]:
    """The variables as a tuple, or an error if two of them have one name."""
    names = tuple(variables)
    if not names or len(set(names)) < len(names):
        raise ValueError(f"variables must be distinct names; got {list(names)}")
    return names
