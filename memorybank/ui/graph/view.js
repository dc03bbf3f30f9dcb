// The Query Graph on a canvas. One vis-network a mounted component; each rerun only updates its data, so that places,
// zoom and selection stay. Nothing here makes HTML out of data.
const graphs = new WeakMap();
const viewports = (globalThis.__memorybank_viewports ??= new Map());
const MARGIN = { side: 90, top: 34, bottom: 56 };
const CLOSEST = 1.15;

function whenBaseIsThere(data, act) {
  const base = globalThis.__memorybank_bases?.get(data.key);
  if (base?.version === data.version) act(base);
  else globalThis.addEventListener("memorybank-base", () => whenBaseIsThere(data, act), { once: true });
}

function patched(items, changed, gone) {
  const found = new Map(items.map((item) => [item.id, item]));
  for (const item of changed) found.set(item.id, item);
  for (const id of gone) found.delete(id);
  return found;
}

// -- the viewport: it follows the graph until the reader takes it over; selecting never moves it ----------------------

function bounds(graph) {
  const box = { left: Infinity, right: -Infinity, top: Infinity, bottom: -Infinity };
  for (const node of graph.nodeById.values()) {
    box.left = Math.min(box.left, node.x);
    box.right = Math.max(box.right, node.x);
    box.top = Math.min(box.top, node.y);
    box.bottom = Math.max(box.bottom, node.y);
  }
  return box;
}

function fit(graph, animate) {
  const { clientWidth: width, clientHeight: height } = graph.box;
  if (!graph.nodeById.size || !width || !height) return;
  const { left, right, top, bottom } = bounds(graph);
  const side = Math.min(MARGIN.side, width / 7);
  const scale = Math.min(
    CLOSEST,
    Math.max(width - 2 * side, 80) / Math.max(right - left, 1),
    Math.max(height - MARGIN.top - MARGIN.bottom, 80) / Math.max(bottom - top, 1),
  );
  const calm = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
  graph.network.moveTo({
    position: { x: (left + right) / 2, y: (top + bottom) / 2 + (MARGIN.bottom - MARGIN.top) / 2 / scale },
    scale,
    animation: animate && !calm ? { duration: 300, easingFunction: "easeInOutQuad" } : false,
  });
  resize(graph, scale);
}

function isOutOfSight(graph) {
  const { clientWidth: width, clientHeight: height } = graph.box;
  const { left, right, top, bottom } = bounds(graph);
  const first = graph.network.canvasToDOM({ x: left, y: top });
  const last = graph.network.canvasToDOM({ x: right, y: bottom });
  return first.x < 0 || first.y < 0 || last.x > width || last.y > height;
}

function takeOver(graph) {
  graph.follows = false;
  remember(graph);
}

function remember(graph) {
  viewports.set(graph.key, {
    follows: graph.follows,
    scale: graph.network.getScale(),
    position: graph.network.getViewPosition(),
  });
}

function zoom(graph, factor) {
  const scale = Math.min(4, Math.max(0.05, graph.network.getScale() * factor));
  graph.network.moveTo({ scale });
  resize(graph, scale);
  takeOver(graph);
}

// In steps, so that a turn of the wheel does not touch every node.
function resize(graph, scale) {
  const factor = Math.min(3.5, Math.max(1, Math.round((4 * 0.6) / scale) / 4));
  if (factor === graph.zoomFactor) return;
  graph.zoomFactor = factor;
  graph.nodes.update([...graph.nodeById.values()].map((node) => ({ id: node.id, size: drawnSize(node, factor) })));
  graph.edges.update([...graph.edgeById.values()].map((edge) => ({ id: edge.id, width: visEdge(edge, graph.theme, factor).width })));
}

// -- data ------------------------------------------------------------------------------------------------------------

function sync(set, items, sent, form, isRestyled) {
  const updates = [];
  for (const item of items.values()) {
    if (isRestyled || sent.get(item.id) !== item) updates.push(form(item));
  }
  set.remove([...sent.keys()].filter((id) => !items.has(id)));
  set.update(updates);
  return new Map(items);
}

function reconcile(items, known) {
  // An item that says the same as before is the same, so that it is not drawn anew.
  for (const [id, item] of items) {
    const before = known.get(id);
    if (before && before !== item && JSON.stringify(before) === JSON.stringify(item)) items.set(id, before);
  }
  return items;
}

function show(graph, data, base) {
  const theme = readTheme(graph.box);
  const isRestyled = JSON.stringify(theme) !== JSON.stringify(graph.theme);
  graph.theme = theme;
  const nodeById = reconcile(patched(base.nodes, data.nodes, data.gone_nodes), graph.nodeById);
  const edgeById = reconcile(patched(base.edges, data.edges, data.gone_edges), graph.edgeById);
  const node = (item) => visNode(item, base.options.groups, theme, graph.zoomFactor, base.new_outline);
  // Edges after nodes, and gone before new: an edge never stands without its ends.
  graph.edges.remove([...graph.edgeById.keys()].filter((id) => !edgeById.has(id)));
  graph.nodeById = sync(graph.nodes, nodeById, graph.nodeById, node, isRestyled);
  graph.edgeById = sync(graph.edges, edgeById, graph.edgeById, (item) => visEdge(item, theme, graph.zoomFactor), isRestyled);
  graph.order = labelOrder(nodeById.values(), edgeById.values());
  if (isRestyled) graph.widths.clear();

  graph.box.setAttribute("aria-label", data.words.description);
  graph.frame.querySelector(".empty").textContent = nodeById.size ? "" : data.words.empty;
  graph.frame.querySelector(".notice").textContent = data.words.notice;
  for (const name of ["fit", "zoom_in", "zoom_out"]) {
    const button = graph.frame.querySelector(`.${name}`);
    button.title = data.words[name];
    button.setAttribute("aria-label", data.words[name]);
  }
  drawLegend(graph.frame.querySelector(".legend"), data.legend, theme);
  // Python's word counts when it is a new one; a run that began before the reader's click must not take it back.
  const isNews = data.selected !== graph.given.node || data.selected_edge !== graph.given.edge;
  graph.given = { node: data.selected, edge: data.selected_edge };
  if (isNews) select(graph, data.selected, data.selected_edge);
  else select(graph, graph.selected, graph.selectedEdge);
}

