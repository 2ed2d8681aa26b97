"""A pair within the states of a third column: shares side by side, and in words."""

from typing import Final

import altair as alt
import numpy as np
import pandas as pd

from siviz.charts.figure import Figure
from siviz.charts.labels import markdown_name, short_labels, short_name, told_state
from siviz.charts.theme import GREY, PALETTE, page_wide
from siviz.strata import Strata

ALL_ROWS: Final = "(all rows)"
MOST_STRATA: Final = 12
"""States of the third column that are drawn, the most frequent ones."""
_MOST_COLOURS: Final = len(PALETTE)


def shown_strata(strata: Strata) -> list[int]:
    """Places of the most frequent states of the third column, in their order."""
    frequent = np.argsort(-strata.sizes, kind="stable")[:MOST_STRATA]
    return sorted(int(place) for place in frequent)


def telling_state(strata: Strata) -> str:
    """The state of B whose counts lie furthest from independence over all rows."""
    table = strata.pair.together.table
    excess = np.abs(table.cells - table.expected)[0].sum(axis=0)
    # Both states of two lie equally far: rounding must not decide.
    return strata.pair.second.states[int(np.argmax(excess.round(6)))]


def shares_frame(strata: Strata, state: str) -> pd.DataFrame:
    """Shares of a state of B among the rows of each state of A, in every stratum.

    Returns
    -------
    DataFrame
        ``stratum`` (first all rows), ``state`` of A (the most frequent ones), their
        whole names, ``share`` and ``rows``.  States of A without rows have none.
    """
    pair = strata.pair
    assert pair.given is not None
    goal = pair.second.states.index(state)
    states = np.argsort(-pair.counts.sum(axis=1), kind="stable")[:_MOST_COLOURS]
    labels = short_labels(pair.first.states)
    places = shown_strata(strata)
    names = short_labels([pair.given.states[place] for place in places])
    rows = [
        (label, labels[pair.first.states[a]], whole, pair.first.states[a], *cells[a])
        for label, whole, cells in [
            (ALL_ROWS, ALL_ROWS, _shares(pair.counts, goal)),
            *(
                (names[whole], whole, _shares(pair.cells[place], goal))
                for place in places
                for whole in [pair.given.states[place]]
            ),
        ]
        for a in sorted(states)
    ]
    columns = ["stratum", "state", "whole_stratum", "whole_state", "share", "rows"]
    frame = pd.DataFrame(rows, columns=columns)
    return frame[frame["rows"] > 0].reset_index(drop=True)


def _shares(cells: np.ndarray, goal: int) -> list[tuple[float, float]]:
    rows = cells.sum(axis=1)
    share = cells[:, goal] / np.maximum(rows, 1)
    return list(zip(share.tolist(), rows.tolist(), strict=True))


def shares_chart(
    frame: pd.DataFrame, names: tuple[str, str], state: str
) -> alt.LayerChart:
    """A line a stratum with a point for each state of A."""
    strata, states = (frame[name].unique().tolist() for name in ("stratum", "state"))
    first, second = (short_name(name) for name in names)
    told = short_name(state)
    base = alt.Chart(frame).encode(
        y=alt.Y("stratum:N", title=None).scale(domain=strata).axis(grid=False)
    )
    x = alt.X("share:Q", title=f"share with {second} = {told}")
    x = x.axis(format=".0%").scale(zero=True)
    link = base.mark_rule(color=GREY, strokeWidth=2).encode(
        x=alt.X("min(share):Q"), x2="max(share):Q"
    )
    points = base.mark_point(filled=True, size=130, opacity=1).encode(
        x=x,
        color=alt.Color("state:N", title=first)
        .scale(domain=states, range=list(PALETTE[: len(states)]))
        .legend(orient="top", columns=3),
        shape=alt.Shape("state:N", title=first).scale(domain=states),
        tooltip=[
            alt.Tooltip("whole_stratum:N", title="within"),
            alt.Tooltip("whole_state:N", title="state"),
            alt.Tooltip("share:Q", format=".1%"),
            alt.Tooltip("rows:Q", format=",d"),
        ],
    )
    return page_wide(
        link + points,
        height=34 * len(strata),
        description="Shares of a state within the states of a third column",
    )


