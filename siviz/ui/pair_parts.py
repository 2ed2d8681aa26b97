"""The parts of the page of one pair; what takes long is remembered."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from siviz.bin_studies import one_number_bins, two_numbers_bins
from siviz.charts import pair_bins, pair_null, pair_smoothed, strata
from siviz.charts.meanings import meanings_frame
from siviz.charts.pair import pair_figure, pair_verdict
from siviz.charts.table import MANY_COLUMNS, VIEWS
from siviz.columns import Column
from siviz.measures import MEASURES
from siviz.ranking import Ranking
from siviz.recipes import Settings
from siviz.single_pair import SinglePair, count_pair, score_interval
from siviz.standardized import standardized_information
from siviz.strata import Strata
from siviz.ui import controls
from siviz.ui.controls import View
from siviz.ui.opening import show_data
from siviz.ui.text import markdown_table, write
from siviz.ui.workspace import Source, remembered

R = TypeVar("R")

MOST_RESAMPLED: Final = 20_000
"""Cells, strata included, of the largest table whose interval is resampled."""


@dataclass(frozen=True, eq=False)
class Study:
    """Two columns of a visitor's data, to be counted in several ways."""

    data: Source
    settings: Settings
    ranking: Ranking
    columns: tuple[Column, Column]

    @property
    def options(self) -> dict[str, Any]:
        """The weights of the rows, for what counts them."""
        name = self.settings.weights
        return {"weights": None if name is None else self.data.reading.frame[name]}

    def count(self, *given: Column) -> SinglePair:
        """The counts of the pair, given a third column if there is one.

        A table that is too large is told and ends the page.
        """
        columns = (*self.columns, *given)
        try:
            return self.remembered(
                f"counts {[column.name for column in given]}",
                lambda: count_pair(self.data.reading.frame, columns, **self.options),
            )
        except ValueError as error:
            st.info(f"{error}", icon="ℹ️")
            st.stop()

    def ranked(self) -> SinglePair:
        """The counts as they were ranked: conditional if the ranking is."""
        given = self.ranking.given
        return self.count(*(c for c in self.ranking.columns if c.name == given))

    def remembered(self, what: str, compute: Callable[[], R]) -> R:
        """Something about this pair, computed at the first call in a session."""
        key = (self.data.digest, self.settings.key(), *(c.name for c in self.columns))
        return remembered(f"pair {what}", repr(key), compute)


def headline(study: Study, pair: SinglePair) -> None:
    """The score with its interval, the place in the ranking, and a verdict."""
    ranking = study.ranking
    score = float(
        standardized_information(pair.table, null=ranking.null, centre=ranking.centre)
    )
    low, high = _interval(study, pair)
    frame = ranking.frame
    row = frame[
        frame["first"].isin(pair.names) & frame["second"].isin(pair.names)
    ].head(1)
    place = f"{row['rank'].iloc[0]:,}" if len(row) else ""
    with st.container(horizontal=True, gap="large"):
        kind = "" if ranking.null == "calibrated" else f", {ranking.null} null"
        st.metric(f"SI{kind}", f"{score:.2f}")
        if low is not None:
            st.metric("its 95 % interval", f"{low:.2f} to {high:.2f}")
        if place:
            st.metric("place in the ranking", f"{place} of {len(frame):,}")
        st.metric("rows with both", f"{pair.sample_size:,.0f}")
    st.markdown(pair_verdict(pair))


def _interval(
    study: Study, pair: SinglePair
) -> tuple[float, float] | tuple[None, None]:
    if pair.cells.size > MOST_RESAMPLED or float(pair.table.dof) == 0:
        return None, None
    return study.remembered(
        "interval", lambda: score_interval(pair, study.ranking, rng=0)
    )


def halves(pair: SinglePair) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Places for the table and for what belongs beside it, or below a wide table."""
    if len(pair.second.states) > MANY_COLUMNS:
        return st.container(), st.container()
    left, right = st.columns(2, gap="large")
    return left, right


def null_part(study: Study, pair: SinglePair) -> None:
    """What independence predicts for G, and the observed G."""
    with st.spinner("Drawing random tables …"):
        nulls = study.remembered("nulls", lambda: pair_null.pair_nulls(pair))
    show_data(pair_null.pair_null_figure(pair, nulls), name="null")


def measures_part(pair: SinglePair) -> None:
    """Every measure, its value, and what that means for this pair."""
    table = meanings_frame(pair).rename(columns={"means": "what it means here"})
    st.markdown(markdown_table(table))


def smoothed_part(pair: SinglePair) -> None:
    """Smoothed probabilities beside the raw ones."""
    figures = pair_smoothed.pair_smoothed_figures(pair)
    if figures is not None:
        for name, figure, place in zip(
            ("raw", "smoothed"), figures, st.columns(2, gap="large"), strict=True
        ):
            with place:
                show_data(figure, name=name)
    st.markdown(pair_smoothed.pair_smoothed_sentence(pair))


def bins_part(study: Study) -> None:
    """How SI depends on the number of bins, where there are any."""
    pair = study.count()
    numbers = [column for column in study.columns if column.kind == "bins"]
    score = float(MEASURES["si_calibrated"](pair.table))
    frame = study.data.reading.frame
    if not numbers:
        write("one_pair_no_bins")
        return
    with st.spinner("Trying numbers of bins …"):
        if len(numbers) == 1:
            one = study.remembered(
                "bins", lambda: one_number_bins(frame, study.columns, **study.options)
            )
            figure = pair_bins.one_number_figure(pair, one, score)
        else:
            two = study.remembered(
                "bins", lambda: two_numbers_bins(frame, study.columns, **study.options)
            )
            figure = pair_bins.two_numbers_figure(pair, two, score)
    show_data(figure, name="bins")


def strata_part(study: Study, third: Column, start: View) -> None:
    """The pair within the states of a third column."""
    pair = study.count(third)
    if not pair.sample_size:
        st.info("No row has all three values.")
        return
    within = Strata(pair).occurring()
    st.markdown(strata.strata_sentence(within))
    told = strata.telling_state(within)
    states = list(pair.second.states)
    left, right = st.columns(2, gap="large")
    with left:
        state = st.selectbox(
            "Shares of B =",
            states,
            states.index(told),
            key="state",
            bind="query-params",
        )
        show_data(strata.shares_figure(within, state), name="shares")
    with right:
        st.markdown(markdown_table(strata.strata_table(within)))
        _stratum_table(within, start)


def _stratum_table(within: Strata, start: View) -> None:
    given = within.pair.given
    assert given is not None
    stratum = st.selectbox(
        "Table where the third column is",
        list(given.states),
        key="stratum",
        bind="query-params",
    )
    view = controls.choice("stratum_view", start, "On its cells", VIEWS)
    part = within.stratum(given.states.index(stratum))
    show_data(pair_figure(part, view), name="stratum")  # type: ignore[arg-type]
