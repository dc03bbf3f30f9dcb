  // Keys: pressed anywhere but in a field, they press what stands on the page.
  const keys = (function () {
    const PATIENCE = 1500; // ms between the keys of one shortcut
    const WAIT = 2000; // ms for what a first press opens
    const LONGEST = 20_000; // ms that a redraw is waited for
    const MOST = 20; // keys that wait for one
    const AT_REST = 3; // frames in a row without drawing
    const ANSWER = 5000; // ms until the server begins to answer what was pressed; before, the page looks at rest
    const TYPING = "input, textarea, select, [contenteditable=''], [contenteditable='true']";
    const ARROWS = "[role='slider'], [role='tab'], [role='radio'], [role='option'], [role='menuitem'], canvas, .arrows";
    const FIELD = { focus: "textarea, input" };
    const OPENS = "[data-testid='stPopover'], summary"; // by themselves, without the server
    const PRESSED = "a, button, summary, [role='button'], [role='link'], [role='switch'], [role='checkbox']";
    let data = null;
    let begun = [];
    let timer = 0;
    let resting = false; // something was pressed, and the page has not come to rest since
    let answerBy = 0; // what was pressed last has asked the server, and until then it may not have begun to answer
    let waiting = []; // what was pressed while the page was being drawn anew, in order
    let isPlaying = false; // the story goes on by itself
    let hadList = false; // the field's list was open when the key came; whoever closes it may do so before we hear of it
    let isPointed = false; // what has the keyboard was clicked, not gone to with Tab

    // A slider and a checkbox are inputs that take no text.
    const TAKES_NO_TEXT = new Set(["range", "checkbox", "radio", "button", "submit", "file", "color"]);
    const isTyping = (target) => target.matches(TYPING) && !TAKES_NO_TEXT.has(target.type);

    function isTheirs(event) {
      const target = event.composedPath()[0];
      // What was just hidden keeps the keyboard until the next drawing, and takes nothing.
      if (!(target instanceof Element) || !target.checkVisibility()) return false;
      if (isTyping(target)) return true;
      if (presenting.isOn && isPointed) return false; // whoever presents has clicked something, and means the keys of the page
      if (event.key === " " || event.key === "Enter") return Boolean(target.closest(PRESSED) || target.matches("input"));
      if (event.key.startsWith("Arrow")) return Boolean(target.closest(ARROWS) || target.matches("input"));
      return false;
    }

    function onKey(event) {
      if (!data || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      if (event.key === "Escape" && !overlay.isOpen) leaveField(event);
      if (isTheirs(event) || (overlay.isOpen && event.key !== "?")) return;
      if (["Shift", "CapsLock", "Tab"].includes(event.key)) return;
      if (waiting.at(-1)?.one.act === "focus") return; // what follows is meant for the field that is not there yet
      const shifted = event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : "";
      const key = event.key.length === 1 ? event.key.toLowerCase() : shifted + event.key;
      const typed = [...begun, key];
      const fits = here(presenting.isOn).filter((one) => typed.every((each, place) => one.keys[place] === each));
      const found = fits.find((one) => one.keys.length === typed.length);
      clearTimeout(timer);
      begun = [];
      if (found) {
        event.preventDefault();
        event.stopPropagation();
        if (event.repeat && waiting.length) return; // a key held down is no faster than the page
        overlay.say("");
        perform(found);
      } else if (fits.length) {
        event.preventDefault();
        begun = typed;
        timer = setTimeout(() => (begun = []), PATIENCE);
        overlay.say(fits.map((one) => `${one.keys[typed.length].toUpperCase()}  ${one.words}`).join("   ·   "));
      }
    }

    // The shortcuts of this page, those of who presents first.
    function here(presented) {
      const all = data.shortcuts.filter((one) => !one.pages.length || one.pages.includes(data.page));
      return [...(presented ? all.filter((one) => one.presenting) : []), ...all.filter((one) => !one.presenting)];
    }

    // Esc gives the keyboard back to the page; of a field whose list is open it closes the list, and the field is kept.
    function leaveField(event) {
      const target = event.composedPath()[0];
      if (target instanceof HTMLElement && isTyping(target) && !hadList) target.blur();
    }

    function perform(one) {
      const acts = {
        help: () => overlay.open(),
        actions: () => actions.open(),
        present: () => (presenting.isOn ? presenting.end() : presenting.start()),
        black: () => {
          overlay.darken(!overlay.isDark);
          if (overlay.isDark && isPlaying) {
            isPlaying = false; // a second time before the server has answered would set it going again
            press(one, [["story-pause"]], true);
          }
        },
        leave: () => (presenting.isOn ? presenting.end() : press(one, [["story-leave"]], true)),
        theme: switchTheme,
        lang: () => document.querySelector(`.st-key-lang button:not([aria-checked="true"])`)?.click(),
        // A click that is still to be sent goes first: Streamlit would send it with the turn of the page, and once more.
        page: () => setTimeout(() => pages.turn(one.target[0][0])),
        press: () => press(one, one.target),
        focus: () => press(one, one.target),
        cycle: () => press(one, one.target),
      };
      if (one.act !== "black" && overlay.darken(false)) return; // out of the dark first
      acts[one.act]();
    }

    // Keys may be faster than the server: what is shut, away or old while the page is drawn anew is pressed when it
    // stands again, one key after the other, and not at all once another page is turned to.
    function press(one, paths, quiet = false) {
      if (!waiting.length && !isBusy(paths) && pressed(one, paths)) return void (resting || rest());
      if (waiting.length >= MOST) return overlay.say(`${one.words} – ${data.words.not_now}`);
      waiting.push({ one, paths, quiet });
      if (!resting) rest();
    }

    const goal = () => pages.goal() ?? data.page;

    function isBusy(paths) {
      const first = paths.map((path) => path[0]).find(placeOf);
      if (goal() !== data.page) return true;
      if (first?.includes(" :: ")) return false; // a component answers by itself while the page is drawn
      return resting || Boolean(first && placeOf(first).matches("[data-stale='true'], [data-stale='true'] *"));
    }

    // After a press, and while there are keys that wait: look in each frame whether the page has come to rest.
    function rest() {
      const until = Date.now() + LONGEST;
      resting = true;
      const look = (still) => {
        const isMoving = isDrawing() || Date.now() < answerBy || goal() !== data.page;
        if (isMoving && Date.now() < until) return nextFrame(() => look(0));
        if (!isMoving && still < AT_REST) return nextFrame(() => look(still + 1));
        const next = waiting.shift();
        resting = Boolean(next);
        if (!next) return;
        if (!pressed(next.one, next.paths) && !next.quiet) overlay.say(`${next.one.words} – ${data.words.not_now}`);
        rest();
      };
      nextFrame(() => look(0));
    }

    // A window that another one covers has no frames, and may be driven from there.
    const nextFrame = (look) => (document.hidden ? setTimeout(look, 50) : requestAnimationFrame(look));

    function pressed(one, paths) {
      for (const path of paths) {
        const target = usable(path[0], one.act);
        if (!target) continue;
        const inside = path.length === 1 ? target : usable(path.at(-1), one.act);
        if (inside) act(inside, one.act);
        else {
          target.click();
          soon(() => usable(path.at(-1), one.act), (found) => act(found, one.act));
        }
        return true;
      }
      return false;
    }

    function act(target, how) {
      if (how === "focus" || isTyping(target)) {
        target.focus();
        target.select?.();
        return;
      }
      if (target.getRootNode() === document && !target.closest(OPENS)) answerBy = Date.now() + ANSWER;
      if (how === "cycle") cycle(target);
      else target.click();
    }

    // The next of a row of buttons of which one is chosen.
    function cycle(first) {
      const row = [...first.parentElement.closest("[class*='st-key-']").querySelectorAll("button")];
      const at = row.findIndex((one) => one.getAttribute("aria-checked") === "true" || /Active/.test(one.dataset.testid));
      row[(at + 1) % row.length].click();
    }

    function usable(target, how) {
      const [key, inside] = target.split(" :: ");
      const place = placeOf(key);
      const found = inside
        ? within(place, inside)
        : place?.querySelector(FIELD[how] ?? "button, a[href], [role='button'], [tabindex='0']");
      return found && !found.disabled && !found.hidden && found.getAttribute("aria-disabled") !== "true" ? found : null;
    }

    const placeOf = (target) => document.querySelector(`.st-key-${CSS.escape(target.split(" :: ")[0])}`);

    // In the component that is drawn there, which has a tree of its own.
    function within(place, selector) {
      for (const one of place?.querySelectorAll("*") ?? []) {
        const found = one.shadowRoot?.querySelector(selector);
        if (found) return found;
      }
      return null;
    }

    function soon(look, then, until = Date.now() + WAIT) {
      const found = look();
      if (found) then(found);
      else if (Date.now() < until) nextFrame(() => soon(look, then, until));
    }

    // It may draw for less than a frame.
    new MutationObserver(() => isDrawing() && (answerBy = 0)).observe(document, {
      subtree: true,
      attributeFilter: ["data-test-script-state"],
    });
    // While the page is presented before whatever has the keyboard: a clicker is pressed without looking where that is.
    document.addEventListener("keydown", ({ target }) => (hadList = target.ariaExpanded === "true"), true);
    document.addEventListener("keydown", (event) => presenting.isOn && onKey(event), true);
    document.addEventListener("keydown", (event) => presenting.isOn || onKey(event));
    document.addEventListener("pointerdown", () => (isPointed = true), true);
    document.addEventListener("keydown", (event) => event.key === "Tab" && (isPointed = false), true);
    return {
      get isPointed() { return isPointed; },
      plays: (now) => (isPlaying = now),
      // What was pressed in the speaker's window.
      take(key) {
        const found = data && here(true).find((one) => one.keys.length === 1 && one.keys[0] === key);
        if (found) perform(found);
      },
      // Whoever turns to another page does not want there what was pressed here.
      forget: () => (waiting = []),
      update(next) {
        data = next;
      },
    };
  })();
