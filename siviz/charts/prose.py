"""The little Markdown that handouts and live parts of pages need, as HTML."""

import re
from html import escape

_INLINE = (
    (re.compile(r"\*\*([^*]+)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*([^*]+)\*"), r"<em>\1</em>"),
    # Only to pages: other addresses can be programs.
    # No bracket inside of brackets: else many open ones take quadratic time.
    (re.compile(r"\[([^\[\]]+)\]\((https?://[^()\s]+)\)"), r'<a href="\2">\1</a>'),
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_HIDDEN = 0xE000
"""Escaped punctuation hides behind this place among the characters for private use."""
_SHOWN = {_HIDDEN + ord(sign): escape(sign) for sign in map(chr, range(33, 127))}


def markdown_html(text: str) -> str:
    r"""Headings, paragraphs, lists, tables, emphasis, code and links as HTML.

    Everything else, HTML included, is shown as it is written, and so is punctuation
    behind a backslash.

    Examples
    --------
    >>> markdown_html("## Why\n\nMI is *biased*.")
    '<h2>Why</h2>\n<p>MI is <em>biased</em>.</p>'
    >>> markdown_html(r"\# 2 \* 3")
    '<p># 2 * 3</p>'
    """
    hidden = _ESCAPED.sub(lambda found: chr(_HIDDEN + ord(found[1])), text.strip())
    blocks = re.split(r"\n\s*\n", hidden)
    shown = "\n".join(_block(block) for block in blocks if block.strip())
    return shown.translate(_SHOWN)


def _block(block: str) -> str:
    lines = block.strip().splitlines()
    heading = re.match(r"(#{1,6}) (.+)", lines[0])
    if heading:
        level = len(heading[1])
        rest = "\n".join(lines[1:])
        after = "\n" + _block(rest) if rest.strip() else ""
        return f"<h{level}>{_inline(heading[2])}</h{level}>{after}"
    if lines[0].startswith("- "):
        items = re.split(r"\n- ", "\n" + "\n".join(lines))[1:]
        return "<ul>" + "".join(f"<li>{_inline(item)}</li>" for item in items) + "</ul>"
    if lines[0].startswith("|") and lines[1:2] and set(lines[1]) <= set("|-: "):
        head, body = _row(lines[0], "th"), [_row(line, "td") for line in lines[2:]]
        return f"<table><thead>{head}</thead><tbody>{''.join(body)}</tbody></table>"
    return f"<p>{_inline(block.strip())}</p>"


def _row(line: str, kind: str) -> str:
    cells = line.strip().strip("|").split("|")
    return "<tr>" + "".join(f"<{kind}>{_inline(c)}</{kind}>" for c in cells) + "</tr>"


def _inline(text: str) -> str:
    """Emphasis and links, but not inside of code, which is every second part."""
    parts = escape(" ".join(text.split())).split("`")
    for number, part in enumerate(parts):
        if number % 2:
            parts[number] = f"<code>{part}</code>"
            continue
        for pattern, replacement in _INLINE:
            part = pattern.sub(replacement, part)
        parts[number] = part
    return "".join(parts)
