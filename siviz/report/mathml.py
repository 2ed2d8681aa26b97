"""The catalogue's formulas as MathML, which browsers draw without any script.

Only the LaTeX that `siviz.measures` uses is known; anything else is an error.
"""

import re
from typing import Final

from siviz.markup import Markup, tag

_TOKEN: Final = re.compile(r"\\[A-Za-z]+|\\.|[0-9.]+|\S")
_SYMBOLS: Final = {
    r"\sum": "∑",
    r"\ge": "≥",
    r"\mid": "∣",
    r"\chi": "χ",
    r"\Gamma": "Γ",
    r"\Phi": "Φ",
    r"\log": "log",
    r"\max": "max",
    r"\min": "min",
    "-": "−",
}
_OPERATORS: Final = {r"\sum", r"\ge", r"\mid"}
_ACCENTS: Final = {r"\hat": "^", r"\tilde": "~"}
_GROUPING: Final = {r"\left", r"\right"}  # MathML stretches brackets by itself


def mathml(formula: str) -> Markup:
    r"""A formula in LaTeX as a MathML element.

    Examples
    --------
    >>> print(mathml(r"\chi^2"))
    <math displaystyle="true"><msup><mi>χ</mi><mn>2</mn></msup></math>
    """
    tokens = _TOKEN.findall(formula)
    parts: list[Markup] = []
    while tokens:
        parts.append(_scripted(tokens))
    return tag("math", parts, displaystyle="true")


def _scripted(tokens: list[str]) -> Markup:
    """The next piece with its index and exponent."""
    base_is_sum = tokens[0] == r"\sum"
    base = _piece(tokens)
    scripts: dict[str, Markup] = {}
    while tokens and tokens[0] in ("_", "^"):
        kind = tokens.pop(0)
        scripts[kind] = _piece(tokens)
    if not scripts:
        return base
    kinds = {"_": "munder", "^": "mover"} if base_is_sum else {"_": "msub", "^": "msup"}
    if len(scripts) == 2:
        both = "munderover" if base_is_sum else "msubsup"
        return tag(both, base, scripts["_"], scripts["^"])
    ((kind, script),) = scripts.items()
    return tag(kinds[kind], base, script)


def _piece(tokens: list[str]) -> Markup:
    """The next piece without scripts, taken from the tokens."""
    token = tokens.pop(0)
    if token in _GROUPING:
        return _piece(tokens)
    if token == "{":
        return _group(tokens)
    if token in (r"\frac", r"\tfrac"):
        return tag("mfrac", _piece(tokens), _piece(tokens))
    if token == r"\sqrt":
        return tag("msqrt", _piece(tokens))
    if token in _ACCENTS:
        return tag("mover", _piece(tokens), tag("mo", _ACCENTS[token]), accent="true")
    if token == r"\text":
        return tag("mtext", _word(tokens))
    if token == r"\,":
        return tag("mspace", width="0.2em")
    if token.startswith("\\") and token not in _SYMBOLS:
        raise ValueError(f"formula must use LaTeX that mathml knows; got {token}")
    shown = _SYMBOLS.get(token, token)
    if token in _OPERATORS or not shown.isalnum():
        return tag("mn" if token[0].isdigit() else "mo", shown)
    return tag("mn" if token[0].isdigit() else "mi", shown)


def _group(tokens: list[str]) -> Markup:
    """What stands between braces, the first of which is taken already."""
    parts: list[Markup] = []
    while tokens[0] != "}":
        parts.append(_scripted(tokens))
    tokens.pop(0)
    return parts[0] if len(parts) == 1 else tag("mrow", parts)


def _word(tokens: list[str]) -> str:
    end = tokens.index("}")
    word = "".join(tokens[1:end])
    del tokens[: end + 1]
    return word
