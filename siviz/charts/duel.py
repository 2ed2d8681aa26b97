"""One pair against another: who is wrong how often, and how chance misleads."""

import altair as alt
import pandas as pd

from siviz.charts.figure import Figure
from siviz.charts.frame import (
    PAIRS,
    AnyChart,
    Data,
    apart,
    half_rule,
    measure_axis,
    measure_colour,
    pair_colour,
    short_label,
)
from siviz.charts.theme import TEXT
from siviz.duels import Duel
from siviz.information import mutual_information
from siviz.nulls import null_moments

MOST_TICKS = 50
"""At most this many samples are drawn as ticks; the score counts all."""


def duel_frame(duel: Duel) -> pd.DataFrame:
    """One row a measure: the latest sample's verdict and the score of all samples.

    Columns ``key``, ``measure``, a value for each pair, ``first`` (the pair ranked
    first in the latest sample, or "tie"), ``verdict`` ("right", "wrong" or "–" where
    both truths are equal or the measure ties), ``share`` (of all samples: ranked
    wrongly, or, where the truths are equal, the second pair ranked first).
    """
    rows = []
    for key, values in duel.values.items():
        latest = int(duel.chosen(key)[-1])
        decided = latest >= 0 and duel.stronger >= 0
        verdict = "right" if latest == duel.stronger else "wrong"
        rows.append(
            {
                "key": key,
                "measure": short_label(key),
                **{name: float(v[-1]) for name, v in zip(PAIRS, values, strict=True)},
                "first": PAIRS[latest] if latest >= 0 else "tie",
                "verdict": verdict if decided else "–",
                "share": duel.share(key, 1) if duel.stronger < 0 else duel.wrong(key),
            }
        )
    frame = pd.DataFrame(rows).assign(samples=duel.draws)
    # Told here, since a browser rounds halves differently.
    return frame.assign(told=[f"{share:.0%}" for share in frame["share"]])


def verdict_table(frame: pd.DataFrame) -> pd.DataFrame:
    """The latest sample for a reader: values, the pair ranked first, right or wrong."""
    mark = {"right": "✓ right", "wrong": "✗ wrong", "–": ""}
    values = zip(*(frame[pair] for pair in PAIRS), strict=True)
    told = [apart(*both, form="f") for both in values]
    return pd.DataFrame(
        {
            "measure": frame["measure"],
            "ranked first": [
                f"{first} {mark[verdict]}".strip()
                for first, verdict in zip(frame["first"], frame["verdict"], strict=True)
            ],
            **dict(zip(PAIRS, zip(*told, strict=True), strict=True)),
        }
    )


def duel_figure(duel: Duel, score: pd.DataFrame) -> Figure:
    """The score of all samples, a `duel_frame`, as bars."""
    return Figure(
        duel_chart,
        {"score": score},
        "Bars: how often each measure ranked the wrong pair first",
        duel_sentence(duel),
        {
            "measures": tuple(duel.values),
            "equal": duel.stronger < 0,
            "noise": _both_noise(duel),
        },
    )


def duel_chart(
    score: Data, *, measures: tuple[str, ...], equal: bool, noise: bool
) -> AnyChart:
    """Bars: how often each measure ranked the wrong pair first.

    Where both truths are ``equal`` the bars are how often the second pair was ranked
    first; half is fair if both are ``noise``.
    """
    title = f"pair {PAIRS[1]} first" if equal else "wrong pair first"
    base = alt.Chart(score).encode(
        y=measure_axis("measure", measures),
        x=alt.X("share:Q", title=f"samples with the {title}")
        .scale(domain=[0, 1.18])
        .axis(format=".0%", values=[0, 0.25, 0.5, 0.75, 1]),
        tooltip=[
            alt.Tooltip("measure:N"),
            alt.Tooltip("share:Q", title=title, format=".1%"),
            alt.Tooltip("samples:Q", format=",d"),
        ],
    )
    bars = base.mark_bar(height=18).encode(
        color=measure_colour("measure", measures).legend(None)
    )
    labels = base.mark_text(align="left", dx=5, fontWeight="bold").encode(
        text="told:N", tooltip=alt.value(None)
    )
    layers = [half_rule(), bars, labels] if noise else [bars, labels]
    return alt.layer(*layers).properties(height=70 + 30 * len(measures))


