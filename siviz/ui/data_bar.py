"""Controls of the data pages: which data, and how to rank them."""

from collections.abc import Mapping
from typing import Any, Final

import pandas as pd
import streamlit as st

from siviz.columns import Column
from siviz.columns.cut_points import DEFAULT_BINS
from siviz.datasets import DATASETS
from siviz.ranking import Ranking
from siviz.recipes import Settings
from siviz.ui import workspace
from siviz.ui.workspace import EXAMPLE, LARGEST_UPLOAD, NONE, Source

_KINDS: Final = ("automatic", "states", "bins", "leave out")


def choose_data() -> Source:
    """Upload, paste or pick an example; the latest choice is the data."""
    upload, other = st.columns([3, 2], gap="large")
    with upload:
        st.file_uploader(
            "Your file: CSV, TSV, Excel, Parquet, also gzipped, "
            f"up to {LARGEST_UPLOAD} MB",
            key="file",
            on_change=workspace.keep_upload,
            args=("file",),
            max_upload_size=LARGEST_UPLOAD,
            help="It stays in this visit and is not written to disk. For larger files: "
            "siviz rank FILE on the command line.",
        )
    with other:
        names = list(DATASETS)
        st.selectbox(
            "or an example",
            names,
            names.index(EXAMPLE),
            format_func=DATASETS.__getitem__,
            key="example",
            bind="query-params",
            on_change=workspace.keep_example,
        )
        with st.popover("or paste a table"):
            st.text_area(
                "From a spreadsheet, with names in the first line",
                key="pasted",
                on_change=workspace.keep_text,
                args=("pasted",),
            )
    return workspace.source()


def choose_settings(data: Source) -> Settings:
    """How to rank: pairs, weights, null, bins, missing values."""
    names = [str(name) for name in data.reading.frame.columns]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = _column("target", "Target", names, "Rank only the pairs with it.")
        given = _column("given", "Given", names, "Rank within each of its states.")
        weights = _column(
            "weights",
            "Weights",
            names,
            "How often each row was observed.",
            data.weights,
        )
        with st.popover("More settings"):
            more = _more_settings(target is not None)
    return Settings(target, given, weights, **more)


def _column(
    key: str, label: str, names: list[str], about: str, start: str | None = None
) -> str | None:
    options = [NONE, *names]
    index = options.index(start) if start in names else 0
    chosen = st.selectbox(
        label, options, index, key=key, bind="query-params", help=about
    )
    return None if chosen == NONE else chosen


def _more_settings(has_target: bool) -> dict[str, Any]:
    methods = ["frequency", "width", *(["fair"] if has_target else [])]
    rare = st.number_input(
        "Merge states with fewer rows than",
        0,
        10_000,
        0,
        key="rare",
        bind="query-params",
    )
    return {
        "rare": rare or None,
        "null": st.selectbox(
            "What independence predicts",
            ("calibrated", "nominal", "effective"),
            key="null",
            bind="query-params",
        ),
        "bins": st.selectbox(
            "Bins of numbers",
            methods,
            key="bins",
            bind="query-params",
            help="Equal frequency, equal width, or fair: those that tell most about "
            "the target.",
        ),
        "bin_count": st.number_input(
            "Number of bins", 2, 50, DEFAULT_BINS, key="bin_count", bind="query-params"
        ),
        "missing": st.selectbox(
            "Missing values",
            ("pairwise", "state"),
            key="missing",
            bind="query-params",
            help="Left out of each pair, or a state of their own.",
        ),
    }


def choose_columns(
    data: Source, columns: tuple[Column, ...]
) -> dict[str, dict[str, Any]]:
    """A table of what each column becomes, in which single columns can be changed."""
    table = [
        {
            "column": column.name,
            "use as": "automatic",
            "bins": None,
            "merge below": None,
            "becomes": column.kind,
            "states": len(column.states),
            "missing": column.missing,
            "why": column.reason,
        }
        for column in columns
    ]
    fixed = ("column", "becomes", "states", "missing", "why")
    edited = st.data_editor(
        pd.DataFrame(table),
        key=f"columns-{data.digest[:12]}",
        hide_index=True,
        disabled=fixed,
        column_config={
            "use as": st.column_config.SelectboxColumn(options=_KINDS, required=True),
            "bins": st.column_config.NumberColumn(min_value=2, max_value=50, step=1),
            "merge below": st.column_config.NumberColumn(min_value=0, step=1),
            "why": st.column_config.TextColumn(width="large"),
        },
    )
    rows = edited.astype(object).where(edited.notna(), None).to_dict("records")
    return {str(row["column"]): choice for row in rows if (choice := _choice(row))}


def _choice(row: Mapping[Any, Any]) -> dict[str, Any]:
    """The choice that an edited row holds; empty if it is automatic."""
    choice: dict[str, Any] = {}
    if row["use as"] != "automatic":
        choice["kind"] = row["use as"]
    if row["bins"]:
        choice |= {"kind": "bins", "bins": int(row["bins"])}
    if row["merge below"]:
        choice["rare"] = int(row["merge below"])
    return choice


def opened_ranking() -> tuple[Source, Settings, Ranking]:
    """Data, settings and ranking for a page that looks closer at them.

    The controls are folded away: they show what was chosen on the first page.
    """
    with st.expander("Data and settings"):
        data = choose_data()
        settings = choose_settings(data)
        columns = workspace.automatic_columns(data, settings)
        settings = settings.with_overrides(choose_columns(data, columns))
    return data, settings, workspace.ranking(data, settings)
