  // Everything that can be pressed or filled in on the page, by name: typed for, chosen by arrow, done by Enter.
  const actions = (function () {
    const HELD = "input:not([type=checkbox]):not([type=radio]), textarea, select, [role=slider], [role=combobox]";
    const MOST = 200; // lines
    const LONGEST = 100; // characters of a line
    const WAIT = 3000; // ms
    const dialog = element("dialog", "actions");
    const field = element("input", "");
    const list = element("ul", "");
    const told = element("p", "intro");
    let known = [];
    let at = 0;
    list.id = "actions";
    list.setAttribute("role", "listbox");
    field.type = "text";
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-controls", list.id);
    field.setAttribute("aria-expanded", "true");
    told.setAttribute("role", "status");
    dialog.append(field, told, list);
    dialog.onclick = (event) => event.target === dialog && dialog.close();
    let words = {};

    // Streamlit writes an icon as the letters of its name: only what is written beside it counts.
    function name(one) {
      const parts = [...one.querySelectorAll('[data-testid="stMarkdownContainer"]')].map((part) => part.textContent);
      const own = parts.join(" ") || (one.querySelector('[data-testid="stIconMaterial"]') ? "" : one.innerText);
      const label = one.labels?.[0]?.innerText || one.closest("label")?.innerText;
      const found = one.getAttribute("aria-label") || label || own || one.title || one.placeholder || "";
      const folded = found.replace(/\s+/g, " ").trim();
      return folded.length > LONGEST ? `${folded.slice(0, LONGEST)}…` : folded;
    }

    // The page's own first, with what is open above it; the way to other pages last.
    function collect() {
      const all = controls.within(document).map((target) => ({ target, words: name(target) }));
      const told = all.filter((one) => one.words);
      const leads = (one) => Boolean(one.target.closest("header"));
      return [...told.filter((one) => !leads(one)), ...told.filter(leads)];
    }

    function show() {
      const asked = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      const fits = known.filter((one) => asked.every((word) => one.words.toLowerCase().includes(word)));
      const lines = fits.slice(0, MOST).map((one, place) => {
        const line = element("li", "", one.words);
        line.id = `action-${place}`;
        line.setAttribute("role", "option");
        line.onclick = () => perform(one);
        return line;
      });
      list.replaceChildren(...lines);
      told.textContent = `${lines.length} ${words.of} ${known.length}`;
      choose(0);
    }

    function choose(place) {
      at = Math.max(0, Math.min(place, list.children.length - 1));
      for (const [number, line] of [...list.children].entries()) line.setAttribute("aria-selected", `${number === at}`);
      field.setAttribute("aria-activedescendant", list.children[at]?.id ?? "");
      list.children[at]?.scrollIntoView({ block: "nearest" });
    }

    // The page may have been drawn anew since the list was made: then it is looked for again, by its name and its place
    // among those of the same name.
    function still(one) {
      if (one.target.isConnected) return one.target;
      const place = known.filter((other) => other.words === one.words).indexOf(one);
      return collect().filter((other) => other.words === one.words)[place]?.target;
    }

    // A page that is being drawn is waited for: what is pressed in the middle of it may be heard by nobody.
    function perform(one, until = Date.now() + WAIT) {
      if (dialog.open) dialog.close();
      if (isDrawing() && Date.now() < until) return requestAnimationFrame(() => perform(one, until));
      const target = still(one);
      if (!target) return overlay.say(`${one.words} – ${words.not_now}`);
      target.scrollIntoView({ block: "nearest" });
      target.focus();
      if (!target.matches(HELD)) target.click();
    }

    field.oninput = show;
    field.onkeydown = (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
      if (step) choose(at + step);
      else if (event.key === "Enter" && !event.isComposing) list.children[at]?.click();
      else return;
      event.preventDefault();
    };

    return {
      update(data) {
        words = data.words;
        overlay.hold(dialog);
        dialog.setAttribute("aria-label", words.actions);
        field.setAttribute("aria-label", words.find);
        field.placeholder = words.find;
      },
      open() {
        known = collect();
        field.value = "";
        show();
        dialog.showModal();
        field.focus();
      },
    };
  })();
