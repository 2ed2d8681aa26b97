"""Teaching handouts: charts and prose as one HTML file that works from disk.

Everything is inside the file, Vega's JavaScript included, and a content-security
policy keeps the browser from fetching anything.  Vega parameters bound to inputs stay
sliders, which move the parameters of the same name in all figures.
"""

import json
from collections.abc import Sequence
from html import escape
from typing import Final

from siviz.charts.embedding import vega_bundle
from siviz.charts.figure import Figure
from siviz.charts.frame import sized_spec
from siviz.charts.prose import markdown_html

_STYLE: Final = """
:root { color-scheme: light dark; }
body { font: 17px/1.55 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto;
  padding: 0 1rem; color: #222; background: #fff; }
h1, h2, h3, h5 { line-height: 1.2; }
h5 { font-size: 1.2rem; margin: 1.8rem 0 .6rem; }
figure { margin: 2rem 0; }
figure > div { width: 100%; overflow-x: auto; }
/* The menu stands above a corner of the chart, which has the whole width. */
figure > .vega-embed.has-actions { padding-right: 0; }
figcaption { margin-top: .5rem; }
form.vega-bindings { display: grid; gap: .3rem; margin-top: .5rem; font-size: .9rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid #8886; padding: .3rem .6rem; text-align: left; }
.vega-bind-name { display: inline-block; min-width: 14rem; }
.vega-bind-radio label { margin-right: 1rem; }
.vega-bind input[type=range] { width: 14rem; vertical-align: middle; }
footer { margin-top: 3rem; font-size: .85rem; opacity: .75; }
@media (prefers-color-scheme: dark) {
  body { color: #eee; background: #111418; } a { color: #7cc4f5; } }
@media (width <= 40rem) {
  table { font-size: .8rem; } th, td { padding: .25rem .35rem; } }
@media print { form.vega-bindings, details { display: none; } }
"""

_POLICY: Final = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src data: blob:"
)

_DRAW: Final = """
const actions = { export: true, source: false, compiled: false, editor: false };
const AXIS = 60;
const parameters = index => SPECS[index].params ?? [];
const drawn = SPECS.map((spec, index) => {
  const place = document.getElementById(`figure-${index + 1}`);
  // Panels below each other cannot follow their container by themselves.
  for (const panel of spec.vconcat ?? [])
    panel.width = Math.min(panel.width, place.clientWidth - AXIS);
  return vegaEmbed(place, spec, { actions, renderer: "svg" })
    .catch(error => { place.textContent = error; });
});
// A slider moves the parameter of its name in all figures.
Promise.all(drawn).then(all => all.forEach((figure, index) => {
  for (const { name, bind } of figure ? parameters(index) : []) {
    const same = all.filter((other, at) => other && at !== index
      && parameters(at).some(parameter => parameter.name === name));
    if (bind) figure.view.addSignalListener(name, (_, value) => {
      for (const { view } of same) view.signal(name, value).runAsync();
    });
  }
}));
"""


def handout_html(
    title: str,
    prose_markdown: str,
    figures: Sequence[Figure],
    *,
    closing_markdown: str = "",
) -> str:
    """One self-contained HTML page: title, prose, figures, and what to learn of them.

    Parameters
    ----------
    title : str
    prose_markdown, closing_markdown : str
        See `siviz.charts.prose.markdown_html` for what is understood.
    figures : sequence of Figure
        Their charts may have parameters bound to inputs, which stay sliders.
    """
    specs = [sized_spec(figure.chart, "container") for figure in figures]
    data = json.dumps(specs).replace("<", "\\u003c")
    places = "\n".join(
        f'<figure><div id="figure-{number}" role="img" '
        f'aria-label="{escape(figure.alt)}"></div>'
        f"<figcaption>{markdown_html(figure.sentence)}</figcaption></figure>"
        for number, figure in enumerate(figures, start=1)
    )
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title><style>{_STYLE}</style></head>",
            f"<body><main><h1>{escape(title)}</h1>",
            markdown_html(prose_markdown),
            places,
            markdown_html(closing_markdown),
            "<footer>Made with siviz, after H. Steck, “Ranking by Dependence – A Fair "
            "Criteria” (UAI 2006). This file works without internet.</footer></main>",
            f"<script>{vega_bundle()}</script>",
            f"<script>const SPECS = {data};{_DRAW}</script>",
            "</body></html>",
        ]
    )
