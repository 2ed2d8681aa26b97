"""A ranking as one HTML file that needs neither a network nor a server."""

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from siviz import __version__
from siviz.charts.agreement import agreement_chart, agreement_frame
from siviz.charts.embedding import AnyChart, chart_spec, script_json, vega_bundle
from siviz.charts.pairs import MOST_COLUMNS, pairs_chart, pairs_frame
from siviz.charts.ranking import ranking_chart, ranking_frame
from siviz.charts.ranks import ranks_chart, ranks_frame
from siviz.charts.table import residual_limit, table_frame
from siviz.disagreement import Disagreements
from siviz.locations import asset
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
from siviz.ranking import Ranking
from siviz.report import sections
from siviz.tables import Table

_CHARTED: Final = 25  # pairs with intervals
_DRAWS: Final = 200  # resampled tables behind an interval
_SLOPES: Final = 10  # pairs followed over the measures
_TABLES: Final = 6  # pairs whose counts are shown
_MOST_STATES: Final = 12  # rows and columns of such a table
_STRONGEST_TINT: Final = 0.55  # opacity behind a number that must stay readable


class _Section(NamedTuple):
    key: str
    heading: str
    content: Content


def report_html(
    ranking: Ranking,
    *,
    title: str | None = None,
    top: int = 50,
    python: str | None = None,
    command: str | None = None,
) -> str:
    """A whole HTML page about a ranking: one file, no network, light and dark.

    Vega's scripts (0.9 MB) are inside.  Texts of the data are escaped, and a content
    security policy lets no other script run and nothing be loaded.  The same ranking
    gives the same page: the seed of the intervals is fixed.

    Parameters
    ----------
    ranking : Ranking
    title : str, optional
        Heading of the page.
    top : int
        Rows of the table of pairs, from the strongest on.
    python, command : str, optional
        Python code and a command line that make the same ranking, to be shown.

    Examples
    --------
    >>> from siviz import rank_pairs
    >>> from siviz.datasets import load_dataset
    >>> page = report_html(rank_pairs(load_dataset("penguins").frame))
    >>> page[:15], page.count("<figure")
    ('<!DOCTYPE html>', 4)
    """
    if top < 1:
        raise ValueError(f"top must be at least 1; got {top}")
    heading = visible(title if title is not None else "Ranking by dependence")
    content = list(_sections(ranking, top, python, command))
    links = [tag("li", tag("a", part.heading, href=f"#{part.key}")) for part in content]
    body = tag(
        "body",
        tag("header", tag("h1", heading), sections.summary(ranking)),
        tag("nav", tag("ul", links), aria_label="Sections"),
        tag("main", [_section(part) for part in content]),
        tag("footer", tag("p", f"Made with siviz {__version__}.", class_="soft")),
        [tag("script", Markup(script)) for script in _scripts()],
    )
    return f"<!DOCTYPE html>\n{tag('html', _head(heading), body, lang='en')}\n"


def _sections(
    ranking: Ranking, top: int, python: str | None, command: str | None
) -> Iterator[_Section]:
    scored = int(ranking.frame["score"].notna().sum())
    how = sections.how_it_was_ranked(ranking)
    yield _Section("how", "What was ranked, and how", how)
    table = tag("div", sections.ranking_table(ranking, top=top), class_="ranking")
    yield _Section("ranking", "The ranking", table)
    if scored:
        yield _Section("intervals", "How sure the order is", _intervals(ranking))
        yield _Section("tables", "The strongest pairs in numbers", _tables(ranking))
    if scored > 1:
        found = ranking.disagreements()
        yield _Section("ranks", "The same pairs by other measures", _ranks(ranking))
        if ranking.target is None:
            yield _Section("map", "All columns at a glance", _map(ranking))
        yield _Section("agreement", "Where measures disagree", _agreement(found))
    columns = sections.column_table(ranking)
    yield _Section("columns", "What became of each column", columns)
    yield _Section("glossary", "Glossary", sections.glossary(ranking))
    if python is not None or command is not None:
        again = sections.reproduction(python=python, command=command)
        yield _Section("reproduce", "How to reproduce it", again)


def _section(part: _Section) -> Markup:
    return tag("section", tag("h2", part.heading), part.content, id=part.key)


def _head(title: str) -> Markup:
    hashes = " ".join(_hash(script) for script in _scripts())
    policy = (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="generator", content=f"siviz {__version__}"),
        tag("title", title),
        tag("style", Markup(asset("report.css").read_text(encoding="utf-8"))),
    )


def _scripts() -> tuple[str, str]:
    return vega_bundle(), asset("report.js").read_text(encoding="utf-8")


def _hash(script: str) -> str:
    """What a content security policy allows a script by."""
    digest = sha256(script.encode()).digest()
    return f"'sha256-{b64encode(digest).decode()}'"


