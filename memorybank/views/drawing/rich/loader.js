// Draws a tree of boxes and texts. All text arrives as data and becomes text nodes; tags come from a fixed list, class
// names from our own code. Nothing here makes markup out of data.
(function () {
  if (globalThis.__memorybank_rich) return;

  const TAGS = new Set([
    "div", "span", "p", "mark", "ol", "ul", "li", "h3", "h4", "pre", "code", "table", "thead", "tbody", "tr", "th", "td",
    "dl", "dt", "dd", "del", "ins", "kbd", "time", "figure", "figcaption", "details", "summary",
  ]);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(/* CSS */);

  function build(node, choose) {
    if (typeof node === "string") return document.createTextNode(node);
    const [tag, look, inside, extra] = node;
    const element = document.createElement(TAGS.has(tag) ? tag : "span");
    if (look) element.className = look;
    for (const child of inside) element.append(build(child, choose));
    if (extra?.title) element.title = extra.title;
    if (extra?.share !== undefined) element.style.setProperty("--share", Number(extra.share));
    if (extra?.current) element.setAttribute("aria-current", "step");
    if (extra?.choose) {
      element.dataset.choose = extra.choose;
      makeButton(element, () => choose(extra.choose));
      if (extra.checked !== undefined) makeCheckbox(element, extra.checked);
    }
    return element;
  }

  function makeButton(element, act) {
    element.tabIndex = 0;
    element.setAttribute("role", "button");
    element.onclick = act;
    element.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    };
  }

  function makeCheckbox(element, checked) {
    element.setAttribute("role", "checkbox");
    element.setAttribute("aria-checked", String(checked));
    element.setAttribute("aria-label", element.title);
  }

  function draw({ data, parentElement, setStateValue }) {
    parentElement.adoptedStyleSheets = [sheet];
    const root = parentElement.querySelector(".rich");
    // The count makes a second click on the same thing a change.
    root.choose = (what) => setStateValue("chosen", { what, count: Date.now() });
    const held = root.getRootNode().activeElement?.dataset?.choose; // what has the focus has it again, drawn anew
    const open = new Set([...root.querySelectorAll("details[open] > summary")].map((head) => head.textContent));
    update(root, root.boxes ?? [], data.boxes, (box) => build(box, (what) => root.choose(what)));
    root.boxes = data.boxes;
    for (const head of root.querySelectorAll("details > summary")) head.parentElement.open ||= open.has(head.textContent);
    const target = held && root.querySelector(`[data-choose="${CSS.escape(held)}"]`);
    if (target && target !== root.getRootNode().activeElement) target.focus({ preventScroll: true });
    keepInSight(root);
  }

  // What says the same as before stays as it is: it is not taken from under the pointer, nor out of a selection. A list that
  // grows at its beginning keeps its lines.
  function update(parent, before, now, make) {
    const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
    const frame = ([tag, look, , extra]) => [tag, look, extra];
    const least = Math.min(before.length, now.length);
    let head = 0;
    while (head < least && isSame(before[head], now[head])) head += 1;
    let tail = 0;
    while (tail < least - head && isSame(before.at(-1 - tail), now.at(-1 - tail))) tail += 1;
    for (let at = head; at < least - tail; at += 1) {
      const [old, box, there] = [before[at], now[at], parent.childNodes[at]];
      const isFramed = Array.isArray(old) && Array.isArray(box) && isSame(frame(old), frame(box));
      if (isFramed) update(there, old[2], box[2], make);
      else if (!isSame(old, box)) there.replaceWith(make(box));
    }
    for (let left = before.length - least; left > 0; left -= 1) parent.childNodes[least - tail].remove();
    const next = parent.childNodes[least - tail] ?? null;
    for (const box of now.slice(least - tail, now.length - tail)) parent.insertBefore(make(box), next);
  }

  // In a list that says so, the current line is scrolled into its box; the page itself never moves.
  function keepInSight(root) {
    const line = root.querySelector(".in-sight [aria-current]")?.getBoundingClientRect();
    let box = root.getRootNode().host;
    while (box && !/auto|scroll/.test(getComputedStyle(box).overflowY)) box = box.parentElement;
    if (!line || !box || box.clientHeight >= innerHeight) return;
    const { top, bottom } = box.getBoundingClientRect();
    if (line.top < top) box.scrollTop -= top - line.top;
    else if (line.bottom > bottom) box.scrollTop += line.bottom - bottom;
  }

  globalThis.__memorybank_rich = { draw };
  globalThis.dispatchEvent(new Event("memorybank-rich"));
})();

export default function () {}
