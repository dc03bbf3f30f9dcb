// The frame's code, once a session: it stands outside the pages, so that a switch of pages leaves it alone.
(function () {
  if (globalThis.__memorybank_shell) return;
  const root = document.documentElement;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(/* STYLE */);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

  /* CODE */

  // Space and the arrows belong to what has the focus where it takes them itself, and every key to an open dialog. This
  // comes before Streamlit's shortcuts, which listen on the document, and after all that listens on the page.
  const PRESSED = "a, button, summary, [role='button'], [role='link'], [role='switch'], [role='checkbox']";
  const MOVED = "[role='slider'], [role='tab'], [role='radio'], [role='option'], [role='menuitem'], canvas, .arrows";
  const OWN = { " ": PRESSED, ArrowLeft: MOVED, ArrowRight: MOVED };
  root.addEventListener("keydown", (event) => {
    const target = event.composedPath()[0];
    const isOwn = OWN[event.key] && target.closest(OWN[event.key]);
    if (event.defaultPrevented || isOwn || target.closest("[role='dialog']")) event.stopPropagation();
  });

  // A story has the screen (frame.css), all of it where a click or a key has just asked for that.
  function stage(on) {
    if (on === root.hasAttribute("data-memorybank-stage")) return;
    root.toggleAttribute("data-memorybank-stage", on);
    if (on && navigator.userActivation?.isActive) root.requestFullscreen?.().catch(() => {});
    if (!on && document.fullscreenElement) document.exitFullscreen().catch(() => {});
    dispatchEvent(new Event("resize")); // the graph takes its new width
  }

  // Streamlit keeps a chosen theme by page and reads it when the page is loaded.
  function switchTheme(paths) {
    const isDark = getComputedStyle(document.querySelector(".stApp")).colorScheme === "dark";
    for (const path of paths) localStorage.setItem(`stActiveTheme-/${path}-v2`, JSON.stringify(isDark ? "Light" : "Dark"));
    location.reload();
  }

  let shownRun = ""; // whichever is opened, it is seen from its top

  function draw({ data, parentElement, setStateValue }) {
    const [now] = data.wrapped;
    const ask = (what, more) => setStateValue("asked", { what, ...more, count: Date.now() });
    const look = getComputedStyle(parentElement.host ?? parentElement);
    for (const [own, name] of Object.entries({ background: "background", text: "text", accent: "primary" })) {
      root.style.setProperty(`--memorybank-${own}`, look.getPropertyValue(`--st-${name}-color`));
    }
    streamlitWords.update(now.lang);
    if (now.remember.run !== shownRun) document.querySelector("[data-testid=stMain]")?.scrollTo(0, 0);
    shownRun = now.remember.run;
    remember(now.remember, ask);
    stage(now.staged);
    pages.update(now, ask);
    const theme = parentElement.querySelector("button");
    theme.title = now.theme;
    theme.setAttribute("aria-label", now.theme);
    theme.onclick = () => switchTheme(now.pages.map(([, path]) => path));
  }

  globalThis.__memorybank_shell = { draw, isTurning: pages.isTurning };
  globalThis.dispatchEvent(new Event("memorybank-shell"));
})();

export default function () {}
