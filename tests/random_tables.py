"""Strategies for tables of counts, shared by the property tests."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays


@st.composite
def tables(draw, most_states=6, largest=200):
    """A table with at least one observation; zeros are common."""
    shape = draw(st.tuples(st.integers(1, most_states), st.integers(1, most_states)))
    elements = st.one_of(st.just(0), st.integers(0, 9), st.integers(0, largest))
    counts = draw(arrays(np.int64, shape, elements=elements))
    if counts.sum() == 0:
        counts[0, 0] = draw(st.integers(1, largest))
    return counts
