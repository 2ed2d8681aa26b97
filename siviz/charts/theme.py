"""Colours and sizes: the same measure always looks the same.

Colours are from Okabe and Ito's palette, which colour-blind readers can tell apart; a
dash pattern repeats the difference for print.
"""

from typing import Final, NamedTuple


class Look(NamedTuple):
    """How one measure is drawn."""

    colour: str
    dash: tuple[int, ...]


LOOKS: Final[dict[str, Look]] = {
    "si_calibrated": Look("#0072B2", (1, 0)),
    "si": Look("#56B4E9", (8, 3)),
    "mi": Look("#D55E00", (2, 2)),
    "mi_bc": Look("#E69F00", (6, 2)),
    "nmi": Look("#009E73", (2, 4)),
    "log10_p": Look("#CC79A7", (8, 3, 2, 3)),
    "p_value": Look("#CC79A7", (2, 2)),
    "p_value_2006": Look("#8C8C8C", (1, 3)),
    "z_score": Look("#B8A900", (4, 2)),
    "ami": Look("#7F3C8D", (6, 2, 2, 2)),
    "aic": Look("#5D69B1", (5, 2)),
    "bic": Look("#52BCA3", (3, 3)),
    "log_bayes_factor": Look("#99C945", (7, 2, 2, 2)),
}
"""The measures that charts compare, by key."""
