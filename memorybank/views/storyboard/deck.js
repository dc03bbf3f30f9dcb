// The slides: one is seen, the keys of a keyboard or a clicker lead on, and each is a page when the deck is printed.
const root = document.documentElement;
const LARGEST = 1.45;
const SMALLEST = 0.55;
const COLOURS = { ink: "currentColor" };

// A card leads nowhere here.
function follow() {}

// -- a slide ----------------------------------------------------------------------------------------------------------

function drawing({ graph, graph_width: width, graph_height: height, described }) {
  const picture = document.createElementNS(SVG_NAMES, "svg");
  picture.setAttribute("class", "graph");
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", described);
  picture.style.width = `${width / 16}rem`;
  picture.style.height = `${height / 16}rem`;
  picture.append(...graph.map(shape));
  return picture;
}

const PLACED = {
  line: ([[x1, y1], [x2, y2]]) => ({ x1, y1, x2, y2 }),
  circle: ([[cx, cy]], { radius }) => ({ cx, cy, r: radius }),
  polygon: (points) => ({ points: points.map((point) => point.join()).join(" ") }),
  text: ([[x, y]], { size, bold, middle }) => ({
    x, y, "font-size": size, "font-weight": bold ? 650 : 450, "text-anchor": middle ? "middle" : "start",
  }),
};

function shape(data) {
  const { kind, points, fill, stroke, width, dashes, opacity, words } = data;
  const element = document.createElementNS(SVG_NAMES, kind);
  const looks = { ...PLACED[kind](points, data), fill: COLOURS[fill] ?? fill, stroke: COLOURS[stroke] ?? stroke, opacity };
  if (stroke !== "none") looks["stroke-width"] = width;
  if (dashes.length) looks["stroke-dasharray"] = dashes.join(" ");
  for (const [name, value] of Object.entries(looks)) element.setAttribute(name, value);
  if (fill === "quiet" || stroke === "quiet") element.setAttribute("class", "quiet");
  if (words) element.textContent = words;
  return element;
}

function slideOf(data, index) {
  const top = make("div", "top", make("p", "kind", data.kind), make("p", "", say("of", { number: index + 1, count: run.slides.length })));
  const parts = make("div", "parts", ...(data.graph.length ? [drawing(data)] : []));
  const slide = make("section", data.graph.length ? "slide" : "slide words", top, make("h2", "sentence", data.sentence), parts, make("p", "foot", run.title));
  slide.tabIndex = -1;
  slide.setAttribute("aria-label", `${index + 1}: ${data.kind}`);
  if (data.card) parts.append(place("card-place").showBoxes([data.card]));
  return slide;
}

function isNarrow() {
  return innerWidth <= 640 && !root.classList.contains("printing");
}

// As large as it can be where it stands; on a narrow screen a slide is read as a page, and nothing has to fit.
function fit(slide) {
  const sentence = slide.querySelector(".sentence");
  sentence.style.fontSize = "";
  for (let size = isNarrow() ? 0 : parseFloat(getComputedStyle(sentence).fontSize) / parseFloat(getComputedStyle(root).fontSize); sentence.scrollHeight > sentence.clientHeight + 1 && size > 1; size -= 0.1) sentence.style.fontSize = `${size}rem`;
  const card = slide.querySelector(".card-place");
  const inside = card?.shadowRoot.querySelector(".rich");
  if (inside) inside.style.zoom = 1;
  if (!inside || isNarrow()) return;
  for (let zoom = LARGEST; zoom >= SMALLEST; zoom -= 0.05) {
    inside.style.zoom = zoom;
    if (inside.getBoundingClientRect().height <= card.clientHeight && inside.scrollWidth <= inside.clientWidth + 1) return;
  }
}

// -- the deck ---------------------------------------------------------------------------------------------------------

