"""Where the page on the equivalent sample size takes its data from."""

from collections.abc import Callable
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st

from siviz.charts.equivalent_size import REACH
from siviz.column_sentences import COUNT_NAMES
from siviz.columns import report_columns
from siviz.labelled_tables import LabelledTable
from siviz.size_studies import SizeStudy
from siviz.ui import cached, controls
from siviz.ui.controls import View
from siviz.ui.grid import counts_grid
from siviz.ui.sliders import option_slider
from siviz.ui.text import plain
from siviz.ui.uploads import Upload, show_error, uploaded

_STEPS: Final = tuple(np.linspace(0, REACH, 81).round(2).tolist())
_ONE_EACH: Final = "one each"
_MOST_CHOSEN: Final = 6


def size_study(source: str, start: View) -> SizeStudy:
    """The study of the chosen data; stops the page, with a word, if there is none."""
    reset = st.session_state.get("counts") == start["counts"]
    if reset and SOURCES[source] is not _typed:
        st.query_params.pop("counts", None)  # of a table that was reset out of sight
    try:
        study = SOURCES[source](start)
    except ValueError as error:
        show_error(error)
        study = None
    if study is None:
        st.stop()
    return study


def size_slider(key: str, start: View, reference: float) -> float:
    """A slider for N', as a multiple of a reference, such as Eq. 9's solution.

    So it starts there for all data.
    """
    return option_slider(
        key,
        "Virtual observations N′",
        _STEPS,
        float(start[key]),
        shown=lambda multiple: f"{multiple * reference:.4g}",
        help="Starts where Eq. 9 is solved, if it is.",
    )


def table_to_smooth(source: str, study: SizeStudy, start: View) -> LabelledTable:
    """The table to show smoothed: the only one, or one of the families."""
    names = list(study.tables)
    if len(names) == 1:
        return study.tables[names[0]]
    key = f"family_{source[0].lower()}"
    name = st.selectbox(
        "Family to smooth, a variable given its parents",
        names,
        index=names.index(start[key]),
        key=key,
        bind="query-params",
        format_func=lambda name: name.replace("_", " "),
    )
    return study.tables[name]


def _sewell_shah(start: View) -> SizeStudy:
    model = controls.choice("model", start, "Model", ("network", "no graph"))
    return cached.sewell_shah_study(model == "network")


def _alarm(start: View) -> SizeStudy:
    return cached.alarm_study()


def _typed(start: View) -> SizeStudy:
    return cached.typed_study(counts_grid("counts", start))


def _file(start: View) -> SizeStudy | None:
    upload = uploaded("size_file")
    if upload is None:
        return None
    weights = _weights(upload.frame)
    columns = cached.uploaded_columns(upload.digest, upload.frame, weights)
    _tell_columns(upload, report_columns(columns))
    usable = [column.name for column in columns if column.kind != "left out"]
    # The address does not carry names out of a visitor's file.
    chosen = st.multiselect(
        "Columns, two or more",
        usable,
        default=usable[:2],
        max_selections=_MOST_CHOSEN,
        key=f"columns-{upload.digest}-{weights}",
    )
    if len(chosen) < 2:
        st.info("Choose at least two columns.")
        return None
    study, left_out = cached.uploaded_study(
        upload.digest, upload.frame, tuple(chosen), weights
    )
    if left_out:
        st.caption(f"{left_out:,.0f} observations with a missing value are left out.")
    return study


def _weights(frame: pd.DataFrame) -> str | None:
    numbers = [str(name) for name in frame.select_dtypes("int")]
    chosen = st.selectbox("Observations per row", [_ONE_EACH, *numbers])
    if chosen != _ONE_EACH:
        return chosen
    counts = [name for name in numbers if name.lower() in COUNT_NAMES]
    if counts:
        name = plain(counts[0])
        st.info(
            f"Does **{name}** say how often each row was observed? "
            "Then choose it as *Observations per row*."
        )
    return None


def _tell_columns(upload: Upload, report: pd.DataFrame) -> None:
    with st.expander("What the columns became"):
        st.dataframe(report, hide_index=True)
        st.caption(" ".join(upload.notes))


SOURCES: Final[dict[str, Callable[[View], SizeStudy | None]]] = {
    "Sewell and Shah": _sewell_shah,
    "ALARM": _alarm,
    "Typed table": _typed,
    "Your file": _file,
}
"""The data to choose from."""
