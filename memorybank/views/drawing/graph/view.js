// The Query Graph on a canvas. One vis-network an open graph; each picture only updates its data, so that places, zoom
// and selection stay. Nothing here makes HTML out of data.

function openGraph(container, { key = "" } = {}) {
  const frame = buildFrame(container);
  const box = frame.querySelector(".canvas");
  const nodes = new vis.DataSet();
  const edges = new vis.DataSet();
  const network = new vis.Network(box, { nodes, edges }, {});
  const widths = new Map();
  const graph = {
    key, frame, box, sight: frame.querySelector(".empty"), nodes, edges, network, widths,
    nodeById: new Map(), edgeById: new Map(), order: [], effects: [], ghosts: [], stretch: { x: 1, y: 1 }, foldedInto: null, shownScene: null,
    theme: null, looks: null, regions: [], dim: 1, zoomFactor: 1, isShown: false, follows: true,
    selected: null, given: null, hovered: null, ended: new AbortController(),
    emit: () => {},
    measure(context, text, scale) {
      const name = `${context.font.slice(0, 3)}|${text}`;
      if (!widths.has(name)) widths.set(name, context.measureText(text).width * scale);
      return widths.get(name) / scale;
    },
  };
  box.firstElementChild.removeAttribute("tabindex"); // the box has the focus, not vis-network's own frame in it
  box.network = network;
  steer(graph);
  listen(graph);
  graph.pointer = watchPointer(graph);
  return {
    show: (picture) => show(graph, picture),
    onSelect(act) { graph.emit = act; },
    select: (node) => select(graph, node),
    fit: () => refit(graph),
    destroy: () => {
      graph.effects = [];
      graph.pointer.leave();
      graph.ended.abort();
      network.destroy();
      frame.remove();
    },
  };
}

function listen(graph) {
  const { network } = graph;
  network.on("afterDrawing", (context) => {
    if (!graph.theme) return; // nothing has been shown yet
    drawEffects(context, graph);
    drawLabels(context, graph);
  });
  network.on("click", ({ nodes, edges }) => {
    const edge = nodes.length ? null : (edges[0] ?? null); // it leads to its newer end, whose card tells of it
    const node = nodes[0] ?? graph.edgeById.get(edge)?.to ?? null;
    const isNews = node !== graph.selected;
    select(graph, node);
    if (isNews || edge !== null) graph.emit(node, edge);
  });
  network.on("doubleClick", ({ nodes }) => {
    if (!nodes.length) refit(graph);
  });
  network.on("hoverNode", ({ node }) => {
    graph.hovered = node;
    network.redraw();
  });
  network.on("blurNode", () => {
    graph.hovered = null;
    network.redraw();
  });
}

// -- a picture --------------------------------------------------------------------------------------------------------

// `calm`: nothing is acted out, e.g. when the reader leaps to another moment. `selected` is a node's id.
function show(graph, picture) {
  const { renderer, body } = graph.network;
  // vis-network draws after each change of its data, at once: one drawing of all changes, in the next frame, is enough.
  renderer.allowRedraw = false;
  take(graph, picture);
  renderer.allowRedraw = true;
  body.emitter.emit("setSize");
  body.emitter.emit("_requestRedraw");
}

function take(graph, picture) {
  const { network } = graph;
  const theme = readTheme(graph.box);
  const { dim = 1, options, looks, regions = [] } = picture;
  const isRestyled = JSON.stringify([theme, dim, looks]) !== JSON.stringify([graph.theme, graph.dim, graph.looks]);
  Object.assign(graph, { theme, dim, looks, regions: regions.map(copied) });
  if (isRestyled) {
    const plain = plainOptions(graph);
    network.setOptions({ ...options, nodes: { ...options.nodes, ...plain.nodes }, edges: { ...options.edges, ...plain.edges } });
    graph.widths.clear();
  }

  const before = graph.nodeById;
  const edgesBefore = graph.edgeById;
  graph.nodeById = byId(picture.nodes, before);
  graph.edgeById = byId(picture.edges, edgesBefore);
  place(graph);
  sayWords(graph.frame, picture);
  drawLegend(graph.frame.querySelector(".legend"), picture.legend, theme);
  const isFirst = !graph.isShown && graph.nodeById.size > 0;
  if (isFirst) restoreViewport(graph); // before there are nodes: they come where, and as large as, they stay
  // Edges after nodes, and gone before new: an edge never stands without its ends.
  graph.edges.remove(gone(edgesBefore, graph.edgeById));
  graph.nodes.remove(gone(before, graph.nodeById));
  graph.nodes.update(changed(before, graph.nodeById, isRestyled).map((node) => visNode(node, graph, !before.has(node.id))));
  graph.edges.update(
    changed(edgesBefore, graph.edgeById, isRestyled).map((edge) => visEdge(edge, graph, !edgesBefore.has(edge.id))),
  );
  graph.order = labelOrder(graph.nodeById.values(), graph.edgeById.values());

  const isLeap = picture.calm || countChanged(before, graph.nodeById) > MOST_CHANGED;
  if (!isFirst && graph.follows && graph.nodeById.size && isOutOfSight(graph)) fit(graph, !isLeap);
  takeSelection(graph, picture);
  const { scene = null } = picture;
  if (scene && scene.turn !== graph.shownScene) actScene(graph, scene);
  else if (!scene) graph.ghosts = [];
  if (!scene && graph.isShown && !isLeap) actOut(graph, before, edgesBefore);
  graph.shownScene = scene && scene.turn;
  graph.isShown ||= isFirst;
  graph.pointer.again((id) => before.get(id) ?? edgesBefore.get(id));
}

// Where an item stands is our own; what it is from (`source`) is another's.
const copied = (source) => ({ ...source, source });

// An item that says the same as before is the same object as before, and is not drawn anew.
function byId(items, known) {
  const found = new Map();
  for (const item of items) {
    const before = known.get(item.id);
    const isSame = before && (before.source === item || JSON.stringify(before.source) === JSON.stringify(item));
    found.set(item.id, isSame ? before : copied(item));
  }
  return found;
}

function countChanged(before, now) {
  const stayed = [...before.keys()].filter((id) => now.has(id)).length;
  return before.size + now.size - 2 * stayed;
}

const gone = (before, now) => [...before.keys()].filter((id) => !now.has(id));

function changed(before, now, isAll) {
  return [...now.values()].filter((item) => isAll || before.get(item.id) !== item);
}

// What the picture says of the selection counts when it is news; else a picture that was on its way before the reader's
// click would take that back.
function takeSelection(graph, { selected = null }) {
  const isNews = selected !== graph.given;
  graph.given = selected;
  select(graph, isNews ? selected : graph.selected);
}

function select(graph, node) {
  const had = graph.selected;
  graph.selected = graph.nodeById.has(node) ? node : null;
  if (had === null && graph.selected === null) return; // spares a large graph a drawing
  if (graph.selected !== null) graph.network.selectNodes([graph.selected], true);
  else graph.network.unselectAll();
  graph.network.redraw();
}
