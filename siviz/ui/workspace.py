"""The visitor's data and its ranking, shared by the pages of "Your data".

Everything is kept in the visitor's own session: nobody else sees it, it ends with the
visit, and nothing is written to disk.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import streamlit as st

from siviz.columns import Column, summarize_columns
from siviz.datasets import DATASETS, load_dataset
from siviz.preparation import Decisions
from siviz.ranking import Ranking, rank_pairs
from siviz.readers import Reading, read_table, read_text
from siviz.recipes import Settings
from siviz.ui.long_work import show_progress

R = TypeVar("R")

EXAMPLE: Final = "penguins"
NONE: Final = "—"
"""Stands for no column in lists of columns."""
LARGEST_UPLOAD: Final = 200
"""Megabytes."""
_KEPT: Final = 6  # results of each kind that a session remembers


@dataclass(frozen=True, eq=False)
class Source:
    """The data that a visitor looks at."""

    name: str
    digest: str
    """Of the bytes: equal data are read and ranked once."""
    reading: Reading
    weights: str | None = None
    """Column of weights, where it is known."""


def remembered(kind: str, key: str, compute: Callable[[], R]) -> R:
    """A result of this session, computed at the first call."""
    results: dict[str, Any] = st.session_state.setdefault(f"results-{kind}", {})
    if key not in results:
        results[key] = compute()
        while len(results) > _KEPT:
            del results[next(iter(results))]
    return results[key]


def forget_columns(weights: str | None = None) -> None:
    """Other data have other columns: none is chosen, but for known weights."""
    st.session_state.update(target=NONE, given=NONE, weights=weights or NONE)
    st.session_state.pop("pair", None)


def keep_upload(key: str) -> None:
    """Action of the upload control: its file is the data from now on."""
    file = st.session_state.get(key)
    if file is not None:
        st.session_state["data"] = ("file", file.name, file.getvalue())
        forget_columns()


def keep_text(key: str) -> None:
    """Action of the text field: what was pasted is the data from now on."""
    text = st.session_state.get(key, "")
    if text.strip():
        st.session_state["data"] = ("text", "pasted text", text.encode())
        forget_columns()


def keep_example() -> None:
    """Action of the list of examples: the chosen one is the data from now on."""
    st.session_state.pop("data", None)
    forget_columns(_example(st.session_state["example"]).weights)


def source() -> Source:
    """The visitor's data, or the chosen example; a bad file is told and stops."""
    kind, name, content = st.session_state.get("data", ("example", "", b""))
    if kind == "example":
        name = st.session_state.get("example", EXAMPLE)
        return remembered("source", name, lambda: _example(name))
    digest = hashlib.sha256(content).hexdigest()
    try:
        return remembered(
            "source", digest + name, lambda: _given(kind, name, content, digest)
        )
    except ValueError as error:
        st.error(f"{error}", icon="🚫")
        st.caption("The file was not kept. Choose another one, or an example.")
        st.stop()


def _example(name: str) -> Source:
    dataset = load_dataset(name if name in DATASETS else EXAMPLE)
    reading = read_table(dataset.frame, name=dataset.title)
    return Source(dataset.title, f"example-{name}", reading, dataset.weights)


def _given(kind: str, name: str, content: bytes, digest: str) -> Source:
    if kind == "text":
        return Source(name, digest, read_text(content.decode()))
    return Source(name, digest, read_table(content, name=name))


def automatic_columns(data: Source, settings: Settings) -> tuple[Column, ...]:
    """What the columns become without choices for single ones."""

    def decide() -> tuple[Column, ...]:
        frame = data.reading.frame
        weights = None if settings.weights is None else frame[settings.weights]
        columns = frame if weights is None else frame.drop(columns=settings.weights)
        options = Decisions(
            settings.bins, settings.bin_count, settings.missing, settings.rare
        )
        return options.decide(summarize_columns(columns, weights=weights))

    plain = (settings.weights, settings.bins, settings.bin_count)
    key = f"{data.digest}{plain}{settings.missing}{settings.rare}"
    return remembered("columns", key, decide)


def ranking(data: Source, settings: Settings) -> Ranking:
    """The ranking of these data; long work shows its progress and can be stopped."""
    key = data.digest + settings.key()

    def compute() -> Ranking:
        report = show_progress(key, doing="Ranking")
        return rank_pairs(
            data.reading,
            **settings.options(),
            progress=lambda fraction, what: report(fraction),
        )

    try:
        return remembered("ranking", key, compute)
    except ValueError as error:
        st.error(f"{error}", icon="🚫")
        st.stop()
