"""Prose, which is Markdown under ``assets/text``, and small tables of text."""

import pandas as pd
import streamlit as st

from siviz.locations import asset


def prose(name: str) -> str:
    """The Markdown of this name."""
    return asset(f"text/{name}.md").read_text(encoding="utf-8").strip()


def write(name: str) -> None:
    """Show the prose of this name."""
    st.markdown(prose(name))


def markdown_table(frame: pd.DataFrame) -> str:
    r"""A frame of text as one Markdown table.

    Streamlit's own tables treat every cell as a page of Markdown, which is slow.

    Examples
    --------
    >>> print(markdown_table(pd.DataFrame({"a": ["1"], "b|c": ["2"]})))
    | a | b\|c |
    |---|---|
    | 1 | 2 |
    """
    rows = [list(frame.columns), *frame.to_numpy().tolist()]
    head, *body = (
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |"
        for row in rows
    )
    return "\n".join([head, "|" + "---|" * frame.shape[1], *body])
