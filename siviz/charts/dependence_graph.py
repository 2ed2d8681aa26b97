"""The graph of dependences: columns as nodes, edges as wide as SI is large."""

from typing import Final, Literal, TypeAlias

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.labels import markdown_name, markdown_pair, short_labels
from siviz.charts.opening import opened_pair
from siviz.charts.theme import BLUE, GREY, ORANGE, SOLID, TEXT, page_wide
from siviz.dependence_graph import DependenceGraph, Rule
from siviz.layouts import fitted, pushed_apart, stress_layout
from siviz.significance import significance_threshold

Edges: TypeAlias = Literal["dependences", "SI tree", "Chow–Liu"]
"""What a graph draws."""
_TREES: Final = {"SI tree": "tree", "Chow–Liu": "chow_liu"}
_LABEL: Final = 18  # characters of a node's label
_WIDTH, _LETTER, _LINE = 480, 6.8, 34  # pixels: of the graph, a letter, a node's box
_MARGIN: Final = 0.12  # of the width, for labels at the sides
_FLATTEST, _HIGHEST = 0.08, 0.85  # of the width
_NAMED: Final = 6  # columns that a sentence names


def nodes_frame(graph: DependenceGraph) -> pd.DataFrame:
    """One row a column: where it stands and how it is called.

    Places come from the maximum-SI spanning tree, so they stay when the level or what
    is drawn changes.

    Returns
    -------
    DataFrame
        ``node``, ``column``, ``label``, ``x``, ``y`` (pixels), ``edges`` (its
        significant dependences) and ``strongest``, its largest score.
    """
    tree = graph.edges[graph.edges["tree"]]
    ends = tree["a"].to_numpy(), tree["b"].to_numpy()
    places = stress_layout(*ends, nodes=len(graph.columns))
    wide, high = np.ptp(places, axis=0)
    height = _WIDTH * np.clip(high / max(wide, 1e-9), _FLATTEST, _HIGHEST)
    labels = list(short_labels(graph.columns, _LABEL).values())
    widths = [_LETTER * len(label) + 10 for label in labels]
    sizes = np.column_stack([widths, np.full(len(labels), _LINE)])
    places = pushed_apart(fitted(places, width=_WIDTH, height=height), sizes)
    above = graph.edges[graph.edges["above"]]
    joined = pd.concat([above["a"], above["b"]]).value_counts()
    both = pd.concat(
        [graph.edges[[end, "score"]].set_axis(["n", "score"], axis=1) for end in "ab"]
    )
    strongest = both.groupby("n")["score"].max()
    nodes = np.arange(len(labels))
    return pd.DataFrame(
        {
            "node": nodes,
            "column": graph.columns,
            "label": labels,
            "x": places[:, 0],
            "y": places[:, 1],
            "edges": joined.reindex(nodes, fill_value=0),
            "strongest": strongest.reindex(nodes),
        }
    )


def edges_frame(
    graph: DependenceGraph, nodes: pd.DataFrame, *, edges: Edges, most: int
) -> pd.DataFrame:
    """The edges to draw with the places of their ends.

    Parameters
    ----------
    graph : DependenceGraph
    nodes : DataFrame
        Of `nodes_frame`.
    edges : {"dependences", "SI tree", "Chow–Liu"}
        All that is significant, or a tree.
    most : int
        Edges at most; those of the maximum-SI tree come first, so that no column looks
        independent because of the limit.

    Returns
    -------
    DataFrame
        The columns of ``graph.edges``, and ``x``, ``y``, ``x2``, ``y2``.
    """
    frame = graph.edges
    if edges in _TREES:
        drawn = frame[frame[_TREES[edges]]]
    else:
        above = frame[frame["above"]]
        first = above.sort_values("tree", ascending=False, kind="stable")
        drawn = first.head(max(most, int(above["tree"].sum()))).sort_index()
    x, y = nodes["x"].to_numpy(), nodes["y"].to_numpy()
    a, b = drawn["a"].to_numpy(), drawn["b"].to_numpy()
    placed = drawn.assign(x=x[a], y=y[a], x2=x[b], y2=y[b])
    # The tree is drawn last, above the other edges.
    return placed.sort_values("tree", kind="stable")


