  // What lies over the page: the list of shortcuts, a line that answers a key, the way out of presenting.
  const overlay = (function () {
    const host = element("div", "");
    host.id = "memorybank-over";
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet(STYLES.OVER)];
    const dialog = element("dialog", "keys");
    const line = element("div", "line");
    line.setAttribute("role", "status");
    const exit = element("button", "exit");
    exit.type = "button";
    exit.hidden = true;
    exit.onclick = () => presenting.end();
    const dark = element("div", "dark");
    dark.hidden = true;
    dark.setAttribute("role", "status");
    dark.onclick = () => darken(false);
    root.append(dialog, line, exit, dark);
    // The way out lies over the page, so it goes while nobody moves the mouse.
    let resting = 0;
    const wake = () => {
      exit.classList.remove("resting");
      clearTimeout(resting);
      resting = setTimeout(() => exit.classList.add("resting"), 3000);
    };
    document.addEventListener("pointermove", wake, { passive: true });
    dialog.onclick = (event) => event.target === dialog && dialog.close(); // beside it
    const COLOURS = [
      "font", "text-color", "background-color", "secondary-background-color", "border-color", "primary-color",
      "base-radius", "code-font",
    ];
    let timer = 0;

    function update(data, parent) {
      if (!host.isConnected) document.body.append(host);
      const look = getComputedStyle(parent.host ?? parent);
      for (const name of COLOURS) host.style.setProperty(`--st-${name}`, look.getPropertyValue(`--st-${name}`));
      for (const [own, name] of Object.entries({ background: "background", text: "text", accent: "primary" })) {
        document.documentElement.style.setProperty(`--memorybank-${own}`, look.getPropertyValue(`--st-${name}-color`));
      }
      dark.dataset.words = data.words.dark;
      exit.replaceChildren(data.words.exit, element("kbd", "", "Esc"));
      dialog.setAttribute("aria-label", data.words.help);
      const close = element("button", "close", data.words.close);
      close.type = "button";
      close.onclick = () => dialog.close();
      const groups = Object.entries(data.groups).map(([name, title]) => group(name, title, data));
      dialog.replaceChildren(
        element("div", "top", element("h2", "", data.words.help), close),
        element("p", "intro", data.words.intro),
        element("div", "groups", ...groups),
      );
    }

    function group(name, title, data) {
      const rows = data.shortcuts.filter((one) => one.group === name).map((one) => {
        const caps = one.keys.flatMap((key, place) => [
          ...(place ? [element("span", "then", data.words.then)] : []),
          element("kbd", "", NAMES[key] ?? key.toUpperCase()),
        ]);
        const elsewhere = one.pages.length && !one.pages.includes(data.page);
        const words = element("span", "", one.words);
        return element("li", elsewhere ? "elsewhere" : "", element("span", "caps", ...caps), words);
      });
      return element("section", "", element("h3", "", title), element("ul", "", ...rows));
    }

    function say(words) {
      line.textContent = words;
      line.classList.toggle("shown", Boolean(words));
      clearTimeout(timer);
      timer = setTimeout(() => line.classList.remove("shown"), 2500);
    }

    // Whether that changed anything.
    function darken(on) {
      if (on === !dark.hidden) return false;
      dark.hidden = !on;
      dark.replaceChildren(...(on ? [element("span", "", dark.dataset.words)] : []));
      return true;
    }

    return {
      update,
      say,
      hold: (other) => other.isConnected || root.append(other),
      get isOpen() { return root.querySelector("dialog[open]") !== null; },
      open() { dialog.open ? dialog.close() : dialog.showModal(); },
      exitShown(shown) {
        if (shown && exit.hidden) wake();
        exit.hidden = !shown;
      },
      get isDark() { return !dark.hidden; },
      darken,
    };
  })();

  const NAMES = {
    " ": "␣", Escape: "Esc", ArrowRight: "→", ArrowLeft: "←", Backspace: "⌫",
    PageDown: "PgDn", PageUp: "PgUp", "Shift+ArrowRight": "⇧ →", "Shift+ArrowLeft": "⇧ ←",
  };
