// Labels are drawn here and not by vis-network: at every zoom in the same readable size, the important ones first, and
// none over another. What finds no room shows when the reader zooms in, or on hover. fillText draws text, never markup.
const LABEL_PIXELS = 12.5;
const RANK = { conflict: 4, disputed: 3, merged: 2, new: 2, normal: 0 };

function labelOrder(nodes, edges) {
  const degree = new Map();
  for (const edge of edges) {
    for (const end of [edge.from, edge.to]) degree.set(end, (degree.get(end) ?? 0) + 1);
  }
  const weight = (node) => RANK[node.group] * 1000 + (node.outlined ? 500 : 0) + Math.min(degree.get(node.id) ?? 0, 99);
  return [...nodes].sort((one, other) => weight(other) - weight(one));
}

// The boxes that are taken, in network coordinates, in a coarse grid so that a look-up does not pass over all of them.
// Nothing fits outside of `view`. Soft boxes (plain nodes) may be covered by a label that matters.
function makeRoom(view, cell) {
  const grid = new Map();
  const cells = function* (box) {
    for (let x = Math.floor(box.left / cell); x <= Math.floor(box.right / cell); x += 1) {
      for (let y = Math.floor(box.top / cell); y <= Math.floor(box.bottom / cell); y += 1) yield `${x},${y}`;
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
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}

// `graph` is the component's state; `context` is in network coordinates.
function drawLabels(context, graph) {
  const scale = graph.network.getScale();
  const corner = graph.network.DOMtoCanvas({ x: 0, y: 0 });
  const opposite = graph.network.DOMtoCanvas({ x: graph.box.clientWidth, y: graph.box.clientHeight });
  const view = { left: corner.x, top: corner.y, right: opposite.x, bottom: opposite.y };
  const pen = { context, scale, pixel: 1 / scale, room: makeRoom(view, 160 / scale), ...graph };
  context.save();
  context.textAlign = "center";
  takeNodes(pen);
  drawEdgeLabels(pen);
  drawNodeLabels(pen);
  context.restore();
}

function takeNodes({ room, order, zoomFactor }) {
  for (const node of order) {
    const reach = drawnSize(node, zoomFactor);
    const isSoft = !isMarked(node);
    room.take({ left: node.x - reach, right: node.x + reach, top: node.y - reach, bottom: node.y + reach, isSoft });
  }
}

function drawEdgeLabels({ context, scale, pixel, room, theme, edges, nodeById, zoomFactor, measure }) {
  context.textBaseline = "middle";
  context.font = `600 ${(LABEL_PIXELS - 1) * pixel}px ${theme.font}`;
  for (const edge of edges) {
    if (!edge.label) continue;
    const from = nodeById.get(edge.from);
    const to = nodeById.get(edge.to);
    if (!from || !to) continue; // drawn between the removal of a merged node and that of its edges
    const reach = Math.max(drawnSize(from, zoomFactor), drawnSize(to, zoomFactor));
    const width = measure(context, edge.label, scale) + 8 * pixel;
    const x = (from.x + to.x) / 2;
    // In the middle of the edge; where it is too short for that, above it.
    const isShort = Math.hypot(to.x - from.x, to.y - from.y) < width + 2 * reach;
    const y = isShort ? Math.min(from.y, to.y) - reach - 10 * pixel : (from.y + to.y) / 2;
    const box = { left: x - width / 2, right: x + width / 2, top: y - 8 * pixel, bottom: y + 8 * pixel };
    if (!room.isFree(box, true)) continue;
    room.take(box);
    context.fillStyle = theme.background;
    context.fillRect(box.left, box.top, width, 16 * pixel);
    drawText(context, edge.label, x, y, theme.text, theme, scale);
  }
}

function drawNodeLabels({ context, scale, pixel, room, theme, order, nodeById, zoomFactor, selected, hovered, measure }) {
  context.textBaseline = "top";
  const first = new Set([selected, hovered].map((id) => nodeById.get(id)).filter(Boolean));
  for (const node of [...first, ...order.filter((other) => !first.has(other))]) {
    context.font = `${node.id === selected ? 600 : 400} ${LABEL_PIXELS * pixel}px ${theme.font}`;
    const places = labelPlaces(node, measure(context, node.label, scale), zoomFactor, pixel);
    const matters = first.has(node) || isMarked(node);
    const place =
      places.find((box) => room.isFree(box)) ??
      (matters ? places.find((box) => room.isFree(box, true)) : null) ??
      (first.has(node) ? places[0] : null);
    if (!place) continue;
    room.take(place);
    drawText(context, node.label, (place.left + place.right) / 2, place.top, theme.text, theme, scale);
  }
}

// Below the node, above it, to its right, to its left: in this order.
function labelPlaces(node, textWidth, zoomFactor, pixel) {
  const gap = drawnSize(node, zoomFactor) + 4 * pixel;
  const width = textWidth + 6 * pixel;
  const height = (LABEL_PIXELS + 3) * pixel;
  const at = (left, top) => ({ left, right: left + width, top, bottom: top + height });
  return [
    at(node.x - width / 2, node.y + gap),
    at(node.x - width / 2, node.y - gap - height),
    at(node.x + gap, node.y - height / 2),
    at(node.x - gap - width, node.y - height / 2),
  ];
}
