"""A ranking in words and tables: the sections of a report that need no chart."""

from collections.abc import Iterator
from typing import Final

import numpy as np
import pandas as pd

from siviz.disagreement import Disagreements
from siviz.markup import (
    Content,
    Markup,
    data_table,
    joined,
    name_markup,
    number,
    tag,
    visible,
)
from siviz.measures import find_measure
from siviz.ranking import Ranking
from siviz.report.mathml import mathml

_FOLDED_NOTES: Final = 20  # more notes than this are folded away
_INVERSIONS: Final = 8

_NULLS: Final = {
    "calibrated": "calibrated: exact mean and approximate variance of G over all "
    "tables with the same margins; fair also in sparse tables",
    "nominal": "nominal: chi-squared with the usual degrees of freedom; wrong in "
    "sparse tables",
    "effective": "effective: chi-squared with degrees of freedom by occupied cells; "
    "favours noise with many states",
    "permutation": "permutation: random tables with the same margins",
}
_TERMS: Final = {
    "Standardized information (SI)": "How far the dependence of a pair lies beyond "
    "what chance gives, on one scale for tables of all shapes. About 0 for independent "
    "columns, whose SI exceeds 1.16 in 5 % of cases; it grows with the strength of the "
    "dependence and with the square root of the number of rows.",
    "log10 q": "Logarithm of the smallest false-discovery rate (Benjamini and "
    "Hochberg) at which the pair is called dependent. At −2, about 1 % of the pairs "
    "called dependent down to this one are expected to be chance.",
    "Interval, tier": "Intervals hold the middle 95 % of the scores of tables drawn "
    "again from the observed frequencies. Pairs of one tier cannot be told apart from "
    "its first.",
    "Null": "What independence predicts for G, which is twice the sample size N times "
    "the mutual information: a mean m and a variance v. With d degrees of freedom "
    "chi-squared has m = d and v = 2 d.",
    "Pearson residual": "Observed less expected count, divided by the square root of "
    "the expected count; beyond about 2 in size it is unlikely to be chance.",
    "Kendall's tau": "Agreement of two orders: 1 if they are the same, 0 if they have "
    "nothing in common, −1 if one is the reverse of the other.",
}


def pair_markup(first: str, second: str) -> Markup:
    """Both names of a pair."""
    return joined([name_markup(first), " – ", name_markup(second)])


def summary(ranking: Ranking) -> Markup:
    """What was found, in one paragraph."""
    pairs = len(ranking.frame)
    known = ranking.frame[ranking.frame["score"].notna()]
    text: list[Content] = [
        f"{pairs:,} pair{'s' if pairs != 1 else ''} of columns, ordered by how "
        "strongly the two depend on each other beyond what chance gives. "
    ]
    if known.empty:
        text.append("None has a score; the column of notes says why.")
        return tag("p", text)
    best, sure = known.iloc[0], int((known["log10_q"] <= np.log10(0.05)).sum())
    text += ["The strongest is ", pair_markup(best["first"], best["second"])]
    text.append(
        f" (SI {best['score']:.2f}). At a false-discovery rate of 5 %, {sure:,} of "
        f"{len(known):,} {'is' if sure == 1 else 'are'} called dependent."
    )
    return tag("p", text)


def how_it_was_ranked(ranking: Ranking) -> Markup:
    """Rows, columns, choices, and every transformation of the data."""
    scored = int(ranking.frame["score"].notna().sum())
    left_out = sum(column.kind == "left out" for column in ranking.columns)
    facts: dict[str, Content] = {
        "Rows": number(ranking.prepared.rows, ",d"),
        "Columns": f"{len(ranking.columns) - left_out:,} used, {left_out:,} left out",
        "Pairs": f"{len(ranking.frame):,}, of which {scored:,} have a score",
        "Target": _column_or(ranking.target, "none: all pairs are ranked"),
        "Given": _column_or(ranking.given, "nothing: unconditional dependence"),
        "Null": _NULLS[ranking.null],
        "Score": "standardized information "
        + ("with Fisher's centre" if ranking.centre == "fisher" else "(Eq. 6)"),
    }
    items = [(tag("dt", key), tag("dd", value)) for key, value in facts.items()]
    notes = tag("ul", [tag("li", visible(note)) for note in ranking.notes])
    if len(ranking.notes) > _FOLDED_NOTES:
        fold = tag("summary", f"{len(ranking.notes):,} notes")
        notes = tag("details", fold, notes)
    title = tag("h3", "Everything that was found or done to the data")
    return joined([tag("dl", items, class_="facts"), title, notes])


def _column_or(name: str | None, otherwise: str) -> Content:
    return otherwise if name is None else name_markup(name)


