// Labels are drawn here and not by vis-network: at every zoom in the same readable size, the important ones first, and
// none over another. What finds no room shows when the reader zooms in, or on hover. fillText draws text, never markup.
const LABEL_PIXELS = 12.5;
const LINE_PIXELS = 14;
const MOST_TRIED = 700;
const REGION_PIXELS = 14;
const FAR = 0.3;
const RANK = { conflict: 4, disputed: 3, merged: 2, new: 2, normal: 0 };

function labelOrder(nodes, edges) {
  const degree = new Map();
  for (const edge of edges) {
    for (const end of [edge.from, edge.to]) degree.set(end, (degree.get(end) ?? 0) + 1);
  }
  const weight = (node) => (node.mark ? 9000 : 0) + RANK[node.group] * 1000 + (node.outlined ? 500 : 0) + Math.min(degree.get(node.id) ?? 0, 99);
  return [...nodes].sort((one, other) => weight(other) - weight(one));
}

// The boxes that are taken, in network coordinates, in a coarse grid so that a look-up does not pass over all of them.
// Nothing fits outside of `view`. Soft boxes (plain nodes) may be covered by a label that matters.
function makeRoom(view, cell) {
  const grid = new Map();
  const cells = function* (box) {
    for (let x = Math.floor(box.left / cell); x <= Math.floor(box.right / cell); x += 1) {
      for (let y = Math.floor(box.top / cell); y <= Math.floor(box.bottom / cell); y += 1) yield x * 65_536 + y;
    }
  };
  return {
    isFree(box, coversSoft = false) {
      if (box.left < view.left || box.right > view.right || box.top < view.top || box.bottom > view.bottom) return false;
      for (const name of cells(box)) {
        for (const other of grid.get(name) ?? []) {
          if (coversSoft && other.isSoft) continue;
          if (box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom) {
            return false;
          }
        }
      }
      return true;
    },
    take(box) {
      for (const name of cells(box)) {
        if (!grid.has(name)) grid.set(name, []);
        grid.get(name).push(box);
      }
    },
  };
}

function drawText(context, text, x, y, color, theme, scale) {
  context.lineJoin = "round";
  context.lineWidth = 4 / scale;
  context.strokeStyle = theme.background;
  context.fillStyle = color;
  for (const [row, line] of text.split("\n").entries()) context.strokeText(line, x, y + (row * LINE_PIXELS) / scale);
  for (const [row, line] of text.split("\n").entries()) context.fillText(line, x, y + (row * LINE_PIXELS) / scale);
}

// `graph` is the component's state; `context` is in network coordinates.
function drawLabels(context, graph) {
  const scale = graph.network.getScale() / typeOf(graph);
  const corner = graph.network.DOMtoCanvas({ x: 0, y: 0 });
  const opposite = graph.network.DOMtoCanvas({ x: graph.sight.clientWidth, y: graph.box.clientHeight });
  const view = { left: corner.x, top: corner.y, right: opposite.x, bottom: opposite.y };
  const isInSight = ({ x, y }) => x > view.left && x < view.right && y > view.top && y < view.bottom;
  const pen = { context, scale, pixel: 1 / scale, room: makeRoom(view, 160 / scale), isInSight, ...graph };
  context.save();
  context.textAlign = "center";
  drawRegions(pen);
  takeNodes(pen);
  const matters = (edge) => edge.kind === "conflict";
  drawEdgeLabels(pen, matters);
  drawNodeLabels(pen);
  drawEdgeLabels(pen, (edge) => !matters(edge)); // who or what it is comes before how it stands to another
  context.restore();
}

// The names of topics, while the map is seen from afar: then nodes have no room for names of their own.
function drawRegions({ context, scale, pixel, room, theme, regions, measure }) {
  if (scale > FAR) return;
  context.textBaseline = "middle";
  context.font = `600 ${REGION_PIXELS * pixel}px ${theme.font}`;
  for (const { name, x, y } of regions) {
    const width = measure(context, name, scale) + 12 * pixel;
    const height = (REGION_PIXELS + 8) * pixel;
    const box = { left: x - width / 2, right: x + width / 2, top: y - height / 2, bottom: y + height / 2 };
    if (!room.isFree(box)) continue;
    room.take(box);
    context.globalAlpha = 0.85;
    context.fillStyle = theme.background;
    context.fillRect(box.left, box.top, width, height);
    context.globalAlpha = 1;
    context.fillStyle = theme.text;
    context.fillText(name, x, y);
  }
}

