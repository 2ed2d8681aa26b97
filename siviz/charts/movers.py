"""The pairs that measures move furthest, as a table and in a sentence."""

from typing import Final

import pandas as pd

from siviz.charts.frame import short_label
from siviz.charts.labels import markdown_pair
from siviz.markup import shorten, visible

_SHOWN: Final = {
    "first": "A",
    "second": "B",
    "rank": "Place by SI",
    "measure": "Measure",
    "measure_rank": "Place by it",
    "cause": "Cause",
    "reason": "Why",
}
_LONGEST: Final = 400  # characters of a reason, which may name columns


def movers_table(movers: pd.DataFrame) -> pd.DataFrame:
    """What `siviz.movers.find_movers` found, for a reader."""
    table = movers.assign(
        measure=movers["measure"].map(short_label),
        reason=[shorten(visible(reason), _LONGEST) for reason in movers["reason"]],
    )
    return table[list(_SHOWN)].rename(columns=_SHOWN)


def movers_sentence(movers: pd.DataFrame, *, depth: int) -> str:
    """The biggest mover, and what moves the others, in words."""
    if movers.empty:
        return (
            f"All of the chosen measures put their strongest {depth} pairs in the same "
            "places as SI."
        )
    top = movers.iloc[0]
    pair = markdown_pair(top["first"], top["second"])
    way = "down" if top["moved"] > 0 else "up"
    sentence = (
        f"**{short_label(top['measure'])}** moves **{pair}** furthest: {way} from "
        f"place {top['rank']:,} by SI to place {top['measure_rank']:,}. "
    )
    causes = movers["cause"].value_counts(sort=True)
    counted = ", ".join(f"{cause} ({count})" for cause, count in causes.items())
    return f"{sentence}Causes among the {len(movers)} biggest movers: {counted}."
