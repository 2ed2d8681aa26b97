"""A chart with its data and words, drawn from a specification that is built once.

Building an Altair chart takes longer than all of its numbers.  While a slider moves
only the numbers change, so the specification is kept and the data are sent by name;
the browser then also updates the drawing instead of making it anew.
"""

import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import altair as alt
import pandas as pd

from siviz.charts.frame import AnyChart
from siviz.charts.theme import siviz_look


@dataclass(frozen=True, eq=False)
class Figure:
    """A chart with what a reader needs beside it."""

    draw: Callable[..., AnyChart]
    """Makes the chart from the frames and the options.  Its form may depend on the
    options only: numbers of a frame reach the chart through encodings."""
    frames: Mapping[str, pd.DataFrame]
    """The data by the names of the arguments of ``draw``; the first is downloaded."""
    alt: str
    """What kind of chart it is, for screen readers; the same for all values."""
    sentence: str
    """What these values show, in Markdown."""
    options: Mapping[str, Hashable] = field(default_factory=dict)
    table: pd.DataFrame | None = None
    """What is downloaded, if not the first frame."""

    @classmethod
    def of_chart(
        cls,
        chart: AnyChart,
        alt: str,
        sentence: str,
        table: pd.DataFrame | None = None,
    ) -> "Figure":
        """A figure whose form depends on its numbers: it is built anew each time."""
        return cls(lambda: chart, {}, alt, sentence, table=table)

    @property
    def downloaded(self) -> pd.DataFrame:
        """The data behind the chart."""
        return next(iter(self.frames.values())) if self.table is None else self.table

    @property
    def chart(self) -> AnyChart:
        """The Altair chart with its data."""
        return self.draw(**self.frames, **self.options)

    @property
    def spec(self) -> dict[str, Any]:
        """Vega-Lite whose ``datasets`` are the frames."""
        return {**json.loads(self.form), "datasets": self.datasets}

    @property
    def form(self) -> str:
        """Vega-Lite without data as JSON, the same text for all values of a slider."""
        return self._drawn[0]

    @property
    def datasets(self) -> dict[str, pd.DataFrame]:
        """The frames, and what the chart itself brings along, by name."""
        return {**self._drawn[1], **self.frames}

    @cached_property
    def _drawn(self) -> tuple[str, dict[str, pd.DataFrame]]:
        if not self.frames:
            return _split(self.chart)
        return _template(self.draw, tuple(self.frames), tuple(self.options.items()))


@lru_cache(maxsize=256)
def _template(
    draw: Callable[..., AnyChart],
    names: tuple[str, ...],
    options: tuple[tuple[str, Hashable], ...],
) -> tuple[str, dict[str, pd.DataFrame]]:
    """The chart with the names of the frames in place of their data."""
    named = {name: alt.NamedData(name=name) for name in names}
    return _split(draw(**named, **dict(options)))


def _split(chart: AnyChart) -> tuple[str, dict[str, pd.DataFrame]]:
    """The form of a chart, and the data in it, such as the names of its parts."""
    with siviz_look():
        spec = chart.to_dict(validate=False)
    own = spec.pop("datasets", {})
    return json.dumps(spec), {name: pd.DataFrame(rows) for name, rows in own.items()}
