"""Pairs that a click on a chart opens."""

from typing import Final

import altair as alt

OPENED: Final = "opened"
"""Name of the selection that a click on a pair makes."""


def opened_pair(name: str = OPENED) -> alt.Parameter:
    """A selection of the pair that is clicked, by the names of its two columns."""
    return alt.selection_point(
        name=name, on="click", fields=["first", "second"], empty=False, toggle=False
    )
