"""The catalogue of measures as something to search and read."""

from collections.abc import Iterable

import streamlit as st

from siviz.measures import MEASURES, Measure


def matching_measures(words: str) -> list[Measure]:
    """Measures whose name, key, unit, use or failure holds every word, any case.

    Examples
    --------
    >>> [measure.key for measure in matching_measures("cramér corrected")]
    ['cramers_v_corrected']
    """
    wanted = words.casefold().split()
    return [
        measure
        for measure in MEASURES.values()
        if all(word in _searchable(measure) for word in wanted)
    ]


def _searchable(measure: Measure) -> str:
    facts = (measure.key, measure.label, measure.unit, measure.use, measure.fails)
    return " ".join(facts).casefold()


def show_contents(measures: Iterable[Measure]) -> None:
    """A line of links to the measures on this page."""
    links = [f"[{measure.label}](#{measure.key})" for measure in measures]
    st.markdown(" · ".join(links))


def show_measure(measure: Measure) -> None:
    """Everything the catalogue knows of a measure, under an anchor that is its key."""
    st.subheader(measure.label, anchor=measure.key)
    unit = measure.unit or "a pure number"
    formula_side, words_side = st.columns([2, 3], vertical_alignment="center")
    with formula_side:
        st.latex(measure.formula)
    with words_side:
        st.markdown(
            f"`{measure.key}` · {unit} · {measure.stronger} is stronger\n\n"
            f"**Use it** {measure.use[0].lower()}{measure.use[1:]}\n\n"
            f"**When it fails.** {measure.fails}"
        )
