"""Measures as rows for a reader."""

import pandas as pd

from siviz.measures import MEASURES, evaluate
from siviz.tables import Counts


def measures_frame(counts: Counts) -> pd.DataFrame:
    """One row a measure: ``measure``, ``value``, ``unit``, ``stronger``, ``fails``."""
    values = evaluate(counts)
    return pd.DataFrame(
        [
            {
                "measure": measure.label,
                "value": float(values[key]),
                "unit": measure.unit,
                "stronger": measure.stronger,
                "fails": measure.fails,
            }
            for key, measure in MEASURES.items()
        ]
    )
