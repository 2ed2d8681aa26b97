"use strict";
// Draw every chart of the report from the specification beside it.
for (const figure of document.querySelectorAll("figure[data-chart]")) {
  const place = figure.querySelector(".chart");
  const spec = JSON.parse(document.getElementById(figure.dataset.chart).textContent);
  if (place.clientWidth < 600) {
    spec.config.axis.labelLimit = 140;
    spec.config.legend.labelLimit = 230;
  }
  const options = {
    renderer: "svg",
    ast: true, // expressions are interpreted, so the page can forbid eval
    actions: { export: true, source: false, compiled: false, editor: false },
    downloadFileName: figure.dataset.chart,
  };
  vegaEmbed(place, spec, options)
    .then(() => {
      place.querySelector("summary").setAttribute("aria-label", "Save this chart");
      place.classList.add("drawn");
    })
    .catch((error) => {
      place.textContent = "This chart could not be drawn: " + error.message;
    });
}
