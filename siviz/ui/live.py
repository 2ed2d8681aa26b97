"""Parts of a page that answer a slider while it is still moving.

Streamlit runs a script for every answer and then looks through the whole page, which
takes several times as long as most answers.  A live part is a function from the values
of controls to figures and texts.  Streamlit shows them as ever; but while a slider
moves the browser also asks for the same answers by itself (``assets/live.js``), as fast
as they can be computed, and draws them at once.  What Streamlit brings later is the
same and changes nothing.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from secrets import token_urlsafe
from threading import Lock
from typing import Any, Final, NamedTuple, TypeAlias
from weakref import WeakValueDictionary

import streamlit as st

from siviz.charts.embedding import BUNDLE_VERSION
from siviz.charts.figure import Figure
from siviz.charts.prose import markdown_html
from siviz.locations import asset
from siviz.ui.show import show_more
from siviz.ui.sliders import Position, Slider, noted_sliders
from siviz.ui.visits import belongs_to_page

Answers: TypeAlias = Mapping[str, Figure | str]
"""Figures and Markdown by name."""

# The version is that of Vega, which the script asks for by its own.
_LOADER: Final = f"""
export default async component => {{
  const script = new URL("siviz/live.js?{BUNDLE_VERSION}", document.baseURI);
  return (await import(script.href)).default(component);
}};
"""
_component = st.components.v2.component(
    "siviz_live",
    html="<div class='siviz-live'></div>",
    css=asset("live.css").read_text(encoding="utf-8"),
    js=_LOADER,
    isolate_styles=False,
)


class Answered(NamedTuple):
    """Answers to values of controls."""

    values: Mapping[str, Any]
    answers: Answers
    blocks: Mapping[str, str]
    """The answers as the browser takes them."""


class LivePart:
    """The answers of a part of one visitor's page."""

    def __init__(self) -> None:
        self.token: Final = token_urlsafe(12)
        self._lock = Lock()
        self._answer: Callable[..., Answers] = dict
        self._values: dict[str, Any] = {}
        self._sliders: dict[str, Slider] = {}
        self._latest: Answered | None = None

    def settle(
        self,
        answer: Callable[..., Answers],
        values: Mapping[str, Any],
        sliders: Mapping[str, Slider],
    ) -> Answered:
        """Answer to these values of the controls, and from now on to moves of them."""
        with self._lock:
            if answer is not self._answer:  # it may have closed over other controls
                self._answer, self._latest = answer, None
            self._values, self._sliders = dict(values), dict(sliders)
        return self._at(self._values)

    def moved(self, positions: Mapping[str, str]) -> Answered:
        """Answer to sliders at these positions, all other controls being as they are.

        Raises
        ------
        ValueError
            If a slider has no such position, or nothing can be said there.
        """
        with self._lock:
            values, sliders = self._values, self._sliders
        unknown = positions.keys() - sliders.keys()
        if unknown:
            raise ValueError(f"no slider {min(unknown)!r}")
        moves = {key: sliders[key].value(at) for key, at in positions.items()}
        return self._at(values | moves)

    def positions(self) -> dict[str, Position]:
        """Where the sliders stand."""
        return {
            key: slider.position(self._values[key])
            for key, slider in self._sliders.items()
        }

    def _at(self, values: dict[str, Any]) -> Answered:
        # Streamlit and the browser ask for the same at nearly the same time.
        with self._lock:
            before = self._latest
            if before is not None and before.values == values:
                return before
            answers = self._answer(**values)
            blocks = {
                name: before.blocks[name]
                if before is not None and before.answers.get(name) is answer
                else block(answer)
                for name, answer in answers.items()
            }
            self._latest = Answered(values, answers, blocks)
            return self._latest


PARTS: Final[WeakValueDictionary[str, LivePart]] = WeakValueDictionary()
"""All live parts by their tokens, as long as a visitor's session holds them."""


class LiveView:
    """Where a page says what stands where."""

    def __init__(self, part: LivePart, answered: Answered) -> None:
        self._part = part
        self._answered = answered

    def figures(self, *names: str) -> list[Figure]:
        """The figures of these names, or all among the answers in their order."""
        answers = self._answered.answers
        shown = [answers[name] for name in names or answers]
        return [answer for answer in shown if isinstance(answer, Figure)]

    def show(self, name: str, *, formula: str | None = None) -> None:
        """Show one of the answers here; see `siviz.ui.show.show_figure`."""
        _component(
            key=f"live-{name}",
            data={
                "part": self._part.token,
                "positions": self._part.positions(),
                "name": name,
                "block": self._answered.blocks[name],
            },
        )
        answer = self._answered.answers[name]
        if isinstance(answer, Figure):
            show_more(answer, name=name, formula=formula)


def live_part(
    name: str,
    answer: Callable[..., Answers],
    values: Mapping[str, Any],
    *,
    ahead: bool = True,
    doing: str = "",
) -> LiveView:
    """A part of a page whose answers follow sliders while they move.

    Parameters
    ----------
    name : str
        Of the part, on its page.
    answer : callable
        From values, by the keys of their controls, to figures and Markdown by name.
        It runs outside of the page's script, so it may show nothing by itself.
    values : mapping
        What the controls say now.
    ahead : bool
        Whether answers are quick enough to be given ahead of Streamlit, which alone can
        show progress and be stopped.
    doing : str
        What is told while an answer of Streamlit takes long.
    """
    key = f"live part {name}"
    belongs_to_page(key)
    part: LivePart = st.session_state.setdefault(key, LivePart())
    PARTS[part.token] = part
    sliders = noted_sliders(list(values)) if ahead else {}
    with st.spinner(doing) if doing else nullcontext():
        return LiveView(part, part.settle(answer, values, sliders))


def block(answer: Figure | str) -> str:
    """An answer as JSON for ``assets/live.js``."""
    if isinstance(answer, str):
        return json.dumps({"html": markdown_html(answer)})
    rows = {
        name: frame.to_json(orient="records", double_precision=15)
        for name, frame in answer.datasets.items()
    }
    datasets = ",".join(f"{json.dumps(name)}:{data}" for name, data in rows.items())
    words = {"alt": answer.alt, "html": markdown_html(answer.sentence)}
    form = {"form": answer.form, **words}
    return f'{json.dumps(form)[:-1]},"datasets":{{{datasets}}}}}'