def _figure(
    key: str, chart: AnyChart, caption: Content, *, widest: int = 1150
) -> Markup:
    spec = Markup(script_json(chart_spec(chart)))
    name = f"chart-{key}"
    otherwise = tag("noscript", "This chart needs JavaScript.")
    return tag(
        "figure",
        tag("figcaption", caption),
        tag("div", otherwise, class_="chart", style=f"max-width: {widest}px"),
        tag("script", spec, type="application/json", id=name),
        data_chart=name,
    )


def _intervals(ranking: Ranking) -> Markup:
    frame = ranking_frame(ranking, top=_CHARTED, draws=_DRAWS)
    tiers = int(frame["tier"].max())
    caption = (
        f"Standardized information of the strongest {len(frame)} with 95 % intervals "
        f"from {_DRAWS} resampled tables of each pair, in {tiers} "
        f"tier{'s' if tiers > 1 else ''} that can be told apart. Independent pairs "
        "exceed the dashed line in 5 % of cases."
    )
    return _figure("intervals", ranking_chart(frame), caption)


def _ranks(ranking: Ranking) -> Markup:
    frame = ranks_frame(ranking, top=_SLOPES)
    caption = (
        f"Ranks of the strongest {frame['place'].max()} pairs by the score and by "
        "other measures, among all pairs. Lines that fall or cross are disagreements."
    )
    return _figure("ranks", ranks_chart(frame), caption)


def _map(ranking: Ranking) -> Markup:
    frame = pairs_frame(ranking)
    columns, shown = len(ranking.prepared.kept), frame["first"].nunique()
    which = (
        f"the {shown} columns with the strongest pairs, of {columns:,}"
        if shown == MOST_COLUMNS < columns
        else "all columns"
    )
    caption = (
        f"Standardized information of the pairs of {which}; columns that depend on "
        "each other stand side by side."
    )
    return _figure("map", pairs_chart(frame), caption, widest=330 + 56 * shown)


def _agreement(found: Disagreements) -> Markup:
    caption = (
        f"Kendall's tau between the orders of {found.compared:,} pairs by every two "
        "measures: 1 is the same order."
    )
    words = sections.disagreement_list(found)
    frame = agreement_frame(found)
    return joined(
        [
            words,
            _figure(
                "agreement",
                agreement_chart(frame),
                caption,
                widest=330 + 44 * len(found.tau),
            ),
        ]
    )


def _tables(ranking: Ranking) -> Markup:
    known = ranking.frame[ranking.frame["score"].notna()].head(_TABLES)
    given = " within the strata, all strata added up" if ranking.given else ""
    legend = tag(
        "p",
        f"Counts of the strongest {len(known)}, coloured by their Pearson residuals: ",
        tag("span", "more", class_="swatch more"),
        " or ",
        tag("span", "less", class_="swatch less"),
        f" than independence{given} expects.",
    )
    counted = zip(known.iterrows(), ranking.tables(range(len(known))), strict=True)
    tables = [_table(ranking, row, table) for (_, row), table in counted]
    return joined([legend, tag("div", tables, class_="tables")])


def _table(ranking: Ranking, row: pd.Series, table: Table) -> Markup:
    """One pair's counts; of many states those with the most rows."""
    places = [ranking.prepared.position(row[name]) for name in ("first", "second")]
    labels = [ranking.prepared.kept[place].states for place in places]
    frame = table_frame(table, rows=labels[0], columns=labels[1])
    limit = residual_limit(frame)
    pooled = table.cells.sum(axis=0)
    rows, columns = (_largest(pooled.sum(axis=axis)) for axis in (1, 0))
    caption: list[Content] = [name_markup(row["first"]), " (down) and "]
    caption += [name_markup(row["second"]), " (across): "]
    caption.append(f"SI {row['score']:.2f}, {row['rows']:,} rows")
    if (len(rows), len(columns)) != pooled.shape:
        caption.append(
            f"; {len(rows)} of {pooled.shape[0]} and {len(columns)} of "
            f"{pooled.shape[1]} states, those with the most rows"
        )
    count, expected, residual = (
        frame[name].to_numpy().reshape(pooled.shape)
        for name in ("count", "expected", "residual")
    )
    head = ["", *(name_markup(labels[1][j], 16) for j in columns)]
    body = [
        [
            tag("th", name_markup(labels[0][i], 16), scope="row", class_="name"),
            *(
                _cell(count[i, j], expected[i, j], residual[i, j], limit)
                for j in columns
            ),
        ]
        for i in rows
    ]
    return data_table(caption, head, body)


def _largest(totals: np.ndarray) -> list[int]:
    """Positions of the largest totals, in their own order."""
    return sorted(np.argsort(-totals, kind="stable")[:_MOST_STATES].tolist())


def _cell(count: float, expected: float, residual: float, limit: float) -> Markup:
    return tag(
        "td",
        number(int(count), ",d"),
        class_="more" if residual > 0 else "less",
        style=f"--strength: {_STRONGEST_TINT * abs(residual) / limit:.3f}",
        title=f"expected {expected:,.2f}, residual {residual:+.2f}",
    )
