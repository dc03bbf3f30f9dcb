// Offers what is selected in the page's texts for the bible: a button says its words and hands them over with the line
// that they stand in.
const LONGEST = 2000; // characters
const PAUSE = 150; // milliseconds without a change of the selection

export default function ({ data, parentElement, setTriggerValue }) {
  const [{ places, words, opened }] = data.wrapped;
  const button = parentElement.querySelector("button");
  let chosen, timer;

  function cut(text, start, end) {
    const from = Math.max(text.lastIndexOf("\n", start - 1) + 1, start - LONGEST);
    const to = text.indexOf("\n", end);
    const line = text.slice(from, to < 0 ? undefined : to).slice(0, 2 * LONGEST);
    return { text: text.slice(start, end).trim().slice(0, LONGEST), line };
  }

  function selectedIn(box) {
    const area = document.activeElement;
    if (area?.matches("textarea") && box.contains(area)) return cut(area.value, area.selectionStart, area.selectionEnd);
    for (const { shadowRoot } of box.querySelectorAll("*")) {
      const selection = shadowRoot && (shadowRoot.getSelection?.() ?? document.getSelection());
      const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
      if (!range || range.collapsed || !shadowRoot.contains(range.startContainer)) continue;
      const start = range.startContainer;
      const block = (start.closest ? start : start.parentElement).closest("p, div");
      const before = document.createRange();
      before.selectNodeContents(block);
      before.setEnd(start, range.startOffset);
      const at = before.toString().length;
      return cut(block.textContent, at, at + range.toString().length);
    }
  }

  function look() {
    if (document.activeElement?.shadowRoot?.contains(button)) return; // reached by keys: the selection counts on
    const boxes = places.map((place) => document.querySelector(`.st-key-${CSS.escape(place)}`)).filter(Boolean);
    chosen = boxes.map(selectedIn).find((found) => found?.text);
    button.hidden = !chosen || opened; // one after the other
    if (chosen) button.textContent = words.replace("{text}", () => [...chosen.text].slice(0, 24).join(""));
  }

  function later() {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE);
  }

  button.onpointerdown = (event) => event.preventDefault(); // the selection stays
  button.onclick = () => {
    if (chosen) setTriggerValue("chosen", chosen);
    button.hidden = true;
  };
  const events = ["selectionchange", "pointerup", "keyup"];
  for (const type of events) document.addEventListener(type, later);
  if (opened && !globalThis.__memorybank_selected)
    document.querySelector(".st-key-studio-selected")?.scrollIntoView({ block: "center" });
  globalThis.__memorybank_selected = opened;
  return () => events.forEach((type) => document.removeEventListener(type, later));
}
