"""Prose: Markdown under ``assets/text``, loaded by name."""

import streamlit as st

from siviz.locations import asset


def prose(name: str) -> str:
    """The Markdown of this name."""
    return asset(f"text/{name}.md").read_text(encoding="utf-8").strip()


def write(name: str) -> None:
    """Show the prose of this name."""
    st.markdown(prose(name))
