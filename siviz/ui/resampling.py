"""Resampled scores of a visitor's ranking, and how sure its intervals should be."""

from typing import Final

import streamlit as st

from siviz.ranking import Ranking
from siviz.recipes import Settings
from siviz.tables import Array
from siviz.ui import workspace
from siviz.ui.controls import View
from siviz.ui.long_work import show_progress

LEVELS: Final = (0.5, 0.8, 0.9, 0.95, 0.99)


def level_choice(key: str, start: View) -> float:
    """A slider for the coverage of intervals."""
    begin: float = start[key]
    return st.select_slider(
        "Level of the intervals",
        LEVELS,
        begin,
        key=key,
        bind="query-params",
    )


def resampled_scores(
    data: workspace.Source,
    settings: Settings,
    ranking: Ranking,
    *,
    top: int,
    draws: int,
    seed: int,
) -> Array:
    """See `Ranking.resampled_scores`; long work shows progress and can be stopped.

    Stopped, it gives the scores from before, which may be of other pairs and draws.
    """
    ranked = data.digest + settings.key()
    work = f"{ranked}{top}-{draws}-{seed}"

    def compute() -> Array:
        report = show_progress(work)
        return ranking.resampled_scores(top=top, draws=draws, rng=seed, progress=report)

    return workspace.finished("resampled", ranked, work, compute)
