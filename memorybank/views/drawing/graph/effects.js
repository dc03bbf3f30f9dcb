// What happened between two pictures, acted out once over the canvas: nodes that became one glide into it, and a conflict
// just found pulses. A scene of a story is acted out more slowly. Nothing moves for readers who asked their system for
// calm, nor when much changed at once.
const MERGE_MS = 700;
const PULSE_MS = 1200;
const FOLD_MS = 1800;
const PULSES = { clash: ["conflict", 3], check: ["conflict", 1], source: ["conflict", 1], verdict: ["new", 2] };
const MOST_CHANGED = 24;

function actOut(graph, before, edgesBefore) {
  if (isCalm()) return;
  const appeared = [...graph.nodeById.values()].filter((node) => !before.has(node.id));
  const vanished = [...before.values()].filter((node) => !graph.nodeById.has(node.id));
  const start = performance.now();
  const effects = [...merges(appeared, vanished), ...pulses(graph, edgesBefore)];
  if (effects.length > MOST_CHANGED || !effects.length) return;
  graph.effects.push(...effects.map((effect) => ({ ...effect, start })));
  turn(graph);
}

// Each showing of a scene once: the nodes that clash pulse; nodes that become
// one move into it from where they were.
function actScene(graph, scene) {
  graph.ghosts = (scene.ghosts ?? []).map(copied);
  place(graph);
  graph.foldedInto = scene.into ?? null;
  if (isCalm()) return;
  const start = performance.now();
  const to = graph.nodeById.get(scene.into);
  const [tone, times] = PULSES[scene.kind] ?? ["", 0];
  const shown = scene.nodes.filter((id) => graph.nodeById.has(id));
  const effects = [
    ...(to ? graph.ghosts.map((from) => ({ kind: "merge", from, to, ms: FOLD_MS, start })) : []),
    ...(to ? [{ kind: "pulse", tone: "merged", id: to.id, ms: PULSE_MS, start: start + FOLD_MS * 0.8 }] : []),
    ...shown.flatMap((id) =>
      Array.from({ length: times }, (_, turn) => ({ kind: "pulse", tone, id, ms: PULSE_MS, start: start + turn * PULSE_MS })),
    ),
  ];
  if (effects.length > 4 * MOST_CHANGED) return;
  graph.effects = effects;
  if (effects.length) turn(graph);
}

// Of each source that was seen a moment ago, its way into the node that it went into.
function merges(appeared, vanished) {
  const lost = new Map(vanished.map((node) => [node.id, node]));
  return appeared.flatMap((to) =>
    (to.merged_from ?? []).filter((id) => lost.has(id)).map((id) => ({ kind: "merge", from: lost.get(id), to, ms: MERGE_MS })),
  );
}

function pulses(graph, edgesBefore) {
  const found = [...graph.edgeById.values()].filter(
    (edge) => edge.kind === "conflict" && edgesBefore.get(edge.id)?.kind !== "conflict",
  );
  const ends = new Set(found.flatMap((edge) => [edge.from, edge.to]));
  return [...ends].filter((id) => graph.nodeById.has(id)).map((id) => ({ kind: "pulse", id, ms: PULSE_MS }));
}

// One loop a graph, for as long as something moves.
function turn(graph) {
  if (graph.isTurning) return;
  graph.isTurning = true;
  const next = () => {
    const now = performance.now();
    graph.effects = graph.effects.filter((effect) => now - effect.start < effect.ms);
    if (!graph.box.isConnected) graph.effects = [];
    graph.isTurning = graph.effects.length > 0;
    if (graph.box.isConnected) graph.network.redraw();
    if (graph.isTurning) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
}

const eased = (share) => (share < 0.5 ? 2 * share * share : 1 - (2 - 2 * share) ** 2 / 2);

function drawEffects(context, graph) {
  drawGhosts(context, graph);
  const now = performance.now();
  for (const effect of graph.effects) {
    const share = Math.min(1, (now - effect.start) / effect.ms);
    if (share < 0) continue;
    context.save();
    if (effect.kind === "merge") drawGlide(context, graph, effect, share);
    else drawPulse(context, graph, effect, share);
    context.restore();
  }
}

function drawGlide(context, graph, { from, to }, share) {
  const along = eased(share);
  const paint = paintOf(from, graph.looks, graph.theme);
  const radius = drawnSize(from, graph.zoomFactor) * (1 - 0.3 * along);
  const x = from.x + (to.x - from.x) * along;
  const y = from.y + (to.y - from.y) * along;
  context.globalAlpha = 0.85 * (1 - along ** 4);
  context.lineWidth = 2 / graph.network.getScale();
  context.strokeStyle = paint.outline;
  context.fillStyle = paint.fill;
  context.beginPath();
  context.moveTo(from.x, from.y);
  context.lineTo(x, y);
  context.stroke();
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
}

// Where nodes were that a scene shows as one: dashed, each with its way to what it became. This stands still.
function drawGhosts(context, graph) {
  const to = graph.nodeById.get(graph.foldedInto);
  if (!to || !graph.ghosts.length) return;
  const pixel = 1 / graph.network.getScale();
  context.save();
  context.globalAlpha = 0.6;
  context.lineWidth = 1.5 * pixel;
  context.strokeStyle = graph.looks.groups.merged.fill;
  context.setLineDash([4 * pixel, 4 * pixel]);
  for (const ghost of graph.ghosts) {
    context.beginPath();
    context.moveTo(ghost.x, ghost.y);
    context.lineTo(to.x, to.y);
    context.stroke();
    context.beginPath();
    context.arc(ghost.x, ghost.y, drawnSize(ghost, graph.zoomFactor), 0, 2 * Math.PI);
    context.stroke();
  }
  context.restore();
}

function drawPulse(context, graph, { id, tone = "conflict" }, share) {
  const node = graph.nodeById.get(id);
  if (!node) return;
  const pixel = 1 / graph.network.getScale();
  // Two rings, one after the other.
  for (const begin of [0, 0.35]) {
    const along = (share - begin) / 0.65;
    if (along <= 0 || along >= 1) continue;
    context.globalAlpha = 0.8 * (1 - along);
    context.lineWidth = 3 * pixel;
    context.strokeStyle = graph.looks.groups[tone].fill;
    context.beginPath();
    context.arc(node.x, node.y, drawnSize(node, graph.zoomFactor) + 34 * pixel * eased(along), 0, 2 * Math.PI);
    context.stroke();
  }
}
