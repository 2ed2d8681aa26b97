"""Sliders, each bound to the address, and how their positions in a browser are read.

A live part of a page answers a slider before Streamlit does (see `siviz.ui.live`); it
then knows the slider only as the browser does, by the position of its handles.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import streamlit as st

from siviz.ui.visits import belongs_to_page

T = TypeVar("T")
Position: TypeAlias = float | tuple[float, float]
"""Of one handle, or of two."""
_NOTED: Final = "sliders of this page"


class Slider(Protocol):
    """What a slider's positions mean."""

    def value(self, position: str) -> Any:
        """The value at a position, given as text.

        Raises
        ------
        ValueError
            If the slider has no such position.
        """

    def position(self, value: Any) -> Position:
        """Where a value lies."""


@dataclass(frozen=True)
class Steps:
    """A slider over numbers: its position is its value."""

    least: float
    most: float
    whole: bool

    def value(self, position: str) -> float:
        """The number; `siviz.ui.sliders.slider` rounds its own in the same way."""
        number = int(position) if self.whole else round(float(position), 6)
        if not self.least <= number <= self.most:
            raise ValueError(f"{number} lies outside of {self.least} to {self.most}")
        return number

    def position(self, value: float) -> float:
        """The number itself."""
        return value


@dataclass(frozen=True)
class Options:
    """A slider over options: its position is the place of an option among them."""

    options: Sequence[Any]

    def value(self, position: str) -> Any:
        """The option at a place."""
        place = int(position)
        if not 0 <= place < len(self.options):
            raise ValueError(f"no option at place {place}")
        return self.options[place]

    def position(self, value: Any) -> float:
        """The place of an option."""
        return self.options.index(value)


@dataclass(frozen=True)
class OptionRange:
    """A slider over options with two handles: its position is the places of two."""

    options: Sequence[Any]

    def value(self, position: str) -> tuple[Any, Any]:
        """The options at both ends."""
        places = position.split(",")
        if len(places) != 2:
            raise ValueError(f"a range has two places; got {position!r}")
        first, last = sorted(map(Options(self.options).value, places))
        return first, last

    def position(self, value: tuple[Any, Any]) -> tuple[float, float]:
        """The places of both ends."""
        first, last = value
        return self.options.index(first), self.options.index(last)


def slider(
    key: str, label: str, least: float, most: float, start: float, step: float
) -> float:
    """A slider over numbers; all of them are whole if the step is."""
    whole = isinstance(step, int)
    kind = int if whole else float
    chosen = st.slider(
        label,
        kind(least),
        kind(most),
        kind(start),
        kind(step),
        format=None if whole else ("%.3f" if step < 0.01 else "%.2f"),
        key=key,
        bind="query-params",
    )
    _note(key, Steps(least, most, whole))
    return chosen if whole else round(chosen, 6)  # steps of 0.05 add up to 0.300…04


def option_slider(
    key: str,
    label: str,
    options: Sequence[T],
    start: T,
    *,
    shown: Callable[[Any], str] = str,
    help: str | None = None,
) -> T:
    """A slider over options in their order."""
    chosen: T = st.select_slider(
        label,
        options,
        value=start,
        key=key,
        bind="query-params",
        format_func=shown,
        help=help,
    )
    _note(key, Options(options))
    return chosen


def option_range(
    key: str,
    label: str,
    options: Sequence[T],
    start: tuple[T, T],
    *,
    shown: Callable[[Any], str] = str,
) -> tuple[T, T]:
    """A slider over increasing options that takes the first and the last of some."""
    chosen: tuple[T, T] = st.select_slider(
        label, options, value=start, key=key, bind="query-params", format_func=shown
    )
    _note(key, OptionRange(options))
    return chosen


def _note(key: str, meaning: Slider) -> None:
    belongs_to_page(_NOTED)
    st.session_state.setdefault(_NOTED, {})[key] = meaning


def noted_sliders(keys: Sequence[str]) -> dict[str, Slider]:
    """Which of these controls are sliders, and what their positions mean."""
    noted: dict[str, Slider] = st.session_state.get(_NOTED, {})
    return {key: noted[key] for key in keys if key in noted}
