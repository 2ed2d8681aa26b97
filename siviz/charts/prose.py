"""The little Markdown that handouts need, as HTML."""

import re
from html import escape

_INLINE = (
    (re.compile(r"\*\*([^*]+)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"\*([^*]+)\*"), r"<em>\1</em>"),
    (re.compile(r"\[([^\]]+)\]\(([^)\s]+)\)"), r'<a href="\2">\1</a>'),
)


def markdown_html(text: str) -> str:
    r"""Headings, paragraphs, lists, emphasis, code and links as HTML.

    Everything else, HTML included, is shown as it is written.

    Examples
    --------
    >>> markdown_html("## Why\n\nMI is *biased*.")
    '<h2>Why</h2>\n<p>MI is <em>biased</em>.</p>'
    """
    blocks = re.split(r"\n\s*\n", text.strip())
    return "\n".join(_block(block) for block in blocks if block.strip())


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
    return f"<p>{_inline(block.strip())}</p>"


def _inline(text: str) -> str:
    """Emphasis and links, but not inside of code, which is every second part."""
    parts = escape(" ".join(text.split()), quote=False).split("`")
    for number, part in enumerate(parts):
        if number % 2:
            parts[number] = f"<code>{part}</code>"
            continue
        for pattern, replacement in _INLINE:
            part = pattern.sub(replacement, part)
        parts[number] = part
    return "".join(parts)
