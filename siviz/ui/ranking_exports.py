"""A ranking to take along: files, a report, and the lines that make it again."""

from typing import Final

import streamlit as st

from siviz.exports import ranking_csv, ranking_excel, ranking_json
from siviz.ranking import Ranking
from siviz.recipes import Recipe
from siviz.report import report_html
from siviz.ui.text import plain
from siviz.ui.workspace import PASTED

_MOST_NOTES: Final = 200
_EXCEL: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def export_buttons(ranking: Ranking, recipe: Recipe, name: str) -> None:
    """Downloads of the whole ranking; each is made when it is asked for."""
    exports = {
        "CSV": ("csv", "text/csv", lambda: ranking_csv(ranking).encode()),
        "JSON": ("json", "application/json", lambda: ranking_json(ranking).encode()),
        "Excel": ("xlsx", _EXCEL, lambda: ranking_excel(ranking)),
        "Report (HTML)": (
            "html",
            "text/html",
            lambda: report_html(
                ranking,
                title=f"Dependences in {name}",
                python=recipe.python(),
                command=recipe.command(),
            ).encode(),
        ),
    }
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown("All pairs and measures as", width="content")
        for label, (ending, mime, make) in exports.items():
            st.download_button(
                label,
                make,
                f"siviz-ranking.{ending}",
                mime,
                key=f"export-{ending}",
                on_click="ignore",
            )


def show_recipe(recipe: Recipe, name: str) -> None:
    """The lines that give this ranking again."""
    with st.expander("Make exactly this ranking again: Python and command line"):
        if name == PASTED:
            st.markdown(f"Save the table that you pasted as `{recipe.file}` first.")
        st.code(recipe.python(), language="python", wrap_lines=True)
        st.code(recipe.command(), language="sh", wrap_lines=True)


def show_notes(ranking: Ranking) -> None:
    """What was found in the data and done to them, a line each."""
    notes = ranking.notes
    if not notes:
        return
    some = "1 note" if len(notes) == 1 else f"{len(notes):,} notes"
    with st.expander(f"What was found and done: {some}"):
        more = f"\n- and {len(notes) - _MOST_NOTES:,} more, in the exports"
        lines = "\n".join(f"- {plain(note, 400)}" for note in notes[:_MOST_NOTES])
        st.markdown(lines + (more if len(notes) > _MOST_NOTES else ""))