function select(graph, node, edge) {
  graph.selected = graph.nodeById.has(node) ? node : null;
  graph.selectedEdge = graph.selected === null && graph.edgeById.has(edge) ? edge : null;
  if (graph.selected !== null) graph.network.selectNodes([graph.selected], true);
  else if (graph.selectedEdge !== null) graph.network.setSelection({ nodes: [], edges: [graph.selectedEdge] });
  else graph.network.unselectAll();
  graph.network.redraw();
}

// -- life ------------------------------------------------------------------------------------------------------------

function create(root, frame, base) {
  buildFrame(root, frame);
  const box = frame.querySelector(".canvas");
  const nodes = new vis.DataSet();
  const edges = new vis.DataSet();
  const network = new vis.Network(box, { nodes, edges }, { ...base.options, groups: {} });
  const widths = new Map();
  const graph = {
    key: base.key, frame, box, nodes, edges, network, widths,
    nodeById: new Map(), edgeById: new Map(), order: [], theme: null, zoomFactor: 1,
    selected: null, selectedEdge: null, given: { node: null, edge: null }, hovered: null, follows: true, emit: () => {},
    measure(context, text, scale) {
      const name = `${context.font.slice(0, 3)}|${text}`;
      if (!widths.has(name)) widths.set(name, context.measureText(text).width * scale);
      return widths.get(name) / scale;
    },
  };
  box.firstElementChild.removeAttribute("tabindex"); // the picture has no keys of its own; the buttons and lists do
  box.network = network;
  listen(graph);
  return graph;
}

function listen(graph) {
  const { network, box, frame } = graph;
  network.on("afterDrawing", (context) => drawLabels(context, { ...graph, edges: [...graph.edgeById.values()] }));
  network.on("click", ({ nodes, edges }) => {
    const node = nodes[0] ?? null;
    const edge = node === null ? (edges[0] ?? null) : null;
    if (node === graph.selected && edge === graph.selectedEdge) return;
    select(graph, node, edge);
    graph.emit(node, edge);
  });
  network.on("doubleClick", ({ nodes }) => {
    if (!nodes.length) refit(graph);
  });
  network.on("hoverNode", ({ node }) => { graph.hovered = node; network.redraw(); });
  network.on("blurNode", () => { graph.hovered = null; network.redraw(); });
  network.on("dragEnd", () => takeOver(graph));
  network.on("zoom", ({ scale }) => { resize(graph, scale); takeOver(graph); });
  // After vis-network's own answer to the new size, which comes later in the same turn.
  network.on("resize", () => setTimeout(() => { if (graph.follows && box.isConnected) fit(graph, false); }));
  frame.querySelector(".fit").onclick = () => refit(graph);
  frame.querySelector(".zoom_in").onclick = () => zoom(graph, 1.3);
  frame.querySelector(".zoom_out").onclick = () => zoom(graph, 1 / 1.3);

  // The wheel scrolls the page until the reader has clicked into the graph, or holds Ctrl.
  let isEntered = false;
  box.addEventListener("pointerdown", () => { isEntered = true; });
  box.addEventListener("pointerleave", () => { isEntered = false; });
  box.addEventListener("wheel", (event) => {
    if (!isEntered && !event.ctrlKey && !event.metaKey) event.stopPropagation();
  }, { capture: true });
}

function refit(graph) {
  graph.follows = true;
  fit(graph, true);
  remember(graph);
}

function restoreViewport(graph) {
  const viewport = viewports.get(graph.key);
  if (!viewport || viewport.follows) {
    fit(graph, false);
    return;
  }
  graph.follows = false;
  graph.network.moveTo({ position: viewport.position, scale: viewport.scale });
  resize(graph, viewport.scale);
}

function mount({ data, parentElement, setStateValue }) {
  const frame = parentElement.querySelector(".frame");
  frame.pending = data;
  frame.style.height = `${data.height}px`;
  whenBaseIsThere(data, (base) => {
    if (frame.pending !== data || !frame.isConnected) return; // a later run has taken over, or the page is gone
    const isFirst = !graphs.has(frame);
    if (isFirst) graphs.set(frame, create(parentElement, frame, base));
    const graph = graphs.get(frame);
    // Each click is a new value, so that Python hears it also when it had selected something else meanwhile.
    graph.emit = (node, edge) => setStateValue("clicked", { node, edge, at: Date.now() });
    show(graph, data, base);
    if (isFirst) restoreViewport(graph);
    else if (graph.follows && graph.nodeById.size && isOutOfSight(graph)) fit(graph, true);
  });
  return () => {
    frame.pending = null;
    graphs.get(frame)?.network.destroy();
    graphs.delete(frame);
  };
}
