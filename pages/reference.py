"""Every measure, the words used here, and how this tool was checked."""

import streamlit as st

from siviz.ui import controls
from siviz.ui.reference import matching_measures, show_contents, show_measure
from siviz.ui.text import write

START = {"part": "Measures", "find": ""}
PARTS = ("Measures", "Glossary", "How it was checked")

st.title("Reference")
part = controls.choice("part", START, "Part", PARTS)
if part == "Glossary":
    write("glossary")
elif part == "How it was checked":
    write("checked")
else:
    words = st.text_input(
        "Find a measure",
        key="find",
        placeholder="a name, or a word such as sparse, clustering, nats",
        bind="query-params",
    )
    write("reference")
    found = matching_measures(words)
    if not found:
        st.info(f"No measure has “{words}” in its name, unit, use or failure.")
    show_contents(found)
    for measure in found:
        show_measure(measure)