const slides = run.slides.map(slideOf);
const status = make("p", "hidden status");
status.setAttribute("role", "status");
const deck = make("main", "deck", make("h1", "hidden", run.title), status, ...slides);
const notes = make("aside", "notes");
notes.hidden = true;
notes.setAttribute("aria-label", say("notes"));
notes.tabIndex = 0;
const black = make("div", "black");
black.hidden = true;
let now = -1;

function goTo(index) {
  const next = Math.max(0, Math.min(slides.length - 1, index));
  if (next === now) return;
  slides[now]?.classList.remove("now");
  now = next;
  slides[now].classList.add("now");
  fit(slides[now]);
  status.textContent = `${say("of", { number: now + 1, count: slides.length })}. ${run.slides[now].sentence}`;
  const after = run.slides[now + 1];
  notes.replaceChildren(make("h2", "", say("notes")), make("p", "", run.slides[now].notes || say("no_notes")));
  if (after) notes.append(make("p", "after", say("after", { sentence: after.sentence })));
  history.replaceState(null, "", `#${now + 1}`);
}

function pressed(name, is) {
  document.getElementById(name).setAttribute("aria-pressed", String(is));
}

function switchNotes() {
  notes.hidden = !notes.hidden;
  root.classList.toggle("speaking", !notes.hidden);
  pressed("notes", !notes.hidden);
  fit(slides[now]);
}

function switchTheme() {
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

function switchFull() {
  if (document.fullscreenElement) document.exitFullscreen();
  else root.requestFullscreen?.().catch(() => {});
}

const on = () => goTo(now + 1);
const back = () => goTo(now - 1);
const KEYS = {
  ArrowRight: on, ArrowDown: on, PageDown: on, " ": on, Enter: on,
  ArrowLeft: back, ArrowUp: back, PageUp: back, Backspace: back,
  Home: () => goTo(0), End: () => goTo(slides.length - 1),
  n: switchNotes, t: switchTheme, f: switchFull, b: () => { black.hidden = !black.hidden; }, ".": () => { black.hidden = !black.hidden; },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const act = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
  const isPress = (event.key === " " || event.key === "Enter") && event.target.matches("button");
  const isScroll = /Arrow(Up|Down)/.test(event.key) && event.target === notes;
  if (!act || isPress || isScroll) return;
  event.preventDefault();
  act();
});
black.onclick = () => { black.hidden = true; };
deck.onclick = (event) => {
  if (!getSelection().toString() && event.clientX > innerWidth / 2) on();
  else if (!getSelection().toString()) back();
};

const SIGNS = {
  back: "M10.5 3.5 5 8l5.5 4.5",
  on: "M5.5 3.5 11 8l-5.5 4.5",
  notes: "M3 3.5h10M3 8h10M3 12.5h6",
  theme: "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
  full: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
};

function drawControls() {
  const acts = { back, on, notes: switchNotes, theme: switchTheme, full: switchFull };
  const buttons = Object.entries(acts).map(([name, act]) => {
    const made = button("", say(`key.${name}`), icon(SIGNS[name]), act);
    made.id = name;
    return made;
  });
  const controls = make("nav", "controls", ...buttons);
  controls.setAttribute("aria-label", say("controls"));
  return controls;
}

// A page is light and has a size of its own, whatever the window is like.
let themeBefore;
addEventListener("beforeprint", () => {
  themeBefore = root.dataset.theme;
  root.dataset.theme = "light";
  root.classList.add("printing");
  slides.forEach(fit);
});
addEventListener("afterprint", () => {
  if (themeBefore) root.dataset.theme = themeBefore;
  else delete root.dataset.theme;
  root.classList.remove("printing");
  fit(slides[now]);
});
addEventListener("resize", () => fit(slides[now]));
addEventListener("hashchange", () => goTo(Number(location.hash.slice(1)) - 1 || 0));

document.title = run.title;
document.body.append(deck, notes, drawControls(), black);
pressed("notes", false);
goTo(Number(location.hash.slice(1)) - 1 || 0);