def graph_chart(nodes: pd.DataFrame, edges: pd.DataFrame) -> alt.LayerChart:
    """Nodes and edges; the pointer picks out a column, a click on an edge opens it.

    Dashed edges are not significant; those of the maximum-SI tree are blue.
    """
    pointed = alt.selection_point(
        name="pointed", on="pointerover", clear="pointerout", fields=["node"]
    )
    height = float(np.ptp(nodes["y"])) + 2 * _LINE
    side, top = _MARGIN * _WIDTH, float(nodes["y"].min()) - _LINE
    x = alt.X("x:Q", axis=None).scale(domain=[-side, _WIDTH + side], nice=False)
    y = alt.Y("y:Q", axis=None).scale(domain=[top + height, top], nice=False)
    lines = alt.Chart(edges).encode(
        x=x,
        y=y,
        x2="x2:Q",
        y2="y2:Q",
        tooltip=[
            alt.Tooltip("first:N", title="first"),
            alt.Tooltip("second:N", title="second"),
            alt.Tooltip("score:Q", title="SI", format=".2f"),
            alt.Tooltip("rank:Q", title="place", format=",d"),
            alt.Tooltip("mi:Q", title="MI (nats)", format=".4f"),
            alt.Tooltip("log10_q:Q", title="log10 q", format=".1f"),
        ],
    )
    widest = max(float(edges["score"].max()), 2.0) if len(edges) else 2.0
    touching = (
        "indexof(pointed.node, datum.a) >= 0 || indexof(pointed.node, datum.b) >= 0"
    )
    lit = f"!isArray(pointed.node) || {touching}"
    drawn = lines.mark_rule(strokeCap="round").encode(
        strokeWidth=alt.StrokeWidth("score:Q", title="SI (no unit)")
        .scale(domain=[0, widest], range=[0.8, 9], clamp=True)
        .legend(
            orient="bottom", symbolType="stroke", symbolSize=500, values=_steps(widest)
        ),
        color=alt.when("datum.tree").then(alt.value(BLUE)).otherwise(alt.value(GREY)),
        opacity=alt.when(f"!({lit})")
        .then(alt.value(0.08))
        .when("datum.tree")
        .then(alt.value(0.85))
        .otherwise(alt.value(0.45)),
        strokeDash=alt.when("datum.above")
        .then(alt.value(SOLID))
        .otherwise(alt.value([3, 5])),
    )
    # What is thin is hard to hit: a wide line that nobody sees takes the pointer.
    hit = lines.mark_rule(strokeWidth=16, opacity=0, cursor="pointer")
    columns = alt.Chart(nodes).encode(
        x=x,
        y=y,
        tooltip=[
            alt.Tooltip("column:N", title="column"),
            alt.Tooltip("edges:Q", title="dependences", format=",d"),
            alt.Tooltip("strongest:Q", title="largest SI", format=".2f"),
        ],
    )
    dots = columns.mark_circle(size=150, opacity=1).encode(
        color=alt.when("datum.edges > 0")
        .then(alt.value(BLUE))
        .otherwise(alt.value(ORANGE))
    )
    labels = columns.mark_text(
        dy=-14, fontSize=12, fontWeight=600, limit=alt.expr("max(width / 4, 70)")
    ).encode(text="label:N", color=alt.value(TEXT))
    return page_wide(
        drawn + labels + hit.add_params(opened_pair()) + dots.add_params(pointed),
        height=round(height),
        description="Columns as nodes, their dependences as edges",
    )


def _steps(highest: float) -> list[float]:
    """Round numbers from 0 on for a legend: so few that they fit on a phone.

    Examples
    --------
    >>> _steps(17.3), _steps(2.6)
    ([0.0, 5.0, 10.0, 15.0], [0.0, 1.0, 2.0])
    """
    power = 10.0 ** np.floor(np.log10(highest / 4))
    step = next(n * power for n in (1, 2, 5, 10) if n * power >= highest / 4)
    return [float(n) for n in np.arange(0, highest, step).round(10)]


def graph_sentence(
    graph: DependenceGraph, drawn: int, *, level: float, rule: Rule, edges: Edges
) -> str:
    """What the level means here, what is drawn, and which columns stand alone."""
    parts = [_level_sentence(graph, level, rule)]
    above = int(graph.edges["above"].sum())
    if edges in _TREES:
        parts.append(_tree_sentence(graph, edges))
    elif drawn < above:
        parts.append(
            f"Drawn are {drawn:,} of {above:,} edges: the maximum-SI tree and the "
            "strongest others."
        )
    if len(graph.columns) < graph.all_columns:
        parts.append(
            f"Shown are the {len(graph.columns)} of {graph.all_columns:,} columns that "
            "stand in the strongest pairs."
        )
    parts.append(_isolated_sentence(graph))
    return " ".join(part for part in parts if part)


def _level_sentence(graph: DependenceGraph, level: float, rule: Rule) -> str:
    found, tested = graph.significant, graph.tested
    count = f"**{found:,} of {tested:,}** pair{'s' * (tested != 1)}"
    if rule == "discoveries":
        chance = level * found
        return (
            f"At a false-discovery rate of {percent(level)}, {count} have an edge, of "
            f"which at most about {chance:.2g} are expected to be chance."
        )
    return (
        f"At a level of {percent(level)} an edge needs SI above "
        f"**{float(significance_threshold(level)):.2f}**: {count} have one. If all "
        f"columns were independent, about {level * tested:.2g} would."
    )


def percent(share: float) -> str:
    """A share as a reader writes it.

    Examples
    --------
    >>> percent(0.05), percent(0.001)
    ('5 %', '0.1 %')
    """
    return f"{100 * share:.6g} %"


def _tree_sentence(graph: DependenceGraph, edges: Edges) -> str:
    chosen = graph.edges[graph.edges[_TREES[edges]]]
    if chosen.empty:
        return ""
    weak = int((~chosen["above"]).sum())
    dashed = f" Dashed: {weak}, which the level does not call dependent." * (weak > 0)
    if edges == "Chow–Liu":
        shared = int((graph.edges["tree"] & graph.edges["chow_liu"]).sum())
        return (
            f"The Chow–Liu tree has {chosen['mi'].sum():.3f} nats in {len(chosen)} "
            f"edges, of which {shared} also belong to the maximum-SI tree.{dashed}"
        )
    best = chosen.iloc[0]
    return (
        f"The maximum-SI tree has {len(chosen)} edges with a sum of "
        f"{chosen['score'].sum():.1f}; its strongest is "
        f"{markdown_pair(best['first'], best['second'])}.{dashed}"
    )


def _isolated_sentence(graph: DependenceGraph) -> str:
    alone = graph.isolated
    if not alone:
        return ""
    names = ", ".join(markdown_name(name, 24) for name in alone[:_NAMED])
    rest = f" and {len(alone) - _NAMED} more" if len(alone) > _NAMED else ""
    return f"Orange, without an edge: {names}{rest}."
