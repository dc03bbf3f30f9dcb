// The page at work: the graph goes from moment to moment, and leads open what they name. What comes from the run is data or
// stands on the page as text; nothing here makes markup of it.
const run = JSON.parse(document.getElementById("run").textContent);
const root = document.documentElement;
const say = (key, values = {}) => run.words[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

function make(name, look = "", ...children) {
  const element = document.createElement(name);
  if (look) element.className = look;
  element.append(...children);
  return element;
}

const SVG_NAMES = "http://www.w3.org/2000/svg";

function drawing(name, attributes, ...children) {
  const element = document.createElementNS(SVG_NAMES, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

function button(look, words, path, act) {
  const made = make("button", look);
  made.name_it = (name, line) => {
    made.title = name;
    made.setAttribute("aria-label", name);
    made.replaceChildren(drawing("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, drawing("path", { d: line })));
  };
  made.name_it(words, path);
  made.type = "button";
  made.onclick = act;
  return made;
}

// -- the graph and its moments ----------------------------------------------------------------------------------------

const { open, pictureOf, nothing, change } = globalThis.__memorybank_graph;
const graph = open(document.querySelector(".graph-place"));
const state = { at: run.at, shown: null, picture: nothing(), node: null, timer: 0 };
const last = run.moments.length - 1;

// Where a node is at the end: merges are followed.
function successor(id) {
  let live = id;
  while (run.gone[live]) live = run.gone[live];
  return live;
}

// A leap over more than one stage is not acted out.
function showGraph() {
  const calm = state.shown !== null && Math.abs(state.at - state.shown) > 1;
  if (state.shown === null || state.at < state.shown) Object.assign(state, { picture: nothing(), shown: -1 });
  for (const { changes } of run.moments.slice(state.shown + 1, state.at + 1)) change(state.picture, changes);
  state.shown = state.at;
  graph.show(pictureOf(state.picture, { selected: state.node, calm }));
}

graph.onSelect((node, edge) => {
  const [conflict] = state.picture.edges.get(edge)?.conflicts ?? [];
  if (conflict) follow(`conflict:${conflict}`);
  else if (node) follow(`node:${node}`);
});

const SIGNS = {
  play: "M5 3l8 5-8 5z",
  pause: "M5 3v10M11 3v10",
  back: "M10.5 3.5 5 8l5.5 4.5",
  on: "M5.5 3.5 11 8l-5.5 4.5",
  theme: "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
  print: "M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z",
};
const MARKED = ["conflict", "verdict", "merge", "answer", "failure"];
const PACE = 1300; // milliseconds that a stage stays; one that is marked stays longer

const playing = button("play", say("play"), SIGNS.play, () => (state.timer ? pause() : play()));
const slider = make("input");
Object.assign(slider, { type: "range", min: 0, max: last, oninput: () => { pause(); goTo(Number(slider.value)); } });
slider.setAttribute("aria-label", say("slider"));
const count = make("output", "count");
const line = make("p", "now-words");
line.setAttribute("aria-live", "polite");

function goTo(at) {
  state.at = Math.max(0, Math.min(last, at));
  const { tone, head, words } = run.moments[state.at];
  slider.value = state.at;
  count.textContent = say("at", { k: state.at, last });
  slider.setAttribute("aria-valuetext", count.textContent);
  line.className = `now-words ${tone}`;
  line.replaceChildren(make("span", "label", head), ` ${words}`);
  showGraph();
}

function play() {
  if (state.at >= last) goTo(0);
  playing.name_it(say("pause"), SIGNS.pause);
  const beat = () => {
    goTo(state.at + 1);
    if (state.at >= last) pause();
    else wait();
  };
  const wait = () => {
    state.timer = setTimeout(beat, PACE * (MARKED.includes(run.moments[state.at].tone) ? 2.2 : 1));
  };
  wait();
}

function pause() {
  clearTimeout(state.timer);
  state.timer = 0;
  playing.name_it(say("play"), SIGNS.play);
}

// What happened where, above the slider: conflicts, verdicts, merges, answers in their colours.
const marks = drawing("svg", { class: "marks", viewBox: `0 0 ${Math.max(last, 1)} 1`, preserveAspectRatio: "none", "aria-hidden": "true" });
for (const [at, { tone }] of run.moments.entries()) {
  if (MARKED.includes(tone)) marks.append(drawing("line", { x1: at, x2: at, y1: 0, y2: 1, class: tone }));
}

const KEYS = {
  " ": () => playing.click(),
  ArrowRight: () => goTo(state.at + 1),
  ArrowLeft: () => goTo(state.at - 1),
  Home: () => goTo(0),
  End: () => goTo(last),
};
document.addEventListener("keydown", (event) => {
  const lead = event.target.closest?.("[data-choose]");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (lead && (event.key === "Enter" || event.key === " ")) follow(lead.dataset.choose);
  else if (!KEYS[event.key] || (event.key === " " && event.target.matches("button, summary"))) return;
  else {
    if (event.key !== " ") pause();
    KEYS[event.key]();
  }
  event.preventDefault();
});

// -- what is beside it ------------------------------------------------------------------------------------------------

// Where a link leads: every kind that is here has an element of that name.
function follow(what) {
  const [kind, id] = what.split(/:(.*)/s);
  if (kind === "moment") {
    pause();
    const at = run.moments.findIndex(({ seq }) => seq >= Number(id));
    goTo(at < 0 ? last : at);
    return;
  }
  const [, name, start, end] = id.match(/^([^@]+)(?:@(\d{1,12})-(\d{1,12}))?$/) ?? [null, id];
  const isNode = kind === "node" || kind === "tree";
  const target = document.getElementById(isNode ? `node-${successor(name)}` : `${kind}-${name}`);
  if (!target) return;
  for (let around = target; around; around = around.parentElement) if (around.localName === "details") around.open = true;
  if (isNode) state.node = successor(name);
  if (kind === "entry") mark(target.querySelector(".case-body > .raw"), Number(start ?? 0), Number(end ?? 0));
  showGraph();
  (target.querySelector(".raw mark") ?? target).scrollIntoView({ block: kind === "entry" ? "center" : "start" });
}

// Marks the stretch that a link points at. A link counts characters, not the units of JavaScript, and counts those that were
// left out of the shown text too (`dropped`: where they stood).
function mark(raw, start, end) {
  const shown = Array.from(raw.textContent);
  const dropped = (raw.dataset.dropped ?? "").split(" ").filter(Boolean).map(Number);
  const [first, after] = [start, end].map((at) => at - dropped.filter((place) => place < at).length);
  const part = (from, to) => shown.slice(from, to).join("");
  const isThere = first < after && after <= shown.length;
  raw.replaceChildren(...(isThere ? [part(0, first), make("mark", "", part(first, after)), part(after)] : [part(0)]));
}

document.addEventListener("click", (event) => {
  const lead = event.target.closest("[data-choose]");
  if (lead) follow(lead.dataset.choose);
});

// -- the page ---------------------------------------------------------------------------------------------------------

function switchTheme() {
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  showGraph();
}

const back = button("", say("back"), SIGNS.back, () => goTo(state.at - 1));
const on = button("", say("on"), SIGNS.on, () => goTo(state.at + 1));
const player = make("div", "player", make("div", "buttons", back, playing, on), make("div", "line", marks, slider), count);
const theme = button("", say("theme"), SIGNS.theme, switchTheme);
const switches = make("div", "buttons", theme);
if (document.querySelector(".slide")) switches.append(button("", say("print"), SIGNS.print, () => print()));
document.querySelector("header").append(switches);
document.querySelector("main").before(make("section", "now", player, make("div", "rich", line)));
document.title = document.querySelector("h1").textContent;
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showGraph);
goTo(state.at);
