// The page: header, player, graph and panels, the keyboard, light and dark, large type.
const root = document.documentElement;

// -- the graph --------------------------------------------------------------------------------------------------------

const graphPlace = make("div", "graph-place");
const table = globalThis.__memorybank_graph.table();
table.take(run.graph.table);
let graph = null;
let pictureShown = null;

// The picture of moment k. A leap over more than one stage is not acted out.
function showGraph(k) {
  if (!graph) {
    graph = globalThis.__memorybank_graph.open(graphPlace);
    graph.onSelect((node, edge) => {
      if (node) selectNode(node);
      else if (edge) openEdge(edge);
    });
  }
  const number = valueAt(run.tracks.graph, k);
  const live = chosen.node === null ? null : successor(chosen.node, k);
  const calm = Math.abs(number - (pictureShown ?? number)) > 1;
  pictureShown = number;
  graph.show({ ...table.picture(run.graph.frames[number]), selected: live, selected_edge: null, calm });
}

// An edge in conflict leads to its conflict.
function openEdge(id) {
  const number = valueAt(run.tracks.graph, player.at);
  const edge = table.picture(run.graph.frames[number]).edges.find((one) => one.id === id);
  if (edge?.conflicts?.length) follow(`conflict:${edge.conflicts[0]}`);
}

// -- switches ---------------------------------------------------------------------------------------------------------

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function switchTheme() {
  root.dataset.theme = isDark() ? "light" : "dark";
  showGraph(player.at);
}

function switchSize() {
  const isLarge = root.classList.toggle("large");
  document.getElementById("size").setAttribute("aria-pressed", String(isLarge));
  showGraph(player.at);
}

// -- the keyboard -----------------------------------------------------------------------------------------------------

const KEYS = [
  [" ", "key.play", () => (isPlaying() ? pause() : play())],
  ["ArrowRight", "key.on", () => goTo(player.at + 1)],
  ["ArrowLeft", "key.back", () => goTo(player.at - 1)],
  ["Shift+ArrowRight", "key.stage_on", () => goTo(after(run.stops, player.at))],
  ["Shift+ArrowLeft", "key.stage_back", () => goTo(before(run.stops, player.at))],
  ["Home", "key.first", () => goTo(run.first)],
  ["End", "key.last", () => goTo(run.last)],
  ["c", "key.conflict", () => nextOf("conflict")],
  ["m", "key.merge", () => nextOf("merge")],
  ["+", "key.faster", () => setSpeed(1)],
  ["-", "key.slower", () => setSpeed(-1)],
  ...Object.keys(PANELS).map((name, at) => [String(at + 1), `tab.${name}`, () => openTab(name)]),
  ["t", "theme", switchTheme],
  ["l", "large", switchSize],
  ["?", "keys", () => document.getElementById("keys").showModal()],
];
const KEY_NAMES = { " ": "key_name.space", ArrowRight: "→", ArrowLeft: "←" };

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("keys").open) return;
    const field = event.composedPath()[0];
    if (field.matches?.("select, textarea, input:not([type=range])")) return;
    if (event.key === " " && field.matches?.("button, [role=button], [role=tab]")) return;
    if (event.key.startsWith("Arrow") && field.matches?.("[role=tabpanel]") && !event.key.match(/Left|Right/)) return;
    const name = event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key;
    const found = KEYS.find(([key]) => key === name || key === name.toLowerCase());
    if (!found) return;
    event.preventDefault();
    if (isPlaying() && found[1] !== "key.play" && /Arrow|Home|End|^[cm]$/.test(found[0])) pause();
    found[2]();
  });
}

function keyName(key) {
  return key.split(/\+(?=.)/).map((part) => (KEY_NAMES[part]?.includes(".") ? say(KEY_NAMES[part]) : (KEY_NAMES[part] ?? part)));
}

function drawKeys() {
  const dialog = make("dialog", "keys", make("h2", "", say("keys")));
  dialog.id = "keys";
  const list = make("dl");
  for (const [key, words] of KEYS) {
    list.append(make("dt", "", ...keyName(key).map((part) => make("kbd", "", part))), make("dd", "", say(words)));
  }
  const close = button("wide", say("close"), null, () => dialog.close());
  dialog.append(list, close);
  return dialog;
}

// -- the page ---------------------------------------------------------------------------------------------------------

const SIGNS = {
  theme: "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
  large: "M2 13 6 3l4 10M3.5 9.5h5M11 13l2-5 2 5M11.7 11.4h2.6",
  print: "M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z",
  keys: "M6 6.2a2 2 0 1 1 3 1.7c-.7.4-1 .8-1 1.6M8 12.2v.1",
};

function drawHeader() {
  const size = button("", say("large"), icon(SIGNS.large), switchSize);
  size.id = "size";
  size.setAttribute("aria-pressed", "false");
  const switches = make(
    "div",
    "buttons",
    size,
    button("", say("theme"), icon(SIGNS.theme), switchTheme),
    button("", say("print"), icon(SIGNS.print), () => print()),
    button("", say("keys"), icon(SIGNS.keys), () => document.getElementById("keys").showModal()),
  );
  const title = make("div", "title", make("p", "label", say("app")), make("h1", "", run.title), place().show([run.made_by]));
  return make("header", "", title, switches);
}

function drawNow() {
  const state = place();
  const line = place("now-line");
  line.setAttribute("aria-live", "polite");
  onMoment((k) => {
    state.show(numberOr(valueAt(run.tracks.state, k)));
    const head = headline(k);
    const more = linesAt(k).length - 1;
    const inside = head ? [textOf(head.words)] : [say("begin")];
    if (head && more > 0) inside.push(["span", "muted small", [` ${say("more", { count: more })}`]]);
    const choose = head?.node ? [{ choose: `node:${head.node}` }] : [];
    line.showBoxes([["p", `now-words ${head?.tone ?? ""}`, inside, ...choose]]);
  });
  const now = make("section", "now", drawPlayer(), line, make("div", "stages", state));
  now.setAttribute("aria-label", say("slider"));
  return now;
}

document.title = run.title;
const main = make("main", "columns", make("section", "map", make("h2", "hidden", say("graph")), graphPlace), drawTabs());
document.body.append(drawHeader(), drawNow(), main, drawKeys());
listenToKeys();
onMoment(showGraph);
openTab("doc");
goTo(player.at);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => showGraph(player.at));
