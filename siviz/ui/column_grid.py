"""A table of what each column became, in which single columns can be changed."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import pandas as pd
import streamlit as st

from siviz.columns import Column
from siviz.ranking import Ranking
from siviz.recipes import Settings
from siviz.ui import workspace
from siviz.ui.text import cell, plain
from siviz.ui.workspace import Source

_AUTOMATIC: Final = "automatic"
_FIELDS: Final = {
    "use as": "kind",
    "bins": "bins",
    "cut by": "method",
    "merge below": "rare",
}
"""Names of the parts of a choice in the table."""
_MOST_BINS: Final = 50
_SHOWN_ERRORS: Final = 5
_LONGEST_NAME: Final = 32  # characters that fit into the column of names


def choose_columns(data: Source, settings: Settings, ranking: Ranking | None) -> None:
    """What each column became, and why; edits hold from the next run on."""
    choices = workspace.choices(data)
    wrong = workspace.usable_choices(data, settings)[1]
    for name, told in list(wrong.items())[:_SHOWN_ERRORS]:
        st.warning(f"**{plain(name)}** stays as it was: {plain(told, 300)}.", icon="✋")
    columns = (
        workspace.decided_columns(data, settings)
        if ranking is None
        else ranking.columns
    )
    rows = len(data.reading.frame) if ranking is None else ranking.prepared.rows
    table = columns_table(columns, choices, wrong, rows)
    key = f"columns-{data.digest[:16]}-{st.session_state.get('editor', 0)}"
    st.data_editor(
        table,
        key=key,
        hide_index=True,
        disabled=[name for name in table.columns if name not in _FIELDS],
        placeholder="",
        on_change=partial(_keep_edits, data, key, [column.name for column in columns]),
        column_config=_configuration(),
        alt="What each column became",
    )
    if choices:
        st.button(
            f"↺ Undo {len(choices)} chosen column{'s' if len(choices) > 1 else ''}",
            on_click=partial(forget_edits, data),
            key="undo-columns",
        )


def _configuration() -> dict[str, Any]:
    config = st.column_config
    return {
        "column": config.TextColumn(width="medium", pinned=True),
        "use as": config.SelectboxColumn(
            options=[_AUTOMATIC, "states", "bins", "leave out"],
            required=True,
            help="✎ States as they are, numbers and dates cut into bins, or not used.",
        ),
        "bins": config.NumberColumn(
            min_value=2,
            max_value=_MOST_BINS,
            step=1,
            help="✎ Number of bins for this column.",
        ),
        "cut by": config.SelectboxColumn(
            options=["frequency", "width"],
            help="✎ Bins of equal frequency or of equal width.",
        ),
        "merge below": config.NumberColumn(
            min_value=0, step=1, help="✎ Merge states with fewer rows than this."
        ),
        "missing": config.NumberColumn(format="%.1f %%", help="Rows without a value."),
        "why": config.TextColumn(width="large"),
    }


def columns_table(
    columns: tuple[Column, ...],
    choices: Mapping[str, Mapping[str, Any]],
    wrong: Mapping[str, str],
    rows: int,
) -> pd.DataFrame:
    """One row a column: what was chosen, what it became, and why.

    Parameters
    ----------
    columns : tuple of Column
    choices : mapping
        What the reader chose for single columns.
    wrong : mapping
        Why the choice for a column cannot be carried out.
    rows : int
        Observations, for the share of missing values in percent.
    """
    table = pd.DataFrame(
        {
            "column": [cell(column.name, _LONGEST_NAME) for column in columns],
            **{
                field: [
                    shown(choices.get(column.name, {}))[field] for column in columns
                ]
                for field in _FIELDS
            },
            "becomes": [column.kind for column in columns],
            "states": [len(column.states) for column in columns],
            "missing": [100 * column.missing / max(rows, 1) for column in columns],
            "why": [_why(column, wrong) for column in columns],
        }
    )
    whole = dict.fromkeys(("bins", "merge below"), "Int64")
    return table.astype(whole | {"cut by": "string"})


def _why(column: Column, wrong: Mapping[str, str]) -> str:
    told = wrong.get(column.name)
    return f"your choice cannot be carried out: {told}" if told else column.reason


def shown(choice: Mapping[str, Any]) -> dict[str, Any]:
    """A choice as the cells of its row.

    Examples
    --------
    >>> shown({"kind": "bins", "bins": 4})
    {'use as': 'bins', 'bins': 4, 'cut by': None, 'merge below': None}
    """
    cells = {field: choice.get(part) for field, part in _FIELDS.items()}
    return cells | {"use as": cells["use as"] or _AUTOMATIC}


def changed(choice: Mapping[str, Any], cells: Mapping[str, Any]) -> dict[str, Any]:
    """The choice after cells of its row were edited.

    What no longer fits the kind is dropped: a number of bins makes the column bins, and
    what makes it states forgets the bins.

    Examples
    --------
    >>> changed({}, {"bins": 4})
    {'bins': 4, 'kind': 'bins'}
    >>> changed({"kind": "bins", "bins": 4}, {"use as": "states"})
    {'kind': 'states'}
    >>> changed({"kind": "states", "rare": 5}, {"use as": "automatic"})
    {}
    """
    before = shown(choice)
    new = {field: value for field, value in cells.items() if value != before.get(field)}
    after = {part: new.get(field, before[field]) for field, part in _FIELDS.items()}
    if "use as" not in new and (new.get("bins") or new.get("cut by")):
        after["kind"] = "bins"
    if after["kind"] != "bins":
        after["bins"] = after["method"] = None
    if "use as" in new or after["kind"] in ("bins", "leave out"):
        after["rare"] = new.get("merge below")
    if after["kind"] == _AUTOMATIC:
        after["kind"] = None
    order = ("bins", "method", "kind", "rare")
    return {part: after[part] for part in order if after[part]}


def _keep_edits(data: Source, key: str, names: list[str]) -> None:
    """Action of the table: what was edited is the choice from now on."""
    edited: Mapping[int, Mapping[str, Any]] = st.session_state[key]["edited_rows"]
    choices = dict(workspace.choices(data))
    for place, cells in edited.items():
        name = names[place]
        choices[name] = changed(choices.get(name, {}), cells)
        if any(shown(choices[name])[field] != value for field, value in cells.items()):
            _renew()
    workspace.keep_choices(data, choices)


def forget_edits(data: Source) -> None:
    """No choice for any single column, and a table that shows none."""
    workspace.keep_choices(data, {})
    _renew()


def _renew() -> None:
    """A fresh table: the old one would go on showing its own edits."""
    st.session_state["editor"] = st.session_state.get("editor", 0) + 1
