// The page: header, player, graph and panels, the keyboard, light and dark.
const root = document.documentElement;

// -- the graph --------------------------------------------------------------------------------------------------------

const graphPlace = make("div", "graph-place");
let graph = null;
let shownAt = null;

// The picture of moment k. A leap over more than one stage is not acted out.
function showGraph(k) {
  const { open, pictureOf } = globalThis.__memorybank_graph;
  if (!graph) {
    graph = open(graphPlace);
    graph.onSelect((node, edge) => {
      if (node) selectNode(node);
      else if (edge) openEdge(edge);
    });
  }
  const calm = run.stops.filter((stop) => stop > Math.min(k, shownAt ?? k) && stop <= Math.max(k, shownAt ?? k)).length > 1;
  shownAt = k;
  const parts = { nodes: valuesAt(run.graph.nodes, k), edges: valuesAt(run.graph.edges, k), frame: valuesAt(run.graph.frame, k) };
  graph.show(pictureOf(parts, { selected: chosen.node === null ? null : successor(chosen.node, k), calm }));
}

// An edge in conflict leads to its conflict.
function openEdge(id) {
  const edge = valueAt(run.graph.edges[id], player.at);
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

// -- the keyboard -----------------------------------------------------------------------------------------------------

const KEYS = {
  " ": () => (isPlaying() ? pause() : play()),
  ArrowRight: () => goTo(player.at + 1),
  ArrowLeft: () => goTo(player.at - 1),
  "Shift+ArrowRight": () => goTo(after(run.stops, player.at)),
  "Shift+ArrowLeft": () => goTo(before(run.stops, player.at)),
  Home: () => goTo(run.first),
  End: () => goTo(run.last),
};

function listenToKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const field = event.composedPath()[0];
    if (field.matches?.("select, textarea, input:not([type=range])")) return;
    if (event.key === " " && field.matches?.("button, [role=button], [role=tab]")) return;
    const act = KEYS[event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : event.key];
    if (!act) return;
    event.preventDefault();
    if (isPlaying() && event.key !== " ") pause();
    act();
  });
}

// -- the page ---------------------------------------------------------------------------------------------------------

const SIGNS = {
  theme: "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
  print: "M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z",
};

function drawHeader() {
  const switches = make(
    "div",
    "buttons",
    button("", say("theme"), icon(SIGNS.theme), switchTheme),
    button("", say("print"), icon(SIGNS.print), () => print()),
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
document.body.append(drawHeader(), drawNow(), main);
listenToKeys();
onMoment(showGraph);
openTab("doc");
goTo(player.at);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => showGraph(player.at));
