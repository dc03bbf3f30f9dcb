// What part of the graph is seen: it follows the graph until the reader takes it over; selecting never moves it.
const viewports = new Map();
const MARGIN = { side: 76, end: 50 };
const MOST_STRETCHED = 1.8;
const BRINK = 24;
const CLOSEST = 1.15;
const CLOSEST_ZOOM = 4;
const FARTHEST_ZOOM = 0.03;

const isCalm = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

function bounds(graph, placeOf = (node) => node) {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const node of graph.nodeById.values()) {
    const { x, y } = placeOf(node);
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
}

// Labels are as large as the page's own type: larger while it is presented.
const typeOf = ({ box }) => parseFloat(getComputedStyle(box).fontSize) / 16;

// What a card lies over is not in sight: nothing is brought there. At the margins there is room for a name.
function room(graph) {
  const { clientWidth: width } = graph.sight;
  const type = typeOf(graph);
  const side = Math.min(MARGIN.side * type, width / 7);
  return { width: Math.max(width - 2 * side, 80), height: Math.max(graph.box.clientHeight - 2 * MARGIN.end * type, 80) };
}

function place({ nodeById, ghosts, regions, stretch }) {
  for (const item of [...nodeById.values(), ...ghosts, ...regions]) {
    item.x = item.source.x * stretch.x;
    item.y = item.source.y * stretch.y;
  }
}

// The map takes the shape of its box, or half of a tall one would stay empty: its shorter side is stretched.
function stretch(graph) {
  const { left, right, top, bottom } = bounds(graph, (node) => node.source);
  const { width, height } = room(graph);
  const taller = right > left && bottom > top ? (height * (right - left)) / (width * (bottom - top)) : 1;
  const by = (factor) => Math.min(MOST_STRETCHED, Math.max(1, factor));
  setStretch(graph, { x: by(1 / taller), y: by(taller) });
}

function setStretch(graph, to) {
  if (Math.abs(to.x - graph.stretch.x) + Math.abs(to.y - graph.stretch.y) < 0.02) return;
  graph.stretch = to;
  place(graph);
  if (graph.isShown) graph.nodes.update([...graph.nodeById.values()].map(({ id, x, y }) => ({ id, x, y })));
}

function fitted(graph) {
  const { clientWidth, clientHeight } = graph.box;
  if (!graph.nodeById.size || !clientWidth || !clientHeight) return null;
  const { left, right, top, bottom } = bounds(graph);
  const { width, height } = room(graph);
  const scale = Math.min(CLOSEST, width / Math.max(right - left, 1), height / Math.max(bottom - top, 1));
  const covered = clientWidth - graph.sight.clientWidth;
  return { position: { x: (left + right + covered / scale) / 2, y: (top + bottom) / 2 }, scale };
}

// While a run goes on, the view follows and places stay; they are stretched when the graph opens or its box changes.
function fit(graph, isAnimated) {
  if (!isAnimated && graph.nodeById.size && graph.box.clientHeight) stretch(graph);
  const to = fitted(graph);
  if (!to) return;
  graph.pointer.leave();
  const animation = isAnimated && !isCalm() ? { duration: 300, easingFunction: "easeInOutQuad" } : false;
  graph.network.moveTo({ ...to, animation });
  resize(graph, to.scale);
}

function refit(graph) {
  graph.follows = true;
  fit(graph, false);
  remember(graph);
}

function isOutOfSight(graph) {
  const { clientWidth: width } = graph.sight;
  const { clientHeight: height } = graph.box;
  const { left, right, top, bottom } = bounds(graph);
  const first = graph.network.canvasToDOM({ x: left, y: top });
  const last = graph.network.canvasToDOM({ x: right, y: bottom });
  return first.x < BRINK || first.y < BRINK || last.x > width - BRINK || last.y > height - BRINK;
}

function takeOver(graph) {
  graph.follows = false;
  remember(graph);
}

function remember(graph) {
  if (!graph.key) return;
  const { follows, network, stretch } = graph;
  viewports.set(graph.key, { follows, stretch, scale: network.getScale(), position: network.getViewPosition() });
}

