"""The pairs that measures move furthest, as a table and in a sentence."""

from typing import Final

import pandas as pd

from siviz.charts.frame import short_label
from siviz.charts.labels import markdown_pair, markdown_text

_SHOWN: Final = {
    "first": "A",
    "second": "B",
    "rank": "Place by SI",
    "measure": "Measure",
    "measure_rank": "Place by it",
    "cause": "Cause",
    "reason": "Why",
}
_NAMED: Final = 3  # movers that a reader is told in words


def movers_table(movers: pd.DataFrame) -> pd.DataFrame:
    """What `siviz.movers.find_movers` found, for a reader."""
    table = movers.assign(measure=movers["measure"].map(short_label))
    return table[list(_SHOWN)].rename(columns=_SHOWN)


def movers_sentence(movers: pd.DataFrame, *, depth: int) -> str:
    """The biggest movers, and what moves all of them, in words."""
    if movers.empty:
        return (
            f"All of the chosen measures put their strongest {depth} pairs in the same "
            "places as SI."
        )
    causes = movers["cause"].value_counts(sort=True)
    counted = ", ".join(f"{cause} ({count})" for cause, count in causes.items())
    told = "\n".join(f"- {_told(row)}" for _, row in movers.head(_NAMED).iterrows())
    number = f"{len(movers)} biggest movers" if len(movers) > 1 else "only mover"
    return f"{told}\n\nCauses among the {number}: {counted}."


def _told(mover: pd.Series) -> str:
    pair = markdown_pair(mover["first"], mover["second"])
    way = "down" if mover["moved"] > 0 else "up"
    return (
        f"**{pair}** moves {way} from place {mover['rank']:,} by SI to place "
        f"{mover['measure_rank']:,} by **{short_label(mover['measure'])}**. "
        f"{markdown_text(mover['reason'])}"
    )
