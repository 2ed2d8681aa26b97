"""Names as chart labels: short, unique, plain text whatever they hold."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

import pandas as pd

from siviz.markup import shorten_inside, visible

LONGEST: Final = 32
"""Characters of a label in a chart; the tooltip has the whole name."""

LONGEST_OF_PAIR: Final = 18
"""The same for each name of a pair."""

# Isolates keep right-to-left names from reordering the text around them.
_ISOLATE: Final = "\u2068"
_END: Final = "\u2069"
# Whatever Markdown, and Streamlit in it, could take for a command.
_PUNCTUATION: Final = re.compile(r"[!-/:-@\[-`{-~]")
_INNER_BIN: Final = re.compile(r"\[[^\[\]]+, [^\[\]]+\)")
_DIRECTIVE: Final = re.compile(r":(?=\w)")


def short_labels(names: Iterable[str], longest: int = LONGEST) -> dict[str, str]:
    """A short label for each name; labels that are equal get a number.

    Examples
    --------
    >>> short_labels(["income before tax", "income after tax"], 8)
    {'income before tax': 'inco…tax', 'income after tax': 'inco…tax (2)'}
    """
    labels: dict[str, str] = {}
    taken: set[str] = set()
    for name in dict.fromkeys(names):
        short = labels[name] = short_name(name, longest)
        number = 1
        while labels[name] in taken:
            number += 1
            labels[name] = f"{short} ({number})"
        taken.add(labels[name])
    return labels


def short_name(name: str, longest: int = LONGEST) -> str:
    """A name for a chart: plain text on one line, its middle left out if it is long."""
    return shorten_inside(visible(name), longest)


def pair_names(pairs: pd.DataFrame) -> dict[str, str]:
    """Labels of the names in ``first`` and ``second``, so short that two fit a line."""
    names = pd.unique(pairs[["first", "second"]].to_numpy().ravel())
    return short_labels(names, LONGEST_OF_PAIR)


def pair_label(first: str, second: str, labels: Mapping[str, str]) -> str:
    """Both names of a pair in one line."""
    return " – ".join(f"{_ISOLATE}{labels[name]}{_END}" for name in (first, second))


def markdown_text(text: str) -> str:
    r"""A text that Markdown shows as it is, on one line.

    Examples
    --------
    >>> print(markdown_text("5 * 3_000"))
    5 \* 3\_000
    """
    escaped = _PUNCTUATION.sub(r"\\\g<0>", visible(text))
    # Streamlit looks for icons and emoji after all escapes are gone.
    return _DIRECTIVE.sub(":\u2060", escaped)


def markdown_name(name: str, longest: int = LONGEST) -> str:
    r"""A name inside a sentence of Markdown, short and as plain text.

    Examples
    --------
    >>> print(markdown_name("cost_in_$ <b>"))
    ⁨cost\_in\_\$ \<b\>⁩
    """
    return f"{_ISOLATE}{markdown_text(short_name(name, longest))}{_END}"


def markdown_pair(first: str, second: str) -> str:
    """Both names of a pair inside a sentence of Markdown."""
    return f"{markdown_name(first)} – {markdown_name(second)}"


def told_state(name: str, state: str) -> str:
    r"""That a column is in a state, in Markdown: ``age = 7``, ``age ≥ 18``.

    Examples
    --------
    >>> [told_state("age", state).translate({0x2068: "", 0x2069: ""})
    ...  for state in ("7", "≥ 18", "[3, 5)")]
    ['age = 7', 'age ≥ 18', 'age in \\[3\\, 5\\)']
    """
    bin_sign = next((sign for sign in ("< ", "≥ ") if state.startswith(sign)), "")
    joint = bin_sign.replace("<", "\\<") or (
        "in " if _INNER_BIN.fullmatch(state) else "= "
    )
    rest = state.removeprefix(bin_sign)
    return f"{markdown_name(name)} {joint}{markdown_name(rest)}"
