  // Presentation: large type, controls hidden, full screen. Python knows it too, for the address and the next page.
  const presenting = (function () {
    const root = document.documentElement;
    const FLAG = "memorybankPresenting";
    let ask = () => {};
    let entered = false; // full screen was ours
    let trusted = 0; // until then what was pressed here counts more than what Python drew meanwhile
    const TRUST = 5000; // ms
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet(STYLES.PAGE)];

    function lay(on) {
      if (!on) overlay.darken(false);
      if (on) root.dataset[FLAG] = "";
      else delete root.dataset[FLAG];
      overlay.exitShown(on);
      dispatchEvent(new Event("resize")); // the graph takes its new width
    }

    document.addEventListener("fullscreenchange", () => {
      if (document.fullscreenElement) entered = true;
      else if (entered) {
        entered = false;
        presenting.end();
      }
    });

    return {
      get isOn() { return FLAG in root.dataset; },
      update(data, toAsk) {
        ask = toAsk;
        if (data.presenting === presenting.isOn) trusted = 0;
        if (Date.now() > trusted) lay(data.presenting);
      },
      // Full screen may end, and the page stays as it is.
      stay() { entered = false; },
      start() {
        trusted = Date.now() + TRUST;
        lay(true);
        root.requestFullscreen?.().catch(() => {}); // refused without a click: the page is laid out all the same
        ask("present");
      },
      end() {
        if (!presenting.isOn) return;
        trusted = Date.now() + TRUST;
        lay(false);
        entered = false;
        if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
        ask("leave");
      },
    };
  })();

  // Streamlit keeps a chosen theme by page and reads it when the page is loaded.
  function switchTheme() {
    const dark = getComputedStyle(document.documentElement).colorScheme.includes("dark") ||
      document.querySelector(".stApp") && getComputedStyle(document.querySelector(".stApp")).colorScheme === "dark";
    for (const [, path] of component.data.wrapped[0].pages) {
      localStorage.setItem(`stActiveTheme-/${path}-v2`, JSON.stringify(dark ? "Light" : "Dark"));
    }
    location.reload();
  }
