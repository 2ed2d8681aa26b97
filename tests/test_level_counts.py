"""Counting levels first changes nothing: against the way through all rows."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from siviz import level_counts
from siviz.level_counts import count_levels
from siviz.preparation import Decisions, prepare

DECISIONS = [
    Decisions(),
    Decisions(missing="state"),
    Decisions(rare=12),
    Decisions(missing="state", rare=12),
    Decisions(overrides={"text": {"kind": "leave out"}, "words": {"rare": 20}}),
]


def frame_of_levels(rows, seed, missing):
    rng = np.random.default_rng(seed)
    levels = {
        "text": ["b", "a", "unused", "c c"],
        "words": ["often", "never", "always", "rarely", "now and then"],
        "numbers": [10.0, 9.5, 2.0],
        "constant": ["same"],
        "another": list("uvw"),
        "many": [f"level {i}" for i in range(130)],
    }
    frame = pd.DataFrame(index=range(rows))
    for place, (name, states) in enumerate(levels.items()):
        codes = rng.integers(0, len(states), rows)
        codes[(codes == 2) & (name == "text")] = 0
        codes[rng.random(rows) < (missing if place % 2 else 0)] = -1
        kind = pd.CategoricalDtype(states, ordered=name == "words")
        frame[name] = pd.Categorical.from_codes(codes, dtype=kind)
    return frame


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(DECISIONS), st.sampled_from([0.0, 0.2, 0.9]), st.integers(0, 999)
)
def test_all_is_as_if_every_row_had_been_looked_at_again(
    monkeypatch, decisions, missing, seed
):
    frame = frame_of_levels(300, seed, missing)
    monkeypatch.setattr(level_counts, "_FEWEST_ROWS", 10**9)
    expected = prepare(frame, decisions=decisions)
    monkeypatch.setattr(level_counts, "_FEWEST_ROWS", 1)
    found = prepare(frame, decisions=decisions)
    assert found.columns == expected.columns
    assert (found.rows, found.notes) == (expected.rows, expected.notes)
    assert found.counted[0].sizes == expected.counted[0].sizes
    np.testing.assert_array_equal(
        found.counted[0].matrix, expected.counted[0].matrix, strict=True
    )


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": pd.Categorical(["x", "y"])}),
        pd.DataFrame({"a": [1.0, 2.0] * 30_000}),
        pd.DataFrame({"a": pd.Categorical(np.arange(60_000) % 1_000)}),
    ],
    ids=["few rows", "numbers", "many levels"],
)
def test_other_tables_are_left_to_the_way_through_all_rows(frame):
    assert count_levels(frame) is None
