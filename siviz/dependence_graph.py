"""Columns as nodes, dependences as edges: what is significant, and spanning trees."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from siviz.ranking import Ranking
from siviz.significance import significance_threshold
from siviz.spanning_trees import maximum_spanning_tree

MOST_COLUMNS: Final = 60
"""Columns of a graph; of more, those in the strongest pairs."""
Rule: TypeAlias = Literal["level", "discoveries"]
"""What a level means: of each test (Sec. 5.1), or the false-discovery rate of all."""


@dataclass(frozen=True, eq=False)
class DependenceGraph:
    """Dependences between columns.

    Attributes
    ----------
    columns : tuple of str
        Nodes; also those that nothing depends on.
    edges : DataFrame
        One row for each pair of these columns that has a score, strongest first:
        ``first``, ``second``, their nodes ``a`` and ``b`` (places in ``columns``),
        ``rank``, ``score``, ``mi``, ``log10_q``, ``above`` (whether it is significant),
        ``tree`` and ``chow_liu`` (whether it belongs to the spanning tree of these
        columns with the largest sum of scores, or of mutual information).
    all_columns : int
        How many columns were ranked.
    tested, significant : int
        Pairs of all columns that have a score, and how many of them are significant.
    """

    columns: tuple[str, ...]
    edges: pd.DataFrame
    all_columns: int
    tested: int
    significant: int

    @property
    def isolated(self) -> tuple[str, ...]:
        """Columns without a significant dependence on another of them."""
        above = self.edges[self.edges["above"]]
        joined = {*above["first"], *above["second"]}
        return tuple(name for name in self.columns if name not in joined)


def dependence_graph(
    ranking: Ranking, *, level: float, rule: Rule = "level", most: int = MOST_COLUMNS
) -> DependenceGraph:
    """The graph of a ranking's dependences.

    The maximum spanning tree within the significant edges is the part of ``tree`` that
    is ``above``, so one tree serves every level.

    Parameters
    ----------
    ranking : Ranking
        It must hold mutual information among its measures.
    level : float
        Between 0 and 1.
    rule : {"level", "discoveries"}
        Significant is a score above the threshold of this level (Sec. 5.1), or a
        q-value up to it (Benjamini and Hochberg), which allows for many pairs.
    most : int
        Columns at most: those in the strongest pairs.
    """
    known = ranking.frame[ranking.frame["score"].notna()]
    above = is_significant(known, level=level, rule=rule)
    columns = _columns(ranking, known, most)
    node = {name: number for number, name in enumerate(columns)}
    inside = (known["first"].isin(node) & known["second"].isin(node)).to_numpy()
    facts = ["first", "second", "rank", "score", "mi", "log10_q"]
    edges = known.loc[inside, facts].assign(above=above[inside])
    edges = edges.reset_index(drop=True)
    edges["a"], edges["b"] = edges["first"].map(node), edges["second"].map(node)
    for name, weight in (("tree", "score"), ("chow_liu", "mi")):
        tree = maximum_spanning_tree(
            np.asarray(edges["a"], dtype=np.intp),
            np.asarray(edges["b"], dtype=np.intp),
            np.asarray(edges[weight], dtype=float),
            nodes=len(columns),
        )
        edges[name] = np.isin(np.arange(len(edges)), tree)
    return DependenceGraph(
        columns, edges, len(ranking.prepared.kept), len(known), int(above.sum())
    )


def is_significant(
    pairs: pd.DataFrame, *, level: float, rule: Rule
) -> NDArray[np.bool_]:
    """Which pairs of a ranking are called dependent; see `dependence_graph`."""
    threshold = significance_threshold(level)
    if rule == "discoveries":
        return pairs["log10_q"].to_numpy(float) <= np.log10(level)
    return pairs["score"].to_numpy(float) > threshold


def _columns(ranking: Ranking, known: pd.DataFrame, most: int) -> tuple[str, ...]:
    """Those in the strongest pairs, in the order of the data."""
    strongest = known[["first", "second"]].to_numpy().ravel()
    kept = [column.name for column in ranking.prepared.kept]
    chosen = set(pd.unique(np.r_[strongest, np.array(kept, dtype=object)])[:most])
    return tuple(name for name in kept if name in chosen)