def chance_frame(duel: Duel) -> pd.DataFrame:
    """Mutual information of both pairs: ``pair``, ``kind``, ``information`` (nats).

    Kinds are "sample" (the latest ones), "truth", and "chance": its mean over all
    tables with the margins of the samples, were the pair independent.
    """
    rows = []
    for name, table, truth in zip(PAIRS, duel.tables, duel.information, strict=True):
        samples = mutual_information(table)[-MOST_TICKS:]
        chance = (null_moments(table).mean / (2 * table.sample_size)).mean()
        rows += [(name, "sample", float(value)) for value in samples]
        rows += [(name, "truth", truth), (name, "chance", float(chance))]
    return pd.DataFrame(rows, columns=["pair", "kind", "information"])


def chance_figure(duel: Duel) -> Figure:
    """What the samples measure, what is true, and what chance alone gives."""
    information = chance_frame(duel)
    return Figure(
        chance_chart,
        {"information": information},
        "Mutual information of the samples of both pairs, the truth, and chance alone",
        chance_sentence(duel, information),
    )


def chance_chart(information: Data) -> alt.LayerChart:
    """Each sample's mutual information beside the truth and what chance alone gives."""
    base = alt.Chart(information).encode(
        y=alt.Y("pair:N", title=None, sort=list(PAIRS)).axis(labelPadding=12),
        x=alt.X("information:Q", title="mutual information, nats (square-root scale)")
        .scale(type="sqrt", domain=[0, 4], clamp=True)
        .axis(values=[0, 0.05, 0.2, 0.5, 1, 2, 3, 4], format="~g", labelOverlap=True),
        tooltip=[
            alt.Tooltip("pair:N"),
            alt.Tooltip("kind:N"),
            alt.Tooltip("information:Q", format=".4f"),
        ],
    )
    ticks = base.transform_filter("datum.kind == 'sample'").mark_tick(
        thickness=1, size=30, opacity=0.45
    )
    marks = base.transform_filter("datum.kind != 'sample'").mark_point(
        size=150, strokeWidth=2.5, opacity=1, color=TEXT
    )
    shaped = marks.encode(
        shape=alt.Shape("kind:N", title=None)
        .scale(domain=["truth", "chance"], range=["diamond", "circle"])
        .legend(
            orient="top",
            symbolStrokeColor=TEXT,
            labelExpr="datum.label == 'truth' ? 'the truth' : 'chance alone'",
        )
    )
    coloured = ticks.encode(color=pair_colour())
    return (coloured + shaped).properties(height=200)


def _both_noise(duel: Duel) -> bool:
    return max(duel.information) == 0


def duel_sentence(duel: Duel) -> str:
    """What the score says, in words."""
    size = int(duel.tables[0].sample_size[-1])
    samples = "the one sample" if duel.draws == 1 else f"the {duel.draws:,} samples"
    of_all = f"of {samples} of {size:,} observations"
    wrong = {key: duel.share(key, 1 - max(duel.stronger, 0)) for key in duel.values}
    told = "; ".join(
        f"{short_label(key)} {wrong[key]:.0%}"
        for key in ("mi", "nmi", "si_calibrated")
        if key in wrong
    )
    if duel.stronger < 0:
        fair = "half is fair" if _both_noise(duel) else "neither order is wrong"
        return (
            f"Both pairs are equally dependent, so {fair}. Share {of_all} that rank "
            f"{PAIRS[1]} first: {told}."
        )
    return (
        f"The stronger pair is {PAIRS[duel.stronger]}. Share {of_all} that are ranked "
        f"wrongly: {told}."
    )


def duel_headline(duel: Duel) -> str:
    """The verdict on mutual information, in one line."""
    wrong = duel.wrong("mi")
    if _both_noise(duel):
        return "Both pairs are pure noise: half is fair."
    if duel.stronger < 0:
        return "Both pairs are equally dependent: neither order is wrong."
    winner, loser = PAIRS[duel.stronger], PAIRS[1 - duel.stronger]
    weaker = duel.information[1 - duel.stronger]
    nature = "pure noise" if weaker == 0 else f"weaker than {winner}"
    often = f"{wrong:.0%} of the samples"
    if wrong >= 0.5:
        return f"{loser} is {nature}, yet mutual information ranks it first in {often}."
    return f"Here mutual information is wrong in {often}: {loser} is {nature}."


def chance_sentence(duel: Duel, frame: pd.DataFrame) -> str:
    """How far chance alone lifts each pair, in words."""
    chance = frame["information"][frame["kind"] == "chance"]
    told = [
        f"{pair} holds {truth:.3f} nats and measures "
        f"{mutual_information(table).mean():.3f} on average; were it independent, it "
        f"would still measure about {nats:.3f}."
        for pair, truth, table, nats in zip(
            PAIRS, duel.information, duel.tables, chance, strict=True
        )
    ]
    return " ".join(told)
