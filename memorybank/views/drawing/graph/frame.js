// The parts around the canvas, built as elements. Words come later, as text.
const ICONS = {
  zoom_out: "M3 8h10",
  zoom_in: "M3 8h10M8 3v10",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
};

function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function toolButton(name) {
  const icon = svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" });
  icon.append(svg("path", { d: ICONS[name] }));
  const button = element("button", name, icon);
  button.type = "button";
  return button;
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(CSS);

// In a shadow root, so that our styles and those of the page do not meet: the page's own, or one made for it.
function buildFrame(container) {
  const home = container.getRootNode();
  const root = home instanceof ShadowRoot ? home : container.attachShadow({ mode: "open" });
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
  const canvas = element("div", "canvas");
  canvas.setAttribute("role", "img");
  canvas.tabIndex = 0;
  const frame = element(
    "div",
    "frame",
    canvas,
    element("p", "empty"),
    element("div", "tools", ...Object.keys(ICONS).map(toolButton)),
    element("div", "foot", element("ul", "legend"), element("p", "notice")),
  );
  (root === home ? container : root).replaceChildren(frame);
  return frame;
}

function sayWords(frame, picture) {
  const { words, description, notice, nodes } = picture;
  const canvas = frame.querySelector(".canvas");
  canvas.setAttribute("aria-label", description);
  canvas.setAttribute("aria-description", words.keys);
  frame.querySelector(".empty").textContent = nodes.length ? "" : words.empty;
  frame.querySelector(".notice").textContent = notice;
  for (const name of Object.keys(ICONS)) {
    const button = frame.querySelector(`.${name}`);
    button.title = words[name];
    button.setAttribute("aria-label", words[name]);
  }
}
