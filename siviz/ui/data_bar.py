"""Controls of the data pages: which data, and how to rank them."""

from typing import Any, Final

import streamlit as st

from siviz.column_sentences import COUNT_NAMES
from siviz.columns.cut_points import DEFAULT_BINS
from siviz.datasets import DATASETS
from siviz.ranking import Ranking
from siviz.recipes import Settings
from siviz.ui import workspace
from siviz.ui.column_grid import choose_columns, forget_edits
from siviz.ui.text import plain
from siviz.ui.upload_limits import LARGEST_UPLOAD
from siviz.ui.uploads import show_error
from siviz.ui.workspace import NONE, Source

_NOTHING: Final = {"target": "all pairs", "given": "nothing", "weights": "once each"}
_MORE: Final[dict[str, Any]] = {
    "null": "calibrated",
    "bins": "frequency",
    "bin_count": DEFAULT_BINS,
    "missing": "pairwise",
    "rare": 0,
}
_WORDS: Final = {
    "calibrated": "calibrated: fair also in sparse tables",
    "nominal": "nominal: χ², as in the paper",
    "effective": "effective: χ² by occupied cells",
    "frequency": "equal frequency",
    "width": "equal width",
    "fair": "fair: those that tell most about the target",
    "pairwise": "left out of each pair",
    "state": "a state of their own",
}


def choose_data() -> Source:
    """Upload, paste or pick an example; the latest choice is the data."""
    workspace.accept_data()  # before the controls: it sets some of them
    upload, other = st.columns(2, gap="large")
    with upload:
        st.file_uploader(
            "Your file: CSV, TSV, Excel or Parquet, also gzipped",
            key=workspace.upload_key(),
            on_change=workspace.keep_upload,
            max_upload_size=LARGEST_UPLOAD,
            help="It stays in this visit's memory: nobody else sees it, and it is not "
            "written to disk.",
        )
        st.markdown(
            f"Larger than {LARGEST_UPLOAD} MB? On the command line “siviz rank FILE” "
            "has no limit."
        )
    with other:
        _examples()
        with st.popover("or paste a table"):
            st.text_area(
                "Cells copied from a spreadsheet, or CSV, with names in the first line",
                key="pasted",
                height=200,
                placeholder="sex\tcolour\nf\tred\nm\tblue",
            )
            st.button("Rank it", on_click=workspace.keep_text, key="rank-pasted")
    data = workspace.source()
    _tell_data(data)
    return data


def _examples() -> None:
    """A button each.  Buttons hold no value that a slow browser could send again."""
    st.markdown("or an example")
    with st.container(horizontal=True, gap="small"):
        for name, title in DATASETS.items():
            st.button(
                f"✓ {title}" if name == workspace.example() else title,
                key=f"example-{name}",
                on_click=workspace.keep_example,
                args=(name,),
            )


def _tell_data(data: Source) -> None:
    """What the data are, and what was wrong with others that were offered."""
    if (wrong := workspace.refusal()) is not None:
        show_error(wrong)
        st.markdown(f"The ranking below is still that of {plain(data.name)}.")
    rows, columns = data.reading.frame.shape
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.markdown(
            f"**{plain(data.name)}**: {rows:,} rows × {columns:,} columns. {data.about}"
        )
        if len(data.sheets) > 1 and data.sheet is not None:
            st.selectbox(
                "Sheet",
                data.sheets,
                data.sheets.index(data.sheet),
                key="sheet",
                bind="query-params",
                on_change=workspace.keep_sheet,
                args=(data.sheet,),
            )
        if not data.about:
            st.button("✕ Remove my data", on_click=workspace.remove_data)


def choose_settings(data: Source) -> Settings:
    """How to rank: pairs, weights, null, bins, missing values, single columns."""
    names = [str(name) for name in data.reading.frame.columns]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        target = _column("target", "Target", names, "Rank only the pairs with it.")
        given = _column(
            "given", "Given", names, "Rank what remains within each of its states."
        )
        weights = _column(
            "weights",
            "Rows count",
            names,
            "A column that says how often each row was observed.",
            data.weights,
        )
        changed = sum(
            st.session_state.get(key, _MORE[key]) != _MORE[key] for key in _MORE
        )
        with st.popover(
            f"More settings ({changed} changed)" if changed else "More settings"
        ):
            more = _more_settings(target is not None)
        st.button("↺ Reset", on_click=_reset, args=(data,), key="reset-settings")
    _suggest_weights(names, weights)
    settings = Settings(target, given, weights, **more)
    return settings.with_overrides(workspace.usable_choices(data, settings)[0])


def _reset(data: Source) -> None:
    """All settings of these data as at the beginning; the data stay."""
    forget_edits(data)
    workspace.forget_columns(data.weights)
    st.session_state.update(_MORE)


def _column(
    key: str, label: str, names: list[str], about: str, start: str | None = None
) -> str | None:
    wanted = st.query_params.get(key)
    if wanted and key not in st.session_state and wanted not in (*names, _NOTHING[key]):
        st.toast(
            f"The link names a column {plain(wanted)}, which is not in these data."
        )
    options = [NONE, *names]
    index = options.index(start) if start in names else 0
    chosen = st.selectbox(
        label,
        options,
        index,
        format_func=lambda name: _NOTHING[key] if name == NONE else name,
        key=key,
        bind="query-params",
        help=about,
    )
    return None if chosen == NONE else chosen


def _suggest_weights(names: list[str], weights: str | None) -> None:
    counts = [name for name in names if name.lower() in COUNT_NAMES]
    if weights is not None or not counts:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.info(f"Does **{plain(counts[0])}** say how often each row was observed?")
        st.button(
            "Yes, count the rows so",
            on_click=lambda: st.session_state.update(weights=counts[0]),
            key="use-weights",
        )


def _more_settings(has_target: bool) -> dict[str, Any]:
    null = _words(
        "null", "What independence predicts", ["calibrated", "nominal", "effective"]
    )
    methods = ["frequency", "width", *(["fair"] if has_target else [])]
    bins = _words("bins", "Bins of numbers", methods)
    fair = bins == "fair"
    count = st.number_input(
        "Number of bins",
        *(2, 50, DEFAULT_BINS),
        key="bin_count",
        bind="query-params",
        disabled=fair,
        help="Fair bins find their number.",
    )
    missing = _words("missing", "Missing values are", ["pairwise", "state"])
    rare = st.number_input(
        "Merge the states of a column with fewer rows than",
        *(0, 10_000, 0),
        key="rare",
        bind="query-params",
    )
    return {
        "null": null,
        "bins": bins,
        "bin_count": DEFAULT_BINS if fair else count,
        "missing": missing,
        "rare": rare or None,
    }


def _words(key: str, label: str, options: list[str]) -> str:
    return st.selectbox(
        label, options, format_func=_WORDS.__getitem__, key=key, bind="query-params"
    )


def opened_ranking() -> tuple[Source, Settings, Ranking]:
    """Data, settings and ranking for a page that looks closer at them.

    The controls are folded away: they show what was chosen on the first page.
    """
    # Whatever comes and goes in a container moves nothing below it.  A control that
    # moves while the script still runs loses its place in the address (Streamlit 1.67).
    with st.container():
        with st.expander("Data and settings"):
            data = choose_data()
            settings = choose_settings(data)
            columns = st.container()
        settings, ranking = workspace.ranked(data, settings)
        with columns:
            choose_columns(data, settings, ranking)
    if ranking is None:
        st.stop()
    return data, settings, ranking
