"""HTML by construction: every text is escaped unless it is markup already."""

import html
import re
from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import numpy as np


class Markup(str):
    """Text that is HTML already; any other text is escaped."""


Content: TypeAlias = "str | Iterable[Content]"

_VOID: Final = {"meta", "br"}
_TURNING: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")


def tag(name: str, /, *content: Content, **attributes: Any) -> Markup:
    """An element; a final underscore is cut off attributes, others become hyphens.

    An attribute that is None is left out.

    Examples
    --------
    >>> tag("td", "a < b", class_="name", data_value=3)
    '<td class="name" data-value="3">a &lt; b</td>'
    """
    words = [
        f' {key.rstrip("_").replace("_", "-")}="{escaped(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    ]
    start = f"<{name}{''.join(words)}>"
    return Markup(start if name in _VOID else f"{start}{joined(content)}</{name}>")


def joined(content: Content) -> Markup:
    """Texts, markup and sequences of them as one piece of markup."""
    if isinstance(content, str):
        return content if isinstance(content, Markup) else Markup(escaped(content))
    return Markup("".join(joined(part) for part in content))


def escaped(text: str) -> str:
    """The text as a page shows it, with what HTML would interpret escaped."""
    return html.escape(printable(text), quote=True)


def printable(text: str) -> str:
    """The text with the replacement character for what no page or sheet can hold.

    That is control characters but for tabs and line ends, halves of surrogate pairs
    and non-characters.

    Examples
    --------
    >>> printable("bell" + chr(7))
    'bell�'
    """
    return "".join(c if _is_character(c) else "\ufffd" for c in text)


def visible(text: str) -> str:
    r"""The text as `printable` gives it, on one line and never empty.

    Characters that would turn the direction of the text around it are replaced too.

    Examples
    --------
    >>> visible("two\nlines"), visible("")
    ('two lines', '(empty)')
    """
    plain = _TURNING.sub("\ufffd", printable(text))
    return " ".join(plain.split()) or "(empty)"


def shorten(text: str, longest: int) -> str:
    """The text, or its beginning and an ellipsis.

    Examples
    --------
    >>> shorten("flipper length in millimetres", 12)
    'flipper len…'
    """
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def shorten_inside(text: str, longest: int) -> str:
    """The text, or its beginning and its end around an ellipsis.

    Long names often begin alike, and what tells them apart stands at the end.

    Examples
    --------
    >>> shorten_inside("How satisfied are you with the library?", 20)
    'How satisf…library?'
    """
    if len(text) <= longest:
        return text
    end = (longest - 1) // 2
    return f"{text[: longest - 1 - end].rstrip()}…{text[len(text) - end :].lstrip()}"


def name_markup(name: str, longest: int = 60) -> Markup:
    """A name of the data: isolated, so that its direction of writing stays inside.

    A longer one is shortened, with the whole name as its title.

    Examples
    --------
    >>> name_markup("sex")
    '<bdi>sex</bdi>'
    """
    whole = visible(name)
    short = shorten(whole, longest)
    return tag("bdi", short, title=None if short == whole else whole)


def _is_character(c: str) -> bool:
    code = ord(c)
    control = (code < 0x20 and c not in "\t\n\r") or 0x7F <= code < 0xA0
    return not (control or 0xD800 <= code <= 0xDFFF or code & 0xFFFE == 0xFFFE)


def number(value: Any, form: str = ".4g") -> Markup:
    """A number as it is read, with its full precision for machines; a dash for nan.

    Examples
    --------
    >>> number(2 / 3, ".2f")
    '<data value="0.6666666666666666">0.67</data>'
    """
    if value is None or np.isnan(value):
        return tag("abbr", "–", title="undefined")
    plain = int(value) if isinstance(value, int | np.integer) else float(value)
    return tag("data", format(plain, form), value=repr(plain))


def data_table(
    caption: Content, head: Iterable[Content], rows: Iterable[Iterable[Markup]]
) -> Markup:
    """A table with a caption and a row of headers; ``rows`` are cells (td, th)."""
    headers = [tag("th", content, scope="col") for content in head]
    body = [tag("tr", row) for row in rows]
    table = tag(
        "table",
        tag("caption", tag("span", caption)),
        tag("thead", tag("tr", headers)),
        tag("tbody", body),
    )
    return tag("div", table, class_="scroll", tabindex=0)
