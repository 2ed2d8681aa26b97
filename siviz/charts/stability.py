"""How sure the places of pairs are, as a table for a reader."""

from typing import Final

import pandas as pd

from siviz.charts.ranking import tier_places

_SHOWN: Final = {
    "places": "Shares places",
    "first": "A",
    "second": "B",
    "score": "SI",
    "low": "SI from",
    "high": "SI to",
    "rank_low": "Place from",
    "rank_high": "Place to",
}


def stability_table(frame: pd.DataFrame) -> pd.DataFrame:
    """Places that cannot be told apart, and both intervals, one row a pair."""
    table = frame.assign(places=tier_places(frame))
    return table[list(_SHOWN)].rename(columns=_SHOWN)
