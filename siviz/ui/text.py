"""Prose, which is Markdown under ``assets/text``, and text of the data as it is."""

from typing import Final

import pandas as pd
import streamlit as st

from siviz.charts.labels import markdown_text, short_name
from siviz.locations import asset
from siviz.workbooks import FORMULA_STARTS

_LONGEST_NAME: Final = 60
_LONGEST_SENTENCE: Final = 600


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


def plain(text: str, longest: int = _LONGEST_NAME) -> str:
    r"""Text of the data as Markdown that shows just this text, on one line.

    Nothing in it becomes a link, a picture, a formula, a colour or an icon.

    Examples
    --------
    >>> print(plain("*a* ![x](http://y)"))
    \*a\* \!\[x\]\(http\:\/\/y\)
    """
    return markdown_text(short_name(text, longest))


def cell(text: str, longest: int = 80) -> str:
    r"""Text of the data for a cell of a grid, on one line.

    Every grid offers its cells as CSV, just as they are: an invisible blank before what
    a spreadsheet would take for a formula keeps it a text there too.

    Examples
    --------
    >>> print(ascii(cell("=1+1")), cell("sex"))
    '\u200b=1+1' sex
    """
    line = short_name(text, longest)
    return f"\u200b{line}" if line.startswith(FORMULA_STARTS) else line


def sentence(error: object) -> str:
    r"""What is wrong as a sentence, which shows names of the data as they are.

    Examples
    --------
    >>> sentence(ValueError("weights must be whole numbers"))
    'Weights must be whole numbers.'
    >>> print(sentence(ValueError("my.csv is empty")))
    my\.csv is empty.
    """
    told = plain(str(error), _LONGEST_SENTENCE).removesuffix("\\.")
    first = told.split(" ", 1)[0]
    begun = told[0].upper() + told[1:] if first.isalpha() else told
    return begun + "."
