// Colours and font of the page, for what is drawn on the canvas: Streamlit gives them as CSS variables that follow the
// light and the dark theme.
function readTheme(box) {
  const style = getComputedStyle(box);
  const read = (name, fallback) => {
    const value = style.getPropertyValue(`--st-${name}`).trim();
    return value && value !== "unset" ? value : fallback;
  };
  return {
    text: read("text-color", "#222222"),
    muted: "#7d8894",
    background: read("background-color", "#ffffff"),
    accent: read("primary-color", "#0072b2"),
    font: read("font", "sans-serif"),
  };
}

// Far out, nodes are drawn larger than to scale, or they would be specks; those that matter larger still.
const MARKED = new Set(["conflict", "disputed", "merged", "new"]);

function isMarked(node) {
  return MARKED.has(node.group) || Boolean(node.outlined || node.mark);
}

// Neighbours lie at least 100 apart (layout.py): however far out, no node is drawn upon another.
const LARGEST = 48;

function drawnSize(node, zoomFactor) {
  return Math.min(node.size * Math.min(zoomFactor, isMarked(node) ? 3.5 : 2.5), LARGEST);
}

function drawnWidth(edge, zoomFactor) {
  return edge.width * Math.min(zoomFactor, 2.5);
}

const tinted = ([fill, outline]) => ({ fill, outline });

// The paint of a node: of its state, with what its mark has of its own laid over it.
function paintOf(node, looks, theme) {
  const state = { ...looks.groups[node.group], ...(node.group === "normal" && tinted(looks.tints[node.tint ?? 0])) };
  const mark = node.mark ? looks.marks[node.mark] : node.outlined ? looks.new_outline : null;
  if (!mark) return state;
  const outlineOnly = node.mark ? !mark.fill : true;
  return {
    fill: outlineOnly ? state.fill : mark.fill === "none" ? theme.background : mark.fill,
    outline: mark.outline || theme.muted,
    outline_width: mark.outline_width,
    dashed: mark.dashed,
    opacity: mark.opacity,
  };
}

// A tooltip: what it is about; below it its id and what holds of it now. Text only.
function nodeTitle(node) {
  return `${node.topic || node.label}\n${[node.id, node.title].filter(Boolean).join(" · ")}`;
}

function edgeTitle(edge) {
  return [edge.title, ...(edge.lines ?? [])].join("\n");
}

// -- vis-network's own form of our nodes and edges --------------------------------------------------------------------

const nodeColor = (fill, outline, theme) => {
  const chosen = { background: fill, border: theme.text };
  return { background: fill, border: outline, highlight: chosen, hover: chosen };
};

const edgeColor = (color, opacity) => ({ color, highlight: color, hover: color, opacity });

// How a plain node and a plain edge look now. What all share is told once: vis-network copies each item's options deeply,
// and that is where the time of a first drawing goes.
function plainOptions({ theme, looks, dim }) {
  const { outline_width: width } = looks.groups.normal;
  return {
    nodes: { shape: "dot", fixed: true, borderWidth: width, opacity: dim },
    edges: { width: 1.3, color: edgeColor(theme.text, 0.3 * dim) },
  };
}

// An update only overwrites what it names: so an item that was there before names everything.
function visNode(node, pen, isNew) {
  const { theme, looks, zoomFactor, dim } = pen;
  const form = { id: node.id, title: nodeTitle(node), x: node.x, y: node.y, size: drawnSize(node, zoomFactor) };
  const paint = paintOf(node, looks, theme);
  const color = nodeColor(paint.fill, paint.outline, theme);
  if (isNew && !isMarked(node) && node.shape === "dot") return { ...form, color }; // what all share is told once
  return {
    ...form,
    shape: node.shape,
    borderWidth: paint.outline_width,
    shapeProperties: { borderDashes: paint.dashed ? [4, 3] : false },
    opacity: node.mark ? paint.opacity : dim,
    color,
  };
}

function visEdge(edge, pen, isNew) {
  const { theme, zoomFactor, dim } = pen;
  const form = { id: edge.id, from: edge.from, to: edge.to, title: edgeTitle(edge), width: drawnWidth(edge, zoomFactor) };
  if (isNew && edge.kind === "related" && !edge.mark) return form;
  const opacity = edge.mark ? (edge.color ? 1 : 0.6) : (edge.color ? 1 : 0.3) * dim;
  return {
    ...form,
    dashes: edge.dashes,
    arrows: edge.arrows ?? "",
    color: edgeColor(edge.color || theme.text, opacity),
  };
}
