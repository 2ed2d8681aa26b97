"""One-line cached wrappers of what takes long; their arguments are plain values."""

import pandas as pd
import streamlit as st

from siviz.charts.fair_scale import ObservedPair, Scale, permutation_frame
from siviz.charts.sparse import sparse_nulls
from siviz.duels import Duel, play_duel
from siviz.experiments import fairness_study
from siviz.nulls import Null
from siviz.scenarios import Margin, mixed_distribution
from siviz.tables import Array


@st.cache_resource(max_entries=20, show_spinner="Drawing samples …")
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
    states: tuple[int, int], sample_size: int, margin: Margin, seed: int
) -> dict[str, Null]:
    """See `siviz.charts.sparse.sparse_nulls`, for an `independent_table`."""
    return sparse_nulls(independent_table(states, sample_size, margin, seed), seed=seed)


@st.cache_data(max_entries=50, show_spinner="Ranking noise …")
def fairness(
    states: int, sample_size: int, margin: str, measures: tuple[str, ...], seed: int
) -> pd.DataFrame:
    """See `siviz.experiments.fairness_study`."""
    return fairness_study(
        [states],
        [sample_size],
        [margin],
        resamples=200,
        measures=measures,
        rng=seed,
    )
