"""Two conditions for a fair measure, and why the square root meets both (Sec. 3-4)."""

import streamlit as st

from siviz.charts import conditions as charts
from siviz.charts.conditions_handout import rate_handout, walk_handout
from siviz.charts.conditions_rate import rate_figure
from siviz.charts.conditions_walk import map_figure, zoom_figure
from siviz.ui import controls
from siviz.ui.layout import sides
from siviz.ui.show import HandoutParts, handout_button, show_figure
from siviz.ui.text import markdown_table, write

START = {"walk": -1.0, "n": 10_000, "k1": 3, "k2": 5, "k3": 10}
START |= {"measure": "normalized MI", "rate": 0.25}
PRESETS = {
    "Both": {"walk": 0.0, "measure": "SI"},
    "All condition 2": {"walk": 1.0, "measure": "MI, bias-corrected"},
    "Little data": {"walk": 0.0, "measure": "SI", "n": 500},
}

st.title("Two conditions")
write("two_conditions")
figure_side, control_side = sides()
with control_side:
    walk_place, size_place = st.container(), st.container()
    controls.views(START, PRESETS)
    write("two_conditions_walk")
write("two_conditions_measures")
measure_place, rate_place = st.container(), st.container()
handout = HandoutParts()


@st.fragment  # a control runs only its part of the page again
def walk_part(states: tuple[int, ...], size: int) -> None:
    """The way from one condition to the other."""
    with walk_place:
        label = "All condition 1 ⟷ all condition 2"
        walk = controls.number("walk", START, label, -1, 1, 0.05)
    with figure_side:
        for zoom in charts.ZOOMS:
            show_figure(zoom_figure(states, size, walk, zoom), name=f"walk-{zoom}")
        show_figure(map_figure(walk), name="walk", formula="formula_walk")
    handout["walk"] = lambda: [walk_handout(states, size, walk)]


@st.fragment
def measure_part(states: tuple[int, ...], size: int) -> None:
    """How one measure grows, near independence and far out."""
    with measure_place:
        named = controls.choice("measure", START, "Measure", tuple(charts.GROWING))
        zooms = {
            zoom: charts.conditions_figure(charts.GROWING[named], states, size, zoom)
            for zoom in charts.ZOOMS
        }
        for zoom, column in zip(zooms, st.columns(2, gap="large"), strict=True):
            with column:
                show_figure(zooms[zoom], name=zoom, formula="formula_conditions")
        st.markdown(markdown_table(charts.conditions_table(states, size)))
    handout["measure"] = lambda: [*zooms.values()]


@st.fragment
def rate_part(states: tuple[int, ...]) -> None:
    """The family of measures between the conditions, by its rate."""
    with rate_place:
        write("two_conditions_rate")
        rate = controls.number("rate", START, "Rate of transition τ", 0, 3, 0.05)
        show_figure(rate_figure(states, rate), name="rate", formula="formula_rate")
    handout["rate"] = lambda: [rate_handout(states, rate)]


@st.fragment
def live() -> None:
    """What all parts of the page share."""
    with size_place:
        size = controls.sample_size("n", START)
        states = (
            controls.states("k1", START, "States of A and of B"),
            controls.states("k2", START, "States of X and of Y"),
            controls.states("k3", START, "States of U and of V"),
        )
    walk_part(states, size)
    measure_part(states, size)
    rate_part(states)


live()
write("two_conditions_why")
handout_button("Two conditions", "two_conditions", handout.figures)
