  // What can be pressed or filled in on the page, in its order, inside the components too.
  const controls = (function () {
    const WHAT = [
      "button", "a[href]:not([href^='#'])", "summary", "textarea", "select", "input:not([type=hidden]):not([type=file])",
      ...["button", "link", "tab", "radio", "switch", "checkbox", "slider", "combobox"].map((role) => `[role=${role}]`),
    ].join(", ");

    function* every(root) {
      for (const one of root.querySelectorAll("*")) {
        if (one.id === "memorybank-over") continue; // what lies over the page
        if (one.matches(WHAT)) yield one;
        if (one.shadowRoot) yield* every(one.shadowRoot);
      }
    }

    const isUsable = (one) =>
      one.isConnected && !one.disabled && one.getAttribute("aria-disabled") !== "true" &&
      one.getClientRects().length > 0 && getComputedStyle(one).visibility !== "hidden" &&
      !one.parentElement?.closest("button, a[href], [role=button]");

    return { isUsable, within: (root) => [...every(root)].filter(isUsable) };
  })();
