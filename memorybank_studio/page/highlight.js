// Marks names in a text field of the page: a sheet above it, as wide, in the same type, that shows the marks alone.
const LOOK = 200; // milliseconds between two looks at the field
const LETTER = /[\p{L}\p{N}_]/u;
const TYPE = ["font", "letterSpacing", "lineHeight", "padding", "textAlign", "textIndent", "wordSpacing", "tabSize"];

const SHEET =
  "position:absolute;overflow:hidden;pointer-events:none;color:transparent;white-space:pre-wrap;overflow-wrap:break-word;box-sizing:border-box";

export default function ({ data, parentElement }) {
  const [{ field, names }] = data.wrapped;
  let area, sheet, text;

  // A name in a script that parts words stands between two borders of words.
  const border = (char, form) => (char && /^[\x00-\u024f]$/.test(char) && LETTER.test(char) ? form : "");
  const escaped = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  const form = (name) => border(name[0], "(?<![\\p{L}\\p{N}_])") + escaped(name) + border(name.at(-1), "(?![\\p{L}\\p{N}_])");
  const longestFirst = [...names].sort((one, other) => other.length - one.length);
  const pattern = names.length ? new RegExp(longestFirst.map(form).join("|"), "gu") : null;

  function paint() {
    text = area.value;
    const color = getComputedStyle(parentElement.host ?? parentElement).getPropertyValue("--st-primary-color") || "#2962a3";
    const pieces = [];
    let at = 0;
    for (const match of pattern ? area.value.matchAll(pattern) : []) {
      const mark = document.createElement("mark");
      mark.textContent = match[0];
      mark.style.cssText = `color:transparent;border-radius:3px;background:color-mix(in srgb, ${color} 22%, transparent)`;
      pieces.push(area.value.slice(at, match.index), mark);
      at = match.index + match[0].length;
    }
    sheet.replaceChildren(...pieces, area.value.slice(at), "\n");
    place();
  }

  function place() {
    const look = getComputedStyle(area);
    for (const name of TYPE) sheet.style[name] = look[name];
    const [left, top] = [area.offsetLeft + area.clientLeft, area.offsetTop + area.clientTop];
    Object.assign(sheet.style, { left: `${left}px`, top: `${top}px` });
    Object.assign(sheet.style, { width: `${area.clientWidth}px`, height: `${area.clientHeight}px` });
    sheet.scrollTop = area.scrollTop;
  }

  function look() {
    const found = document.querySelector(`.st-key-${CSS.escape(field)} textarea`);
    if (!found || (found === area && sheet.isConnected)) return;
    area = found;
    area.parentElement.querySelector(".wr-names")?.remove();
    sheet = document.createElement("div");
    sheet.className = "wr-names";
    sheet.setAttribute("aria-hidden", "true");
    sheet.style.cssText = SHEET;
    area.parentElement.style.position = "relative";
    area.parentElement.append(sheet);
    area.addEventListener("scroll", place);
    paint();
  }

  const watch = setInterval(() => {
    look();
    if (area?.value !== text) paint();
    else if (area) place();
  }, LOOK);
  look();
  return () => {
    clearInterval(watch);
    sheet?.remove();
  };
}
