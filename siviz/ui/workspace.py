"""The visitor's data and its ranking, shared by the pages of "Your data".

Everything is kept in the visitor's own session: nobody else sees it, it ends with the
visit, and nothing is written to disk.
"""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

import streamlit as st

from siviz.columns import Column, ColumnSummaries, summarize_columns
from siviz.datasets import DATASETS, load_dataset
from siviz.preparation import Decisions
from siviz.ranking import Ranking, rank_pairs
from siviz.readers import Reading, read_table, read_text, sheet_names
from siviz.recipes import EXAMPLE_MARK, Recipe, Settings
from siviz.ui import upload_limits
from siviz.ui.long_work import show_progress, told_stopped
from siviz.ui.text import plain
from siviz.ui.uploads import show_error

R = TypeVar("R")
Choices: TypeAlias = Mapping[str, Mapping[str, Any]]

EXAMPLE: Final = "penguins"
NONE: Final = "—"
"""Stands for no column in lists of columns."""
PASTED: Final = "pasted text"
_KEPT: Final = 4  # results of each kind that a session remembers
_BEFORE: Final = "What was there before is still shown."
_OFFERED, _REFUSED, _CHOICES = "offered data", "refused data", "column choices"


@dataclass(frozen=True, eq=False)
class Source:
    """The data that a visitor looks at."""

    name: str
    digest: str
    """Of the bytes: equal data are read and ranked once."""
    reading: Reading
    weights: str | None = None
    """Column of weights, where it is known."""
    about: str = ""
    """What an example is; empty for the visitor's own data."""
    file: str = ""
    """The data as recipes call them."""
    sheets: tuple[str, ...] = ()
    """The sheets of a workbook ..."""
    sheet: str | None = None
    """... and the one that was read."""

    def recipe(self, settings: Settings) -> Recipe:
        """How to make a ranking of these data again."""
        named = self.sheet if self.sheet not in self.sheets[:1] else None
        return Recipe(settings, self.file, named)


def remembered(kind: str, key: str, compute: Callable[[], R]) -> R:
    """A result of this session, computed at the first call."""
    results: dict[str, Any] = st.session_state.setdefault(f"results-{kind}", {})
    if key not in results:
        results[key] = compute()
        while len(results) > _KEPT:
            del results[next(iter(results))]
    return results[key]


def finished(kind: str, of: str, key: str, compute: Callable[[], R]) -> R:
    """As `remembered`, for long work: stopped, it gives what was finished before.

    Parameters
    ----------
    kind, key, compute
        As in `remembered`; the key is also that of the work, see `siviz.ui.long_work`.
    of : str
        What the result is about: only an earlier one about the same takes its place.
    """
    shown: dict[str, Any] = st.session_state.setdefault("results-shown", {})
    about = f"{kind} {of}"
    ready = key in st.session_state.get(f"results-{kind}", {})
    if not ready and about in shown and told_stopped(key, instead=_BEFORE):
        return shown[about]
    result = remembered(kind, key, compute)
    shown.update({about: result})
    while len(shown) > _KEPT:
        del shown[next(iter(shown))]
    return result


def forget_columns(weights: str | None = None) -> None:
    """Other data have other columns: none is chosen, but for known weights."""
    st.session_state.update(target=NONE, given=NONE, weights=weights or NONE, search="")
    st.session_state.pop("pair", None)


def upload_key() -> str:
    """Key of the upload control; another one empties it."""
    times = st.session_state.get("emptied", 0)
    return f"file-{times}" if times else "file"


def keep_upload() -> None:
    """Action of the upload control: its file is the data from now on."""
    file = st.session_state.get(upload_key())
    if file is None:  # also while another file replaces it, so the control must stay
        forget_data()
    else:
        st.session_state[_OFFERED] = ("file", file.name, file.getvalue())


def keep_text() -> None:
    """Action of the text field: what was pasted is the data from now on."""
    text = st.session_state.get("pasted", "")
    if text.strip():
        st.session_state[_OFFERED] = ("text", PASTED, text.encode())


def keep_example(name: str) -> None:
    """Action of an example's button: it is the data from now on."""
    remove_data()
    st.session_state["example"] = st.query_params["example"] = name
    forget_columns(_example(name).weights)


def example() -> str | None:
    """The example that is shown; None if it is the visitor's own data."""
    if "data" in st.session_state:
        return None
    name = st.session_state.get("example") or st.query_params.get("example")
    return name if name in DATASETS else EXAMPLE


def remove_data() -> None:
    """Forget the visitor's own data, and empty the upload control."""
    forget_data()
    st.session_state["emptied"] = st.session_state.get("emptied", 0) + 1


def forget_data() -> None:
    """Forget the visitor's own data and all that was made of them."""
    results = [key for key in st.session_state if str(key).startswith("results-")]
    for key in (*results, "data", "sheet", _OFFERED, _REFUSED, _CHOICES):
        st.session_state.pop(key, None)
    st.session_state.update(example=EXAMPLE, pasted="")
    st.query_params.pop("example", None)
    forget_columns()


def accept_data() -> None:
    """Take data that were offered; if they cannot be read, say so and keep the old."""
    offered = st.session_state.get(_OFFERED)
    if offered is None:
        return
    st.session_state.pop(_REFUSED, None)
    try:
        with st.spinner(f"Reading {plain(offered[1])}", show_time=True):
            read = _read(*offered, sheet=None)
    except ValueError as error:
        st.session_state[_REFUSED] = error
    else:
        st.session_state.update(data=offered, sheet=read.sheet)
        forget_columns()
    del st.session_state[_OFFERED]


