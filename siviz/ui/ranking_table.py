"""A ranking as a table to sort, search and select from."""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import pandas as pd
import streamlit as st

from siviz.charts.frame import short_label
from siviz.locations import DASHBOARD
from siviz.ranking import Ranking
from siviz.ui.text import cell, plain

MOST_SHOWN: Final = 2_000
"""Rows that are sent to the browser; search, filters and order see all pairs."""
LONGEST_NAME: Final = 40
"""Characters of a name in a grid; the page of its pair has the whole name."""
_SMALLEST: Final = -307  # log10 of the smallest q that a number can hold
_LEVELS: Final = (0.001, 0.01, 0.05, 0.1, 1.0)
_BY_SCORE: Final = "SI, as ranked"
_HELP: Final = {
    "SI": "Standardized information: about 0 for independent columns.",
    "q": "False-discovery rate at which the pair is called dependent. Empty where it "
    "is too small for a number: see log10 q.",
    "log10 q": "The same as a logarithm, which never underflows.",
    "Rows": "Observations with both values.",
    "States": "States of A × of B that occur.",
    "Note": "Why the numbers of this pair should be taken with care.",
}


def ranking_sentence(ranking: Ranking, level: float = 0.05) -> str:
    """What was found, in a sentence of Markdown."""
    frame = ranking.frame
    known = frame[frame["score"].notna()]
    if known.empty:
        return "No pair has a score: no row has both values of any pair."
    first, second = (plain(known[name].iloc[0]) for name in ("first", "second"))
    found = int((known["log10_q"] <= np.log10(level)).sum())
    return (
        f"**{found:,} of {len(frame):,} pairs** are dependent at a false-discovery "
        f"rate of {100 * level:g} %. The strongest: **{first}** and **{second}**, SI "
        f"{known['score'].iloc[0]:.1f}."
    )