function restoreViewport(graph) {
  // The legend has just taken its room: vis-network would notice later, and zoom to keep as much in view as before.
  graph.network.setSize("100%", "100%");
  const viewport = viewports.get(graph.key);
  if (!viewport || viewport.follows) {
    fit(graph, false);
    return;
  }
  graph.follows = false;
  setStretch(graph, viewport.stretch);
  graph.network.moveTo({ position: viewport.position, scale: viewport.scale });
  resize(graph, viewport.scale);
}

function zoom(graph, factor) {
  const scale = Math.min(CLOSEST_ZOOM, Math.max(FARTHEST_ZOOM, graph.network.getScale() * factor));
  graph.pointer.leave();
  graph.network.moveTo({ scale });
  resize(graph, scale);
  takeOver(graph);
}

function pan(graph, right, down) {
  const { x, y } = graph.network.getViewPosition();
  const scale = graph.network.getScale();
  graph.pointer.leave();
  graph.network.moveTo({ position: { x: x + right / scale, y: y + down / scale }, scale });
  takeOver(graph);
}

// Nodes are drawn larger than to scale when the reader is far away. In steps, so that a turn of the wheel does not touch
// every node.
function zoomFactorAt(scale) {
  return Math.min(3.5, Math.max(1, Math.round((4 * 0.6) / scale) / 4));
}

function resize(graph, scale) {
  const factor = zoomFactorAt(scale);
  if (factor === graph.zoomFactor) return;
  graph.zoomFactor = factor;
  if (!graph.isShown) return;
  graph.nodes.update([...graph.nodeById.values()].map((node) => ({ id: node.id, size: drawnSize(node, factor) })));
  graph.edges.update([...graph.edgeById.values()].map((edge) => ({ id: edge.id, width: drawnWidth(edge, factor) })));
}

// -- by hand ----------------------------------------------------------------------------------------------------------

const PAN = 80;
const KEYS = {
  "+": (graph) => zoom(graph, 1.3),
  "=": (graph) => zoom(graph, 1.3),
  "-": (graph) => zoom(graph, 1 / 1.3),
  _: (graph) => zoom(graph, 1 / 1.3),
  0: (graph) => refit(graph),
  ArrowLeft: (graph) => pan(graph, -PAN, 0),
  ArrowRight: (graph) => pan(graph, PAN, 0),
  ArrowUp: (graph) => pan(graph, 0, -PAN),
  ArrowDown: (graph) => pan(graph, 0, PAN),
};

function steer(graph) {
  const { network, box, frame, sight } = graph;
  network.on("dragEnd", () => takeOver(graph));
  network.on("zoom", ({ scale }) => {
    resize(graph, scale);
    takeOver(graph);
  });
  // After vis-network's own answer to the new size, which comes later in the same turn.
  const fitAgain = () => setTimeout(() => {
    if (graph.follows && box.isConnected) fit(graph, false);
  });
  network.on("resize", () => graph.isShown && fitAgain()); // the first picture is fitted as it comes
  let covered = 0;
  new ResizeObserver(() => {
    const now = box.clientWidth - sight.clientWidth;
    if (now !== covered) fitAgain();
    covered = now;
  }).observe(sight);
  frame.querySelector(".fit").onclick = () => refit(graph);
  frame.querySelector(".zoom_in").onclick = () => zoom(graph, 1.3);
  frame.querySelector(".zoom_out").onclick = () => zoom(graph, 1 / 1.3);
  box.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
    // The canvas has the focus: the key is not for the page.
    event.preventDefault();
    event.stopPropagation();
    KEYS[event.key](graph);
  });

  // The wheel scrolls the page until the reader has clicked into the graph, or holds Ctrl.
  let isEntered = false;
  box.addEventListener("pointerdown", () => { isEntered = true; });
  box.addEventListener("pointerleave", () => { isEntered = false; });
  box.addEventListener("wheel", (event) => {
    if (!isEntered && !event.ctrlKey && !event.metaKey) event.stopPropagation();
  }, { capture: true });
}
