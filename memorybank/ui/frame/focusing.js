  // The focus of who goes by keys. A control that is drawn anew, switched off or gone has lost it, and the browser would
  // begin at the top again: then it goes to what stands in the same place, else nearby, else to where the page begins.
  // And what has it does not lie under a bar that stays in sight.
  (function () {
    const CONTROLS = [
      "button", "a[href]:not([href^='#'])", "summary", "textarea", "select", "input:not([type=hidden]):not([type=file])",
      ...["button", "link", "tab", "radio", "switch", "checkbox", "slider", "combobox"].map((role) => `[role=${role}]`),
    ].join(", ");
    const LOOKS = 5; // a component may be drawn a little later than the page
    const EVERY = 60; // ms
    const GAP = 8; // pixels
    const BARS = "[data-testid='stHeader'], .st-key-story, .st-key-studio-board-step";
    let held = null;
    let isPointed = false; // what has the focus was clicked, not gone to by a key

    // What can be pressed or filled in, in its order, inside the components too.
    function* every(root) {
      for (const one of root.querySelectorAll("*")) {
        if (one.matches(CONTROLS) && isUsable(one)) yield one;
        if (one.shadowRoot) yield* every(one.shadowRoot);
      }
    }

    const isUsable = (one) =>
      one.isConnected && !one.disabled && one.getAttribute("aria-disabled") !== "true" &&
      one.checkVisibility({ visibilityProperty: true }) && // false in an expander that is closed
      !one.parentElement?.closest("button, a[href], [role=button]");

    // From the inside out, across the borders of components.
    function* around(target) {
      for (let at = target; at; at = at.parentElement ?? at.getRootNode().host) {
        yield* [...at.classList].filter((name) => name.startsWith("st-key-"));
      }
    }

    function describe(target) {
      const keys = [...around(target)];
      const place = reachable(keys[0]).indexOf(target);
      return { target, keys, place, choice: target.dataset.choose };
    }

    function reachable(key) {
      const box = key && document.querySelector(`.${CSS.escape(key)}`);
      return box ? [...every(box)].filter((one) => one.tabIndex >= 0) : [];
    }

    function same() {
      const there = reachable(held.keys[0]);
      return there.find((one) => held.choice && one.dataset.choose === held.choice) ?? there[held.place];
    }

    // From the page's own head one goes on to what it has begun.
    function near() {
      const isHead = (keys) => keys.includes("st-key-header");
      const nearby = isHead(held.keys) ? [] : held.keys.map(reachable).find((there) => there.length) ?? [];
      return nearby[0] ?? reachable("st-key-story-pause")[0] ?? content().find((one) => !isHead([...around(one)]));
    }

    const content = () => [...every(document.querySelector("[data-testid='stMain']"))];

    function active() {
      let at = document.activeElement ?? document.body;
      while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at;
    }

    // One that was switched off may still be named as what has it.
    const isLost = () => active() === document.body || !isUsable(active());

    function look(left = LOOKS) {
      if (!held || isDrawing() || !isLost()) return;
      const next = same() ?? (left ? null : near());
      if (next) next.focus();
      else if (left) setTimeout(look, EVERY, left - 1);
    }

    // Whoever leaves a control that stands where it stood wants it left.
    document.addEventListener("focusout", () => {
      setTimeout(() => held && isLost() && isUsable(held.target) && (held = null));
    });
    function note() {
      const target = active();
      if (isLost() || target === held?.target) return;
      held = isPointed ? null : describe(target);
      if (held) uncover(target);
    }

    // After the browser has scrolled there. Of a step within a component the page is told by the key alone.
    document.addEventListener("focusin", () => requestAnimationFrame(note));
    document.addEventListener("pointerdown", () => (isPointed = true), true);
    document.addEventListener("keydown", ({ key }) => {
      if (key !== "Tab") return;
      isPointed = false;
      requestAnimationFrame(note);
    }, true);
    new MutationObserver(() => setTimeout(look, EVERY)).observe(document, {
      subtree: true,
      attributeFilter: ["data-test-script-state"],
    });
    // On a busy machine what a drawing has left out goes away long after it has ended.
    setInterval(() => held && !held.target.isConnected && look(), LOOKS * EVERY);

    function uncover(target) {
      const host = document.activeElement;
      // A browser leaves what is cut at the side of a wide table as it is.
      if (target.closest(".scrolls")) target.scrollIntoView({ block: "nearest", inline: "nearest" });
      for (const bar of document.querySelectorAll(BARS)) {
        const [over, under] = [bar, target].map((one) => one.getBoundingClientRect());
        const isUnder = !bar.contains(host) && under.top < over.bottom && under.bottom > over.top;
        if (isUnder) host.closest("[data-testid='stMain']")?.scrollBy(0, under.top - over.bottom - GAP);
      }
    }
  })();
