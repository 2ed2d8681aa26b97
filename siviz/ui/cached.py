"""One-line cached wrappers of what takes long; their arguments are plain values."""

from functools import lru_cache

import pandas as pd
import streamlit as st

from siviz.charts.conditions import ZOOMS, conditions_figure, conditions_table
from siviz.charts.discretization import discretization_sentence
from siviz.charts.fair_scale import ObservedPair, Scale, permutation_frame
from siviz.charts.figure import Figure
from siviz.charts.p_values import p_values_figure, p_values_frame
from siviz.charts.selection import SIZES
from siviz.charts.sparse import sparse_nulls
from siviz.charts.study import study_frame
from siviz.columns import Column, decide_columns, encode_columns, summarize_columns
from siviz.datasets import alarm_network, load_dataset, sewell_shah_network
from siviz.discrete_data import DiscreteData
from siviz.duels import Duel, play_duel
from siviz.experiments import discretization_study, fairness_study, selection_study
from siviz.labelled_tables import labelled_table, typed_table
from siviz.nulls import Null
from siviz.readers import Reading, read_table
from siviz.scenarios import Margin, mixed_distribution
from siviz.size_studies import SizeStudy, network_study, table_study
from siviz.tables import Array
from siviz.ui.long_work import show_progress


@st.cache_resource(max_entries=20, show_spinner=False)
def duel(
    sample_size: int,
    states: tuple[int, int],
    information: tuple[float, float],
    draws: int,
    seed: int,
) -> Duel:
    """See `siviz.duels.play_duel`."""
    return play_duel(
        sample_size, states=states, information=information, draws=draws, seed=seed
    )


@st.cache_data(max_entries=50, show_spinner=False)
def permutations(
    pairs: tuple[ObservedPair, ...], scale: Scale, *, seed: int
) -> pd.DataFrame:
    """See `siviz.charts.fair_scale.permutation_frame`."""
    return permutation_frame(pairs, scale, draws=1000, seed=seed)


@st.cache_data(max_entries=50, show_spinner=False)
def independent_table(
    states: tuple[int, int], sample_size: int, margin: Margin, seed: int
) -> Array:
    """One sample of two independent variables with these margins."""
    truth = mixed_distribution(*states, z=0.0, row_margin=margin, column_margin=margin)
    return truth.sample_tables(sample_size, 1, seed)[0].astype(float)


@st.cache_resource(max_entries=50, show_spinner=False)
def nulls(
    states: tuple[int, int], sample_size: int, margin: Margin, draws: int, seed: int
) -> dict[str, Null]:
    """See `siviz.charts.sparse.sparse_nulls`, for an `independent_table`."""
    counts = independent_table(states, sample_size, margin, seed)
    return sparse_nulls(counts, draws=draws, seed=seed)


@st.cache_data(max_entries=50, show_spinner=False)
def fairness(
    states: int,
    sample_size: int,
    margin: str,
    measures: tuple[str, ...],
    draws: int,
    seed: int,
) -> pd.DataFrame:
    """See `siviz.experiments.fairness_study`."""
    return fairness_study(
        [states],
        [sample_size],
        [margin],
        resamples=draws,
        measures=measures,
        rng=seed,
    )


@st.cache_resource(max_entries=50, show_spinner=False)
def p_values(counts: tuple[tuple[int, ...], ...]) -> Figure:
    """See `siviz.charts.p_values.p_values_figure`."""
    return p_values_figure(p_values_frame(counts))


@st.cache_resource(max_entries=50, show_spinner=False)
def conditions(
    measure: str, states: tuple[int, ...], sample_size: int
) -> dict[str, Figure]:
    """See `siviz.charts.conditions.conditions_figure`, for both zooms."""
    return {
        zoom: conditions_figure(measure, states, sample_size, zoom) for zoom in ZOOMS
    }


@st.cache_data(max_entries=50, show_spinner=False)
def growth(states: tuple[int, ...], sample_size: int) -> pd.DataFrame:
    """See `siviz.charts.conditions.conditions_table`."""
    return conditions_table(states, sample_size)


