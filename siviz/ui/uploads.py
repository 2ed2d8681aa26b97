"""Reading an upload kindly; its bytes stay in memory and in this session."""

import hashlib
from typing import NamedTuple

import pandas as pd
import streamlit as st

from siviz.ui import cached
from siviz.ui.text import sentence


class Upload(NamedTuple):
    """An uploaded table, and what identifies it."""

    digest: str
    frame: pd.DataFrame
    notes: tuple[str, ...]


def uploaded(key: str) -> Upload | None:
    """A table from a file of the visitor, or None, with a sentence about it."""
    file = st.file_uploader("A file with your table", key=key)
    if file is None:
        st.info(
            "CSV, Excel or Parquet, one row per observation. The file is read into "
            "memory for this visit only; it is not stored."
        )
        return None
    content = file.getvalue()
    digest = hashlib.sha256(content).hexdigest()
    try:
        reading = cached.uploaded_table(digest, content, file.name)
    except ValueError as error:
        show_error(error)
        return None
    return Upload(digest, reading.frame, reading.notes)


def show_error(error: ValueError) -> None:
    """Show what is wrong as a sentence, and the command line that helps, if any."""
    st.error(sentence(error), icon="🚫")
    if command := getattr(error, "command", None):
        st.code(command, language="sh", wrap_lines=True)
