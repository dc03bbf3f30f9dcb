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
    background: read("background-color", "#ffffff"),
    accent: read("primary-color", "#0072b2"),
    font: read("font", "sans-serif"),
  };
}

// Far out, nodes are drawn larger than to scale, or they would be specks; those that matter larger still.
const MARKED = new Set(["conflict", "disputed", "merged", "new"]);

function isMarked(node) {
  return MARKED.has(node.group) || Boolean(node.outlined);
}

function drawnSize(node, zoomFactor) {
  return node.size * Math.min(zoomFactor, isMarked(node) ? 3.5 : 2.5);
}

// vis-network's own form of our nodes and edges. Every key is set each time: an update only overwrites what it names.
function visNode(node, groups, theme, zoomFactor, newOutline) {
  const { background, border } = groups[node.group].color;
  const outline = node.outlined ? newOutline.color : border;
  return {
    id: node.id,
    title: node.title,
    shape: node.shape,
    x: node.x,
    y: node.y,
    fixed: true,
    size: drawnSize(node, zoomFactor),
    borderWidth: node.outlined ? newOutline.width : 1.5,
    color: {
      background,
      border: outline,
      highlight: { background, border: theme.text },
      hover: { background, border: theme.text },
    },
  };
}

function visEdge(edge, theme, zoomFactor) {
  const color = edge.color || theme.text;
  return {
    id: edge.id,
    from: edge.from,
    to: edge.to,
    title: edge.title,
    width: edge.width * Math.min(zoomFactor, 2.5),
    dashes: edge.dashes,
    color: { color, highlight: color, hover: color, opacity: edge.color ? 1 : 0.36 },
  };
}