@st.fragment
def ranking_table(ranking: Ranking) -> None:
    """The pairs, strongest first; selecting one opens it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input(
            "Search",
            placeholder="parts of names",
            key="search",
            type="search",
            live=True,
            bind="query-params",
        )
        level = st.select_slider(
            "False-discovery rate q at most",
            _LEVELS,
            1.0,
            key="q",
            help="Of the pairs shown, about this share is expected to be independent.",
            bind="query-params",
        )
        order = st.selectbox(
            "Order by",
            [_BY_SCORE, *ranking.measures],
            format_func=lambda key: key if key == _BY_SCORE else short_label(key),
            key="order",
            bind="query-params",
        )
        values = st.toggle(
            "Values, not ranks", False, key="values", bind="query-params"
        )
        noted = st.toggle(
            "Pairs with a note too", True, key="noted", bind="query-params"
        )
    shown = shown_pairs(ranking.frame, words or "", level, noted=noted)
    if order != _BY_SCORE:
        shown = shown.sort_values(f"rank_{order}", kind="stable")
    if shown.empty:
        st.info("No pair fits. Clear the search, allow a larger q, or show notes too.")
        return
    st.markdown(_told(len(shown), len(ranking.frame)))
    _grid(ranking, shown.head(MOST_SHOWN), values=values)


def _grid(ranking: Ranking, shown: pd.DataFrame, *, values: bool) -> None:
    best = ranking.frame["score"].max()
    picked = st.dataframe(
        readable(shown, ranking.measures, values=values),
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key="pairs",
        placeholder="",
        column_config=_configuration(1.0 if np.isnan(best) else max(float(best), 1.0))
        | name_columns(shown[["first", "second"]].to_numpy().ravel()),
        alt="The ranking, one pair a row",
    )
    if picked.selection.rows:
        pair = shown.iloc[picked.selection.rows[0]]
        open_pair(pair["first"], pair["second"])


def _configuration(best: float) -> dict[str, Any]:
    config = st.column_config
    return {
        "Place": config.NumberColumn(width=60),
        "SI": config.ProgressColumn(
            format="%.2f", min_value=0, max_value=best, width=120, help=_HELP["SI"]
        ),
        "q": config.NumberColumn(format="%.2g", width=90, help=_HELP["q"]),
        "log10 q": config.NumberColumn(format="%.1f", help=_HELP["log10 q"]),
        "Rows": config.NumberColumn(format="localized", help=_HELP["Rows"]),
        "States": config.TextColumn(help=_HELP["States"]),
        "Note": config.TextColumn(width="medium", help=_HELP["Note"]),
    }


def name_columns(names: Iterable[str]) -> dict[str, Any]:
    """Columns A and B of a grid, wide enough for these names but not endless."""
    longest = min(max(map(len, names), default=0), LONGEST_NAME)
    column = st.column_config.TextColumn(width=max(90, 7 * longest + 20))
    return {"A": column, "B": column}


def open_pair(first: str, second: str) -> None:
    """Go to the page of one pair."""
    st.session_state["pair"] = (first, second)
    # Without parameters of its own Streamlit refuses to leave an address with controls.
    st.switch_page(DASHBOARD / "pages" / "one_pair.py", query_params={})


def shown_pairs(
    frame: pd.DataFrame, words: str, level: float, *, noted: bool
) -> pd.DataFrame:
    """The pairs that have all words in a name, a q-value up to the level, and so on.

    Examples
    --------
    >>> frame = pd.DataFrame({"first": ["age"], "second": ["Sex"], "note": [""]})
    >>> len(shown_pairs(frame, "sex AG", 1.0, noted=True))
    1
    """
    keep = pd.Series(True, index=frame.index)
    for word in words.casefold().split():
        keep &= _contains(frame["first"], word) | _contains(frame["second"], word)
    if level < 1:
        keep &= frame["log10_q"] <= np.log10(level)
    return frame[keep if noted else keep & (frame["note"] == "")]


def _contains(names: pd.Series, word: str) -> pd.Series:
    """Whether each name has the word; every different name is looked at once."""
    codes, different = pd.factorize(names)
    found = np.array([word in str(name).casefold() for name in different], dtype=bool)
    return pd.Series(found[codes], index=names.index)


def _told(shown: int, all_pairs: int) -> str:
    cut = f", the first {MOST_SHOWN:,} in the table" if shown > MOST_SHOWN else ""
    return f"{shown:,} of {all_pairs:,} pairs{cut}. Tick a row to open the pair."


def readable(
    frame: pd.DataFrame, measures: tuple[str, ...], *, values: bool
) -> pd.DataFrame:
    """Pairs of a ranking's frame as a reader sees them, SI first.

    Parameters
    ----------
    frame : DataFrame
    measures : tuple of str
    values : bool
        Show the value of every measure instead of the rank by it.
    """
    rows, columns = (frame[f"states_{which}"] for which in ("first", "second"))
    log_q = frame["log10_q"]
    plain_q = 10 ** log_q.where(log_q > _SMALLEST)
    table: dict[str, Any] = {
        "Place": frame["rank"],
        "SI": frame["score"],
        "A": _short_names(frame["first"]),
        "B": _short_names(frame["second"]),
        "q": plain_q,
        "log10 q": log_q.mask(log_q > -0.05, 0.0),  # never "-0.0"
        "Rows": frame["rows"],
        "States": rows.astype(str) + " × " + columns.astype(str),
    }
    if (frame["note"] != "").any():
        table["Note"] = frame["note"].where(frame["note"] == "", "⚠️ " + frame["note"])
    return pd.DataFrame(table | _measure_columns(frame, measures, values=values))


def _short_names(names: pd.Series) -> pd.Series:
    different = pd.Series(names.unique())
    short = different.map(lambda name: cell(name, LONGEST_NAME))
    return names.map(dict(zip(different, short, strict=True)))


def _measure_columns(
    frame: pd.DataFrame, measures: tuple[str, ...], *, values: bool
) -> dict[str, Any]:
    if values:
        return {short_label(key): frame[key] for key in measures}
    return {f"by {short_label(key)}": frame[f"rank_{key}"] for key in measures}
