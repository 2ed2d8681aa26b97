"""Every measure: formula, unit, direction, and when it fails."""

import streamlit as st

from siviz import MEASURES

st.title("Measures")

for measure in MEASURES.values():
    st.subheader(measure.label, anchor=measure.key)
    st.latex(measure.formula)
    unit = measure.unit or "a pure number"
    st.markdown(f"`{measure.key}` · {unit} · {measure.stronger} is stronger")
    st.markdown(f"**When it fails.** {measure.fails}")
