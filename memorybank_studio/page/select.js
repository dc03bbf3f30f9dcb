// Offers what is selected in the page's texts for the bible: a button says its words and hands them over with the line
// that they stand in.
const LONGEST = 2000; // characters
const PAUSE = 150; // milliseconds without a change of the selection

export default function ({ data, parentElement, setTriggerValue }) {
  const [{ places, words, shown }] = data.wrapped;
  const button = parentElement.querySelector("button");
  let chosen = null;

  function cut(text, start, end) {
    const from = text.lastIndexOf("\n", start - 1) + 1;
    const to = text.indexOf("\n", end);
    const line = text.slice(Math.max(from, start - LONGEST), to < 0 ? undefined : to);
    return { text: text.slice(start, end).trim().slice(0, LONGEST), line: line.slice(0, 2 * LONGEST) };
  }

  function inArea(box) {
    const area = document.activeElement;
    return area?.matches("textarea") && box.contains(area) ? cut(area.value, area.selectionStart, area.selectionEnd) : null;
  }

  function inText(box) {
    for (const host of box.querySelectorAll("*")) {
      const root = host.shadowRoot;
      const selection = root && (root.getSelection?.() ?? document.getSelection());
      const range = selection?.rangeCount && !selection.isCollapsed ? selection.getRangeAt(0) : null;
      if (!range || !root.contains(range.startContainer)) continue;
      const start = range.startContainer;
      const block = (start.closest ? start : start.parentElement).closest("p, div");
      const before = document.createRange();
      before.selectNodeContents(block);
      before.setEnd(start, range.startOffset);
      const at = before.toString().length;
      return cut(block.textContent, at, at + range.toString().length);
    }
    return null;
  }

  let timer = 0;
  function later() {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE);
  }

  function look() {
    if (parentElement.contains(document.activeElement) || document.activeElement?.shadowRoot?.contains(button)) return;
    const boxes = places.map((place) => document.querySelector(`.st-key-${CSS.escape(place)}`)).filter(Boolean);
    chosen = boxes.map((box) => inArea(box) ?? inText(box)).find((found) => found?.text) ?? null;
    button.hidden = !chosen;
    if (chosen) button.textContent = words.replace("{text}", () => [...chosen.text].slice(0, 24).join(""));
  }

  button.onpointerdown = (event) => event.preventDefault(); // the selection stays
  button.onclick = () => {
    if (chosen) setTriggerValue("chosen", chosen);
    button.hidden = true;
  };
  const events = ["selectionchange", "pointerup", "keyup"];
  for (const type of events) document.addEventListener(type, later);
  if (shown && globalThis.__memorybank_selected !== shown) document.querySelector(`.st-key-${CSS.escape(shown)}`)?.scrollIntoView({ block: "center" });
  globalThis.__memorybank_selected = shown;
  return () => events.forEach((type) => document.removeEventListener(type, later));
}