# Studies show their progress.  Streamlit's caches would record the bar and draw it
# again at every hit, so these use Python's own, where a study that is ended leaves
# nothing.  Nobody may change the frames they return.


@lru_cache(maxsize=50)
def discretization(
    sample_sizes: tuple[int, ...], resamples: int, measures: tuple[str, ...], seed: int
) -> pd.DataFrame:
    """See `siviz.experiments.discretization_study`."""
    return discretization_study(
        sample_sizes,
        resamples=resamples,
        measures=measures,
        rng=seed,
        progress=show_progress((sample_sizes, resamples, measures, seed)),
    )


@lru_cache(maxsize=50)
def discretization_told(
    sample_sizes: tuple[int, ...], resamples: int, measures: tuple[str, ...], seed: int
) -> str:
    """See `siviz.charts.discretization.discretization_sentence`."""
    study = discretization(sample_sizes, resamples, measures, seed)
    return discretization_sentence(study_frame(study))


@lru_cache(maxsize=50)
def selection(
    z: float, resamples: int, measures: tuple[str, ...], seed: int
) -> pd.DataFrame:
    """See `siviz.experiments.selection_study`, for one z and all sample sizes."""
    return selection_study(
        SIZES,
        [z],
        resamples=resamples,
        measures=measures,
        rng=seed,
        progress=show_progress((z, resamples, measures, seed)),
    )


@st.cache_resource(max_entries=2, show_spinner=False)
def sewell_shah_study(network: bool) -> SizeStudy:
    """How much to smooth the college plans, with their network or as one table."""
    bundled = load_dataset("sewell_shah")
    # States in the order of the file, from low to high, not of the alphabet.
    frame = bundled.frame.astype(
        {
            name: pd.CategoricalDtype(list(column.unique()))
            for name, column in bundled.frame.items()
            if name != bundled.weights
        }
    )
    data = DiscreteData.from_frame(frame, weights=bundled.weights)
    graph = sewell_shah_network()
    if network:
        return network_study(data, graph)
    return table_study(labelled_table(data, list(graph.parents)))


@st.cache_resource(max_entries=1, show_spinner="Drawing 10,000 patients …")
def alarm_study() -> SizeStudy:
    """How much to smooth the ALARM network, from the bundled sample."""
    data = DiscreteData.from_frame(load_dataset("alarm").frame)
    return network_study(data, alarm_network().graph)


@st.cache_data(max_entries=50, show_spinner=False)
def typed_study(counts: Array) -> SizeStudy:
    """How much to smooth a typed table."""
    return table_study(typed_table(counts))


@st.cache_data(max_entries=3, show_spinner="Reading …", scope="session")
def uploaded_table(digest: str, _content: bytes, name: str) -> Reading:
    """The table in an uploaded file, by a digest of its bytes."""
    return read_table(_content, name=name)


@st.cache_data(max_entries=6, show_spinner="Looking at the columns …", scope="session")
def uploaded_columns(
    digest: str, _frame: pd.DataFrame, weights: str | None
) -> tuple[Column, ...]:
    """What the columns of an uploaded table become."""
    counts = None if weights is None else _frame[weights]
    frame = _frame.drop(columns=weights or [])
    return decide_columns(summarize_columns(frame, weights=counts))


@st.cache_data(max_entries=20, show_spinner=False, scope="session")
def uploaded_study(
    digest: str, _frame: pd.DataFrame, names: tuple[str, ...], weights: str | None
) -> tuple[SizeStudy, float]:
    """How much to smooth columns of an uploaded table, and the rows left out."""
    decided = {
        column.name: column for column in uploaded_columns(digest, _frame, weights)
    }
    counts = None if weights is None else _frame[weights]
    codes = encode_columns(_frame, [decided[name] for name in names], weights=counts)
    data = DiscreteData.from_codes(codes, weights=counts)
    return table_study(labelled_table(data, names)), data.left_out
