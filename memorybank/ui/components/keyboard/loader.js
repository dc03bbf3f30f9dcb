// The frame's code, once a session: it stands outside the pages, so that a switch of pages leaves it alone.
(function () {
  if (globalThis.__memorybank_shell) return;
  const STYLES = /* STYLES */;

  const sheet = (css) => {
    const made = new CSSStyleSheet();
    made.replaceSync(css);
    return made;
  };

  // All text arrives as data and becomes text nodes; nothing here makes markup.
  function element(tag, look, ...inside) {
    const made = document.createElement(tag);
    if (look) made.className = look;
    made.append(...inside);
    return made;
  }

  /* CODE */

  let component = null; // the newest drawing; listeners look here

  function draw(next) {
    component = next;
    const { parentElement, setStateValue } = next;
    const [data] = next.data.wrapped;
    const ask = (what, more) => setStateValue("asked", { what, ...more, count: Date.now() });
    streamlitWords.update(data.lang);
    remember(data.remember, ask);
    overlay.update(data, parentElement);
    presenting.update(data, ask);
    pages.update(data, ask);
    actions.update(data);
    keys.update(data);
    drawTools(parentElement, data);
  }

  function drawTools(parent, data) {
    parent.adoptedStyleSheets = [sheet(STYLES.TOOLS)];
    const tool = (name, sign, act) => {
      const button = element("button", name, sign);
      button.type = "button";
      button.title = data.words[name];
      button.setAttribute("aria-label", data.words[name]);
      button.onclick = act;
      return button;
    };
    parent.querySelector(".tools").replaceChildren(
      tool("theme", icon("M12 3a9 9 0 1 0 0 18V3Z"), switchTheme),
      tool("present", icon("M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5"), () => presenting.start()),
      tool("help", "?", () => overlay.open()),
    );
  }

  function icon(path) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("d", path);
    svg.append(line);
    return svg;
  }

  globalThis.__memorybank_shell = {
    draw,
    isTurning: pages.isTurning,
    press: keys.take,
    plays: keys.plays,
    say: overlay.say,
    stay: presenting.stay,
  };
  globalThis.dispatchEvent(new Event("memorybank-shell"));
})();

export default function () {}
