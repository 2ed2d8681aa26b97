"""Two conditions for a fair measure, and why the square root meets both (Sec. 3-4)."""

import streamlit as st

from siviz.charts import conditions as charts
from siviz.charts.conditions_handout import rate_handout, walk_handout
from siviz.charts.conditions_rate import rate_figure
from siviz.charts.conditions_walk import walk_figures
from siviz.ui import cached, controls
from siviz.ui.layout import sides_and_more
from siviz.ui.live import Answers, live_part
from siviz.ui.show import handout_button
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
figure_side, control_side, more = sides_and_more()
with control_side:
    slider_place = st.container()
    controls.views(START, PRESETS)
    write("two_conditions_walk")
write("two_conditions_measures")
measure_place = st.container()
write("two_conditions_rate")
rate_place = st.container()


def answer(walk: float, n: int, measure: str, rate: float, **numbers: int) -> Answers:
    """What answers to the controls; numbers are those of states."""
    states = tuple(numbers.values())
    return {
        **walk_figures(states, n, walk),
        **cached.conditions(charts.GROWING[measure], states, n),
        "growth": markdown_table(cached.growth(states, n)),
        "rate": rate_figure(states, rate),
    }


@st.fragment  # a control runs only this part of the page again
def live() -> None:
    """Show the controls and what answers to them."""
    with figure_side:
        label = "All condition 1 ⟷ all condition 2"
        walk = controls.number("walk", START, label, -1, 1, 0.05)
    with slider_place:
        size = controls.sample_size("n", START)
        numbers = {
            f"k{n}": controls.states(f"k{n}", START, f"States of {a} and of {b}")
            for n, (a, b) in enumerate(("AB", "XY", "UV"), start=1)
        }
    with measure_place:
        measure = controls.choice("measure", START, "Measure", tuple(charts.GROWING))
    with rate_place:
        rate = controls.number("rate", START, "Rate of transition τ", 0, 3, 0.05)
    values = {"walk": walk, "n": size, "measure": measure, "rate": rate, **numbers}
    answers = live_part("two conditions", answer, values)
    states = tuple(numbers.values())
    with figure_side:
        for zoom in charts.ZOOMS:
            answers.show(f"walk-{zoom}")
    with more:
        answers.show("walk", formula="formula_walk")
    with measure_place:
        for zoom, column in zip(charts.ZOOMS, st.columns(2, gap="large"), strict=True):
            with column:
                answers.show(zoom, formula="formula_conditions")
        answers.show("growth")
    with rate_place:
        answers.show("rate", formula="formula_rate")
        handout_button(
            "Two conditions",
            "two_conditions",
            lambda: [
                walk_handout(states, size, walk),
                *answers.figures(*charts.ZOOMS),
                rate_handout(states, rate),
            ],
        )


live()
write("two_conditions_why")
