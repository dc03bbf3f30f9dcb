// Draws a tree of boxes and texts. All text arrives as data and becomes text nodes; tags come from a fixed list, class
// names from our own code. Nothing here makes markup out of data.
const TAGS = new Set(["div", "span", "p", "mark", "ol", "ul", "li", "strong", "small", "figure", "blockquote", "pre"]);

function build(node, choose) {
  if (typeof node === "string") return document.createTextNode(node);
  const [tag, look, inside, extra] = node;
  const element = document.createElement(TAGS.has(tag) ? tag : "span");
  if (look) element.className = look;
  for (const child of inside ?? []) element.append(build(child, choose));
  if (extra?.title) element.title = extra.title;
  if (extra?.label) element.setAttribute("aria-label", extra.label);
  if (extra?.current) element.setAttribute("aria-current", "step");
  if (extra?.choose) {
    element.tabIndex = 0;
    element.setAttribute("role", "button");
    element.onclick = () => choose(extra.choose);
    element.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(extra.choose);
    };
  }
  return element;
}

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".rich");
  // The count makes a second click on the same thing a change.
  const choose = (what) => setStateValue("chosen", { what, count: Date.now() });
  root.replaceChildren(...data.boxes.map((box) => build(box, choose)));
}