def keep_sheet(before: str) -> None:
    """Action of the list of sheets: another one is the data, if it can be read."""
    st.session_state.pop(_REFUSED, None)
    if "data" not in st.session_state:  # removed while the browser still had the list
        return
    try:
        _read(*st.session_state["data"], sheet=st.session_state["sheet"])
        forget_columns()
    except ValueError as error:
        st.session_state.update({_REFUSED: error, "sheet": before})


def refusal() -> ValueError | None:
    """What is wrong with data that were offered last."""
    return st.session_state.get(_REFUSED)


def source() -> Source:
    """The visitor's data, or the chosen example."""
    name = example()
    if name is not None:
        return remembered("source", name, lambda: _example(name))
    given = st.session_state["data"]
    return _read(*given, sheet=st.session_state.get("sheet"))


def _example(name: str) -> Source:
    dataset = load_dataset(name)
    reading = read_table(dataset.frame, name=dataset.title)
    about = f"{dataset.description} Source: {dataset.origin}."
    file = EXAMPLE_MARK + name
    return Source(dataset.title, file, reading, dataset.weights, about, file)


def _read(kind: str, name: str, content: bytes, *, sheet: str | None) -> Source:
    digest = hashlib.sha256(content).hexdigest()
    key = f"{digest}{sheet or ''}{name}"

    def read() -> Source:
        if kind == "text":
            reading = read_text(content.decode())
            return Source(name, digest, reading, file="pasted.txt")
        upload_limits.check_size(content, name)
        sheets = sheet_names(content, name=name)
        reading, chosen = _first_readable(content, name, sheets, sheet)
        upload_limits.check_shape(reading.frame, name)
        same = digest + (chosen or "")
        return Source(name, same, reading, file=name, sheets=sheets, sheet=chosen)

    return remembered("source", key, read)


def _first_readable(
    content: bytes, name: str, sheets: tuple[str, ...], sheet: str | None
) -> tuple[Reading, str | None]:
    """The sheet that was asked for, or the first that holds a table."""
    if len(sheets) < 2:
        return read_table(content, name=name), None
    errors = []
    for chosen in (sheet,) if sheet in sheets else sheets:
        try:
            return read_table(content, name=name, sheet=chosen), chosen
        except ValueError as error:
            errors.append(error)
    raise errors[0]


def choices(data: Source) -> Choices:
    """What the visitor chose for single columns of these data."""
    return st.session_state.get(_CHOICES, {}).get(data.digest, {})


def keep_choices(data: Source, chosen: Choices) -> None:
    """These are the choices for single columns from now on."""
    kept = st.session_state.setdefault(_CHOICES, {})
    kept[data.digest] = {name: choice for name, choice in chosen.items() if choice}


def usable_choices(data: Source, settings: Settings) -> tuple[Choices, dict[str, str]]:
    """The choices that can be carried out, and what is wrong with the others."""
    usable, wrong = {}, {}
    for name, choice in choices(data).items():
        if name == settings.weights:
            continue
        single = settings.with_overrides({name: choice})
        try:
            decided_columns(data, single, only=name)
            usable[name] = choice
        except ValueError as error:
            wrong[name] = _told(choice, error)
    return usable, wrong


def _told(choice: Mapping[str, Any], error: ValueError) -> str:
    if choice.get("rare") and choice.get("kind") in (None, "bins"):
        return "it is cut into bins, and only states can be merged; choose states too"
    return str(error).partition(": ")[2] or str(error)


def decided_columns(
    data: Source, settings: Settings, *, only: str | None = None
) -> tuple[Column, ...]:
    """What the columns become, but for fair bins, which need the counts."""
    summaries = _summaries(data, settings.weights)
    if only is not None:
        columns = tuple(part for part in summaries.columns if part.name == only)
        summaries = ColumnSummaries(columns)
    options = Decisions(
        settings.bins,
        settings.bin_count,
        settings.missing,
        settings.rare,
        settings.overrides,
    )
    return options.decide(summaries)


def _summaries(data: Source, weights: str | None) -> ColumnSummaries:
    """Facts about the columns; without the weights if these are none."""

    def summarize() -> ColumnSummaries:
        frame = data.reading.frame
        if weights is None:
            return summarize_columns(frame)
        try:
            rest = frame.drop(columns=weights)
            return summarize_columns(rest, weights=frame[weights])
        except (ValueError, TypeError):  # the ranking says what is wrong with them
            return summarize_columns(frame)

    return remembered("summaries", f"{data.digest} {weights}", summarize)


def ranked(data: Source, settings: Settings) -> tuple[Settings, Ranking | None]:
    """The ranking of these data, or None after a sentence that says what prevents it.

    Long work shows its progress and can be stopped; then it is the ranking from before.
    The settings are those of the ranking.
    """
    key = data.digest + settings.key()

    def compute() -> tuple[Settings, Ranking]:
        upload_limits.check_pairs(data.reading.frame, settings, data.recipe(settings))
        report = show_progress(key, doing="Ranking")
        return settings, rank_pairs(
            data.reading,
            **settings.options(),
            progress=lambda fraction, what: report(fraction),
        )

    try:
        return finished("ranking", data.digest, key, compute)
    except ValueError as error:
        show_error(error)
        return settings, None
