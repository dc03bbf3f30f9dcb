// The legend: the same shapes as on the canvas, with words. Built from nodes and attributes, never from markup.
const SVG = "http://www.w3.org/2000/svg";

function svg(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  return element;
}

function polygon(corners, turn, radiusAt) {
  const points = [];
  for (let corner = 0; corner < corners; corner += 1) {
    const angle = turn + (corner * 2 * Math.PI) / corners;
    const radius = radiusAt(corner);
    points.push(`${(10 + radius * Math.cos(angle)).toFixed(2)},${(8 + radius * Math.sin(angle)).toFixed(2)}`);
  }
  return points.join(" ");
}

const UP = -Math.PI / 2;
const POINTS = {
  diamond: polygon(4, UP, () => 7),
  triangleDown: polygon(3, Math.PI / 2, () => 7),
  triangle: polygon(3, UP, () => 7),
  square: polygon(4, Math.PI / 4, () => 7.5),
  hexagon: polygon(6, 0, () => 6.5),
  star: polygon(10, UP, (corner) => (corner % 2 ? 3 : 7.5)),
};

function sample(item, theme) {
  const picture = svg("svg", { width: 20, height: 16, "aria-hidden": "true" });
  if (item.tints.length) {
    const dot = ([fill, stroke], place) => svg("circle", { cx: 4 + 6 * place, cy: 8, r: 3.5, fill, stroke });
    picture.append(...item.tints.map(dot));
  } else if (item.shape) {
    const paint = { fill: item.fill, stroke: item.outline || theme.muted, "stroke-width": Math.min(item.outline_width, 2.4) };
    if (item.dashed) paint["stroke-dasharray"] = "2.5 2";
    if (item.opacity < 1) paint.opacity = item.opacity;
    const points = POINTS[item.shape];
    picture.append(points ? svg("polygon", { points, ...paint }) : svg("circle", { cx: 10, cy: 8, r: 5, ...paint }));
  } else {
    const line = { x1: 1, y1: 8, x2: 19, y2: 8, stroke: item.color || theme.text, "stroke-width": item.width };
    if (!item.color) line["stroke-opacity"] = 0.45;
    if (item.dashes.length) line["stroke-dasharray"] = item.dashes.map((dash) => dash * 0.6).join(" ");
    picture.append(svg("line", line));
    if (item.arrow) picture.append(svg("polygon", { points: "19,8 13,4.5 13,11.5", fill: item.color || theme.text }));
  }
  return picture;
}

function drawLegend(list, items, theme) {
  list.replaceChildren(
    ...items.map((item) => {
      const entry = document.createElement("li");
      entry.append(sample(item, theme), document.createTextNode(item.words));
      return entry;
    }),
  );
}
