// The slider over all events: a range of the browser's own, and above it what happened where. Its place is the browser's
// while it moves; Python's word counts once it has heard the last thing that was said.
const PAUSE = 80; // milliseconds between two words while it moves

export default function ({ data, parentElement, setStateValue }) {
  const range = parentElement.querySelector("input");
  const mine = (range.mine ??= { said: data.heard, later: 0, isHeld: false });
  const tell = () => {
    clearTimeout(mine.later);
    mine.later = 0;
    mine.said = Math.max(mine.said + 1, Date.now());
    const k = Number(range.value);
    setStateValue("said", { turn: mine.said, k: k >= Number(range.max) ? null : k });
  };
  range.oninput = () => {
    mine.isHeld = true;
    mine.later ||= setTimeout(tell, PAUSE);
  };
  range.onchange = () => {
    mine.isHeld = false;
    tell();
  };
  range.max = data.n;
  range.setAttribute("aria-label", data.label);
  range.setAttribute("aria-valuetext", data.where);
  if (!mine.isHeld && !mine.later && data.heard >= mine.said) range.value = data.k ?? data.n;
  const drawing = parentElement.querySelector("svg");
  drawing.setAttribute("viewBox", `0 0 ${Math.max(data.n, 1)} 1`);
  drawing.replaceChildren(
    ...data.marks.map(([seq, kind]) => {
      const mark = document.createElementNS(drawing.namespaceURI, "line");
      for (const [name, value] of Object.entries({ x1: seq, x2: seq, y1: 0, y2: 1, class: kind })) mark.setAttribute(name, value);
      return mark;
    }),
  );
  return () => clearTimeout(mine.later);
}