function takeNodes({ room, order, zoomFactor, isInSight }) {
  for (const node of order) {
    if (!isInSight(node)) continue;
    const reach = drawnSize(node, zoomFactor);
    const isSoft = !isMarked(node);
    room.take({ left: node.x - reach, right: node.x + reach, top: node.y - reach, bottom: node.y + reach, isSoft });
  }
}

function drawEdgeLabels({ context, scale, pixel, room, theme, edgeById, nodeById, zoomFactor, measure, dim }, isMeant) {
  context.textBaseline = "middle";
  context.font = `600 ${(LABEL_PIXELS - 1) * pixel}px ${theme.font}`;
  for (const edge of edgeById.values()) {
    if (!edge.label || !isMeant(edge) || (dim < 0.2 && !edge.mark)) continue;
    const from = nodeById.get(edge.from);
    const to = nodeById.get(edge.to);
    if (!from || !to) continue; // drawn between the removal of a merged node and that of its edges
    const reach = Math.max(drawnSize(from, zoomFactor), drawnSize(to, zoomFactor));
    const width = measure(context, edge.label, scale) + 8 * pixel;
    // On the edge, best in its middle, and on no node; where it is too short for that, above it.
    const isShort = Math.hypot(to.x - from.x, to.y - from.y) < width + 2 * reach;
    if (isShort && edge.kind !== "conflict") continue; // its line and its ends say it already
    const above = { x: (from.x + to.x) / 2, y: Math.min(from.y, to.y) - reach - 10 * pixel };
    const along = (share) => ({ x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share });
    const spots = isShort ? [above] : [0.5, 0.42, 0.58, 0.34, 0.66].map(along);
    const boxes = spots.map(({ x, y }) => ({ x, y, left: x - width / 2, right: x + width / 2, top: y - 8 * pixel, bottom: y + 8 * pixel }));
    const box = boxes.find((one) => room.isFree(one));
    if (!box) continue;
    const { x, y } = box;
    room.take(box);
    context.fillStyle = theme.background;
    context.fillRect(box.left, box.top, width, 16 * pixel);
    drawText(context, edge.label, x, y, theme.text, theme, scale);
  }
}

function drawNodeLabels(pen) {
  const { context, pixel, theme, order, nodeById, selected, hovered, dim } = pen;
  context.textBaseline = "top";
  const first = new Set([selected, hovered].map((id) => nodeById.get(id)).filter(Boolean));
  let tried = 0;
  for (const node of [...first, ...order]) {
    const isFirst = first.delete(node);
    if (!isFirst && (node.id === selected || node.id === hovered)) continue; // drawn already
    if (!isFirst && dim < 0.2 && !node.mark) continue;
    if (!isFirst && !pen.isInSight(node)) continue;
    tried += 1;
    if (tried > MOST_TRIED) break; // far out there is no room for so many anyway
    const isStrong = node.id === selected || Boolean(node.mark);
    context.font = `${isStrong ? 600 : 400} ${LABEL_PIXELS * pixel}px ${theme.font}`;
    const text = node.badge ? `${node.badge}  ${node.label}` : node.label;
    const place = placeOf(pen, node, text, isFirst);
    if (!place) continue;
    pen.room.take(place);
    context.globalAlpha = node.mark || isFirst ? 1 : Math.min(1, dim + 0.2);
    drawText(context, text, (place.left + place.right) / 2, place.top, theme.text, theme, pen.scale);
  }
}

// A label covers no other; and no node, but for what must be read at once.
function placeOf({ context, scale, pixel, room, zoomFactor, measure }, node, text, isFirst) {
  const places = labelPlaces(node, text, (line) => measure(context, line, scale), zoomFactor, pixel);
  const matters = isFirst || node.group === "conflict" || node.mark;
  return (
    places.find((box) => room.isFree(box)) ??
    (matters ? places.find((box) => room.isFree(box, true)) : null) ??
    (isFirst ? places[0] : null)
  );
}

// Below the node, above it, to its right, to its left: in this order.
function labelPlaces(node, text, measured, zoomFactor, pixel) {
  const lines = text.split("\n");
  const gap = drawnSize(node, zoomFactor) + 4 * pixel;
  const width = Math.max(...lines.map(measured)) + 6 * pixel;
  const height = (lines.length * LINE_PIXELS + 2) * pixel;
  const at = (left, top) => ({ left, right: left + width, top, bottom: top + height });
  return [
    at(node.x - width / 2, node.y + gap),
    at(node.x - width / 2, node.y - gap - height),
    at(node.x + gap, node.y - height / 2),
    at(node.x - gap - width, node.y - height / 2),
  ];
}