def ranking_table(ranking: Ranking, *, top: int) -> Markup:
    """The strongest pairs with their facts and measures."""
    frame = ranking.frame.head(top)
    shown, pairs = len(frame), len(ranking.frame)
    which = f"The strongest {shown:,} of {pairs:,} pairs" if shown < pairs else "Pairs"
    caption = f"{which}, by standardized information (SI). A dash means undefined."
    measures = [find_measure(key) for key in _beside_the_score(ranking)]
    head: list[Content] = ["Rank", "First", "Second", "SI", "log10 q", "Rows"]
    head += ["States", "Note"]
    head += [
        joined([m.label, tag("span", f" ({m.unit})" * bool(m.unit), class_="soft")])
        for m in measures
    ]
    highest = max(float(frame["score"].max()), 1e-9) if shown else 1.0
    rows = [
        [
            *_facts(row, highest),
            *(_number(row[m.key]) for m in measures),
        ]
        for _, row in frame.iterrows()
    ]
    return data_table(caption, head, rows)


def _beside_the_score(ranking: Ranking) -> list[str]:
    """The measures but for the one that is the score itself."""
    score = {"calibrated": "si_calibrated", "nominal": "si"}.get(ranking.null)
    return [key for key in ranking.measures if key != score]


def _facts(row: pd.Series, highest: float) -> Iterator[Markup]:
    share = 0.0 if pd.isna(row["score"]) else max(row["score"] / highest, 0)
    yield _number(None if pd.isna(row["rank"]) else int(row["rank"]), ",d")
    for name in (row["first"], row["second"]):
        yield tag("th", name_markup(name, 40), scope="row", class_="name")
    score, style = number(row["score"], "z.2f"), f"--share: {share:.1%}"
    yield tag("td", score, class_="number bar", style=style)
    yield _number(row["log10_q"], "z.2f")
    yield _number(int(row["rows"]), ",d")
    first, second = (
        number(int(row[name]), ",d") for name in ("states_first", "states_second")
    )
    yield tag("td", first, " × ", second, class_="number")
    yield tag("td", row["note"], class_="note")


def _number(value: object, form: str = ".4g") -> Markup:
    return tag("td", number(value, form), class_="number")


def column_table(ranking: Ranking) -> Markup:
    """What became of each column."""
    rows = [
        [
            tag("th", tag("bdi", visible(c.name), class_="whole"), scope="row"),
            tag("td", c.kind),
            _number(len(c.states), ",d"),
            _number(c.missing, ",d"),
            tag("td", visible(c.reason), class_="reason"),
        ]
        for c in ranking.columns
    ]
    head = ["Column", "Became", "States", "Missing rows", "Why"]
    return data_table("Every column of the data but for weights", head, rows)


def disagreement_list(disagreements: Disagreements) -> Markup:
    """The clearest inversions in words, the measures in turn."""
    inversions = disagreements.inversions
    if inversions.empty:
        return tag("p", "All measures order the pairs as the score does.")
    behind = inversions["other_rank"] - inversions["rank"]
    ahead = inversions["measure_rank"] - inversions["other_measure_rank"]
    gap = np.minimum(behind, ahead)
    turn = inversions.groupby("measure", sort=False).cumcount()
    order = np.lexsort((-gap, turn))[:_INVERSIONS]
    sentences = [_inversion(row) for _, row in inversions.iloc[order].iterrows()]
    return tag("ul", [tag("li", sentence) for sentence in sentences])


def _inversion(row: pd.Series) -> list[Content]:
    label = find_measure(row["measure"]).label
    return [
        tag("strong", label),
        " ranks ",
        pair_markup(row["other_first"], row["other_second"]),
        f" ({row['other_measure_rank']:,}) before ",
        pair_markup(row["first"], row["second"]),
        f" ({row['measure_rank']:,}); the score ranks them {row['other_rank']:,} and "
        f"{row['rank']:,}. ",
        visible(row["reason"]),
    ]


def glossary(ranking: Ranking) -> Markup:
    """The terms of the report and the measures that were computed."""
    terms: list[Content] = [
        (tag("dt", term), tag("dd", meaning)) for term, meaning in _TERMS.items()
    ]
    for key in ranking.measures:
        measure = find_measure(key)
        unit = measure.unit or "no unit"
        terms += [
            tag("dt", measure.label, " ", tag("code", key), id=f"measure-{key}"),
            tag("dd", mathml(measure.formula)),
            tag("dd", f"{unit}; {measure.stronger} is stronger. {measure.fails}"),
        ]
    return tag("dl", terms, class_="glossary")


def reproduction(*, python: str | None, command: str | None) -> Markup:
    """How to make the same ranking again, as the caller says; empty if they do not."""
    shown = {"In Python": python, "On the command line": command}
    return joined(
        (tag("p", f"{where}:"), tag("pre", tag("code", code), tabindex=0))
        for where, code in shown.items()
        if code is not None
    )
