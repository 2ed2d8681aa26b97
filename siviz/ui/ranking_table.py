"""A ranking as a table to sort, search and select from, and its exports."""

from typing import Final

import pandas as pd
import streamlit as st

from siviz.charts.frame import short_label
from siviz.exports import ranking_csv, ranking_excel, ranking_json
from siviz.locations import DASHBOARD
from siviz.ranking import Ranking
from siviz.recipes import Settings
from siviz.report import report_html

MOST_SHOWN: Final = 5_000
_FACTS: Final = {
    "rank": "Place",
    "first": "A",
    "second": "B",
    "score": "SI",
    "log10_q": "log10 q",
    "rows": "Rows",
    "states": "States",
    "note": "Note",
}


def ranking_table(ranking: Ranking) -> None:
    """The pairs, strongest first; selecting one opens it."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words = st.text_input("Search", placeholder="part of a name", key="search")
        level = st.select_slider(
            "False-discovery rate q at most",
            [0.001, 0.01, 0.05, 0.1, 1.0],
            1.0,
            key="q",
            help="Of the pairs shown, this share is expected to be independent.",
        )
        sparse = st.toggle("Pairs with a note too", True, key="noted")
    shown = shown_pairs(ranking.frame, words, level, noted=sparse)
    if shown.empty:
        st.info("No pair fits the search. Clear it, or allow a larger q.")
        return
    table = _readable(shown.head(MOST_SHOWN))
    st.caption(_told(len(shown), len(ranking.frame)))
    picked = st.dataframe(
        table,
        hide_index=True,
        on_select="rerun",
        selection_mode="single-row",
        key="pairs",
        column_config={
            "SI": st.column_config.ProgressColumn(
                format="%.2f", min_value=0, max_value=max(float(table["SI"].max()), 0.1)
            ),
            "log10 q": st.column_config.NumberColumn(format="%.1f"),
        },
        alt="The ranking, one pair a row",
    )
    if picked.selection.rows:
        pair = shown.iloc[picked.selection.rows[0]]
        open_pair(pair["first"], pair["second"])


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
    names = (frame["first"] + "\n" + frame["second"]).str.casefold()
    for word in words.casefold().split():
        keep &= names.str.contains(word, regex=False)
    if level < 1:
        keep &= 10 ** frame["log10_q"] <= level
    return frame[keep if noted else keep & (frame["note"] == "")]


def _told(shown: int, all_pairs: int) -> str:
    cut = f", the first {MOST_SHOWN:,} in the table" if shown > MOST_SHOWN else ""
    return f"{shown:,} of {all_pairs:,} pairs{cut}. Select a row to open the pair."


def _readable(frame: pd.DataFrame) -> pd.DataFrame:
    rows, columns = (frame[f"states_{which}"] for which in ("first", "second"))
    states = rows.astype(str) + " × " + columns.astype(str)
    table = frame.assign(states=states)[list(_FACTS)].rename(columns=_FACTS)
    for name in frame.columns:
        if name.startswith("rank_"):
            table[f"by {short_label(name.removeprefix('rank_'))}"] = frame[name]
    return table


def export_buttons(ranking: Ranking, settings: Settings, name: str) -> None:
    """Downloads of the whole ranking; each is made when it is asked for."""
    exports = {
        "CSV": ("csv", "text/csv", lambda: ranking_csv(ranking).encode()),
        "JSON": ("json", "application/json", lambda: ranking_json(ranking).encode()),
        "Excel": (
            "xlsx",
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            lambda: ranking_excel(ranking),
        ),
        "Report (HTML)": (
            "html",
            "text/html",
            lambda: report_html(
                ranking,
                title=f"Dependences in {name}",
                python=settings.python(name),
                command=settings.command(name),
            ).encode(),
        ),
    }
    with st.container(horizontal=True, gap="small"):
        for label, (ending, mime, make) in exports.items():
            st.download_button(
                label,
                make,
                f"siviz-ranking.{ending}",
                mime,
                key=f"export-{ending}",
                on_click="ignore",
            )


def recipe(settings: Settings, name: str) -> None:
    """The lines that give this ranking again."""
    with st.expander("Make this ranking again"):
        st.code(settings.python(name), language="python")
        st.code(settings.command(name), language="sh")
