// Draws the answers of the live parts of a page, and asks for new ones while a slider
// moves, without waiting for Streamlit.  See siviz/ui/live.py.

const parts = new Map(); // by token: its places by name, and what it asks for
const options = { actions: false, renderer: "svg", tooltip: { theme: "custom" } };

let vega; // asked for once, and again after it could not be had
function embedder() {
  const version = new URL(import.meta.url).search;
  vega ??= import(`./vega.js${version}`).then(() => window.vegaEmbed);
  vega.catch(() => (vega = undefined));
  return vega;
}

/** The handles of a slider, which Streamlit marks with the key of the control. */
const handles = key => [...document.querySelectorAll(`.st-key-${key} input[type="range"]`)];

/** Where a slider stands: a number, or two where it has two handles. */
function position(key) {
  const at = handles(key).map(handle => Number(handle.value));
  return at.length > 1 ? at : at[0];
}

/** Where the sliders of a part stand; null while one of them is not on the page. */
function positions(part) {
  const found = part.keys.map(key => [key, position(key)]);
  return found.some(([, at]) => at === undefined) ? null : Object.fromEntries(found);
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** Whether a visitor holds a slider of this part. */
const held = part => part.keys.some(key => handles(key).includes(document.activeElement));

const page = { width: "container", autosize: { type: "fit-x", contains: "padding" } };

/** Show a block, which is JSON, unless it is there already. */
function show(place, told) {
  if (place.told === told) return;
  place.told = told;
  const block = JSON.parse(told);
  if (place.written !== block.html) place.words.innerHTML = place.written = block.html;
  if (block.form) then(place, () => draw(place, block));
}

/** Do something with a chart after what is being done with it. */
function then(place, act) {
  place.drawing = place.drawing.then(act).catch(error => {
    console.debug("siviz: no chart", error);
    place.form = place.told = undefined; // the next answer tries again
    place.chart.textContent = "This chart could not be drawn. Move a slider, or reload the page.";
  });
}

async function draw(place, { form, datasets, alt }) {
  const written = Object.entries(datasets).map(([name, rows]) => [name, JSON.stringify(rows)]);
  if (place.form !== form) {
    place.form = form;
    place.chart.setAttribute("role", "img");
    place.chart.setAttribute("aria-label", alt);
    place.embedded?.finalize();
    place.embedded = undefined;
    const embed = await embedder();
    const spec = { ...page, ...JSON.parse(form), datasets };
    place.embedded = await embed(place.chart, spec, options);
    place.rows = Object.fromEntries(written);
    return;
  }
  const { view } = place.embedded;
  for (const [name, rows] of written) {
    if (place.rows[name] === rows) continue; // Vega would draw the same marks anew
    place.rows[name] = rows;
    view.data(name, datasets[name]);
  }
  await view.resize().runAsync();
}

/** Ask for answers until the sliders rest; a new move waits for the last answer. */
async function ask(part) {
  if (part.asking) return; // it will see where the sliders are when it is done
  part.asking = true;
  for (let at = positions(part); at && !same(at, part.asked); at = positions(part)) {
    part.asked = at;
    const query = new URLSearchParams(at);
    try {
      const answer = await fetch(new URL(`answers/${part.token}?${query}`, import.meta.url));
      if (!answer.ok) continue; // Streamlit will say what is wrong
      const blocks = await answer.json();
      if (part.asked !== at) continue; // Streamlit has answered something newer
      for (const [name, block] of Object.entries(blocks)) {
        const place = part.places.get(name);
        if (place) show(place, block);
      }
    } catch (error) {
      console.debug("siviz: no live answer", error);
    }
  }
  part.asking = false;
}

new MutationObserver(changes => {
  const moved = new Set(changes.map(change => change.target));
  if (!moved.has(document.activeElement)) return; // moved by a preset, not by hand
  for (const part of parts.values())
    if (part.keys.some(key => handles(key).some(handle => moved.has(handle)))) ask(part);
}).observe(document.body, { subtree: true, attributeFilter: ["aria-valuetext"] });

/** Charts follow the width of the page, which also changes with its sidebar. */
const width = new ResizeObserver(changes => {
  for (const { target } of changes)
    then(target.place, () => widen(target));
});

async function widen({ place }) {
  const view = place.embedded?.view;
  const wanted = place.chart.clientWidth;
  if (!view || !wanted || view.width() === wanted) return;
  await view.width(wanted).resize().runAsync();
}

/** Tooltips stand at the end of the page, where its colours are not known. */
function colour(element) {
  const style = getComputedStyle(element);
  for (const name of ["background-color", "text-color", "border-color"])
    document.body.style.setProperty(`--siviz-${name}`, style.getPropertyValue(`--st-${name}`));
}

function made(element) {
  const [chart, words] = ["div", "div"].map(name => document.createElement(name));
  words.setAttribute("aria-live", "polite"); // screen readers tell what has changed
  element.append(chart, words);
  chart.addEventListener("pointerenter", () => colour(element));
  width.observe(element);
  return { chart, words, drawing: Promise.resolve() };
}

/** Streamlit calls this with each of its own answers. */
export default function live({ data, parentElement }) {
  const element = parentElement.querySelector(".siviz-live");
  const place = (element.place ??= made(element));
  if (!parts.has(data.part)) parts.set(data.part, { token: data.part, places: new Map() });
  const part = parts.get(data.part);
  part.keys = Object.keys(data.positions);
  if (place.part !== part) leave(place, data.name);
  place.part = part;
  part.places.set(data.name, place);
  // An answer to an earlier move must not undo what is drawn for a later one.
  if (!(held(part) && place.told && !same(positions(part), data.positions))) {
    part.asked = data.positions;
    show(place, data.block);
  }
  return () => {
    if (element.isConnected) return;
    width.unobserve(element);
    leave(place, data.name);
    then(place, () => place.embedded?.finalize());
  };
}

/** Forget a place, and with its last place a part, as after a restart of the server. */
function leave(place, name) {
  const { part } = place;
  if (part?.places.get(name) !== place) return;
  part.places.delete(name);
  if (!part.places.size) parts.delete(part.token);
}