def shares_figure(strata: Strata, state: str) -> Figure:
    """Shares of a state of B by A, over all rows and in every stratum."""
    frame = shares_frame(strata, state)
    return Figure.of_chart(
        shares_chart(frame, strata.pair.names, state),
        "Shares of one state, over all rows and within the states of a third column",
        shares_sentence(strata, frame, state),
        frame,
    )


def shares_sentence(strata: Strata, frame: pd.DataFrame, state: str) -> str:
    """The shares of all rows in words, and what the picture leaves out."""
    goal = told_state(strata.pair.second.name, state)
    overall = frame[frame["stratum"] == ALL_ROWS].sort_values("share")
    low, high = overall.iloc[0], overall.iloc[-1]
    told = (
        f"Over all rows {100 * high['share']:.0f} % of "
        f"{markdown_name(high['whole_state'])} and {100 * low['share']:.0f} % of "
        f"{markdown_name(low['whole_state'])} have {goal}."
    )
    within = frame[frame["stratum"] != ALL_ROWS]
    turned, both = 0, 0
    for _, rows in within.groupby("stratum", sort=False):
        share = rows.set_index("whole_state")["share"]
        if low["whole_state"] in share and high["whole_state"] in share:
            both += 1
            turned += share[low["whole_state"]] > share[high["whole_state"]]
    states = "state" if both == 1 else "states"
    told += f" Their order is the opposite in {turned} of {both} {states} of "
    told += f"{markdown_name(_given(strata))}."
    left = len(strata.sizes) - len(shown_strata(strata))
    hidden = len(strata.pair.first.states) - overall.shape[0]
    told += f" {left:,} rarer states of the third column are not drawn." if left else ""
    told += f" {hidden:,} rarer states of A are not drawn." if hidden > 0 else ""
    return told


def strata_sentence(strata: Strata) -> str:
    """What becomes of the dependence within the states of the third column."""
    first, second = (markdown_name(name) for name in strata.pair.names)
    given = markdown_name(_given(strata))
    pair = f"{first} and {second}"
    numbers = f"SI = {strata.together:.2f} over all rows, {strata.within:.2f} within"
    turned = f"{_turned(strata)} the deviation from independence points the other way"
    return {
        "none": f"{pair} show no dependence, neither over all rows nor within the "
        f"states of {given} ({numbers}).",
        "appears": f"Over all rows {pair} look independent; **within** the states of "
        f"{given} they depend on each other ({numbers}).",
        "disappears": f"Over all rows {pair} depend on each other; within the states "
        f"of {given} **the dependence disappears** ({numbers}): {given} explains it.",
        "reverses": f"Over all rows {pair} depend on each other ({numbers} the states "
        f"of {given}), and within them **the direction reverses**: {turned}. This is "
        "Simpson's paradox.",
        "remains": f"Over all rows and within the states of {given} {pair} depend on "
        f"each other ({numbers}), on the whole in the same direction; {turned}.",
    }[strata.outcome]


def _turned(strata: Strata) -> str:
    turned = strata.directions < 0
    share = float(strata.sizes[turned].sum() / strata.sizes.sum())
    return (
        f"in {int(turned.sum()):,} of {len(turned):,} states, with "
        f"{100 * share:.0f} % of the rows,"
    )


def _given(strata: Strata) -> str:
    assert strata.pair.given is not None
    return strata.pair.given.name


def strata_table(strata: Strata) -> pd.DataFrame:
    """One row a stratum as Markdown: its state, rows, SI, and direction in words."""
    assert strata.pair.given is not None
    states = strata.pair.given.states
    informations, directions = strata.informations, strata.directions
    rows = [(ALL_ROWS, strata.sizes.sum(), strata.together, "")]
    rows += [
        (
            markdown_name(states[place]),
            strata.sizes[place],
            informations[place],
            direction_words(directions[place]),
        )
        for place in shown_strata(strata)
    ]
    return pd.DataFrame(
        [
            (state, f"{size:,.0f}", f"{si:.2f}".replace("-", "−"), direction)
            for state, size, si, direction in rows
        ],
        columns=[markdown_name(strata.pair.given.name), "rows", "SI", "direction"],
    )


def direction_words(direction: float) -> str:
    """The direction of a stratum against that of all rows.

    Examples
    --------
    >>> direction_words(1.0), direction_words(-0.9), direction_words(0.2)
    ('as in all rows', 'opposite', 'another pattern')
    """
    if np.isnan(direction):
        return "none"
    if abs(direction) < 0.5:
        return "another pattern"
    return "as in all rows" if direction > 0 else "opposite"
